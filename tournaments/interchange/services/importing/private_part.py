"""The private part of an event: staff, decks, what judges did, and what its log told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from matches.models import ResultReport
from players.models import User
from rulings.models import JudgeCall, JudgeNote, NoteKind, Ruling, RulingVersion
from rulings.permissions import readable
from rulings.queries import version_by_code
from rulings.services import write_note
from tournaments.interchange.services.importing.decks import store_deck_checks, store_decks
from tournaments.interchange.services.importing.local_rulings import store_local_rulings
from tournaments.interchange.services.importing.tables import BATCH, Places, Told, moment
from tournaments.models import (
    Absence,
    InfractionChange,
    LogEntry,
    Pairing,
    Penalty,
    Staff,
    StaffRole,
    Tournament,
)
from tournaments.models.log_actions import as_imported


class PrivatePart:
    """Writes the private part. Accounts are those in `users`; nobody else is named."""

    def __init__(
        self,
        tournament: Tournament,
        event: Told,
        places: Places,
        users: Mapping[str, User],
        *,
        trusted: bool = False,
    ) -> None:
        self.tournament, self.event, self.places = tournament, event, places
        self.told: Told = event["private"]
        self.trusted = trusted
        self.users = users
        tables = Pairing.objects.filter(round__stage__tournament=tournament)
        self.tables = {
            (one.round.number, one.table_number): one
            for one in tables.select_related("round", "match").exclude(table_number=None)
        }

    def store(self, owner: User | None) -> None:
        """Everything, after the tables are there."""
        self.citable = Ruling.objects.all() if self.trusted else readable(owner)
        self._staff(owner)
        InfractionChange.objects.bulk_create(
            InfractionChange(tournament=self.tournament, **one) for one in self.told["guide"]
        )
        store_decks(self.tournament.game, self.told["decks"], self.places)
        store_deck_checks(self.tournament, self.told["deck_checks"], self._user)
        self._reports()
        for pairing, match in self._matches():
            self._notes_and_calls(pairing, match)
        self._absences()
        for one in self.told["penalties"]:
            self._penalty(one)
        store_local_rulings(
            self.tournament,
            self.told["local_rulings"],
            owner,
            lambda told: self._note(None, told, NoteKind.NOTE),
            trusted=self.trusted,
        )
        self._log()

    def _version(self, code: str) -> RulingVersion | None:
        """The version that was cited; where it is not known here, the newest of its ruling."""
        wanted = code, code.rpartition(" v")[0]
        return next(filter(None, (version_by_code(one, self.citable) for one in wanted)), None)

    def _staff(self, owner: User | None) -> None:
        Staff.objects.bulk_create(
            Staff(
                tournament=self.tournament,
                user=self.users[one["username"]],
                role=StaffRole.ORGANISER if owner and one["role"] == "owner" else one["role"],
            )
            for one in self.told["staff"]
            if one["username"] in self.users and self.users[one["username"]] != owner
        )

    def _user(self, username: str) -> User | None:
        return self.users.get(username)

    def _matches(self) -> Iterator[tuple[Pairing, Told]]:
        for stage in self.event["stages"]:
            for round_ in stage["rounds"]:
                for one in round_["pairings"]:
                    if one["match"] is not None:
                        yield self.tables[round_["number"], one["table"]], one["match"]

    def _reports(self) -> None:
        """Who told each result, and when."""
        rows: dict[int, list[ResultReport]] = defaultdict(list)
        matches = [one.match_id for one in self.tables.values()]
        for row in ResultReport.objects.filter(match__in=matches).order_by("pk"):
            rows[row.match_id].append(row)
        for pairing, match in self._matches():
            for row, told in zip(rows[pairing.match_id or 0], match["reports"], strict=False):
                row.user = self._user(told["username"])
                row.created_at = moment(told["at"]) or row.created_at
        changed = [row for found in rows.values() for row in found]
        ResultReport.objects.bulk_update(changed, ["user", "created_at"], batch_size=BATCH)

    def _note(self, pairing: Pairing | None, told: Told, kind: NoteKind) -> JudgeNote:
        versions = [self._version(code) for code in told["cites"]]
        note = write_note(
            pairing.match if pairing else None,
            self._user(told["author"]),
            told["text"] or "-",
            [version for version in versions if version is not None],
            kind,
        )
        # A call may be answered without a word, which nobody may write at a table.
        at = moment(told["at"]) or note.created_at
        JudgeNote.objects.filter(pk=note.pk).update(text=told["text"], created_at=at)
        return note

    def _notes_and_calls(self, pairing: Pairing, match: Told) -> None:
        for told in match["notes"]:
            self._note(pairing, told, NoteKind.NOTE)
        made: list[JudgeCall] = []
        for told in match["calls"]:
            made.append(self._call(pairing, told, made))

    def _call(self, pairing: Pairing, told: Told, earlier: list[JudgeCall]) -> JudgeCall:
        assert pairing.match is not None
        answer = told["answer"]
        by = ("taken_by", "escalated_by", "answered_by")
        at = ("taken_at", "escalated_at", "answered_at", "withdrawn_at")
        call = JudgeCall.objects.create(
            match=pairing.match,
            player_id=self.places[told["player"]].player_id if told["player"] else None,
            user=self._user(told["raised_by"]),
            about=told["about"],
            for_head_judge=told["for_head_judge"],
            appeals=None if told["appeals"] is None else earlier[told["appeals"]],
            note=self._note(pairing, answer, NoteKind.ANSWER) if answer else None,
            minutes=told["minutes"],
            overturned=told["overturned"],
            **{key: self._user(told[key]) for key in by},
            **{key: moment(told[key]) for key in at},
        )
        if told["raised_at"]:
            JudgeCall.objects.filter(pk=call.pk).update(raised_at=moment(told["raised_at"]))
        return call

    def _absences(self) -> None:
        """Who was told to be missing at the tables."""
        told = [(pairing, one) for pairing, match in self._matches() for one in match["absences"]]
        rows = Absence.objects.bulk_create(
            (
                Absence(
                    pairing=pairing,
                    registration=self.places[one["player"]],
                    user=self._user(one["username"]),
                    player_id=self.places[one["by"]].player_id if one["by"] else None,
                    applied_at=moment(one["applied_at"]),
                )
                for pairing, one in told
            ),
            batch_size=BATCH,
        )
        # The moment of writing stands there until the told one is put in its place.
        for row, (_, one) in zip(rows, told, strict=True):
            row.told_at = moment(one["told_at"]) or row.told_at
        Absence.objects.bulk_update(rows, ["told_at"], batch_size=BATCH)

    def _penalty(self, told: Told) -> None:
        penalty = Penalty.objects.create(
            tournament=self.tournament,
            registration=self.places[told["player"]],
            pairing=self.tables.get((told["table_round"], told["table"])),
            round_number=told["round"],
            note=self._note(None, told["note"], NoteKind.PENALTY),
            withdrawn_at=moment(told["withdrawn_at"]),
            withdrawn_by=self._user(told["withdrawn_by"]),
            **{
                key: told[key]
                for key in ("infraction", "infraction_name", "kind", "expected", "game", "dropped")
            },
            withdrawn_reason=told["withdrawn_reason"],
        )
        if told["given_at"]:
            Penalty.objects.filter(pk=penalty.pk).update(given_at=moment(told["given_at"]))

    def _log(self) -> None:
        """What was done elsewhere, as words: nothing of it can be taken back here."""
        rows = LogEntry.objects.bulk_create(
            (
                LogEntry(
                    tournament=self.tournament,
                    user=self._user(one["username"]),
                    action=as_imported(one["action"]),
                    subject=one["subject"],
                    reason=one["reason"],
                )
                for one in self.told["log"]
            ),
            batch_size=BATCH,
        )
        for row, one in zip(rows, self.told["log"], strict=True):
            row.at = moment(one["at"]) or row.at
        LogEntry.objects.bulk_update(rows, ["at"], batch_size=BATCH)
