"""The form of a log line: JSON for machines, one line of text for people; both in UTC.

A line has the number of its request, and neither names nor secrets (ASVS 16.2.5): the address of
the request becomes the name of the route, mail addresses and the secrets of links are left out,
and of an error the kind and the places in the code are told, its words only where they cannot
be somebody's input.
"""

import json
import re
from collections.abc import Iterator, MutableMapping
from types import TracebackType
from typing import Any

from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError
from structlog.processors import TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name

from core import requests_told

Line = MutableMapping[str, Any]

# The part of an address that is a key: of a personal link, an invitation, a password reset, a
# channel elsewhere. And a token, wherever a program has put it.
SECRET_PART = re.compile(
    r"(/claim/|/invitation/|/password/reset/key/|/api/webhooks/\d+/)[^/\s\"'?]+|\b[0-9a-f]{64}\b"
)
OF_AN_ADDRESS = r"[^\s@<>\"'(),;:]"
# Looked for from the beginning of a word alone: a long one is gone through once.
MAIL_ADDRESS = re.compile(
    rf"(?<!{OF_AN_ADDRESS}){OF_AN_ADDRESS}++@{OF_AN_ADDRESS}+\.{OF_AN_ADDRESS}+"
)
SAFE_WORDS = (
    *(OperationalError, InterfaceError, RedisError, ConnectionError, TimeoutError),
    *(ImportError, NameError, AttributeError, ZeroDivisionError, RecursionError, MemoryError),
)
"""Errors whose words come from a server or from the code."""
TASKS = "celery.app.trace"
EXTRAS = ("method", "route", "status", "ms")
LONGEST_CHAIN, MOST_FRAMES = 5, 30


def json_formatter() -> ProcessorFormatter:
    """One JSON object a line: at, level, logger, event, request_id and what the line adds."""
    return ProcessorFormatter(processor=_as_json, foreign_pre_chain=_chain())


def plain_formatter() -> ProcessorFormatter:
    """A line for people: when, how bad, who says it, what, and the number of the request."""
    return ProcessorFormatter(processor=_as_text, foreign_pre_chain=_chain())


def without_secrets(text: str) -> str:
    """The text without the keys of links, tokens and mail addresses."""
    return MAIL_ADDRESS.sub("(a mail address)", SECRET_PART.sub(r"\1...", text))


def _chain() -> list[Any]:
    return [
        add_log_level,
        add_logger_name,
        TimeStamper(fmt="iso", utc=True, key="at"),
        ExtraAdder(allow=EXTRAS),
        _of_a_task,
        _with_request,
        _with_error,
    ]


def _of_a_task(logger: Any, name: str, line: Line) -> Line:
    """Which task it is and how it ended; Celery would put in the words of the error too."""
    told = getattr(line.get("_record"), "data", None)
    if line["logger"] == TASKS and isinstance(told, dict):
        line["event"] = f"{told['name']}[{told['id']}] {told.get('description', 'done')}"
    return line


def _with_request(logger: Any, name: str, line: Line) -> Line:
    """The number of the request, and the name of its address in place of the address."""
    event = str(line["event"])
    record = line.get("_record")
    request = requests_told.current_request() or getattr(record, "request", None)
    path = getattr(request, "path", "")
    if request is not None and len(path) > 1:
        for written in (path, without_secrets(path)):
            event = event.replace(written, f"({requests_told.route_of(request)})")
    # One event is one line, whatever was put into it; PostgreSQL tells values as a detail.
    event = " | ".join(event.partition("\nDETAIL:")[0].splitlines())
    line["event"] = without_secrets(event)
    if number := requests_told.current():
        line["request_id"] = number
    return line


def _with_error(logger: Any, name: str, line: Line) -> Line:
    told = line.pop("exc_info", None)
    if isinstance(told, tuple) and told[1] is not None:
        line["errors"] = [_told(error) for error in _chained(told[1])]
    return line


def _chained(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from, newest first."""
    following: BaseException | None = error
    for _ in range(LONGEST_CHAIN):
        if following is None:
            return
        yield following
        hidden = following.__suppress_context__
        following = following.__cause__ or (None if hidden else following.__context__)


def _told(error: BaseException) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": f"{type(error).__module__}.{type(error).__qualname__}"}
    if isinstance(error, SAFE_WORDS):
        # PostgreSQL puts values into the lines after the first.
        told["words"] = without_secrets((str(error).splitlines() or [""])[0])
    elif isinstance(error, OSError):
        told["words"] = str(error.strerror)
    told["at"] = list(_frames(error.__traceback__))[-MOST_FRAMES:]
    return told


def _frames(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        code = trace.tb_frame.f_code
        module = trace.tb_frame.f_globals.get("__name__", "?")
        yield f"{module}.{code.co_qualname}:{trace.tb_lineno}"
        trace = trace.tb_next


def _as_json(logger: Any, name: str, line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, default=str)


def _as_text(logger: Any, name: str, line: Line) -> str:
    number = f" [{line['request_id']}]" if "request_id" in line else ""
    more = "".join(f" {key}={line[key]}" for key in EXTRAS if key in line)
    head = f"{line['at']} {line['level'].upper()} {line['logger']}{number} {line['event']}{more}"
    return "\n".join([head, *(part for error in line.get("errors", []) for part in _lines(error))])


def _lines(error: dict[str, Any]) -> Iterator[str]:
    yield f"    {error['kind']}: {error['words']}" if "words" in error else f"    {error['kind']}"
    yield from (f"        {place}" for place in error["at"])
