"""What the staff keep, for spreadsheets: penalties for judges, the log for the desk."""

from collections.abc import Iterable
from datetime import datetime

from core.csv_tables import csv_bytes
from tournaments.models import LogEntry, Penalty, Tournament
from tournaments.queries import penalties
from tournaments.sheets.log import log_line

PENALTIES = (
    *("given_at", "round", "table", "game", "number", "player", "infraction", "penalty"),
    *("expected", "given_by", "text", "taken_back_at", "taken_back_by", "why"),
)
LOG = ("at", "who", "what", "about", "points", "changes", "reason")


def penalties_csv(tournament: Tournament) -> bytes:
    """Every penalty in the order given, those taken back too."""
    return csv_bytes(PENALTIES, map(_penalty, penalties.of_event(tournament)))


def _penalty(penalty: Penalty) -> tuple[object, ...]:
    place, table, note = penalty.registration, penalty.pairing, penalty.note
    return (
        *(_moment(penalty.given_at), penalty.round_number, table.table_number if table else None),
        *(penalty.game, place.number, place.player.name, penalty.infraction_name, penalty.kind),
        *(penalty.expected, note.author, note.text),
        *(_moment(penalty.withdrawn_at), penalty.withdrawn_by, penalty.withdrawn_reason),
    )


def log_csv(entries: Iterable[LogEntry]) -> bytes:
    """These entries of the log, which the reader may know of, in words."""
    return csv_bytes(LOG, map(_entry, entries))


def _entry(entry: LogEntry) -> tuple[object, ...]:
    line = log_line(entry)
    who = entry.user or entry.player or "Datafort"
    changes = "; ".join(line.changes)
    return (_moment(entry.at), who, line.action, entry.subject, line.points, changes, entry.reason)


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")
