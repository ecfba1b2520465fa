"""Store the private part of an event: staff, decks, judge records, local rulings and log."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial

from django.utils import timezone

from decks.models import Card, Decklist, DecklistVersion, DeckSlot
from matches.models import ResultReport
from players.models import User
from rulings import services as ruling_services
from rulings.models import DocumentKind, JudgeCall, JudgeNote, NoteKind, Ruling, RulingVersion
from rulings.permissions import readable
from rulings.queries import version_by_code
from rulings.services import write_note
from tournaments.event.attendance import BATCH
from tournaments.interchange.services.round_rows import Document, Places, Step, moment
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
    Staff,
    StaffRole,
    Tournament,
)
from tournaments.models.log_actions import as_imported

Cards = Mapping[str, Card]
# Number of decks, and of tables with notes or penalties, per transaction.
DECKS_AT_ONCE, NOTED_AT_ONCE = 20, 50


class PrivatePart:
    """Stores the private part. Only accounts in `users` are linked."""

    def __init__(
        self,
        tournament: Tournament,
        event: Document,
        places: Places,
        users: Mapping[str, User],
        owner: User | None,
        *,
        trusted: bool = False,
    ) -> None:
        self.tournament, self.event, self.places = tournament, event, places
        self.owner = owner
        self.citable = Ruling.objects.all() if trusted else readable(owner)
        self.data: Document = event["private"]
        self.trusted = trusted
        self.users = users

    @cached_property
    def tables(self) -> Mapping[tuple[int, int | None], Pairing]:
        """All tables of the event by round number and table number."""
        tables = Pairing.objects.filter(round__stage__tournament=self.tournament)
        return {
            (one.round.number, one.table_number): one
            for one in tables.select_related("round", "match").exclude(table_number=None)
        }

    def steps(self) -> Iterator[Step]:
        """Yield all steps except staff and local rulings; the tables must be stored before."""
        guide = [InfractionChange(tournament=self.tournament, **one) for one in self.data["guide"]]
        yield partial(InfractionChange.objects.bulk_create, guide)
        decks = self.data["decks"]
        for start in range(0, len(decks), DECKS_AT_ONCE):
            batch = decks[start : start + DECKS_AT_ONCE]
            yield partial(store_decks, self.tournament.game, batch, self.places)
        yield partial(store_deck_checks, self.tournament, self.data["deck_checks"], self._user)
        yield from self._reports()
        noted = [one for one in self._matches() if one[1]["notes"] or one[1]["calls"]]
        for start in range(0, len(noted), NOTED_AT_ONCE):
            yield partial(self._notes_and_calls, noted[start : start + NOTED_AT_ONCE])
        yield self._absences
        penalties = self.data["penalties"]
        for start in range(0, len(penalties), NOTED_AT_ONCE):
            yield partial(self._penalties, penalties[start : start + NOTED_AT_ONCE])
        log = self.data["log"]
        for start in range(0, len(log), BATCH):
            yield partial(self._log, log[start : start + BATCH])

    def store_staff_and_rulings(self) -> None:
        """Store staff and local rulings last: rulings would outlive a deleted event."""
        self._staff(self.owner)
        store_local_rulings(
            self.tournament,
            self.data["local_rulings"],
            self.owner,
            lambda data: self._note(None, data, NoteKind.NOTE),
            trusted=self.trusted,
        )

    def _version(self, code: str) -> RulingVersion | None:
        """Return the cited version or, if unknown here, the newest version of its ruling."""
        wanted = code, code.rpartition(" v")[0]
        return next(filter(None, (version_by_code(one, self.citable) for one in wanted)), None)

    def _staff(self, owner: User | None) -> None:
        Staff.objects.bulk_create(
            Staff(
                tournament=self.tournament,
                user=self.users[one["username"]],
                role=StaffRole.ORGANISER if owner and one["role"] == "owner" else one["role"],
            )
            for one in self.data["staff"]
            if one["username"] in self.users and self.users[one["username"]] != owner
        )

    def _user(self, username: str) -> User | None:
        return self.users.get(username)

    def _matches(self) -> Iterator[tuple[Pairing, Document]]:
        for stage in self.event["stages"]:
            for round_ in stage["rounds"]:
                for one in round_["pairings"]:
                    if one["match"] is not None:
                        yield self.tables[round_["number"], one["table"]], one["match"]

    def _reports(self) -> Iterator[Step]:
        """Add author and time to each report."""
        rows: dict[int, list[ResultReport]] = defaultdict(list)
        matches = [one.match_id for one in self.tables.values()]
        for row in ResultReport.objects.filter(match__in=matches).order_by("pk"):
            rows[row.match_id].append(row)
        for pairing, match in self._matches():
            for row, data in zip(rows[pairing.match_id or 0], match["reports"], strict=False):
                row.user = self._user(data["username"])
                row.created_at = moment(data["at"]) or row.created_at
        changed = [row for found in rows.values() for row in found]
        for start in range(0, len(changed), BATCH):
            batch = changed[start : start + BATCH]
            yield partial(ResultReport.objects.bulk_update, batch, ["user", "created_at"])

    def _note(self, pairing: Pairing | None, data: Document, kind: NoteKind) -> JudgeNote:
        versions = [self._version(code) for code in data["cites"]]
        note = write_note(
            pairing.match if pairing else None,
            self._user(data["author"]),
            data["text"] or "-",
            [version for version in versions if version is not None],
            kind,
        )
        # Imported notes may be empty, but `write_note` refuses an empty plain note.
        at = moment(data["at"]) or note.created_at
        JudgeNote.objects.filter(pk=note.pk).update(text=data["text"], created_at=at)
        return note

    def _notes_and_calls(self, tables: Iterable[tuple[Pairing, Document]]) -> None:
        for pairing, match in tables:
            for data in match["notes"]:
                self._note(pairing, data, NoteKind.NOTE)
            made: list[JudgeCall] = []
            for data in match["calls"]:
                made.append(self._call(pairing, data, made))

    def _call(self, pairing: Pairing, data: Document, earlier: list[JudgeCall]) -> JudgeCall:
        assert pairing.match is not None
        answer = data["answer"]
        by = ("taken_by", "escalated_by", "answered_by")
        at = ("taken_at", "escalated_at", "answered_at", "withdrawn_at")
        call = JudgeCall.objects.create(
            match=pairing.match,
            player_id=self.places[data["player"]].player_id if data["player"] else None,
            user=self._user(data["raised_by"]),
            about=data["about"],
            for_head_judge=data["for_head_judge"],
            appeals=None if data["appeals"] is None else earlier[data["appeals"]],
            note=self._note(pairing, answer, NoteKind.ANSWER) if answer else None,
            minutes=data["minutes"],
            overturned=data["overturned"],
            **{key: self._user(data[key]) for key in by},
            **{key: moment(data[key]) for key in at},
        )
        if data["raised_at"]:
            JudgeCall.objects.filter(pk=call.pk).update(raised_at=moment(data["raised_at"]))
        return call

    def _absences(self) -> None:
        """Store the reported absences."""
        missing = [
            (pairing, one) for pairing, match in self._matches() for one in match["absences"]
        ]
        rows = Absence.objects.bulk_create(
            (
                Absence(
                    pairing=pairing,
                    registration=self.places[one["player"]],
                    user=self._user(one["username"]),
                    player_id=self.places[one["by"]].player_id if one["by"] else None,
                    applied_at=moment(one["applied_at"]),
                )
                for pairing, one in missing
            ),
            batch_size=BATCH,
        )
        # `told_at` is set on creation, so overwrite it with the time in the file.
        for row, (_, one) in zip(rows, missing, strict=True):
            row.told_at = moment(one["told_at"]) or row.told_at
        Absence.objects.bulk_update(rows, ["told_at"], batch_size=BATCH)

    def _penalties(self, penalties: Iterable[Document]) -> None:
        for data in penalties:
            self._penalty(data)

    def _penalty(self, data: Document) -> None:
        penalty = Penalty.objects.create(
            tournament=self.tournament,
            registration=self.places[data["player"]],
            pairing=self.tables.get((data["table_round"], data["table"])),
            round_number=data["round"],
            note=self._note(None, data["note"], NoteKind.PENALTY),
            withdrawn_at=moment(data["withdrawn_at"]),
            withdrawn_by=self._user(data["withdrawn_by"]),
            **{
                key: data[key]
                for key in ("infraction", "infraction_name", "kind", "expected", "game", "dropped")
            },
            withdrawn_reason=data["withdrawn_reason"],
        )
        if data["given_at"]:
            Penalty.objects.filter(pk=penalty.pk).update(given_at=moment(data["given_at"]))

    def _log(self, log: Sequence[Document]) -> None:
        """Store log entries as text only: imported actions cannot be undone here."""
        rows = LogEntry.objects.bulk_create(
            (
                LogEntry(
                    tournament=self.tournament,
                    user=self._user(one["username"]),
                    action=as_imported(one["action"]),
                    subject=one["subject"],
                    reason=one["reason"],
                )
                for one in log
            ),
        )
        for row, one in zip(rows, log, strict=True):
            row.at = moment(one["at"]) or row.at
        LogEntry.objects.bulk_update(rows, ["at"])


def store_decks(game: str, data: Sequence[Document], places: Places) -> None:
    """Store each deck with one receipt; unknown cards remain only in the text."""
    cards = _cards(game, data)
    for deck in data:
        place = places[deck["player"]]
        version = _version(place, deck["side"], deck, game, cards)
        received = moment(deck["received_at"]) or timezone.now()
        submission = DeckSubmission.objects.create(
            registration=place,
            side=deck["side"],
            version=version,
            received_at=received,
            locked_at=moment(deck["locked_at"]),
            locked_by=deck["locked_by"],
        )
        DeckReceipt.objects.create(
            submission=submission, number=1, version=version, received_at=received
        )


def store_deck_checks(
    tournament: Tournament, data: Sequence[Document], user: Callable[[str], User | None]
) -> None:
    """Store the draws with their checks, after the decks; `user` finds accounts by username."""
    earlier = [one["earlier_list"] for draw in data for one in draw["checks"]]
    cards = _cards(tournament.game, [one for one in earlier if one])
    rows = DeckSubmission.objects.filter(registration__tournament=tournament)
    decks = {
        (one.registration.number, one.side): one
        for one in rows.select_related("registration__player", "version")
    }
    for draw in data:
        drawn = DeckCheckDraw.objects.create(
            tournament=tournament,
            round_number=draw["round"],
            number=draw["number"],
            seed=draw["seed"],
            drawn_by=user(draw["drawn_by"]),
            drawn_at=moment(draw["drawn_at"]),
        )
        DeckCheck.objects.bulk_create(
            _check(drawn, one, decks[one["player"], one["side"]], cards, user)
            for one in draw["checks"]
        )


def _check(
    drawn: DeckCheckDraw,
    data: Document,
    deck: DeckSubmission,
    cards: Cards,
    user: Callable[[str], User | None],
) -> DeckCheck:
    earlier, game = data["earlier_list"], drawn.tournament.game
    return DeckCheck(
        draw=drawn,
        table_number=data["table"],
        submission=deck,
        version=_version(deck.registration, deck.side, earlier, game, cards)
        if earlier
        else deck.version,
        outcome=data["outcome"],
        note=data["note"],
        checked_by=user(data["checked_by"]),
        checked_at=moment(data["checked_at"]),
    )


def _cards(game: str, lists: Sequence[Document]) -> Cards:
    slugs = {one["identity"] for one in lists if one["identity"]}
    slugs |= {slot["card"] for one in lists for slot in one["slots"]}
    return {card.slug: card for card in Card.objects.filter(game=game, slug__in=slugs)}


def _version(
    place: Registration, side: str, data: Document, game: str, cards: Cards
) -> DecklistVersion:
    decklist, _ = Decklist.objects.get_or_create(
        player=place.player, game=game, side=side, title=data["title"]
    )
    kept = ("text", "form", "size", "agenda_points", "is_legal", "breaches", "notices", "seal")
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=decklist.versions.count() + 1,
        identity=cards.get(data["identity"] or ""),
        format_id=data["format"],
        snapshot_id=data["snapshot"],
        judged_on=date.fromisoformat(data["judged_on"]) if data["judged_on"] else None,
        **{key: data[key] for key in kept},
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
    for one in data:
        ruling = _known(tournament, one["code"], owner, trusted=trusted)
        made_here = ruling is None
        if ruling is None and trusted and one["text"].strip():
            ruling = _written(tournament, one, owner)
        if ruling is not None:
            local, is_new = LocalRuling.objects.get_or_create(
                tournament=tournament, ruling=ruling, defaults={"made_here": made_here}
            )
            if is_new and one["basis"]:
                local.basis = note(one["basis"])
                local.save(update_fields=["basis"])


def _known(
    tournament: Tournament, code: str, owner: User | None, *, trusted: bool
) -> Ruling | None:
    if not trusted:
        usable = (
            judging_queries.usable_rulings(owner, tournament) if owner else Ruling.objects.none()
        )
        return usable.filter(code=code).first()
    local = Ruling.objects.filter(document__kind=DocumentKind.LOCAL, document__game=tournament.game)
    return local.filter(code=code).first()


def _written(tournament: Tournament, data: Document, owner: User | None) -> Ruling:
    subject = data["subject"] or data["code"].rpartition("-")[0] or data["code"]
    card = judging_queries.card_titled(subject, tournament.game)
    return ruling_services.new_ruling(
        ruling_services.local_document(tournament.game),
        subject="" if card else subject,
        card=card,
        text=data["text"],
        by=owner,
    )
