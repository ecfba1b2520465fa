"""Work in a child process, which may be killed in the middle of it."""

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
class ChildResult:
    """The result of a child process, None without output, and whether it was killed."""

    value: Any
    was_killed: bool


def in_child(work: Callable[[], Any]) -> ChildResult:
    """Fork, run `work` in the child, and wait; its result must be serialisable as JSON."""
    # A connection belongs to one process.
    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _report(writer, work)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        value = pipe.read()
    _, status = os.waitpid(child, 0)
    was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not was_killed and status:
        raise RuntimeError(f"The child has failed:\n{value}")
    return ChildResult(json.loads(value) if value else None, was_killed)


def _report(writer: int, work: Callable[[], Any]) -> NoReturn:
    status = 1
    try:
        with os.fdopen(writer, "w") as pipe:
            try:
                pipe.write(json.dumps(work()))
                status = 0
            except Exception:  # noqa: BLE001 - the parent raises it
                pipe.write(traceback.format_exc())
    finally:
        # Skip all clean-up of the parent: fixtures, servers, databases.
        os._exit(status)


def die(_moment: str = "") -> None:
    """Kill this process, as a power cut or the kernel does: without clean-up."""
    os.kill(os.getpid(), signal.SIGKILL)


def death_at(moment: str) -> Callable[[str], None]:
    """Return a watcher that kills its process at a moment, or after its commit: "cut:made+"."""

    def watcher(name: str) -> None:
        if name == moment:
            die()
        elif f"{name}+" == moment:
            transaction.on_commit(die)

    return watcher


def break_at(moment: str) -> Callable[[str], None]:
    """Return a watcher that raises at this moment."""

    def watcher(name: str) -> None:
        if name == moment:
            raise RuntimeError(f"broken off at {moment}")

    return watcher


def death_at_moment_in(file: Path) -> Callable[[str], None]:
    """Return a watcher that kills its process at the moment named in a file, if it exists."""

    def watcher(name: str) -> None:
        try:
            content = file.read_text()
        except FileNotFoundError:
            return
        moment = content.removesuffix("!")
        if name in (moment, moment.removesuffix("+")):
            if content == moment:
                file.unlink()
            death_at(moment)(name)

    return watcher
