"""Entries of the roster corrected and merged."""

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
    removed_meanwhile,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
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


def merge(event: Tournament, kept: int, other: int) -> None:
    places = player_number(event, kept), player_number(event, other)
    roster_changes.merge_entries(*places, owner_of(event), "typed twice")


def test_the_staff_correct_a_name_and_pronouns(desk: Client, event: Tournament):
    before = fresh(event).version

    answer = desk.post(
        path(event, "roster/1/entry/"), {"name": " Zo\u00eb ", "pronouns": "she/her"}, follow=True
    )

    player = player_number(event, 1).player
    assert (player.name, player.pronouns) == ("Zo\u00eb", "she/her")
    assert "number 1 is Zo\u00eb" in answer.text
    assert fresh(event).version > before
    logged = event.log.get(action=LogAction.PLAYER_RENAMED)
    assert (logged.before, logged.after) == ({"name": "Ada"}, {"name": "Zo\u00eb"})


def test_a_name_that_cannot_be_comes_back(desk: Client, event: Tournament):
    long, email = (
        desk.post(path(event, "roster/1/entry/"), {"name": name})
        for name in ("x" * 150, "gus@x.org")
    )

    assert (long.status_code, email.status_code) == (422, 422)
    assert "150 characters" in long.text
    assert "Enter a name, not an email address" in email.text
    assert player_number(event, 1).player.name == "Ada"


def test_who_has_an_account_names_themselves(desk: Client, event: Tournament):
    Player.objects.filter(pk=player_number(event, 1).player_id).update(user=make_user("ada"))

    page = desk.get(path(event, "roster/1/entry/"))
    answer = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"})

    assert "has an account and changes both" in text_of(page)
    assert answer.status_code == 409
    assert player_number(event, 1).player.name == "Ada"


def test_a_name_too_many_is_refused_on_the_page_and_in_the_api(desk: Client, event: Tournament):
    player = player_number(event, 1).player
    Player.objects.filter(pk=player.pk).update(former_names=[f"Ada {n}" for n in range(30)])

    page = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"})
    answer = desk.post(
        f"/api/v1/events/{event.slug}/registrations/1/rename/",
        {"name": "Zo\u00eb"},
        "application/json",
    )

    assert page.status_code == 409
    assert "Ada has had 30 other names" in page.text
    assert (answer.status_code, answer.json()["code"]) == (409, "name_not_usable")


def test_a_name_does_not_change_at_events_of_others(desk: Client, event: Tournament):
    elsewhere = make_event(players=0, name="Elsewhere", owner=make_user("other"))
    services.register_player(elsewhere, player_number(event, 1).player, owner_of(elsewhere))

    answer = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"})

    assert answer.status_code == 409
    assert "other organisers" in answer.text


def test_two_entries_of_one_person_become_one(desk: Client, event: Tournament):
    late = add_players(event, 1, checked_in=False)[0]
    roster_changes.set_seed_and_group(
        player_number(event, 2), owner_of(event), seed=5, avoid_group="club"
    )

    answer = desk.post(
        path(event, f"roster/{late.number}/merge/"), {"other": "2", "reason": "typed twice"}
    )

    assert answer.status_code == 302
    assert numbers(event) == [1, 3, late.number]
    kept = player_number(event, late.number)
    assert kept.state == RegistrationState.CHECKED_IN
    assert (kept.seed, kept.avoid_group) == (5, "club")
    logged = event.log.get(action=LogAction.ENTRIES_MERGED)
    assert (logged.before["number"], logged.after["number"]) == (2, late.number)
    assert logged.reason == "typed twice"


@pytest.mark.parametrize(
    ("page", "typed"), [("1/merge", {"other": "2", "reason": "typed twice"}), ("2/remove", {})]
)
def test_a_second_click_says_that_the_player_is_gone(
    desk: Client, event: Tournament, page: str, typed: dict[str, str]
):
    with removed_meanwhile(player_number(event, 2)):
        answer = desk.post(path(event, f"roster/{page}/"), typed, follow=True)

    assert "This player was taken off the roster meanwhile." in text_of(answer)


def test_a_merge_wants_a_reason_and_an_entry(desk: Client, event: Tournament):
    without = desk.post(path(event, "roster/1/merge/"), {"other": "2"})
    nobody = desk.post(path(event, "roster/1/merge/"), {"other": "99", "reason": "typed twice"})

    assert (without.status_code, nobody.status_code) == (422, 422)
    assert numbers(event) == [1, 2, 3]


