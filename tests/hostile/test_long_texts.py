"""A hundred kilobytes in every field of the site, one field at a time: no response is a 500."""

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.cookies import SimpleCookie
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

import pytest
from django import forms
from django.db import transaction
from django.test import Client
from django.urls import reverse

from players.models import User
from rulings import services as rulings_services
from rulings.reference_importer import load_reference
from tests.api.matrix.scene import make_scene as make_api_scene
from tests.api.matrix.table import EXPECTED as OPERATIONS
from tests.api.matrix.table import parts
from tests.factories.library import load_few_rulings
from tests.factories.sessions import logged_in
from tests.hostile.fields import fields_of_pages, texts_of_the_api
from tests.hostile.patterns import APPS
from tests.rulings.test_route_matrix import METHODS as RULING_PAGES
from tests.rulings.test_route_matrix import address as ruling_address
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.matrix.scene import Scene, make_scene

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("quiet_requests"),
    pytest.mark.check(18),
    pytest.mark.goal("G15"),
]
LENGTH = 100_000
SEEDS = ("a", "9", " a", "[", "\u0301", "\ufdfa", "<", "a@", "1\n", "%", "\u200b", '{"a":')
LONG = tuple((seed * LENGTH)[:LENGTH] for seed in SEEDS)
LARGEST = 4_000_000
"""Bytes of a response: an invalid text is shown again, with its letters as entities."""
FEW_PAGES = {"opponent": ("my_event", "dispute", "deck"), "anonymous": ("join", "join_code")}
"""All pages that opponents and strangers see differently from the owner and the player."""
OTHER_PAGES = (
    *("home", "decks:cards", "decks:check", "players:me", "account_email", "account_login"),
    *("account_signup", "account_reset_password", "account_change_password", "account_logout"),
    *("account_reauthenticate", "mfa_index", "mfa_activate_totp", "mfa_add_webauthn"),
    *("mfa_generate_recovery_codes", "players:sessions"),
)


def pages(scene: Scene) -> Iterator[tuple[Client, str]]:
    """Every page of the site, for the users who are shown most forms."""
    keeper = logged_in(User.objects.create_superuser("keeper", password="a long password"))
    people = {
        person: scene.browser(person) for person in ("owner", "player", "opponent", "anonymous")
    }
    readable = [name for name, row in EXPECTED.items() if "GET" in row.methods]
    names_by_person = {"owner": readable, "player": readable, **FEW_PAGES}
    for actor, names in names_by_person.items():
        yield from ((people[actor], scene.address(name)) for name in names)
    for person in (keeper, people["anonymous"], people["player"]):
        yield from ((person, reverse(name)) for name in OTHER_PAGES)
        yield from ((person, ruling_address(name)) for name in RULING_PAGES)


def send_and_roll_back(send: Any) -> tuple[int, int]:
    """Status and length of a response; changes are rolled back."""
    with transaction.atomic():
        answer = send()
        transaction.set_rollback(True)
    return answer.status_code, len(answer.content)


def is_broken(status: int, length: int) -> bool:
    """An error of the site, or a response much longer than the request."""
    return status >= 500 or length > LARGEST


def whole_scene() -> Scene:
    """An event with objects of every kind, and a few rulings besides the rules."""
    scene = make_scene()
    load_few_rulings()
    load_reference()
    rulings_services.create_local_ruling(
        rulings_services.get_local_document("onr"), subject="Dice", text="No dice."
    )
    return scene


@pytest.mark.slow
def test_no_field_of_a_page_is_broken_by_a_long_text(figure):
    scene = whole_scene()
    fields, texts, wrong = fields_of_pages(pages(scene)), cycle(LONG), []

    for label, field in fields.items():
        field.browser.raise_request_exception = False
        cookies, text = field.browser.cookies.output(header="", sep=";"), next(texts)
        status, length = send_and_roll_back(partial(field.send, text))
        # The form that logs out ends the session, which is restored.
        field.browser.cookies = SimpleCookie(cookies)
        if is_broken(status, length):
            wrong.append((label, text[:5], status, length))

    assert not wrong, "\n".join(map(str, wrong))
    assert len(fields) > 200
    figure(f"100 KB in {len(fields)} fields of pages")


@pytest.mark.slow
def test_no_text_of_the_api_is_broken_by_a_long_text(figure):
    scene = make_api_scene()
    clients = {person: scene.client(person) for person in ("organiser", "player", "administrator")}
    texts, wrong, fields = cycle(LONG), [], texts_of_the_api()

    for client in clients.values():
        client.raise_request_exception = False
    for field in fields:
        may, (method, _) = OPERATIONS[field.operation].may, parts(field.operation)
        client = next(
            (clients[person] for person in clients if person in may), clients["organiser"]
        )
        path, text = scene.address(field.operation), next(texts)
        if field.is_parameter:
            send = partial(client.get, f"{path}?{urlencode({str(field.location[0]): text})}")
        else:
            body = field.body(scene.body(field.operation), text)
            send = partial(getattr(client, method.lower()), path, body, "json")
        status, length = send_and_roll_back(send)
        if is_broken(status, length):
            wrong.append((field.operation, field.location, text[:5], status, length))

    assert not wrong, "\n".join(map(str, wrong))
    assert len(fields) > 200
    figure(f"100 KB in {len(fields)} texts of the API")


def test_no_field_of_a_form_is_broken_by_a_long_text(figure):
    """Includes forms that no page currently shows, each by its own rules."""
    fields = {
        f"{form.__qualname__}.{name}": field
        for form in form_classes()
        for name, field in form.base_fields.items()
        if not isinstance(field, forms.FileField)
    }
    for field in fields.values():
        for text in LONG:
            with suppress(forms.ValidationError):
                field.clean(text)

    assert len(fields) > 100
    figure(f"100 KB in {len(fields)} fields of forms")


def form_classes() -> list[Any]:
    classes = {
        value
        for app in APPS
        for module in pkgutil.walk_packages(importlib.import_module(app).__path__, f"{app}.")
        if ".forms" in module.name
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, type) and issubclass(value, forms.BaseForm)
    }
    return sorted(classes, key=lambda form: form.__qualname__)
