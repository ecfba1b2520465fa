"""Content of the projector, of stream overlays and of result slips.

The whole room reads the projector, so it contains only public data: no drafts, no decklists.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import TypeVar

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decks.models import Side
from engine import table_plan
from matches.models import Game
from matches.scoring.results import Points
from matches.scoring.rules import scoring_rule
from tournaments.event.pages import IdentityLine, identities_beside_names
from tournaments.models import DeckSubmission, Pairing, Round, RoundState, Stage, Tournament
from tournaments.outlook.pages import get_outlook_marks
from tournaments.registration.pages import meeting_lines
from tournaments.results.bracket_pages import BracketDrawing, BracketLine, bracket_drawing
from tournaments.results.standings_pages import (
    PlacingLine,
    placing_lines,
    standing_lines_with_cut,
    standings_table,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages
from tournaments.rounds.pages import SeatLine, TableLine, table_lines
from tournaments.rounds.timing_pages import ClockFace

# After publication, only the first view is shown for this long.
FIRST_VIEW_PERIOD = timedelta(minutes=5)
NEWEST_RESULTS_SHOWN = 60


class ProjectorView(models.TextChoices):
    """Views of the projector, in the order of `VIEW_KEYS`."""

    PAIRINGS = "pairings", gettext_lazy("Pairings by name")
    TABLES = "tables", gettext_lazy("Pairings by table")
    CLOCK = "clock", gettext_lazy("Clock")
    STANDINGS = "standings", gettext_lazy("Standings")
    RESULTS = "results", gettext_lazy("Newest results")
    BRACKET = "bracket", gettext_lazy("Bracket")
    GAMES = "games", gettext_lazy("Matches of the cut")
    MEETING = "meeting", gettext_lazy("Seats before round 1")
    JOIN = "join", gettext_lazy("Join")
    FINAL = "final", gettext_lazy("Final")
    PODIUM = "podium", gettext_lazy("Podium")


# Key that selects each view: digits, then letters without another function.
VIEW_KEYS = "123456789NP"
PODIUM_PLACES = 3


@dataclass(frozen=True)
class ProjectorPanel:
    """A view with its heading and the content of its template.

    The view's function in `PANEL_BUILDERS` documents the content.
    """

    name: ProjectorView
    title: str
    content: object = None

    @property
    def template(self) -> str:
        return f"tournaments/displays/wall/_{self.name}.html"

    @property
    def is_empty(self) -> bool:
        return self.content is not None and not self.content


@dataclass(frozen=True)
class ProjectorState:
    """State of the projector. Only the first view is shown until `first_until`."""

    views: tuple[ProjectorPanel, ...]
    round: Round | None
    clock: timing_pages.ClockFace | None
    can_register: bool
    first_until: datetime | None

    @property
    def sides_change(self) -> bool:
        """Return True if players change sides after game 1 of a match."""
        if self.round is None:
            return False
        rule = scoring_rule(self.round.stage.scoring_rule)
        return rule.sides_change

    @property
    def first_until_milliseconds(self) -> int:
        """`first_until` in milliseconds since the epoch; 0 if all views rotate now."""
        return round(self.first_until.timestamp() * 1000) if self.first_until else 0


@dataclass(frozen=True)
class ViewChoice:
    name: ProjectorView
    key: str
    is_chosen: bool


def view_choices(chosen: Iterable[str] = ()) -> list[ViewChoice]:
    """Return all views in order, marking those in `chosen`."""
    chosen = set(chosen)
    return [
        ViewChoice(name, key, is_chosen=name in chosen)
        for name, key in zip(ProjectorView, VIEW_KEYS, strict=True)
    ]


def projector_state(tournament: Tournament, chosen: Iterable[str]) -> ProjectorState:
    """Return the `chosen` views, or those that fit the state of the event."""
    round_ = tournament.newest_published_round()
    can_register = tournament.can_register()
    is_decided = round_ is not None and _is_decided(round_)
    chosen = set(chosen)
    chosen_views = tuple(view for view in ProjectorView if view in chosen)
    views = chosen_views or _views_for_event(tournament, round_, can_register, is_decided)
    # Players look for their table first, so the other views wait.
    first_until = None
    if (
        not chosen_views
        and round_ is not None
        and not is_decided
        and round_.state == RoundState.RUNNING
        and round_.published_at is not None
    ):
        first_until = round_.published_at + FIRST_VIEW_PERIOD
    return ProjectorState(
        views=tuple(PANEL_BUILDERS[name](tournament, round_) for name in views),
        round=round_,
        # The clock runs until the round is closed, but without open tables no time is left to play.
        clock=None if is_decided else timing_pages.get_clock_face(round_),
        can_register=can_register,
        first_until=first_until,
    )


def _views_for_event(
    tournament: Tournament, round_: Round | None, can_register: bool, is_decided: bool
) -> tuple[ProjectorView, ...]:
    """Choose views by state: joining, then pairings, then clock and standings."""
    if round_ is None:
        if not tournament.meeting_is_on():
            return (ProjectorView.JOIN,)
        return (
            (ProjectorView.MEETING, ProjectorView.JOIN)
            if can_register
            else (ProjectorView.MEETING,)
        )
    is_cut = round_.is_in_cut
    if round_.is_closed or (is_cut and is_decided):
        return _views_between_rounds(tournament, is_cut)
    is_final = is_cut and open_final_of(rounds_cut.get_cut(round_.stage)) is not None
    if round_.state == RoundState.PUBLISHED:
        return (ProjectorView.FINAL,) if is_final else (ProjectorView.PAIRINGS,)
    if is_cut:
        return (
            (ProjectorView.FINAL, ProjectorView.BRACKET)
            if is_final
            else (ProjectorView.PAIRINGS, ProjectorView.BRACKET, ProjectorView.GAMES)
        )
    has_standings = tournament.snapshots.newest() is not None
    return (
        ProjectorView.PAIRINGS,
        ProjectorView.CLOCK,
        *((ProjectorView.STANDINGS,) if has_standings else ()),
    )


def _views_between_rounds(tournament: Tournament, is_cut: bool) -> tuple[ProjectorView, ...]:
    if tournament.is_finished:
        return (
            ProjectorView.PODIUM,
            *((ProjectorView.BRACKET,) if is_cut else ()),
            ProjectorView.STANDINGS,
        )
    if not is_cut:
        return (ProjectorView.STANDINGS, ProjectorView.RESULTS)
    cut = _public_cut(tournament)
    if cut is not None and cut.winner is not None:
        return (ProjectorView.PODIUM, ProjectorView.BRACKET)
    return (ProjectorView.RESULTS, ProjectorView.BRACKET)


def _is_decided(round_: Round) -> bool:
    """Return True if every table has its result, and in a cut a player who advances."""
    return not round_.open_tables().exists() and not rounds_cut.undecided_tables(round_)


def _pairings_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    lines = rounds_pages.name_lines(rounds_pages.table_lines(round_)) if round_ else []
    return ProjectorPanel(
        ProjectorView.PAIRINGS, _panel_title(round_, _("%(round)s: find your table")), lines
    )


def _tables_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    lines = rounds_pages.table_lines(round_) if round_ else []
    return ProjectorPanel(
        ProjectorView.TABLES, _panel_title(round_, _("%(round)s: by table")), lines
    )


def _clock_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: tables with their own clock, and the number of open tables."""
    if round_ is None:
        return ProjectorPanel(ProjectorView.CLOCK, _panel_title(None))
    extra = {
        "tables": timing_pages.table_times(round_),
        "open": round_.open_tables().count(),
    }
    return ProjectorPanel(ProjectorView.CLOCK, _panel_title(round_), extra)


