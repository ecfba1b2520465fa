"""Move a site from SQLite to PostgreSQL."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.ops import site_move


class Command(BaseCommand):
    """The steps before and after it are in docs/admin/growing.md."""

    help = (
        "Copy the whole site from its SQLite file into the empty PostgreSQL database of "
        "DATABASE_URL, and compare both. Stop the site first. Exits with status 2 and an error "
        "message if the site cannot be moved, and with status 1 if the copy differs; the database "
        "then remains empty."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            metavar="FILE",
            type=Path,
            default=settings.VAR_DIR / "datafort.sqlite3",
            help="the SQLite file; the default is datafort.sqlite3 in DATAFORT_VAR",
        )
        parser.add_argument(
            "--without-secrets",
            action="store_true",
            help="move even if the encryption key here cannot read some secrets",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            moved = site_move.move_site(
                path, without_secrets=options["without_secrets"], report=self.stdout.write
            )
        except site_move.MoveMismatch as mismatch:
            raise CommandError(str(mismatch), returncode=1) from mismatch
        except site_move.MoveRefused as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        self.stdout.write(f"Rows in {moved.tables} tables: {moved.rows}. All counts are equal.")
        self.stdout.write(
            f"Events with equal standings: {moved.events} (SHA-256 {moved.standings})."
        )
        self.stdout.write(
            f"The site has moved. Sessions were not copied, so all users log in again. Keep {path} "
            "until you have checked the new site, but do not start the old site again."
        )
