"""Judging a list: one verdict for page, API and command."""

import datetime

from django.utils import timezone

from decks.catalogue import STORED, Tables
from decks.formats import reading
from decks.formats.deck_text import DeckText
from decks.games import GameSystem
from decks.legality import lines as deck_lines
from decks.legality.card_table import CardTable
from decks.legality.records import AnrRules, DeckRules, OnrRules
from decks.legality.verdict import Verdict
from decks.services import judging_anr, judging_onr
from decks.services.refusals import GameNotJudged, NoCards, RuleOfAnotherGame
from decks.services.sides import ReadList

JUDGED = (GameSystem.ONR, GameSystem.ANR)


def check(
    text: str,
    *,
    game: str = GameSystem.ONR,
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
    identity: str | None = None,
    tables: Tables = STORED,
) -> Verdict:
    """The verdict on a list in any form; writes nothing.

    Without `side` the identity says it, or else the cards; `rules` default to constructed
    play (`onr`) or the basic rules alone (`anr`), `date` (the day of the event) to today.
    `identity` is the title, card id or printing of an `anr` identity the list does not name;
    `tables` are the cards and formats, those of the database unless told.
    Raises GameNotJudged, NoCards, NothingRead, SideUnclear, UnknownFormat and
    RuleOfAnotherGame.
    """
    table = _cards_of(game, tables)
    deck = reading.read(text)
    listed = ReadList(deck, deck_lines.resolve(deck, table), side, date or timezone.localdate())
    if game == GameSystem.ANR:
        return judging_anr.verdict(listed, table, tables.formats, _anr_rules(rules), identity)
    return judging_onr.verdict(listed, _onr_rules(rules, identity))


def _cards_of(game: str, tables: Tables) -> CardTable:
    if game not in JUDGED:
        raise GameNotJudged(f"Decks of {game} cannot be checked; choose {' or '.join(JUDGED)}.")
    table = tables.cards(game)
    if not table.cards:
        raise NoCards(
            f"No cards of {GameSystem(game).label} are loaded yet. Whoever runs this site loads"
            " them with: manage.py import_cards"
        )
    return table


def _onr_rules(rules: DeckRules | None, identity: str | None) -> OnrRules:
    if identity or isinstance(rules, AnrRules):
        raise RuleOfAnotherGame("Decks of onr have no identity and no format; leave both out.")
    return rules or OnrRules()


def _anr_rules(rules: DeckRules | None) -> AnrRules:
    if isinstance(rules, OnrRules):
        raise RuleOfAnotherGame("These are deck rules of onr; for anr choose a format, or none.")
    return rules or AnrRules()


def likelier_game(text: str, game: str) -> GameSystem | None:
    """The other game, where it knows more lines of the list than `game` does; else None."""
    deck = reading.read(text)
    known = {one: _known(deck, one) for one in JUDGED}
    best = max(JUDGED, key=lambda one: known[one])
    return best if known[best] > known[GameSystem(game)] else None


def _known(deck: DeckText, game: GameSystem) -> int:
    table = STORED.cards(game)
    return sum(table.find(line.title) is not None for line in deck.lines)
