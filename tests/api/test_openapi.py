import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from rest_framework.test import APIClient

from tests.api.routes import TEMPLATES, WRITTEN, address
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema(api: APIClient) -> Any:
    return api.get("/api/schema/?format=json").json()


def documented(template: str) -> str:
    return "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", template)


def test_the_description_is_valid_and_says_all():
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_every_route_is_described(schema: Any):
    routes = [*TEMPLATES, *WRITTEN]
    assert {documented(template) for template in routes} == set(schema["paths"])


def test_every_operation_names_its_errors(schema: Any):
    written = {documented(template) for template in WRITTEN}
    for address_, path in schema["paths"].items():
        method = "post" if address_ in written else "get"
        unchanged = {"304"} if method == "get" else set()
        assert set(path) == {method}
        assert set(path[method]["responses"]) == {"200", "4XX"} | unchanged
        assert path[method]["summary"]
        assert path[method]["description"]


def strict(node: Any) -> Any:
    """The schema in today's words: `nullable` as a type, and no keys that are not described."""
    if isinstance(node, list):
        return [strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: strict(value) for key, value in node.items() if key != "nullable"}
    if "properties" in plain:
        plain["additionalProperties"] = False
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("template", TEMPLATES)
def test_what_is_answered_is_what_is_described(
    api: APIClient, event: Tournament, schema: Any, template: str
):
    operation = schema["paths"][documented(template)]["get"]
    wanted = operation["responses"]["200"]["content"]["application/json"]["schema"]
    whole = {**strict(wanted), "components": strict(schema["components"])}

    errors = list(Draft202012Validator(whole).iter_errors(api.get(address(template)).json()))

    assert errors == []


@pytest.mark.usefixtures("library")
def test_the_pages_of_the_description_need_no_inline_code(api: APIClient):
    page = api.get("/api/docs/")
    html = page.content.decode()

    assert page.status_code == 200
    assert "<style" not in html
    assert not re.search(r"<script(?![^>]*src=)", html)
    assert not re.search(r"\son\w+=|\sstyle=", html)
    script = api.get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert "/api/schema/" in script.content.decode()
