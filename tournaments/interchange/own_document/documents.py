"""Read and validate the event and standings of a Datafort document."""

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any, TypeAlias

from core.text import clean
from decks.games import GAMES
from engine.documents.events import check_version
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import MOST_LETTERS, Node
from engine.systems import STORED
from matches.scoring import scoring_rule
from players import names
from tournaments.interchange.formats.records import FileRefused
from tournaments.interchange.own_document.checked_reader import (
    MOST_SMALL,
    both,
    finite,
    read_object,
    refuse_deck_rules,
    refuse_stranger,
    text,
)
from tournaments.interchange.own_document.cut_checks import check_cut
from tournaments.interchange.own_document.engine_documents import engine_part
from tournaments.interchange.own_document.shapes import EVENT

# The event with every key of its shape; players are identified by event number.
Event: TypeAlias = dict[str, Any]

# Top-level keys that repeat "event": they may be missing but must not differ.
DECIDED_TWICE = ("name", "system", "players", "rounds")
ON_TOP = (
    "datafort",
    "name",
    "system",
    "seed",
    "planned_rounds",
    "avoid_second_meetings",
    "point_unit",
    "tie_breakers",
    "players",
    "rounds",
    "standings",
    "event",
)
MOST_LINES = 10_000


def is_own(value: Json) -> bool:
    """Return True for a Datafort document, of the engine or of a whole event."""
    return isinstance(value, dict) and "datafort" in value


def read_event(value: Json) -> Event:
    """Read the event of a document. Raises FileRefused with the path of the first error."""
    root = Node(value)
    try:
        check_version(root)
        root.object_of(ON_TOP)
        event = read_object(root.under("event"), EVENT)
        _check(root.under("event"), event)
        _refuse_two_stories(root, event)
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal
    return event


def _refuse_two_stories(root: Node, event: Event) -> None:
    made = engine_part(event)
    for key in DECIDED_TWICE:
        node = root.under(key)
        if node.is_set() and node.value != made[key]:
            raise node.refusal(
                f'"{key}" differs from what stands in "event". Take it out, or make both the same.'
            )


def _check(node: Node, event: Event) -> None:
    settings = event["settings"]
    if GAMES[settings["game"]].has_decks:
        rules = node.under("settings").under("deck_rules")
        refuse_deck_rules(rules, settings["game"], settings["deck_rules"])
    players = _known_players(node.under("players"), event)
    _check_stages(node.under("stages"), event["stages"])
    seen_rounds: set[int] = set()
    for inner, stage in zip(node.under("stages").items(), event["stages"], strict=True):
        _check_stage(inner, stage, players, event)
        for at, round_ in both(inner.under("rounds"), stage["rounds"]):
            if round_["number"] in seen_rounds:
                raise at.under("number").refusal("This round is listed twice. Renumber the rounds.")
            seen_rounds.add(round_["number"])
    _check_private(node.under("private"), event["private"], players)


def _check_stages(node: Node, stages: list[Any]) -> None:
    _refuse_twice(node, [stage["number"] for stage in stages], "number")
    first = next((stage for stage in stages if stage["number"] == 1), None)
    if first is None or STORED[first["system"]].is_elimination:
        raise node.refusal("An event has a stage 1, which is no cut. Add it.")


def _known_players(node: Node, event: Event) -> set[int]:
    known: set[int] = set()
    for inner, player in both(node, event["players"]):
        if player["id"] in known:
            raise inner.under("id").refusal("This player is listed twice. Remove one.")
        if player["id"] > MOST_SMALL:
            raise inner.under("id").refusal(f"Players are numbered up to {MOST_SMALL}.")
        problems = [*names.problems(player["name"])]
        if problems:
            raise inner.under("name").refusal(" ".join(problems))
        if problems := [*names.pronoun_problems(player["pronouns"])]:
            raise inner.under("pronouns").refusal(" ".join(problems))
        player["name"] = clean(player["name"])
        _refuse_twice(inner.under("identities"), [one["side"] for one in player["identities"]])
        known.add(player["id"])
    return known


def _refuse_twice(node: Node, values: Iterable[Any], key: str = "") -> None:
    seen: set[Any] = set()
    for place, value in enumerate(values):
        if value in seen and value is not None:
            at = list(node.items())[place]
            raise (at.under(key) if key else at).refusal("This is there twice. Take one out.")
        seen.add(value)


