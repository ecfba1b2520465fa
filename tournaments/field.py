"""From tables to records: what the pairing and the standings are made from.

Players go by their number in the event, so the same event gives the same
answers on any database.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import cast

from engine.pairing import Entrant, Meeting, PastSeat
from engine.standings import Bye, Played, PlayerId, Record
from engine.standings.records import RoundRecord
from matches.scoring import MatchResult, Role, ScoringRule, exact, scoring_rule
from tournaments import queries
from tournaments.models import Registration, Round, Tournament
from tournaments.queries import Closed, ClosedBye, ClosedGame, ClosedTable


@dataclass(frozen=True)
class History:
    """What closed rounds made of each player, by number in the event."""

    rounds: int
    entries: dict[int, dict[int, Played | Bye]] = field(default_factory=dict)
    meetings: dict[int, list[Meeting]] = field(default_factory=dict)
    seats: dict[int, list[PastSeat]] = field(default_factory=dict)
    rounds_met: dict[frozenset[PlayerId], list[int]] = field(default_factory=dict)

    def up_to(self, number: int) -> "History":
        """What was known after that round, for the standings."""
        entries = {
            player: {place: entry for place, entry in mine.items() if place <= number}
            for player, mine in self.entries.items()
            if any(place <= number for place in mine)
        }
        return replace(self, rounds=min(self.rounds, number), entries=entries)

    def record(self, registration: Registration) -> Record:
        """The player's closed rounds as the standings want them."""
        mine = self.entries.get(registration.number, {})
        rounds: tuple[RoundRecord, ...] = tuple(
            mine.get(place) for place in range(1, self.rounds + 1)
        )
        return Record(id=registration.number, rounds=rounds, manual_seed=registration.seed)

    def entrant(self, registration: Registration, point_unit: int = 1) -> Entrant:
        """The player as the pairing engine wants them: points in parts, `point_unit` to a point."""
        record = self.record(registration)
        return Entrant(
            id=registration.number,
            # Whole in parts, as the engine reads it; a page that asks for points gets the share.
            match_points=cast("int", exact(record.match_points * point_unit)),
            byes=record.byes,
            opponents=tuple(self.meetings.get(registration.number, ())),
            first_round_bye=registration.first_round_bye,
            seed=registration.seed,
            avoid_group=registration.avoid_group or None,
            seats=tuple(self.seats.get(registration.number, ())),
        )


def history(tournament: Tournament, up_to: Round | None = None) -> History:
    """What the closed rounds say, up to one of them; a constant number of queries."""
    return history_of(queries.closed_tables(tournament, up_to))


def history_of(played: Iterable[Closed]) -> History:
    """What these tables and byes say, which come in the order of their rounds."""
    entries: dict[int, dict[int, Played | Bye]] = defaultdict(dict)
    meetings: dict[int, list[Meeting]] = defaultdict(list)
    rounds_met: dict[frozenset[PlayerId], list[int]] = defaultdict(list)
    last, tables = 0, []
    for closed in played:
        last = max(last, closed.round)
        if isinstance(closed, ClosedBye):
            entries[closed.player][closed.round] = Bye(closed.points)
            continue
        tables.append(closed)
        _add_table(closed, entries, meetings)
        for pair in combinations(closed.points, 2):
            rounds_met[frozenset(pair)].append(closed.round)
    return History(last, entries, meetings, _past_seats(tables), rounds_met)


def _past_seats(tables: Iterable[ClosedTable]) -> dict[int, list[PastSeat]]:
    """Where each player sat in the rounds that were played in pods, by number."""
    pods = [table for table in tables if table.in_pods]
    largest: dict[int, int] = defaultdict(int)
    for pod in pods:
        largest[pod.round] = max(largest[pod.round], len(pod.points))
    seats: dict[int, list[PastSeat]] = defaultdict(list)
    for pod in pods:
        for place, player in enumerate(pod.points, start=1):
            seats[player].append(PastSeat(place, len(pod.points), largest[pod.round]))
    return seats


