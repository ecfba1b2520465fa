import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from core.secret_links import digest
from players import services as player_services
from players.models import Player
from tests.factories.tournaments import (
    add_players,
    make_event,
    make_user,
    owner_of,
    player_number,
)
from tests.queries import queries_of
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.models import IdempotencyRecord, LogAction, Tournament
from tournaments.registration import guests, services


def make_scene() -> Tournament:
    return make_event(players=3, owner=make_user(OWNER))


def links_on(page: str) -> dict[str, str]:
    lines = re.search(r'<textarea id="links"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert lines is not None
    return dict(line.split(": ", 1) for line in lines[1].strip().splitlines())


def test_sheet_has_a_working_link_for_every_guest(desk: Client, event: Tournament):
    known = player_number(event, 2).player
    Player.objects.filter(pk=known.pk).update(user=make_user("bo"))
    form = desk.get(path(event, "roster/links/"))
    answer = desk.post(path(event, "roster/links/"))

    links = links_on(answer.text)
    assert "2 players have no account" in text_of(form)
    assert sorted(links) == sorted(player_number(event, number).player.name for number in (1, 3))
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer.text.count("Personal link of") == 2
    phone, name = Client(), player_number(event, 1).player.name
    phone.get(links[name].replace("http://testserver", ""))
    assert phone.post("/claim/")["Location"] == "/my-table/"
    assert event.log.filter(action=LogAction.CLAIM_LINK_GIVEN).count() == 2


def test_known_phones_and_guests_of_other_organisers_get_no_link(desk: Client, event: Tournament):
    foreign_event = make_event(players=0, name="Elsewhere", owner=make_user("other"))
    services.register_player(foreign_event, player_number(event, 1).player, owner_of(foreign_event))
    secret = player_services.issue_claim(player_number(event, 2).player)
    claimed, joined = Client(), Client()
    claimed.get(f"/claim/{secret}/")
    claimed.post("/claim/")
    joined.post(f"/join/{event.join_code}/", {"name": "Zo\u00eb"})

    links = links_on(desk.post(path(event, "roster/links/")).text)

    assert list(links) == [player_number(event, 3).player.name]
    for phone in (claimed, joined):
        assert phone.get(path(event, "me/")).status_code == 200


def test_earlier_links_still_work(desk: Client, event: Tournament):
    secret = player_services.issue_claim(player_number(event, 1).player)
    old = player_number(event, 2).player
    player_services.issue_claim(old, timezone.now())

    form = desk.get(path(event, "roster/links/"))
    links = links_on(desk.post(path(event, "roster/links/")).text)

    assert "3 players have no account" in text_of(form)
    assert "2 of them have no link" in text_of(form)
    assert sorted(links) == sorted(player_number(event, number).player.name for number in (2, 3))
    assert Client().get(f"/claim/{secret}/").status_code == 302
    assert "New links for all" in desk.get(path(event, "roster/links/")).text
    assert len(links_on(desk.post(path(event, "roster/links/"), {"anew": "1"}).text)) == 3


def test_reload_makes_no_new_links(desk: Client, event: Tournament):
    form = {"anew": "1", "idempotency_key": "k1"}
    first = desk.post(path(event, "roster/links/"), form)
    assert len(links_on(first.text)) == 3
    assert first["Referrer-Policy"] == "no-referrer"
    hashes = set(Player.objects.values_list("claim_hash", flat=True))

    again = desk.post(path(event, "roster/links/"), form, follow=True)

    assert "already made" in text_of(again)
    assert set(Player.objects.values_list("claim_hash", flat=True)) == hashes
    assert not IdempotencyRecord.objects.filter(answer__icontains="/claim/").exists()


def test_sheet_has_a_constant_number_of_queries(desk: Client, event: Tournament):
    def play_elsewhere(name: str) -> None:
        second_event = make_event(players=0, name=name, owner=make_user())
        services.register_player(
            second_event, player_number(event, 1).player, owner_of(second_event)
        )

    def count_queries() -> tuple[int, int]:
        address = path(event, "roster/links/")
        form = queries_of(lambda: desk.get(address))
        return form, queries_of(lambda: desk.post(address, {"anew": "1"}))

    play_elsewhere("Elsewhere")
    before = count_queries()
    add_players(event, 20)
    for name in ("One", "Two", "Three"):
        play_elsewhere(name)

    assert count_queries() == before


@pytest.mark.check(23)
@pytest.mark.parametrize(
    ("days_ahead", "works_for"),
    [(0, 29), (60, 89), (-365, 6)],
)
def test_link_expires_some_time_after_the_event(time_machine, days_ahead, works_for):
    time_machine.move_to("2026-05-02T10:00:00Z")
    starts_on = timezone.now().date() + timedelta(days=days_ahead)
    place = player_number(make_event(players=1, starts_on=starts_on), 1)
    secret = guests.issue_claim_link(place, owner_of(place.tournament))

    time_machine.shift(timedelta(days=works_for))
    assert player_services.get_claimable_player(digest(secret))
    time_machine.shift(timedelta(days=1, hours=1))
    with pytest.raises(player_services.ClaimExpired):
        player_services.use_claim(digest(secret))
