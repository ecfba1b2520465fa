"""CSV exports of judge calls, penalties and local rulings."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from core.csv_tables import csv_bytes
from tournaments.event.queries import penalties as penalty_queries
from tournaments.judging.queries import judge_name
from tournaments.models import Penalty, Tournament

PENALTIES = (
    *("given_at", "round", "table", "game", "number", "player", "infraction", "penalty"),
    *("expected", "given_by", "text", "taken_back_at", "taken_back_by", "why"),
)
JUDGED = (
    *("what", "round", "table", "game", "at", "players", "about", "penalty", "expected"),
    *("judge", "text", "rulings", "minutes", "ended_at", "ended_by", "why"),
)


def penalties_csv(tournament: Tournament) -> bytes:
    """All penalties, including withdrawn, in the order they were given."""
    return csv_bytes(PENALTIES, map(_penalty, penalty_queries.of_event(tournament)))


def _penalty(penalty: Penalty) -> tuple[object, ...]:
    place, table, note = penalty.registration, penalty.pairing, penalty.note
    return (
        *(
            iso_moment(penalty.given_at),
            penalty.round_number,
            table.table_number if table else None,
        ),
        *(penalty.game, place.number, place.player.name, penalty.infraction_name, penalty.kind),
        *(penalty.expected, judge_name(note.author), note.text),
        iso_moment(penalty.withdrawn_at),
        *(judge_name(penalty.withdrawn_by), penalty.withdrawn_reason),
    )


def judged_csv(report: Mapping[str, Any]) -> bytes:
    """The judges' report as CSV, built from its JSON document."""
    rows = (*_calls(report["calls"]), *_penalties(report["penalties"]), *_local(report))
    return csv_bytes(JUDGED, ([row.get(name) for name in JUDGED] for row in rows))


def _calls(calls: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for call in calls:
        yield {
            "what": "appeal" if call["is_appeal"] else "call",
            **{name: call[name] for name in ("round", "table", "about", "minutes")},
            "at": call["raised_at"],
            "players": ", ".join(call["players"]),
            "judge": call["answered_by"] or call["taken_by"],
            "text": call["answer"],
            "rulings": _codes(call["rulings"]),
            "ended_at": call["answered_at"] or call["taken_back_at"],
            "ended_by": call["answered_by"],
        }


def _penalties(penalties: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    same = ("round", "table", "game", "penalty", "expected", "text")
    for penalty in penalties:
        yield {
            "what": "withdrawn penalty" if penalty["taken_back_at"] else "penalty",
            **{name: penalty[name] for name in same},
            "at": penalty["given_at"],
            "players": penalty["player"],
            "about": penalty["infraction_name"],
            "judge": penalty["given_by"],
            "rulings": _codes(penalty["rulings"]),
            "ended_at": penalty["taken_back_at"],
            "ended_by": penalty["taken_back_by"],
            "why": penalty["taken_back_why"],
        }


def _local(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for ruling in report["local_rulings"]:
        yield {
            "what": "local ruling",
            "about": ruling["subject"],
            "text": ruling["text"],
            "rulings": ruling["code"],
        }


def _codes(rulings: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{one['code']} v{one['version']}" for one in rulings)


def iso_moment(moment: datetime | None) -> str | None:
    """Format as ISO 8601, to the second."""
    return None if moment is None else moment.isoformat(timespec="seconds")
