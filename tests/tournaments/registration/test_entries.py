"""Entries of the roster corrected and merged; personal links for everybody on one sheet."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from players import services as player_services
from players.models import Player
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_players,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.pages import path, text_of
from tournaments.desk.services import undo
from tournaments.desk.services.undo_kinds import CannotUndo
from tournaments.models import LogAction, RegistrationState, Tournament
from tournaments.registration.services import merging, profiles, registrations, rosters


@pytest.fixture
def event() -> Tournament:
    return make_event(players=3)


@pytest.fixture
def desk(event: Tournament) -> Client:
    user = owner_of(event).user
    assert user is not None
    return logged_in(user)


def numbers(event: Tournament) -> list[int]:
    return list(event.registrations.order_by("number").values_list("number", flat=True))


def merge(event: Tournament, kept: int, other: int) -> None:
    places = player_number(event, kept), player_number(event, other)
    merging.merge(*places, owner_of(event), "typed twice")


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
    answer = desk.post(path(event, "roster/1/entry/"), {"name": "x" * 150})

    assert answer.status_code == 422
    assert "150 characters" in answer.text
    assert player_number(event, 1).player.name == "Ada"


def test_who_has_an_account_names_themselves(desk: Client, event: Tournament):
    Player.objects.filter(pk=player_number(event, 1).player_id).update(user=make_user("ada"))

    page = desk.get(path(event, "roster/1/entry/"))
    answer = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"})

    assert "has an account and changes both" in text_of(page)
    assert answer.status_code == 409
    assert player_number(event, 1).player.name == "Ada"


def test_a_name_does_not_change_at_events_of_others(desk: Client, event: Tournament):
    elsewhere = make_event(players=0, name="Elsewhere", owner=make_user("other"))
    registrations.register(elsewhere, player_number(event, 1).player, owner_of(elsewhere))

    answer = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"})

    assert answer.status_code == 409
    assert "other organisers" in answer.text


def test_two_entries_of_one_person_become_one(desk: Client, event: Tournament):
    late = add_players(event, 1, checked_in=False)[0]
    rosters.set_seed_and_group(player_number(event, 2), owner_of(event), seed=5, avoid_group="club")

    answer = desk.post(
        path(event, f"roster/{late.number}/merge/"), {"other": "2", "reason": "typed twice"}
    )

    assert answer.status_code == 302
    assert numbers(event) == [1, 3, late.number]
    kept = player_number(event, late.number)
    assert kept.state == RegistrationState.CHECKED_IN
    assert (kept.seed, kept.avoid_group) == (5, "club")
    logged = event.log.get(action=LogAction.ENTRIES_MERGED)
    assert (logged.before["number"], logged.after) == (2, {"number": late.number})
    assert logged.reason == "typed twice"


def test_a_merge_wants_a_reason_and_an_entry(desk: Client, event: Tournament):
    without = desk.post(path(event, "roster/1/merge/"), {"other": "2"})
    nobody = desk.post(path(event, "roster/1/merge/"), {"other": "99", "reason": "typed twice"})

    assert (without.status_code, nobody.status_code) == (422, 422)
    assert numbers(event) == [1, 2, 3]


def test_the_log_takes_a_merge_and_a_name_back(event: Tournament):
    owner, player = owner_of(event), player_number(event, 2).player
    merge(event, 1, 2)
    profiles.rename(player_number(event, 1), owner, "Zo\u00eb", "they")

    for action in (LogAction.PLAYER_RENAMED, LogAction.ENTRIES_MERGED):
        undo.undo(event.log.get(action=action), owner)

    back = player_number(event, 2)
    assert (back.player, back.state) == (player, RegistrationState.REGISTERED)
    kept = player_number(event, 1).player
    assert (kept.name, kept.pronouns) == ("Ada", "they")


def test_who_was_erased_does_not_come_back(event: Tournament):
    player = player_number(event, 2).player
    merge(event, 1, 2)
    Player.objects.filter(pk=player.pk).update(erased_at=timezone.now())

    with pytest.raises(CannotUndo, match="cannot come back"):
        undo.undo(event.log.get(action=LogAction.ENTRIES_MERGED), owner_of(event))


def test_the_entry_that_was_paired_stays(event: Tournament):
    play_round(event)
    late = add_players(event, 1)[0]

    with pytest.raises(merging.CannotMerge, match="has been paired, so that entry stays"):
        merge(event, late.number, 1)
    merge(event, 1, late.number)

    assert numbers(event) == [1, 2, 3]


def test_players_of_one_round_are_two_people(event: Tournament):
    round_ = start_round(event)
    pairing = round_.pairings.exclude(match=None).get()
    players = [seat.player_id for seat in pairing.match.seats.all()]
    one, two = event.registrations.filter(player__in=players).order_by("number")
    bye = event.registrations.exclude(player__in=players).get()

    with pytest.raises(merging.CannotMerge, match="paired against each other in round 1"):
        merge(event, one.number, two.number)
    with pytest.raises(merging.CannotMerge, match="paired at once in round 1"):
        merge(event, one.number, bye.number)


def test_the_entry_with_the_account_stays(event: Tournament):
    Player.objects.filter(pk=player_number(event, 2).player_id).update(user=make_user("bo"))

    with pytest.raises(merging.CannotMerge, match="has an account, so that entry stays"):
        merge(event, 1, 2)
    merge(event, 2, 1)

    assert numbers(event) == [2, 3]


def test_two_accounts_are_two_people(event: Tournament):
    for number in (1, 2):
        player = Player.objects.filter(pk=player_number(event, number).player_id)
        player.update(user=make_user(f"account{number}"))

    with pytest.raises(merging.CannotMerge, match="two people"):
        merge(event, 1, 2)


def links_on(page: str) -> dict[str, str]:
    """The lines to send: each name with its link."""
    lines = re.search(r'<textarea id="links"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert lines is not None
    return dict(line.split(": ", 1) for line in lines[1].strip().splitlines())


def test_one_sheet_has_a_link_that_works_for_everybody_without_one(desk: Client, event: Tournament):
    known = player_number(event, 2).player
    Player.objects.filter(pk=known.pk).update(user=make_user("bo"))
    asked = desk.get(path(event, "roster/links/"))
    answer = desk.post(path(event, "roster/links/"))

    links = links_on(answer.text)
    assert "2 players have no account" in text_of(asked)
    assert sorted(links) == sorted(player_number(event, number).player.name for number in (1, 3))
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer.text.count("Personal link of") == 2
    phone, name = Client(), player_number(event, 1).player.name
    phone.get(links[name].replace("http://testserver", ""))
    assert phone.post("/claim/")["Location"] == "/my-table/"
    assert event.log.filter(action=LogAction.CLAIM_LINK_GIVEN).count() == 2


def test_who_has_used_a_link_or_plays_for_others_gets_none(desk: Client, event: Tournament):
    elsewhere = make_event(players=0, name="Elsewhere", owner=make_user("other"))
    registrations.register(elsewhere, player_number(event, 1).player, owner_of(elsewhere))
    secret = player_services.issue_claim(player_number(event, 2).player)
    phone = Client()
    phone.get(f"/claim/{secret}/")
    phone.post("/claim/")

    links = links_on(desk.post(path(event, "roster/links/")).text)

    assert list(links) == [player_number(event, 3).player.name]
    assert phone.get(path(event, "me/")).status_code == 200


def test_who_joined_on_their_own_phone_stays_logged_in(desk: Client, event: Tournament):
    phone = Client()
    phone.post(f"/join/{event.join_code}/", {"name": "Zo\u00eb"})

    links = links_on(desk.post(path(event, "roster/links/")).text)

    assert "Zo\u00eb" not in links
    assert phone.get(path(event, "me/")).status_code == 200


def test_the_sheet_asks_no_more_for_more_players(desk: Client, event: Tournament):
    few = queries_of(lambda: desk.post(path(event, "roster/links/")))
    add_players(event, 20)

    assert queries_of(lambda: desk.post(path(event, "roster/links/"))) == few
