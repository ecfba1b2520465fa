"""Tournament files for tests, each with one dialect or oddity."""

import json
from pathlib import Path
from typing import Any

from tests.factories import files
from tournaments.files.reading import read_file
from tournaments.files.records import ComputedEvent, FileEvent

FOLDER = Path(__file__).parent / "files"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def data(name: str) -> bytes:
    return (FOLDER / f"{name}.json").read_bytes()


def document(name: str) -> Any:
    """A fresh copy of the file, which tests may change."""
    return json.loads(data(name))


def event(name: str) -> FileEvent:
    return read_file(data(name)).event


def read_again(document: Any) -> ComputedEvent:
    return read_file(files.as_bytes(document))
