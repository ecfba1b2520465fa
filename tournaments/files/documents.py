"""Convert between events and engine documents, the top level of a Datafort document."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from core.text import clean
from decks.games import GAMES, GameDefinition
from engine.bracket.games import Bracket, BracketRefused, GameWon, bracket_for, play_bracket
from engine.documents.events import (
    DocumentBye,
    DocumentRound,
    DocumentTable,
    Event,
    check_version,
    read_event,
)
from engine.documents.json_text import MAX_LETTERS, DocumentNode, Json
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from engine.systems import IMPORTED_CUT, STORED_SYSTEMS, SystemKind
from matches.scoring.results import MatchResult
from matches.scoring.rules import scoring_rule
from players import names
from tournaments.files.conversion import match_of_table, result_of_match, scoring_rule_for
from tournaments.files.document_shapes import (
    CLOSED,
    EVENT,
    GAME,
    GAME_SEAT,
    MATCH,
    MAX_ROUNDS,
    MAX_SMALL,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    RUNNING,
    SETTINGS,
    SETTLED_STATES,
    STAGE,
    fill_shape,
    finite_number,
    nodes_with_values,
    read_object,
    refuse_deck_rules,
    refuse_unknown_player,
    text,
)
from tournaments.files.records import FilePlayerId, FileSeat, FileTable, TournamentFileRefused
from tournaments.results.rules import MAX_CUT_SIZE, MIN_CUT_SIZE

EventMapping = Mapping[str, Any]


def engine_document(event: EventMapping) -> dict[str, Any]:
    """Return the event as described in docs/reference/engine.md, without the cut."""
    stages = [
        stage for stage in event["stages"] if not STORED_SYSTEMS[stage["system"]].is_elimination
    ]
    first = stages[0] if stages else event["stages"][0]
    unit = scoring_rule(event["settings"]["scoring_rule"]).point_unit
    breakers = list(event["settings"]["tie_breakers"] or DEFAULT_TIE_BREAKERS)
    counts_victory = "victory_points" in breakers
    part: dict[str, Any] = {
        "datafort": 1,
        "name": event["settings"]["name"],
        "system": first["system"],
        "planned_rounds": event["settings"]["planned_rounds"],
        "point_unit": unit,
        "tie_breakers": breakers,
        "players": [
            _engine_player(player) for player in event["players"] if player["state"] != "waiting"
        ],
        "rounds": [
            [*_engine_entries(stage, round_, unit, counts_victory=counts_victory)]
            for stage in stages
            for round_ in stage["rounds"]
            if round_["state"] == "closed"
        ],
    }
    if event["seed"] is not None:
        part["seed"] = event["seed"]
    avoid_second_meetings = event["settings"].get("avoid_second_meetings")
    if first["system"] == "single" and avoid_second_meetings is not None:
        part["avoid_second_meetings"] = avoid_second_meetings
    return part


def _engine_player(player: EventMapping) -> dict[str, Any]:
    row = {
        "id": player["id"],
        "name": player["name"],
        "active": player["state"] == "checked_in",
        "first_round_bye": player["first_round_bye"],
        "seed": player["seed"],
    }
    return row | ({"group": player["avoid_group"]} if player["avoid_group"] else {})


def _engine_entries(
    stage: EventMapping, round_: EventMapping, unit: int, *, counts_victory: bool
) -> Iterator[dict[str, Any]]:
    """Yield tables with a result, then byes; tables without a result are omitted."""
    pods = STORED_SYSTEMS[stage["system"]].kind is SystemKind.PODS
    for pairing in round_["pairings"]:
        match = pairing["match"]
        if match is None:
            yield {"bye": pairing["bye"], "points": pairing["points"] * unit}
        elif match["state"] in SETTLED_STATES:
            result = result_of_match(match, has_roles=not pods)
            seats = [
                _engine_seat(seat, place, match, None if pods else result, unit)
                for place, seat in enumerate(match["seats"], start=1)
            ]
            if counts_victory and result.victory_points:
                for seat, points in zip(seats, result.victory_points, strict=True):
                    seat["victory_points"] = points
            yield {"table": pairing["table"], "seats": seats}


def _engine_seat(
    seat: EventMapping, place: int, match: EventMapping, result: MatchResult | None, unit: int
) -> dict[str, Any]:
    """Figures of a player; only the points in a pod, which has no `result`."""
    row = {"id": seat["id"], "points": int(Fraction(seat["points"]) * unit)}
    if result is None:
        return row
    games = sorted(match["games"], key=lambda game: game["number"])
    roles = {player["id"]: player["role"] for player in games[0]["seats"]} if games else {}
    role, agenda_points = roles.get(seat["id"]), result.agenda_points(place)
    return (
        row
        | {"games_won": result.games_won(place)}
        | ({"role": role} if role else {})
        | ({"agenda_points": agenda_points} if agenda_points is not None else {})
    )


def convert_engine_document(
    document: Json, *, game: str | None, today: date
) -> tuple[dict[str, Any], Mapping[FilePlayerId, int]]:
    """Convert an engine document to an event; also return the number of each player, in order.

    Without `game`, it follows from the system and the points. Raises DocumentRefused or
    TournamentFileRefused with the path of the first error.
    """
    node = DocumentNode(document)
    event = read_event(node)
    if event.system.is_elimination:
        raise TournamentFileRefused(
            "A bracket alone is not an event. Import its event.", "$.system"
        )
    rounds_by_key = {"planned_rounds": event.planned_rounds or 0, "rounds": len(event.rounds)}
    for key, rounds in rounds_by_key.items():
        if rounds > MAX_ROUNDS:
            raise TournamentFileRefused(
                f"An event on this site has at most {MAX_ROUNDS} rounds, and this document has "
                f"{rounds:,}. Split it into several events.",
                f"$.{key}",
            )
    if event.point_unit != 1:
        raise TournamentFileRefused(
            "A document without an event can only have whole points.", "$.point_unit"
        )
    converter = _EngineDocumentConverter(node, event, game or _guess_game(event))
    return converter.event(today), converter.numbers


def _guess_game(event: Event) -> str:
    """Choose the game with the lowest sufficient maximum score, else with the highest."""
    by_points = {
        game.bare_document_points: game.id
        for game in GAMES.values()
        if game.bare_document_points is not None and _is_playable_as(game, event)
    }
    tables = (
        entry for round_ in event.rounds for entry in round_ if isinstance(entry, DocumentTable)
    )
    most = max((seat.points or 0 for table in tables for seat in table.seats), default=0)
    enough = [points for points in by_points if most <= points]
    return by_points[min(enough) if enough else max(by_points)]


def _is_playable_as(game: GameDefinition, event: Event) -> bool:
    rule = scoring_rule_for(game, event.system.id)
    is_pod = event.system.kind is SystemKind.PODS
    return event.system.id in game.systems and rule.has_roles is not is_pod


class _EngineDocumentConverter:
    def __init__(self, node: DocumentNode, event: Event, game: str) -> None:
        self.record, self.game = event, game
        self.names = [inner.under("name").value for inner in node.under("players").items()]
        self.name = node.under("name").value
        self.numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
        self.rule = scoring_rule_for(GAMES[game], event.system.id)
        if self.rule.has_roles is (event.system.kind is SystemKind.PODS):
            raise TournamentFileRefused(
                f'The game "{game}" cannot be used with this system.', "$.system"
            )

    def event(self, today: date) -> dict[str, Any]:
        rounds = [
            self._round(number, round_) for number, round_ in enumerate(self.record.rounds, start=1)
        ]
        return {
            "settings": fill_shape(
                SETTINGS,
                name=clean(self.name or "")[:120] or "Imported event",
                game=self.game,
                starts_on=today.isoformat(),
                scoring_rule=self.rule.id,
                tie_breakers=list(self.record.tie_breakers),
                bye_points=self.rule.bye_points,
                planned_rounds=self.record.planned_rounds,
                avoid_second_meetings=self.record.avoid_second_meetings,
            ),
            "seed": self.record.seed,
            "players": [self._player(place) for place in range(len(self.record.players))],
            "stages": [
                fill_shape(
                    STAGE,
                    number=1,
                    system=self.record.system.id,
                    scoring_rule=self.rule.id,
                    rounds=rounds,
                )
            ],
            "private": None,
        }

    def _player(self, place: int) -> dict[str, Any]:
        row = self.record.players[place]
        name = names.without_email_addresses(self.names[place] or "")
        seed = row.seed if row.seed and row.seed <= MAX_SMALL else None
        return fill_shape(
            PLAYER_SHAPE,
            id=place + 1,
            name=f"Player {row.id}"[:100] if any(names.name_problems(name)) else name,
            state="checked_in" if row.active else "dropped",
            dropped_by="" if row.active else "staff",
            first_round_bye=row.first_round_bye,
            seed=seed,
            avoid_group=(row.group or "")[:40],
        )

    def _round(self, number: int, round_: DocumentRound) -> dict[str, Any]:
        is_over = not any(entry.is_open for entry in round_)
        return fill_shape(
            ROUND,
            number=number,
            state=CLOSED if is_over else RUNNING,
            pairings=[self._entry(entry) for entry in round_],
        )

    def _entry(self, entry: DocumentTable | DocumentBye) -> dict[str, Any]:
        if isinstance(entry, DocumentBye):
            points = self.rule.bye_points if entry.points is None else entry.points
            return fill_shape(PAIRING, bye=self.numbers[entry.player], points=points)
        match = self._duel(entry) if self.rule.has_roles else self._pod(entry)
        return fill_shape(PAIRING, table=entry.number, match=match)

    def _duel(self, table: DocumentTable) -> dict[str, Any]:
        first, second = (FileSeat(seat.id, seat.points, role=seat.role) for seat in table.seats)
        ids = (self.numbers[first.id], self.numbers[second.id])
        return match_of_table(FileTable(table.number, (first, second)), ids, self.rule)

    def _pod(self, table: DocumentTable) -> dict[str, Any]:
        seats = [
            {"id": self.numbers[seat.id], "points": seat.points, "typed": seat.points}
            for seat in table.seats
        ]
        playing = [fill_shape(GAME_SEAT, id=seat["id"]) for seat in seats]
        games = [fill_shape(GAME, number=1, seats=playing)]
        state = "open" if table.is_open else "decided"
        return fill_shape(MATCH, seats=seats, games=games, state=state)


# Check that the cut of a document is possible in its bracket.


SEATS_AT_CUT_TABLE = 2
DRAFT_STATE = "draft"


def check_cut(node: DocumentNode, stage: Any) -> None:
    """Raise DocumentRefused for gaps in the seeds and for impossible tables.

    The games of an imported cut are not checked against a bracket.
    """
    seeds = _players_by_seed(node.under("entries"), stage["entries"])
    tables, published = [], []
    for at, round_ in nodes_with_values(node.under("rounds"), stage["rounds"]):
        pairings = [*nodes_with_values(at.under("pairings"), round_["pairings"])]
        tables += pairings
        published += pairings if round_["state"] != DRAFT_STATE else []
    known = frozenset(seeds)
    for at, pairing in tables:
        _check_cut_table(at, pairing, known)
    played: set[int] = set()
    for at, pairing in published:
        if pairing["bracket_game"] in played:
            raise at.under("bracket_game").refusal("This game was already played. Renumber it.")
        played.add(pairing["bracket_game"])
    if stage["system"] != IMPORTED_CUT:
        if len(seeds) > MAX_CUT_SIZE:
            raise node.under("entries").refusal(
                f"A cut has at most {MAX_CUT_SIZE} players, not {len(seeds)}."
            )
        bracket = bracket_for(stage["system"], len(seeds), fixed=stage["fixed_bracket"])
        games = bracket.by_number
        for at, pairing in tables:
            if pairing["bracket_game"] not in games:
                raise at.under("bracket_game").refusal(
                    f"The games of this bracket are 1 to {len(games)}. Correct the number."
                )
        _check_bracket(node.under("rounds"), bracket, seeds, published)


def _players_by_seed(node: DocumentNode, entries: list[Any]) -> list[int]:
    """Return the players, best seed first."""
    taken = sorted((entry["seed"], entry["player"]) for entry in entries if not entry["declined"])
    if len(taken) < MIN_CUT_SIZE:
        raise node.refusal(f"A cut has at least {MIN_CUT_SIZE} players, not {len(taken)}.")
    if [seed for seed, _ in taken] != list(range(1, len(taken) + 1)):
        raise node.refusal("The seeds of a cut are 1, 2, 3 and so on. Add the missing ones.")
    return [player for _, player in taken]


def _check_cut_table(node: DocumentNode, pairing: Any, seeds: Collection[int]) -> None:
    if pairing["match"] is None:
        raise node.under("bye").refusal("A round of a cut has no byes. Remove this bye.")
    if pairing["bracket_game"] is None:
        raise node.under("bracket_game").refusal(
            "A table of a cut needs its bracket game. Add the number."
        )
    seats = node.under("match").under("seats")
    for at, seat in nodes_with_values(seats, pairing["match"]["seats"]):
        refuse_unknown_player(at.under("id"), seat["id"], seeds)
    if len(pairing["match"]["seats"]) != SEATS_AT_CUT_TABLE:
        raise seats.refusal("A table of a cut has two seats.")


def _check_bracket(
    node: DocumentNode,
    bracket: Bracket,
    seeds: list[int],
    published: list[tuple[DocumentNode, Any]],
) -> None:
    won = [(pairing["bracket_game"], _advancing_player(pairing)) for _, pairing in published]
    results = [GameWon(game, winner) for game, winner in won if winner is not None]
    try:
        # The seed affects only sides, not the pairings.
        states = play_bracket(bracket, seeds, results, seed=0).states
    except BracketRefused as refusal:
        raise node.refusal(f"{refusal}") from refusal
    for at, pairing in published:
        state = states[pairing["bracket_game"]]
        seated = {seat["id"] for seat in pairing["match"]["seats"]}
        if not state.is_needed or seated != {*state.players}:
            raise at.under("bracket_game").refusal(
                "The earlier results do not lead to this game with these players. Correct it."
            )


def _advancing_player(pairing: Any) -> int | None:
    """Player who advances: more points, or the staff's decision if tied."""
    match = pairing["match"]
    if match["state"] not in SETTLED_STATES:
        return None
    points = {seat["id"]: Fraction(seat["points"]) for seat in match["seats"]}
    best = [player for player, taken in points.items() if taken == max(points.values())]
    winner: int | None = best[0] if len(best) == 1 else pairing["advances"]
    return winner