def test_the_log_takes_a_merge_and_a_name_back(event: Tournament):
    owner, player = owner_of(event), player_number(event, 2).player
    merge(event, 1, 2)
    guests.rename_guest(player_number(event, 1), owner, "Zo\u00eb", "they")

    for action in (LogAction.PLAYER_RENAMED, LogAction.ENTRIES_MERGED):
        undo_services.undo(event.log.get(action=action), owner)

    back = player_number(event, 2)
    assert (back.player, back.state) == (player, RegistrationState.REGISTERED)
    kept = player_number(event, 1).player
    assert (kept.name, kept.pronouns) == ("Ada", "they")


def test_a_guest_who_gets_an_account_meanwhile_keeps_their_name(event: Tournament):
    ada, account = player_number(event, 1), make_user("ada")

    with (
        pytest.raises(guests.NamesThemselves),
        meanwhile(lambda: Player.objects.filter(pk=ada.player_id).update(user=account)),
    ):
        guests.rename_guest(ada, owner_of(event), "Eve")

    assert player_number(event, 1).player.name == "Ada"


def test_who_was_erased_does_not_come_back(event: Tournament):
    player = player_number(event, 2).player
    merge(event, 1, 2)
    Player.objects.filter(pk=player.pk).update(erased_at=timezone.now())

    with pytest.raises(CannotUndo, match="cannot come back"):
        undo_services.undo(event.log.get(action=LogAction.ENTRIES_MERGED), owner_of(event))


def test_the_entry_that_was_paired_stays(event: Tournament):
    play_round(event)
    late = add_players(event, 1)[0]

    with pytest.raises(roster_changes.CannotMerge, match="has been paired, so that entry stays"):
        merge(event, late.number, 1)
    merge(event, 1, late.number)

    assert numbers(event) == [1, 2, 3]


def test_players_of_one_round_are_two_people(event: Tournament):
    round_ = start_round(event)
    pairing = round_.pairings.exclude(match=None).get()
    players = [seat.player_id for seat in pairing.match.seats.all()]
    one, two = event.registrations.filter(player__in=players).order_by("number")
    bye = event.registrations.exclude(player__in=players).get()

    with pytest.raises(roster_changes.CannotMerge, match="paired against each other in round 1"):
        merge(event, one.number, two.number)
    with pytest.raises(roster_changes.CannotMerge, match="paired at once in round 1"):
        merge(event, one.number, bye.number)


def test_the_entry_with_the_account_stays(event: Tournament):
    Player.objects.filter(pk=player_number(event, 2).player_id).update(user=make_user("bo"))

    with pytest.raises(roster_changes.CannotMerge, match="has an account, so that entry stays"):
        merge(event, 1, 2)
    merge(event, 2, 1)

    assert numbers(event) == [2, 3]


def test_two_accounts_are_two_people(event: Tournament):
    for number in (1, 2):
        player = Player.objects.filter(pk=player_number(event, number).player_id)
        player.update(user=make_user(f"account{number}"))

    with pytest.raises(roster_changes.CannotMerge, match="two people"):
        merge(event, 1, 2)


@pytest.fixture
def full() -> Tournament:
    """Two places, taken by who is here; two wait, the second of them somebody typed twice."""
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


def test_a_place_stays_with_its_person_and_undo_gives_it_back(full: Tournament):
    merge(full, 4, 1)
    assert states(full) == {2: "checked_in", 3: "waiting", 4: "checked_in"}

    undo_merge(full)

    assert states(full) == {1: "registered", 2: "checked_in", 3: "waiting", 4: "waiting"}
    assert [entry.number for entry in full.registrations.waiting_list()] == [3, 4]


def test_who_waited_twice_has_the_earlier_place_on_the_list(full: Tournament):
    third = join(full, "Third")
    merge(full, third.number, 3)
    assert [entry.number for entry in full.registrations.waiting_list()] == [third.number, 4]

    undo_merge(full)

    assert [entry.number for entry in full.registrations.waiting_list()] == [3, 4, third.number]


def test_a_place_that_the_staff_gave_on_the_list_goes_over_and_comes_back(full: Tournament):
    third = join(full, "Third")
    services.move_on_waiting_list(third, owner_of(full), place=1, reason="As agreed")
    merge(full, 4, third.number)
    assert [entry.number for entry in full.registrations.waiting_list()] == [4, 3]

    undo_merge(full)

    assert [entry.number for entry in full.registrations.waiting_list()] == [third.number, 3, 4]


def test_without_room_an_entry_comes_back_on_the_waiting_list(full: Tournament):
    merge(full, 1, 2)
    assert states(full)[3] == "registered"

    undo_merge(full)

    assert states(full) == {1: "checked_in", 2: "waiting", 3: "registered", 4: "waiting"}


def test_nobody_is_merged_into_an_entry_that_has_dropped(event: Tournament):
    services.drop_player(player_number(event, 1), owner_of(event))

    with pytest.raises(roster_changes.CannotMerge) as refusal:
        merge(event, 1, 2)

    assert str(refusal.value) == "Number 1 has dropped. Merge it into number 2."
    merge(event, 2, 1)
    assert states(event) == {2: "checked_in", 3: "checked_in"}
    undo_merge(event)
    back = player_number(event, 1)
    assert (back.state, back.dropped_by) == ("dropped", DroppedBy.STAFF)
    assert back.dropped_at is not None


