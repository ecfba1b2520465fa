"""Views that also write: the scope of a token, and each write done once, however often sent."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, ClassVar

from django.apps import apps
from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core import idempotency, outside_transaction
from core.api_views import ReadView
from core.idempotency import Answer, Write

Handler = Callable[..., Response]
READ, RESULTS, MANAGE = "read", "results", "manage"
REPLAYED = "Idempotency-Replayed"
KEPT_HEADERS = ("Location",)
SHORTEST_KEY_OF_A_STRANGER = 20
KEY = OpenApiParameter(
    idempotency.HEADER,
    location=OpenApiParameter.HEADER,
    description=(
        f"Up to {idempotency.KEY_LENGTH} letters, digits and signs. Sent again with the same key, "
        "a write is done once and answered as before."
    ),
)
IS_REPLAYED = OpenApiParameter(
    REPLAYED,
    location=OpenApiParameter.HEADER,
    enum=["true"],
    response=True,
    description="The write was done before, under this key.",
)


class ScopeTooNarrow(PermissionDenied):
    """The token is good for less than this."""

    default_code = "token_scope"


class WriteView(ReadView):
    """An address that may be written to as well.

    `scopes` tells by method what a token must be good for: without an entry MANAGE, to read
    READ. A write with the header `Idempotency-Key` is done once; sent again it gets the same
    answer, marked `Idempotency-Replayed: true`, but for the fields in `shown_once`, which are null
    then: no secret is kept. Strangers have no name to keep their keys under, so theirs must be
    too long to be guessed.
    """

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    scopes: ClassVar[Mapping[str, str]] = {}
    shown_once: ClassVar[tuple[str, ...]] = ()
    headers_of_writes: ClassVar[tuple[OpenApiParameter, ...]] = (KEY, IS_REPLAYED)
    """As the description of the API names them."""
    takes_bound_tokens: ClassVar[bool] = False
    """Whether a token for one event may write here: only below that event."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = str(request.method)
        name = method.lower()
        if not hasattr(self, name):
            return
        usual = READ if method in SAFE_METHODS else MANAGE
        self.refuse_narrow_token(request, self.scopes.get(method, usual))
        if method not in SAFE_METHODS:
            if not self.takes_bound_tokens:
                self.refuse_bound_token(request)
            # Where DRF looks for the handler after this.
            write = partial(self._write, getattr(self, name))
            setattr(self, name, partial(outside_transaction.begun_anew, write))

    def refuse_narrow_token(self, request: Request, scope: str) -> None:
        """Raise ScopeTooNarrow when a token asks for more than it is good for."""
        token: Any = request.auth
        if token is not None and not token.covers(scope):
            raise ScopeTooNarrow(f'This token is for "{token.scope}"; this needs "{scope}".')

    def refuse_bound_token(self, request: Request) -> None:
        """Raise ScopeTooNarrow for a token that is good for one event alone."""
        token: Any = request.auth
        if token is not None and token.is_bound:
            raise ScopeTooNarrow("This token is for one event; this is no part of it.")

    def refuse(self, request: Request) -> None:
        """Raise what somebody is answered who may not do this: log in, or that they may not."""
        if not request.user.is_authenticated:
            raise NotAuthenticated("Send a token, or log in.")
        raise PermissionDenied

    def writer(self, request: Request) -> str:
        """Whose keys these are; "" for a stranger."""
        return f"user:{request.user.pk}" if request.user.is_authenticated else ""

    def _write(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
        act = partial(self.acted, handler, request, *args, **kwargs)
        who = self.writer(request) or "stranger"
        key = idempotency.checked_key(request.headers.get(idempotency.HEADER, ""))
        if not key or not self.is_kept(request):
            return act()
        if who == "stranger" and len(key) < SHORTEST_KEY_OF_A_STRANGER:
            return act()
        fresh: list[Response] = []

        def kept() -> Answer:
            fresh[:] = [act()]
            return self._kept(fresh[0])

        write = Write(who, key, _digest(request))
        answer = idempotency.answered_once(apps.get_model(settings.KEPT_ANSWERS), write, kept)
        if fresh:
            return fresh[0]
        assert answer is not None, "an answer is kept of every write"
        headers = {**answer.content["headers"], REPLAYED: "true"}
        return Response(answer.content["data"], status=answer.status, headers=headers)

    def is_kept(self, request: Request) -> bool:
        """Whether the answer is kept under the key; what only looks needs no transaction."""
        return True

    def acted(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Do the write; views below an event check `If-Match` here."""
        return handler(request, *args, **kwargs)

    def _kept(self, response: Response) -> Answer:
        data = json.loads(JSONRenderer().render(response.data) or b"null")
        if isinstance(data, dict):
            data = {name: None if name in self.shown_once else data[name] for name in data}
        headers = {name: response[name] for name in KEPT_HEADERS if name in response}
        return Answer(response.status_code, {"data": data, "headers": headers})


def _digest(request: Request) -> str:
    """All that the request says and where it is sent, as a hash of 64 hexadecimal digits."""
    said = json.dumps(request.data, sort_keys=True, default=str)
    return sha256(f"{request.method} {request.get_full_path()} {said}".encode()).hexdigest()
