"""Seeds for the whole field at once: before round 1, by the players' ratings."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import BATCH
from tournaments.models import LogAction, Registration, RegistrationState, Tournament
from tournaments.ratings import queries as rating_queries
from tournaments.registration.services.registrations import AlreadyPlayed

Seeds = Mapping[int, int | None]
"""By number in the event."""


@dataclass(frozen=True)
class Seeded:
    """What was done: so many have a seed by their rating, and so many come after them."""

    rated: int
    unrated: int

    def __str__(self) -> str:
        return f"{self.rated} by rating, {self.unrated} without"


@transaction.atomic
def seed_by_rating(tournament: Tournament, actor: Actor) -> Seeded:
    """Give everybody on the roster a seed: 1 has the highest rating, equals share one.

    Who has no rating comes last: they share the last seed, so a lot decides among them. The
    waiting list is seeded too, who dropped is not. Raises AlreadyPlayed once round 1 is paired.
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
    """Give these players these seeds, in one entry of the log. Raises AlreadyPlayed.

    Who is not on the roster any more is left out; what is so already stays without a word.
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
