"""Store rounds with their tables, matches and games in bulk."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy

from core.languages import languages_of_events
from core.rate_limits import Busy
from core.text import comparison_key
from decks.legality.records import Breach
from decks.legality.verdicts import DeckNotice
from decks.models import Card, Decklist, DecklistVersion, DeckSlot
from decks.titles import folded_title
from engine.table_plan import RangesError, parse_ranges
from matches import records as matches_records
from matches.models import SETTLED_STATES, Game, GameSeat, Match, ReportState, ResultReport, Seat
from players.models import Player, User
from rulings import services as rulings_services
from rulings.models import DocumentKind, JudgeCall, JudgeNote, NoteKind, Ruling, RulingVersion
from rulings.permissions import readable_rulings
from rulings.queries import version_by_code
from rulings.services import write_note
from tournaments.event import snapshots
from tournaments.event.services import ROWS_PER_STATEMENT, TABLES_AT_ONCE, save_new
from tournaments.files.conversion import result_of_match
from tournaments.files.records import TournamentFileRefused
from tournaments.judging import queries as judging_queries
from tournaments.models import (
    Absence,
    DeckCheck,
    DeckCheckDraw,
    DeckReceipt,
    DeckSubmission,
    InfractionChange,
    LocalRuling,
    LogEntry,
    Pairing,
    Penalty,
    Registration,
    Round,
    Staff,
    StaffRole,
    Stage,
    StageEntry,
    StatedIdentity,
    Tournament,
    Visibility,
)
from tournaments.models.event_log import imported_action
from tournaments.rounds.drafting import round_seed

Row = TypeVar("Row")
Document = Mapping[str, Any]
RegistrationsByNumber = Mapping[int, Registration]
# Writes a bounded number of rows; call it in its own transaction.
ImportStep = Callable[[], object]
MatchesWithDocuments = Sequence[tuple[Match, Document]]
# By match and player number.
SeatsByPlayer = Mapping[tuple[int, int], Seat]


def store_rounds(
    stage: Stage, data: Document, places: RegistrationsByNumber, seed: int
) -> Iterator[ImportStep]:
    """Yield the steps that store all rounds of a stage: the rounds, then their tables."""
    rounds = [_unsaved_round(stage, document, seed) for document in data["rounds"]]
    yield partial(Round.objects.bulk_create, rounds)
    pairings = [
        (round_, pairing)
        for round_, document in zip(rounds, data["rounds"], strict=True)
        for pairing in document["pairings"]
    ]
    for batch in _batches(pairings, TABLES_AT_ONCE):
        yield partial(_store_tables, stage, batch, places)


def _batches(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _store_tables(
    stage: Stage, pairings: Sequence[tuple[Round, Document]], places: RegistrationsByNumber
) -> None:
    tables = [pairing["match"] for _, pairing in pairings if pairing["match"]]
    matches = iter(_store_matches(stage, tables, places))
    Pairing.objects.bulk_create(
        _unsaved_pairing(round_, document, places, next(matches) if document["match"] else None)
        for round_, document in pairings
    )


def parse_moment(text: str | None) -> Any:
    return parse_datetime(text) if text else None


def _unsaved_round(stage: Stage, data: Document, seed: int) -> Round:
    names = ("number", "state", "certificate", "relaxations", "paused_seconds", "extra_minutes")
    moments = ("published_at", "started_at", "paused_at", "closed_at")
    return Round(
        stage=stage,
        seed=round_seed(seed, data["number"], 0) if data["seed"] is None else data["seed"],
        **{key: data[key] for key in names},
        **{key: parse_moment(data[key]) for key in moments},
    )


def _unsaved_pairing(
    round_: Round, data: Document, places: RegistrationsByNumber, match: Match | None
) -> Pairing:
    names = ("bracket_game", "made_by_hand", "extra_minutes", "is_locked", "cost", "reasons")
    return Pairing(
        round=round_,
        table_number=data["table"],
        match=match,
        bye=places[data["bye"]] if data["bye"] is not None else None,
        bye_points=data["points"],
        advances=places[data["advances"]] if data["advances"] is not None else None,
        **{key: data[key] for key in names},
    )


def _store_matches(
    stage: Stage, tables: Sequence[Document], places: RegistrationsByNumber
) -> list[Match]:
    matches = Match.objects.bulk_create(
        (
            Match(
                game_system=stage.tournament.game,
                scoring_rule=stage.scoring_rule,
                state=data["state"],
                flags=list(data["flags"]),
                losses=list(data["losses"]),
                settled_at=parse_moment(data["settled_at"]),
            )
            for data in tables
        ),
        batch_size=ROWS_PER_STATEMENT,
    )
    both = list(zip(matches, tables, strict=True))
    seats = _store_seats(both, places)
    _store_games(both, seats)
    _store_reports(both, seats)
    return matches


def _store_seats(both: MatchesWithDocuments, places: RegistrationsByNumber) -> SeatsByPlayer:
    keys = [(match.pk, seat["id"]) for match, data in both for seat in data["seats"]]
    rows = Seat.objects.bulk_create(
        (
            Seat(
                match=match,
                position=position,
                player_id=places[seat["id"]].player_id,
                points=_exact_points(seat["points"]),
                typed_points=seat["typed"],
            )
            for match, data in both
            for position, seat in enumerate(data["seats"], start=1)
        ),
        batch_size=ROWS_PER_STATEMENT,
    )
    return dict(zip(keys, rows, strict=True))


def _store_games(both: MatchesWithDocuments, seats: SeatsByPlayer) -> None:
    games = [(match, game) for match, data in both for game in data["games"]]
    rows = Game.objects.bulk_create(
        (
            Game(
                match=match,
                number=game["number"],
                end=game["end"],
                winner=None if game["winner"] is None else seats[match.pk, game["winner"]],
            )
            for match, game in games
        ),
        batch_size=ROWS_PER_STATEMENT,
    )
    GameSeat.objects.bulk_create(
        (
            GameSeat(
                game=row,
                seat=seats[match.pk, seat["id"]],
                role=seat["role"],
                faction=seat["faction"],
                agenda_points=seat["agenda_points"],
                victory_points=seat["victory_points"],
                points=_exact_points(seat["points"]),
            )
            for row, (match, game) in zip(rows, games, strict=True)
            for seat in game["seats"]
        ),
        batch_size=ROWS_PER_STATEMENT,
    )


def _exact_points(points: Any) -> Any:
    return None if points is None else Fraction(points)


def _store_reports(both: MatchesWithDocuments, seats: SeatsByPlayer) -> None:
    """Store reports; a settled result without reports becomes a confirmed staff report.

    Without any report, a loss given later by a judge would leave the table open.
    """
    rows = []
    for match, data in both:
        if data["reports"]:
            rows += [_unsaved_report(match, report, seats) for report in data["reports"]]
        elif match.state in SETTLED_STATES and (result := _result_document(match, data)):
            rows.append(ResultReport(match=match, result=result, state=ReportState.CONFIRMED))
    ResultReport.objects.bulk_create(rows, batch_size=ROWS_PER_STATEMENT)


def _unsaved_report(match: Match, data: Document, seats: SeatsByPlayer) -> ResultReport:
    return ResultReport(
        match=match,
        seat=seats[match.pk, data["by"]] if data["by"] is not None else None,
        result=dict(data["result"]),
        state=data["state"],
        note=data["note"],
    )


def _result_document(match: Match, data: Document) -> Any:
    """Return the settled result as a report document; None if only points are known."""
    result = result_of_match(data, has_roles=match.rule.has_roles)
    counts = match.rule.takes_totals if result.totals else match.rule.has_roles
    return matches_records.result_to_document(result) if counts or result.victory_points else None


# Store the private part of an event: staff, decks, judge records, local rulings and log.


CardsBySlug = Mapping[str, Card]
# Number of decks, and of tables with notes or penalties, per transaction.
DECKS_AT_ONCE, NOTED_AT_ONCE = 20, 50


class PrivateRows:
    """Stores the private part. Only accounts in `users` are linked."""

    def __init__(
        self,
        tournament: Tournament,
        event: Document,
        places: RegistrationsByNumber,
        users: Mapping[str, User],
        owner: User | None,
        *,
        trusted: bool = False,
    ) -> None:
        self.tournament, self.event, self.places = tournament, event, places
        self.owner = owner
        self.citable = Ruling.objects.all() if trusted else readable_rulings(owner)
        self.data: Document = event["private"]
        self.trusted = trusted
        self.users = users

    @cached_property
    def tables(self) -> Mapping[tuple[int, int | None], Pairing]:
        """All tables of the event by round number and table number."""
        tables = Pairing.objects.filter(round__stage__tournament=self.tournament)
        return {
            (pairing.round.number, pairing.table_number): pairing
            for pairing in tables.select_related("round", "match").exclude(table_number=None)
        }

    def steps(self) -> Iterator[ImportStep]:
        """Yield all steps except staff and local rulings; the tables must be stored before."""
        guide = [
            InfractionChange(tournament=self.tournament, **change) for change in self.data["guide"]
        ]
        yield partial(InfractionChange.objects.bulk_create, guide)
        for batch in _batches(self.data["decks"], DECKS_AT_ONCE):
            yield partial(store_decks, self.tournament.game, batch, self.places)
        yield partial(store_deck_checks, self.tournament, self.data["deck_checks"], self.users.get)
        yield from self._reports()
        noted = [
            (pairing, match)
            for pairing, match in self._matches()
            if match["notes"] or match["calls"]
        ]
        for tables in _batches(noted, NOTED_AT_ONCE):
            yield partial(self._notes_and_calls, tables)
        yield self._absences
        for batch in _batches(self.data["penalties"], NOTED_AT_ONCE):
            yield partial(self._penalties, batch)
        for batch in _batches(self.data["log"], ROWS_PER_STATEMENT):
            yield partial(self._log, batch)

    def store_staff_and_rulings(self) -> None:
        """Store staff and local rulings last: rulings would outlive a deleted event."""
        Staff.objects.bulk_create(
            Staff(
                tournament=self.tournament,
                user=self.users[staff["username"]],
                role=StaffRole.ORGANISER
                if self.owner and staff["role"] == "owner"
                else staff["role"],
            )
            for staff in self.data["staff"]
            if staff["username"] in self.users and self.users[staff["username"]] != self.owner
        )
        store_local_rulings(
            self.tournament,
            self.data["local_rulings"],
            self.owner,
            lambda data: self._note(None, data, NoteKind.NOTE),
            trusted=self.trusted,
        )

    def _version(self, code: str) -> RulingVersion | None:
        """Return the cited version or, if unknown here, the newest version of its ruling."""
        codes = (code, code.rpartition(" v")[0])
        versions = (version_by_code(code, self.citable) for code in codes)
        return next(filter(None, versions), None)

    def _matches(self) -> Iterator[tuple[Pairing, Document]]:
        for stage in self.event["stages"]:
            for round_ in stage["rounds"]:
                for pairing in round_["pairings"]:
                    if pairing["match"] is not None:
                        yield self.tables[round_["number"], pairing["table"]], pairing["match"]

    def _reports(self) -> Iterator[ImportStep]:
        """Add author and time to each report."""
        rows: dict[int, list[ResultReport]] = defaultdict(list)
        matches = [pairing.match_id for pairing in self.tables.values()]
        for row in ResultReport.objects.filter(match__in=matches).order_by("pk"):
            rows[row.match_id].append(row)
        for pairing, match in self._matches():
            for row, data in zip(rows[pairing.match_id or 0], match["reports"], strict=False):
                row.user = self.users.get(data["username"])
                row.created_at = parse_moment(data["at"]) or row.created_at
        changed = [row for reports in rows.values() for row in reports]
        for batch in _batches(changed, ROWS_PER_STATEMENT):
            yield partial(ResultReport.objects.bulk_update, batch, ["user", "created_at"])

    def _note(self, pairing: Pairing | None, data: Document, kind: NoteKind) -> JudgeNote:
        versions = [self._version(code) for code in data["cites"]]
        note = write_note(
            pairing.match if pairing else None,
            self.users.get(data["author"]),
            data["text"] or "-",
            [version for version in versions if version is not None],
            kind,
        )
        # Imported notes may be empty, but `write_note` refuses an empty plain note.
        at = parse_moment(data["at"]) or note.created_at
        JudgeNote.objects.filter(pk=note.pk).update(text=data["text"], created_at=at)
        return note

    def _notes_and_calls(self, tables: Iterable[tuple[Pairing, Document]]) -> None:
        for pairing, match in tables:
            for data in match["notes"]:
                self._note(pairing, data, NoteKind.NOTE)
            calls: list[JudgeCall] = []
            for data in match["calls"]:
                calls.append(self._call(pairing, data, calls))

    def _call(self, pairing: Pairing, data: Document, earlier: list[JudgeCall]) -> JudgeCall:
        assert pairing.match is not None
        answer = data["answer"]
        by = ("taken_by", "escalated_by", "answered_by")
        at = ("taken_at", "escalated_at", "answered_at", "withdrawn_at")
        call = JudgeCall.objects.create(
            match=pairing.match,
            player_id=self.places[data["player"]].player_id if data["player"] else None,
            user=self.users.get(data["raised_by"]),
            about=data["about"],
            for_head_judge=data["for_head_judge"],
            appeals=None if data["appeals"] is None else earlier[data["appeals"]],
            note=self._note(pairing, answer, NoteKind.ANSWER) if answer else None,
            minutes=data["minutes"],
            overturned=data["overturned"],
            **{key: self.users.get(data[key]) for key in by},
            **{key: parse_moment(data[key]) for key in at},
        )
        if data["raised_at"]:
            JudgeCall.objects.filter(pk=call.pk).update(raised_at=parse_moment(data["raised_at"]))
        return call

    def _absences(self) -> None:
        """Store the reported absences."""
        missing = [
            (pairing, absence)
            for pairing, match in self._matches()
            for absence in match["absences"]
        ]
        rows = Absence.objects.bulk_create(
            (
                Absence(
                    pairing=pairing,
                    registration=self.places[absence["player"]],
                    user=self.users.get(absence["username"]),
                    player_id=self.places[absence["by"]].player_id if absence["by"] else None,
                    applied_at=parse_moment(absence["applied_at"]),
                )
                for pairing, absence in missing
            ),
            batch_size=ROWS_PER_STATEMENT,
        )
        # `told_at` is set on creation, so overwrite it with the time in the file.
        for row, (_, absence) in zip(rows, missing, strict=True):
            row.told_at = parse_moment(absence["told_at"]) or row.told_at
        Absence.objects.bulk_update(rows, ["told_at"], batch_size=ROWS_PER_STATEMENT)

    def _penalties(self, penalties: Iterable[Document]) -> None:
        for data in penalties:
            penalty = Penalty.objects.create(
                tournament=self.tournament,
                registration=self.places[data["player"]],
                pairing=self.tables.get((data["table_round"], data["table"])),
                round_number=data["round"],
                note=self._note(None, data["note"], NoteKind.PENALTY),
                withdrawn_at=parse_moment(data["withdrawn_at"]),
                withdrawn_by=self.users.get(data["withdrawn_by"]),
                **{
                    key: data[key]
                    for key in (
                        "infraction",
                        "infraction_name",
                        "kind",
                        "expected",
                        "game",
                        "dropped",
                    )
                },
                withdrawn_reason=data["withdrawn_reason"],
            )
            if data["given_at"]:
                Penalty.objects.filter(pk=penalty.pk).update(
                    given_at=parse_moment(data["given_at"])
                )

    def _log(self, log: Sequence[Document]) -> None:
        """Store log entries as text only: imported actions cannot be undone here."""
        rows = LogEntry.objects.bulk_create(
            (
                LogEntry(
                    tournament=self.tournament,
                    user=self.users.get(entry["username"]),
                    action=imported_action(entry["action"]),
                    subject=entry["subject"],
                    reason=entry["reason"],
                )
                for entry in log
            ),
        )
        for row, entry in zip(rows, log, strict=True):
            row.at = parse_moment(entry["at"]) or row.at
        LogEntry.objects.bulk_update(rows, ["at"])


def store_decks(game: str, data: Sequence[Document], places: RegistrationsByNumber) -> None:
    """Store each deck with one receipt; unknown cards remain only in the text."""
    cards = _cards_by_slug(game, data)
    for deck in data:
        place = places[deck["player"]]
        version = _store_version(place, deck["side"], deck, game, cards)
        received = parse_moment(deck["received_at"]) or timezone.now()
        submission = DeckSubmission.objects.create(
            registration=place,
            side=deck["side"],
            version=version,
            received_at=received,
            locked_at=parse_moment(deck["locked_at"]),
            locked_by=deck["locked_by"],
        )
        DeckReceipt.objects.create(
            submission=submission, number=1, version=version, received_at=received
        )


def store_deck_checks(
    tournament: Tournament, data: Sequence[Document], user: Callable[[str], User | None]
) -> None:
    """Store the draws with their checks, after the decks; `user` finds accounts by username."""
    earlier = [check["earlier_list"] for draw in data for check in draw["checks"]]
    cards = _cards_by_slug(tournament.game, [deck for deck in earlier if deck])
    rows = DeckSubmission.objects.filter(registration__tournament=tournament)
    decks = {
        (submission.registration.number, submission.side): submission
        for submission in rows.select_related("registration__player", "version")
    }
    for draw in data:
        drawn = DeckCheckDraw.objects.create(
            tournament=tournament,
            round_number=draw["round"],
            number=draw["number"],
            seed=draw["seed"],
            drawn_by=user(draw["drawn_by"]),
            drawn_at=parse_moment(draw["drawn_at"]),
        )
        DeckCheck.objects.bulk_create(
            _unsaved_deck_check(drawn, check, decks[check["player"], check["side"]], cards, user)
            for check in draw["checks"]
        )


def _unsaved_deck_check(
    drawn: DeckCheckDraw,
    data: Document,
    deck: DeckSubmission,
    cards: CardsBySlug,
    user: Callable[[str], User | None],
) -> DeckCheck:
    earlier, game = data["earlier_list"], drawn.tournament.game
    return DeckCheck(
        draw=drawn,
        table_number=data["table"],
        submission=deck,
        version=_store_version(deck.registration, deck.side, earlier, game, cards)
        if earlier
        else deck.version,
        outcome=data["outcome"],
        note=data["note"],
        checked_by=user(data["checked_by"]),
        checked_at=parse_moment(data["checked_at"]),
    )


def _cards_by_slug(game: str, lists: Sequence[Document]) -> CardsBySlug:
    slugs = {deck["identity"] for deck in lists if deck["identity"]}
    slugs |= {slot["card"] for deck in lists for slot in deck["slots"]}
    return {card.slug: card for card in Card.objects.filter(game=game, slug__in=slugs)}


def _store_version(
    place: Registration, side: str, data: Document, game: str, cards: CardsBySlug
) -> DecklistVersion:
    decklist, _ = Decklist.objects.get_or_create(
        player=place.player, game=game, side=side, title=data["title"]
    )
    names = ("text", "form", "size", "agenda_points", "is_legal", "seal")
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=decklist.versions.count() + 1,
        identity=cards.get(data["identity"] or ""),
        format_id=data["format"],
        snapshot_id=data["snapshot"],
        judged_on=date.fromisoformat(data["judged_on"]) if data["judged_on"] else None,
        breaches=[Breach.from_document(breach).as_stored() for breach in data["breaches"]],
        notices=[DeckNotice.from_document(notice).as_stored() for notice in data["notices"]],
        **{key: data[key] for key in names},
    )
    DeckSlot.objects.bulk_create(
        DeckSlot(
            version=version,
            card=cards[slot["card"]],
            printing=slot["printing"],
            position=position,
            quantity=slot["quantity"],
        )
        for position, slot in enumerate(data["slots"], start=1)
        if slot["card"] in cards
    )
    return version


def store_local_rulings(
    tournament: Tournament,
    data: Iterable[Document],
    owner: User | None,
    note: Callable[[Document], JudgeNote],
    *,
    trusted: bool,
) -> None:
    """Apply local rulings known here; create unknown rulings only from a `trusted` file.

    Rulings are permanent and public, so an untrusted file creates none. It applies only rulings
    that its owner may use at any event. `note` stores the basis of a ruling.
    """
    for document in data:
        ruling = _known_ruling(tournament, document["code"], owner, trusted=trusted)
        made_here = ruling is None
        if ruling is None and trusted and document["text"].strip():
            ruling = _create_ruling(tournament, document, owner)
        if ruling is not None:
            local, is_new = LocalRuling.objects.get_or_create(
                tournament=tournament, ruling=ruling, defaults={"made_here": made_here}
            )
            if is_new and document["basis"]:
                local.basis = note(document["basis"])
                local.save(update_fields=["basis"])


def _known_ruling(
    tournament: Tournament, code: str, owner: User | None, *, trusted: bool
) -> Ruling | None:
    if not trusted:
        usable = (
            judging_queries.usable_rulings(owner, tournament) if owner else Ruling.objects.none()
        )
        return usable.filter(code=code).first()
    local = Ruling.objects.filter(document__kind=DocumentKind.LOCAL, document__game=tournament.game)
    return local.filter(code=code).first()


def _create_ruling(tournament: Tournament, data: Document, owner: User | None) -> Ruling:
    subject = data["subject"] or data["code"].rpartition("-")[0] or data["code"]
    card = judging_queries.card_by_title(subject, tournament.game)
    return rulings_services.create_local_ruling(
        rulings_services.get_local_document(tournament.game),
        subject="" if card else subject,
        card=card,
        text=data["text"],
        by=owner,
    )


# Store the event of a document with a constant number of statements per batch.


MOMENT_SETTINGS = (
    "registration_closes_at",
    "decks_close_at",
    "decks_locked_at",
    "decks_revealed_at",
    "finished_at",
    "day_two_opened_at",
)
DATE_SETTINGS = ("starts_on", "ends_on", "day_two_on")
TIME_SETTINGS = ("start_time", "end_time", "day_two_time")
COPIED_FIELDS = (
    "state",
    "first_round_bye",
    "seed",
    "avoid_group",
    "joined_in_round",
    "fixed_table",
    "avoids_stream",
    "meeting_table",
    "dropped_by",
    "waiting_rank",
)
# Settings of the file that are applied after everything is stored.
REVEALED_SETTINGS = ("visibility", "registration_is_open", "finished_at")
IMPORT_TIMED_OUT = gettext_lazy(
    "The import took too long and was undone. Try again when the site is less busy."
)
CardKeys = dict[tuple[str, str], int | None]


def store_hidden_event(event: Document) -> Tournament:
    """Store the event without players; it stays hidden until `reveal_event`."""
    tournament = unsaved_event(event)
    tournament.visibility = Visibility.PRIVATE
    tournament.registration_is_open = False
    tournament.finished_at = None
    tournament.import_touched_at = timezone.now()
    return save_new(tournament)


def steps_of_event(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> Iterator[ImportStep]:
    """Yield the steps that store players, rounds, the private part and standings of the event.

    Rows are prepared and read between the steps, so that a step holds the write lock only while
    writing. Accounts other than the owner are linked only if the file is `trusted`.
    """
    places: dict[int, Registration] = {}
    for batch in _batches(event["players"], ROWS_PER_STATEMENT):
        yield partial(_store_players, tournament, batch, places)
    yield from _identity_steps(event, places)
    for data in event["stages"]:
        stage = Stage(tournament=tournament)
        yield partial(_store_stage, stage, data, places)
        yield from store_rounds(stage, data, places, event["seed"])
    if event["private"]:
        part = _private_rows(tournament, event, owner, trusted=trusted)
        yield from part.steps()
    for round_, table in snapshots.compute_standings_from(tournament, 1):
        yield partial(snapshots.store_standings, tournament, round_, table)


def reveal_event(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> Tournament:
    """Reveal the event with its staff and local rulings. Call inside a transaction.

    Unless the file is `trusted`, only the owner gets a role, and a public event becomes unlisted.
    Raises Busy if the import took so long that its rows were deleted as abandoned.
    """
    locked = Tournament.objects.select_for_update().filter(pk=tournament.pk)
    revealed = locked.filter(import_touched_at__isnull=False).first()
    if revealed is None:
        raise Busy(str(IMPORT_TIMED_OUT))
    if owner is not None:
        Staff.objects.create(tournament=revealed, user=owner, role=StaffRole.OWNER)
    if event["private"]:
        _private_rows(revealed, event, owner, trusted=trusted).store_staff_and_rulings()
    stated = unsaved_event(event)
    revealed.visibility = stated.visibility
    if not trusted and stated.visibility == Visibility.PUBLIC:
        revealed.visibility = Visibility.UNLISTED
    revealed.registration_is_open = stated.registration_is_open
    revealed.finished_at = stated.finished_at
    revealed.import_touched_at = None
    revealed.save(update_fields=["import_touched_at", *REVEALED_SETTINGS])
    revealed.refresh_from_db()
    return revealed


def _private_rows(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> PrivateRows:
    users = _linkable_users(event["private"], owner, trusted=trusted)
    places = {entry.number: entry for entry in tournament.registrations.select_related("player")}
    return PrivateRows(tournament, event, places, users, owner, trusted=trusted)


def unsaved_event(event: Document) -> Tournament:
    """Build the unsaved event. Raises TournamentFileRefused."""
    settings = event["settings"]
    for key in ("table_numbers", "feature_tables"):
        try:
            parse_ranges(settings[key])
        except RangesError as error:
            raise TournamentFileRefused(str(error), f"$.event.settings.{key}") from error
    facts = {
        key: parse_moment(value) if key in MOMENT_SETTINGS else value
        for key, value in settings.items()
    }
    facts |= {key: date.fromisoformat(facts[key]) for key in DATE_SETTINGS if facts[key]}
    facts |= {key: time.fromisoformat(facts[key]) for key in TIME_SETTINGS if facts[key]}
    # The other site may have more languages.
    if facts["language"] not in dict(languages_of_events()):
        facts["language"] = ""
    facts["seed"] = event["seed"]
    if event["private"]:
        facts["staff_need_second_factor"] = event["private"]["staff_need_second_factor"]
    return Tournament(slug=Tournament.objects.free_slug(facts["name"]), **facts)


def _linkable_users(data: Document, owner: User | None, *, trusted: bool) -> dict[str, User]:
    """Accounts that may be linked: only the owner, unless the file is trusted."""
    users = {owner.username: owner} if owner else {}
    if trusted:
        names = [staff["username"] for staff in data["staff"]]
        users |= {user.username: user for user in User.objects.filter(username__in=names)}
    return users


def _store_players(
    tournament: Tournament, entries: Sequence[Document], places: dict[int, Registration]
) -> None:
    """Store these players and add their registrations to `places` by number."""
    players = []
    for data in entries:
        player = Player(pronouns=data["pronouns"])
        # `bulk_create` bypasses `save`, so set the name here.
        player.set_name(data["name"])
        players.append(player)
    players = Player.objects.bulk_create(players)
    registrations = Registration.objects.bulk_create(
        unsaved_registration(tournament, data, player)
        for data, player in zip(entries, players, strict=True)
    )
    places.update((entry.number, entry) for entry in registrations)


def unsaved_registration(tournament: Tournament, data: Document, player: Player) -> Registration:
    """Build the unsaved registration of a player."""
    return Registration(
        tournament=tournament,
        player=player,
        number=data["id"],
        checked_in_at=parse_moment(data["checked_in_at"]),
        dropped_at=parse_moment(data["dropped_at"]),
        day_two_at=parse_moment(data["day_two_at"]),
        paid_at=parse_moment(data["paid_at"]),
        **{key: data[key] for key in COPIED_FIELDS},
    )


def _identity_steps(event: Document, places: RegistrationsByNumber) -> Iterator[ImportStep]:
    stated = [
        (places[player["id"]], identity["side"], identity["title"])
        for player in event["players"]
        for identity in player["identities"]
    ]
    known = _known_identities(event)
    rows = [
        StatedIdentity(
            registration=place, side=side, title=title, card_id=_find_identity(known, side, title)
        )
        for place, side, title in stated
    ]
    for batch in _batches(rows, ROWS_PER_STATEMENT):
        yield partial(StatedIdentity.objects.bulk_create, batch)


def unknown_identities(event: Document) -> list[str]:
    """Titles of identities that match no card, in alphabetical order."""
    known = _known_identities(event)
    identities = [identity for player in event["players"] for identity in player["identities"]]
    return sorted(
        {
            identity["title"]
            for identity in identities
            if not _find_identity(known, identity["side"], identity["title"])
        }
    )


def _known_identities(event: Document) -> CardKeys:
    """Identities by side and title, exact or folded; None if a folded title is ambiguous."""
    if not any(player["identities"] for player in event["players"]):
        return {}
    game = event["settings"]["game"]
    cards = Card.objects.filter(game=game, type__endswith="identity").order_by("pk")
    known: CardKeys = {}
    for key, side, title in cards.values_list("pk", "side", "title"):
        folded = (side, folded_title(title))
        known[folded] = None if known.get(folded, key) != key else key
    for key, side, title in cards.values_list("pk", "side", "title"):
        known[side, comparison_key(title)] = key
    return known


def _find_identity(known: CardKeys, side: str, title: str) -> int | None:
    return known.get((side, comparison_key(title))) or known.get((side, folded_title(title)))


def _store_stage(stage: Stage, data: Document, places: RegistrationsByNumber) -> None:
    """Store this new stage with its entries."""
    for key in ("number", "system", "scoring_rule", "fixed_bracket", "decks_shown_to"):
        setattr(stage, key, data[key])
    stage.decks_shown_at = parse_moment(data["decks_shown_at"])
    stage.seeds_shown_at = parse_moment(data["seeds_shown_at"])
    stage.save()
    StageEntry.objects.bulk_create(
        StageEntry(
            stage=stage,
            registration=places[entry["player"]],
            seed=entry["seed"],
            declined=entry["declined"],
            place=entry["place"],
        )
        for entry in data["entries"]
    )