@dataclass(frozen=True)
class WallStanding:
    """A row of the standings. Rows of a cut have no points, because the bracket decides the places.

    `places` is a range while several places are undecided; they have no name.
    """

    places: str
    name: str
    points: Points | None = None
    clinch_mark: str = ""
    has_dropped: bool = False


def _standings_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: a `WallStanding` per player, best first; after a cut, by its places."""
    snapshot = tournament.snapshots.newest()
    stage = tournament.get_cut()
    cut = rounds_cut.get_cut(stage) if stage and stage.has_published_round() else None
    title = _("Standings")
    if snapshot:
        title = _("Standings after round %(number)d") % {"number": snapshot.round.number}
    if tournament.is_finished:
        title = _("Final standings")
    elif cut:
        title = _("Places so far, with the cut")
    if job := tournament.jobs.unfinished_standings().first():
        outdated = (
            _("%(title)s (update failed)") if job.has_failed else _("%(title)s (being updated)")
        )
        title = outdated % {"title": title}
    if cut:
        lines = list(_placings_on_wall(placing_lines(tournament, cut)))
    else:
        marks = {} if tournament.is_finished else get_outlook_marks(tournament)
        lines = [
            WallStanding(
                places=str(line.rank),
                name=line.name,
                points=line.match_points,
                clinch_mark=marks.get(line.number, ""),
                has_dropped=line.has_dropped,
            )
            for line in (standings_table(tournament, snapshot).lines if snapshot else ())
        ]
    return ProjectorPanel(ProjectorView.STANDINGS, title, lines)


def _placings_on_wall(placings: Iterable[PlacingLine]) -> Iterator[WallStanding]:
    for is_open, group in groupby(placings, key=lambda line: line.is_open):
        lines = list(group)
        if is_open:
            first, last = lines[0].rank, lines[-1].rank
            places = str(first) if first == last else f"{first}–{last}"
            yield WallStanding(places, name="")
        else:
            for line in lines:
                yield WallStanding(str(line.rank), line.name, has_dropped=line.has_dropped)


def _results_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: settled tables, newest result first."""
    if round_ is None:
        return ProjectorPanel(ProjectorView.RESULTS, _("Newest results"), ())
    settled = round_.pairings.with_players().filter(match__settled_at__isnull=False)
    newest = settled.order_by("-match__settled_at", "table_number")[:NEWEST_RESULTS_SHOWN]
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    lines = [rounds_pages.table_line(pairing, numbers) for pairing in newest]
    return ProjectorPanel(
        ProjectorView.RESULTS, _panel_title(round_, _("%(round)s: newest results")), lines
    )


