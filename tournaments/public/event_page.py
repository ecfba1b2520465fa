"""Content of the event page before, during and after the event."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from core.numbers import mixed_number
from matches.scoring.rules import scoring_rule
from tournaments.event import visibility
from tournaments.models import (
    Registration,
    RegistrationState,
    Round,
    Staff,
    StaffRole,
    Tournament,
)
from tournaments.results.bracket_pages import bracket_drawing
from tournaments.results.standings_pages import (
    PlacingLine,
    leading_grid,
    placing_lines,
    standings_table,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages
from tournaments.rounds.cut import Cut

LEADERS_SHOWN = 8
PODIUM_PLACES = 3


def event_page_context(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    """Build the context of the event page; `me` is the reader's registration."""
    if tournament.is_finished:
        return _context_after_event(tournament, rounds, me)
    if rounds:
        return _context_during_event(tournament, rounds, me)
    return _context_before_event(tournament, me)


class RosterName(NamedTuple):
    """A player in the list of an event that has not begun."""

    name: str
    pronouns: str
    url: str
    has_dropped: bool
    is_me: bool


def _context_before_event(tournament: Tournament, me: Registration | None) -> dict[str, Any]:
    roster = [
        RosterName(
            entry.player.name,
            entry.player.pronouns,
            reverse("tournaments:player", args=[tournament.slug, entry.number]),
            entry.state == RegistrationState.DROPPED,
            entry == me,
        )
        for entry in tournament.registrations.not_waiting().select_related("player")
    ]
    return {"face": "before", "roster": roster}


def _context_during_event(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    round_, player = rounds[-1], me.player if me else None
    cut = _public_cut(tournament, rounds)
    grid = None if cut else leading_grid(tournament, rounds, LEADERS_SHOWN)
    lines = rounds_pages.with_points_so_far(rounds_pages.table_lines(round_, player), round_)
    # Between the last Swiss round and the cut, players have no table.
    is_over = cut is not None and not cut.pairings
    return {
        "face": "while",
        "round": round_,
        "round_rule": scoring_rule(round_.stage.scoring_rule),
        "clock": timing_pages.get_clock_face(round_),
        "open_tables": sum(not line.is_settled for line in lines),
        "mine": None if is_over else next((line for line in lines if line.is_mine), None),
        "lines": [] if is_over else rounds_pages.name_lines(lines),
        "grid": grid,
        "best": grid.lines if grid else (),
        "cut": cut,
        "bracket": bracket_drawing(cut, player) if cut else None,
    }


def _context_after_event(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    player = me.player if me else None
    cut = _public_cut(tournament, rounds)
    places = placing_lines(tournament, cut, player) if cut else _final_places(tournament, me)
    # Link only to public profile pages.
    linked = {
        registration.number: registration.player_id
        for registration in tournament.registrations.select_related("player").order_by()
        if visibility.can_link_to_profile(tournament, registration.player)
    }
    places = [
        replace(line, person=linked.get(line.number) if line.number else None) for line in places
    ]
    podium = places[:PODIUM_PLACES]
    return {
        "face": "after",
        "places": places,
        "podium": [line for line in podium if not line.is_open],
        "cut": cut,
        "bracket": bracket_drawing(cut, player) if cut else None,
        "corrections": tournament.log.corrections(),
    }


class ScheduleLine(NamedTuple):
    """A line of the schedule; the first of a day has its heading."""

    at: datetime
    text: str
    day: str = ""


def expected_schedule(end_times: timing_pages.EndTimes) -> Iterator[ScheduleLine]:
    """Yield the expected start of each round and of the cut, and the end of each day."""
    for day in end_times.days:
        rounds = [start for start in day.starts if not start.is_cut]
        # The number of rounds in a cut depends on its system, which is chosen later.
        cut = [start for start in day.starts if start.is_cut][:1]
        for start in [*rounds, *cut]:
            words = _("Round %(number)s") % {"number": start.number}
            if start.is_cut:
                words = _("Cut: top %(size)s") % {"size": end_times.cut_size}
            yield ScheduleLine(start.at, words, day.label if start == day.starts[0] else "")
        yield ScheduleLine(day.last.typical, _("Expected end"))


def organiser_names(staff: Iterable[Staff]) -> list[str]:
    """Return the public names of the people who run the event, its owner first."""
    return [
        helper.user.public_name
        for role in (StaffRole.OWNER, StaffRole.ORGANISER)
        for helper in staff
        if helper.role == role and helper.user.public_name
    ]


def _public_cut(tournament: Tournament, rounds: Sequence[Round]) -> Cut | None:
    """Return the cut once its seeds or a round of it are published."""
    if not tournament.shows_bracket(rounds):
        return None
    stage = tournament.get_cut()
    return rounds_cut.get_cut(stage) if stage else None


def _final_places(tournament: Tournament, me: Registration | None) -> list[PlacingLine]:
    """Return the final standings as places, with match points as the reason."""
    newest = tournament.snapshots.newest()
    lines = standings_table(tournament, newest).lines if newest else ()
    return [
        PlacingLine(
            rank=line.rank,
            why=_("Points: %(points)s") % {"points": mixed_number(line.match_points)},
            name=line.name,
            pronouns=line.pronouns,
            number=line.number,
            is_me=me is not None and line.number == me.number,
        )
        for line in lines
    ]
