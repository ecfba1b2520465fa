"""Content of the event page before, during and after the event."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.urls import reverse

from matches.scoring import scoring_rule
from tournaments.event import queries, visibility
from tournaments.models import Registration, RegistrationState, Round, Tournament
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.standings import PlacingLine, placing_lines, standings_table
from tournaments.results.pages.standings_grid import leading_lines
from tournaments.rounds import elimination
from tournaments.rounds.elimination import Cut
from tournaments.rounds.pages import clocks, tables

BEST_SHOWN = 8
PODIUM_WITH_CUT, PODIUM = 4, 3


def face_of(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    """Select the content of the event page.

    `rounds` are the published rounds; `me` is the reader's registration.
    """
    if tournament.is_finished:
        return after_it(tournament, rounds, me)
    return while_it_is_played(tournament, rounds, me) if rounds else before_it(tournament, me)


class RosterName(NamedTuple):
    """A player in the list of an event that has not begun."""

    name: str
    pronouns: str
    url: str
    has_dropped: bool
    is_me: bool


def before_it(tournament: Tournament, me: Registration | None) -> dict[str, Any]:
    """The roster of an event before its first round."""
    roster = [
        RosterName(
            entry.player.name,
            entry.player.pronouns,
            reverse("tournaments:player", args=[tournament.slug, entry.number]),
            entry.state == RegistrationState.DROPPED,
            entry == me,
        )
        for entry in queries.players(tournament).select_related("player")
    ]
    return {"face": "before", "roster": roster}


def while_it_is_played(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    """The newest round, the leading players and the seating."""
    round_, player = rounds[-1], me.player if me else None
    cut = _cut(tournament, rounds)
    grid = None if cut and cut.pairings else leading_lines(tournament, rounds, BEST_SHOWN)
    lines = tables.with_points_so_far(tables.table_lines(round_, player), round_)
    return {
        "face": "while",
        "round": round_,
        "round_rule": scoring_rule(round_.stage.scoring_rule),
        "clock": clocks.face(round_),
        "open_tables": sum(not line.is_settled for line in lines),
        "mine": next((line for line in lines if line.is_mine), None),
        "lines": tables.name_lines(lines),
        "grid": grid,
        "best": grid.lines if grid else (),
        "cut": cut,
        "bracket": bracket_drawing(cut, player) if cut else None,
    }


def after_it(
    tournament: Tournament, rounds: Sequence[Round], me: Registration | None
) -> dict[str, Any]:
    """The podium, the bracket and the final places."""
    player = me.player if me else None
    cut = _cut(tournament, rounds)
    places = placing_lines(tournament, cut, player) if cut else _places(tournament, me)
    places = _with_people(tournament, places)
    podium = places[: PODIUM_WITH_CUT if cut else PODIUM]
    return {
        "face": "after",
        "places": places,
        "podium": [line for line in podium if not line.is_open],
        "cut": cut,
        "bracket": bracket_drawing(cut, player) if cut else None,
        "corrections": queries.corrections(tournament),
    }


def _with_people(tournament: Tournament, places: Sequence[PlacingLine]) -> list[PlacingLine]:
    """Add the link to each player's profile page, if it is public."""
    held = tournament.registrations.select_related("player").order_by()
    shown = {
        one.number: one.player_id
        for one in held
        if visibility.leads_to_person(tournament, one.player)
    }
    return [
        replace(line, person=shown.get(line.number) if line.number else None) for line in places
    ]


def _cut(tournament: Tournament, rounds: Sequence[Round]) -> Cut | None:
    """The cut, once the seeds or a round of it are published."""
    if not queries.shows_bracket(tournament, rounds):
        return None
    stage = queries.cut_of_event(tournament)
    return elimination.cut_of(stage) if stage else None


def _places(tournament: Tournament, me: Registration | None) -> list[PlacingLine]:
    """The final standings as places, with match points as the reason."""
    newest = queries.newest_snapshot(tournament)
    lines = standings_table(tournament, newest).lines if newest else ()
    return [
        PlacingLine(
            rank=line.rank,
            why=f"{line.match_points} points",
            name=line.name,
            pronouns=line.pronouns,
            number=line.number,
            is_me=me is not None and line.number == me.number,
        )
        for line in lines
    ]
