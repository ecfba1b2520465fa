"""Who may change a list, and until when."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from core.errors import StaleVersion
from decks.models import Side
from tests.factories.decks import legal_runner_list
from tests.factories.library import load_cards
from tests.factories.tournaments import fresh, make_event, owner_of, player_number
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, LockedBy, Registration, Tournament
from tournaments.services import decks, events

ILLEGAL, OTHER = "1 Nobody Knows This Card", "3 Fang"
DEADLINE = datetime(2026, 5, 2, 7, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1, decks_close_at=DEADLINE), 1)


def hand_in(ada: Registration, text: str) -> DeckSubmission:
    registration = player_number(ada.tournament, 1)
    return decks.hand_in(registration, Side.RUNNER, text, Actor(player=ada.player))


def lock_of(event: Tournament) -> LockedBy | None:
    lock = queries.deck_lock(fresh(event), DeckSubmission.objects.first())
    return lock.by if lock else None


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_until_the_deadline_players_change_their_lists(ada: Registration):
    hand_in(ada, ILLEGAL)
    hand_in(ada, OTHER)

    assert lock_of(ada.tournament) is None
    assert DeckSubmission.objects.get().version.text == OTHER


@pytest.mark.check(39)
def test_from_the_deadline_on_only_the_staff_change_lists(ada: Registration):
    with time_machine.travel(DEADLINE - SECOND, tick=False):
        hand_in(ada, ILLEGAL)

    with time_machine.travel(DEADLINE, tick=False):
        with pytest.raises(decks.DeckIsLocked, match="time to hand in decks is over"):
            hand_in(ada, OTHER)
        owner = owner_of(ada.tournament)
        received = decks.change_for_player(ada, Side.RUNNER, OTHER, owner, "misspelt")
        assert lock_of(ada.tournament) == LockedBy.DEADLINE

    assert (received.receipt.number, received.receipt.reason) == (2, "misspelt")
    assert received.receipt.received_from == owner.user


@time_machine.travel(DEADLINE, tick=False)
def test_the_deadline_locks_out_a_first_list_too(ada: Registration):
    with pytest.raises(decks.DeckIsLocked):
        hand_in(ada, OTHER)

    assert not DeckSubmission.objects.exists()
    owner = owner_of(ada.tournament)
    assert decks.change_for_player(ada, Side.RUNNER, OTHER, owner, "came late").is_new


@time_machine.travel(DEADLINE - SECOND, tick=False)
@pytest.mark.parametrize("reason", ["", "  "])
def test_staff_say_why_they_change_a_list(ada: Registration, reason: str):
    with pytest.raises(decks.DeckIsLocked, match="Say why"):
        decks.change_for_player(ada, Side.RUNNER, OTHER, owner_of(ada.tournament), reason)

    assert not DeckSubmission.objects.exists()


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_a_list_changed_by_staff_stays_locked_and_the_log_names_no_card(ada: Registration):
    decks.lock(hand_in(ada, legal_runner_list()), Actor(player=ada.player))
    locked_at = DeckSubmission.objects.get().locked_at

    decks.change_for_player(
        ada, Side.RUNNER, ILLEGAL, owner_of(ada.tournament), "the player asked for it"
    )

    submission = DeckSubmission.objects.get()
    assert (submission.locked_at, submission.locked_by) == (locked_at, "player")
    assert submission.version.text == ILLEGAL
    entry = ada.tournament.log.get(action="deck changed by staff")
    assert entry.reason == "the player asked for it"
    assert entry.after == {"side": "runner", "version": 2, "receipt": 2}
    assert "Nobody Knows" not in str(list(ada.tournament.log.values()))


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_staff_lock_one_deck_legal_or_not(ada: Registration):
    submission = hand_in(ada, ILLEGAL)
    owner = owner_of(ada.tournament)

    decks.lock_by_staff(submission, owner)
    decks.lock_by_staff(submission, owner)

    assert lock_of(ada.tournament) == LockedBy.STAFF
    assert ada.tournament.log.filter(action="deck locked by staff").count() == 1
    with pytest.raises(decks.DeckIsLocked, match="The staff have locked"):
        hand_in(ada, OTHER)


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_all_decks_are_locked_and_opened_with_a_reason(ada: Registration):
    event, owner = ada.tournament, owner_of(ada.tournament)
    decks.lock_all(event, owner)
    with pytest.raises(decks.DeckIsLocked):
        hand_in(ada, OTHER)
    with pytest.raises(decks.DeckIsLocked, match="Say why"):
        decks.reopen_all(event, owner, " ")

    decks.reopen_all(event, owner, "the hall has no power")

    assert hand_in(ada, OTHER).version.text == OTHER
    assert event.log.get(action="all decks opened").reason == "the hall has no power"
    assert fresh(event).decks_close_at == DEADLINE


@time_machine.travel(DEADLINE + SECOND, tick=False)
def test_opening_all_decks_takes_back_a_deadline_that_is_over(ada: Registration):
    decks.reopen_all(ada.tournament, owner_of(ada.tournament), "the trains are late")

    assert fresh(ada.tournament).decks_close_at is None
    assert hand_in(ada, OTHER).version.text == OTHER


@time_machine.travel(DEADLINE + SECOND, tick=False)
def test_settings_opened_before_do_not_bring_back_a_deadline_taken_back(ada: Registration):
    event, owner = ada.tournament, owner_of(ada.tournament)
    seen = queries.newest_log_id(event)
    decks.reopen_all(event, owner, "the trains are late")

    with pytest.raises(StaleVersion):
        events.change_settings(event, owner, seen_log=seen, decks_close_at=DEADLINE)
    events.change_settings(event, owner, seen_log=seen, location="Bonn")

    assert fresh(event).decks_close_at is None


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_decks_locked_one_by_one_stay_locked_when_all_are_opened(ada: Registration):
    decks.lock(hand_in(ada, legal_runner_list()), Actor(player=ada.player))
    owner = owner_of(ada.tournament)
    decks.lock_all(ada.tournament, owner)

    decks.reopen_all(ada.tournament, owner, "another hour")

    assert lock_of(ada.tournament) == LockedBy.PLAYER


@time_machine.travel(DEADLINE - SECOND, tick=False)
def test_one_deck_is_not_unlocked_while_all_are_locked(ada: Registration):
    submission = hand_in(ada, legal_runner_list())
    decks.lock(submission, Actor(player=ada.player))
    owner = owner_of(ada.tournament)
    decks.lock_all(ada.tournament, owner)

    with pytest.raises(decks.DeckIsLocked, match="unlocking one changes nothing"):
        decks.unlock(submission, owner, "misspelt")

    assert lock_of(ada.tournament) == LockedBy.PLAYER


def test_the_first_lock_of_all_is_the_one_that_is_told(ada: Registration):
    event = ada.tournament
    with time_machine.travel(DEADLINE - SECOND, tick=False):
        decks.lock_all(event, owner_of(event))

    with time_machine.travel(DEADLINE + SECOND, tick=False):
        lock = queries.event_deck_lock(fresh(event))

    assert (lock.by, lock.at) == (LockedBy.STAFF, DEADLINE - SECOND)
