"""Open results with the next table of each player, as far as it is known."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches import queries as match_queries
from matches.scoring import Role, scoring_rule
from tournaments.event import queries
from tournaments.models import Pairing, Round, Tournament
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.schedule import Encounter, schedule_of
from tournaments.rounds import elimination
from tournaments.rounds.pages.tables import (
    FACTIONS,
    NameLine,
    SeatLine,
    TableLine,
    name_lines,
    table_line,
    table_lines,
)


@dataclass(frozen=True)
class NextTable:
    """The next table of a player; `table` is None without a number. A bye has no opponents."""

    round_number: int
    table: int | None
    role: Role | None
    opponents: tuple[str, ...]
    is_draft: bool


@dataclass(frozen=True)
class OpenTable:
    """A table without a settled result; `leads_to` explains its consequences in a cut."""

    round_number: int
    table: int | None
    seats: tuple[tuple[SeatLine, NextTable | None], ...]
    leads_to: tuple[str, ...]

    @property
    def rows(self) -> int:
        return len(self.seats) + bool(self.leads_to)


def open_results(tournament: Tournament, *, with_drafts: bool) -> list[OpenTable]:
    """Return all open tables, oldest round first; a constant number of queries.

    `with_drafts` includes a draft as the next round, for readers who may see it.
    """
    rounds = queries.rounds(tournament) if with_drafts else queries.visible_rounds(tournament)
    latest = rounds.select_related("stage__tournament").last()
    if latest is None:
        return []
    pairings = list(queries.late_tables(tournament).prefetch_related(FACTIONS))
    if latest.is_played:
        pairings += queries.open_tables(latest).prefetch_related(FACTIONS)
    if not pairings:
        return []
    lines = _lines(tournament, pairings)
    # Next tables by number in the event, for tables of earlier rounds.
    newest = name_lines(table_lines(latest))
    following = {line.seat.number: _next(line, latest) for line in newest}
    leads_to = _leads_to(tournament)
    to_come = _round_robin_to_come(latest)
    return [
        OpenTable(
            round_number=pairing.round.number,
            table=line.table,
            seats=tuple(
                (seat, (to_come if pairing.round_id == latest.pk else following).get(seat.number))
                for seat in line.seats
            ),
            leads_to=leads_to.get(pairing.pk, ()),
        )
        for pairing, line in zip(pairings, lines, strict=True)
    ]


def _lines(tournament: Tournament, pairings: Iterable[Pairing]) -> list[TableLine]:
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    has_roles = scoring_rule(tournament.scoring_rule).has_roles
    factions = {} if has_roles else match_queries.factions()
    return [table_line(pairing, numbers, None, factions) for pairing in pairings]


def _next(line: NameLine, round_: Round) -> NextTable:
    return NextTable(
        round_number=round_.number,
        table=line.table.table,
        role=line.seat.role,
        opponents=tuple(other.name for other in line.opponents),
        is_draft=round_.is_draft,
    )


def _leads_to(tournament: Tournament) -> dict[int, tuple[str, ...]]:
    """Return the next games of winner and loser in the cut, by pairing."""
    stage = queries.cut_of_event(tournament)
    if stage is None:
        return {}
    games = bracket_drawing(elimination.cut_of(stage)).games
    return {game.pairing.pk: game.leads_to for game in games if game.pairing is not None}


def _round_robin_to_come(latest: Round) -> dict[int, NextTable]:
    """Return the next round of a round robin, by number in the event; empty for other systems."""
    if not queries.order_is_fixed(latest.stage):
        return {}
    rounds = schedule_of(latest.stage).rounds
    after = [one.encounters for one in rounds if one.number == latest.number + 1]
    return dict(_of_encounters(after[0])) if after else {}


def _of_encounters(encounters: Iterable[Encounter]) -> Iterable[tuple[int, NextTable]]:
    for encounter in encounters:
        for place in encounter.places:
            others = tuple(other.name for other in encounter.places if other is not place)
            yield (
                place.number,
                NextTable(encounter.round_number, encounter.table, None, others, is_draft=False),
            )
