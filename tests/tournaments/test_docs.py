"""Roles, engine and tutorials in docs/ match the code, and their examples run."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

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
from tests.documented_answers import missing
from tournaments.event.permissions import ABILITIES, abilities_by_role
from tournaments.management.commands.engine import ANSWERS
from tournaments.models import StaffRole

DOCS = Path(settings.BASE_DIR, "docs")
ENGINE, ROLES = ((DOCS / "reference" / name).read_text() for name in ("engine.md", "roles.md"))


def table() -> list[list[str]]:
    lines = [line for line in ROLES.splitlines() if line.startswith("| ")]
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


BLOCKS = re.findall(r"```json (\w+)\n(.*?)```", ENGINE, re.DOTALL)
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))


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


# The slices with pages; labels of buttons are in their templates and in their code.
SOURCES = ("templates", "players", "tournaments")
BOLD = re.compile(r"\*\*([^*]+)\*\*")


def labels_of_the_site() -> str:
    """Return all templates and code as text, with "#" for every variable part."""
    files = [
        path
        for folder in SOURCES
        for path in Path(settings.BASE_DIR, folder).rglob("*.*")
        if path.suffix in {".html", ".py"}
    ]
    text = "\n".join(path.read_text() for path in files)
    text = re.sub(r"""\{% translate (["'])(.*?)\1.*?%\}""", r"\2", text)
    text = re.sub(r"</?(?:span|strong|bdi)[^>]*>", "", text)
    return re.sub(r"\{\{.*?\}\}|%\(\w+\)[sd]", "#", text)


TUTORIALS = sorted((DOCS / "tutorial").glob("*.md"))


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_tutorial_names_labels_that_the_site_has(page: Path):
    site = labels_of_the_site().lower()
    named = {label.lower() for label in BOLD.findall(" ".join(page.read_text().split()))}

    def is_on_the_site(label: str) -> bool:
        # "Pair round 1" is made of a number, "Publish round 1" of the name of a round.
        forms = (label, re.sub(r"\d+", "#", label), re.sub(r"round \d+", "#", label))
        return any(form in site for form in forms)

    assert [label for label in named if not is_on_the_site(label)] == []
