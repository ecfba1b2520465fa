"""Day 2: when it begins, who checks in again, and who is missing.

An event of two days has one break: before a round of its Swiss, or before its cut. Rounds,
results and standings go on over it as if it were not there.
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
    """Whether day 1 is over, and the round that is paired next is the first of day 2."""
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
    """Players check in again until the first round of day 2 is paired; no query before that."""
    return tournament.day_two_opened_at is not None and begins_day_two(tournament)


def day_two_players(tournament: Tournament) -> QuerySet[Registration]:
    """Who plays on day 2, by name: those of the cut once it is made, else all who are in."""
    playing = active_registrations(tournament).order_by("player__sort_key", "pk")
    cut = cut_of_event(tournament)
    if cut is None:
        return playing
    return playing.filter(pk__in=cut_entries(cut).values("registration"))


def ends_day_two_check_in(tournament: Tournament, changed: Mapping[str, Any]) -> bool:
    """Whether settings changed so move day 2 to another round, or do away with it, once its
    check-in was opened."""
    if tournament.day_two_opened_at is None:
        return False
    is_gone = changed.get("day_two_on", tournament.day_two_on) is None
    # Without a round it begins with the cut, after all planned rounds.
    cut_moves = tournament.day_two_round is None and "planned_rounds" in changed
    return is_gone or cut_moves or "day_two_round" in changed


def day_two_missing(tournament: Tournament) -> QuerySet[Registration]:
    """Those of them who have not checked in for it."""
    return day_two_players(tournament).filter(day_two_at=None)


def to_check_in(tournament: Tournament) -> QuerySet[Registration]:
    """Who checks in next: for the event, and while that is open for day 2."""
    if day_two_check_in_is_open(tournament):
        return day_two_missing(tournament)
    return tournament.registrations.filter(state=RegistrationState.REGISTERED)


def can_check_in_now(registration: Registration) -> bool:
    """Players say that they are here on the day of the event, until round 1 is paired.

    And on day 2, while its check-in is open.
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
