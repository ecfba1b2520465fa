"""The private part of an event's document: reports, notes, decks, penalties and the log."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Protocol

from django.db.models import Prefetch, QuerySet

from decks.models import DecklistVersion, DeckSlot
from matches.models import ResultReport
from rulings.models import JudgeCall, JudgeNote, NoteCitation, NoteKind
from tournaments.models import (
    Absence,
    DeckCheck,
    DeckSubmission,
    LocalRuling,
    LogEntry,
    Pairing,
    Penalty,
    StatedIdentity,
    Tournament,
)

Document = dict[str, Any]
# By match: "reports", "notes", "calls" and "absences".
AtTables = Mapping[int, Mapping[str, list[Document]]]


def name(user: Any) -> str:
    """Username, or an empty string without a user."""
    return user.username if user else ""


def moment(at: Any) -> str | None:
    """Format as ISO 8601."""
    return at.isoformat() if at else None


def decks(tournament: Tournament) -> list[Document]:
    """Submitted decks with their lists, by player and side."""
    found = DeckSubmission.objects.filter(registration__tournament=tournament)
    found = found.select_related("registration", "version__decklist", "version__identity")
    return [
        {
            "player": one.registration.number,
            "side": one.side,
            **_list(one.version),
            "received_at": moment(one.received_at),
            "locked_at": moment(one.locked_at),
            "locked_by": one.locked_by,
        }
        for one in found.prefetch_related(_slots()).order_by("registration__number", "side")
    ]


def deck_checks(tournament: Tournament) -> list[Document]:
    """Deck check draws in order, each with its checks."""
    checks = Prefetch("checks", _checks())
    draws = tournament.deck_check_draws.select_related("drawn_by").prefetch_related(checks)
    return [
        {
            "number": one.number,
            "round": one.round_number,
            "seed": one.seed,
            "drawn_by": name(one.drawn_by),
            "drawn_at": moment(one.drawn_at),
            "checks": [_check(check) for check in one.checks.all()],
        }
        for one in draws.order_by("number")
    ]


def _checks() -> QuerySet[DeckCheck]:
    found = DeckCheck.objects.select_related(
        "checked_by", "submission__registration", "version__decklist", "version__identity"
    )
    by_place = ("table_number", "submission__registration__number", "submission__side")
    return found.prefetch_related(_slots()).order_by(*by_place)


def _check(one: DeckCheck) -> Document:
    """Describe a check; `earlier_list` is set if the deck was replaced after the check."""
    is_earlier = one.version_id != one.submission.version_id
    return {
        "table": one.table_number,
        "player": one.submission.registration.number,
        "side": one.submission.side,
        "earlier_list": _list(one.version) if is_earlier else None,
        "outcome": one.outcome,
        "note": one.note,
        "checked_by": name(one.checked_by),
        "checked_at": moment(one.checked_at),
    }


def _slots() -> Any:
    slots = DeckSlot.objects.select_related("card").order_by("position", "pk")
    return Prefetch("version__slots", slots)


def _list(version: DecklistVersion) -> Document:
    return {
        "title": version.decklist.title,
        "text": version.text,
        "form": version.form,
        "identity": version.identity.slug if version.identity else None,
        "slots": [
            {
                "card": slot.card.slug,
                "title": slot.card.title,
                "printing": slot.printing,
                "quantity": slot.quantity,
            }
            for slot in version.slots.all()
        ],
        "size": version.size,
        "agenda_points": version.agenda_points,
        "is_legal": version.is_legal,
        "breaches": version.breaches,
        "notices": version.notices,
        "format": version.format_id,
        "snapshot": version.snapshot_id,
        "judged_on": version.judged_on.isoformat() if version.judged_on else None,
        "seal": version.seal,
    }


class Numbered(Protocol):
    """Lookup of event numbers by the primary keys of players and registrations."""

    by_player: Mapping[int, int]
    by_key: Mapping[int, int]


def stated_identities(tournament: Tournament) -> list[tuple[int, str, str]]:
    """Identities stated in imported files: event number, side, title."""
    rows = StatedIdentity.objects.filter(registration__tournament=tournament)
    return list(
        rows.order_by("registration__number", "side").values_list(
            "registration__number", "side", "title"
        )
    )


def document(tournament: Tournament, players: Numbered) -> Document:
    """Build the private part of the document."""
    return {
        "staff_need_second_factor": tournament.staff_need_second_factor,
        "staff": [
            {"username": one.user.username, "role": one.role}
            for one in tournament.staff.select_related("user").order_by("pk")
        ],
        "decks": decks(tournament),
        "deck_checks": deck_checks(tournament),
        "penalties": [_penalty(one) for one in _penalties(tournament)],
        "guide": list(
            tournament.infraction_changes.order_by("code").values(
                "code", "name", "description", "ladder", "is_off"
            )
        ),
        "local_rulings": [_local_ruling(one) for one in _local_rulings(tournament)],
        "log": _log(tournament, players),
    }


def of_tables(tournament: Tournament, by_player: Mapping[int, int]) -> AtTables:
    """Reports, notes, absences and judge calls by match."""
    matches = Pairing.objects.filter(round__stage__tournament=tournament).values("match")
    found: dict[int, dict[str, list[Document]]] = defaultdict(lambda: defaultdict(list))
    reports = ResultReport.objects.filter(match__in=matches).select_related("seat", "user")
    for report in reports.order_by("pk"):
        found[report.match_id]["reports"].append(_report(report, by_player))
    kinds = (NoteKind.NOTE, NoteKind.RESULT)
    notes = JudgeNote.objects.filter(match__in=matches, kind__in=kinds).select_related("author")
    for note in notes.prefetch_related(_cites("citations")).order_by("pk"):
        if note.match_id is not None:
            found[note.match_id]["notes"].append(note_document(note))
    missed = Absence.objects.filter(pairing__match__in=matches)
    for one in missed.select_related("pairing", "registration", "user").order_by("pk"):
        found[one.pairing.match_id or 0]["absences"].append(_absence(one, by_player))
    places: dict[int, int] = {}
    calls = JudgeCall.objects.filter(match__in=matches).select_related(
        "user", "taken_by", "escalated_by", "answered_by", "note__author"
    )
    for call in calls.prefetch_related(_cites("note__citations")).order_by("pk"):
        here = found[call.match_id]["calls"]
        places[call.pk] = len(here)
        here.append(_call(call, places, by_player))
    return found


def _cites(path: str) -> Any:
    return Prefetch(path, NoteCitation.objects.select_related("version__ruling"))


def _report(report: ResultReport, by_player: Mapping[int, int]) -> Document:
    return {
        "by": by_player.get(report.seat.player_id) if report.seat else None,
        "username": name(report.user),
        "state": report.state,
        "result": report.result,
        "note": report.note,
        "at": moment(report.created_at),
    }


def _absence(one: Absence, by_player: Mapping[int, int]) -> Document:
    return {
        "player": one.registration.number,
        "by": by_player.get(one.player_id or 0),
        "username": name(one.user),
        "told_at": moment(one.told_at),
        "applied_at": moment(one.applied_at),
    }


def note_document(note: JudgeNote) -> Document:
    """A note with the rulings it cites, such as "lockjaw-1 v2"."""
    return {
        "author": name(note.author),
        "text": note.text,
        "at": moment(note.created_at),
        "cites": [
            f"{one.version.ruling.code} v{one.version.number}" for one in note.citations.all()
        ],
    }


def _call(call: JudgeCall, places: Mapping[int, int], by_player: Mapping[int, int]) -> Document:
    return {
        "player": by_player.get(call.player_id or 0),
        "raised_by": name(call.user),
        "about": call.about,
        "raised_at": moment(call.raised_at),
        "taken_by": name(call.taken_by),
        "taken_at": moment(call.taken_at),
        "for_head_judge": call.for_head_judge,
        "escalated_by": name(call.escalated_by),
        "escalated_at": moment(call.escalated_at),
        "appeals": places.get(call.appeals_id or 0),
        "answered_by": name(call.answered_by),
        "answered_at": moment(call.answered_at),
        "answer": note_document(call.note) if call.note else None,
        "minutes": call.minutes,
        "overturned": call.overturned,
        "withdrawn_at": moment(call.withdrawn_at),
    }


def _penalties(tournament: Tournament) -> Any:
    found = Penalty.objects.filter(tournament=tournament).select_related(
        "registration", "pairing__round", "withdrawn_by", "note__author"
    )
    return found.prefetch_related(_cites("note__citations")).order_by("pk")


def _penalty(one: Penalty) -> Document:
    return {
        "player": one.registration.number,
        "round": one.round_number,
        "table": one.pairing.table_number if one.pairing else None,
        "table_round": one.pairing.round.number if one.pairing else None,
        "infraction": one.infraction,
        "infraction_name": one.infraction_name,
        "kind": one.kind,
        "expected": one.expected,
        "game": one.game,
        "note": note_document(one.note),
        "dropped": one.dropped,
        "given_at": moment(one.given_at),
        "withdrawn_at": moment(one.withdrawn_at),
        "withdrawn_by": name(one.withdrawn_by),
        "withdrawn_reason": one.withdrawn_reason,
    }


def _local_rulings(tournament: Tournament) -> Any:
    rulings = LocalRuling.objects.filter(tournament=tournament)
    rulings = rulings.select_related("ruling", "basis__author")
    return rulings.prefetch_related("ruling__versions", _cites("basis__citations")).order_by("pk")


def _local_ruling(one: LocalRuling) -> Document:
    versions = sorted(one.ruling.versions.all(), key=lambda version: version.pk)
    newest = versions[-1] if versions else None
    return {
        "code": one.ruling.code,
        "made_here": one.made_here,
        "subject": one.ruling.subject,
        "question": getattr(newest, "question", "") or "",
        "text": newest.text if newest else "",
        "basis": note_document(one.basis) if one.basis else None,
    }


def _log(tournament: Tournament, players: Numbered) -> list[Document]:
    entries = LogEntry.objects.filter(tournament=tournament).order_by("pk")
    places: dict[int, int] = {}
    documents: list[Document] = []
    for entry in entries.select_related("user", "round", "pairing__round"):
        places[entry.pk] = len(documents)
        documents.append(_entry(entry, places, players))
    return documents


def _entry(entry: LogEntry, places: Mapping[int, int], players: Numbered) -> Document:
    round_ = entry.round or (entry.pairing.round if entry.pairing else None)
    return {
        "at": moment(entry.at),
        "username": name(entry.user),
        "player": players.by_player.get(entry.player_id or 0),
        "action": entry.action,
        "subject": entry.subject,
        "before": _without_keys(entry.before),
        "after": _without_keys(entry.after),
        "reason": entry.reason,
        "round": round_.number if round_ else None,
        "table": entry.pairing.table_number if entry.pairing else None,
        "about": players.by_key.get(entry.registration_id or 0),
        "undoes": places.get(entry.undoes_id or 0),
    }


def _without_keys(kept: Mapping[str, Any]) -> Document:
    """Omit undo data of merges: primary keys are meaningless in another database."""
    return {name: value for name, value in kept.items() if name != "merged"}
