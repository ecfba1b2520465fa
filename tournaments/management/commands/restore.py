"""Restore a site from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS

from core import backups
from core.errors import Refusal
from tournaments.ops import services
from tournaments.ops.site_move import unreadable_secrets


class Command(BaseCommand):
    """Also used in drills, to check that a backup can be restored."""

    help = (
        "Restore a backup into an empty database and migrate it to this release. With --check, "
        "only check that the file is complete. Exits with status 2 and an error message if refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            (backups.check if options["check"] else services.restore_backup)(path)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            named = error.filename or path
            raise CommandError(f"{named}: {error.strerror}.", returncode=2) from error
        if options["check"]:
            self.stdout.write(f"{path.name} is complete.")
            return
        self.stdout.write(f"{path.name} is restored. Run set_up before you start the site.")
        if sentence := unreadable_secrets(DEFAULT_DB_ALIAS):
            self.stderr.write(
                f"{sentence} Until then, accounts with an authenticator app cannot log in."
            )