def test_who_has_dropped_after_a_round_returns_before_a_merge(event: Tournament):
    play_round(event)
    services.drop_player(player_number(event, 1), owner_of(event))
    late = add_players(event, 1)[0]

    with pytest.raises(roster_changes.CannotMerge, match="Return that player first"):
        merge(event, 1, late.number)


def test_no_deck_goes_with_an_entry(event: Tournament):
    submit(player_number(event, 1))
    submit(player_number(event, 2))

    with pytest.raises(
        roster_changes.CannotMerge, match=r"both handed in a .* deck\. Remove the entry"
    ):
        merge(event, 1, 2)
    with pytest.raises(roster_changes.CannotMerge, match=r"has not\. Open Bo"):
        merge(event, 3, 2)


def test_all_wishes_go_over_and_come_back(event: Tournament):
    other = player_number(event, 2)
    wishes = {"seed": 5, "avoid_group": "club", "fixed_table": 4, "avoids_stream": True}
    wishes |= {"first_round_bye": True, "paid_at": timezone.now()}
    event.registrations.filter(number=2).update(**wishes)
    phone = {"endpoint": "https://push.example/1", "p256dh": "a", "auth": "b"}
    PushSubscription.objects.create(registration=other, **phone)
    MailWish.objects.create(registration=other)
    StatedIdentity.objects.create(registration=other, side="corp", title="Asa Group")

    def carried(number: int) -> list[object]:
        place = player_number(event, number)
        rows = place.phones, MailWish.objects.filter(registration=place), place.stated_identities
        return [getattr(place, one) for one in wishes] + [found.count() for found in rows]

    before = carried(1)
    merge(event, 1, 2)
    assert carried(1) == [*wishes.values(), 1, 1, 1]

    undo_merge(event)

    assert carried(1) == before
    assert carried(2) == [*wishes.values(), 1, 1, 1]


def test_undo_keeps_what_was_changed_since(event: Tournament):
    roster_changes.set_seed_and_group(
        player_number(event, 2), owner_of(event), seed=5, avoid_group="club"
    )
    merge(event, 1, 2)
    roster_changes.set_seed_and_group(
        player_number(event, 1), owner_of(event), seed=8, avoid_group="club"
    )

    undo_merge(event)

    kept, back = player_number(event, 1), player_number(event, 2)
    assert [(one.seed, one.avoid_group) for one in (kept, back)] == [(8, ""), (5, "club")]


def test_a_seat_at_the_meeting_goes_over_and_the_check_in_back(event: Tournament):
    late = add_players(event, 1, checked_in=False)[0]
    services.seat_meeting(event, owner_of(event), seats=2)
    seat = player_number(event, 2).meeting_table
    merge(event, late.number, 2)
    kept = player_number(event, late.number)
    assert (kept.meeting_table, kept.state) == (seat, "checked_in")

    undo_merge(event)

    assert states(event)[late.number] == "registered"
    assert player_number(event, 2).meeting_table == seat


def test_other_identities_are_two_people(event: Tournament):
    for number, title in ((1, "Asa Group"), (2, "Sportsmetal")):
        place = player_number(event, number)
        StatedIdentity.objects.create(registration=place, side="corp", title=title)

    with pytest.raises(roster_changes.CannotMerge, match="two people"):
        merge(event, 1, 2)


def test_who_joined_on_their_own_phone_stays(event: Tournament):
    own = join(event, "Zo\u00eb")

    with pytest.raises(roster_changes.CannotMerge, match="is known, so that entry stays"):
        merge(event, 1, own.number)
    play_round(event)
    with pytest.raises(roster_changes.CannotMerge, match="personal link"):
        merge(event, 1, own.number)


def test_whose_entry_came_back_has_still_joined_on_their_own(event: Tournament):
    one, two = join(event, "Zo\u00eb"), join(event, "Zoe")
    merge(event, one.number, two.number)

    undo_merge(event)

    found = event.removable_sign_ups().values_list("number", flat=True)
    assert list(found) == [one.number, two.number]


def test_nobody_is_merged_into_somebody_erased(event: Tournament):
    Player.objects.filter(pk=player_number(event, 1).player_id).update(erased_at=timezone.now())

    with pytest.raises(roster_changes.CannotMerge, match="data of this player was erased"):
        merge(event, 1, 2)


def test_the_log_says_a_merge_without_keys(event: Tournament):
    merge(event, 1, 2)

    line = log_line(event.log.get(action=LogAction.ENTRIES_MERGED))

    assert line.changes == ("number: 1, before: 2",)
