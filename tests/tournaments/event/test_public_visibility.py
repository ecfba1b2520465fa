"""Public decks and identities of many events, compared with each single event."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from tests.factories.submissions import identity_card, submit
from tests.factories.tournaments import make_event, start_round
from tournaments.event import visibility
from tournaments.models import (
    DeckAudience,
    DeckSubmission,
    IdentitiesShown,
    Registration,
    RegistrationState,
    Round,
    StageEntry,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.check(5)]

HOUR = timedelta(hours=1)
AUDIENCES = (DeckAudience.PRIVATE, DeckAudience.PARTICIPANTS, DeckAudience.PUBLIC)


def test_bulk_queries_agree_with_each_event():
    events = list(events_of_all_kinds())
    keys = [event.pk for event in events]

    decks = visibility.registrations_with_public_decks(keys)
    identities = visibility.registrations_with_public_identities(keys)

    assert set(decks) == places(visibility.decks_for_reader(event, None) for event in events)
    assert set(identities) == places(
        visibility.identities_for_reader(event, None) for event in events
    )
    assert 0 < decks.count() < identities.count() < Registration.objects.count()


def places(found):
    return {deck.registration for decks in found for deck in decks}


def events_of_all_kinds():
    """Return events with every audience and time, with and without a round and a cut."""
    card = identity_card("Haas-Bioroid: Precision Design")
    shown_at = (None, timezone.now() - HOUR, timezone.now() + HOUR)
    for game, by_round, published in product(("anr", "onr"), IdentitiesShown, (False, True)):
        event = make_event(3, game=game, identities_shown=by_round)
        for place in event.registrations.select_related("player", "tournament"):
            submit(place, identity=card if game == "anr" else None)
        Registration.objects.filter(tournament=event, number=3).update(
            state=RegistrationState.WAITING
        )
        if published:
            start_round(event)
        yield from variants(event, shown_at if game == "anr" else shown_at[:1])
        revealed = copy_of(event)
        Tournament.objects.filter(pk=revealed.pk).update(decks_revealed_at=timezone.now())
        revealed.refresh_from_db()
        yield revealed


def variants(event, shown_at):
    for audience, moment, in_cut in product(AUDIENCES, shown_at, (False, True)):
        tournament = copy_of(event)
        stage = tournament.stages.get()
        if in_cut:
            stage.system = "double_elimination"
            first, second = tournament.registrations.order_by("number")[:2]
            StageEntry.objects.create(stage=stage, registration=first, seed=1)
            StageEntry.objects.create(stage=stage, registration=second, declined=True)
        stage.decks_shown_to, stage.decks_shown_at = audience, moment
        stage.save()
        yield tournament


def copy_of(event):
    copy = Tournament.objects.get(pk=event.pk)
    number = Tournament.objects.count()
    copy.pk, copy.slug, copy.join_code = None, f"copy-{number}", f"C{number:05}"
    copy.save()
    stage = event.stages.get()
    rounds = list(stage.rounds.all())
    stage.pk, stage.tournament = None, copy
    stage.save()
    for round_ in rounds:
        Round.objects.create(stage=stage, number=round_.number, state=round_.state, seed=1)
    for place in event.registrations.all():
        decks = list(place.deck_submissions.all())
        place.pk, place.tournament = None, copy
        place.save()
        for deck in decks:
            DeckSubmission.objects.create(
                registration=place, side=deck.side, version=deck.version, received_at=timezone.now()
            )
    return copy
