"""Idempotent POSTs from phones: a repeated key replays the first response.

A form gets a page. A script that accepts JSON gets `{"told": [{"level", "text"}], "next"}`:
messages for the player and the URL of the next page.
"""

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypedDict

from django.contrib import messages
from django.contrib.messages import get_messages
from django.contrib.messages.constants import DEFAULT_TAGS
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from core import database, idempotency
from core.errors import Refusal
from core.idempotency import StoredAnswer, WriteRequest
from tournaments.event.permissions import actor_of
from tournaments.models import IdempotencyRecord
from tournaments.web.offline import reader_id

P = ParamSpec("P")


READER_HEADER = "Datafort-Reader"


class ReaderHasChanged(Refusal):
    """The queued form was filled in by a different player on this device."""


class ShownMessage(TypedDict):
    """A message to the player; `level` is "success", "info", "warning" or "error"."""

    level: str
    text: str


class SecretResponse(HttpResponse):
    """A response with secrets, which is not stored. Replays redirect to `next` with a message."""

    def __init__(self, page: HttpResponse, next_: str, replay_message: str) -> None:
        super().__init__(page.content, status=page.status_code)
        self.next, self.replay_message = next_, replay_message


def idempotent(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Run a POST with a key once. Without a key, or for a stranger, call the view as usual."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        sender = actor_of(request).sender
        if request.method != "POST" or not sender:
            return view(request, *args, **kwargs)
        try:
            _refuse_other_reader(request)
            key = idempotency.request_key(request)
            act = partial(view, request, *args, **kwargs)
            if not key:
                return database.run_with_fetches(act)
            write = WriteRequest(sender, key, idempotency.digest_of_form(request))
            return database.run_with_fetches(_IdempotentRequest(request).answer, write, act)
        except (
            ReaderHasChanged,
            idempotency.KeyNotUsable,
            idempotency.KeyUsedOtherwise,
        ) as refusal:
            return _refusal_response(request, refusal)

    return wrapper


def _refuse_other_reader(request: HttpRequest) -> None:
    """Reject a queued form that a different player filled in on this device."""
    author = request.headers.get(READER_HEADER)
    if author is not None and author != reader_id(request):
        raise ReaderHasChanged(
            _(
                "Not sent: another player uses this device now. Open your own page and enter it "
                "again."
            )
        )


class _IdempotentRequest:
    """A request in progress, with the response to store."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.page: HttpResponse | None = None
        self.stored: StoredAnswer | None = None
        self.earlier_messages = len(_message_storage(request))

    def answer(self, write: WriteRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
        answer = idempotency.answer_once(
            IdempotencyRecord, write, lambda: self._answer_to_store(act())
        )
        if answer is None:
            assert self.page is not None
            return self.page
        if answer is self.stored and isinstance(self.page, SecretResponse):
            return self.page
        shown: list[ShownMessage] = answer.content["told"]
        next_: str = answer.content["next"]
        if wants_json(self.request):
            _message_storage(self.request).used = True
            is_refused = any(message["level"] == "error" for message in shown)
            status = HTTPStatus.CONFLICT if is_refused else HTTPStatus.OK
            return JsonResponse({"told": shown, "next": next_}, status=status)
        if self.page is None:
            for message in shown:
                level = MESSAGE_LEVELS[message["level"]]
                messages.add_message(self.request, level, message["text"])
        return HttpResponseRedirect(next_)

    def _answer_to_store(self, page: HttpResponse) -> StoredAnswer | None:
        """Return the redirect and its messages; None for a form that is shown again."""
        self.page = page
        if isinstance(page, SecretResponse):
            warning: list[ShownMessage] = [{"level": "warning", "text": page.replay_message}]
            self.stored = StoredAnswer(HTTPStatus.FOUND, {"told": warning, "next": page.next})
            return self.stored
        if not isinstance(page, HttpResponseRedirect):
            return None
        shown = _unread_messages(self.request)[self.earlier_messages :]
        return StoredAnswer(page.status_code, {"told": shown, "next": page.url})


MESSAGE_LEVELS = {tag: level for level, tag in DEFAULT_TAGS.items()}


def wants_json(request: HttpRequest) -> bool:
    """Return True for requests by scripts, which display the response themselves."""
    return request.headers.get("Accept", "") == "application/json"


def _message_storage(request: HttpRequest) -> BaseStorage:
    storage = get_messages(request)
    assert isinstance(storage, BaseStorage)
    return storage


def _unread_messages(request: HttpRequest) -> list[ShownMessage]:
    storage = _message_storage(request)
    unread: list[ShownMessage] = [
        {"level": message.level_tag, "text": str(message)} for message in storage
    ]
    # Reading the messages must not mark them as shown.
    storage.used = False
    return unread


def _refusal_response(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if wants_json(request):
        shown: list[ShownMessage] = [{"level": "error", "text": str(refusal)}]
        return JsonResponse({"told": shown, "next": "", "code": refusal.code}, status=status)
    context: dict[str, Any] = {"refusal": refusal}
    return render(request, "tournaments/web/sent_before.html", context, status=status)
