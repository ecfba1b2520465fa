"""Check a decklist; shared by page, API and command."""

import datetime

from django.utils import timezone

from decks import games
from decks.catalogue import GameTables, card_table, stored_tables
from decks.formats import reading
from decks.formats.deck_text import DeckText
from decks.legality import lines as deck_lines
from decks.legality.records import AnrRules, DeckRules, deck_rules_of
from decks.legality.verdict import Verdict
from decks.services import judging_anr, judging_onr
from decks.services.refusals import GameNotJudged, NoCards, RuleOfAnotherGame
from decks.services.sides import ReadList


def check(
    text: str,
    *,
    game: str = games.DEFAULT.id,
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
    identity: str | None = None,
    tables: GameTables | None = None,
) -> Verdict:
    """Return the verdict on a list in any supported format; writes nothing.

    Without `side`, the identity or the majority of cards determines it. `rules` default to
    constructed play, or to the basic rules for games with formats. `date` (the day of the event)
    defaults to today. `identity` is the title, card id or printing of an identity that the list
    does not name. `tables` default to the cards and formats in the database.

    Raises GameNotJudged, NoCards, NothingRead, SideUnclear, UnknownFormat and RuleOfAnotherGame.
    """
    tables = _judged_tables(game, tables)
    deck = reading.read(text)
    lines = deck_lines.resolve(deck, tables.cards)
    listed = ReadList(game, deck, lines, side, date or timezone.localdate())
    rules = rules or deck_rules_of(game, {})
    if isinstance(rules, AnrRules):
        return judging_anr.verdict(listed, tables, rules, identity)
    if identity:
        raise RuleOfAnotherGame(f"Decks of {game} have no identity; leave it out.")
    return judging_onr.verdict(listed, rules)


def _judged_tables(game: str, tables: GameTables | None) -> GameTables:
    judged = {one.id: one for one in games.with_decks()}
    if game not in judged:
        raise GameNotJudged(f"Decks of {game} cannot be checked; choose {' or '.join(judged)}.")
    tables = tables or stored_tables(game)
    if not tables.cards.cards:
        raise NoCards(
            f"No cards of {judged[game].name} are loaded yet. Whoever runs this site loads"
            " them with: manage.py import_cards"
        )
    return tables


def likelier_game(text: str, game: str) -> games.Game | None:
    """Return the game that recognises the most lines of the list, or None if it is `game`."""
    deck = reading.read(text)
    known = {one.id: _known(deck, one.id) for one in games.with_decks()}
    best = max(known, key=lambda one: known[one])
    return games.GAMES[best] if known[best] > known[game] else None


def _known(deck: DeckText, game: str) -> int:
    table = card_table(game)
    return sum(table.find(line.title) is not None for line in deck.lines)
