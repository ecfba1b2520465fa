"""Views of the projector page: chosen by the operator, or by the state of the event.

The whole room reads it, so it contains only public data: no drafts, no decklists.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.translation import gettext as _

from tournaments.clinch.pages import marks_of
from tournaments.event import queries
from tournaments.models import Round, RoundState, Tournament
from tournaments.registration.pages import meeting_lines
from tournaments.results.pages.bracket import BracketLine, bracket_drawing
from tournaments.results.pages.standings import placed_lines
from tournaments.rounds import elimination
from tournaments.rounds.pages import clocks, tables

# After publication, only the first view is shown for this long: players look for their table.
FIRST_MINUTES = timedelta(minutes=5)
NEWEST_RESULTS = 60


class View(StrEnum):
    """Views of the projector, in the order of `KEYS`."""

    PAIRINGS = "pairings"
    TABLES = "tables"
    CLOCK = "clock"
    STANDINGS = "standings"
    RESULTS = "results"
    BRACKET = "bracket"
    GAMES = "games"
    MEETING = "meeting"
    JOIN = "join"
    FINAL = "final"
    PODIUM = "podium"


LABELS: Mapping[View, str] = {
    View.PAIRINGS: "Pairings by name",
    View.TABLES: "Pairings by table",
    View.CLOCK: "Clock",
    View.STANDINGS: "Standings",
    View.RESULTS: "Newest results",
    View.BRACKET: "Bracket",
    View.GAMES: "Games of the cut",
    View.MEETING: "Player meeting",
    View.JOIN: "Join",
    View.FINAL: "Final",
    View.PODIUM: "Podium",
}
# Key that selects each view: digits, then letters without another function.
KEYS = "123456789NP"
# Places shown on the podium.
ON_PODIUM = 3


@dataclass(frozen=True)
class WallView:
    """One view with its heading and the content of its template.

    The function of the view in `VIEWS` documents the content.
    """

    name: View
    title: str
    content: object = None

    @property
    def template(self) -> str:
        return f"tournaments/screens/wall/_{self.name}.html"

    @property
    def is_empty(self) -> bool:
        return self.content is not None and not self.content


@dataclass(frozen=True)
class Wall:
    """State of the projector. Only the first view is shown until `first_until`."""

    views: tuple[WallView, ...]
    round: Round | None
    clock: clocks.ClockFace | None
    can_register: bool
    first_until: datetime | None

    @property
    def first_until_milliseconds(self) -> int:
        """`first_until` in milliseconds since the epoch; 0 if all views rotate now."""
        return round(self.first_until.timestamp() * 1000) if self.first_until else 0


@dataclass(frozen=True)
class ViewChoice:
    """A view as a choice in the control strip."""

    name: View
    label: str
    key: str
    is_chosen: bool


def view_choices(chosen: Iterable[str] = ()) -> list[ViewChoice]:
    """Return all views in order, marking those in `chosen`."""
    held, keyed = set(chosen), zip(LABELS.items(), KEYS, strict=True)
    return [ViewChoice(name, label, key, name in held) for (name, label), key in keyed]


def wall(tournament: Tournament, chosen: Iterable[str] = ()) -> Wall:
    """Return the `chosen` views, or those that fit the state of the event."""
    round_ = queries.newest_visible_round(tournament)
    can_register = queries.can_register_now(tournament)
    asked = set(chosen)
    held = tuple(view for view in View if view in asked)
    fitting = held or _fitting(tournament, round_, can_register)
    return Wall(
        views=tuple(VIEWS[name](tournament, round_) for name in fitting),
        round=round_,
        clock=clocks.face(round_),
        can_register=can_register,
        first_until=None if held else _first_until(round_),
    )


def _fitting(tournament: Tournament, round_: Round | None, can_register: bool) -> tuple[View, ...]:
    """Choose views by state: joining, then pairings, then clock and standings."""
    if round_ is None:
        return _before_round_one(tournament, can_register)
    is_cut = round_.stage.way.is_elimination
    if round_.is_closed:
        return _between_rounds(tournament, is_cut)
    is_final = is_cut and final_of(elimination.cut_of(round_.stage)) is not None
    if round_.state == RoundState.PUBLISHED:
        return (View.FINAL,) if is_final else (View.PAIRINGS,)
    if is_cut:
        return (View.FINAL, View.BRACKET) if is_final else (View.PAIRINGS, View.BRACKET, View.GAMES)
    has_standings = queries.newest_snapshot(tournament) is not None
    return (View.PAIRINGS, View.CLOCK, *((View.STANDINGS,) if has_standings else ()))


def _before_round_one(tournament: Tournament, can_register: bool) -> tuple[View, ...]:
    if not queries.meeting_is_on(tournament):
        return (View.JOIN,)
    return (View.MEETING, View.JOIN) if can_register else (View.MEETING,)


def _between_rounds(tournament: Tournament, is_cut: bool) -> tuple[View, ...]:
    if tournament.is_finished:
        return (View.PODIUM, *((View.BRACKET,) if is_cut else ()), View.STANDINGS)
    if not is_cut:
        return (View.STANDINGS, View.RESULTS)
    cut = _cut(tournament)
    if cut is not None and cut.winner is not None:
        return (View.PODIUM, View.BRACKET)
    return (View.FINAL, View.BRACKET) if cut and final_of(cut) else (View.BRACKET,)


def _first_until(round_: Round | None) -> datetime | None:
    if round_ is None or round_.state != RoundState.RUNNING or round_.published_at is None:
        return None
    return round_.published_at + FIRST_MINUTES


def _pairings(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: pairing lines sorted by player name."""
    lines = tables.name_lines(tables.table_lines(round_)) if round_ else []
    return WallView(View.PAIRINGS, _of(round_, "find your table"), lines)


