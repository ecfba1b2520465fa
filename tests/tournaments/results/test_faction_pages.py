"""The faction draft of Free Radicals on phone and desk."""

import re
from dataclasses import replace

import pytest

from matches.models import Faction
from matches.scoring.results import FACTIONS
from tests.factories.pods import draft_at, make_pods, places
from tests.factories.tournaments import (
    enter_result,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
)
from tests.tournaments.pages import url
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Tournament
from tournaments.results import services
from tournaments.results.pages import get_dispute


def make_scene() -> Tournament:
    event = make_pods(4)
    start_round(event)
    return event


def at_table(event: Tournament) -> Pairing:
    return table(event.stages.get().rounds.get(), 1)


@pytest.fixture
def phones(event, phone_of):
    """Return the players' browsers in the order of the draft."""
    return [phone_of(player_number(event, pick.number)) for pick in draft_at(at_table(event)).picks]


def take(phone, event: Tournament, faction: str, **extra: str):
    return phone.post(
        url("choose_faction", event, 1, 1), {"faction": faction, **extra}, follow=True
    )


def test_only_the_next_player_can_choose_a_faction(event, phones):
    first, second = phones[0].get(url("my_event", event)), phones[1].get(url("my_event", event))

    assert "It is your turn: choose a faction" in first.text
    assert first.text.count('name="faction"') == 10
    assert "It is your turn" not in second.text
    assert "choosing now" in second.text
    assert not re.search(r"</bdi>\s+,", first.text), "no space between a name and its comma"


def test_chosen_faction_removes_its_colour(event, phones):
    answer = take(phones[0], event, "farmers")
    next_ = phones[1].get(url("my_event", event))

    assert "Your faction is recorded." in answer.text
    assert next_.text.count('name="faction"') == 8
    assert 'value="executives"' not in next_.text
    assert "Farmers" in next_.text


def test_re_paired_table_takes_no_faction(event):
    pairing = at_table(event)
    draft = draft_at(pairing)
    Pairing.objects.filter(pk=pairing.pk).delete()

    with pytest.raises(services.NotPlayable, match="re-paired"):
        services.choose_faction(pairing, draft.picks[0].seat, "farmers", owner_of(event))
    with pytest.raises(services.NotPlayable, match="re-paired"):
        services.set_factions(pairing, {1: "farmers"}, owner_of(event))


def test_choice_redirects_to_local_pages_only(event, phones):
    address = url("table", event, 1, 1)

    local = take(phones[0], event, "farmers", next=address)
    external = take(phones[1], event, "couriers", next="https://example.org/")
    place = url("choose_faction", event, 1, 1)
    nowhere = phones[2].post(place, {"faction": "paladins", "next": "x"})

    assert local.redirect_chain[-1][0] == address
    assert external.redirect_chain[-1][0] == url("my_event", event)
    assert nowhere.status_code == 302


def test_only_players_of_the_table_choose(client, event, phone_of):
    foreign_event = make_event(2, name="Elsewhere")
    stranger = phone_of(player_number(foreign_event, 1))

    assert client.post(url("choose_faction", event, 1, 1)).status_code == 403
    assert stranger.post(url("choose_faction", event, 1, 1)).status_code == 403


def test_faction_draft_is_public(client, event, phones):
    take(phones[0], event, "farmers")
    page = client.get(url("table", event, 1, 1)).text

    assert "Farmers" in page
    assert "choosing now" in page
    assert "Take this faction" not in page
    assert "Set the factions" not in page


def test_faction_draft_disappears_once_a_result_is_reported(client, event, phones):
    enter_result(at_table(event), places(at_table(event)))

    assert "choosing now" not in client.get(url("table", event, 1, 1)).text
    assert "No factions are chosen at this table" in take(phones[0], event, "farmers").text


