"""A site out of its backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.backups import files
from core.errors import Refusal
from tournaments.services import backups


class Command(BaseCommand):
    """Also the drill that shows that a backup is one."""

    help = (
        "Put a backup into an empty database, bring it to this release, and compare its standings "
        "with those it was made with. With --check only tell what the file is. Exit status 2 with "
        "a sentence where it is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            plan = backups.plan(path)
            self._describe(plan)
            if options["check"]:
                backups.check(path)
                self.stdout.write(f"{path.name} is whole.")
            else:
                backups.restore(path, self.stdout.write)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            named = error.filename or path
            raise CommandError(f"{named}: {error.strerror}.", returncode=2) from error

    def _describe(self, plan: backups.Plan) -> None:
        manifest: files.Manifest = plan.manifest
        self.stdout.write(
            f"Backup of {manifest.began_at} by release {manifest.version}, {manifest.database}"
        )
        counts = manifest.facts["counts"]
        self.stdout.write(", ".join(f"{number:,} {name}" for name, number in counts.items()))
