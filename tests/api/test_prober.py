"""Responses to generated requests conform to the OpenAPI description."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.clients import make_token
from tests.api.matrix.scene import Scene, make_scene
from tests.api.matrix.table import EXPECTED, parts, template_of
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.goal("G15")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
GROUPS = 4
# What is packed the prober does not unpack.
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def probed() -> Any:
    """The OpenAPI description, bound to the site."""
    described = SchemaGenerator().get_schema(public=True)
    schema = schemathesis.openapi.from_dict(described)
    schema.app = get_wsgi_application()
    return schema


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """The scene. Requests keep their database connection, as in Django's test client."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield from shared_rows(django_db_blocker, make_scene)
    for signal in signals:
        signal.connect(close_old_connections)


def operations(probed: Any) -> list[Any]:
    return [found.ok() for found in probed.get_all_operations()]


def ids_of(scene: Scene) -> dict[tuple[str, str], dict[str, str]]:
    """Values of the path parameters in the scene, by method and described path."""
    found = {}
    for operation in EXPECTED:
        method, name = parts(operation)
        template = "/api/v1/" + template_of(name)
        address = scene.address(operation)
        pairs = zip(template.split("/"), address.split("/"), strict=True)
        ids = {part.strip("<>").split(":")[1]: value for part, value in pairs if "<" in part}
        described = template
        for part in ids:
            described = described.replace(_converter(template, part), f"{{{part}}}")
        described = described.replace("{pk}", "{id}")
        if "pk" in ids:
            ids["id"] = ids.pop("pk")
        found[method, described] = ids
    return found


def _converter(template: str, name: str) -> str:
    return next(part for part in template.split("/") if part.endswith(f":{name}>"))


def probe(operation: Any, ids: dict[str, str], headers: dict[str, str], examples: int) -> list[str]:
    """Failures of one operation, a line each."""
    wrong: dict[str, None] = {}

    @settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode]),
        elsewhere=st.integers(0, 4),
    )
    def run(case: "Case[Any]", elsewhere: int) -> None:
        if elsewhere < 4:
            case.path_parameters = {**(case.path_parameters or {}), **ids}
        with transaction.atomic():
            try:
                case.call_and_validate(headers=headers, checks=CHECKS)
            except (Failure, FailureGroup) as failure:
                wrong[f"{operation.label}: {_words(failure)}"] = None
            transaction.set_rollback(True)

    run()
    return list(wrong)


def _words(failure: BaseException) -> str:
    several = getattr(failure, "exceptions", [failure])
    return " | ".join(f"{error.title}: {error.message}"[:600] for error in several)


def run_all(probed: Any, scene: Scene, choose: Callable[[int], bool], examples: int) -> list[str]:
    ids = ids_of(scene)
    token = make_token(scene.people["organiser"])
    wrong = []
    for place, operation in enumerate(operations(probed)):
        if not choose(place):
            continue
        known = ids[operation.method.upper(), operation.path]
        program = {**PLAIN, "Authorization": f"Token {token}"}
        wrong += probe(operation, known, program, examples)
        # In a quick run a stranger asks every other operation.
        if examples > 1 or place // GROUPS % 2:
            wrong += probe(operation, known, PLAIN, max(1, examples // 4))
    return wrong


@pytest.mark.parametrize("group", range(GROUPS))
def test_responses_conform_to_the_description(probed: Any, scene: Scene, group: int):
    wrong = run_all(probed, scene, lambda place: place % GROUPS == group, 1)

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_thousands_of_responses_conform_to_the_description(probed: Any, scene: Scene, group: int):
    wrong = run_all(probed, scene, lambda place: place % GROUPS == group, 20)

    assert not wrong, "\n".join(wrong)
