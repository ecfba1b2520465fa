"""Seed all players by rating before round 1."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import BATCH
from tournaments.models import LogAction, Registration, RegistrationState, Tournament
from tournaments.ratings import queries as rating_queries
from tournaments.registration.services.registrations import AlreadyPlayed

# Seed by player number.
Seeds = Mapping[int, int | None]


@dataclass(frozen=True)
class Seeded:
    """Number of players seeded by rating, and of players without a rating."""

    rated: int
    unrated: int

    def __str__(self) -> str:
        return f"{self.rated} by rating, {self.unrated} without"


@transaction.atomic
def seed_by_rating(tournament: Tournament, actor: Actor) -> Seeded:
    """Seed all players by rating: 1 has the highest rating, equal ratings share a seed.

    Unrated players share the last seed, so a random draw decides among them. Includes the waiting
    list, but not dropped players. Raises AlreadyPlayed once round 1 is paired.
    """
    locked = history.lock_unfinished(tournament)
    field = locked.registrations.exclude(state=RegistrationState.DROPPED)
    numbers = set(field.values_list("number", flat=True))
    ratings = rating_queries.current(locked)
    values = {number: ratings[number] for number in numbers & ratings.keys()}
    best_first = sorted(values.values(), reverse=True)
    by_rating = {number: best_first.index(value) + 1 for number, value in values.items()}
    last = dict.fromkeys(numbers - values.keys(), len(values) + 1)
    done = Seeded(len(by_rating), len(last))
    set_seeds(locked, actor, {**last, **by_rating}, str(done))
    return done


@transaction.atomic
def set_seeds(tournament: Tournament, actor: Actor, seeds: Seeds, subject: str) -> None:
    """Set seeds by player number, in a single log entry. Raises AlreadyPlayed.

    Players no longer on the roster are ignored. Without changes nothing is logged.
    """
    locked = history.lock_unfinished(tournament)
    if queries.rounds(locked).exists():
        raise AlreadyPlayed("Round 1 is paired already. Undo its draft to seed the players again.")
    changed = [
        one
        for one in locked.registrations.filter(number__in=list(seeds))
        if one.seed != seeds[one.number]
    ]
    if not changed:
        return
    before = {str(one.number): one.seed for one in changed}
    for one in changed:
        one.seed = seeds[one.number]
    Registration.objects.bulk_update(changed, ["seed"], batch_size=BATCH)
    after = {str(one.number): one.seed for one in changed}
    history.record(
        locked,
        actor,
        LogAction.SEEDED_BY_RATING,
        subject,
        before={"seeds": before},
        after={"seeds": after},
    )
