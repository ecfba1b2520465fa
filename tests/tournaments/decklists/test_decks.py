"""Submissions of decks: locks, deadlines and receipts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from time_machine import TimeMachineFixture

from core.errors import StaleVersion
from decks.models import MAX_PROBLEMS, DecklistVersion, Side
from tests.factories.decks import legal_runner_list
from tests.factories.library import load_cards
from tests.factories.tournaments import fresh, make_event, make_user, owner_of, player_number
from tournaments.decklists import queries as deck_queries
from tournaments.decklists import services
from tournaments.decklists.pages import compare_receipts
from tournaments.event.history import PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckCheckDraw,
    DeckReceipt,
    DeckSubmission,
    LockedBy,
    Registration,
    Tournament,
)
from tournaments.registration import roster_changes
from tournaments.settings import services as settings_services

ILLEGAL_LIST, OTHER_ILLEGAL_LIST = "1 Nobody Knows This Card", "3 Fang"
TWO_CARDS, THREE_CARDS = "3 Fang\n2 Raptor", "2 Raptor\n1 Fang\n1 Loony Goon"
DEADLINE = datetime(2026, 5, 2, 7, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Set the clock to one second before the deadline."""
    time_machine.move_to(DEADLINE - SECOND, tick=False)
    return time_machine


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1, decks_close_at=DEADLINE), 1)


@pytest.fixture
def owner(ada: Registration) -> Actor:
    return owner_of(ada.tournament)


def receive(ada: Registration, text: str, seen: int | None = None) -> services.SubmissionResult:
    registration = player_number(ada.tournament, 1)
    return services.receive_deck(
        registration, Side.RUNNER, text, Actor(player=ada.player), seen=seen
    )


def submit(ada: Registration, text: str) -> DeckSubmission:
    return receive(ada, text).submission


def locked_submission(ada: Registration) -> DeckSubmission:
    """Return a legal list that its player has locked."""
    submission = submit(ada, legal_runner_list())
    assert submission.version.is_legal, submission.version.breaches
    services.lock_deck(submission, Actor(player=ada.player))
    return submission


def lock_of(event: Tournament) -> LockedBy | None:
    lock = deck_queries.deck_lock(fresh(event), DeckSubmission.objects.first())
    return lock.by if lock else None


def receipts() -> list[DeckReceipt]:
    return list(deck_queries.receipts_of(DeckSubmission.objects.get()))


def test_illegal_list_is_a_draft_and_the_log_does_not_name_its_cards(ada: Registration):
    version = fresh(ada.tournament).version
    submission = submit(ada, ILLEGAL_LIST)

    with pytest.raises(services.DeckNotLegal, match="stays a draft"):
        services.lock_deck(submission, Actor(player=ada.player))

    assert not submission.version.is_legal
    assert DeckSubmission.objects.get().locked_at is None
    entry = ada.tournament.log.get(action="deck handed in")
    assert entry.after == {"side": "runner", "version": 1, "receipt": 1}
    assert fresh(ada.tournament).version == version


def test_legal_list_is_locked_once(ada: Registration):
    submission = locked_submission(ada)
    locked_at = DeckSubmission.objects.get().locked_at

    services.lock_deck(submission, Actor(player=ada.player))

    assert DeckSubmission.objects.get().locked_at == locked_at
    with pytest.raises(services.DeckIsLocked, match="Ask the staff"):
        submit(ada, ILLEGAL_LIST)


def test_staff_unlock_with_a_reason(ada: Registration, owner: Actor):
    submission = locked_submission(ada)

    with pytest.raises(services.DeckIsLocked, match="Give a reason"):
        services.unlock_deck(submission, owner, "  ")
    services.unlock_deck(submission, owner, "one card misspelt")
    submit(ada, ILLEGAL_LIST)

    assert ada.tournament.log.get(action="deck unlocked").reason == "one card misspelt"


