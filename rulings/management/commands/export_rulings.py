from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulings.house_rulings import export_document
from rulings.models import DocumentKind, RulingDocument
from rulings.parsing.house import render_json_lines, render_markdown

WRITERS = {"markdown": render_markdown, "jsonl": render_json_lines}


class Command(BaseCommand):
    help = (
        "Writes the house rulings of a document to standard output, each with its code as its id. "
        "To change them, edit the file, give it a new date, and import it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the id of the document")
        parser.add_argument("--format", choices=WRITERS, default="markdown")

    def handle(self, *args: Any, **options: Any) -> None:
        house = RulingDocument.objects.filter(kind=DocumentKind.HOUSE)
        document = house.filter(slug=options["slug"]).first()
        if document is None:
            there = ", ".join(house.order_by("slug").values_list("slug", flat=True)) or "none"
            raise CommandError(
                f"There are no house rulings {options['slug']!r}. Known documents: {there}."
            )
        self.stdout.write(WRITERS[options["format"]](export_document(document)), ending="")
