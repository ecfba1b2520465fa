"""Many lists for one deck at one moment: real threads, real transactions, on both databases."""

from collections.abc import Callable
from datetime import date

import pytest

from core.errors import Refusal
from decks.models import Side
from players.models import User
from tests.factories.library import load_cards
from tests.tournaments.races.hands import at_once
from tournaments.actors import Actor
from tournaments.models import DeckReceipt, DeckSubmission, Registration
from tournaments.services import decks, events, registrations

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 6
Answer = decks.Received | Refusal | None


@pytest.fixture
def organiser() -> Actor:
    return Actor(user=User.objects.create_user("organiser"))


@pytest.fixture
def ada(organiser: Actor) -> Registration:
    load_cards()
    assert organiser.user is not None
    event = events.create(organiser.user, name="Rush", starts_on=date(2026, 11, 21), seed=7)
    return registrations.add_entries(event, [registrations.NewEntry("Ada")], organiser)[0]


def handing_in(ada: Registration, text: str) -> Callable[[], Answer]:
    return lambda: decks.receive(ada, Side.RUNNER, text, Actor(player=ada.player))


def test_lists_at_one_moment_get_receipts_of_their_own(ada: Registration):
    texts = [f"{copies} Loony Goon" for copies in range(1, HANDS + 1)]

    answers = at_once([handing_in(ada, text) for text in texts])

    received = [answer.receipt for answer in answers if isinstance(answer, decks.Received)]
    assert sorted(receipt.number for receipt in received) == list(range(1, HANDS + 1))
    last = DeckReceipt.objects.get(number=HANDS)
    submission = DeckSubmission.objects.get()
    assert (submission.version, submission.received_at) == (last.version, last.received_at)


def test_one_list_sent_many_times_has_one_receipt(ada: Registration):
    answers = at_once([handing_in(ada, "3 Loony Goon")] * HANDS)

    assert [isinstance(answer, decks.Received) for answer in answers] == [True] * HANDS
    assert DeckReceipt.objects.get().number == 1
    assert DeckSubmission.objects.get().version.number == 1


def test_no_list_slips_in_behind_the_lock(ada: Registration, organiser: Actor):
    decks.hand_in(ada, Side.RUNNER, "1 Loony Goon", Actor(player=ada.player))
    lists = [handing_in(ada, f"{copies} Raptor") for copies in range(1, HANDS)]

    answers = at_once([*lists, lambda: decks.lock_all(ada.tournament, organiser)])

    refused = [answer for answer in answers if isinstance(answer, decks.DeckIsLocked)]
    kept = [answer for answer in answers if isinstance(answer, decks.Received)]
    assert len(refused) + len(kept) == len(lists)
    event = ada.tournament
    event.refresh_from_db()
    assert event.decks_locked_at is not None
    stamps = DeckReceipt.objects.values_list("received_at", flat=True)
    assert all(stamp <= event.decks_locked_at for stamp in stamps)
