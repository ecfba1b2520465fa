"""The OpenAPI description, and the codes of refusals."""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from rest_framework.test import APIClient

from core.errors import Refusal
from tests.api.matrix.rows import expected
from tests.api.matrix.table import DECLARED, EXPECTED, OPERATIONS, parts, template_of
from tests.api.routes import PUBLIC, address
from tests.live_site import ROOT
from tournaments.models import Tournament


@pytest.fixture(scope="module")
def schema() -> Any:
    description = SchemaGenerator().get_schema(public=True)
    return json.loads(OpenApiJsonRenderer().render(description))


def described_path(template: str) -> str:
    """The path in the OpenAPI description, which names `pk` `id`."""
    return "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", template).replace("{pk}", "{id}")


def test_description_is_valid():
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_every_operation_is_described(schema: Any):
    described_operations = {
        (method.upper(), address_)
        for address_, path in schema["paths"].items()
        for method in path
        if method != "parameters"
    }
    url_operations = {
        (method, described_path(template_of(name)))
        for method, name in map(parts, OPERATIONS)
        if name != "start"
    }

    assert described_operations == url_operations


def test_every_operation_has_responses_and_texts(schema: Any):
    for address_, path in schema["paths"].items():
        for method, operation in path.items():
            statuses = set(operation["responses"])
            assert statuses >= ({"4XX", "304"} if method == "get" else {"4XX"}), (method, address_)
            assert any(status.startswith("2") for status in statuses), (method, address_)
            assert operation["summary"], (method, address_)
            assert operation["description"], (method, address_)


ONLY_LOOK = {
    "/api/v1/decks/check/",
    "/api/v1/decks/export/",
    "/api/v1/events/{slug}/decks/check/",
}


def test_writes_describe_their_headers(schema: Any):
    for address_, path in schema["paths"].items():
        for method, operation in path.items():
            described_headers = {
                parameter["name"]
                for parameter in operation.get("parameters", ())
                if parameter["in"] == "header"
            }
            is_below = address_.startswith("/api/v1/events/{slug}/")
            if method == "get" or address_ in ONLY_LOOK:
                assert described_headers == set(), (method, address_)
            else:
                expected_headers = {"Idempotency-Key", *(["If-Match"] if is_below else [])}
                assert described_headers == expected_headers, (method, address_)


def test_security_names_operations_that_need_no_login(schema: Any):
    wrong = []
    for operation in DECLARED:
        method, template = parts(operation)[0], template_of(parts(operation)[1])
        if operation != "GET start":
            described = schema["paths"][described_path(template)][method.lower()]
            # The 404 is for a decklist that the public cannot see yet.
            allowed = expected("anonymous", method, template, EXPECTED[operation]) != "401"
            if allowed != ({} in described["security"]):
                wrong.append(operation)

    assert wrong == []


def test_every_tag_is_declared_and_used(schema: Any):
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    used = {tag for operation in operations for tag in operation["tags"]}

    assert used == {tag["name"] for tag in schema["tags"]}


def strict(node: Any) -> Any:
    """The schema without additional properties."""
    if isinstance(node, list):
        return [strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: strict(value) for key, value in node.items()}
    if "properties" in closed:
        closed["additionalProperties"] = False
    return closed


@pytest.mark.usefixtures("library")
def test_public_reads_conform_to_the_description(api: APIClient, event: Tournament, schema: Any):
    components = strict(schema["components"])
    for operation in PUBLIC:
        template = template_of(parts(operation)[1])
        described = schema["paths"][described_path(template)]["get"]
        response_schema = described["responses"]["200"]["content"]["application/json"]["schema"]
        full_schema = {**strict(response_schema), "components": components}

        body = api.get(address(operation)).json()

        assert list(Draft202012Validator(full_schema).iter_errors(body)) == [], operation


@pytest.mark.usefixtures("library")
def test_docs_pages_have_no_inline_code(api: APIClient):
    page = api.get("/api/docs/")
    html = page.content.decode()

    assert page.status_code == 200
    assert "<style" not in html
    assert not re.search(r"<script(?![^>]*src=)", html)
    assert not re.search(r"\son\w+=|\sstyle=", html)
    script = api.get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert "/api/schema/" in script.content.decode()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="`make openapi` writes it on SQLite")
def test_committed_description_is_current(tmp_path: Path):
    generated = tmp_path / "openapi.yaml"

    call_command("spectacular", file=str(generated))

    assert generated.read_text() == (ROOT / "docs" / "openapi.yaml").read_text(), (
        "run `make openapi`"
    )


APPS = ("core", "players", "decks", "matches", "engine", "rulings", "tournaments")
KNOWN = Path(__file__).with_name("refusal_codes.txt")


def kinds_of(refusal: type[Refusal]) -> Iterator[type[Refusal]]:
    for kind in refusal.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_refusal_codes_are_stable():
    for app in APPS:
        for module in walk_packages(import_module(app).__path__, f"{app}."):
            if ".migrations." not in module.name:
                import_module(module.name)
    own_kinds = (kind for kind in kinds_of(Refusal) if kind.__module__.partition(".")[0] in APPS)
    assert sorted({kind.code for kind in own_kinds}) == KNOWN.read_text().split()
