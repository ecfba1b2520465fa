"""docs/api describes every request, error code and webhook event, and its receiver works."""

import inspect
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from webhook_receiver import is_from_datafort

from core import api_errors, api_viewsets
from core.encryption import webhook_signature
from tests.live_site import ROOT
from tournaments.models import WebhookEvent

API = ROOT / "docs" / "api"
WEBHOOKS, ERRORS = ((API / name).read_text() for name in ("webhooks.md", "errors.md"))
BODY = b'{"event": "test"}'
SENT = 1_790_000_000


@pytest.fixture(scope="module")
def description() -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((ROOT / "docs/openapi.yaml").read_text(), Loader=loader)  # noqa: S506 - safe


def operations(description: Any) -> Iterator[tuple[str, Any]]:
    for address, methods in description["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {address.removeprefix('/api/v1/')}", operation


def first_cells(page: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)


class TestReference:
    def test_every_request_is_on_one_page(self, description: Any):
        listed = [
            cell
            for page in sorted(API.glob("*.md"))
            for cell in first_cells(page.read_text())
            if re.match(r"[A-Z]+ ", cell)
        ]

        assert sorted(listed) == sorted(name for name, _ in operations(description))

    def test_every_code_of_a_conflict_is_in_the_catalogue(self, description: Any):
        codes = {
            code
            for _, operation in operations(description)
            if "409" in operation["responses"]
            for code in codes_of(operation["responses"]["409"])
        }

        assert sorted(first_cells(ERRORS.partition("## Conflicts")[2])) == sorted(codes)

    @pytest.mark.parametrize(
        "kind", [api_errors.PreconditionFailed, api_viewsets.ScopeTooNarrow], ids=lambda kind: kind
    )
    def test_codes_of_our_exceptions_are_in_the_catalogue(self, kind: Any):
        assert f"`{kind.default_code}`" in ERRORS.partition("## Conflicts")[0]


def codes_of(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("enum", ())
        for value in node.values():
            yield from codes_of(value)
    elif isinstance(node, list):
        for item in node:
            yield from codes_of(item)


def test_every_webhook_event_is_documented():
    events = WEBHOOKS.partition("## Events")[2].partition("## Message")[0]

    assert set(first_cells(events)) == set(WebhookEvent.values)


class TestReceiver:
    def test_page_shows_its_check(self):
        assert inspect.getsource(is_from_datafort) in WEBHOOKS

    def test_check_accepts_only_recent_messages_with_a_valid_signature(self):
        signature = webhook_signature("whsec_a", BODY, SENT)

        assert is_from_datafort("whsec_a", signature, BODY, SENT + 10)
        assert not is_from_datafort("whsec_b", signature, BODY, SENT + 10)
        assert not is_from_datafort("whsec_a", signature, BODY + b" ", SENT + 10)
        assert not is_from_datafort("whsec_a", signature, BODY, SENT + 3600)
        assert not is_from_datafort("whsec_a", signature.replace("t=179", "t=178"), BODY, SENT)
        assert not is_from_datafort("whsec_a", "none", BODY, SENT)

    def test_program_prints_each_signed_message_once(self):
        program = ROOT / "docs" / "examples" / "webhook_receiver.py"
        started = [sys.executable, str(program), "whsec_a", "0"]
        with subprocess.Popen(started, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            now = int(time.time())
            signatures = [webhook_signature(secret, BODY, now) for secret in ("whsec_a", "whsec_b")]
            statuses = [send(address, signatures[at]) for at in (0, 0, 1)]
            process.terminate()
            printed = process.stdout.read()

        assert (statuses, printed) == ([204, 204, 400], "test\n")


def send(address: str, signature: str) -> int:
    headers = {"Datafort-Signature": signature, "Datafort-Delivery": "5f7c4c1e"}
    request = urllib.request.Request(address, BODY, headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
