"""An evening of Free Radicals through the pages: from the new event to the standings."""

from typing import Any

import pytest
from django.test import Client, TestCase
from django.urls import reverse

from tests.factories.pods import draft_at
from tests.factories.tournaments import get_round, make_user, player_number, tables_of
from tests.tournaments.views.pages import url
from tournaments.models import Pairing, Tournament

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida")
FACTIONS = ("farmers", "artisans", "merchants", "paladins", "couriers")


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(make_user("organiser"))
    return client


@pytest.fixture
def evening(desk: Client) -> Tournament:
    """Created by its page, joined by nine who typed the code, and all checked in."""
    desk.post(
        reverse("tournaments:create"),
        {"name": "Radicals Night", "starts_on": "2026-05-02", "game": "free_radicals"},
    )
    event = Tournament.objects.get()
    for name in NAMES:
        Client().post(reverse("tournaments:join_code", args=[event.join_code]), {"name": name})
    send(desk, event, "check_in_all")
    return event


def send(browser: Client, event: Tournament, page: str, *place: object, **typed: Any) -> str:
    """Press a button; the text of the page it leads to. Jobs it rings for are done at once."""
    address = url(page, event, *place)
    with TestCase.captureOnCommitCallbacks(execute=True):
        answer = browser.post(address, typed, follow=True)
    assert answer.status_code == 200, (page, place)
    return answer.text


def tables(event: Tournament, number: int) -> list[Pairing]:
    return tables_of(get_round(event, number))


def test_two_rounds_from_the_draft_to_the_standings(evening, desk, phone_of):
    for number in (1, 2):
        send(desk, evening, "pair", number=number)
        send(desk, evening, "publish", number)
        send(desk, evening, "start", number)
        for pairing in tables(evening, number):
            _choose_factions(evening, pairing, phone_of)
            _enter(desk, evening, pairing)
        send(desk, evening, "close", number)

    page = desk.get(url("standings", evening))
    lines = page.context["table"].lines
    assert [line.rank for line in lines] == list(range(1, 10))
    assert sum(line.match_points for line in lines) == 2 * 3 * (5 + 3 + 2)
    first = desk.get(url("table", evening, 1, 1)).text
    assert all(name in first for name in ("Farmers", "Artisans", "Merchants"))


def _choose_factions(event: Tournament, pairing: Pairing, phone_of: Any) -> None:
    place = (pairing.round.number, pairing.table_number)
    for faction, pick in zip(FACTIONS, draft_at(pairing).picks, strict=False):
        phone = phone_of(player_number(event, pick.number))
        assert "Your faction is recorded." in send(
            phone, event, "choose_faction", *place, faction=faction
        )


def _enter(desk: Client, event: Tournament, pairing: Pairing) -> None:
    row = f"t{pairing.table_number}"
    typed: dict[str, Any] = {f"{row}-seen": pairing.match.version}
    factions = {one.seat.position: one.faction for one in draft_at(pairing).picks}
    for seat in pairing.match.seats.all():
        typed[f"{row}-victory_points_{seat.position}"] = 40 - 7 * seat.position
        typed[f"{row}-faction_{seat.position}"] = factions[seat.position].id
    send(desk, event, "enter", pairing.round.number, pairing.table_number, **typed)