def _bracket_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: bracket drawing and name of the winner."""
    cut = _public_cut(tournament)
    if cut is None:
        return ProjectorPanel(ProjectorView.BRACKET, _("Bracket"), ())
    winner = cut.winner.player.name if cut.winner else ""
    content = {"bracket": bracket_drawing(cut), "winner": winner}
    title = _("Top %(size)d") % {"size": len(cut.entries)}
    return ProjectorPanel(ProjectorView.BRACKET, title, content)


def _games_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: cut games that are ready, in progress or over, newest first."""
    cut = _public_cut(tournament)
    games = bracket_drawing(cut).games if cut else ()
    known = [game for game in games if game.state in ("playing", "level", "over", "ready")]
    title = _("Top %(size)d: matches") % {"size": len(cut.entries)} if cut else _("Matches")
    return ProjectorPanel(ProjectorView.GAMES, title, known[::-1])


def open_final_of(cut: rounds_cut.Cut) -> BracketLine | None:
    """Return the final or bracket reset, from its publication until it is over."""
    deciding = {game.number for game in (cut.bracket.final, cut.bracket.reset) if game is not None}
    games = bracket_drawing(cut).games
    at_table = ("playing", "level")
    return next(
        (game for game in games if game.number in deciding and game.state in at_table), None
    )


def _final_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    cut = _public_cut(tournament)
    game = open_final_of(cut) if cut else None
    return ProjectorPanel(ProjectorView.FINAL, game.round if game else _("Final"), game or ())


