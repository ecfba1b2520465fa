"""The private part of an event's document: reports, notes, decks, penalties and the log."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch
from django.utils import translation

from decks.models import DecklistVersion, DeckSlot
from engine.documents.commands import MEAN_DIGITS
from engine.standings.records import Exact, as_decimal
from matches import records as matches_records
from matches.models import SETTLED_STATES, Match, MatchState, ResultReport
from rulings.models import JudgeCall, JudgeNote, NoteCitation, NoteKind
from tournaments.event.pages import identities_beside_names
from tournaments.files.conversion import games_document
from tournaments.files.document_shapes import (
    OPTIONAL_SETTINGS,
    PLAYER_SHAPE,
    RATED_SETTING,
    SETTINGS,
)
from tournaments.files.documents import engine_document
from tournaments.files.records import STRENGTHS
from tournaments.models import (
    Absence,
    DeckCheck,
    DeckSubmission,
    LocalRuling,
    LogEntry,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Round,
    Stage,
    StageEntry,
    StatedIdentity,
    Tournament,
)
from tournaments.models.rounds import MISSED_ROUND
from tournaments.rounds.reasons import document_reason

PrivateDocument = dict[str, Any]
# By match: "reports", "notes", "calls" and "absences".
DocumentsByMatch = Mapping[int, Mapping[str, list[PrivateDocument]]]


def _username(user: Any) -> str:
    """Username, or "" without a user."""
    return user.username if user else ""


def _iso(value: Any) -> Any:
    """Convert dates and times to ISO 8601; other values stay."""
    return value.isoformat() if isinstance(value, datetime | date | time) else value


def _fields(row: Any, *names: str) -> PrivateDocument:
    return {name: _iso(getattr(row, name)) for name in names}


def deck_documents(tournament: Tournament) -> list[PrivateDocument]:
    """Return the submitted decks with their lists, by player and side."""
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    related = ("registration", "version__decklist", "version__identity")
    rows = submissions.select_related(*related).prefetch_related(_prefetch_slots())
    return [
        {
            "player": submission.registration.number,
            "side": submission.side,
            **_deck_list_document(submission.version),
            **_fields(submission, "received_at", "locked_at", "locked_by"),
        }
        for submission in rows.order_by("registration__number", "side")
    ]


def deck_check_documents(tournament: Tournament) -> list[PrivateDocument]:
    """Deck check draws in order, each with its checks."""
    checks = DeckCheck.objects.select_related(
        "checked_by", "submission__registration", "version__decklist", "version__identity"
    ).prefetch_related(_prefetch_slots())
    by_place = ("table_number", "submission__registration__number", "submission__side")
    draws = tournament.deck_check_draws.select_related("drawn_by").prefetch_related(
        Prefetch("checks", checks.order_by(*by_place))
    )
    return [
        {
            "number": draw.number,
            "round": draw.round_number,
            "seed": draw.seed,
            "drawn_by": _username(draw.drawn_by),
            "drawn_at": _iso(draw.drawn_at),
            "checks": [_deck_check_document(check) for check in draw.checks.all()],
        }
        for draw in draws.order_by("number")
    ]


def _deck_check_document(check: DeckCheck) -> PrivateDocument:
    """Describe a check; `earlier_list` is set if the deck was replaced after the check."""
    is_earlier = check.version_id != check.submission.version_id
    return {
        "table": check.table_number,
        "player": check.submission.registration.number,
        "side": check.submission.side,
        "earlier_list": _deck_list_document(check.version) if is_earlier else None,
        "outcome": check.outcome,
        "note": check.note,
        "checked_by": _username(check.checked_by),
        "checked_at": _iso(check.checked_at),
    }


def _prefetch_slots() -> Any:
    slots = DeckSlot.objects.select_related("card").order_by("position", "pk")
    return Prefetch("version__slots", slots)


def _deck_list_document(version: DecklistVersion) -> PrivateDocument:
    return {
        "title": version.decklist.title,
        **_fields(version, "text", "form"),
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
        **_fields(version, "size", "agenda_points", "is_legal"),
        "breaches": [breach.as_document() for breach in version.stored_breaches],
        "notices": [notice.with_cause() for notice in version.stored_notices],
        "format": version.format_id,
        "snapshot": version.snapshot_id,
        "judged_on": _iso(version.judged_on),
        "seal": version.seal,
    }


def private_document(
    tournament: Tournament, by_player: Mapping[int, int], by_key: Mapping[int, int]
) -> PrivateDocument:
    """Build the private part of the document.

    The mappings are event numbers by the primary keys of players and registrations.
    """
    return {
        "staff_need_second_factor": tournament.staff_need_second_factor,
        "staff": [
            {"username": staff.user.username, "role": staff.role}
            for staff in tournament.staff.select_related("user").order_by("pk")
        ],
        "decks": deck_documents(tournament),
        "deck_checks": deck_check_documents(tournament),
        "penalties": [_penalty_document(penalty) for penalty in _penalties(tournament)],
        "guide": list(
            tournament.infraction_changes.order_by("code").values(
                "code", "name", "description", "ladder", "is_off"
            )
        ),
        "local_rulings": [_local_ruling_document(ruling) for ruling in _local_rulings(tournament)],
        "log": _log_documents(tournament, by_player, by_key),
    }


def documents_by_match(tournament: Tournament, by_player: Mapping[int, int]) -> DocumentsByMatch:
    """Return the reports, notes, absences and judge calls by match."""
    matches = Pairing.objects.filter(round__stage__tournament=tournament).values("match")
    found: dict[int, dict[str, list[PrivateDocument]]] = defaultdict(lambda: defaultdict(list))
    reports = ResultReport.objects.filter(match__in=matches).select_related("seat", "user")
    for report in reports.order_by("pk"):
        found[report.match_id]["reports"].append(_report_document(report, by_player))
    kinds = (NoteKind.NOTE, NoteKind.RESULT)
    notes = JudgeNote.objects.filter(match__in=matches, kind__in=kinds).select_related("author")
    for note in notes.prefetch_related(_prefetch_citations("citations")).order_by("pk"):
        if note.match_id is not None:
            found[note.match_id]["notes"].append(note_document(note))
    absences = Absence.objects.filter(pairing__match__in=matches)
    for absence in absences.select_related("pairing", "registration", "user").order_by("pk"):
        document = _absence_document(absence, by_player)
        found[absence.pairing.match_id or 0]["absences"].append(document)
    places: dict[int, int] = {}
    calls = JudgeCall.objects.filter(match__in=matches).select_related(
        "user", "taken_by", "escalated_by", "answered_by", "note__author"
    )
    for call in calls.prefetch_related(_prefetch_citations("note__citations")).order_by("pk"):
        documents = found[call.match_id]["calls"]
        places[call.pk] = len(documents)
        documents.append(_call_document(call, places, by_player))
    return found


def _prefetch_citations(path: str) -> Any:
    return Prefetch(path, NoteCitation.objects.select_related("version__ruling"))


def _report_document(report: ResultReport, by_player: Mapping[int, int]) -> PrivateDocument:
    return {
        "by": by_player.get(report.seat.player_id) if report.seat else None,
        "username": _username(report.user),
        **_fields(report, "state", "result", "note"),
        "at": _iso(report.created_at),
    }


def _absence_document(absence: Absence, by_player: Mapping[int, int]) -> PrivateDocument:
    return {
        "player": absence.registration.number,
        "by": by_player.get(absence.player_id or 0),
        "username": _username(absence.user),
        **_fields(absence, "told_at", "applied_at"),
    }


def note_document(note: JudgeNote) -> PrivateDocument:
    """Return a note with the rulings it cites, such as "lockjaw-1 v2"."""
    return {
        "author": _username(note.author),
        "text": note.text,
        "at": _iso(note.created_at),
        "cites": [
            f"{citation.version.ruling.code} v{citation.version.number}"
            for citation in note.citations.all()
        ],
    }


def _call_document(
    call: JudgeCall, places: Mapping[int, int], by_player: Mapping[int, int]
) -> PrivateDocument:
    return {
        "player": by_player.get(call.player_id or 0),
        "raised_by": _username(call.user),
        **_fields(call, "about", "raised_at"),
        "taken_by": _username(call.taken_by),
        **_fields(call, "taken_at", "for_head_judge"),
        "escalated_by": _username(call.escalated_by),
        "escalated_at": _iso(call.escalated_at),
        "appeals": places.get(call.appeals_id or 0),
        "answered_by": _username(call.answered_by),
        "answered_at": _iso(call.answered_at),
        "answer": note_document(call.note) if call.note else None,
        **_fields(call, "minutes", "overturned", "withdrawn_at"),
    }


def _penalties(tournament: Tournament) -> Any:
    penalties = Penalty.objects.filter(tournament=tournament).select_related(
        "registration", "pairing__round", "withdrawn_by", "note__author"
    )
    return penalties.prefetch_related(_prefetch_citations("note__citations")).order_by("pk")


def _penalty_document(penalty: Penalty) -> PrivateDocument:
    return {
        "player": penalty.registration.number,
        "round": penalty.round_number,
        "table": penalty.pairing.table_number if penalty.pairing else None,
        "table_round": penalty.pairing.round.number if penalty.pairing else None,
        **_fields(penalty, "infraction", "infraction_name", "kind", "expected", "game"),
        "note": note_document(penalty.note),
        **_fields(penalty, "dropped", "given_at", "withdrawn_at"),
        "withdrawn_by": _username(penalty.withdrawn_by),
        "withdrawn_reason": penalty.withdrawn_reason,
    }


def _local_rulings(tournament: Tournament) -> Any:
    rulings = LocalRuling.objects.filter(tournament=tournament)
    rulings = rulings.select_related("ruling", "basis__author")
    return rulings.prefetch_related(
        "ruling__versions", _prefetch_citations("basis__citations")
    ).order_by("pk")


def _local_ruling_document(local: LocalRuling) -> PrivateDocument:
    versions = sorted(local.ruling.versions.all(), key=lambda version: version.pk)
    newest = versions[-1] if versions else None
    return {
        "code": local.ruling.code,
        "made_here": local.made_here,
        "subject": local.ruling.subject,
        "question": getattr(newest, "question", "") or "",
        "text": newest.text if newest else "",
        "basis": note_document(local.basis) if local.basis else None,
    }


def _log_documents(
    tournament: Tournament, by_player: Mapping[int, int], by_key: Mapping[int, int]
) -> list[PrivateDocument]:
    entries = LogEntry.objects.filter(tournament=tournament).order_by("pk")
    places: dict[int, int] = {}
    documents: list[PrivateDocument] = []
    for entry in entries.select_related("user", "round", "pairing__round"):
        places[entry.pk] = len(documents)
        documents.append(_log_entry_document(entry, places, by_player, by_key))
    return documents


def _log_entry_document(
    entry: LogEntry,
    places: Mapping[int, int],
    by_player: Mapping[int, int],
    by_key: Mapping[int, int],
) -> PrivateDocument:
    round_ = entry.round or (entry.pairing.round if entry.pairing else None)
    return {
        "at": _iso(entry.at),
        "username": _username(entry.user),
        "player": by_player.get(entry.player_id or 0),
        "action": entry.action,
        # The column of an imported entry is as long.
        "subject": entry.shown_subject[:160],
        "before": _without_merge_data(entry.before),
        "after": _without_merge_data(entry.after),
        "reason": entry.shown_reason,
        "round": round_.number if round_ else None,
        "table": entry.pairing.table_number if entry.pairing else None,
        "about": by_key.get(entry.registration_id or 0),
        "undoes": places.get(entry.undoes_id or 0),
    }


def _without_merge_data(values: Mapping[str, Any]) -> PrivateDocument:
    """Omit undo data of merges: primary keys are meaningless in another database."""
    return {name: value for name, value in values.items() if name != "merged"}


# Export an event as a Datafort document from which it can be recreated.


Document = dict[str, Any]
# Registration fields visible only to the player and staff.
STAFF_FIELDS = (
    *("avoid_group", "fixed_table", "avoids_stream", "meeting_table"),
    *("checked_in_at", "dropped_at", "dropped_by", "paid_at"),
    *("day_two_at", "waiting_rank"),
)
# Fields that are omitted when empty.
OMITTED_IF_EMPTY = ("paid_at", "day_two_at", "waiting_rank")
# Hidden until a round is published: pairings and standings depend on these.
HIDDEN_UNTIL_PUBLISHED = ("seed", "first_round_bye")


@translation.override("en")
def event_document(tournament: Tournament, *, private: bool = False) -> Document:
    """Build the document: engine data at the top level, everything else under "event".

    Its sentences are English for every reader, because programs compare documents. The seed would
    allow random draws to be predicted, so it is public only after the event.
    """
    event = _EventDocumentBuilder(tournament, private=private).event()
    return {**engine_document(event), "standings": standings_lines(tournament), "event": event}


def standings_lines(tournament: Tournament) -> list[Document]:
    """Return the current standings, with each line as printed by `import_tournament --json`."""
    snapshot = tournament.snapshots.newest()
    rows = snapshot.rows.ranked() if snapshot else []
    return [
        standing_line(row.registration.number, row.rank, row.match_points, row.tie_breakers)
        for row in rows
    ]


def standing_line(
    number: int, rank: int, points: Exact, figures: Mapping[str, Exact | str | None]
) -> Document:
    return {
        "id": number,
        "rank": rank,
        "match_points": _json_points(points),
        **{
            name: float(as_decimal(Fraction(figures.get(name) or 0), MEAN_DIGITS))
            for name in STRENGTHS
        },
    }


class _EventDocumentBuilder:
    """Builds the document of an event with a constant number of queries."""

    def __init__(self, tournament: Tournament, *, private: bool) -> None:
        self.tournament, self.private = tournament, private
        self.shows_seed = private or tournament.is_finished
        self.is_played = tournament.rounds.published().exists()
        self.registrations = list(
            tournament.registrations.select_related("player").order_by("number")
        )
        self.by_player: Mapping[int, int] = {
            entry.player_id: entry.number for entry in self.registrations
        }
        self.by_key: Mapping[int, int] = {entry.pk: entry.number for entry in self.registrations}

    def event(self) -> Document:
        self.at_tables = (
            documents_by_match(self.tournament, self.by_player) if self.private else None
        )
        return {
            "settings": {key: _iso(value) for key, value in self._settings()},
            "seed": self.tournament.seed if self.shows_seed else None,
            "players": [*self._players()],
            "stages": [self._stage(stage) for stage in self._stages()],
            "private": private_document(self.tournament, self.by_player, self.by_key)
            if self.private
            else None,
        }

    def _settings(self) -> Iterator[tuple[str, Any]]:
        omitted_defaults = {**OPTIONAL_SETTINGS, **RATED_SETTING}
        for key in SETTINGS:
            value = getattr(self.tournament, key)
            if key not in omitted_defaults or value != omitted_defaults[key].default:
                yield key, value

    def _players(self) -> Iterator[Document]:
        identities = self._identities()
        for entry in self.registrations:
            if self.private or entry.state != RegistrationState.WAITING:
                yield self._player(entry, identities.get(entry.number, []))

    def _player(self, entry: Registration, identities: list[Document]) -> Document:
        facts = {key: _iso(getattr(entry, key)) for key in PLAYER_SHAPE if hasattr(entry, key)}
        # Documents lack the account-wide setting, so merge it in: the player must stay off stream.
        facts["avoids_stream"] = entry.is_off_stream
        if not self.private:
            hidden = STAFF_FIELDS + (() if self.is_played else HIDDEN_UNTIL_PUBLISHED)
            facts |= {key: PLAYER_SHAPE[key].default for key in hidden}
        facts = {key: value for key, value in facts.items() if value or key not in OMITTED_IF_EMPTY}
        named = {"id": entry.number, "name": entry.player.name, "pronouns": entry.player.pronouns}
        return {**named, **facts, **named, "identities": identities}

    def _identities(self) -> dict[int, list[Document]]:
        """Identities by event number."""
        if not self.private:
            public = identities_beside_names(self.tournament, None)
            return {
                number: [{"side": line.side, "title": line.title} for line in lines]
                for number, lines in public.items()
            }
        # The decks of the private part contain the other identities.
        rows = StatedIdentity.objects.filter(registration__tournament=self.tournament)
        found: dict[int, list[Document]] = defaultdict(list)
        for row in rows.select_related("registration").order_by("registration__number", "side"):
            found[row.registration.number].append({"side": row.side, "title": row.title})
        return found

    def _stages(self) -> Iterable[Stage]:
        # Prefetching more than 1,000 rows by a foreign key exceeds what SQLite parses.
        tables = Pairing.objects.select_related("match", "bye", "advances")
        rounds = self.tournament.stages.prefetch_related(
            Prefetch("entries", StageEntry.objects.select_related("registration")),
            Prefetch("rounds__pairings", tables),
            "rounds__pairings__match__seats",
            "rounds__pairings__match__games__seats",
        ).order_by("number")
        return [stage for stage in rounds if self.private or self._is_public(stage)]

    def _is_public(self, stage: Stage) -> bool:
        """Return True unless this is a cut without published seeds and rounds."""
        if not stage.is_cut or stage.seeds_shown_at is not None:
            return True
        return _has_published_round(stage)

    def _stage(self, stage: Stage) -> Document:
        # A round robin's order is fixed by the first draft and reveals future opponents.
        shows_order = stage.is_cut or _has_published_round(stage)
        return {
            **_fields(stage, "number", "system", "scoring_rule", "fixed_bracket"),
            **_fields(stage, "decks_shown_to", "decks_shown_at", "seeds_shown_at"),
            "entries": [
                {
                    "player": entry.registration.number,
                    **_fields(entry, "seed", "declined", "place"),
                }
                for entry in stage.entries.all()
                if self.private or (shows_order and not entry.declined)
            ],
            "rounds": [
                self._round(round_, stage)
                for round_ in sorted(stage.rounds.all(), key=lambda round_: round_.number)
                if self.private or not round_.is_draft
            ],
        }

    def _round(self, round_: Round, stage: Stage) -> Document:
        return {
            **_fields(round_, "number", "state"),
            "seed": round_.seed if self.shows_seed else None,
            **_fields(round_, "published_at", "started_at", "paused_at", "paused_seconds"),
            **_fields(round_, "extra_minutes", "closed_at"),
            "certificate": round_.certificate if self.private else {},
            "relaxations": [*map(document_reason, round_.relaxations)] if self.private else [],
            "pairings": [
                self._pairing(pairing, stage)
                for pairing in sorted(round_.pairings.all(), key=_pairing_order)
            ],
        }

    def _pairing(self, pairing: Pairing, stage: Stage) -> Document:
        is_late = MISSED_ROUND in pairing.cost
        with_reasons = self.private or stage.is_cut or is_late
        return {
            "table": pairing.table_number,
            "match": self._match(pairing.match) if pairing.match else None,
            "bye": pairing.bye.number if pairing.bye else None,
            "points": pairing.bye_points,
            "late_entry": is_late,
            "bracket_game": pairing.bracket_game,
            "advances": pairing.advances.number if pairing.advances else None,
            **_fields(pairing, "made_by_hand", "extra_minutes"),
            "is_locked": pairing.is_locked and self.private,
            "cost": pairing.cost if self.private or is_late else {},
            "reasons": [*map(document_reason, pairing.reasons)] if with_reasons else [],
        }

    def _match(self, match: Match) -> Document:
        settled = match.state in SETTLED_STATES
        seats = sorted(match.seats.all(), key=lambda seat: seat.position)
        ids = {seat.position: self.by_player[seat.player_id] for seat in seats}
        positions = {seat.pk: seat.position for seat in seats}
        points = {
            (game.number, positions[played.seat_id]): _json_points(played.points)
            for game in match.games.all()
            for played in game.seats.all()
        }
        at_table = self.at_tables[match.pk] if self.at_tables is not None else {}
        return {
            "state": match.state if settled or self.private else MatchState.OPEN.value,
            "flags": match.flags,
            "settled_at": _iso(match.settled_at),
            "seats": [
                {
                    "id": ids[seat.position],
                    "points": _json_points(seat.points),
                    "typed": seat.typed_points,
                }
                for seat in seats
            ],
            "games": games_document(matches_records.game_rows(match), ids, points),
            "losses": match.losses if self.private else [],
            **{key: at_table.get(key, []) for key in ("reports", "notes", "calls", "absences")},
        }


def _has_published_round(stage: Stage) -> bool:
    return any(not round_.is_draft for round_ in stage.rounds.all())


def _pairing_order(pairing: Pairing) -> tuple[bool, int, int]:
    bye = pairing.bye.number if pairing.bye else 0
    return pairing.table_number is None, pairing.table_number or 0, bye


def _json_points(points: Any) -> Any:
    return points if points is None or isinstance(points, int) else str(points)
