"""A small file of house rulings, and the rows of its import."""

import pytest

from rulings.house_rulings import FileRefused, RulingsImportReport, import_file
from rulings.models import RulingVersion

LASTS = "Lockjaw lasts until the end of the run."
TWICE = "Lockjaw may be used twice in one turn."
TALK = "Nobody helps a player at the table."


def house(*body: str, day: str = "2026-05-01", **head: str) -> bytes:
    lines = ["---", "title: Tuesday league", f"date: {day}"]
    lines += [f"{key}: {value}" for key, value in head.items()]
    return "\n".join([*lines, "---", *body]).encode()


def load(*body: str, day: str = "2026-05-01", preview: bool = False) -> RulingsImportReport:
    return import_file(house(*body, day=day), preview=preview)


def refusal(data: bytes) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        import_file(data)
    return caught.value


def texts(code: str) -> list[str]:
    versions = RulingVersion.objects.filter(ruling__code=code).order_by("number")
    return [version.text for version in versions]


FIRST = ("## Lockjaw", f"- {LASTS}", f"- {TWICE}", "## Topic: Table talk", f"- {TALK}")
