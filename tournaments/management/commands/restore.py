"""Restore a site from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core import backups
from core.errors import Refusal
from tournaments.operations import services


class Command(BaseCommand):
    """Also used in drills, to check that a backup can be restored."""

    help = (
        "Put a backup into an empty database and bring it to this release. With --check only tell "
        "whether the file is whole. Exit status 2 with a sentence where it is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            (backups.check if options["check"] else services.restore)(path)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            named = error.filename or path
            raise CommandError(f"{named}: {error.strerror}.", returncode=2) from error
        self.stdout.write(f"{path.name} is {'whole' if options['check'] else 'restored'}.")