def test_staff_set_all_factions_at_once(client, event):
    client.force_login(event.staff.get().user)
    page = client.get(url("factions", event, 1, 1))
    chosen = {"seat_1": "farmers", "seat_2": "couriers", "seat_3": "", "seat_4": "paladins"}
    answer = client.post(url("factions", event, 1, 1), chosen, follow=True)

    assert page.text.count("<select") == 4
    assert "The factions are recorded." in answer.text
    assert "Set the factions" in answer.text
    stored = {
        f"seat_{pick.seat.position}": pick.faction.id if pick.faction else ""
        for pick in draft_at(at_table(event)).picks
    }
    assert stored == chosen


def test_staff_form_does_not_overwrite_factions_chosen_since(client, event, phones):
    client.force_login(event.staff.get().user)
    page = client.get(url("factions", event, 1, 1))
    shown = dict(re.findall(r'name="(initial-seat_\d)"(?: value="(\w*)")?', page.text))
    assert len(shown) == 4
    second = f"seat_{draft_at(at_table(event)).picks[1].seat.position}"
    take(phones[0], event, "farmers")

    blank = {f"seat_{place}": "" for place in range(1, 5)}
    client.post(url("factions", event, 1, 1), {**shown, **blank, second: "couriers"})

    stored = [pick.faction.id for pick in draft_at(at_table(event)).picks if pick.faction]
    assert stored == ["farmers", "couriers"]


@pytest.mark.parametrize(
    ("chosen", "status", "words"),
    [
        ({"seat_1": "farmers", "seat_2": "executives"}, 409, "of the same colour (red)"),
        ({"seat_1": "nobody"}, 422, "Choose a faction from the list."),
    ],
)
def test_invalid_factions_are_refused(client, event, chosen, status, words):
    client.force_login(event.staff.get().user)

    answer = client.post(url("factions", event, 1, 1), chosen)

    assert (answer.status_code, words in answer.text) == (status, True)
    assert all(pick.faction is None for pick in draft_at(at_table(event)).picks)


def test_page_of_a_game_without_factions_redirects_to_the_table(client):
    event = make_event(4)
    start_round(event)
    client.force_login(event.staff.get().user)

    answer = client.get(url("factions", event, 1, 1), follow=True)

    assert answer.redirect_chain[-1][0] == url("table", event, 1, 1)
    assert "No factions can be chosen" in answer.text


def test_pairings_by_table_show_all_seats_in_order(client):
    event = make_pods(9)
    round_ = start_round(event)

    lines = client.get(url("round", event, 1), {"by": "table"}).context["lines"]

    assert [[seat.name for seat in line.seats] for line in lines] == [
        [seat.player.name for seat in table(round_, number).match.seats.all()]
        for number in (1, 2, 3)
    ]


def test_every_page_of_an_event_with_pods_opens(client):
    event = make_pods(9)
    play_round(event, play=places)
    start_round(event)
    client.force_login(event.staff.get().user)

    for address in (
        *(url(page, event) for page in ("pairings", "projector", "standings", "schedule", "desk")),
        url("results", event, 2),
        url("slips", event, 2),
        url("decide", event, 2, 1),
        url("factions", event, 2, 1),
        url("print_pairings", event, 2),
        url("player", event, 1),
    ):
        assert client.get(address).status_code == 200, address


def test_dispute_shows_the_stored_factions(event):
    for facts in FACTIONS.values():
        values = {"name": facts.name, "colour": facts.colour}
        Faction.objects.update_or_create(pk=facts.id, defaults=values)
    Faction.objects.filter(pk="farmers").update(name="Growers")
    pairing = at_table(event)
    assert pairing.match is not None
    seats = pairing.match.seats.order_by("position")[:2]
    for seat, faction in zip(seats, ("farmers", "merchants"), strict=True):
        result = replace(places(pairing), factions=(faction, "", "", ""))
        services.report_result(pairing, seat, result, Actor(player=seat.player))

    fields = get_dispute(pairing.match).fields

    assert ("Growers", "Merchants") in [field.values for field in fields]
