"""Browsers, phones and API clients of the same people, as many as push one button at one moment."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django.test import Client
from rest_framework.test import APIClient

from core.errors import Refusal
from players.models import User
from tests.api.clients import make_token
from tests.factories.sessions import claim
from tests.tournaments.races.hands import at_once
from tournaments.models import Registration

AnyClient = TypeVar("AnyClient", bound=Client)


def browsers(user: User | None, count: int) -> list[Client]:
    """So many windows of one session of this account."""
    assert user is not None
    first = Client()
    first.force_login(user)
    return _with_session(first.cookies["sessionid"].value, count)


def phones(registration: Registration, count: int) -> list[Client]:
    """So many windows of the one session of a guest, who came by a link."""
    first = claim(Client(), registration.player)
    return _with_session(first.cookies["sessionid"].value, count)


def _with_session(key: str, count: int) -> list[Client]:
    clients = [Client() for _ in range(count)]
    for client in clients:
        client.cookies["sessionid"] = key
    return clients


def api_clients(user: User | None, count: int) -> list[APIClient]:
    """So many API clients with one token of this account."""
    token = make_token(user)
    clients = [APIClient() for _ in range(count)]
    for client in clients:
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return clients


def posted(
    clients: Sequence[AnyClient], address: str, data: Any, **more: Any
) -> Sequence[Callable[[], Any]]:
    """The same POST by each of them, still to be pushed."""
    return [partial(client.post, address, data, **more) for client in clients]


def pushed(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each gets when all push at once; an address answers, so no refusal comes through."""
    answers = at_once(acts)
    assert not [answer for answer in answers if isinstance(answer, Refusal)]
    return answers
