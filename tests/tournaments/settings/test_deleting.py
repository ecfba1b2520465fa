from datetime import timedelta

import pytest
from django.http import Http404
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from decks.models import Side
from players.models import Player, User
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    work_off,
)
from tests.tournaments.matrix.scene import checksums
from tests.tournaments.pages import url
from tournaments.event.permissions import Actor
from tournaments.integrations import webhooks
from tournaments.judging import local_rulings
from tournaments.models import StaffRole, Tournament
from tournaments.practice import services as practice_services
from tournaments.registration import services as registration_services
from tournaments.settings import services


def test_deletion_leaves_no_rows_behind(owner: User):
    load_cards()
    second_event = make_event(players=3, owner=owner, name="Another evening")
    before = checksums()

    event = make_event(players=5, owner=owner)
    actor = Actor(user=owner)
    submit_deck(player_number(event, 1), Side.CORP, legal_corp_list(), actor)
    services.invite_staff(event, actor, StaffRole.JUDGE, timezone.now() + timedelta(hours=1), "Bea")
    webhooks.add_webhook(event, actor, address="https://hooks.example/x", events=["round.closed"])
    draft_round(event)
    services.delete_event(event, owner_of(event))

    assert checksums() == before
    assert second_event.registrations.count() == 3


def test_players_of_other_events_remain(event: Tournament, owner: User):
    second_event = make_event(players=0, owner=owner, name="Another evening")
    services.set_registration(second_event, owner_of(second_event), is_open=True)
    ada = player_number(event, 1).player
    registration_services.register_player(second_event, ada, Actor(player=ada))

    services.delete_event(event, owner_of(event))

    assert list(Player.objects.values_list("pk", flat=True)) == [ada.pk]


def test_published_event_is_not_deleted(event: Tournament):
    start_round(event)
    before = checksums()

    with pytest.raises(services.CannotDelete, match="Round 1 is published"):
        services.delete_event(event, owner_of(event))

    assert checksums() == before


def test_practice_copies_are_deleted_too(owner: User):
    before = checksums()
    event = make_event(players=5, owner=owner)
    sandbox = practice_services.create_practice(event, owner_of(event))
    practice_services.play_round(sandbox, owner_of(sandbox))
    work_off(sandbox)

    services.delete_event(event, owner_of(event))

    assert checksums() == before


def test_event_with_rulings_is_not_deleted(event: Tournament):
    actor = owner_of(event)
    local_rulings.make(event, actor, "Lockjaw", local_rulings.Wording("It may be used twice."))

    with pytest.raises(services.CannotDelete, match="rulings are never deleted"):
        services.delete_event(event, actor)

    assert event.local_rulings.count() == 1


def test_change_after_deletion_is_not_found(event: Tournament):
    late = Tournament.objects.get(pk=event.pk)
    services.delete_event(event, owner_of(event))

    with pytest.raises(Http404):
        services.change_settings(late, Actor(), name="Another name")


def test_idempotency_key_of_a_deleted_event_is_not_reused(owner: User):
    client = APIClient()
    client.force_login(owner)
    key, body = {"Idempotency-Key": "the-roster-of-tonight"}, {"players": [{"name": "Ada"}]}
    for _ in range(2):
        event = make_event(players=0, owner=owner, name="Tonight")
        added = client.post(
            f"/api/v1/events/{event.slug}/registrations/", body, "json", headers=key
        )
        count = event.registrations.count()
        services.delete_event(event, owner_of(event))

    assert (added.status_code, count) == (422, 0)


def test_page_deletes_with_a_ticked_box(event: Tournament, desk: Client):
    page = desk.get(url("settings", event)).content.decode()
    assert "Delete the event" in page

    desk.post(url("delete", event))
    assert Tournament.objects.filter(pk=event.pk).exists()
    answer = desk.post(url("delete", event), {"sure": "yes"})

    assert answer.status_code == 302
    assert not Tournament.objects.filter(pk=event.pk).exists()


def test_page_and_api_refuse_to_delete_a_published_event(event: Tournament, desk: Client):
    start_round(event)

    assert "Delete the event" not in desk.get(url("settings", event)).content.decode()
    refused = desk.post(url("delete", event), {"sure": "yes"}, follow=True)
    answer = desk.delete(f"/api/v1/events/{event.slug}/")

    assert "Round 1 is published" in refused.content.decode()
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot_delete")
    assert Tournament.objects.filter(pk=event.pk).exists()


def test_api_deletes_for_the_owner_only(event: Tournament, owner: User):
    address = f"/api/v1/events/{event.slug}/"
    helper, client = APIClient(), APIClient()
    helper.force_login(add_staff(event, StaffRole.ORGANISER))
    client.force_login(owner)

    assert helper.delete(address).status_code == 403
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404
