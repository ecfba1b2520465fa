"""The permission table, and the operations in the URL map."""

from typing import Any

from config import api_urls
from core.api_viewsets import Endpoint
from tests.api.matrix import events, judging, library, people, play
from tests.api.matrix.rows import ALL, Row

TOPICS = (events, people, play, judging, library)
EXPECTED: dict[str, Row] = {key: row for topic in TOPICS for key, row in topic.ROWS.items()}
ROUTES = {pattern.name: pattern for pattern in api_urls.urlpatterns if pattern.name}


def methods_of(name: str) -> list[str]:
    """The methods of an address, without HEAD."""
    callback: Any = ROUTES[name].callback
    names = [
        method for method in callback.cls.http_method_names if method not in ("head", "options")
    ]
    actions = getattr(callback, "actions", {})
    return [
        method.upper() for method in names if method in actions or hasattr(callback.cls, method)
    ]


OPERATIONS = [f"{method} {name}" for name in ROUTES for method in methods_of(name)]
# A test in test_matrix names operations without a row.
DECLARED = [operation for operation in OPERATIONS if operation in EXPECTED]


def endpoint_of(operation: str) -> Endpoint | None:
    method, name = parts(operation)
    callback: Any = ROUTES[name].callback
    action = getattr(callback, "actions", {}).get(method.lower(), "")
    return getattr(getattr(callback.cls, action, None), "endpoint", None)


def is_list(operation: str) -> bool:
    endpoint = endpoint_of(operation)
    return endpoint is not None and endpoint.is_paginated


def template_of(name: str) -> str:
    """The URL pattern below /api/v1/."""
    return str(ROUTES[name].pattern)


def parts(operation: str) -> tuple[str, str]:
    """The method and the URL name."""
    method, _, name = operation.partition(" ")
    return method, name


def is_public_read(operation: str) -> bool:
    """True for public reads whose address needs no scene."""
    row = EXPECTED[operation]
    plain = not any(callable(value) for value in row.ids.values())
    return operation.startswith("GET ") and row.may == ALL and plain
