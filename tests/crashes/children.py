"""Work in a process of its own, which may be killed in the middle of it."""

import json
import os
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from django.db import connections, transaction


@dataclass(frozen=True)
class Ended:
    """What a process said, None for nothing, and whether it was killed."""

    said: Any
    was_killed: bool


def in_child(work: Callable[[], Any]) -> Ended:
    """Fork, do the work there, and wait; `work` answers something that JSON can say."""
    # A connection belongs to one process.
    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _say(writer, work)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not was_killed and status:
        raise RuntimeError(f"The child has failed:\n{said}")
    return Ended(json.loads(said) if said else None, was_killed)


def _say(writer: int, work: Callable[[], Any]) -> NoReturn:
    status = 1
    try:
        with os.fdopen(writer, "w") as pipe:
            try:
                pipe.write(json.dumps(work()))
                status = 0
            except Exception:  # noqa: BLE001 - the parent raises it
                pipe.write(traceback.format_exc())
    finally:
        # Nothing of the parent is cleaned up here: no fixtures, no servers, no databases.
        os._exit(status)


def die(_moment: str = "") -> None:
    """As a power cut or the kernel does it: nothing is said, nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def death_at(moment: str) -> Callable[[str], None]:
    """A watcher of moments that kills its process; "cut:made+" is after that commit."""

    def watcher(name: str) -> None:
        if name == moment:
            die()
        elif f"{name}+" == moment:
            transaction.on_commit(die)

    return watcher


def break_at(moment: str) -> Callable[[str], None]:
    """A watcher that raises."""

    def watcher(name: str) -> None:
        if name == moment:
            raise RuntimeError(f"broken off at {moment}")

    return watcher


def death_named_in(file: Path) -> Callable[[str], None]:
    """A watcher that kills its process at the moment this file names; without a file it waits."""

    def watcher(name: str) -> None:
        try:
            named = file.read_text()
        except FileNotFoundError:
            return
        moment = named.removesuffix("!")
        if name in (moment, moment.removesuffix("+")):
            if named == moment:
                file.unlink()
            death_at(moment)(name)

    return watcher