def _tables(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: pairing lines sorted by table."""
    lines = tables.table_lines(round_) if round_ else []
    return WallView(View.TABLES, _of(round_, "by table"), lines)


def _clock(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: tables with their own clock, and the number of open tables."""
    if round_ is None:
        return WallView(View.CLOCK, _of(None, ""))
    extra = {"tables": clocks.table_times(round_), "open": queries.open_tables(round_).count()}
    return WallView(View.CLOCK, _of(round_, ""), extra)


def _standings(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: (standing line, clinch mark) pairs, best first; after a cut, by its places."""
    snapshot = queries.newest_snapshot(tournament)
    lines = placed_lines(tournament, snapshot) if snapshot else []
    marks = {}
    title = f"Standings after round {snapshot.round.number}" if snapshot else "Standings"
    if tournament.is_finished:
        title = "Final standings"
    elif (stage := queries.cut_of_event(tournament)) and queries.cut_has_begun(stage):
        title = "Places so far, with the cut"
    else:
        marks = marks_of(tournament)
    if job := queries.unfinished_standings_jobs(tournament).first():
        outdated = (
            _("%(title)s (update failed)") if job.has_failed else _("%(title)s (being updated)")
        )
        title = outdated % {"title": title}
    marked = [(line, marks.get(line.number, "")) for line in lines]
    return WallView(View.STANDINGS, title, marked)


def _results(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: settled tables, newest result first."""
    if round_ is None:
        return WallView(View.RESULTS, "Newest results", ())
    settled = queries.pairings_by_table(round_).filter(match__settled_at__isnull=False)
    newest = settled.order_by("-match__settled_at", "table_number")[:NEWEST_RESULTS]
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    lines = [tables.table_line(pairing, numbers) for pairing in newest]
    return WallView(View.RESULTS, _of(round_, "newest results"), lines)


def _bracket(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: bracket drawing and name of the winner."""
    cut = _cut(tournament)
    if cut is None:
        return WallView(View.BRACKET, "Bracket", ())
    winner = cut.winner.player.name if cut.winner else ""
    content = {"bracket": bracket_drawing(cut), "winner": winner}
    return WallView(View.BRACKET, f"Top {len(cut.entries)}", content)


def _games(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: cut games that are ready, in progress or over, newest first."""
    cut = _cut(tournament)
    games = bracket_drawing(cut).games if cut else ()
    known = [game for game in games if game.state in ("playing", "level", "over", "ready")]
    title = f"Top {len(cut.entries)}: games" if cut else "Games"
    return WallView(View.GAMES, title, known[::-1])


def final_of(cut: elimination.Cut) -> BracketLine | None:
    """Return the final or bracket reset, once both players are known and until it is over."""
    deciding = {game.number for game in (cut.bracket.final, cut.bracket.reset) if game is not None}
    open_states = ("ready", "playing", "level")
    games = bracket_drawing(cut).games
    return next((one for one in games if one.number in deciding and one.state in open_states), None)


def _final(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: the final."""
    cut = _cut(tournament)
    game = final_of(cut) if cut else None
    return WallView(View.FINAL, game.round if game else "Final", game or ())


def _podium(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: standing lines of the podium, best first; empty while a cut is undecided."""
    snapshot, cut = queries.newest_snapshot(tournament), _cut(tournament)
    if snapshot is None or (cut is not None and cut.winner is None):
        return WallView(View.PODIUM, "Podium", ())
    lines = placed_lines(tournament, snapshot)
    return WallView(View.PODIUM, "Podium", [line for line in lines if line.rank <= ON_PODIUM])


def _cut(tournament: Tournament) -> elimination.Cut | None:
    stage = queries.cut_of_event(tournament)
    return elimination.cut_of(stage) if stage and queries.cut_is_public(stage) else None


def _meeting(tournament: Tournament, round_: Round | None) -> WallView:
    """Content: meeting seats by player name; empty once the player meeting is over."""
    lines = meeting_lines(tournament) if queries.meeting_is_on(tournament) else []
    return WallView(View.MEETING, "Player meeting: find your table", lines)


def _join(tournament: Tournament, round_: Round | None) -> WallView:
    is_open = queries.can_register_now(tournament)
    return WallView(View.JOIN, "Join the event" if is_open else "The event on your phone")


def _of(round_: Round | None, what: str) -> str:
    if round_ is None:
        return "Round 1 is about to be paired"
    return f"{round_.title}: {what}" if what else round_.title


VIEWS: Mapping[View, Callable[[Tournament, Round | None], WallView]] = {
    View.PAIRINGS: _pairings,
    View.TABLES: _tables,
    View.CLOCK: _clock,
    View.STANDINGS: _standings,
    View.RESULTS: _results,
    View.BRACKET: _bracket,
    View.GAMES: _games,
    View.MEETING: _meeting,
    View.JOIN: _join,
    View.FINAL: _final,
    View.PODIUM: _podium,
}