# Read and validate the event and standings of a Datafort document.


# The event with every key of its shape; players are identified by event number.
EventDocument: TypeAlias = dict[str, Any]

# Top-level keys that repeat "event": they may be missing but must not differ.
REPEATED_KEYS = ("name", "system", "players", "rounds")
TOP_LEVEL_KEYS = (
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
MAX_STANDINGS_LINES = 10_000


def read_event_document(value: Json) -> EventDocument:
    """Read the event of a document. Raises DocumentRefused with the path of the first error."""
    root = DocumentNode(value)
    check_version(root)
    root.object_of(TOP_LEVEL_KEYS)
    event = read_object(root.under("event"), EVENT)
    _check_event(root.under("event"), event)
    _refuse_contradictions(root, event)
    return event


def _refuse_contradictions(root: DocumentNode, event: EventDocument) -> None:
    document = engine_document(event)
    for key in REPEATED_KEYS:
        node = root.under(key)
        if node.is_set() and node.value != document[key]:
            raise node.refusal(f'"{key}" differs from "event". Remove it, or correct one of them.')


def _check_event(node: DocumentNode, event: EventDocument) -> None:
    settings = event["settings"]
    if GAMES[settings["game"]].has_decks:
        rules = node.under("settings").under("deck_rules")
        refuse_deck_rules(rules, settings["game"], settings["deck_rules"])
    players = _check_players(node.under("players"), event)
    _check_stages(node.under("stages"), event["stages"])
    seen_rounds: set[int] = set()
    for inner, stage in zip(node.under("stages").items(), event["stages"], strict=True):
        _check_stage(inner, stage, players, event)
        for at, round_ in nodes_with_values(inner.under("rounds"), stage["rounds"]):
            if round_["number"] in seen_rounds:
                raise at.under("number").refusal("This round is listed twice. Renumber the rounds.")
            seen_rounds.add(round_["number"])
    _check_private(node.under("private"), event["private"], players)


def _check_stages(node: DocumentNode, stages: list[Any]) -> None:
    _refuse_duplicates(node, [stage["number"] for stage in stages], "number")
    first = next((stage for stage in stages if stage["number"] == 1), None)
    if first is None or STORED_SYSTEMS[first["system"]].is_elimination:
        raise node.refusal("An event needs a stage 1 that is not a cut. Add it.")


def _check_players(node: DocumentNode, event: EventDocument) -> set[int]:
    known: set[int] = set()
    for inner, player in nodes_with_values(node, event["players"]):
        if player["id"] in known:
            raise inner.under("id").refusal("This player is listed twice. Remove one.")
        if player["id"] > MAX_SMALL:
            raise inner.under("id").refusal(f"Players are numbered up to {MAX_SMALL}.")
        if problems := [*names.name_problems(player["name"])]:
            raise inner.under("name").refusal(" ".join(map(str, problems)))
        if problems := [*names.pronoun_problems(player["pronouns"])]:
            raise inner.under("pronouns").refusal(" ".join(map(str, problems)))
        player["name"] = clean(player["name"])
        _refuse_duplicates(
            inner.under("identities"), [identity["side"] for identity in player["identities"]]
        )
        known.add(player["id"])
    return known


def _refuse_duplicates(node: DocumentNode, values: Iterable[Any], key: str = "") -> None:
    seen: set[Any] = set()
    for place, value in enumerate(values):
        if value in seen and value is not None:
            at = list(node.items())[place]
            raise (at.under(key) if key else at).refusal("Duplicate entry. Remove one.")
        seen.add(value)


def _check_stage(
    node: DocumentNode, stage: Any, players: Collection[int], event: EventDocument
) -> None:
    rule = scoring_rule(stage["scoring_rule"])
    if not GAMES[event["settings"]["game"]].is_scored_by(rule.id):
        raise node.under("scoring_rule").refusal("This scoring rule belongs to another game.")
    entries = node.under("entries")
    for inner, entry in nodes_with_values(entries, stage["entries"]):
        refuse_unknown_player(inner.under("player"), entry["player"], players)
        if entry["declined"] is (entry["seed"] is not None):
            raise inner.refusal("A cut entry must either have a seed or be declined.")
    _refuse_duplicates(entries, [entry["player"] for entry in stage["entries"]], "player")
    _refuse_duplicates(entries, [entry["seed"] for entry in stage["entries"]], "seed")
    for inner, round_ in nodes_with_values(node.under("rounds"), stage["rounds"]):
        _check_round(inner.under("pairings"), round_["pairings"], players)
        for at, pairing in nodes_with_values(inner.under("pairings"), round_["pairings"]):
            if pairing["match"]:
                _check_seats(at.under("match"), pairing["match"], rule)
    if STORED_SYSTEMS[stage["system"]].is_elimination:
        check_cut(node, stage)


def _check_seats(node: DocumentNode, match: Any, rule: Any) -> None:
    seats = len(match["seats"])
    if not rule.min_seats <= seats <= rule.max_seats:
        raise node.under("seats").refusal(f"A table of this scoring has no {seats} seats.")
    numbers = [game["number"] for game in match["games"]]
    if sorted(numbers) != list(range(1, rule.games_per_match + 1)):
        raise node.under("games").refusal(
            f"A match has {rule.games_per_match} games, each once. Add the missing ones."
        )
    for at, game in nodes_with_values(node.under("games"), match["games"]):
        _check_roles(at, game, rule)
    is_settled = match["state"] in SETTLED_STATES
    lacks_points = any(seat["points"] is None for seat in match["seats"])
    if is_settled is lacks_points:
        raise node.under("seats").refusal(
            "A table with a result needs points at every seat. A table without a result has none."
        )


def _check_roles(node: DocumentNode, game: Any, rule: Any) -> None:
    if game["winner"] is not None and not game["end"]:
        raise node.under("end").refusal('A game with a winner needs an end, at least "not_told".')
    roles = sorted(seat["role"] for seat in game["seats"])
    if rule.has_one_game and not any(roles) and not game["end"]:
        return
    if roles != (["corp", "runner"] if rule.has_roles else [""] * len(roles)):
        raise node.under("seats").refusal(
            "One seat must be Corp and the other Runner."
            if rule.has_roles
            else "This game has no sides."
        )


def _check_round(node: DocumentNode, pairings: list[Any], players: Collection[int]) -> None:
    seated: set[int] = set()
    for inner, pairing in nodes_with_values(node, pairings):
        _check_pairing(inner, pairing)
        for at, player in _check_seated_players(inner, pairing):
            refuse_unknown_player(at, player, players)
            if player in seated:
                raise at.refusal("This player is in this round twice. Remove one of them.")
            seated.add(player)
        if pairing["match"] is not None:
            _check_absences(inner.under("match").under("absences"), pairing["match"], players)
        if pairing["advances"] is not None:
            refuse_unknown_player(inner.under("advances"), pairing["advances"], seated)
    _refuse_duplicates(node, [pairing["table"] for pairing in pairings], "table")
    _refuse_duplicates(node, [pairing["bracket_game"] for pairing in pairings], "bracket_game")


def _check_absences(node: DocumentNode, match: Any, players: Collection[int]) -> None:
    for inner, absence in nodes_with_values(node, match["absences"]):
        refuse_unknown_player(inner.under("player"), absence["player"], players)
        if absence["by"] is not None:
            refuse_unknown_player(inner.under("by"), absence["by"], players)
    _refuse_duplicates(node, [absence["player"] for absence in match["absences"]], "player")


def _check_pairing(node: DocumentNode, pairing: Any) -> None:
    if (pairing["match"] is None) is (pairing["bye"] is None):
        raise node.refusal("A pairing must have either a match or a bye.")
    if pairing["bye"] is not None and pairing["points"] is None:
        raise node.under("points").refusal("A bye needs points. Add them.")
    if pairing["match"] is not None and pairing["table"] is None:
        raise node.under("table").refusal("A table has a number. Add it.")
    if pairing["bye"] is not None and pairing["table"] is not None:
        raise node.under("table").refusal("A bye has no table. Remove the number.")
    if pairing["match"] is not None and pairing["points"] is not None:
        raise node.under("points").refusal("The points of a table belong to its seats.")


def _check_seated_players(node: DocumentNode, pairing: Any) -> Iterable[tuple[DocumentNode, int]]:
    if pairing["match"] is None:
        return [(node.under("bye"), pairing["bye"])]
    match, at = pairing["match"], node.under("match")
    seated = {seat["id"] for seat in match["seats"]}
    for inner, game in nodes_with_values(at.under("games"), match["games"]):
        for place, seat in nodes_with_values(inner.under("seats"), game["seats"]):
            refuse_unknown_player(place.under("id"), seat["id"], seated)
        _refuse_duplicates(inner.under("seats"), [seat["id"] for seat in game["seats"]], "id")
        if len(game["seats"]) != len(seated):
            raise inner.under("seats").refusal("Each game must list all players of the table.")
        if game["winner"] is not None:
            refuse_unknown_player(inner.under("winner"), game["winner"], seated)
    if sum(report["state"] == "proposed" for report in match["reports"]) > 1:
        raise at.under("reports").refusal("A table has at most one open report.")
    for kind, key in (("reports", "by"), ("calls", "player")):
        for inner, row in nodes_with_values(at.under(kind), match[kind]):
            if row[key] is not None:
                refuse_unknown_player(inner.under(key), row[key], seated)
    _check_calls(at.under("calls"), match["calls"])
    return [(at.under("seats"), seat["id"]) for seat in match["seats"]]


def _check_calls(node: DocumentNode, calls: list[Any]) -> None:
    for place, (inner, call) in enumerate(nodes_with_values(node, calls)):
        if call["answered_at"] and call["withdrawn_at"]:
            raise inner.refusal("A call is answered or withdrawn, not both.")
        if call["appeals"] is not None and call["appeals"] >= place:
            raise inner.under("appeals").refusal("An appeal names an earlier call of the table.")
    if sum(not call["answered_at"] and not call["withdrawn_at"] for call in calls) > 1:
        raise node.refusal("A table has one open call at a time.")
    _refuse_duplicates(node, [call["appeals"] for call in calls], "appeals")


def _check_private(node: DocumentNode, private: Any, players: Collection[int]) -> None:
    if private is None:
        return
    for key in ("decks", "penalties"):
        for inner, row in nodes_with_values(node.under(key), private[key]):
            refuse_unknown_player(inner.under("player"), row["player"], players)
    _refuse_duplicates(
        node.under("decks"), [(deck["player"], deck["side"]) for deck in private["decks"]]
    )
    _refuse_duplicates(
        node.under("staff"), [staff["username"] for staff in private["staff"]], "username"
    )
    if sum(staff["role"] == "owner" for staff in private["staff"]) > 1:
        raise node.under("staff").refusal("An event has one owner.")
    _refuse_duplicates(node.under("guide"), [change["code"] for change in private["guide"]], "code")
    _check_log(node.under("log"), private["log"], players)
    _check_deck_checks(node.under("deck_checks"), private)
    for inner, deck in nodes_with_values(node.under("decks"), private["decks"]):
        if bool(deck["locked_at"]) is not bool(deck["locked_by"]):
            raise inner.under("locked_by").refusal(
                "A locked deck needs both locked_at and locked_by."
            )
    for inner, penalty in nodes_with_values(node.under("penalties"), private["penalties"]):
        if penalty["game"] is not None and penalty["kind"] != "game_loss":
            raise inner.under("game").refusal("Only a game loss can name a game.")


def _check_deck_checks(node: DocumentNode, private: Any) -> None:
    decks = {(deck["player"], deck["side"]) for deck in private["decks"]}
    for at, draw in nodes_with_values(node, private["deck_checks"]):
        for inner, check in nodes_with_values(at.under("checks"), draw["checks"]):
            if (check["player"], check["side"]) not in decks:
                raise inner.under("player").refusal("This deck is not under decks. Add it there.")
            if bool(check["outcome"]) is not bool(check["checked_at"]):
                raise inner.under("outcome").refusal(
                    "A check has either both an outcome and a time, or neither."
                )
        checked = [(check["player"], check["side"]) for check in draw["checks"]]
        _refuse_duplicates(at.under("checks"), checked)
    _refuse_duplicates(node, [draw["number"] for draw in private["deck_checks"]], "number")


def _check_log(node: DocumentNode, entries: list[Any], players: Collection[int]) -> None:
    for inner, entry in nodes_with_values(node, entries):
        for key in ("player", "about"):
            if entry[key] is not None:
                refuse_unknown_player(inner.under(key), entry[key], players)


def read_stated_standings(value: Json) -> list[dict[str, Any]]:
    """Read the standings with numbers as printed. Raises DocumentRefused for invalid lines."""
    node = DocumentNode(value, DocumentNode({"standings": value}), "standings")
    return [_stated_line(inner) for inner in node.items(most=MAX_STANDINGS_LINES)]


def _stated_line(node: DocumentNode) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise node.refusal(f"Expected an object, not {node.shown()}.")
    node.under("id").player_id()
    return {key: _stated_figure(node.under(key)) for key in node.value}


def _stated_figure(node: DocumentNode) -> Any:
    if isinstance(node.value, dict | list | bool):
        raise node.refusal(f"Expected a number, not {node.shown()}.")
    if isinstance(node.value, str):
        return text(MAX_LETTERS)(node)
    return finite_number(node) if isinstance(node.value, Decimal) else node.value
