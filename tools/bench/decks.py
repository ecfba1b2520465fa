"""D1: decklists parsed, resolved and checked, relative to one database query per card.

Warm and in one process: the card table is in memory, and all lists differ. Measured in processor
time, which other work on the machine affects less than wall-clock time.
"""

import datetime
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from core.text import comparison_key
from decks import importer
from decks import services as decks_services
from decks.catalogue import card_table, format_table
from decks.legality.records import AnrRules
from decks.legality.verdicts import DeckVerdict
from decks.models import Card
from decks.sample_decks import sample_deck
from tools.bench.figures import Figure

LISTS = 50
RUNS = 10
DAY = datetime.date(2025, 9, 17)
STANDARD = AnrRules("standard")
LINE = re.compile(r"(\d+)x? (.+)")


def figures() -> Iterator[Figure]:
    """Both games relative to the naive reading; `anr` in Standard, on a date of its data."""
    importer.import_cards("onr")
    importer.import_cards("anr")
    modern, old = anr_lists(), onr_lists()
    assert all(_judge_anr(text).legal for text in modern)
    assert all(decks_services.check_deck(text, date=DAY).legal for text in old)
    naive = _a_second(old, naive_reading)
    for name, lists, judge in (
        ("anr list of 45 to 50 cards in Standard", modern, _judge_anr),
        ("onr list of 45 cards", old, partial(decks_services.check_deck, date=DAY)),
    ):
        our_rate = _a_second(lists, judge)
        yield Figure(
            "D1",
            f"{name}, read and judged, against an onr list with a query for each card",
            f"{our_rate:,.0f} lists a second, {our_rate / naive:.0f} times as many ({naive:,.0f})",
            ">= 300 a second, or >= 20 times",
            our_rate >= 300 or our_rate / naive >= 20,
        )


def naive_reading(text: str) -> list[tuple[int, Card]]:
    """Read a number, a title and a database row, line by line, without checking the deck."""
    matches = (LINE.fullmatch(line) for line in text.splitlines())
    return [
        (int(line[1]), Card.objects.get(game="onr", title_key=comparison_key(line[2])))
        for line in matches
        if line
    ]


def anr_lists() -> list[str]:
    """Legal decks of both sides, half of them in the format of NetrunnerDB."""
    cards = card_table("anr").cards
    format_ = format_table("anr").find(STANDARD.format_id)
    assert format_ is not None
    snapshot = format_.on(DAY)
    lists = []
    for number in range(LISTS):
        side = ("corp", "runner")[number % 2]
        text = sample_deck(side, random.Random(number), cards, snapshot)
        lists.append(_as_netrunnerdb(text) if number % 4 < 2 else text)
    return lists


def onr_lists() -> list[str]:
    cards = card_table("onr").cards
    sides = ("corp", "runner")
    return [sample_deck(sides[n % 2], random.Random(n), cards) for n in range(LISTS)]


def _as_netrunnerdb(text: str) -> str:
    return decks_services.export_deck(text, game="anr", form="netrunnerdb_text").body.decode()


def _judge_anr(text: str) -> DeckVerdict:
    return decks_services.check_deck(text, game="anr", rules=STANDARD, date=DAY)


def _a_second(lists: Sequence[str], work: Callable[[str], object]) -> float:
    """Lists per second of processor time, the best of some runs; the first run warms up."""
    durations = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        for text in lists:
            work(text)
        durations.append(time.process_time() - start)
    return len(lists) / min(durations[1:])
