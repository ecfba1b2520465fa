"""The private part of an event's document: reports, notes, decks, penalties and the log."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any, Protocol

from django.db.models import Prefetch, QuerySet

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

PrivateDocument = dict[str, Any]
# By match: "reports", "notes", "calls" and "absences".
DocumentsByMatch = Mapping[int, Mapping[str, list[PrivateDocument]]]


def username_of(user: Any) -> str:
    """Username, or an empty string without a user."""
    return user.username if user else ""


def iso_moment(at: Any) -> str | None:
    """Format as ISO 8601."""
    return at.isoformat() if at else None


def deck_documents(tournament: Tournament) -> list[PrivateDocument]:
    """Submitted decks with their lists, by player and side."""
    found = DeckSubmission.objects.filter(registration__tournament=tournament)
    found = found.select_related("registration", "version__decklist", "version__identity")
    return [
        {
            "player": one.registration.number,
            "side": one.side,
            **_deck_list_document(one.version),
            "received_at": iso_moment(one.received_at),
            "locked_at": iso_moment(one.locked_at),
            "locked_by": one.locked_by,
        }
        for one in found.prefetch_related(_prefetch_slots()).order_by(
            "registration__number", "side"
        )
    ]


def deck_check_documents(tournament: Tournament) -> list[PrivateDocument]:
    """Deck check draws in order, each with its checks."""
    checks = Prefetch("checks", _deck_checks())
    draws = tournament.deck_check_draws.select_related("drawn_by").prefetch_related(checks)
    return [
        {
            "number": one.number,
            "round": one.round_number,
            "seed": one.seed,
            "drawn_by": username_of(one.drawn_by),
            "drawn_at": iso_moment(one.drawn_at),
            "checks": [_deck_check_document(check) for check in one.checks.all()],
        }
        for one in draws.order_by("number")
    ]


def _deck_checks() -> QuerySet[DeckCheck]:
    found = DeckCheck.objects.select_related(
        "checked_by", "submission__registration", "version__decklist", "version__identity"
    )
    by_place = ("table_number", "submission__registration__number", "submission__side")
    return found.prefetch_related(_prefetch_slots()).order_by(*by_place)


def _deck_check_document(one: DeckCheck) -> PrivateDocument:
    """Describe a check; `earlier_list` is set if the deck was replaced after the check."""
    is_earlier = one.version_id != one.submission.version_id
    return {
        "table": one.table_number,
        "player": one.submission.registration.number,
        "side": one.submission.side,
        "earlier_list": _deck_list_document(one.version) if is_earlier else None,
        "outcome": one.outcome,
        "note": one.note,
        "checked_by": username_of(one.checked_by),
        "checked_at": iso_moment(one.checked_at),
    }


def _prefetch_slots() -> Any:
    slots = DeckSlot.objects.select_related("card").order_by("position", "pk")
    return Prefetch("version__slots", slots)


def _deck_list_document(version: DecklistVersion) -> PrivateDocument:
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


class PlayerNumbers(Protocol):
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


def private_document(tournament: Tournament, players: PlayerNumbers) -> PrivateDocument:
    """Build the private part of the document."""
    return {
        "staff_need_second_factor": tournament.staff_need_second_factor,
        "staff": [
            {"username": one.user.username, "role": one.role}
            for one in tournament.staff.select_related("user").order_by("pk")
        ],
        "decks": deck_documents(tournament),
        "deck_checks": deck_check_documents(tournament),
        "penalties": [_penalty_document(one) for one in _penalties(tournament)],
        "guide": list(
            tournament.infraction_changes.order_by("code").values(
                "code", "name", "description", "ladder", "is_off"
            )
        ),
        "local_rulings": [_local_ruling_document(one) for one in _local_rulings(tournament)],
        "log": _log_documents(tournament, players),
    }


def documents_by_match(tournament: Tournament, by_player: Mapping[int, int]) -> DocumentsByMatch:
    """Reports, notes, absences and judge calls by match."""
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
    missed = Absence.objects.filter(pairing__match__in=matches)
    for one in missed.select_related("pairing", "registration", "user").order_by("pk"):
        found[one.pairing.match_id or 0]["absences"].append(_absence_document(one, by_player))
    places: dict[int, int] = {}
    calls = JudgeCall.objects.filter(match__in=matches).select_related(
        "user", "taken_by", "escalated_by", "answered_by", "note__author"
    )
    for call in calls.prefetch_related(_prefetch_citations("note__citations")).order_by("pk"):
        here = found[call.match_id]["calls"]
        places[call.pk] = len(here)
        here.append(_call_document(call, places, by_player))
    return found


def _prefetch_citations(path: str) -> Any:
    return Prefetch(path, NoteCitation.objects.select_related("version__ruling"))


def _report_document(report: ResultReport, by_player: Mapping[int, int]) -> PrivateDocument:
    return {
        "by": by_player.get(report.seat.player_id) if report.seat else None,
        "username": username_of(report.user),
        "state": report.state,
        "result": report.result,
        "note": report.note,
        "at": iso_moment(report.created_at),
    }


def _absence_document(one: Absence, by_player: Mapping[int, int]) -> PrivateDocument:
    return {
        "player": one.registration.number,
        "by": by_player.get(one.player_id or 0),
        "username": username_of(one.user),
        "told_at": iso_moment(one.told_at),
        "applied_at": iso_moment(one.applied_at),
    }


def note_document(note: JudgeNote) -> PrivateDocument:
    """A note with the rulings it cites, such as "lockjaw-1 v2"."""
    return {
        "author": username_of(note.author),
        "text": note.text,
        "at": iso_moment(note.created_at),
        "cites": [
            f"{one.version.ruling.code} v{one.version.number}" for one in note.citations.all()
        ],
    }


def _call_document(
    call: JudgeCall, places: Mapping[int, int], by_player: Mapping[int, int]
) -> PrivateDocument:
    return {
        "player": by_player.get(call.player_id or 0),
        "raised_by": username_of(call.user),
        "about": call.about,
        "raised_at": iso_moment(call.raised_at),
        "taken_by": username_of(call.taken_by),
        "taken_at": iso_moment(call.taken_at),
        "for_head_judge": call.for_head_judge,
        "escalated_by": username_of(call.escalated_by),
        "escalated_at": iso_moment(call.escalated_at),
        "appeals": places.get(call.appeals_id or 0),
        "answered_by": username_of(call.answered_by),
        "answered_at": iso_moment(call.answered_at),
        "answer": note_document(call.note) if call.note else None,
        "minutes": call.minutes,
        "overturned": call.overturned,
        "withdrawn_at": iso_moment(call.withdrawn_at),
    }


def _penalties(tournament: Tournament) -> Any:
    found = Penalty.objects.filter(tournament=tournament).select_related(
        "registration", "pairing__round", "withdrawn_by", "note__author"
    )
    return found.prefetch_related(_prefetch_citations("note__citations")).order_by("pk")


def _penalty_document(one: Penalty) -> PrivateDocument:
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
        "given_at": iso_moment(one.given_at),
        "withdrawn_at": iso_moment(one.withdrawn_at),
        "withdrawn_by": username_of(one.withdrawn_by),
        "withdrawn_reason": one.withdrawn_reason,
    }


def _local_rulings(tournament: Tournament) -> Any:
    rulings = LocalRuling.objects.filter(tournament=tournament)
    rulings = rulings.select_related("ruling", "basis__author")
    return rulings.prefetch_related(
        "ruling__versions", _prefetch_citations("basis__citations")
    ).order_by("pk")


def _local_ruling_document(one: LocalRuling) -> PrivateDocument:
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


def _log_documents(tournament: Tournament, players: PlayerNumbers) -> list[PrivateDocument]:
    entries = LogEntry.objects.filter(tournament=tournament).order_by("pk")
    places: dict[int, int] = {}
    documents: list[PrivateDocument] = []
    for entry in entries.select_related("user", "round", "pairing__round"):
        places[entry.pk] = len(documents)
        documents.append(_log_entry_document(entry, places, players))
    return documents


def _log_entry_document(
    entry: LogEntry, places: Mapping[int, int], players: PlayerNumbers
) -> PrivateDocument:
    round_ = entry.round or (entry.pairing.round if entry.pairing else None)
    return {
        "at": iso_moment(entry.at),
        "username": username_of(entry.user),
        "player": players.by_player.get(entry.player_id or 0),
        "action": entry.action,
        "subject": entry.subject,
        "before": _without_merge_data(entry.before),
        "after": _without_merge_data(entry.after),
        "reason": entry.reason,
        "round": round_.number if round_ else None,
        "table": entry.pairing.table_number if entry.pairing else None,
        "about": players.by_key.get(entry.registration_id or 0),
        "undoes": places.get(entry.undoes_id or 0),
    }


def _without_merge_data(kept: Mapping[str, Any]) -> PrivateDocument:
    """Omit undo data of merges: primary keys are meaningless in another database."""
    return {name: value for name, value in kept.items() if name != "merged"}


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


def event_document(tournament: Tournament, *, private: bool = False) -> Document:
    """Build the document: engine data at the top level, everything else under "event".

    The seed would allow random draws to be predicted, so it is public only after the event.
    """
    event = _EventDocumentBuilder(tournament, private=private).event()
    return {**engine_document(event), "standings": standings_lines(tournament), "event": event}


def standings_lines(tournament: Tournament) -> list[Document]:
    """Current standings, with each line as printed by `import_tournament --json`."""
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
        **{name: rounded_mean(Fraction(figures.get(name) or 0)) for name in STRENGTHS},
    }


def rounded_mean(value: Fraction) -> float:
    """Round to nine digits, halves away from zero."""
    return float(as_decimal(value, MEAN_DIGITS))


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
            one.player_id: one.number for one in self.registrations
        }
        self.by_key: Mapping[int, int] = {one.pk: one.number for one in self.registrations}

    def event(self) -> Document:
        self.at_tables = (
            documents_by_match(self.tournament, self.by_player) if self.private else None
        )
        return {
            "settings": {key: _iso_value(value) for key, value in self._settings()},
            "seed": self.tournament.seed if self.shows_seed else None,
            "players": [*self._players()],
            "stages": [self._stage(stage) for stage in self._stages()],
            "private": private_document(self.tournament, self) if self.private else None,
        }

    def _settings(self) -> Iterator[tuple[str, Any]]:
        for key in SETTINGS:
            value = getattr(self.tournament, key)
            usual = {**OPTIONAL_SETTINGS, **RATED_SETTING}
            if key not in usual or value != usual[key].default:
                yield key, value

    def _players(self) -> Iterator[Document]:
        identities = self._identities()
        for one in self.registrations:
            if one.state == RegistrationState.WAITING and not self.private:
                continue
            yield self._player(one, identities.get(one.number, []))

    def _player(self, one: Registration, identities: list[Document]) -> Document:
        facts = {key: _iso_value(getattr(one, key)) for key in PLAYER_SHAPE if hasattr(one, key)}
        # Documents lack the account-wide setting, so merge it in: the player must stay off stream.
        facts["avoids_stream"] = one.is_off_stream
        if not self.private:
            hidden = STAFF_FIELDS + (() if self.is_played else HIDDEN_UNTIL_PUBLISHED)
            facts |= {key: PLAYER_SHAPE[key].default for key in hidden}
        facts = {key: value for key, value in facts.items() if value or key not in OMITTED_IF_EMPTY}
        named = {"id": one.number, "name": one.player.name, "pronouns": one.player.pronouns}
        return {**named, **facts, **named, "identities": identities}

    def _identities(self) -> dict[int, list[Document]]:
        """Identities shown beside names.

        The private part has only the identities of imported files, because decks contain the rest.
        """
        if not self.private:
            seen = identities_beside_names(self.tournament, None)
            return {
                number: [{"side": line.side, "title": line.title} for line in lines]
                for number, lines in seen.items()
            }
        found: dict[int, list[Document]] = defaultdict(list)
        for number, side, title in stated_identities(self.tournament):
            found[number].append({"side": side, "title": title})
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
        if not stage.way.is_elimination or stage.seeds_shown_at is not None:
            return True
        return _has_published_round(stage)

    def _stage(self, stage: Stage) -> Document:
        # A round robin's order is fixed by the first draft and reveals future opponents.
        shows_order = stage.way.is_elimination or _has_published_round(stage)
        return {
            "number": stage.number,
            "system": stage.system,
            "scoring_rule": stage.scoring_rule,
            "fixed_bracket": stage.fixed_bracket,
            "decks_shown_to": stage.decks_shown_to,
            "decks_shown_at": _iso_value(stage.decks_shown_at),
            "seeds_shown_at": _iso_value(stage.seeds_shown_at),
            "entries": [
                {
                    "player": entry.registration.number,
                    "seed": entry.seed,
                    "declined": entry.declined,
                    "place": entry.place,
                }
                for entry in stage.entries.all()
                if self.private or (shows_order and not entry.declined)
            ],
            "rounds": [
                self._round(round_, stage)
                for round_ in sorted(stage.rounds.all(), key=lambda one: one.number)
                if self.private or not round_.is_draft
            ],
        }

    def _round(self, round_: Round, stage: Stage) -> Document:
        keys = ("published_at", "started_at", "paused_at", "paused_seconds", "extra_minutes")
        return {
            "number": round_.number,
            "state": round_.state,
            "seed": round_.seed if self.shows_seed else None,
            **{key: _iso_value(getattr(round_, key)) for key in keys},
            "closed_at": _iso_value(round_.closed_at),
            "certificate": round_.certificate if self.private else {},
            "relaxations": round_.relaxations if self.private else [],
            "pairings": [
                self._pairing(one, stage)
                for one in sorted(round_.pairings.all(), key=_pairing_order)
            ],
        }

    def _pairing(self, one: Pairing, stage: Stage) -> Document:
        is_late = MISSED_ROUND in one.cost
        with_reasons = self.private or stage.way.is_elimination or is_late
        return {
            "table": one.table_number,
            "match": self._match(one.match) if one.match else None,
            "bye": one.bye.number if one.bye else None,
            "points": one.bye_points,
            "late_entry": is_late,
            "bracket_game": one.bracket_game,
            "advances": one.advances.number if one.advances else None,
            "made_by_hand": one.made_by_hand,
            "extra_minutes": one.extra_minutes,
            "is_locked": one.is_locked and self.private,
            "cost": one.cost if self.private or is_late else {},
            "reasons": one.reasons if with_reasons else [],
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
            "settled_at": _iso_value(match.settled_at),
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
            "reports": at_table.get("reports", []),
            "notes": at_table.get("notes", []),
            "calls": at_table.get("calls", []),
            "absences": at_table.get("absences", []),
        }


def _has_published_round(stage: Stage) -> bool:
    return any(not round_.is_draft for round_ in stage.rounds.all())


def _pairing_order(pairing: Pairing) -> tuple[bool, int, int]:
    bye = pairing.bye.number if pairing.bye else 0
    return pairing.table_number is None, pairing.table_number or 0, bye


def _json_points(points: Any) -> Any:
    return points if points is None or isinstance(points, int) else str(points)


def _iso_value(value: Any) -> Any:
    """Convert dates and times to ISO 8601."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value
