"""manage.py check_deck: the verdict on one list, for scripts and for people."""

import datetime
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from core.errors import Refusal
from decks import services
from decks.games import GameSystem
from decks.legality.records import OnrRules
from decks.legality.verdict import Verdict
from decks.models import Side

LEGAL, ILLEGAL, ERROR = 0, 1, 2
# More than any list that is read; a bigger file is still answered with its size.
MOST_BYTES = 1024 * 1024


class Command(BaseCommand):
    help = "Judge a deck list. Exit status: 0 legal, 1 illegal, 2 the list cannot be judged."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a text file, or - for standard input")
        parser.add_argument("--game", default=GameSystem.ONR, help="the game; default: onr")
        parser.add_argument("--side", help="corp or runner; default: the side of most cards")
        parser.add_argument("--date", help="day of the event, YYYY-MM-DD; default: today")
        parser.add_argument(
            "--exact-ratio", action="store_true", help="2 agenda points in 5 cards, to the card"
        )
        parser.add_argument(
            "--ban-list", action="store_true", help="with the Top Runners' Conference ban list"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            verdict = _judge(options)
        except (Refusal, OSError, ValueError) as error:
            self._fail(_words(error), options)
        if options["json"]:
            self.stdout.write(json.dumps(verdict.as_document(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_report(verdict)))
        sys.exit(LEGAL if verdict.legal else ILLEGAL)

    def _fail(self, reason: str, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps({"error": reason, "path": options["file"]}))
        else:
            self.stderr.write(f"{options['file']}: {reason}")
        sys.exit(ERROR)


def _judge(options: dict[str, Any]) -> Verdict:
    side = options["side"]
    if side is not None and side not in Side.values:
        raise ValueError(f'--side is corp or runner, not "{side}".')
    rules = OnrRules(exact_ratio=options["exact_ratio"], ban_list=options["ban_list"])
    date = datetime.date.fromisoformat(options["date"]) if options["date"] else None
    text = _read(options["file"])
    return services.check(text, game=options["game"], side=side, rules=rules, date=date)


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES).decode("utf-8-sig")
    with Path(file).open("rb") as stream:
        return stream.read(MOST_BYTES).decode("utf-8-sig")


def _words(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "The list is not UTF-8 text."
    if isinstance(error, OSError):
        return f"The file cannot be read: {error.strerror}."
    return str(error)


def _report(verdict: Verdict) -> Iterator[str]:
    """The verdict for a person: the outcome, the figures, then what to mend."""
    points = ""
    if verdict.agenda_minimum is not None:
        points = f", {verdict.agenda_points} agenda points (at least {verdict.agenda_minimum})"
    outcome = "legal" if verdict.legal else f"not legal, {len(verdict.breaches)} to mend"
    yield f"{Side(verdict.side).label} deck, {verdict.size} cards{points}: {outcome}."
    for breach in verdict.breaches:
        place = f"line {breach.line}: " if breach.line else ""
        yield f"- {place}{breach.message} {breach.remedy}"
        yield f"  ({breach.rule})"
