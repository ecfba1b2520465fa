"""manage.py check_deck: check one decklist."""

import codecs
import datetime
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from core.errors import Refusal
from decks import games, services
from decks.catalogue import available_tables
from decks.formats import plain_text, readers
from decks.legality import verdicts
from decks.legality.verdicts import DeckVerdict
from decks.models import Side

LEGAL, ILLEGAL, ERROR = 0, 1, 2
# Larger than the limit of any parser, so that oversized files still get a size error.
MAX_BYTES = 1024 * 1024


class Command(BaseCommand):
    help = (
        "Check a decklist. Exit status: 0 if it is legal, 1 if it is illegal, 2 if it "
        "cannot be checked."
    )
    # System checks would load every page, and deck checks must work before the site is set up.
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a list in any form, or - for standard input")
        parser.add_argument("--game", default=games.DEFAULT.id, help="onr (default) or anr")
        parser.add_argument(
            "--side", help="corp or runner; by default taken from the identity or the cards"
        )
        parser.add_argument("--date", help="day of the event, YYYY-MM-DD; default: today")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        anr = parser.add_argument_group("rules of anr")
        anr.add_argument("--format", help="such as standard; default: basic rules only")
        anr.add_argument("--identity", help="the identity, if the list names none")
        onr = parser.add_argument_group("rules of onr")
        onr.add_argument(
            "--exact-ratio", action="store_true", help="exactly 2 agenda points for every 5 cards"
        )
        onr.add_argument(
            "--ban-list", action="store_true", help="apply the Top Runners' Conference ban list"
        )
        onr.add_argument("--runner-minimum", type=int, help="minimum number of cards; default: 45")
        onr.add_argument("--corp-minimum", type=int, help="minimum number of cards; default: 45")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            verdict = _check(options)
        except (Refusal, OSError, ValueError) as error:
            reason = _error_message(error)
            if options["json"]:
                self.stdout.write(json.dumps({"error": reason, "path": options["file"]}))
            else:
                self.stderr.write(f"{options['file']}: {reason}")
            sys.exit(ERROR)
        # Some terminal encodings lack letters that occur in titles.
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        if options["json"]:
            is_utf_8 = codecs.lookup(encoding).name == "utf-8"
            document = verdict.as_document()
            self.stdout.write(json.dumps(document, ensure_ascii=not is_utf_8, indent=2))
        else:
            text = "\n".join(verdicts.verdict_lines(verdict))
            self.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.exit(LEGAL if verdict.legal else ILLEGAL)


def _check(options: dict[str, Any]) -> DeckVerdict:
    side = options["side"]
    if side is not None and side not in Side.values:
        raise ValueError(f'--side is corp or runner, not "{side}".')
    if options["file"] == "-":
        data = sys.stdin.buffer.read(MAX_BYTES)
    else:
        with Path(options["file"]).open("rb") as stream:
            data = stream.read(MAX_BYTES)
    if len(data) == MAX_BYTES:
        # Too long in any case; drop a character cut in half at the end.
        data = data.decode(errors="ignore").encode()
    text = readers.decode_text(data)
    rules = services.requested_rules(options["game"], options)
    try:
        date = datetime.date.fromisoformat(options["date"]) if options["date"] else None
    except ValueError as error:
        raise ValueError(f'--date is a day such as 2025-09-17, not "{options["date"]}".') from error
    return services.check_deck(
        text,
        game=options["game"],
        side=side,
        rules=rules,
        date=date,
        identity=plain_text.storable_text(options["identity"] or ""),
        tables=available_tables(options["game"]),
    )


def _error_message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"The file cannot be read: {error.strerror}."
    if isinstance(error, services.NothingRead):
        return " ".join(map(str, error.texts))
    if isinstance(error, services.SideUnclear):
        return f"{error} (--side corp or --side runner)"
    return str(error)
