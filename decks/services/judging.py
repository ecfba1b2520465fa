"""Judging a list: one verdict for page, API and command."""

import datetime
from collections import Counter
from collections.abc import Iterable

from django.utils import timezone

from core.errors import Refusal
from decks.catalogue import card_table
from decks.formats import deck_text, plain_text
from decks.formats.deck_text import DeckText
from decks.games import GameSystem
from decks.legality import lines as deck_lines
from decks.legality import onr
from decks.legality.card_table import CardTable
from decks.legality.lines import ResolvedLine
from decks.legality.records import (
    AnrRules,
    CardSlot,
    DeckRules,
    OnrRules,
    agenda_points_of,
    size_of,
)
from decks.legality.verdict import Verdict, line_verdicts
from decks.models import Side


class SideUnclear(Refusal):
    """The cards do not say whose deck it is."""

    code = "side_unclear"


class NoCards(Refusal):
    """The card table of the game is empty."""

    code = "no_cards"


class GameNotJudged(Refusal):
    """There are no deck rules for this game."""

    code = "game_not_judged"


def check(
    text: str,
    *,
    game: str = GameSystem.ONR,
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
) -> Verdict:
    """The verdict on a list as typed; writes nothing.

    Without `side` the cards say it; `rules` default to constructed play, and
    `date` (the day of the event) to today. Raises GameNotJudged, NoCards, SideUnclear.
    """
    if isinstance(rules, AnrRules):
        raise GameNotJudged(f"Decks of {game} cannot be checked; choose onr.")
    table = _cards_of(game)
    deck = plain_text.read(text)
    lines = deck_lines.resolve(deck, table)
    return _verdict(
        deck,
        lines,
        game=game,
        side=side or _side_of(deck_lines.slots_of(lines)),
        rules=rules or OnrRules(),
        date=date or timezone.localdate(),
    )


def _cards_of(game: str) -> CardTable:
    if game != GameSystem.ONR:
        raise GameNotJudged(f"Decks of {game} cannot be checked; choose onr.")
    table = card_table(game)
    if not table.cards:
        raise NoCards("No cards are loaded yet: run manage.py import_cards.")
    return table


def _verdict(
    deck: DeckText,
    lines: tuple[ResolvedLine, ...],
    *,
    game: str,
    side: str,
    rules: OnrRules,
    date: datetime.date,
) -> Verdict:
    slots = deck_lines.slots_of(lines)
    size = size_of(slots)
    breaches = tuple(onr.breaches(side, slots, rules, deck_lines.unread_copies(lines)))
    return Verdict(
        game=game,
        side=side,
        date=date,
        text=deck.text,
        seal=deck_text.seal(game, side, deck_lines.canonical_entries(lines)),
        size=size,
        agenda_points=agenda_points_of(slots),
        agenda_minimum=onr.agenda_minimum(size, rules) if side == Side.CORP else None,
        slots=slots,
        lines=line_verdicts(lines, breaches),
        breaches=(*deck_lines.breaches(deck, lines), *breaches),
    )


def _side_of(slots: Iterable[CardSlot]) -> str:
    """The side of most cards; a tie or no card at all is refused."""
    copies = Counter(dict.fromkeys(Side.values, 0))
    for slot in slots:
        copies[slot.card.side] += slot.quantity
    (first, most), (_, fewest) = copies.most_common()
    if most == fewest:
        counts = f"{copies[Side.CORP]} Corp and {copies[Side.RUNNER]} Runner cards"
        raise SideUnclear(f"The list has {counts}: say which side it is (--side corp or runner).")
    return first
