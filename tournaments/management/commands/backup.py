"""Back up the running site into a single file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.errors import Refusal
from tournaments.ops import services


class Command(BaseCommand):
    help = (
        "Write a backup of the running site, and print its path. Without FOLDER it goes to the "
        "folder of the automatic backups and is deleted like them. Exits with status 2 and an "
        "error message if no backup can be made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", metavar="FOLDER", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"] or Path(settings.BACKUP_FOLDER)
        if folder == Path():
            raise CommandError("Name a folder, or set DATAFORT_BACKUPS.", returncode=2)
        try:
            backup = services.make_backup(folder)
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            raise CommandError(
                f"{folder} cannot be written to: {error.strerror}.", returncode=2
            ) from error
        self.stdout.write(f"{backup.path}")
        self.stdout.write(f"{backup.size:,} bytes", self.style.NOTICE)
