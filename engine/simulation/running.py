"""State of a simulated event: players, incidents and manual changes.

Points follow the scoring rules of the site.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from engine import documents
from engine.documents import Json
from engine.documents.json_text import copied
from engine.documents.records import Player
from engine.simulation.plans import Incidents, Plan
from engine.simulation.tables import play_match, player_names, strength
from engine.standings import PlayerId
from engine.systems import SystemKind
from matches.scoring import Flag, MatchResult, RankRule, ScoringRule, scoring_rule

COMMANDS: Mapping[str, documents.Answering] = {
    "pair": documents.pair,
    "standings": documents.rank,
    "bracket": documents.bracket,
}
MOST_VICTORY_POINTS = 12
# No late entries after this round.
LAST_LATE_ENTRY = 3

FEWEST_ACTIVE = 2
GROUPS = ("north", "south", "x")
# The object and the key of an id.
Place = tuple[Json, str]


@dataclass(frozen=True)
class Answer:
    command: str
    document: Json
    answer: Json


@dataclass(frozen=True)
class SimulatedEvent:
    """A whole event. `notes` has a sentence for each incident."""

    document: Json
    answers: tuple[Answer, ...]
    cut: Json = None
    notes: tuple[str, ...] = ()

    def answers_to(self, command: str) -> list[Json]:
        return [asked.answer for asked in self.answers if asked.command == command]


@dataclass
class Mending:
    """Seats with a wrong result, the correct points, and the round before which it is fixed."""

    seats: list[Json]
    points: list[int]
    before_round: int


@dataclass
class Running:
    plan: Plan
    chance: random.Random
    rule: ScoringRule
    document: Json
    strength: dict[PlayerId, int] = field(default_factory=dict)
    mending: list[Mending] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def begun(cls, plan: Plan) -> "Running":
        return cls(
            plan=plan,
            chance=random.Random(plan.seed),  # noqa: S311 - a draw to be repeated, not a secret
            rule=scoring_rule(plan.scoring_rule),
            document={
                "datafort": 1,
                "system": plan.system,
                "seed": plan.seed,
                "planned_rounds": plan.rounds,
                "point_unit": plan.point_unit,
                "x_scoring": plan.scoring_rule,
                "players": [],
                "rounds": [],
            },
        )

    @property
    def players(self) -> list[Json]:
        players: list[Json] = self.document["players"]
        return players

    def ask(self, command: str, **more: Json) -> Json:
        """Run a command on the current document, with these keys changed."""
        document = {**copied(self.document), **more}
        answer = COMMANDS[command](document)
        self.answers.append(Answer(command, document, answer))
        # A copy, because the organiser edits the draft while the recorded answer must not change.
        return copied(answer)

    def happens(self, incident: str) -> bool:
        often: int = getattr(self.plan.incidents, incident)
        return self.chance.randrange(1000) < often

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


@dataclass(frozen=True)
class Played:
    """The outcome of a table: points by seat, the match if any, and the incident."""

    points: list[int]
    result: MatchResult | None = None
    happened: str = ""


def played(
    rule: ScoringRule, strengths: Sequence[int], plan: Plan, chance: random.Random
) -> Played:
    """Simulate a table of players with these strengths; the first seat is Corp in game 1."""
    happened = _incident(plan.incidents, chance)
    if happened == "double_loss":
        return Played([0] * len(strengths), happened=happened)
    if happened == "no_show":
        points = [rule.bye_points * plan.point_unit, *[0] * (len(strengths) - 1)]
        return Played(points, happened=happened)
    if isinstance(rule, RankRule):
        return _pod(rule, len(strengths), plan.point_unit, chance)
    result = _match(rule, strengths, happened, chance)
    won = rule.match_points(result)
    return Played([int(won[1]), int(won[2])], result, happened if result.flags else "")


def result_body(result: MatchResult) -> Json:
    """Return a match in the form of "x_result"."""
    games = [
        {
            "corp": game.corp,
            "winner": game.winner and game.winner.value,
            "corp_agenda": game.corp_agenda_points,
            "runner_agenda": game.runner_agenda_points,
        }
        for game in result.games
    ]
    flags = sorted(flag.value for flag in result.flags)
    return {"games": games, "flags": flags, "victory_points": list(result.victory_points)}


def _incident(incidents: Incidents, chance: random.Random) -> str:
    for word in ("double_loss", "no_show", "intentional_draw", "two_for_one"):
        if chance.randrange(1000) < getattr(incidents, word):
            return word
    return ""


def _match(
    rule: ScoringRule, strengths: Sequence[int], happened: str, chance: random.Random
) -> MatchResult:
    """Simulate a match; incidents that its rule does not have are ignored."""
    if happened == "intentional_draw" and Flag.INTENTIONAL_DRAW in rule.flags:
        return MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
    games = play_match(strengths[0], strengths[1], chance)[: rule.games_per_match]
    if happened == "two_for_one" and Flag.TWO_FOR_ONE in rule.flags:
        return MatchResult(games=games[:1], flags=frozenset({Flag.TWO_FOR_ONE}))
    return MatchResult(games=games)


def _pod(rule: RankRule, seats: int, unit: int, chance: random.Random) -> Played:
    """Simulate points by rank; repeat if a share is not whole in this unit."""
    while True:
        victory = tuple(chance.randint(0, MOST_VICTORY_POINTS) for _ in range(seats))
        result = MatchResult(victory_points=victory)
        won = rule.match_points(result).values()
        if all((points * unit).denominator == 1 for points in won):
            return Played([int(points * unit) for points in won], result)


def enter_all(running: Running) -> None:
    """Enter the players who are there at the start."""
    for player in running.plan.entries or _drawn_up(running):
        _enter(running, player)


def come_and_go(running: Running, round_number: int) -> None:
    """Let players return, drop and join before a round; at least two stay."""
    # A round robin schedule only has the players of round 1.
    fixed = running.plan.plays_by.kind is SystemKind.ROUND_ROBIN
    there = _in_round_1(running) if fixed else running.players
    for player in there:
        active = sum(other["active"] for other in running.players)
        if not player["active"] and running.happens("return_"):
            player["active"] = True
            running.note(f"Round {round_number}: player {player['id']} returns.")
        elif player["active"] and active > FEWEST_ACTIVE and running.happens("drop"):
            player["active"] = False
            running.note(f"Round {round_number}: player {player['id']} has dropped.")
    if round_number <= LAST_LATE_ENTRY and not fixed and running.happens("late_entry"):
        late = _player(running, _free_number(running))
        _enter(running, late)
        running.note(f"Round {round_number}: player {late.id} joins.")


def _in_round_1(running: Running) -> list[Json]:
    seated = {seat[key] for entry in running.document["rounds"][0] for seat, key in _places(entry)}
    return [player for player in running.players if player["id"] in seated]


def _free_number(running: Running) -> int:
    """Return a number for a late entry that is not yet an id."""
    taken = {player["id"] for player in running.players}
    return next(number for number in count(len(taken) + 1) if _id(running, number) not in taken)


def _drawn_up(running: Running) -> list[Player]:
    return [_player(running, number) for number in range(1, running.plan.players + 1)]


def _player(running: Running, number: int) -> Player:
    plan, chance = running.plan, running.chance
    return Player(
        id=_id(running, number),
        first_round_bye=running.happens("first_round_bye"),
        seed=number if plan.seeded else None,
        group=chance.choice(GROUPS) if plan.grouped else None,
    )


def _id(running: Running, number: int) -> PlayerId:
    if not running.plan.named:
        return number
    # Names are drawn in a fixed sequence, whatever their number.
    names = player_names(number, random.Random(running.plan.seed))  # noqa: S311
    return names[-1]


def _enter(running: Running, player: Player) -> None:
    running.strength[player.id] = strength(running.chance)
    entry: Json = {
        "id": player.id,
        "active": player.active,
        "first_round_bye": player.first_round_bye,
        "seed": player.seed,
        "group": player.group,
    }
    running.players.append(entry)


def by_hand(running: Running, pairings: list[Json]) -> list[Json]:
    """Return the draft after manual changes; a fixed schedule is unchanged."""
    if running.plan.plays_by.kind is SystemKind.ROUND_ROBIN:
        return pairings
    if running.happens("tables_locked"):
        pairings = _paired_anew(running, pairings)
    if running.happens("swap_by_hand"):
        _swap(running, pairings)
    if running.happens("without_roles"):
        _leave_roles_out(running, pairings)
    return pairings


def _paired_anew(running: Running, pairings: list[Json]) -> list[Json]:
    """Lock some entries and pair the rest with another seed."""
    kept = [_bare(entry) for entry in pairings if running.chance.randrange(3) == 0]
    running.note(f"{len(kept)} of {len(pairings)} entries are locked, the rest is paired anew.")
    answer = running.ask("pair", locked=kept, seed=running.chance.randrange(10**6))
    paired: list[Json] = answer["pairings"]
    return paired


def _bare(entry: Json) -> Json:
    if "bye" in entry:
        return {"bye": entry["bye"]}
    return {"table": entry["table"], "seats": [dict(seat) for seat in entry["seats"]]}


def _swap(running: Running, pairings: list[Json]) -> None:
    """Swap two players of different tables; one of them may have the bye."""
    if len(pairings) < 2:
        return
    one, other = (
        running.chance.choice(list(_places(entry))) for entry in running.chance.sample(pairings, 2)
    )
    (first, here), (second, there) = one, other
    first[here], second[there] = second[there], first[here]
    running.note(f"Swapped by hand: {first[here]} and {second[there]}.")


def _places(entry: Json) -> Iterator[Place]:
    if "bye" in entry:
        yield entry, "bye"
    for seat in entry.get("seats", ()):
        yield seat, "id"


def _leave_roles_out(running: Running, pairings: list[Json]) -> None:
    tables = [entry for entry in pairings if "seats" in entry]
    for entry in running.chance.sample(tables, min(2, len(tables))):
        for seat in entry["seats"]:
            seat["role"] = None
        running.note(f"Made by hand without roles: table {entry['table']}.")
