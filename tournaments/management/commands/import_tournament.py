"""Import an event from a tournament file of any supported program."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from decks.games import GAMES
from engine.documents.json_text import write_json
from players.models import User
from tournaments.files import services as files_services
from tournaments.files.records import TournamentFileRefused
from tournaments.files.services import ImportResult

REFUSED = 2


class Command(BaseCommand):
    """Import the whole file or nothing. Exit status 2 for an invalid file."""

    help = (
        "Import an event from a tournament file of Cobra, AesopsTables, NRTM or Datafort. Points "
        "and tie-breakers are computed again, and each difference from the file is listed. "
        "docs/reference/tournament-files.md describes the files."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help='the file; "-" reads standard input')
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--owner", metavar="USERNAME", help="the account that owns the event")
        parser.add_argument("--preview", action="store_true", help="show the result, store nothing")
        parser.add_argument(
            "--first-round-byes",
            action="store_true",
            help="add byes in round 1 that the stated points include and the file does not list",
        )
        parser.add_argument("--game", choices=list(GAMES), help="if the file does not name it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            imported = files_services.import_file(
                _read(options["file"]),
                owner=_owner(options["owner"]),
                file_name="" if options["file"] == "-" else Path(options["file"]).name,
                game=options["game"],
                preview=options["preview"],
                trusted=True,
                first_round_byes=options["first_round_byes"],
            )
        except TournamentFileRefused as refusal:
            if not options["json"]:
                raise CommandError(f"{refusal} ({refusal.path})", returncode=REFUSED) from refusal
            self._print({"error": str(refusal), "path": refusal.path})
            sys.exit(REFUSED)
        self._report(imported, options)

    def _report(self, imported: ImportResult, options: dict[str, Any]) -> None:
        if options["json"]:
            self._print(imported.answer)
            return
        answer = imported.answer
        done = "would become" if options["preview"] else "is now"
        self.stdout.write(
            f"{imported.name} {done} {answer['event']}: {answer['players']} players, "
            f"{answer['rounds']} rounds, {answer['cut']} in the cut."
        )
        for difference in answer["differences"]:
            name = imported.names.get(difference["id"], difference["id"])
            self.stdout.write(
                f"{name}: {difference['field']} is {difference['file']} in the file, "
                f"{difference['computed']} by its games."
            )
        if imported.offered_byes:
            names = ", ".join(imported.names[bye.id] for bye in imported.offered_byes)
            self.stdout.write(
                f"The stated points include an unlisted bye in round 1 for: {names}. To add these "
                "byes, import with --first-round-byes."
            )
        for notice in imported.notices:
            self.stdout.write(notice)

    def _print(self, document: dict[str, Any]) -> None:
        # Bytes, so that the locale of the machine has no effect.
        sys.stdout.buffer.write(write_json(document))
        sys.stdout.buffer.flush()


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise TournamentFileRefused(f"The file cannot be read: {error.strerror}.", "$") from error


def _owner(username: str | None) -> User | None:
    if username is None:
        return None
    try:
        return User.objects.get(username=username)
    except User.DoesNotExist as error:
        raise CommandError(f"There is no account {username}.") from error
