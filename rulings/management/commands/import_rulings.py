from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.errors import Refusal
from rulings import house_rulings, importer, reference_importer

# Limit on rulings listed individually; the counts include all.
MAX_LISTED = 200


class Command(BaseCommand):
    help = (
        "Loads the rulings that come with the project. With FILE, detects the kind of file and "
        "imports it. FILE is the original list (Netrunner Rulings v1.62, on one line or many), "
        "whose wording is stored next to ours; house rulings (Markdown or JSON lines); or "
        "NetrunnerDB's rulings (JSON). See docs/reference/rulings-files.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
        parser.add_argument(
            "--preview", action="store_true", help="show what FILE would change without writing it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path | None = options["file"]
        if path is None:
            self._load_shipped(preview=options["preview"])
            return
        try:
            report = house_rulings.import_file(path.read_bytes(), preview=options["preview"])
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}. Nothing was written.") from error
        except Refusal as refusal:
            raise CommandError(f"{path}: {refusal}\nNothing was written.") from refusal
        self._write_report(report, preview=options["preview"])

    def _load_shipped(self, *, preview: bool) -> None:
        if preview:
            raise CommandError("--preview requires a FILE.")
        try:
            loaded = importer.load_digest()
            pages = reference_importer.load_reference()
        except Refusal as refusal:
            raise CommandError(f"{refusal} Nothing was written.") from refusal
        self.stdout.write(
            f"Rulings: {loaded.rulings} on {loaded.subjects} subjects; created: {loaded.created}, "
            f"changed: {loaded.changed}, new versions: {loaded.new_versions}."
        )
        self.stdout.write(str(pages))
        if nowhere := sorted({*loaded.leading_nowhere, *pages.leading_nowhere}):
            self.stderr.write(
                "These names match no card or ruling. Import the cards, then the rulings again: "
                + "; ".join(nowhere)
            )

    def _write_report(self, report: house_rulings.RulingsImportReport, *, preview: bool) -> None:
        self.stdout.write(f"The file contains {report.kind.value}: {report.document}.")
        for change in report.changes[:MAX_LISTED]:
            self.stdout.write(f"  {change.what}: {change.short_code} {change.subject}")
        if len(report.changes) > MAX_LISTED:
            self.stdout.write(f"  and {len(report.changes) - MAX_LISTED} more")
        counts = ", ".join(f"{name}: {count}" for name, count in report.counts.items())
        self.stdout.write(f"{counts[:1].upper()}{counts[1:]}.")
        if report.unknown_cards:
            self.stderr.write(
                "Left out, because these cards are unknown (import the cards first): "
                + "; ".join(report.unknown_cards)
            )
        if preview:
            self.stdout.write("This was a preview. Nothing was written.")
