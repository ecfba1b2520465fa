"""The judges' report of an event, as records, JSON and CSV."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.csv_tables import csv_bytes
from rulings.guide import PenaltyKind
from rulings.models import JudgeNote
from tournaments.judging import queries
from tournaments.judging.pages import CallFigures, call_figures_document, call_figures_of_event
from tournaments.judging.queries import TableCall, public_judge_name
from tournaments.models import LocalRuling, Penalty, Tournament
from tournaments.models.penalties import InfractionCount

Document = dict[str, Any]


@dataclass(frozen=True)
class JudgesReport:
    """All calls, penalties and local rulings of an event, each oldest first.

    `kinds` counts penalties in force by kind; `infractions` counts all by infraction.
    """

    tournament: Tournament
    calls: list[TableCall]
    penalties: list[Penalty]
    local_rulings: list[LocalRuling]
    kinds: list[tuple[PenaltyKind, int]]
    infractions: list[InfractionCount]
    figures: CallFigures


def judges_report(tournament: Tournament) -> JudgesReport:
    penalties = list(tournament.penalties.with_details())
    counted = Counter(penalty.kind for penalty in penalties if penalty.is_in_force)
    rulings = tournament.local_rulings.select_related("ruling").prefetch_related("ruling__versions")
    return JudgesReport(
        tournament=tournament,
        calls=queries.all_calls(tournament),
        penalties=penalties,
        local_rulings=list(rulings.order_by("pk")),
        kinds=[(kind, counted[kind]) for kind in PenaltyKind],
        infractions=tournament.penalties.counts_by_infraction(),
        figures=call_figures_of_event(tournament, for_readers=True),
    )


def report_document(report: JudgesReport) -> Document:
    """Return the report as plain JSON (docs/reference/tournament-files.md). Times are ISO 8601."""
    event = report.tournament
    return {
        "datafort": 1,
        "report": "judges",
        "event": {
            "slug": event.slug,
            "name": event.name,
            "game": event.game,
            "starts_on": event.starts_on.isoformat(),
        },
        "calls": [_call_document(line) for line in report.calls],
        "penalties": [_penalty_document(penalty) for penalty in report.penalties],
        "local_rulings": [_local_ruling_document(local) for local in report.local_rulings],
        "figures": call_figures_document(report.figures),
        "standing_penalties": {kind.value: count for kind, count in report.kinds},
        "infractions": [
            {
                "code": count.code,
                "name": count.name,
                "given": count.given,
                "taken_back": count.withdrawn,
            }
            for count in report.infractions
        ],
    }


def _call_document(line: TableCall) -> Document:
    call = line.call
    return {
        "round": line.pairing.round.number,
        "table": line.pairing.table_number,
        "players": [seat.player.name for seat in line.pairing.seats],
        "about": call.about,
        "raised_by": call.player.name if call.player else public_judge_name(call.user),
        "raised_at": iso_moment(call.raised_at),
        "taken_by": public_judge_name(call.taken_by),
        "taken_at": iso_moment(call.taken_at),
        "escalated_at": iso_moment(call.escalated_at),
        "is_appeal": call.appeals_id is not None,
        "overturned": call.overturned,
        "answered_by": public_judge_name(call.answered_by),
        "answered_at": iso_moment(call.answered_at),
        "taken_back_at": iso_moment(call.withdrawn_at),
        "answer": call.answer,
        "minutes": call.minutes,
        "rulings": _citation_documents(call.note),
    }


def _penalty_document(penalty: Penalty) -> Document:
    place, table = penalty.registration, penalty.pairing
    return {
        "round": penalty.round_number,
        "table": table.table_number if table else None,
        "player": place.player.name,
        "number": place.number,
        "infraction": penalty.infraction,
        "infraction_name": penalty.infraction_name,
        "penalty": penalty.kind,
        "expected": penalty.expected,
        "game": penalty.game,
        "text": penalty.note.text,
        "rulings": _citation_documents(penalty.note),
        "given_by": public_judge_name(penalty.note.author),
        "given_at": iso_moment(penalty.given_at),
        "waits": penalty.is_waiting,
        "taken_back_by": public_judge_name(penalty.withdrawn_by),
        "taken_back_at": iso_moment(penalty.withdrawn_at),
        "taken_back_why": penalty.withdrawn_reason,
    }


def _local_ruling_document(local: LocalRuling) -> Document:
    current = local.ruling.current
    return {
        "code": local.ruling.short_code,
        "subject": local.ruling.subject,
        "version": current.number if current else None,
        "text": current.text if current else "",
        "made_here": local.made_here,
    }


def _citation_documents(note: JudgeNote | None) -> list[Document]:
    versions = [citation.version for citation in note.citations.all()] if note else []
    return [
        {
            "code": version.ruling.short_code,
            "version": version.number,
            "subject": version.ruling.subject,
        }
        for version in versions
    ]


# CSV


PENALTY_COLUMNS = (
    *("given_at", "round", "table", "game", "number", "player", "infraction", "penalty"),
    *("expected", "given_by", "text", "taken_back_at", "taken_back_by", "why"),
)
REPORT_COLUMNS = (
    *("what", "round", "table", "game", "at", "players", "about", "penalty", "expected"),
    *("judge", "text", "rulings", "minutes", "ended_at", "ended_by", "why"),
)


def penalties_csv(tournament: Tournament) -> bytes:
    """All penalties, including withdrawn, in the order they were given."""
    documents = map(_penalty_document, tournament.penalties.with_details())
    rows = (
        {**penalty, "infraction": penalty["infraction_name"], "why": penalty["taken_back_why"]}
        for penalty in documents
    )
    return csv_bytes(PENALTY_COLUMNS, ([row[name] for name in PENALTY_COLUMNS] for row in rows))


def report_csv(report: Mapping[str, Any]) -> bytes:
    rows = (
        *_call_rows(report["calls"]),
        *_penalty_rows(report["penalties"]),
        *_local_ruling_rows(report),
    )
    return csv_bytes(REPORT_COLUMNS, ([row.get(name) for name in REPORT_COLUMNS] for row in rows))


def _call_rows(calls: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for call in calls:
        yield {
            "what": "appeal" if call["is_appeal"] else "call",
            **{name: call[name] for name in ("round", "table", "about", "minutes")},
            "at": call["raised_at"],
            "players": ", ".join(call["players"]),
            "judge": call["answered_by"] or call["taken_by"],
            "text": call["answer"],
            "rulings": _citation_codes(call["rulings"]),
            "ended_at": call["answered_at"] or call["taken_back_at"],
            "ended_by": call["answered_by"],
        }


def _penalty_rows(penalties: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    same = ("round", "table", "game", "penalty", "expected", "text")
    for penalty in penalties:
        yield {
            "what": "withdrawn penalty" if penalty["taken_back_at"] else "penalty",
            **{name: penalty[name] for name in same},
            "at": penalty["given_at"],
            "players": penalty["player"],
            "about": penalty["infraction_name"],
            "judge": penalty["given_by"],
            "rulings": _citation_codes(penalty["rulings"]),
            "ended_at": penalty["taken_back_at"],
            "ended_by": penalty["taken_back_by"],
            "why": penalty["taken_back_why"],
        }


def _local_ruling_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for ruling in report["local_rulings"]:
        yield {
            "what": "local ruling",
            "about": ruling["subject"],
            "text": ruling["text"],
            "rulings": ruling["code"],
        }


def _citation_codes(rulings: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{ruling['code']} v{ruling['version']}" for ruling in rulings)


def iso_moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")
