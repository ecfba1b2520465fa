"""The tournament files beside this module, each with one dialect or oddity."""

import json
from pathlib import Path
from typing import Any

from tests.factories import files
from tournaments.interchange.formats.reading import read
from tournaments.interchange.formats.records import FileEvent, Read

FOLDER = Path(__file__).parent / "files"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def data(name: str) -> bytes:
    """The file as it lies there."""
    return (FOLDER / f"{name}.json").read_bytes()


def document(name: str) -> Any:
    """The file as plain values, to be changed and read."""
    return json.loads(data(name))


def event(name: str) -> FileEvent:
    return read(data(name)).event


def read_again(document: Any) -> Read:
    return read(files.as_bytes(document))
