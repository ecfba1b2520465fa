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
# The prober does not decompress responses.
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
    return [operation.ok() for operation in probed.get_all_operations()]


def ids_of(scene: Scene) -> dict[tuple[str, str], dict[str, str]]:
    """Values of the path parameters in the scene, by method and described path."""
    ids_by_operation = {}
    for operation in EXPECTED:
        method, name = parts(operation)
        template = "/api/v1/" + template_of(name)
        address = scene.address(operation)
        pairs = zip(template.split("/"), address.split("/"), strict=True)
        ids = {
            segment.strip("<>").split(":")[1]: value for segment, value in pairs if "<" in segment
        }
        described = template
        for segment in ids:
            described = described.replace(_converter(template, segment), f"{{{segment}}}")
        described = described.replace("{pk}", "{id}")
        if "pk" in ids:
            ids["id"] = ids.pop("pk")
        ids_by_operation[method, described] = ids
    return ids_by_operation


def _converter(template: str, name: str) -> str:
    return next(segment for segment in template.split("/") if segment.endswith(f":{name}>"))


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
        use_scene_ids=st.integers(0, 4),
    )
    def run(case: "Case[Any]", use_scene_ids: int) -> None:
        if use_scene_ids < 4:
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
    for index, operation in enumerate(operations(probed)):
        if not choose(index):
            continue
        ids_ = ids[operation.method.upper(), operation.path]
        program = {**PLAIN, "Authorization": f"Token {token}"}
        wrong += probe(operation, ids_, program, examples)
        # In a quick run every second operation is also requested anonymously.
        if examples > 1 or index // GROUPS % 2:
            wrong += probe(operation, ids_, PLAIN, max(1, examples // 4))
    return wrong


@pytest.mark.parametrize("group", range(GROUPS))
def test_responses_conform_to_the_description(probed: Any, scene: Scene, group: int):
    wrong = run_all(probed, scene, lambda index: index % GROUPS == group, 1)

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_thousands_of_responses_conform_to_the_description(probed: Any, scene: Scene, group: int):
    wrong = run_all(probed, scene, lambda index: index % GROUPS == group, 20)

    assert not wrong, "\n".join(wrong)
