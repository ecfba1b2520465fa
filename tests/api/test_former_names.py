"""Fields of the API that once had another name: it is still taken, and marked as deprecated."""

import pytest
import yaml
from django.conf import settings
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIClient

from core.api_bodies import Body, Text
from tests.api.play.conftest import seats, sweep
from tests.factories.tournaments import make_event, make_user, start_round
from tournaments.models import Tournament

ADDRESS = "https://hooks.example/x"


class Renamed(Body):
    """A body of which one field was called otherwise."""

    old_names = {"address": "url"}
    url = Text(max_length=20)


@pytest.fixture
def event() -> Tournament:
    return make_event(players=4, owner=make_user("Olga"))


@pytest.fixture
def owner(event: Tournament) -> APIClient:
    client = APIClient()
    client.force_login(event.staff.get().user)
    return client


@pytest.mark.parametrize("name", ["url", "address"])
def test_a_field_is_taken_by_its_name_of_today_and_by_the_former(name: str):
    body = Renamed(data={name: "here"})

    body.is_valid(raise_exception=True)

    assert body.validated_data == {"url": "here"}


def test_both_names_at_once_are_refused():
    with pytest.raises(ValidationError, match="old name of url"):
        Renamed(data={"url": "here", "address": "there"}).is_valid(raise_exception=True)


def test_what_is_wrong_with_a_former_name_is_said_of_the_field_of_today():
    body = Renamed(data={"address": 7})

    assert not body.is_valid()
    assert list(body.errors) == ["url"]


@pytest.mark.parametrize("name", ["url", "address"])
def test_a_webhook_is_made_by_either_name(event: Tournament, owner: APIClient, name: str):
    made = owner.post(
        f"/api/v1/events/{event.slug}/webhooks/",
        {name: ADDRESS, "events": ["round.closed"]},
        "json",
    )

    assert made.status_code == 201
    assert event.webhooks.get().address == ADDRESS


@pytest.mark.parametrize("seen", ["seen", "seen_version"])
@pytest.mark.parametrize("cites", ["rulings", "cited"])
def test_a_table_is_decided_by_either_name(
    event: Tournament, owner: APIClient, seen: str, cites: str
):
    start_round(event)
    address = f"/api/v1/events/{event.slug}/rounds/1/tables/1/result/"
    version = owner.get(address).data["version"]
    one, two = seats(event)

    answer = owner.put(address, {"result": sweep(one, two), seen: version, cites: []}, "json")

    assert (answer.status_code, answer.data["state"]) == (200, "decided")


def test_a_tie_breaker_is_taken_as_the_event_shows_it_or_by_its_id(
    event: Tournament, owner: APIClient
):
    shown = owner.get(f"/api/v1/events/{event.slug}/").data["tie_breakers"]
    (strength,) = (one for one in shown if one["id"] == "strength_of_schedule")
    address = f"/api/v1/events/{event.slug}/settings/"

    answer = owner.patch(address, {"tie_breakers": [strength, "buchholz"]}, "json")
    unknown = owner.patch(address, {"tie_breakers": [{"id": "luck"}]}, "json")

    assert answer.data["tie_breakers"] == ["strength_of_schedule", "buchholz"]
    assert unknown.status_code == 400
    assert list(unknown.data["errors"]) == ["tie_breakers"]


def test_the_public_event_says_how_it_is_paired_and_by_which_deck_rules(
    event: Tournament, owner: APIClient
):
    shown = APIClient().get(f"/api/v1/events/{event.slug}/").data
    settings_ = owner.get(f"/api/v1/events/{event.slug}/settings/").data

    assert (shown["system"], shown["deck_rules"]) == (settings_["system"], settings_["deck_rules"])


def test_the_description_marks_every_former_name():
    described = yaml.load(settings.API_DESCRIPTION.read_bytes(), yaml.CSafeLoader)
    schemas = described["components"]["schemas"]
    former = {
        (name, field)
        for name, schema in schemas.items()
        for field, said in schema.get("properties", {}).items()
        if said.get("deprecated")
    }

    assert {
        ("DecisionBody", "seen_version"),
        ("DecisionBody", "cited"),
        ("DeckRules", "format_id"),
        ("DeckRulesBody", "format_id"),
        ("EventFile", "address"),
        ("EventFile", "format"),
        ("HandInBody", "address"),
        ("Joining", "address"),
        ("NewInvitation", "link"),
        ("WebhookBody", "address"),
    } <= former