@pytest.mark.check(39)
def test_only_staff_change_lists_after_the_deadline(
    ada: Registration, owner: Actor, clock: TimeMachineFixture
):
    submit(ada, ILLEGAL_LIST)
    assert submit(ada, OTHER_ILLEGAL_LIST).version.text == OTHER_ILLEGAL_LIST
    assert lock_of(ada.tournament) is None
    clock.move_to(DEADLINE)

    with pytest.raises(services.DeckIsLocked, match="deadline for decks has passed"):
        submit(ada, ILLEGAL_LIST)
    received = services.change_deck_for_player(ada, Side.RUNNER, ILLEGAL_LIST, owner, "misspelt")

    assert lock_of(ada.tournament) == LockedBy.DEADLINE
    assert (received.receipt.number, received.receipt.reason) == (3, "misspelt")
    assert received.receipt.received_from == owner.user


def test_first_list_after_the_deadline_is_refused(
    ada: Registration, owner: Actor, clock: TimeMachineFixture
):
    clock.move_to(DEADLINE)

    with pytest.raises(services.DeckIsLocked):
        submit(ada, OTHER_ILLEGAL_LIST)

    assert not DeckSubmission.objects.exists()
    assert services.change_deck_for_player(
        ada, Side.RUNNER, OTHER_ILLEGAL_LIST, owner, "came late"
    ).is_new


def test_list_changed_by_staff_stays_locked_and_the_log_does_not_name_its_cards(
    ada: Registration, owner: Actor
):
    locked_submission(ada)
    locked_at = DeckSubmission.objects.get().locked_at

    with pytest.raises(services.DeckIsLocked, match="Give a reason"):
        services.change_deck_for_player(ada, Side.RUNNER, ILLEGAL_LIST, owner, "  ")
    services.change_deck_for_player(
        ada, Side.RUNNER, ILLEGAL_LIST, owner, "the player asked for it"
    )

    submission = DeckSubmission.objects.get()
    assert (submission.locked_at, submission.locked_by) == (locked_at, "player")
    assert submission.version.text == ILLEGAL_LIST
    entry = ada.tournament.log.get(action="deck changed by staff")
    assert entry.reason == "the player asked for it"
    assert entry.after == {"side": "runner", "version": 2, "receipt": 2}
    assert "Nobody Knows" not in str(list(ada.tournament.log.values()))


def test_staff_lock_a_legal_or_illegal_deck(ada: Registration, owner: Actor):
    submission = submit(ada, ILLEGAL_LIST)

    services.lock_deck_by_staff(submission, owner)
    services.lock_deck_by_staff(submission, owner)

    assert lock_of(ada.tournament) == LockedBy.STAFF
    assert ada.tournament.log.filter(action="deck locked by staff").count() == 1
    with pytest.raises(services.DeckIsLocked, match="The staff have locked"):
        submit(ada, OTHER_ILLEGAL_LIST)


def test_all_decks_are_locked_and_unlocked_with_a_reason(
    ada: Registration, owner: Actor, clock: TimeMachineFixture
):
    event = ada.tournament
    services.lock_all_decks(event, owner)
    clock.move_to(DEADLINE + SECOND)
    lock = deck_queries.event_deck_lock(fresh(event))
    assert (lock.by, lock.at) == (LockedBy.STAFF, DEADLINE - SECOND)
    clock.move_to(DEADLINE - SECOND)
    with pytest.raises(services.DeckIsLocked):
        submit(ada, OTHER_ILLEGAL_LIST)
    with pytest.raises(services.DeckIsLocked, match="Give a reason"):
        services.reopen_all_decks(event, owner, " ")

    services.reopen_all_decks(event, owner, "the hall has no power")

    assert submit(ada, OTHER_ILLEGAL_LIST).version.text == OTHER_ILLEGAL_LIST
    assert event.log.get(action="all decks opened").reason == "the hall has no power"
    assert fresh(event).decks_close_at == DEADLINE


def test_unlocking_all_decks_removes_a_deadline_that_has_passed(
    ada: Registration, owner: Actor, clock: TimeMachineFixture
):
    clock.move_to(DEADLINE + SECOND)
    seen = ada.tournament.log.newest_id()

    services.reopen_all_decks(ada.tournament, owner, "the trains are late")

    # A settings page opened before does not restore it.
    with pytest.raises(StaleVersion):
        settings_services.change_settings(
            ada.tournament, owner, seen_log=seen, decks_close_at=DEADLINE
        )
    settings_services.change_settings(ada.tournament, owner, seen_log=seen, location="Bonn")
    assert fresh(ada.tournament).decks_close_at is None
    assert submit(ada, OTHER_ILLEGAL_LIST).version.text == OTHER_ILLEGAL_LIST


