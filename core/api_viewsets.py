"""Base viewset: permissions, scopes, idempotency and ETags for every action."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

from django.apps import apps
from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import BaseSerializer, ListSerializer
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from core import database, idempotency
from core.api_requests import Pagination
from core.errors import Refusal
from core.idempotency import KeyUsedOtherwise, StoredAnswer, WriteRequest

Handler = Callable[..., Response]
Action = TypeVar("Action", bound=Callable[..., Any])
# Called with the arguments that `ApiViewSet.require` passes.
PermissionCheck = Callable[..., bool]
READ, RESULTS, MANAGE = "read", "results", "manage"
REPLAYED_HEADER = "Idempotency-Replayed"
STORED_HEADERS = ("Location",)
SHORTEST_STRANGER_KEY = 20
LOG_IN_MESSAGE = 'Send a token in the header "Authorization: Token <token>", or log in.'
KEY_IN_USE_MESSAGE = (
    f"This {idempotency.HEADER} was already used for a different request, which was carried out. "
    "Nothing was changed now. Send this request with a new key."
)
KEY_PARAMETER = OpenApiParameter(
    idempotency.HEADER,
    location=OpenApiParameter.HEADER,
    description=(
        f"Up to {idempotency.KEY_LENGTH} ASCII letters, digits and punctuation marks. A write "
        "repeated with the same key is carried out once and returns the same response."
    ),
)
REPLAYED_PARAMETER = OpenApiParameter(
    REPLAYED_HEADER,
    location=OpenApiParameter.HEADER,
    enum=["true"],
    response=True,
    description="The write had already been carried out with this key.",
)


class ScopeTooNarrow(PermissionDenied):
    default_code = "token_scope"


def no_permission_needed(*_: Any) -> bool:
    # The action does its own check, if any.
    return True


@dataclass(frozen=True)
class Endpoint:
    """Options of an API action; see `endpoint`."""

    permission: PermissionCheck | None
    scope: str
    fresh_session: bool
    shown_once: tuple[str, ...]
    parameters: tuple[str, ...]
    filters: type[FilterSet] | None
    is_paginated: bool
    is_shared: bool
    refusals: tuple[type[Refusal], ...]

    @property
    def is_open(self) -> bool:
        """True if it needs no login."""
        return self.permission in (None, no_permission_needed)

    @property
    def codes(self) -> list[str]:
        return sorted({kind.code for base in self.refusals for kind in _with_subclasses(base)})


def _with_subclasses(refusal: type[Refusal]) -> list[type[Refusal]]:
    return [
        refusal,
        *(kind for below in refusal.__subclasses__() for kind in _with_subclasses(below)),
    ]


def endpoint(
    name: str,
    summary: str,
    answer: Any = None,
    *,
    permission: PermissionCheck | None = None,
    body: Any = None,
    status: int | tuple[int, ...] = 200,
    parameters: Sequence[Any] = (),
    filters: type[FilterSet] | None = None,
    scope: str = "",
    fresh_session: bool = False,
    shown_once: tuple[str, ...] = (),
    shared: bool = False,
    refusals: tuple[type[Refusal], ...] = (),
) -> Callable[[Action], Action]:
    """Make a method an action with this name and summary in the API description.

    `answer` is the serializer of the response with `status`, None for no content; `body` is that of
    the request. A write requires a `permission`, a read without it is public.
    `scope` is that of the token, by default READ or MANAGE. `fresh_session` requires a recent
    login. `shown_once` are fields that a repeated response leaves out. `parameters` are query
    parameters, or a serializer of them. `shared`: the response is the same for everybody.
    `refusals` are its possible 409.
    """
    statuses = status if isinstance(status, tuple) else (status,)
    options = Endpoint(
        permission=permission,
        scope=scope,
        fresh_session=fresh_session,
        shown_once=shown_once,
        parameters=tuple(
            name
            for parameter in parameters
            for name in (
                [parameter.name] if isinstance(parameter, OpenApiParameter) else parameter().fields
            )
        ),
        filters=filters,
        is_paginated=isinstance(answer, ListSerializer),
        is_shared=shared,
        refusals=refusals,
    )

    def decorate(action: Action) -> Action:
        action.endpoint = options  # type: ignore[attr-defined]
        described: Action = extend_schema(
            operation_id=name,
            summary=summary,
            request=body,
            responses=dict.fromkeys(statuses, answer),
            parameters=list(parameters) or None,
            filters=filters is not None or None,
        )(action)
        return described

    return decorate


@method_decorator(conditional_page, name="dispatch")
class ApiViewSet(GenericViewSet[Any]):
    """Actions of the API, each with its `endpoint`.

    Reads have an ETag. An unknown query parameter is a 400 that lists the known ones: a misspelled
    filter would return everything unnoticed.

    A write with the header `Idempotency-Key` runs once. Repeated, it returns the same response,
    marked `Idempotency-Replayed: true`, in which the fields of `shown_once` are null: no secret is
    stored. Keys of strangers belong to no account, so they must be too long to be guessed.
    """

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    headers_of_writes: ClassVar[tuple[OpenApiParameter, ...]] = (KEY_PARAMETER, REPLAYED_PARAMETER)
    # The section of the OpenAPI document: one of TAGS in config.settings.api.
    tag: ClassVar[str]
    # A token for one event may write below that event only.
    takes_bound_tokens: ClassVar[bool] = False

    @property
    def endpoint(self) -> Endpoint | None:
        action = getattr(self, self.action or "", None)
        return getattr(action, "endpoint", None)

    @property
    def pagination_class(self) -> type[Pagination] | None:  # type: ignore[override]
        return Pagination if self.endpoint and self.endpoint.is_paginated else None

    @property
    def filter_backends(self) -> list[type[DjangoFilterBackend]]:  # type: ignore[override]
        return [DjangoFilterBackend] if self.filterset_class else []

    @property
    def filterset_class(self) -> type[FilterSet] | None:
        return self.endpoint.filters if self.endpoint else None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.endpoint is None:
            return
        self._refuse_unknown_parameters(request)
        is_read, permission = str(request.method) in SAFE_METHODS, self.endpoint.permission
        self._refuse_token(request, self.endpoint.scope or (READ if is_read else MANAGE))
        self.load_objects(request)
        if not is_read and permission is None:
            raise LookupError(f"{type(self).__name__}.{self.action} has no permission check.")
        if permission is not None:
            self.require(permission)
        if not is_read:
            self.wrap_action(
                request,
                lambda *args, **kwargs: database.run_with_fetches(
                    self._write_once, *args, **kwargs
                ),
            )

    def load_objects(self, request: Request) -> None:
        """Look up the objects of the address before permissions are checked. Raises Http404."""

    def require(self, permission: PermissionCheck) -> None:
        if not permission(self.request):
            self.refuse(self.request)

    def wrap_action(self, request: Request, wrapper: Callable[..., Any]) -> None:
        """Answer this request by `wrapper`, which is called with the action and its arguments."""
        # DRF calls the attribute with the name of the method.
        name = str(request.method).lower()
        setattr(self, name, partial(wrapper, getattr(self, name)))

    def _refuse_unknown_parameters(self, request: Request) -> None:
        known = self.parameters()
        allowed = f"Allowed: {', '.join(known)}." if known else "None are allowed here."
        if unknown := sorted(set(request.query_params) - set(known)):
            raise ValidationError(
                {name: [f"This parameter does not exist. {allowed}"] for name in unknown}
            )

    def parameters(self) -> list[str]:
        names = list(self.endpoint.parameters) if self.endpoint else []
        names += self.filterset_class.base_filters if self.filterset_class else ()
        names += self.paginator.parameters if isinstance(self.paginator, Pagination) else ()
        return names

    def has_flag(self, name: str) -> bool:
        """Return whether this query parameter is true; absent is false. Raises ValidationError."""
        typed = (self.request.query_params.get(name) or "false").lower()
        if typed not in ("true", "false"):
            raise ValidationError({name: ["Give true or false."]})
        return typed == "true"

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        # Cacheable, but must be revalidated.
        patch_cache_control(response, no_cache=True, **self.cache_control())
        return super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]

    def cache_control(self) -> dict[str, bool]:
        # Shared caches must not store a response that requires a permission.
        is_restricted = self.endpoint is not None and self.endpoint.permission is not None
        return {"private": True} if is_restricted else {}

    def list_response(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """Return the requested page of the rows."""
        page = self.paginate_queryset(rows)
        context = {**self.get_serializer_context(), **context}
        return self.get_paginated_response(serializer(page, many=True, context=context).data)

    def _refuse_token(self, request: Request, scope: str) -> None:
        token: Any = request.auth
        if token is None:
            return
        if not token.covers(scope):
            raise ScopeTooNarrow(
                f'This token has the scope "{token.scope}". This request requires "{scope}".'
            )
        if request.method not in SAFE_METHODS and not self.takes_bound_tokens and token.is_bound:
            raise ScopeTooNarrow(
                "This token is limited to one event, and this address does not belong to it."
            )

    def refuse(self, request: Request) -> None:
        if not request.user.is_authenticated:
            raise NotAuthenticated(LOG_IN_MESSAGE)
        raise PermissionDenied

    def writer(self, request: Request) -> str:
        """Return the owner of idempotency keys; "" for a stranger."""
        return f"user:{request.user.pk}" if request.user.is_authenticated else ""

    def subject(self) -> str:
        """Return what else identifies a write, if the address can later name another object."""
        return ""

    def stores_answer(self, request: Request) -> bool:
        # Reads by POST need no stored answer and no transaction.
        return KEY_PARAMETER in self.headers_of_writes

    def run_write(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Run the write; views below an event check `If-Match` here."""
        return handler(request, *args, **kwargs)

    def _write_once(
        self, handler: Handler, request: Request, *args: Any, **kwargs: Any
    ) -> Response:
        act = partial(self.run_write, handler, request, *args, **kwargs)
        who = self.writer(request) or "stranger"
        key = idempotency.validated_key(request.headers.get(idempotency.HEADER, ""))
        if not key or not self.stores_answer(request):
            return act()
        if who == "stranger" and len(key) < SHORTEST_STRANGER_KEY:
            return act()
        fresh: list[Response] = []

        def act_and_store() -> StoredAnswer:
            fresh[:] = [act()]
            return self._answer_to_store(fresh[0])

        body = json.dumps(request.data, sort_keys=True, default=str)
        identity = f"{request.method} {request.get_full_path()} {self.subject()} {body}"
        write = WriteRequest(who, key, sha256(identity.encode()).hexdigest())
        try:
            answer = idempotency.answer_once(
                apps.get_model(settings.IDEMPOTENCY_RECORDS), write, act_and_store
            )
        except KeyUsedOtherwise as refusal:
            raise KeyUsedOtherwise(KEY_IN_USE_MESSAGE) from refusal
        if fresh:
            return fresh[0]
        assert answer is not None, "every write stores an answer"
        headers = {**answer.content["headers"], REPLAYED_HEADER: "true"}
        return Response(answer.content["data"], status=answer.status, headers=headers)

    def _answer_to_store(self, response: Response) -> StoredAnswer:
        data = json.loads(JSONRenderer().render(response.data) or b"null")
        hidden = self.endpoint.shown_once if self.endpoint else ()
        if isinstance(data, Mapping):
            data = {name: None if name in hidden else data[name] for name in data}
        headers = {name: response[name] for name in STORED_HEADERS if name in response}
        return StoredAnswer(response.status_code, {"data": data, "headers": headers})


@extend_schema(exclude=True)
class StartViewSet(ApiViewSet):
    """The start of the API: `links` maps a word to the name of an address."""

    links: Mapping[str, str] = {}

    @endpoint("start", "Start")
    def retrieve(self, request: Request) -> Response:
        return Response({word: reverse(name, request=request) for word, name in self.links.items()})


class UnknownAddressView(APIView):
    schema = None
    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        advice = f"All addresses are listed at {reverse('api_docs')}."
        raise Http404(f"There is nothing at {request.path}. {advice}")
