"""The judges' report of an event, as records and as a JSON document."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from rulings.guide import PenaltyKind
from rulings.models import JudgeNote
from tournaments.event.queries import penalties as penalty_queries
from tournaments.event.queries.penalties import InfractionCount
from tournaments.judging import queries
from tournaments.judging.exports import iso_moment
from tournaments.judging.pages.calls import CallFigures, figures_document, figures_of
from tournaments.judging.queries import TableCall
from tournaments.models import LocalRuling, Penalty, Tournament

Document = dict[str, Any]


@dataclass(frozen=True)
class Report:
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


def report(tournament: Tournament) -> Report:
    """Load the report in a fixed number of queries."""
    penalties = list(penalty_queries.of_event(tournament))
    counted = Counter(one.kind for one in penalties if one.stands)
    rulings = tournament.local_rulings.select_related("ruling").prefetch_related("ruling__versions")
    return Report(
        tournament=tournament,
        calls=queries.all_calls(tournament),
        penalties=penalties,
        local_rulings=list(rulings.order_by("pk")),
        kinds=[(kind, counted[kind]) for kind in PenaltyKind],
        infractions=penalty_queries.counts(tournament),
        figures=figures_of(tournament, for_readers=True),
    )


def document(shown: Report) -> Document:
    """The report as plain JSON, documented in docs/judges.md. Times are ISO 8601."""
    event = shown.tournament
    return {
        "datafort": 1,
        "report": "judges",
        "event": {
            "slug": event.slug,
            "name": event.name,
            "game": event.game,
            "starts_on": event.starts_on.isoformat(),
        },
        "calls": [_call(line) for line in shown.calls],
        "penalties": [_penalty(one) for one in shown.penalties],
        "local_rulings": [_local(one) for one in shown.local_rulings],
        "figures": figures_document(shown.figures),
        "standing_penalties": {kind.value: count for kind, count in shown.kinds},
        "infractions": [
            {"code": one.code, "name": one.name, "given": one.given, "taken_back": one.withdrawn}
            for one in shown.infractions
        ],
    }


def _call(line: TableCall) -> Document:
    call = line.call
    return {
        "round": line.pairing.round.number,
        "table": line.pairing.table_number,
        "players": [seat.player.name for seat in line.pairing.seats],
        "about": call.about,
        "raised_by": call.player.name if call.player else queries.judge_name(call.user),
        "raised_at": iso_moment(call.raised_at),
        "taken_by": queries.judge_name(call.taken_by),
        "taken_at": iso_moment(call.taken_at),
        "escalated_at": iso_moment(call.escalated_at),
        "is_appeal": call.appeals_id is not None,
        "overturned": call.overturned,
        "answered_by": queries.judge_name(call.answered_by),
        "answered_at": iso_moment(call.answered_at),
        "taken_back_at": iso_moment(call.withdrawn_at),
        "answer": call.answer,
        "minutes": call.minutes,
        "rulings": _cited(call.note),
    }


def _penalty(penalty: Penalty) -> Document:
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
        "rulings": _cited(penalty.note),
        "given_by": queries.judge_name(penalty.note.author),
        "given_at": iso_moment(penalty.given_at),
        "waits": penalty.waits,
        "taken_back_by": queries.judge_name(penalty.withdrawn_by),
        "taken_back_at": iso_moment(penalty.withdrawn_at),
        "taken_back_why": penalty.withdrawn_reason,
    }


def _local(local: LocalRuling) -> Document:
    current = local.ruling.current
    return {
        "code": local.ruling.short_code,
        "subject": local.ruling.subject,
        "version": current.number if current else None,
        "text": current.text if current else "",
        "made_here": local.made_here,
    }


def _cited(note: JudgeNote | None) -> list[Document]:
    cited = note.citations.all() if note else []
    return [
        {
            "code": one.version.ruling.short_code,
            "version": one.version.number,
            "subject": one.version.ruling.subject,
        }
        for one in cited
    ]
