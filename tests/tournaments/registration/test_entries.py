from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.factories.submissions import submit
from tests.factories.tournaments import (
    add_players,
    fresh,
    join,
    make_event,
    make_user,
    meanwhile,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path
from tournaments.event.pages import log_line
from tournaments.models import (
    DroppedBy,
    LogAction,
    MailWish,
    PushSubscription,
    RegistrationState,
    StatedIdentity,
    Tournament,
)
from tournaments.registration import guests, roster_changes, services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo


def make_scene() -> Tournament:
    return make_event(players=3, owner=make_user(OWNER))


def numbers(event: Tournament) -> list[int]:
    return list(event.registrations.order_by("number").values_list("number", flat=True))


def merge(event: Tournament, target: int, duplicate: int) -> None:
    places = player_number(event, target), player_number(event, duplicate)
    roster_changes.merge_entries(*places, owner_of(event), "typed twice")


def test_staff_correct_a_name_and_pronouns(desk: Client, event: Tournament):
    before = fresh(event).version

    refused = desk.post(path(event, "roster/1/entry/"), {"name": "gus@x.org"})
    answer = desk.post(
        path(event, "roster/1/entry/"), {"name": " Zo\u00eb ", "pronouns": "she/her"}, follow=True
    )

    assert refused.status_code == 422
    assert "Enter a name, not an email address" in refused.text

    player = player_number(event, 1).player
    assert (player.name, player.pronouns) == ("Zo\u00eb", "she/her")
    assert "number 1 is Zo\u00eb" in answer.text
    assert fresh(event).version > before
    logged = event.log.get(action=LogAction.PLAYER_RENAMED)
    assert (logged.before, logged.after) == ({"name": "Ada"}, {"name": "Zo\u00eb"})


def test_merge_moves_check_in_and_preferences(desk: Client, event: Tournament):
    late = add_players(event, 1, checked_in=False)[0]
    roster_changes.set_seed_and_group(
        player_number(event, 2), owner_of(event), seed=5, avoid_group="club"
    )

    answer = desk.post(
        path(event, f"roster/{late.number}/merge/"), {"other": "2", "reason": "typed twice"}
    )

    assert answer.status_code == 302
    assert numbers(event) == [1, 3, late.number]
    target = player_number(event, late.number)
    assert target.state == RegistrationState.CHECKED_IN
    assert (target.seed, target.avoid_group) == (5, "club")
    logged = event.log.get(action=LogAction.ENTRIES_MERGED)
    assert (logged.before["number"], logged.after["number"]) == (2, late.number)
    assert logged.reason == "typed twice"


@pytest.mark.parametrize("typed", [{"other": "2"}, {"other": "99", "reason": "typed twice"}])
def test_merge_requires_a_reason_and_an_entry(
    desk: Client, event: Tournament, typed: dict[str, str]
):
    assert desk.post(path(event, "roster/1/merge/"), typed).status_code == 422
    assert numbers(event) == [1, 2, 3]


def test_merge_and_rename_can_be_undone(event: Tournament):
    owner, player = owner_of(event), player_number(event, 2).player
    merge(event, 1, 2)
    guests.rename_guest(player_number(event, 1), owner, "Zo\u00eb", "they")

    for action in (LogAction.PLAYER_RENAMED, LogAction.ENTRIES_MERGED):
        undo_services.undo(event.log.get(action=action), owner)

    restored = player_number(event, 2)
    assert (restored.player, restored.state) == (player, RegistrationState.REGISTERED)
    target = player_number(event, 1).player
    assert (target.name, target.pronouns) == ("Ada", "they")


def test_guest_with_a_new_account_is_not_renamed(event: Tournament):
    ada, account = player_number(event, 1), make_user("ada")

    with (
        pytest.raises(guests.NamesThemselves),
        meanwhile(lambda: Player.objects.filter(pk=ada.player_id).update(user=account)),
    ):
        guests.rename_guest(ada, owner_of(event), "Eve")

    assert player_number(event, 1).player.name == "Ada"


def test_erased_player_is_not_restored(event: Tournament):
    player = player_number(event, 2).player
    merge(event, 1, 2)
    Player.objects.filter(pk=player.pk).update(erased_at=timezone.now())

    with pytest.raises(CannotUndo, match="cannot be restored"):
        undo_services.undo(event.log.get(action=LogAction.ENTRIES_MERGED), owner_of(event))


def test_paired_entry_cannot_be_merged_away(event: Tournament):
    play_round(event)
    late = add_players(event, 1)[0]

    with pytest.raises(roster_changes.CannotMerge, match="has been paired, so that entry stays"):
        merge(event, late.number, 1)
    merge(event, 1, late.number)

    assert numbers(event) == [1, 2, 3]


def test_players_paired_in_the_same_round_are_not_merged(event: Tournament):
    round_ = start_round(event)
    pairing = round_.pairings.exclude(match=None).get()
    players = [seat.player_id for seat in pairing.match.seats.all()]
    first, second = event.registrations.filter(player__in=players).order_by("number")
    bye = event.registrations.exclude(player__in=players).get()

    with pytest.raises(roster_changes.CannotMerge, match="paired against each other in round 1"):
        merge(event, first.number, second.number)
    with pytest.raises(roster_changes.CannotMerge, match="were both paired in round 1"):
        merge(event, first.number, bye.number)


def test_entry_with_an_account_cannot_be_merged_away(event: Tournament):
    Player.objects.filter(pk=player_number(event, 2).player_id).update(user=make_user("bo"))

    with pytest.raises(roster_changes.CannotMerge, match="has an account, so that entry stays"):
        merge(event, 1, 2)
    merge(event, 2, 1)

    assert numbers(event) == [2, 3]


def give_accounts(event: Tournament) -> None:
    for number in (1, 2):
        player = Player.objects.filter(pk=player_number(event, number).player_id)
        player.update(user=make_user(f"account{number}"))


def state_identities(event: Tournament) -> None:
    for number, title in ((1, "Asa Group"), (2, "Sportsmetal")):
        place = player_number(event, number)
        StatedIdentity.objects.create(registration=place, side="corp", title=title)


def erase(event: Tournament) -> None:
    Player.objects.filter(pk=player_number(event, 1).player_id).update(erased_at=timezone.now())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (give_accounts, "both have an account, so they are two people"),
        (state_identities, "played different Corp identities, so they are two people"),
        (erase, "data of this player was erased"),
    ],
)
def test_entries_of_different_or_erased_people_are_not_merged(
    event: Tournament, change: Callable[[Tournament], None], words: str
):
    change(event)

    with pytest.raises(roster_changes.CannotMerge, match=words):
        merge(event, 1, 2)


