"""manage.py import_cards: import cards and formats."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import Refusal
from decks import games, importer

SHIPPED = [game.id for game in games.GAMES.values() if game.card_tables]


class Command(BaseCommand):
    help = (
        "Load the cards, formats and ban lists of Netrunner (1996) and Android: Netrunner."
        " Without a source these are the tables shipped with Datafort. Can be run again at any"
        " time: what the source does not have stays."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source",
            nargs="?",
            type=Path,
            help="a table (CSV) of onr cards, or a folder in the layout of the public Netrunner"
            " card repository (v2)",
        )
        parser.add_argument("--aliases", type=Path, help="a table of other spellings of onr cards")
        parser.add_argument(
            "--netrunnerdb",
            action="store_true",
            help="fetch the anr cards from NetrunnerDB (API v3)",
        )
        parser.add_argument(
            "--game", choices=SHIPPED, help="load only this game from the shipped tables"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="show what would change without writing it"
        )

        parser.add_argument(
            "--keep-newer",
            action="store_true",
            help="skip a game whose cards come from another source and are newer than those "
            "shipped",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for line in _report_lines(options):
                self.stdout.write(line)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["dry_run"]:
            self.stdout.write("This was a dry run: nothing was written.")


def _report_lines(options: dict[str, Any]) -> Iterator[str]:
    source, dry_run = options["source"], options["dry_run"]
    if source and (options["netrunnerdb"] or options["game"]):
        raise CommandError("Name one source: a file or folder, --netrunnerdb, or --game.")
    if options["netrunnerdb"]:
        data = importer.fetch_netrunnerdb_data()
    elif source:
        data = importer.read_source(source, options["aliases"])
    else:
        for game in [options["game"]] if options["game"] else SHIPPED:
            newer = importer.newer_catalogue(game) if options["keep_newer"] else None
            if newer is None:
                yield from importer.report_lines(importer.import_cards(game, dry_run=dry_run))
            else:
                name = newer.get_game_display()
                yield f"{name}, from {newer.source}: newer than what is shipped."
        return
    yield from importer.report_lines(importer.import_cards(data=data, dry_run=dry_run))