def test_individually_locked_decks_stay_locked_when_all_are_unlocked(
    ada: Registration, owner: Actor
):
    submission = locked_submission(ada)
    services.lock_all_decks(ada.tournament, owner)
    with pytest.raises(services.DeckIsLocked, match="unlocking a single deck has no effect"):
        services.unlock_deck(submission, owner, "misspelt")

    services.reopen_all_decks(ada.tournament, owner, "another hour")

    assert lock_of(ada.tournament) == LockedBy.PLAYER


def test_receipt_does_not_name_the_players_own_account_as_staff(ada: Registration):
    actor = Actor(user=make_user(), player=ada.player)

    received = services.receive_deck(ada, Side.RUNNER, OTHER_ILLEGAL_LIST, actor)

    assert received.receipt.received_from is None


def test_each_list_has_a_receipt_with_number_version_and_time(
    ada: Registration, clock: TimeMachineFixture
):
    texts, instants = [TWO_CARDS, THREE_CARDS, TWO_CARDS], []
    clock.move_to(DEADLINE - 2 * SECOND)
    for text in texts:
        instants.append(receive(ada, text).receipt.received_at)
        clock.shift(0.3)

    third, second, first = receipts()
    assert [receipt.number for receipt in (first, second, third)] == [1, 2, 3]
    assert [receipt.version.text for receipt in (first, second, third)] == texts
    assert first.version.seal == third.version.seal != second.version.seal
    assert instants == sorted(set(instants))
    assert DeckSubmission.objects.get().received_at == instants[-1]
    assert third.received_from is None


def test_repeated_list_returns_its_receipt(ada: Registration):
    first, again = (receive(ada, TWO_CARDS, seen=0) for _ in range(2))

    assert (first.is_new, again.is_new) == (True, False)
    assert again.receipt == first.receipt
    assert len(receipts()) == 1
    assert ada.tournament.log.filter(action="deck handed in").count() == 1


def test_repeated_list_under_different_rules_is_checked_again_without_a_new_receipt(
    ada: Registration, owner: Actor
):
    rules = {**ada.tournament.deck_rules, "runner_minimum": 60}
    receive(ada, legal_runner_list())
    settings_services.change_settings(ada.tournament, owner, deck_rules=rules)

    again = receive(ada, legal_runner_list())

    assert not again.is_new
    assert not again.submission.version.is_legal
    assert len(receipts()) == 1


def test_list_saved_since_on_a_second_device_is_not_overwritten(ada: Registration):
    receive(ada, TWO_CARDS, seen=0)

    with pytest.raises(StaleVersion, match="as receipt 1") as refused:
        receive(ada, THREE_CARDS, seen=0)

    assert refused.value.details == {"recorded": {"receipt": 1}, "entered": {"receipt": 0}}
    assert DeckSubmission.objects.get().version.text == TWO_CARDS
    assert receive(ada, THREE_CARDS, seen=1).receipt.number == 2


def test_receipts_of_a_player_are_limited(ada: Registration, owner: Actor, monkeypatch):
    monkeypatch.setattr(services, "MAX_RECEIPTS", 2)
    receive(ada, TWO_CARDS)
    receive(ada, THREE_CARDS)

    with pytest.raises(services.TooManyLists, match="Ask the staff"):
        receive(ada, TWO_CARDS)

    assert services.change_deck_for_player(
        ada, Side.RUNNER, TWO_CARDS, owner, "asked for it"
    ).is_new


def submit_different_list(deck: DeckSubmission, _staff: Actor) -> None:
    place = deck.registration
    services.receive_deck(place, Side.RUNNER, OTHER_ILLEGAL_LIST, Actor(player=place.player))


def change_by_staff(deck: DeckSubmission, staff: Actor) -> None:
    services.change_deck_for_player(
        deck.registration, Side.RUNNER, OTHER_ILLEGAL_LIST, staff, "asked for it"
    )