@pytest.fixture
def full_event() -> Tournament:
    # Entries 3 and 4 wait.
    event = make_event(players=2, max_players=2, has_waiting_list=True)
    for name in ("Stranger", "Ada real"):
        join(event, name)
    return event


def states(event: Tournament) -> dict[int, str]:
    return dict(event.registrations.order_by("number").values_list("number", "state"))


def undo_merge(event: Tournament) -> None:
    undo_services.undo(
        event.log.get(action=LogAction.ENTRIES_MERGED, undone_by=None), owner_of(event)
    )


def test_merge_keeps_the_place_and_undo_frees_the_place(full_event: Tournament):
    merge(full_event, 4, 1)
    assert states(full_event) == {2: "checked_in", 3: "waiting", 4: "checked_in"}

    undo_merge(full_event)

    assert states(full_event) == {1: "registered", 2: "checked_in", 3: "waiting", 4: "waiting"}
    assert [entry.number for entry in full_event.registrations.waiting_list()] == [3, 4]


@pytest.mark.parametrize("is_moved", [False, True])
def test_better_place_on_the_waiting_list_is_merged(full_event: Tournament, is_moved: bool):
    third = join(full_event, "Third")
    if is_moved:
        services.move_on_waiting_list(third, owner_of(full_event), place=1, reason="As agreed")
    before = [entry.number for entry in full_event.registrations.waiting_list()]
    target, duplicate = (4, third.number) if is_moved else (third.number, 3)
    merge(full_event, target, duplicate)
    after = [4, 3] if is_moved else [third.number, 4]
    assert [entry.number for entry in full_event.registrations.waiting_list()] == after

    undo_merge(full_event)

    assert [entry.number for entry in full_event.registrations.waiting_list()] == before


def test_restored_entry_without_a_free_place_waits(full_event: Tournament):
    merge(full_event, 1, 2)
    assert states(full_event)[3] == "registered"

    undo_merge(full_event)

    assert states(full_event) == {1: "checked_in", 2: "waiting", 3: "registered", 4: "waiting"}