def _check_stage(node: Node, stage: Any, players: Collection[int], event: Event) -> None:
    rule = scoring_rule(stage["scoring_rule"])
    if not GAMES[event["settings"]["game"]].is_scored_by(rule.id):
        raise node.under("scoring_rule").refusal("This scoring belongs to another game.")
    entries = node.under("entries")
    for inner, entry in both(entries, stage["entries"]):
        refuse_stranger(inner.under("player"), entry["player"], players)
        if entry["declined"] is (entry["seed"] is not None):
            raise inner.refusal("A place has a seed, or was declined. Say one of the two.")
    _refuse_twice(entries, [entry["player"] for entry in stage["entries"]], "player")
    _refuse_twice(entries, [entry["seed"] for entry in stage["entries"]], "seed")
    for inner, round_ in both(node.under("rounds"), stage["rounds"]):
        _check_round(inner.under("pairings"), round_["pairings"], players, rule.games_per_match)
        for at, pairing in both(inner.under("pairings"), round_["pairings"]):
            if pairing["match"]:
                _check_seats(at.under("match"), pairing["match"], rule)
    if STORED[stage["system"]].is_elimination:
        check_cut(node, stage)


def _check_seats(node: Node, match: Any, rule: Any) -> None:
    seats = len(match["seats"])
    if not rule.fewest_seats <= seats <= rule.most_seats:
        raise node.under("seats").refusal(f"A table of this scoring has no {seats} seats.")
    numbers = [game["number"] for game in match["games"]]
    if sorted(numbers) != list(range(1, rule.games_per_match + 1)):
        raise node.under("games").refusal(
            f"A match has {rule.games_per_match} games, each once. Leave out none of them."
        )
    for at, game in both(node.under("games"), match["games"]):
        _check_roles(at, game, rule)
    settled = match["state"] in ("confirmed", "decided")
    silent = any(seat["points"] is None for seat in match["seats"])
    if settled is silent:
        raise node.under("seats").refusal(
            "A table with a result has points at every seat, one without at none."
        )


def _check_roles(node: Node, game: Any, rule: Any) -> None:
    if game["winner"] is not None and not game["end"]:
        raise node.under("end").refusal('A game that was won has an end, "not_told" at least.')
    roles = sorted(seat["role"] for seat in game["seats"])
    if rule.has_one_game and not any(roles) and not game["end"]:
        return
    if roles != (["corp", "runner"] if rule.has_roles else [""] * len(roles)):
        raise node.under("seats").refusal(
            "One seat is Corp and one is Runner." if rule.has_roles else "This game has no sides."
        )


def _check_round(node: Node, pairings: list[Any], players: Collection[int], games: int) -> None:
    here: set[int] = set()
    for inner, pairing in both(node, pairings):
        _check_pairing(inner, pairing)
        for at, player in _seated(inner, pairing):
            refuse_stranger(at, player, players)
            if player in here:
                raise at.refusal("This player is in this round twice. Remove one of them.")
            here.add(player)
        if pairing["match"] is not None:
            _check_absences(inner.under("match").under("absences"), pairing["match"], players)
        if pairing["advances"] is not None:
            refuse_stranger(inner.under("advances"), pairing["advances"], here)
    _refuse_twice(node, [pairing["table"] for pairing in pairings], "table")
    _refuse_twice(node, [pairing["bracket_game"] for pairing in pairings], "bracket_game")


def _check_absences(node: Node, match: Any, players: Collection[int]) -> None:
    for inner, one in both(node, match["absences"]):
        refuse_stranger(inner.under("player"), one["player"], players)
        if one["by"] is not None:
            refuse_stranger(inner.under("by"), one["by"], players)
    _refuse_twice(node, [one["player"] for one in match["absences"]], "player")


def _check_pairing(node: Node, pairing: Any) -> None:
    if (pairing["match"] is None) is (pairing["bye"] is None):
        raise node.refusal("This is a table with a match, or a bye. Say one of the two.")
    if pairing["bye"] is not None and pairing["points"] is None:
        raise node.under("points").refusal("A bye brings points. Say how many.")
    if pairing["match"] is not None and pairing["table"] is None:
        raise node.under("table").refusal("A table has a number. Add it.")
    if pairing["bye"] is not None and pairing["table"] is not None:
        raise node.under("table").refusal("A bye has no table. Take the number out.")
    if pairing["match"] is not None and pairing["points"] is not None:
        raise node.under("points").refusal("The points of a table stand at its seats.")


