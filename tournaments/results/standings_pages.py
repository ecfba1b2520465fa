"""Standings for pages: ranks, places after a cut, random draws, tie-breakers, and the grid."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from django.core.cache import caches
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _

from core.languages import in_words
from core.numbers import mixed_number
from core.text import ngettext_lazy
from engine.standings.ranking import can_explain_stored, explain_all_players, explain_stored
from engine.standings.records import TieBreakWorking, as_decimal
from engine.standings.tie_breakers import TIE_BREAKERS, TieBreaker
from matches.models import SETTLED_STATES, Seat
from matches.scoring.results import Points, Role, exact
from matches.scoring.rules import ScoringRule, scoring_rule
from players.models import Player
from tournaments.event import engine_input
from tournaments.event.chat_text import PLAIN, TextStyle
from tournaments.event.engine_input import Closed, ClosedBye, ClosedTable
from tournaments.event.pages import chat_messages
from tournaments.event.snapshots import standings_of_tables, tie_breakers_of, visible_tie_breakers
from tournaments.models import (
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Stage,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.outlook.pages import get_standings_marks
from tournaments.rounds.cut import Cut, get_cut


class StandingLine(NamedTuple):
    """A line of the standings; `figures` are (heading, value) of each tie-breaker shown."""

    rank: int
    name: str
    pronouns: str
    number: int
    match_points: Points
    figures: tuple[tuple[str, str], ...]
    has_dropped: bool
    is_me: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number,)


def why_no_standings(tournament: Tournament) -> str:
    first = tournament.rounds.published().first()
    if first is None:
        return _("No round is published yet. The first standings appear when round 1 is closed.")
    if not first.is_closed:
        return _("Round %(first)s is not closed yet. The first standings appear when it is.") % {
            "first": first.number
        }
    return _("The standings after round %(first)s are being computed. Try again in a moment.") % {
        "first": first.number
    }


@dataclass(frozen=True)
class StandingsTable:
    # Ids of the tie-breakers shown, with a heading for each.
    tie_breakers: tuple[str, ...]
    headings: tuple[tuple[str, str], ...]
    lines: tuple[StandingLine, ...]


def standings_table(tournament: Tournament, snapshot: StandingSnapshot) -> StandingsTable:
    """Return the stored standings with every tie-breaker that can differ between players."""
    return _table_of_rows(tournament, list(snapshot.rows.ranked()))


def _table_of_rows(tournament: Tournament, rows: Sequence[Standing]) -> StandingsTable:
    shown = visible_tie_breakers(tournament, [row.tie_breakers for row in rows])
    breakers = [TIE_BREAKERS[id_] for id_ in shown]
    return StandingsTable(
        tie_breakers=tuple(shown),
        headings=tuple((_(breaker.heading), _(breaker.name)) for breaker in breakers),
        lines=tuple(
            StandingLine(
                rank=row.rank,
                name=row.registration.player.name,
                pronouns=row.registration.player.pronouns,
                number=row.registration.number,
                match_points=row.match_points,
                figures=tuple(
                    (_(breaker.heading), breaker.format_figure(row.tie_breakers.get(breaker.id)))
                    for breaker in breakers
                ),
                has_dropped=row.registration.state == RegistrationState.DROPPED,
            )
            for row in rows
        ),
    )


def get_tie_breakers(tournament: Tournament) -> list[TieBreaker]:
    return [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]


@dataclass(frozen=True)
class PlacingLine:
    """A final place; undecided if it has no name."""

    rank: int
    # The origin of the place.
    why: str
    name: str = ""
    pronouns: str = ""
    number: int | None = None
    is_me: bool = False
    # Primary key of the player, if the name links to their page across events.
    person: int | None = None
    has_dropped: bool = False

    @property
    def is_open(self) -> bool:
        return not self.name


def placing_lines(tournament: Tournament, cut: Cut, me: Player | None = None) -> list[PlacingLine]:
    """Return all places, winner first. Players outside the cut follow in Swiss order."""
    in_cut = [
        _placing_at_rank(rank, cut.player_at(rank), cut, me)
        for rank in range(1, len(cut.entries) + 1)
    ]
    snapshot = tournament.snapshots.newest()
    rows = snapshot.rows.ranked() if snapshot else []
    behind = [row for row in rows if row.registration.number not in cut.registrations]
    return in_cut + [
        _placing_line(rank, _swiss_place(row), row.registration, me)
        for rank, row in enumerate(behind, start=len(in_cut) + 1)
    ]


def find_place_with_cut(tournament: Tournament, number: int) -> PlacingLine | None:
    """Return the player's place with the cut; None while it is undecided or without a public cut.

    Same result as `placing_lines`, but reads only the cut and one line of the standings.
    """
    stage = tournament.get_cut()
    if stage is None or not stage.has_published_round():
        return None
    cut = get_cut(stage)
    if number in cut.registrations:
        ranks = range(1, len(cut.entries) + 1)
        lines = (_placing_at_rank(rank, cut.player_at(rank), cut, None) for rank in ranks)
        return next((line for line in lines if line.number == number), None)
    snapshot = tournament.snapshots.newest()
    rows = snapshot.rows.ranked() if snapshot else Standing.objects.none()
    row = rows.filter(registration__number=number).first()
    if row is None:
        return None
    ahead = rows.filter(rank__lt=row.rank).exclude(registration__number__in=cut.registrations)
    rank = len(cut.entries) + ahead.count() + 1
    return _placing_line(rank, _swiss_place(row), row.registration, None)


def _placing_at_rank(
    rank: int, player: Registration | None, cut: Cut, me: Player | None
) -> PlacingLine:
    if player is None:
        return PlacingLine(rank, _("Still open"))
    return _placing_line(
        rank, _("Cut, seed %(seed)d") % {"seed": cut.seeds[player.number]}, player, me
    )


def _swiss_place(row: Standing) -> str:
    return _("Swiss, place %(place)d") % {"place": row.rank}


def _placing_line(
    rank: int, why: str, registration: Registration, me: Player | None
) -> PlacingLine:
    player = registration.player
    return PlacingLine(
        rank=rank,
        why=why,
        name=player.name,
        pronouns=player.pronouns,
        number=registration.number,
        is_me=me is not None and me.pk == player.pk,
        has_dropped=registration.state == RegistrationState.DROPPED,
    )


def places_with_cut(tournament: Tournament) -> dict[int, int]:
    """Return the decided places by number in the event; empty without a public cut."""
    stage = tournament.get_cut()
    if stage is None or not stage.has_published_round():
        return {}
    lines = placing_lines(tournament, get_cut(stage))
    return {line.number: line.rank for line in lines if line.number is not None}


def standing_lines_with_cut(
    tournament: Tournament, snapshot: StandingSnapshot
) -> list[StandingLine]:
    """Return the stored standings, reordered by the places that a cut has decided since."""
    places = places_with_cut(tournament)
    lines = standings_table(tournament, snapshot).lines
    placed = [line._replace(rank=places.get(line.number, line.rank)) for line in lines]
    return sorted(placed, key=lambda line: line.rank)


def standings_texts(tournament: Tournament, style: TextStyle = PLAIN) -> list[str]:
    """Return the standings as chat messages.

    With a public cut they are the places decided so far. These have no points, because the points
    of the Swiss rounds no longer explain them.
    """
    snapshot = tournament.snapshots.newest()
    if snapshot is None:
        return []
    stage = tournament.get_cut()
    has_cut = stage is not None and stage.has_published_round()
    if tournament.is_finished:
        title = _("Final standings: %(event)s, %(day)s")
    elif has_cut:
        title = _("Places so far: %(event)s")
    else:
        title = _("Standings after round %(round)s: %(event)s")
    heading = style.bold(
        title
        % {
            "round": snapshot.round.number,
            "event": style.name(tournament.name),
            "day": date_format(tournament.starts_on, "LONG_DATE_FORMAT"),
        }
    )
    if stage is not None and has_cut:
        placings = placing_lines(tournament, get_cut(stage))
        lines = [
            f"{style.bold(str(line.rank))} {style.name(line.name)}"
            for line in placings
            if not line.is_open
        ]
    else:
        lines = [
            in_words(
                ngettext_lazy(
                    "%(rank)s %(player)s, %(points)s point",
                    "%(rank)s %(player)s, %(points)s points",
                    number=line.match_points,
                    points=mixed_number(line.match_points),
                    rank=style.bold(str(line.rank)),
                    player=style.name(line.name),
                )
            )
            for line in standings_table(tournament, snapshot).lines
        ]
    return chat_messages(heading, lines)


@dataclass(frozen=True)
class CutLineDraw:
    """Players tied on everything but the random draw, on both sides of a cut line."""

    inside: tuple[Player, ...]
    outside: tuple[Player, ...]


def cut_line_draw(tournament: Tournament, inside: Collection[int]) -> CutLineDraw | None:
    """Return the random draw that decides a cut of these players, given by number, or None."""
    return _draw_among(_present_rows(tournament.snapshots.newest()), inside)


def planned_cut_draw(tournament: Tournament) -> CutLineDraw | None:
    """Return the random draw that decides the planned cut; None until the rounds before it end."""
    if tournament.planned_cut is None or tournament.is_finished:
        return None
    snapshot = tournament.snapshots.newest()
    if snapshot is None or snapshot.round.number < tournament.round_target():
        return None
    rows = _present_rows(snapshot)
    size = tournament.planned_cut_size(len(rows))
    return _draw_among(rows, [row.registration.number for row in rows[:size]]) if size else None


def _present_rows(snapshot: StandingSnapshot | None) -> list[Standing]:
    # Players who have left the event cannot be in a cut.
    rows = snapshot.rows.ranked() if snapshot else ()
    return [row for row in rows if row.registration.is_active]


def _draw_among(rows: Sequence[Standing], inside: Collection[int]) -> CutLineDraw | None:
    last = next((row for row in reversed(rows) if row.registration.number in inside), None)
    if last is None:
        return None
    figures = _figures_without_draw(last)
    tied = [row.registration for row in rows if _figures_without_draw(row) == figures]
    draw = CutLineDraw(
        inside=tuple(entry.player for entry in tied if entry.number in inside),
        outside=tuple(entry.player for entry in tied if entry.number not in inside),
    )
    return draw if draw.outside else None


def made_cut_draw(stage: Stage) -> CutLineDraw | None:
    """Return the random draw that decided a cut; None if its seeds were changed by hand."""
    if stage.entries.declined_in_order() or stage.tournament.log.cut_changes():
        return None
    seeded = [entry.registration.number for entry in stage.entries.accepted()]
    snapshot = stage.tournament.snapshots.newest()
    # Players of the cut stay in the comparison after they drop.
    rows = [
        row
        for row in (snapshot.rows.ranked() if snapshot else ())
        if row.registration.is_active or row.registration.number in seeded
    ]
    best = [row.registration.number for row in rows[: len(seeded)]]
    return _draw_among(rows, seeded) if seeded == best else None


def _figures_without_draw(row: Standing) -> tuple[Points, dict[str, str | None]]:
    return row.match_points, {**row.tie_breakers, "lot": None}


@dataclass(frozen=True)
class TermOpponent:
    number: int
    name: str


@dataclass(frozen=True)
class TieBreakerTerm:
    text: str
    round: int
    # Empty for a bye.
    opponents: tuple[TermOpponent, ...]


@dataclass(frozen=True)
class TieBreakerSum:
    id: str
    heading: str
    name: str
    explanation: str
    terms: tuple[TieBreakerTerm, ...]
    divisor: int | None
    exact: str
    result: str


def tie_breaker_sums(registration: Registration, snapshot: StandingSnapshot) -> list[TieBreakerSum]:
    """Return the calculation of the player's tie-breakers in order, for these stored standings.

    Empty for a player outside the standings, and while a corrected round is not yet counted in
    them. Reads only the player's own rounds and the lines of their opponents. Tie-breakers that
    compare whole histories (`can_explain_stored`) require all rounds.
    """
    tournament = registration.tournament
    breakers = tie_breakers_of(tournament)
    if not can_explain_stored(breakers):
        return all_tie_breaker_sums(tournament, snapshot.round).get(registration.number, [])
    tables = engine_input.closed_tables_of(registration, snapshot.round)
    record = engine_input.closed_results_of(tables).record(registration)
    involved = {registration.number} | {opponent for _, opponent in record.meetings()}
    rows, names = engine_input.stored_figures(snapshot, involved)
    if rows.keys() != involved:
        return []
    worked = explain_stored(record, rows, breakers)
    return [_tie_breaker_sum(working, names) for working in worked if working.result is not None]


def all_tie_breaker_sums(tournament: Tournament, up_to: Round) -> dict[int, list[TieBreakerSum]]:
    """Return the calculations after a closed round by player; a constant number of queries."""
    records = engine_input.standings_records(tournament, up_to)
    names = dict(tournament.registrations.values_list("number", "player__name"))
    breakers = tie_breakers_of(tournament)
    worked = explain_all_players(records, breakers, seed=tournament.seed)
    return {
        int(player): [
            _tie_breaker_sum(working, names) for working in sums if working.result is not None
        ]
        for player, sums in worked.items()
    }


def _tie_breaker_sum(working: TieBreakWorking, names: dict[int, str]) -> TieBreakerSum:
    breaker = TIE_BREAKERS[working.tie_breaker]
    result = working.result if working.result is not None else Fraction(0)
    return TieBreakerSum(
        id=working.tie_breaker,
        heading=_(working.heading),
        name=_(working.name),
        explanation=_(breaker.explanation),
        terms=tuple(
            TieBreakerTerm(
                term.text,
                term.round,
                tuple(TermOpponent(int(player), names[int(player)]) for player in term.opponents),
            )
            for term in working.terms
        ),
        divisor=working.divisor,
        exact=str(result),
        result=as_decimal(result) if breaker.is_mean else str(result),
    )


# The grid: record, points per side and every round of each player.

GRID_CACHE_SECONDS = 60


class RoundOutcome(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    POD = "pod"
    PLAYING = "playing"
    BYE = "bye"
    # Before the player joined.
    MISSED = "missed"
    ABSENT = "absent"
    # After the last round of a player who dropped.
    DROPPED = "dropped"


MATCH_OUTCOMES = RoundOutcome.WON, RoundOutcome.DRAWN, RoundOutcome.LOST
# The letters of "W-D-L"; the note below the grid explains them.
OUTCOME_SIGNS = {
    RoundOutcome.WON: pgettext_lazy("match in the standings", "W"),
    RoundOutcome.DRAWN: pgettext_lazy("match in the standings", "D"),
    RoundOutcome.LOST: pgettext_lazy("match in the standings", "L"),
}
SIDE_SIGNS = {
    "Corp": pgettext_lazy("side in the standings", "C"),
    "Runner": pgettext_lazy("side in the standings", "R"),
}


class GridCell(NamedTuple):
    """A round of a player; `place` (the opponent's rank) and `side` only with a single opponent."""

    round: int
    outcome: RoundOutcome
    points: Points | None = None
    place: int | None = None
    side: str = ""

    @property
    def sign(self) -> str:
        return str(OUTCOME_SIGNS.get(self.outcome, ""))

    @property
    def side_sign(self) -> str:
        return str(SIDE_SIGNS.get(self.side, ""))


class GridLine(NamedTuple):
    standing: StandingLine
    # Places gained since the previous round.
    moved: int | None
    # Matches won, drawn and lost; None in pods, like the points by side.
    record: tuple[int, int, int] | None
    corp: Points | None
    runner: Points | None
    cells: tuple[GridCell, ...]
    # A certain "in" or "out" (ClinchVerdict), or empty.
    verdict: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.standing.numbers

    @property
    def places_moved(self) -> int:
        return abs(self.moved or 0)


@dataclass(frozen=True)
class CutLine:
    """The line below the cut: the table is divided after the row of player number `below`.

    Above it are the `size` players of the cut, and `dropped` players who cannot play in it.
    """

    size: int
    below: int
    dropped: int = 0


@dataclass(frozen=True)
class StandingsGrid:
    """Standings after round `after`; `live` while it is still played."""

    after: int
    # The newest round with stored standings, None before the first.
    stored: int | None
    # Ids of the tie-breakers shown, with a heading for each.
    tie_breakers: tuple[str, ...]
    headings: tuple[tuple[str, str], ...]
    rounds: tuple[int, ...]
    has_sides: bool
    lines: tuple[GridLine, ...]
    live: bool = False
    # Unfinished tables of a live round.
    open_tables: int = 0
    # Text of the link to clinch scenarios or chances; often empty.
    leads_to: str = ""
    # None without a cut, and for a made cut that is not the top of these standings.
    cut_line: CutLine | None = None

    @property
    def columns(self) -> int:
        # Rank, player, points and the disclosure of phones, and with sides the record.
        fixed = 7 if self.has_sides else 4
        return fixed + len(self.rounds) + len(self.headings)

    @property
    def example(self) -> GridCell | None:
        """A match won against a known opponent, for the legend."""
        cells = (cell for line in self.lines for cell in line.cells if cell.place)
        return next((cell for cell in cells if cell.outcome is RoundOutcome.WON), None)

    def with_planned_cut(self, tournament: Tournament) -> "StandingsGrid":
        """Draw the line of the planned cut. Players who dropped cannot be in it."""
        present = [line.standing.number for line in self.lines if not line.standing.has_dropped]
        size = tournament.planned_cut_size(len(present))
        if size is None or size == len(present):
            return self
        return self._with_cut_line(present[:size])

    def with_made_cut(self, cut: Cut) -> "StandingsGrid":
        """Draw the line of a made cut if its players are the first in these standings."""
        first = [
            line.standing.number
            for line in self.lines
            if line.standing.number in cut.registrations or not line.standing.has_dropped
        ][: len(cut.entries)]
        if cut.registrations.keys() != {*first}:
            return self
        return self._with_cut_line(first)

    def _with_cut_line(self, players: Sequence[int]) -> "StandingsGrid":
        order = [line.standing.number for line in self.lines]
        dropped = order.index(players[-1]) + 1 - len(players)
        return replace(self, cut_line=CutLine(len(players), players[-1], dropped))

    @property
    def on_paper(self) -> int | None:
        """The round whose standings are printed; live standings are not printed."""
        return self.stored if self.live else self.after

    @property
    def own_line(self) -> GridLine | None:
        return next((line for line in self.lines if line.standing.is_me), None)

    def for_reader(self, number: int) -> "StandingsGrid":
        lines = (
            line._replace(standing=line.standing._replace(is_me=True))
            if line.standing.number == number
            else line
            for line in self.lines
        )
        return replace(self, lines=tuple(lines))


def standings_grid(
    tournament: Tournament, visible: Iterable[Round], after: int | None
) -> StandingsGrid | None:
    """Return the standings after this round, by default live or the newest; None if there are none.

    `visible` are the public rounds with their stages.
    """

    def build() -> StandingsGrid | None:
        grid = _build_grid(tournament, visible, after)
        if grid is None or after is not None:
            return grid
        known = get_standings_marks(tournament, grid.after)
        lines = tuple(
            line._replace(verdict=known.verdicts.get(line.standing.number, ""))
            for line in grid.lines
        )
        return replace(grid, lines=lines, leads_to=known.leads_to)

    return _cached_grid(tournament, f"grid:{tournament.pk}:{after}", build)


def leading_grid(
    tournament: Tournament, visible: Iterable[Round], most: int
) -> StandingsGrid | None:
    """Return only the best lines of the newest standings, without marks; None if there are none.

    After a closed round it reads only these players' tables, and leaves out the ranks of their
    opponents.
    """
    build = partial(_build_grid, tournament, visible, None, most)
    return _cached_grid(tournament, f"leading:{tournament.pk}:{most}", build)


def _cached_grid(
    tournament: Tournament, key: str, build: Callable[[], StandingsGrid | None]
) -> StandingsGrid | None:
    # The grid does not depend on the reader, except for the language of its texts.
    key = f"{key}:{get_language()}"
    cached: tuple[int, StandingsGrid] | None = caches["pages"].get(key)
    if cached is not None and cached[0] >= tournament.version:
        return cached[1]
    grid = build()
    if grid is not None:
        caches["pages"].set(key, (tournament.version, grid), GRID_CACHE_SECONDS)
    return grid


def _build_grid(
    tournament: Tournament, visible: Iterable[Round], after: int | None, most: int | None = None
) -> StandingsGrid | None:
    """Build the grid in a constant number of queries; `most` limits the number of lines."""
    counted = [round_ for round_ in visible if not round_.is_in_cut]
    playing = next((round_.number for round_ in counted if not round_.is_closed), None)
    snapshots = tournament.snapshots.keys_by_round()
    newest = max(snapshots, default=None)
    is_live = after is None
    if not is_live and after not in snapshots:
        return None
    last = newest if is_live else after
    registrations = tournament.registrations.select_related("player").order_by("number")
    entries = {entry.number: entry for entry in registrations}
    current = [round_ for round_ in counted if round_.number == playing]
    settled = Pairing.objects.filter(round__in=current, match__state__in=SETTLED_STATES)
    if most is not None and not settled.exists():
        if newest is None:
            return None
        rows, before = _stored_rows(snapshots, entries, newest)
        best = rows[:most]
        tables = _played_tables(counted, entries, newest, [row.registration for row in best])
        return _assemble_grid(tournament, newest, newest, best, tables, before)
    tables = _played_tables(counted, entries, playing if is_live and playing is not None else last)
    at_tables = [
        table for table in tables if isinstance(table, ClosedTable) and table.round == playing
    ]
    if is_live and any(table.is_settled for table in at_tables):
        assert playing is not None
        rows = standings_of_tables(tournament, tables, entries)
        before = _ranks_before(snapshots, playing - 1)
        grid = _assemble_grid(tournament, playing, newest, rows[:most], tables, before)
        return replace(
            grid, live=True, open_tables=sum(not table.is_settled for table in at_tables)
        )
    if last is None or last not in snapshots:
        return None
    rows, before = _stored_rows(snapshots, entries, last)
    played = [table for table in tables if table.round <= last]
    return _assemble_grid(tournament, last, newest, rows, played, before)


def _ranks_before(snapshots: Mapping[int, int], last: int) -> dict[int, int]:
    earlier = max((number for number in snapshots if number <= last), default=None)
    if earlier is None:
        return {}
    rows = Standing.objects.filter(snapshot=snapshots[earlier])
    return dict(rows.values_list("registration__number", "rank"))


def _played_tables(
    counted: Sequence[Round],
    entries: Mapping[int, Registration],
    last: int | None,
    players: Sequence[Registration] | None = None,
) -> list[Closed]:
    """Return results in these rounds up to number `last`; `players` None means all players."""
    numbers = {entry.player_id: entry.number for entry in entries.values()}
    keys = [round_.pk for round_ in counted if last is None or round_.number <= last]
    pairings = Pairing.objects.of_swiss_rounds(Round.objects.filter(pk__in=keys))
    if players is not None:
        seats = Seat.objects.filter(player__in=[entry.player_id for entry in players]).order_by()
        pairings = pairings.filter(Q(bye__in=players) | Q(match__in=seats.values("match")))
    return engine_input.tables_of(pairings, numbers)


def _stored_rows(
    snapshots: Mapping[int, int], entries: Mapping[int, Registration], last: int
) -> tuple[list[Standing], dict[int, int]]:
    earlier = max((number for number in snapshots if number < last), default=None)
    current, before = snapshots[last], snapshots[earlier] if earlier is not None else None
    by_key = {entry.pk: entry for entry in entries.values()}
    rows, ranks = [], {}
    for row in Standing.objects.filter(snapshot__in=[current, before]).order_by("rank"):
        row.registration = by_key[row.registration_id]
        if row.snapshot_id == current:
            rows.append(row)
        else:
            ranks[row.registration.number] = row.rank
    return rows, ranks


def _assemble_grid(
    tournament: Tournament,
    after: int,
    stored: int | None,
    rows: Sequence[Standing],
    tables: Sequence[Closed],
    before: Mapping[int, int],
) -> StandingsGrid:
    rule = scoring_rule(tournament.scoring_rule)
    standings = _table_of_rows(tournament, rows)
    rounds = tuple(sorted({table.round for table in tables}))
    joined = {row.registration.number: row.registration.joined_in_round for row in rows}
    builder = _GridBuilder(rule, {line.number: line for line in standings.lines}, joined)
    for table in tables:
        builder.add(table)
    return StandingsGrid(
        after=after,
        stored=stored,
        tie_breakers=standings.tie_breakers,
        headings=standings.headings,
        rounds=rounds,
        has_sides=rule.has_roles,
        lines=tuple(
            builder.line(line, rounds, before.get(line.number)) for line in standings.lines
        ),
    )


class _GridBuilder:
    def __init__(
        self, rule: ScoringRule, lines: Mapping[int, StandingLine], joined: Mapping[int, int]
    ) -> None:
        self.rule, self.lines, self.joined = rule, lines, joined
        self.cells: dict[int, dict[int, GridCell]] = defaultdict(dict)
        self.sides: dict[int, dict[Role, Points]] = defaultdict(dict)

    def add(self, entry: Closed) -> None:
        if isinstance(entry, ClosedBye):
            # A late entry has byes for rounds before the player joined.
            has_missed = entry.round < self.joined.get(entry.player, 1)
            outcome = RoundOutcome.MISSED if has_missed else RoundOutcome.BYE
            self.cells[entry.player][entry.round] = GridCell(entry.round, outcome, entry.points)
            return
        self._add_cells(entry)
        if entry.is_settled and entry.result.games:
            self._add_sides(entry)

    def _add_cells(self, table: ClosedTable) -> None:
        roles = table.roles
        for player, points in table.points.items():
            opponents = [number for number in table.points if number != player]
            outcome = _match_outcome(table, points, [table.points[number] for number in opponents])
            cell = GridCell(table.round, outcome, points if table.is_settled else None)
            opponent = self.lines.get(opponents[0]) if len(opponents) == 1 else None
            if opponent is not None:
                role = roles[player]
                cell = cell._replace(place=opponent.rank, side=role.label if role else "")
            self.cells[player][table.round] = cell

    def _add_sides(self, table: ClosedTable) -> None:
        shares = self.rule.shares(table.result)
        for position, player in enumerate(table.points, start=1):
            roles = {game.number: game.role(position) for game in table.result.games}
            sides = self.sides[player]
            for share in shares.get(position, ()):
                if share.game in roles:
                    role = roles[share.game]
                    sides[role] = sides.get(role, 0) + share.points

    def line(self, line: StandingLine, rounds: Sequence[int], before: int | None) -> GridLine:
        played, sides = self.cells[line.number], self.sides[line.number]
        last = max(played, default=0)
        cells = tuple(
            played.get(number)
            or GridCell(
                number,
                RoundOutcome.DROPPED if line.has_dropped and number > last else RoundOutcome.ABSENT,
            )
            for number in rounds
        )
        outcomes = [cell.outcome for cell in cells]
        has_sides = self.rule.has_roles
        won, drawn, lost = (outcomes.count(outcome) for outcome in MATCH_OUTCOMES)
        return GridLine(
            standing=line,
            moved=None if before is None else before - line.rank,
            record=(won, drawn, lost) if has_sides else None,
            corp=exact(sides.get(Role.CORP, 0)) if has_sides else None,
            runner=exact(sides.get(Role.RUNNER, 0)) if has_sides else None,
            cells=cells,
        )


def _match_outcome(
    table: ClosedTable, points: Points | None, opposing: Sequence[Points | None]
) -> RoundOutcome:
    if not table.is_settled:
        return RoundOutcome.PLAYING
    if table.in_pods or len(opposing) != 1:
        return RoundOutcome.POD
    own, opponent = points or 0, opposing[0] or 0
    if own == opponent:
        return RoundOutcome.DRAWN
    return RoundOutcome.WON if own > opponent else RoundOutcome.LOST
