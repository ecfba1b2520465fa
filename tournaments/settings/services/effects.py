"""Side effects of changed settings, listed for review before saving."""

from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from core.text import counted
from players import factors
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.models import DeckSubmission, Tournament, Visibility
from tournaments.settings.services import events

PLACE_AND_TIME = ("starts_on", "start_time", "location", "address")
TO_PEOPLE = {
    Visibility.PUBLIC: "The event is listed, and everybody can read it.",
    Visibility.UNLISTED: "The event is not listed any more; whoever has its address reads it.",
    Visibility.PRIVATE: "Only its players and staff can read the event; links elsewhere stop.",
}


def touched(
    tournament: Tournament, actor: Actor, settings: dict[str, Any], seen_log: int | None = None
) -> list[str]:
    """Return a sentence for each side effect of the new settings; usually there are none.

    Raises the refusals of `events.change_settings`.
    """
    before, changed = events.differing(tournament, actor, settings, seen_log)
    if not changed:
        return []
    return [
        *_players(tournament, before, changed),
        *_decks(tournament, changed),
        *_play(tournament, changed),
        *_staff(tournament, changed),
    ]


def _players(
    tournament: Tournament, before: dict[str, Any], changed: dict[str, Any]
) -> Iterator[str]:
    joined = tournament.registrations.count()
    if not joined:
        return
    if any(before.get(name) for name in PLACE_AND_TIME):
        yield f"{counted(joined, 'player')} joined for the old day or place. Tell them."
    if "visibility" in changed:
        yield TO_PEOPLE[Visibility(changed["visibility"])]
    if "max_players" in changed:
        yield from _places(tournament, changed["max_players"])
    closes_at = changed.get("registration_closes_at")
    if closes_at and closes_at <= timezone.now():
        yield "Registration closes at once."
    if queries.ends_day_two_check_in(tournament, changed):
        yield _day_two_check_in(tournament, has_day_two=changed.get("day_two_on", 1) is not None)


def _day_two_check_in(tournament: Tournament, *, has_day_two: bool) -> str:
    here = tournament.registrations.exclude(day_two_at=None).count()
    ends = "Check-in for day 2 " + ("begins anew" if has_day_two else "ends")
    were = "was" if here == 1 else "were"
    return f"{ends}: {counted(here, 'player')} {were} checked in for it." if here else f"{ends}."


def _places(tournament: Tournament, most: int | None) -> Iterator[str]:
    taken, waiting = queries.places_taken(tournament), queries.waiting_list(tournament).count()
    free = waiting if most is None else max(0, most - taken)
    if most is not None and most < taken:
        yield f"More players than that joined already ({taken}). They stay; nobody else joins."
    elif (moving := min(free, waiting)) and queries.waiting_list_moves(tournament):
        yield f"{counted(moving, 'player')} will move up from the waiting list."


def _decks(tournament: Tournament, changed: dict[str, Any]) -> Iterator[str]:
    handed_in = DeckSubmission.objects.filter(registration__tournament=tournament).count()
    if not handed_in or not tournament.has_decks:
        return
    if {"deck_rules", "starts_on"} & changed.keys():
        yield f"Checks {counted(handed_in, 'deck')} again; decks may become illegal."
    closes_at = changed.get("decks_close_at")
    if closes_at and closes_at <= timezone.now():
        yield "All decks lock at once."


def _play(tournament: Tournament, changed: dict[str, Any]) -> Iterator[str]:
    latest = queries.latest_round(tournament)
    if "round_minutes" in changed and latest and latest.started_at and not latest.is_closed:
        yield f"The clock of round {latest.number} changes to {changed['round_minutes']} minutes."
    if "tie_breakers" in changed and queries.newest_snapshot(tournament) is not None:
        yield "The standings of all rounds are ranked again."


def _staff(tournament: Tournament, changed: dict[str, Any]) -> Iterator[str]:
    if not changed.get("staff_need_second_factor"):
        return
    staff = [*tournament.staff.values_list("user_id", flat=True)]
    if lacking := len(staff) - len(factors.with_factor(staff)):
        yield f"Staff without a second factor, who must set one up first: {lacking}."
