"""The log in plain sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

from matches.models import SETTLED
from tournaments.models import LogEntry
from tournaments.models.log_actions import words_of

NOT_FOR_READERS = (
    *(
        "account",
        "accounts",
        "call",
        "clock",
        "dropped_by",
        "late_entries",
        "match",
        "moved",
        "pairings",
        "penalty",
        "players",
        "points",
        "result",
    ),
    *("seats", "state", "version"),
)
"""Kept for undo, or said in the sentence itself."""


@dataclass(frozen=True)
class LogLine:
    """One entry in parts: what was done, to what, the points of a result, values that changed."""

    entry: LogEntry
    action: str
    points: str
    changes: tuple[str, ...]
    can_undo: bool


@dataclass(frozen=True)
class ToldTable:
    """A table or a bye as it was; `table` is None for a bye."""

    table: int | None
    names: tuple[str, ...]


def log_line(entry: LogEntry, *, can_undo: bool = False) -> LogLine:
    """The entry in words; reads nothing but the entry."""
    action, points = words_of(entry.action), _points(entry)
    # A report that waits has no points yet, so what was reported is said.
    told = () if points or "result" not in entry.after else (entry.after["result"],)
    return LogLine(entry, action, points, (*told, *_changes(entry)), can_undo)


def _points(entry: LogEntry) -> str:
    """As "Ada 20, Bram 6, before: 10, 10"; empty for an entry that moved none."""
    names, now = entry.after.get("seats", ()), entry.after.get("points", ())
    had = [seat["points"] for seat in entry.before.get("match", {}).get("seats", ())]
    was_settled = entry.before.get("match", {}).get("state") in SETTLED
    told = ""
    if names and None not in now:
        told = ", ".join(f"{name} {points}" for name, points in zip(names, now, strict=True))
    elif names and was_settled:
        told = f"no result for {' and '.join(names)}"
    if told and was_settled and None not in had:
        told += f", before: {', '.join(had)}"
    return told


def _changes(entry: LogEntry) -> Iterable[str]:
    keys = [*entry.before, *(key for key in entry.after if key not in entry.before)]
    for key in keys:
        if key in NOT_FOR_READERS:
            continue
        name = key.replace("_", " ")
        in_words = moment_in_words if key.endswith("_at") else value_in_words
        now, had = in_words(entry.after.get(key)), in_words(entry.before.get(key))
        if key not in entry.after:
            yield f"{name} was {had}"
        elif key in entry.before:
            yield f"{name}: {now}, before: {had}"
        else:
            yield f"{name}: {now}"


def moment_in_words(value: Any) -> str:
    """A kept moment on the clocks of the reader's time zone."""
    moment = parse_datetime(value) if isinstance(value, str) else None
    if moment is None:
        return value_in_words(value)
    return date_format(timezone.localtime(moment), "j F Y, H:i")


def value_in_words(value: Any) -> str:
    """A kept value as a reader wants it."""
    if value is None or value in ("", [], {}):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_in_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(value_in_words, value))
    return str(value).replace("_", " ")


def told_tables(entry: LogEntry) -> list[ToldTable]:
    """Who sat where when this was written, tables first."""
    told = entry.after.get("pairings") or entry.before.get("pairings") or []
    return [
        ToldTable(one.get("table"), tuple(one["seats"]) if "seats" in one else (one["bye"],))
        for one in told
    ]
