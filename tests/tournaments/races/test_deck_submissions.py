"""Simultaneous submissions of one deck, in real threads with real transactions."""

from collections.abc import Callable

import pytest

from core.errors import Refusal
from decks.models import Side
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import make_event, owner_of, player_number
from tests.tournaments.races.threads import run_at_once
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import Actor
from tournaments.models import DeckReceipt, DeckSubmission, Registration

pytestmark = pytest.mark.django_db(transaction=True)

REQUESTS = 6
Answer = decklists_services.SubmissionResult | Refusal | None


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1), 1)


def submission(ada: Registration, text: str) -> Callable[[], Answer]:
    return lambda: decklists_services.receive_deck(ada, Side.RUNNER, text, Actor(player=ada.player))


def test_simultaneous_lists_get_different_receipts(ada: Registration):
    texts = [f"{copies} Loony Goon" for copies in range(1, REQUESTS + 1)]

    answers = run_at_once([submission(ada, text) for text in texts])

    received = [
        answer.receipt
        for answer in answers
        if isinstance(answer, decklists_services.SubmissionResult)
    ]
    assert sorted(receipt.number for receipt in received) == list(range(1, REQUESTS + 1))
    last = DeckReceipt.objects.get(number=REQUESTS)
    stored = DeckSubmission.objects.get()
    assert (stored.version, stored.received_at) == (last.version, last.received_at)


def test_list_sent_many_times_has_one_receipt(ada: Registration):
    answers = run_at_once([submission(ada, "3 Loony Goon")] * REQUESTS)

    assert [isinstance(answer, decklists_services.SubmissionResult) for answer in answers] == [
        True
    ] * REQUESTS
    assert DeckReceipt.objects.get().number == 1
    assert DeckSubmission.objects.get().version.number == 1


def test_no_list_is_accepted_after_the_lock(ada: Registration):
    submit_deck(ada, Side.RUNNER, "1 Loony Goon", Actor(player=ada.player))
    lists = [submission(ada, f"{copies} Raptor") for copies in range(1, REQUESTS)]

    event, owner = ada.tournament, owner_of(ada.tournament)
    answers = run_at_once([*lists, lambda: decklists_services.lock_all_decks(event, owner)])

    refused = [answer for answer in answers if isinstance(answer, decklists_services.DeckIsLocked)]
    accepted = [
        answer for answer in answers if isinstance(answer, decklists_services.SubmissionResult)
    ]
    assert len(refused) + len(accepted) == len(lists)
    event.refresh_from_db()
    assert event.decks_locked_at is not None
    stamps = DeckReceipt.objects.values_list("received_at", flat=True)
    assert all(stamp <= event.decks_locked_at for stamp in stamps)