def _podium_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: standing lines of the podium, best first; empty while a cut is undecided."""
    snapshot, cut = tournament.snapshots.newest(), _public_cut(tournament)
    if snapshot is None or (cut is not None and cut.winner is None):
        return ProjectorPanel(ProjectorView.PODIUM, _("Podium"), ())
    lines = standing_lines_with_cut(tournament, snapshot)
    return ProjectorPanel(
        ProjectorView.PODIUM, _("Podium"), [line for line in lines if line.rank <= PODIUM_PLACES]
    )


def _public_cut(tournament: Tournament) -> rounds_cut.Cut | None:
    stage = tournament.get_cut()
    return rounds_cut.get_cut(stage) if stage and stage.is_public_cut() else None


def _meeting_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    """Content: seats before round 1 by player name; empty once it is published."""
    lines = meeting_lines(tournament) if tournament.meeting_is_on() else []
    return ProjectorPanel(ProjectorView.MEETING, _("Before round 1: find your table"), lines)


def _join_panel(tournament: Tournament, round_: Round | None) -> ProjectorPanel:
    is_open = tournament.can_register()
    title = _("Join the event") if is_open else _("The event on your phone")
    return ProjectorPanel(ProjectorView.JOIN, title)


def _panel_title(round_: Round | None, text: str = "%(round)s") -> str:
    if round_ is None:
        return _("Round 1 is about to be paired")
    return text % {"round": round_.title}


PANEL_BUILDERS: Mapping[ProjectorView, Callable[[Tournament, Round | None], ProjectorPanel]] = {
    ProjectorView.PAIRINGS: _pairings_panel,
    ProjectorView.TABLES: _tables_panel,
    ProjectorView.CLOCK: _clock_panel,
    ProjectorView.STANDINGS: _standings_panel,
    ProjectorView.RESULTS: _results_panel,
    ProjectorView.BRACKET: _bracket_panel,
    ProjectorView.GAMES: _games_panel,
    ProjectorView.MEETING: _meeting_panel,
    ProjectorView.JOIN: _join_panel,
    ProjectorView.FINAL: _final_panel,
    ProjectorView.PODIUM: _podium_panel,
}


# Stream overlays: a table, the standings, the bracket, the clock.


HIDDEN_PLAYER_LABEL = gettext_lazy("Not on the stream")


@dataclass(frozen=True)
class StreamSeat:
    seat: SeatLine
    # Points and rank in the current standings, None in round 1.
    before: Points | None
    rank: int | None
    # On overlays only. The games are None until the result is settled, and without roles.
    identities: tuple[IdentityLine, ...] = ()
    games_won: int | None = None


@dataclass(frozen=True)
class StreamTable:
    line: TableLine
    seats: tuple[StreamSeat, ...]


def stream_tables(tournament: Tournament, round_: Round, number: int | None) -> list[StreamTable]:
    """Return the table with this number, else the feature tables, else the first table.

    Tables with a player who avoids the stream are always left out.
    """
    hidden = tournament.registrations.off_stream_numbers()
    lines = [
        line for line in table_lines(round_) if not line.is_bye and hidden.isdisjoint(line.numbers)
    ]
    feature = table_plan.parse_ranges(tournament.feature_tables)
    numbers = (number,) if number is not None else feature
    shown = [line for line in lines if line.table in numbers] if numbers else lines[:1]
    snapshot = tournament.snapshots.newest()
    rows = {row.registration.number: row for row in snapshot.rows.ranked()} if snapshot else {}

    def stream_seat(seat: SeatLine) -> StreamSeat:
        row = rows.get(seat.number)
        return StreamSeat(seat, row.match_points if row else None, row.rank if row else None)

    return [StreamTable(line, tuple(map(stream_seat, line.seats))) for line in shown]


@dataclass(frozen=True)
class OverlayTable:
    """The overlay's table; `seats` is empty if the table is missing or may not be shown."""

    round_number: int | None
    number: int | None
    seats: tuple[StreamSeat, ...]
    clock: ClockFace | None
    round_name: str = ""

    @property
    def is_shown(self) -> bool:
        return bool(self.seats)


@dataclass(frozen=True)
class OverlayRow:
    """A row of the standings; for a hidden player `number` is None and the texts are ""."""

    rank: int
    number: int | None
    name: str
    pronouns: str
    points: Points

    @property
    def is_named(self) -> bool:
        return self.number is not None


@dataclass(frozen=True)
class OverlayStandings:
    after_round: int | None
    page: int
    # Number of pages.
    pages: int
    rows: tuple[OverlayRow, ...]


def get_overlay_table(tournament: Tournament, number: int | None) -> OverlayTable:
    """Return the table with this number in the newest round, or else the first feature table."""
    round_ = tournament.newest_published_round()
    if round_ is None:
        return OverlayTable(None, number, (), None)
    table = next(iter(stream_tables(tournament, round_, number)), None)
    if table is None:
        return OverlayTable(round_.number, number, (), timing_pages.get_clock_face(round_))
    line = table.line
    pairing = round_.pairings.with_players().get(table_number=line.table)
    identities = identities_beside_names(tournament, None)
    won = _games_won(pairing) if line.is_settled else None
    is_single = pairing.match is not None and pairing.match.rule.games_per_match == 1

    def overlay_seat(row: StreamSeat) -> StreamSeat:
        seat, shown = row.seat, identities.get(row.seat.number, ())
        if is_single and seat.role:
            shown = tuple(line for line in shown if line.side == seat.role)
        games_won = won[seat.number] if won is not None and seat.role else None
        return replace(row, identities=shown, games_won=games_won)

    return OverlayTable(
        round_.number,
        line.table,
        tuple(map(overlay_seat, table.seats)),
        timing_pages.get_clock_face(round_, line.table, pairing.extra_minutes),
        round_name=line.round_title or round_.name,
    )


def _games_won(pairing: Pairing) -> Counter[int]:
    tournament = pairing.round.stage.tournament
    winners = Game.objects.filter(match=pairing.match_id, winner__isnull=False)
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    return Counter(numbers[player] for player in winners.values_list("winner__player", flat=True))


