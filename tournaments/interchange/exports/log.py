"""The log of an event for spreadsheets."""

from collections.abc import Iterable

from core.csv_tables import csv_bytes
from tournaments.event.pages import log_line
from tournaments.models import LogEntry

LOG = ("at", "who", "what", "about", "points", "changes", "reason")


def log_csv(entries: Iterable[LogEntry]) -> bytes:
    """These entries of the log, which the reader may know of, in words."""
    return csv_bytes(LOG, map(_entry, entries))


def _entry(entry: LogEntry) -> tuple[object, ...]:
    line = log_line(entry)
    who = entry.user or entry.player or "Datafort"
    changes = "; ".join(line.changes)
    at = entry.at.isoformat(timespec="seconds")
    return (at, who, line.action, entry.subject, line.points, changes, entry.reason)
