"""Browsers, phones and API clients that send one request at the same moment."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django.test import Client
from rest_framework.test import APIClient

from core.errors import Refusal
from players.models import User
from tests.api.clients import make_token
from tests.factories.sessions import claim
from tests.tournaments.races.threads import run_at_once
from tournaments.models import Registration

AnyClient = TypeVar("AnyClient", bound=Client)


def browsers(user: User | None, count: int) -> list[Client]:
    """Return browsers that share one session of this account."""
    assert user is not None
    first = Client()
    first.force_login(user)
    return _with_session(first.cookies["sessionid"].value, count)


def phones(registration: Registration, count: int) -> list[Client]:
    """Return browsers that share the session of a guest who opened a personal link."""
    first = claim(Client(), registration.player)
    return _with_session(first.cookies["sessionid"].value, count)


def _with_session(key: str, count: int) -> list[Client]:
    clients = [Client() for _ in range(count)]
    for client in clients:
        client.cookies["sessionid"] = key
    return clients


def api_clients(user: User | None, count: int) -> list[APIClient]:
    """Return API clients that share one token of this account."""
    token = make_token(user)
    clients = [APIClient() for _ in range(count)]
    for client in clients:
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return clients


def post_requests(
    clients: Sequence[AnyClient], address: str, data: Any, **more: Any
) -> Sequence[Callable[[], Any]]:
    """Return one POST per client, ready to be sent."""
    return [partial(client.post, address, data, **more) for client in clients]


def send_at_once(requests: Sequence[Callable[[], Any]]) -> list[Any]:
    """Send all requests at the same moment and return their responses.

    A Refusal must become a response, so it fails the test.
    """
    answers = run_at_once(requests)
    assert not [answer for answer in answers if isinstance(answer, Refusal)]
    return answers
