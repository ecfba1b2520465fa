"""Reasons of a pairing on the phone and the page of the table."""

from collections.abc import Callable

from django.test import Client

from tests.factories.tournaments import make_event, play_round, sitting, start_round, table
from tests.tournaments.pages import text_of
from tournaments.models import Pairing, Registration, Tournament

Phone = Callable[[Registration], Client]


def page_of(pairing: Pairing) -> str:
    event = pairing.round.stage.tournament
    return f"/events/{event.slug}/rounds/{pairing.round.number}/tables/{pairing.table_number}/"


def test_reasons_of_a_pairing_are_public(client: Client, event: Tournament):
    play_round(event)
    pairing = table(start_round(event), 1)

    page = text_of(client.get(page_of(pairing)))

    assert "Why this pairing?" in page
    assert "Equal scores: 20 points each." in page or "plays down" in page
    assert "Points before the round:" in page
    assert "player 1" not in page


def test_phone_links_to_the_reasons_of_its_table(
    event: Tournament, pairing: Pairing, phone_of: Phone
):
    phone = phone_of(sitting(pairing)[0])

    own = phone.get(f"/events/{event.slug}/me/")
    reasons = phone.get(page_of(pairing))

    assert "Why am I playing them?" in text_of(own)
    assert f'href="{page_of(pairing)}"' in own.text
    assert "Random draw for the first round." in text_of(reasons)
    assert "/help/pairing/#double" in reasons.text


def test_player_with_the_bye_sees_the_reason(phone_of: Phone):
    event = make_event(players=3)
    bye = start_round(event).pairings.get(match=None).bye
    assert bye is not None

    page = text_of(phone_of(bye).get(f"/events/{event.slug}/me/"))

    assert "Why do I have a bye?" in page
    assert "has the bye" in page


def test_avoid_groups_are_not_public(client: Client):
    event = make_event(players=2)
    event.registrations.update(avoid_group="the Berlin car")
    pairing = table(start_round(event), 1)
    assert any(reason["kind"] == "avoid_group" for reason in pairing.reasons)

    assert "Berlin" not in client.get(page_of(pairing)).content.decode()


def test_table_made_by_hand_is_marked(client: Client, event: Tournament):
    pairing = table(start_round(event), 1)
    Pairing.objects.filter(pk=pairing.pk).update(made_by_hand=True, reasons=[])

    assert "The organiser paired this table by hand." in text_of(client.get(page_of(pairing)))