def get_overlay_standings(tournament: Tournament, top: int, page: int) -> OverlayStandings:
    """Return a page of the current standings with `top` rows; empty after the last page."""
    snapshot = tournament.snapshots.newest()
    if snapshot is None:
        return OverlayStandings(None, page, 0, ())
    hidden = tournament.registrations.off_stream_numbers()
    lines = standings_table(tournament, snapshot).lines
    rows = tuple(
        OverlayRow(line.rank, None, "", "", line.match_points)
        if line.number in hidden
        else OverlayRow(line.rank, line.number, line.name, line.pronouns, line.match_points)
        for line in lines[(page - 1) * top : page * top]
    )
    return OverlayStandings(snapshot.round.number, page, -(-len(lines) // top), rows)


@dataclass(frozen=True)
class OverlayBracket:
    size: int
    bracket: BracketDrawing
    winner: str


def get_overlay_bracket(tournament: Tournament) -> OverlayBracket | None:
    """Return the bracket without the names of players who avoid the stream; None before the cut."""
    cut = _public_cut(tournament)
    if cut is None:
        return None
    hidden, drawing = tournament.registrations.off_stream_numbers(), bracket_drawing(cut)

    def shown_game(game: BracketLine) -> BracketLine:
        first, second = (
            replace(seat, name="", pronouns="", words=str(HIDDEN_PLAYER_LABEL))
            if seat.number in hidden
            else seat
            for seat in game.seats
        )
        return replace(game, seats=(first, second))

    winner = cut.winner
    is_named = winner is not None and winner.number not in hidden
    return OverlayBracket(
        size=len(cut.entries),
        bracket=replace(drawing, games=tuple(map(shown_game, drawing.games))),
        winner=winner.player.name if winner and is_named else "",
    )


# Result slips, four to a page, ordered for cutting the pages in a stack.


SLIPS_PER_PAGE = 4
# Seats on a blank slip. A pod has at most five players.
SEATS_PER_MATCH, SEATS_PER_POD = 2, 5
# Hex digits of a seal, short enough to compare by eye.
SHORT_SEAL_DIGITS = 8

Item = TypeVar("Item")


@dataclass(frozen=True)
class SlipSeat:
    """A player on a slip; `seals` has (side, short seal) pairs, "" for a missing deck.

    `seals` is empty if the event has no submitted decks.
    """

    line: SeatLine
    seals: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ResultSlip:
    table: TableLine
    seats: tuple[SlipSeat, ...]


def result_slips(round_: Round) -> list[ResultSlip | None]:
    """Return the slips of a round in print order; None leaves a quarter of a page empty."""
    decks = DeckSubmission.objects.filter(registration__tournament=round_.stage.tournament)
    rows = decks.order_by().values_list("registration__number", "side", "version__seal")
    seals = {(number, side): seal[:SHORT_SEAL_DIGITS] for number, side, seal in rows}
    tables = [line for line in table_lines(round_) if not line.is_bye]
    return cutting_order([_result_slip(line, seals) for line in tables])


def _result_slip(table: TableLine, seals: Mapping[tuple[int, str], str]) -> ResultSlip:
    """`seals` maps (player number, side) to the short seal of the deck."""
    seats = tuple(
        SlipSeat(
            seat,
            tuple((str(side.label), seals.get((seat.number, side.value), "")) for side in Side)
            if seals
            else (),
        )
        for seat in table.seats
    )
    return ResultSlip(table, seats)


def blank_result_slips(stage: Stage) -> list[ResultSlip]:
    has_roles = scoring_rule(stage.scoring_rule).has_roles
    nobody = SeatLine("", "", 0, None, None, has_won=False, is_me=False)
    seats = (nobody,) * (SEATS_PER_MATCH if has_roles else SEATS_PER_POD)
    table = TableLine(None, seats, is_settled=False, state="")
    return [ResultSlip(table, ())] * SLIPS_PER_PAGE


def cutting_order(items: Sequence[Item]) -> list[Item | None]:
    """Order items by page, so that the cut piles laid on each other are in sequence.

    With 10 items on 3 pages, the first page has items 1, 4, 7 and 10. Empty places at the end of
    the last page are left out.
    """
    pages = -(-len(items) // SLIPS_PER_PAGE)
    places = [page + pile * pages for page in range(pages) for pile in range(SLIPS_PER_PAGE)]
    ordered = [items[place] if place < len(items) else None for place in places]
    while ordered and ordered[-1] is None:
        ordered.pop()
    return ordered
