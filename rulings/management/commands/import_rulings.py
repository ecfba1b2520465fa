"""`manage.py import_rulings [FILE]`: load the rulings, and the original wording from a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.errors import Refusal
from rulings import importer
from rulings.parsing.records import Damaged


class Command(BaseCommand):
    help = (
        "Loads the rulings that come with the project. With FILE also reads the original list "
        "(Netrunner Rulings v1.62, on one line or many) and keeps its wording beside ours."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path | None = options["file"]
        try:
            if path is None:
                self._tell_loaded(importer.load_digest())
            else:
                self._tell_imported(importer.import_original(path.read_bytes()))
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}. Nothing was written.") from error
        except Damaged as damaged:
            raise CommandError(f"{path}: {damaged}. Nothing was written.") from damaged
        except Refusal as refusal:
            raise CommandError(f"{refusal} Nothing was written.") from refusal

    def _tell_imported(self, imported: importer.Imported) -> None:
        self._tell_loaded(imported.loaded)
        self.stdout.write(
            f"Original: {imported.rulings} rulings on {imported.subjects} subjects, "
            f"{imported.marked_errata} marked as errata; wordings added: {imported.added}."
        )

    def _tell_loaded(self, loaded: importer.Loaded) -> None:
        self.stdout.write(
            f"Rulings: {loaded.rulings} on {loaded.subjects} subjects; created: {loaded.created}, "
            f"changed: {loaded.changed}, new versions: {loaded.new_versions}."
        )
        if loaded.leading_nowhere:
            self.stderr.write(
                "These names lead nowhere; import the cards, then the rulings again: "
                + "; ".join(loaded.leading_nowhere)
            )
