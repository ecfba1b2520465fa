"""docs/roles.md, webhooks.md and engine.md match the code, and their examples work."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from core.encryption import webhook_signature
from engine.documents.events import EVENT_KEYS, PLAYER_KEYS, SEAT_KEYS
from engine.documents.json_text import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    DocumentRefused,
    parse_json,
)
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from engine.systems import SYSTEMS
from tournaments.event.permissions import ABILITIES, abilities_by_role
from tournaments.management.commands.engine import ANSWERS
from tournaments.models import StaffRole, WebhookEvent

DOCS = Path(settings.BASE_DIR, "docs")
WEBHOOKS, ENGINE = ((DOCS / name).read_text() for name in ("webhooks.md", "engine.md"))


def table() -> list[list[str]]:
    lines = [line for line in (DOCS / "roles.md").read_text().splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_table_of_roles_matches_the_permissions():
    head, *rows = table()

    assert head[1:] == [role.label.capitalize() for role in StaffRole]
    assert rows == [
        [ability.words, *("yes" if role in ability.roles else "" for role in StaffRole)]
        for ability in ABILITIES
    ]


def test_abilities_are_listed_by_role():
    abilities = abilities_by_role()

    assert abilities["streamer"] == [ABILITIES[-1].words]
    assert len(abilities["owner"]) == len(ABILITIES)


BODY = b'{"event":"test"}'
SENT = 1_790_000_000


def is_from_datafort(*args: object) -> bool:
    """Run the function of the page."""
    (code,) = re.findall(r"```python\n(.*?)```", WEBHOOKS, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102 - our own page
    return names["is_from_datafort"](*args)  # type: ignore[operator, no-any-return]


def test_snippet_accepts_only_recent_messages_with_a_valid_signature():
    mark = webhook_signature("whsec_a", BODY, SENT)

    assert is_from_datafort("whsec_a", mark, BODY, SENT + 10)
    assert not is_from_datafort("whsec_b", mark, BODY, SENT + 10)
    assert not is_from_datafort("whsec_a", mark, BODY + b" ", SENT + 10)
    assert not is_from_datafort("whsec_a", mark, BODY, SENT + 3600)
    assert not is_from_datafort("whsec_a", mark.replace("t=179", "t=178"), BODY, SENT)


def test_every_webhook_event_is_documented():
    assert set(re.findall(r"^\| `([a-z.]+)` \|", WEBHOOKS, re.MULTILINE)) == set(
        WebhookEvent.values
    )


BLOCKS = re.findall(r"```json (\w+)\n(.*?)```", ENGINE, re.DOTALL)
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))


def missing(path: str, shown: Any, real: Any) -> Iterator[str]:
    """Yield differences; documented objects may have fewer keys."""
    if isinstance(shown, dict) and isinstance(real, dict):
        for key, value in shown.items():
            yield from missing(f"{path}.{key}", value, real.get(key))
    elif isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        for place, (value, answered) in enumerate(zip(shown, real, strict=True)):
            yield from missing(f"{path}[{place}]", value, answered)
    elif shown != real:
        yield f"{path}: {shown} is documented, the answer is {real}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0][0])
def test_example_has_the_documented_answer(example: Any):
    (command, document), (kind, shown) = example
    if kind == "refused":
        with pytest.raises(DocumentRefused) as refused:
            ANSWERS[command](parse_json(document.encode()))
        answer = {"error": str(refused.value), "path": refused.value.path}
    else:
        answer = ANSWERS[command](parse_json(document.encode()))

    assert list(missing("$", parse_json(shown.encode()), answer)) == []


def test_every_command_has_an_example_and_every_key_is_documented():
    shown = {command for command, _ in BLOCKS}

    assert set(ANSWERS) <= shown
    for word in (*ANSWERS, *SYSTEMS, *EVENT_KEYS, *PLAYER_KEYS, *SEAT_KEYS):
        assert f"`{word}`" in ENGINE
    for word in DEFAULT_TIE_BREAKERS:
        assert f'"{word}"' in ENGINE


def test_limits_are_documented():
    assert f"{MAX_BYTES // 2**20} MiB, {MAX_DEPTH} levels, numbers of {MAX_DIGITS} digits" in ENGINE
