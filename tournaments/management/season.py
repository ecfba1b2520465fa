"""The demo series: three finished events of past weeks, rated, with public decks."""

import random
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from engine.simulation import Reporting
from matches.models import Match
from players.models import User
from tournaments.decklists.services import audiences
from tournaments.decklists.services.audiences import Shown
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import DeckAudience, Registration, Series, Tournament
from tournaments.registration.services import registrations
from tournaments.registration.services.rosters import NewEntry
from tournaments.series.services import copying, series
from tournaments.series.services.copying import Again
from tournaments.settings.services import events

NAME = "Datafort Tuesday League"
SEED = 1997
PLAYERS = (
    NewEntry("Amira Haddad", "she/her"),
    NewEntry("Bastian Vogt", "he/him"),
    NewEntry("Céline Marchand"),
    NewEntry("Dmytro Savchenko", "he/him"),
    NewEntry("Esi Boateng", "she/her"),
    NewEntry("Finn O'Malley", "they/them"),
    NewEntry("Guadalupe Ríos"),
    NewEntry("Hiroshi Endo", "he/him"),
)
EVENINGS, ROUNDS, PLANNED, BEST_OF = 3, 3, 6, 4
TUESDAY = 1
STARTS = time(18, 30)
BETWEEN_ROUNDS = timedelta(minutes=75)
# Shortest and longest duration of a table, in minutes.
SHORTEST, LONGEST = 40, 64
DESCRIPTION = "A made-up season of Tuesday evenings in the back room."


def make(organiser: User, facts: dict[str, Any]) -> None:
    """Play the events with the same players, and compute their ratings."""
    owner = Actor(user=organiser)
    league = series.create(
        organiser, name=NAME, description=DESCRIPTION, planned_events=PLANNED, best_of=BEST_OF
    )
    first = _first(organiser, facts)
    series.add_event(league, first.tournament, owner)
    _play(first, first.enter(PLAYERS))
    others = [_again(first, league, number) for number in range(2, EVENINGS + 1)]
    # Last, so that the single ratings job includes all events.
    for rehearsal in (*others, first):
        rehearsal.run_jobs()


def _day(number: int) -> date:
    """The Tuesday of an event; the last one was within the past week."""
    today = timezone.localdate()
    latest = today - timedelta(days=(today.weekday() - TUESDAY) % 7 or 7)
    return latest - timedelta(weeks=EVENINGS - number)


def _first(organiser: User, facts: dict[str, Any]) -> Rehearsal:
    """The event that the others are copied from. Its decks become public once it starts."""
    event = events.create(
        organiser,
        name=f"{NAME} 1",
        starts_on=_day(1),
        time_zone=settings.TIME_ZONE,
        **{**facts, "start_time": STARTS, "end_time": time(22, 30)},
        planned_rounds=ROUNDS,
        seed=SEED,
    )
    owner = Actor(user=organiser)
    audiences.show_decks(event, owner, {1: Shown(DeckAudience.PUBLIC)})
    chance = random.Random(SEED)  # noqa: S311 - the same each time
    return Rehearsal(event, owner, chance)


def _again(first: Rehearsal, league: Series, number: int) -> Rehearsal:
    owner = first.owner
    wanted = Again(f"{NAME} {number}", _day(number), with_roster=True)
    event = copying.run_again(first.tournament, owner, wanted, series=league)
    events.change_settings(event, owner, seed=SEED + number)
    rehearsal = Rehearsal(event, owner, first.chance, first.strengths)
    places = list(event.registrations.select_related("player", "tournament"))
    registrations.check_in(places, owner)
    _play(rehearsal, places)
    return rehearsal


def _play(rehearsal: Rehearsal, places: Sequence[Registration]) -> None:
    for place in places:
        rehearsal.hand_in_decks(place)
    for _ in range(ROUNDS):
        rehearsal.play_round(Reporting.AT_THE_DESK)
    events.finish(rehearsal.tournament, rehearsal.owner)
    _set_hours(rehearsal)


def _set_hours(rehearsal: Rehearsal) -> None:
    """Set times as if the event had been played on its day."""
    event = rehearsal.tournament
    began = datetime.combine(event.starts_on, STARTS, ZoneInfo(event.time_zone))
    for round_ in queries.rounds(event):
        at = began + (round_.number - 1) * BETWEEN_ROUNDS
        tables = Match.objects.filter(pk__in=round_.pairings.exclude(match=None).values("match"))
        for match in tables:
            match.settled_at = at + timedelta(minutes=rehearsal.chance.randint(SHORTEST, LONGEST))
        Match.objects.bulk_update(tables, ["settled_at"])
        round_.published_at = round_.started_at = at
        round_.closed_at = at + BETWEEN_ROUNDS
        round_.save(update_fields=["published_at", "started_at", "closed_at"])
    ended = began + ROUNDS * BETWEEN_ROUNDS
    Tournament.objects.filter(pk=event.pk).update(finished_at=ended)
