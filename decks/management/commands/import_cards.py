"""manage.py import_cards: load the cards that decks are made of."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import Refusal
from decks import importer, services


class Command(BaseCommand):
    help = "Load the cards of Netrunner (1996); can be run again at any time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="a table of cards; default: the one shipped"
        )
        parser.add_argument("--aliases", type=Path, help="a table of other spellings")

    def handle(self, *args: Any, **options: Any) -> None:
        cards_file, aliases_file = options["file"], options["aliases"]
        if cards_file is None:
            cards_file = importer.CARDS_FILE
            aliases_file = aliases_file or importer.ALIASES_FILE
        try:
            report = services.import_cards(cards_file, aliases_file)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"Cards: {report.created} created, {report.updated} updated,"
            f" {report.unchanged} unchanged."
        )
        self.stdout.write(
            f"Other spellings: {report.aliases_created} created,"
            f" {report.aliases_unchanged} unchanged."
        )
