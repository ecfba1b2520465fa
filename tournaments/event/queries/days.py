"""Day 2 of an event: its start, its check-in and missing players.

An event of two days has one break: before a Swiss round, or before its cut. The break does not
affect rounds, results or standings.
"""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.event.queries.rounds import (
    active_registrations,
    current_stage,
    latest_round,
    next_round_number,
    rounds,
)
from tournaments.event.queries.stages import cut_entries, cut_of_event, round_target
from tournaments.models import Registration, RegistrationState, Tournament


def begins_day_two(tournament: Tournament) -> bool:
    """Return True if day 1 is over and the next round is the first of day 2."""
    if tournament.day_two_on is None or tournament.is_finished:
        return False
    latest = latest_round(tournament)
    if latest is None or not latest.is_closed:
        return False
    if tournament.day_two_round is not None:
        return next_round_number(tournament) == tournament.day_two_round
    stage = current_stage(tournament)
    if stage.way.is_elimination:
        return not stage.rounds.exists()
    # The cut is made on the day itself, after all rounds of day 1.
    return latest.number >= round_target(tournament)


def day_two_check_in_is_open(tournament: Tournament) -> bool:
    """Return True until the first round of day 2 is paired; no query before it is opened."""
    return tournament.day_two_opened_at is not None and begins_day_two(tournament)


def day_two_players(tournament: Tournament) -> QuerySet[Registration]:
    """Players of day 2 by name: those in the cut once it is made, otherwise all active players."""
    playing = active_registrations(tournament).order_by("player__sort_key", "pk")
    cut = cut_of_event(tournament)
    if cut is None:
        return playing
    return playing.filter(pk__in=cut_entries(cut).values("registration"))


def ends_day_two_check_in(tournament: Tournament, changed: Mapping[str, Any]) -> bool:
    """Return True if the changed settings end an open day-2 check-in.

    They do if they remove day 2 or move it to another round.
    """
    if tournament.day_two_opened_at is None:
        return False
    is_gone = changed.get("day_two_on", tournament.day_two_on) is None
    # Without `day_two_round`, day 2 begins with the cut, after all planned rounds.
    cut_moves = tournament.day_two_round is None and "planned_rounds" in changed
    return is_gone or cut_moves or "day_two_round" in changed


def day_two_missing(tournament: Tournament) -> QuerySet[Registration]:
    """Players of day 2 who have not checked in for it."""
    return day_two_players(tournament).filter(day_two_at=None)


def to_check_in(tournament: Tournament) -> QuerySet[Registration]:
    """Players to check in: for day 2 while its check-in is open, otherwise for the event."""
    if day_two_check_in_is_open(tournament):
        return day_two_missing(tournament)
    return tournament.registrations.filter(state=RegistrationState.REGISTERED)


def can_check_in_now(registration: Registration) -> bool:
    """Return True if the player can check in themselves.

    Possible on the first day until round 1 is paired, and while the day-2 check-in is open.
    """
    tournament = registration.tournament
    if registration.is_active and tournament.day_two_opened_at is not None:
        is_open = registration.day_two_at is None and day_two_check_in_is_open(tournament)
        return is_open and day_two_missing(tournament).filter(pk=registration.pk).exists()
    return (
        registration.state == RegistrationState.REGISTERED
        and not tournament.is_finished
        and timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date() == tournament.starts_on
        and not rounds(tournament).exists()
    )
