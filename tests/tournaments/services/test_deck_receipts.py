"""Every list that is handed in gets a receipt, and can be read and compared later."""

import pytest

from core.errors import StaleVersion
from decks.models import Side
from tests.factories.decks import legal_runner_list
from tests.factories.library import load_cards
from tests.factories.tournaments import make_event, owner_of, player_number
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import DeckReceipt, DeckSubmission, Registration
from tournaments.services import decks, events
from tournaments.sheets.decklists import two_of

ONE, OTHER = "3 Fang\n2 Raptor", "2 Raptor\n1 Fang\n1 Loony Goon"


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1), 1)


def hand_in(ada: Registration, text: str, seen: int | None = None) -> decks.Received:
    return decks.receive(ada, Side.RUNNER, text, Actor(player=ada.player), seen=seen)


def receipts() -> list[DeckReceipt]:
    return list(queries.receipts_of(DeckSubmission.objects.get()))


def test_each_list_has_a_receipt_with_number_version_and_instant(ada: Registration):
    first, second = hand_in(ada, ONE), hand_in(ada, OTHER)

    assert [receipt.number for receipt in receipts()] == [2, 1]
    assert [receipt.version.text for receipt in receipts()] == [OTHER, ONE]
    assert first.receipt.received_at < second.receipt.received_at
    assert DeckSubmission.objects.get().received_at == second.receipt.received_at
    assert {receipt.received_from for receipt in receipts()} == {None}


def test_the_same_list_again_is_told_its_receipt(ada: Registration):
    first = hand_in(ada, ONE)

    again = hand_in(ada, ONE)

    assert first.is_new
    assert not again.is_new
    assert again.receipt == first.receipt
    assert len(receipts()) == 1
    assert ada.tournament.log.filter(action="deck handed in").count() == 1


def test_a_list_that_comes_back_is_received_once_more(ada: Registration):
    for text in (ONE, OTHER, ONE):
        assert hand_in(ada, text).is_new

    seals = [receipt.version.seal for receipt in receipts()]
    assert seals[0] == seals[2] != seals[1]


def test_the_same_list_under_other_rules_has_a_new_verdict_and_no_new_receipt(ada: Registration):
    event, owner = ada.tournament, owner_of(ada.tournament)
    text = legal_runner_list()
    hand_in(ada, text)
    events.change_settings(event, owner, deck_rules={**event.deck_rules, "runner_minimum": 60})

    again = decks.receive(player_number(event, 1), Side.RUNNER, text, Actor(player=ada.player))

    assert not again.is_new
    assert not again.submission.version.is_legal
    assert len(receipts()) == 1


def test_a_list_typed_over_another_device_is_not_written_over_it(ada: Registration):
    hand_in(ada, ONE, seen=0)

    with pytest.raises(StaleVersion, match="as receipt 1") as refused:
        hand_in(ada, OTHER, seen=0)

    assert refused.value.details == {"recorded": {"receipt": 1}, "entered": {"receipt": 0}}
    assert DeckSubmission.objects.get().version.text == ONE
    assert hand_in(ada, OTHER, seen=1).receipt.number == 2


def test_a_button_pressed_twice_is_not_stale(ada: Registration):
    hand_in(ada, ONE, seen=0)

    assert not hand_in(ada, ONE, seen=0).is_new


def test_nobody_hands_in_without_end(ada: Registration, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(decks, "MOST_RECEIPTS", 2)
    hand_in(ada, ONE)
    hand_in(ada, OTHER)

    with pytest.raises(decks.TooManyLists, match="Ask the staff"):
        hand_in(ada, ONE)

    owner = owner_of(ada.tournament)
    assert decks.change_for_player(ada, Side.RUNNER, ONE, owner, "asked for it").is_new


def test_two_receipts_are_compared_by_their_cards(ada: Registration):
    hand_in(ada, ONE)
    hand_in(ada, OTHER)

    comparison = two_of(receipts(), None, None)

    change = comparison.difference
    assert [(one.title, one.step) for one in (*change.added, *change.changed)] == [
        ("Loony Goon", "+1"),
        ("Fang", "-2"),
    ]
    assert change.removed == ()


def test_another_order_is_the_same_deck(ada: Registration):
    hand_in(ada, "3 Fang\n2 Raptor")
    hand_in(ada, "2x Raptor\n3x Fang")

    comparison = two_of(receipts(), 1, 2)

    assert comparison.difference.only_writing_changed


@pytest.mark.parametrize("asked", [(None, None), (0, 1), (1, 7)])
def test_what_is_not_there_is_not_compared(ada: Registration, asked: tuple[int | None, int | None]):
    hand_in(ada, ONE)

    assert two_of(receipts(), *asked) is None