def _add_table(
    table: ClosedTable,
    entries: dict[int, dict[int, Played | Bye]],
    meetings: dict[int, list[Meeting]],
) -> None:
    # With two for one, game 1 counts as both.
    times = 2 if table.is_two_for_one else 1
    won = times * [game.winner for game in table.games]
    # Told from the game, not the seat: players do sit down the other way round.
    first_roles = table.games[0].roles
    for player, points in table.points.items():
        others = tuple(other for other in table.points if other != player)
        # A table of a round that was closed by force: they met, and it counts nowhere yet.
        if table.is_settled:
            entries[player][table.round] = Played(
                opponents=others,
                points=points or 0,
                games_won=won.count(player),
                agenda_points=_agenda_points(player, table.games),
            )
        meetings[player].extend(
            Meeting(other, first_roles[player], table.round) for other in others
        )


def _agenda_points(player: int, games: Iterable[ClosedGame]) -> tuple[int, int] | None:
    """Own agenda points and the other one's, over the games where both sides' are known."""
    own = others = known = 0
    for game in games:
        mine = game.agenda_points.get(player)
        across = [theirs for other, theirs in game.agenda_points.items() if other != player]
        theirs = across[0] if len(across) == 1 else None
        if mine is not None and theirs is not None:
            own, others, known = own + mine, others + theirs, known + 1
    return (own, others) if known else None


def with_result(
    past: History, number: int, rule: ScoringRule, result: MatchResult, players: Mapping[int, int]
) -> History:
    """The same past, had the table of these players ended so in the round with this number.

    `players` are their numbers in the event by position. Reads and changes no table.
    """
    told = played(rule, result, players)
    entries = {
        player: {**past.entries.get(player, {}), number: entry} for player, entry in told.items()
    }
    return replace(past, entries={**past.entries, **entries})


def played(rule: ScoringRule, result: MatchResult, players: Mapping[int, int]) -> dict[int, Played]:
    """What a result is to the standings, by player; as `history` reads it once it is settled."""
    points = rule.match_points(result)
    times = 2 if result.is_two_for_one else 1
    won = times * [game.position(game.winner) for game in result.games if game.winner]
    return {
        player: Played(
            opponents=tuple(other for other in players.values() if other != player),
            points=points[position],
            games_won=won.count(position),
            agenda_points=_told_agenda_points(result, position),
        )
        for position, player in players.items()
    }


def _told_agenda_points(result: MatchResult, position: int) -> tuple[int, int] | None:
    own = others = known = 0
    for game in result.games:
        role = Role.CORP if game.corp == position else Role.RUNNER
        mine, theirs = game.agenda_points(role), game.agenda_points(role.other)
        if mine is not None and theirs is not None:
            own, others, known = own + mine, others + theirs, known + 1
    return (own, others) if known else None


def entrants(tournament: Tournament, registrations: Iterable[Registration]) -> list[Entrant]:
    """The field of the next round; its points are in parts, see `point_unit`."""
    past, unit = history(tournament), point_unit(tournament)
    return [past.entrant(registration, unit) for registration in registrations]


def point_unit(tournament: Tournament) -> int:
    """How many parts the engine counts as one point: more than one where places are shared."""
    return scoring_rule(tournament.scoring_rule).point_unit


def records(tournament: Tournament, up_to: Round | None = None) -> list[Record]:
    """Everybody who is or was in the event, for the standings after a round.

    A player who never sat down and is not checked in is no part of the field,
    nor is one who came after that round: standings read again stay the same.
    """
    past = history(tournament, up_to)
    return records_of(tournament, past, up_to.number if up_to else past.rounds)


def records_of(tournament: Tournament, past: History, last: int) -> list[Record]:
    """As `records`, from a past that is known, up to the round with the number `last`."""
    return records_among(tournament.registrations.order_by("number"), past, last)


def records_among(field: Iterable[Registration], past: History, last: int) -> list[Record]:
    """As `records_of`, of these."""
    return [
        past.record(registration)
        for registration in field
        if registration.number in past.entries
        or (registration.is_active and registration.joined_in_round <= last)
    ]
