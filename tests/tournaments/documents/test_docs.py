"""The examples of docs/engine.md, run as they stand there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tournaments.documents import DocumentRefused
from tournaments.documents.events import EVENT_KEYS, PLAYER_KEYS
from tournaments.documents.json_text import MOST_BYTES, MOST_DEPTH, MOST_DIGITS, parse
from tournaments.documents.rounds import SEAT_KEYS
from tournaments.management.commands.engine import ANSWERS
from tournaments.standings import DEFAULT_TIE_BREAKERS
from tournaments.systems import SYSTEMS

PAGE = (Path(__file__).parents[3] / "docs" / "engine.md").read_text()
BLOCKS = re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))


def missing(path: str, shown: Any, real: Any) -> Iterator[str]:
    """Where what is shown is not in what is answered; objects may show fewer keys."""
    if isinstance(shown, dict) and isinstance(real, dict):
        for key, value in shown.items():
            yield from missing(f"{path}.{key}", value, real.get(key))
    elif isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        for place, (value, answered) in enumerate(zip(shown, real, strict=True)):
            yield from missing(f"{path}[{place}]", value, answered)
    elif shown != real:
        yield f"{path}: {shown} is shown, {real} is answered"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0][0])
def test_an_example_answers_as_it_says(example: Any):
    (command, document), (kind, shown) = example
    if kind == "refused":
        with pytest.raises(DocumentRefused) as refused:
            ANSWERS[command](parse(document.encode()))
        answer = {"error": str(refused.value), "path": refused.value.path}
    else:
        answer = ANSWERS[command](parse(document.encode()))

    assert list(missing("$", parse(shown.encode()), answer)) == []


def test_every_command_has_an_example_and_every_key_a_word():
    shown = {command for command, _ in BLOCKS}

    assert set(ANSWERS) <= shown
    for word in (*ANSWERS, *SYSTEMS, *EVENT_KEYS, *PLAYER_KEYS, *SEAT_KEYS):
        assert f"`{word}`" in PAGE
    for word in DEFAULT_TIE_BREAKERS:
        assert f'"{word}"' in PAGE


def test_the_limits_are_those_of_the_page():
    assert (
        f"{MOST_BYTES // 2**20} MiB, {MOST_DEPTH} levels, numbers of {MOST_DIGITS} digits" in PAGE
    )
