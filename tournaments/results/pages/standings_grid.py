"""The grid of the standings: record, points per side and every round of each player.

After a closed round it uses the stored ranks. While a round is played it is live: ranks and
tie-breakers are computed from the results so far, and are not stored.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from django.core.cache import caches
from django.db.models import Q

from matches.models import SETTLED, Seat
from matches.scoring import Points, Role, ScoringRule, exact, scoring_rule
from tournaments.clinch.pages import BesideStandings, beside_standings
from tournaments.event import queries
from tournaments.event.queries.standings import Closed, ClosedBye, ClosedTable
from tournaments.event.snapshots import standings_so_far
from tournaments.models import Pairing, Registration, Round, Standing, Tournament
from tournaments.results.pages.standings import StandingLine, standing_lines

KEPT_SECONDS = 60


class Outcome(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    POD = "pod"
    PLAYING = "playing"
    BYE = "bye"
    # Before the player joined.
    MISSED = "missed"
    ABSENT = "absent"


OF_MATCHES = Outcome.WON, Outcome.DRAWN, Outcome.LOST
SIGNS = {Outcome.WON: "W", Outcome.DRAWN: "D", Outcome.LOST: "L"}


class Cell(NamedTuple):
    """A round of a player.

    Against a single opponent it has the opponent's rank and the player's side.
    """

    round: int
    outcome: Outcome
    points: Points | None = None
    place: int | None = None
    side: str = ""

    @property
    def sign(self) -> str:
        return SIGNS.get(self.outcome, "")


class GridLine(NamedTuple):
    """A line of the standings; `moved` is the number of places gained since the previous round.

    `mark` is "in", "out" or a place that is certain already. `record` counts matches won, drawn and
    lost; it and the points by side are None in pods.
    """

    standing: StandingLine
    moved: int | None
    record: tuple[int, int, int] | None
    corp: Points | None
    runner: Points | None
    cells: tuple[Cell, ...]
    mark: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.standing.numbers

    @property
    def places_moved(self) -> int:
        return abs(self.moved or 0)


@dataclass(frozen=True)
class StandingsGrid:
    """Standings after round `after`; `live` while it is still played.

    `stored` is the newest round with stored standings, None before the first. `open_tables` are the
    unfinished tables of a live round.
    """

    after: int
    stored: int | None
    headings: tuple[tuple[str, str], ...]
    rounds: tuple[int, ...]
    has_sides: bool
    lines: tuple[GridLine, ...]
    live: bool = False
    open_tables: int = 0
    # Text of the link to clinch scenarios or chances; often empty.
    leads_to: str = ""

    @property
    def on_paper(self) -> int | None:
        """The round whose standings are printed; live standings are not printed."""
        return self.stored if self.live else self.after

    @property
    def mine(self) -> GridLine | None:
        return next((line for line in self.lines if line.standing.is_me), None)

    def seen_by(self, number: int) -> "StandingsGrid":
        """Return a copy in which the line of the reader with this number is marked."""
        lines = (
            line._replace(standing=line.standing._replace(is_me=True))
            if line.standing.number == number
            else line
            for line in self.lines
        )
        return replace(self, lines=tuple(lines))


def standings_grid(
    tournament: Tournament, visible: Iterable[Round], after: int | None = None
) -> StandingsGrid | None:
    """Return the standings after this round, by default live or the newest; None if there are none.

    The grid does not depend on the reader, so it is cached for each version of the event. `visible`
    are the public rounds with their stages.
    """
    key = f"grid:{tournament.pk}:{after}"
    kept: tuple[int, StandingsGrid] | None = caches["pages"].get(key)
    if kept is not None and kept[0] >= tournament.version:
        return kept[1]
    grid = _made(tournament, visible, after)
    if grid is not None:
        if after is None:
            grid = _marked(grid, beside_standings(tournament, grid.after))
        caches["pages"].set(key, (tournament.version, grid), KEPT_SECONDS)
    return grid


def leading_lines(
    tournament: Tournament, visible: Iterable[Round], most: int
) -> StandingsGrid | None:
    """Return only the best lines of the newest standings, without marks; None if there are none.

    After a closed round it reads only these players' tables, and leaves out the ranks of their
    opponents.
    """
    key = f"leading:{tournament.pk}:{most}"
    kept: tuple[int, StandingsGrid] | None = caches["pages"].get(key)
    if kept is not None and kept[0] >= tournament.version:
        return kept[1]
    grid = _made(tournament, visible, None, most)
    if grid is not None:
        caches["pages"].set(key, (tournament.version, grid), KEPT_SECONDS)
    return grid


def _marked(grid: StandingsGrid, beside: BesideStandings) -> StandingsGrid:
    lines = (line._replace(mark=beside.marks.get(line.standing.number, "")) for line in grid.lines)
    return replace(grid, lines=tuple(lines), leads_to=beside.leads_to)


def _made(
    tournament: Tournament, visible: Iterable[Round], after: int | None, most: int | None = None
) -> StandingsGrid | None:
    """Build the grid in a constant number of queries; `most` limits the number of lines."""
    counted = [round_ for round_ in visible if not round_.stage.way.is_elimination]
    now = next((round_.number for round_ in counted if not round_.is_closed), None)
    snapshots = queries.snapshots_in_force(tournament)
    newest = max(snapshots, default=None)
    is_asked = after is not None
    if is_asked and after not in snapshots:
        return None
    last = after if is_asked else newest
    entries = _entries(tournament)
    if most is not None and not _has_results([one for one in counted if one.number == now]):
        if newest is None:
            return None
        rows, before = _stored(snapshots, entries, newest)
        best = rows[:most]
        tables = _tables(counted, entries, newest, [row.registration for row in best])
        return _grid(tournament, newest, newest, best, tables, before)
    tables = _tables(counted, entries, last if is_asked or now is None else now)
    at_table = [one for one in tables if isinstance(one, ClosedTable) and one.round == now]
    if not is_asked and any(one.is_settled for one in at_table):
        assert now is not None
        rows = standings_so_far(tournament, tables, entries)
        before = _ranks(snapshots, now - 1)
        grid = _grid(tournament, now, newest, rows[:most], tables, before)
        return replace(grid, live=True, open_tables=sum(not one.is_settled for one in at_table))
    if last is None or last not in snapshots:
        return None
    rows, before = _stored(snapshots, entries, last)
    played = [one for one in tables if one.round <= last]
    return _grid(tournament, last, newest, rows, played, before)


def _entries(tournament: Tournament) -> dict[int, Registration]:
    entries = tournament.registrations.select_related("player").order_by("number")
    return {entry.number: entry for entry in entries}


def _has_results(rounds: Sequence[Round]) -> bool:
    return Pairing.objects.filter(round__in=rounds, match__state__in=SETTLED).exists()


def _tables(
    counted: Sequence[Round],
    entries: Mapping[int, Registration],
    last: int | None,
    players: Sequence[Registration] | None = None,
) -> list[Closed]:
    """Return results in these rounds up to number `last`; `players` None means all players."""
    numbers = {entry.player_id: entry.number for entry in entries.values()}
    keys = [round_.pk for round_ in counted if last is None or round_.number <= last]
    pairings = queries.swiss_pairings(Round.objects.filter(pk__in=keys))
    if players is not None:
        seats = Seat.objects.filter(player__in=[one.player_id for one in players]).order_by()
        pairings = pairings.filter(Q(bye__in=players) | Q(match__in=seats.values("match")))
    return queries.tables_of(pairings, numbers)


def _stored(
    snapshots: Mapping[int, int], entries: Mapping[int, Registration], last: int
) -> tuple[list[Standing], dict[int, int]]:
    """Return the stored lines after a round, best first, and the ranks stored before it."""
    earlier = max((number for number in snapshots if number < last), default=None)
    now, before = snapshots[last], snapshots[earlier] if earlier is not None else None
    by_key = {entry.pk: entry for entry in entries.values()}
    rows, ranks = [], {}
    for row in Standing.objects.filter(snapshot__in=[now, before]).order_by("rank"):
        row.registration = by_key[row.registration_id]
        if row.snapshot_id == now:
            rows.append(row)
        else:
            ranks[row.registration.number] = row.rank
    return rows, ranks


def _ranks(snapshots: Mapping[int, int], last: int) -> dict[int, int]:
    """Return ranks by number, after the newest stored round up to this one."""
    earlier = max((number for number in snapshots if number <= last), default=None)
    if earlier is None:
        return {}
    rows = Standing.objects.filter(snapshot=snapshots[earlier])
    return dict(rows.values_list("registration__number", "rank"))


def _grid(
    tournament: Tournament,
    after: int,
    stored: int | None,
    rows: Sequence[Standing],
    tables: Sequence[Closed],
    before: Mapping[int, int],
) -> StandingsGrid:
    rule = scoring_rule(tournament.scoring_rule)
    headings, lines = standing_lines(tournament, rows)
    rounds = tuple(sorted({one.round for one in tables}))
    joined = {row.registration.number: row.registration.joined_in_round for row in rows}
    played = _Played(rule, {line.number: line for line in lines}, joined)
    for one in tables:
        played.add(one)
    return StandingsGrid(
        after=after,
        stored=stored,
        headings=headings,
        rounds=rounds,
        has_sides=rule.has_roles,
        lines=tuple(played.line(line, rounds, before.get(line.number)) for line in lines),
    )


class _Played:
    """Cells and points by side of each player, by number in the event."""

    def __init__(
        self,
        rule: ScoringRule,
        lines: Mapping[int, StandingLine],
        joined: Mapping[int, int],
    ) -> None:
        self.rule, self.lines, self.joined = rule, lines, joined
        self.cells: dict[int, dict[int, Cell]] = defaultdict(dict)
        self.sides: dict[int, dict[Role, Points]] = defaultdict(dict)

    def add(self, one: Closed) -> None:
        if isinstance(one, ClosedBye):
            self.cells[one.player][one.round] = self._bye(one)
            return
        for player, cell in self._table(one):
            self.cells[player][one.round] = cell
        if one.is_settled and one.result.games:
            self._add_sides(one)

    def _bye(self, one: ClosedBye) -> Cell:
        # A late entry has byes for rounds before the player joined.
        has_missed = one.round < self.joined.get(one.player, 1)
        return Cell(one.round, Outcome.MISSED if has_missed else Outcome.BYE, one.points)

    def _table(self, one: ClosedTable) -> Iterator[tuple[int, Cell]]:
        roles = one.roles
        for player, points in one.points.items():
            others = [other for other in one.points if other != player]
            outcome = _outcome(one, points, [one.points[other] for other in others])
            cell = Cell(one.round, outcome, points if one.is_settled else None)
            against = self.lines.get(others[0]) if len(others) == 1 else None
            if against is not None:
                role = roles[player]
                side = role.label if role else ""
                cell = cell._replace(place=against.rank, side=side)
            yield player, cell

    def _add_sides(self, one: ClosedTable) -> None:
        shares = self.rule.shares(one.result)
        for position, player in enumerate(one.points, start=1):
            roles = {game.number: game.role(position) for game in one.result.games}
            mine = self.sides[player]
            for share in shares.get(position, ()):
                if share.game in roles:
                    role = roles[share.game]
                    mine[role] = mine.get(role, 0) + share.points

    def line(self, line: StandingLine, rounds: Sequence[int], before: int | None) -> GridLine:
        mine, sides = self.cells[line.number], self.sides[line.number]
        cells = tuple(mine.get(number, Cell(number, Outcome.ABSENT)) for number in rounds)
        counted = [cell.outcome for cell in cells]
        has_sides = self.rule.has_roles
        won, drawn, lost = (counted.count(outcome) for outcome in OF_MATCHES)
        return GridLine(
            standing=line,
            moved=None if before is None else before - line.rank,
            record=(won, drawn, lost) if has_sides else None,
            corp=exact(sides.get(Role.CORP, 0)) if has_sides else None,
            runner=exact(sides.get(Role.RUNNER, 0)) if has_sides else None,
            cells=cells,
        )


def _outcome(one: ClosedTable, mine: Points | None, others: Sequence[Points | None]) -> Outcome:
    if not one.is_settled:
        return Outcome.PLAYING
    if one.in_pods or len(others) != 1:
        return Outcome.POD
    own, theirs = mine or 0, others[0] or 0
    if own == theirs:
        return Outcome.DRAWN
    return Outcome.WON if own > theirs else Outcome.LOST