def unlock(deck: DeckSubmission, staff: Actor) -> None:
    services.unlock_deck(deck, staff, "asked for it")


@pytest.mark.parametrize(
    "change",
    [
        submit_different_list,
        change_by_staff,
        services.lock_deck,
        services.lock_deck_by_staff,
        unlock,
    ],
)
def test_deck_of_a_removed_player_cannot_be_changed(
    ada: Registration, owner: Actor, change: Callable[[DeckSubmission, Actor], object]
):
    deck = submit(ada, legal_runner_list())
    roster_changes.remove_player(player_number(ada.tournament, 1), owner)
    logged = ada.tournament.log.count()

    with pytest.raises(PlayerRemoved, match="removed from the roster"):
        change(deck, owner)

    assert ada.tournament.log.count() == logged
    assert not DeckSubmission.objects.exists()


def test_two_receipts_are_compared_by_their_cards(ada: Registration):
    receive(ada, TWO_CARDS)
    receive(ada, THREE_CARDS)

    comparison = compare_receipts(receipts(), {})

    change = comparison.difference
    assert [(card.title, card.step) for card in (*change.added, *change.changed)] == [
        ("Loony Goon", "+1"),
        ("Fang", "-2"),
    ]
    assert change.removed == ()


def submit_drafts(ada: Registration, clock: TimeMachineFixture, waits: list[timedelta]) -> None:
    """Submit a different list before each wait."""
    for copies, wait in enumerate(waits, start=1):
        receive(ada, f"{copies} Fang")
        clock.shift(wait)


def stored_receipts() -> list[int]:
    return list(DeckReceipt.objects.order_by("number").values_list("number", flat=True))


@pytest.fixture
def three_receipts_stored(monkeypatch, clock: TimeMachineFixture) -> None:
    monkeypatch.setattr(services, "MAX_STORED_RECEIPTS", 3)
    clock.move_to(DEADLINE - timedelta(hours=5), tick=False)


HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.mark.parametrize(
    ("waits", "stored"),
    [([HOUR, HOUR, MINUTE, MINUTE, HOUR], [1, 2, 5]), ([HOUR] * 4, [2, 3, 4])],
    ids=["drafts_replaced_within_minutes_first", "then_the_oldest"],
)
def test_oldest_drafts_are_deleted(ada, clock, three_receipts_stored, waits, stored):
    submit_drafts(ada, clock, waits)

    assert stored_receipts() == stored
    assert DecklistVersion.objects.count() == 3


def test_list_that_staff_submitted_is_kept(ada, owner, clock, three_receipts_stored):
    services.change_deck_for_player(ada, Side.RUNNER, OTHER_ILLEGAL_LIST, owner, "asked for it")

    submit_drafts(ada, clock, [MINUTE] * 5)

    assert stored_receipts() == [1, 5, 6]


def test_list_that_a_judge_checked_is_kept(ada, owner, clock, three_receipts_stored):
    checked = receive(ada, TWO_CARDS).submission
    draw = DeckCheckDraw.objects.create(
        tournament=ada.tournament, round_number=1, number=1, drawn_at=DEADLINE
    )
    draw.checks.create(table_number=1, submission=checked, version=checked.version)

    submit_drafts(ada, clock, [MINUTE] * 5)

    assert stored_receipts() == [1, 5, 6]


def test_version_used_at_a_second_event_is_kept(ada, clock, three_receipts_stored):
    second_event = make_event(players=0)
    entry = second_event.registrations.create(player=ada.player, number=1)
    version = receive(ada, "1 Fang").submission.version
    DeckSubmission.objects.create(
        registration=entry, side=Side.RUNNER, version=version, received_at=DEADLINE
    )

    submit_drafts(ada, clock, [MINUTE] * 5)

    assert 1 not in stored_receipts()
    assert DecklistVersion.objects.filter(pk=version.pk).exists()


def test_stored_verdict_has_a_bounded_number_of_problems(ada):
    unknown = "\n".join(f"1 Nobody Knows Card {number}" for number in range(200))

    version = receive(ada, unknown).submission.version

    assert (len(version.breaches), version.is_legal) == (MAX_PROBLEMS, False)
    assert receive(ada, unknown).submission.version == version
