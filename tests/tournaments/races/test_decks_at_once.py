"""Many lists for one deck at one moment: real threads, real transactions, on both databases."""

from collections.abc import Callable

import pytest

from core.errors import Refusal
from decks.models import Side
from tests.factories.library import load_cards
from tests.factories.tournaments import make_event, owner_of, player_number
from tests.tournaments.races.hands import at_once
from tournaments.decklists.services import decks
from tournaments.event.actors import Actor
from tournaments.models import DeckReceipt, DeckSubmission, Registration

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 6
Answer = decks.Received | Refusal | None


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1), 1)


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


def test_no_list_slips_in_behind_the_lock(ada: Registration):
    decks.hand_in(ada, Side.RUNNER, "1 Loony Goon", Actor(player=ada.player))
    lists = [handing_in(ada, f"{copies} Raptor") for copies in range(1, HANDS)]

    event, owner = ada.tournament, owner_of(ada.tournament)
    answers = at_once([*lists, lambda: decks.lock_all(event, owner)])

    refused = [answer for answer in answers if isinstance(answer, decks.DeckIsLocked)]
    kept = [answer for answer in answers if isinstance(answer, decks.Received)]
    assert len(refused) + len(kept) == len(lists)
    event.refresh_from_db()
    assert event.decks_locked_at is not None
    stamps = DeckReceipt.objects.values_list("received_at", flat=True)
    assert all(stamp <= event.decks_locked_at for stamp in stamps)