def test_active_entry_is_not_merged_into_a_dropped_entry(event: Tournament):
    services.drop_player(player_number(event, 1), owner_of(event))

    with pytest.raises(roster_changes.CannotMerge) as refusal:
        merge(event, 1, 2)

    assert str(refusal.value) == "Number 1 has dropped. Merge it into number 2."
    merge(event, 2, 1)
    assert states(event) == {2: "checked_in", 3: "checked_in"}
    undo_merge(event)
    returned = player_number(event, 1)
    assert (returned.state, returned.dropped_by) == ("dropped", DroppedBy.STAFF)
    assert returned.dropped_at is not None


def test_dropped_player_with_rounds_returns_before_a_merge(event: Tournament):
    play_round(event)
    services.drop_player(player_number(event, 1), owner_of(event))
    late = add_players(event, 1)[0]

    with pytest.raises(roster_changes.CannotMerge, match="Return that player first"):
        merge(event, 1, late.number)


def test_entries_with_decks_are_not_merged(event: Tournament):
    submit(player_number(event, 1))
    submit(player_number(event, 2))

    with pytest.raises(
        roster_changes.CannotMerge, match=r"both submitted a .* deck\. Remove the entry"
    ):
        merge(event, 1, 2)
    with pytest.raises(roster_changes.CannotMerge, match=r"has not\. Open Bo"):
        merge(event, 3, 2)


def test_all_preferences_are_merged_and_restored(event: Tournament):
    duplicate = player_number(event, 2)
    values = {"seed": 5, "avoid_group": "club", "fixed_table": 4, "avoids_stream": True}
    values |= {"first_round_bye": True, "paid_at": timezone.now()}
    event.registrations.filter(number=2).update(**values)
    phone = {"endpoint": "https://push.example/1", "p256dh": "a", "auth": "b"}
    PushSubscription.objects.create(registration=duplicate, **phone)
    MailWish.objects.create(registration=duplicate)
    StatedIdentity.objects.create(registration=duplicate, side="corp", title="Asa Group")

    def carried(number: int) -> list[object]:
        place = player_number(event, number)
        rows = place.phones, MailWish.objects.filter(registration=place), place.stated_identities
        return [getattr(place, name) for name in values] + [found.count() for found in rows]

    before = carried(1)
    merge(event, 1, 2)
    assert carried(1) == [*values.values(), 1, 1, 1]

    undo_merge(event)

    assert carried(1) == before
    assert carried(2) == [*values.values(), 1, 1, 1]


def test_undo_keeps_later_changes(event: Tournament):
    roster_changes.set_seed_and_group(
        player_number(event, 2), owner_of(event), seed=5, avoid_group="club"
    )
    merge(event, 1, 2)
    roster_changes.set_seed_and_group(
        player_number(event, 1), owner_of(event), seed=8, avoid_group="club"
    )

    undo_merge(event)

    entries = player_number(event, 1), player_number(event, 2)
    assert [(entry.seed, entry.avoid_group) for entry in entries] == [(8, ""), (5, "club")]


def test_meeting_seat_is_merged_and_check_in_undone(event: Tournament):
    late = add_players(event, 1, checked_in=False)[0]
    services.seat_meeting(event, owner_of(event), seats=2)
    seat = player_number(event, 2).meeting_table
    merge(event, late.number, 2)
    target = player_number(event, late.number)
    assert (target.meeting_table, target.state) == (seat, "checked_in")

    undo_merge(event)

    assert states(event)[late.number] == "registered"
    assert player_number(event, 2).meeting_table == seat


def test_entry_of_a_known_phone_cannot_be_merged_away(event: Tournament):
    own = join(event, "Zo\u00eb")

    with pytest.raises(
        roster_changes.CannotMerge, match="is signed in on a phone, so that entry stays"
    ):
        merge(event, 1, own.number)
    play_round(event)
    with pytest.raises(roster_changes.CannotMerge, match="personal link"):
        merge(event, 1, own.number)


def test_restored_entry_is_still_a_sign_up(event: Tournament):
    target, duplicate = join(event, "Zo\u00eb"), join(event, "Zoe")
    merge(event, target.number, duplicate.number)

    undo_merge(event)

    sign_ups = event.removable_sign_ups().values_list("number", flat=True)
    assert list(sign_ups) == [target.number, duplicate.number]


def test_log_line_of_a_merge_shows_numbers_only(event: Tournament):
    merge(event, 1, 2)

    line = log_line(event.log.get(action=LogAction.ENTRIES_MERGED))

    assert line.changes == ("number: 1, before: 2",)