def _seated(node: Node, pairing: Any) -> Iterable[tuple[Node, int]]:
    if pairing["match"] is None:
        return [(node.under("bye"), pairing["bye"])]
    match, at = pairing["match"], node.under("match")
    seated = {seat["id"] for seat in match["seats"]}
    for inner, game in both(at.under("games"), match["games"]):
        for place, seat in both(inner.under("seats"), game["seats"]):
            refuse_stranger(place.under("id"), seat["id"], seated)
        _refuse_twice(inner.under("seats"), [seat["id"] for seat in game["seats"]], "id")
        if len(game["seats"]) != len(seated):
            raise inner.under("seats").refusal("Everybody at the table plays each game.")
        if game["winner"] is not None:
            refuse_stranger(inner.under("winner"), game["winner"], seated)
    if sum(one["state"] == "proposed" for one in match["reports"]) > 1:
        raise at.under("reports").refusal("One report at a time waits for its answer.")
    for kind, key in (("reports", "by"), ("calls", "player")):
        for inner, one in both(at.under(kind), match[kind]):
            if one[key] is not None:
                refuse_stranger(inner.under(key), one[key], seated)
    _check_calls(at.under("calls"), match["calls"])
    return [(at.under("seats"), seat["id"]) for seat in match["seats"]]


def _check_calls(node: Node, calls: list[Any]) -> None:
    for place, (inner, call) in enumerate(both(node, calls)):
        if call["answered_at"] and call["withdrawn_at"]:
            raise inner.refusal("A call is answered or withdrawn, not both.")
        if call["appeals"] is not None and call["appeals"] >= place:
            raise inner.under("appeals").refusal("An appeal names an earlier call of the table.")
    if sum(not call["answered_at"] and not call["withdrawn_at"] for call in calls) > 1:
        raise node.refusal("A table has one open call at a time.")
    _refuse_twice(node, [call["appeals"] for call in calls], "appeals")


def _check_private(node: Node, private: Any, players: Collection[int]) -> None:
    if private is None:
        return
    for key in ("decks", "penalties"):
        for inner, one in both(node.under(key), private[key]):
            refuse_stranger(inner.under("player"), one["player"], players)
    _refuse_twice(node.under("decks"), [(one["player"], one["side"]) for one in private["decks"]])
    _refuse_twice(node.under("staff"), [one["username"] for one in private["staff"]], "username")
    owners = [one for one in private["staff"] if one["role"] == "owner"]
    if len(owners) > 1:
        raise node.under("staff").refusal("An event has one owner.")
    _refuse_twice(node.under("guide"), [one["code"] for one in private["guide"]], "code")
    _check_log(node.under("log"), private["log"], players)
    _check_deck_checks(node.under("deck_checks"), private)
    for inner, deck in both(node.under("decks"), private["decks"]):
        if bool(deck["locked_at"]) is not bool(deck["locked_by"]):
            raise inner.under("locked_by").refusal("A locked deck says who locked it, and when.")
    for inner, penalty in both(node.under("penalties"), private["penalties"]):
        if penalty["game"] is not None and penalty["kind"] != "game_loss":
            raise inner.under("game").refusal("Only a game loss names a game.")


def _check_deck_checks(node: Node, private: Any) -> None:
    decks = {(deck["player"], deck["side"]) for deck in private["decks"]}
    for at, draw in both(node, private["deck_checks"]):
        for inner, one in both(at.under("checks"), draw["checks"]):
            if (one["player"], one["side"]) not in decks:
                raise inner.under("player").refusal("This deck is not under decks. Add it there.")
            if bool(one["outcome"]) is not bool(one["checked_at"]):
                raise inner.under("outcome").refusal("A check has an outcome and a moment.")
        checked = [(one["player"], one["side"]) for one in draw["checks"]]
        _refuse_twice(at.under("checks"), checked)
    _refuse_twice(node, [draw["number"] for draw in private["deck_checks"]], "number")


def _check_log(node: Node, entries: list[Any], players: Collection[int]) -> None:
    for inner, entry in both(node, entries):
        for key in ("player", "about"):
            if entry[key] is not None:
                refuse_stranger(inner.under(key), entry[key], players)


def stated_lines(value: Json) -> list[dict[str, Any]]:
    """Read the standings with numbers as printed. Raises FileRefused for invalid lines."""
    node = Node(value, Node({"standings": value}), "standings")
    try:
        return [_stated_line(inner) for inner in node.items(most=MOST_LINES)]
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal


def _stated_line(node: Node) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise node.refusal(f"Expected an object, not {node.shown()}.")
    node.under("id").player_id()
    return {key: _stated_figure(node.under(key)) for key in node.value}


def _stated_figure(node: Node) -> Any:
    if isinstance(node.value, dict | list | bool):
        raise node.refusal(f"Expected a number, not {node.shown()}.")
    if isinstance(node.value, str):
        return text(MOST_LETTERS)(node)
    return finite(node) if isinstance(node.value, Decimal) else node.value
