"""Check the influence limit of a deck."""

from collections.abc import Iterator, Mapping

from core.text import ended
from decks.legality import wording
from decks.legality.anr import alliances, exchanges
from decks.legality.anr.charges import (
    excess,
    influence_limit,
    influence_of,
    influence_spent,
    penalty,
    universal_influence,
)
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import RestrictionFacts
from decks.legality.records import Breach, CardFacts

__all__ = ["breaches", "excess", "influence_limit", "influence_of", "influence_spent"]

LIMIT_RULE = (
    "Comprehensive rules, deck construction: cards that are not of the identity's faction"
    " cost influence, up to the limit of the identity"
)
TITLES_NAMED = 5


def breaches(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> Iterator[Breach]:
    """Yield the breach `influence` if the limit is exceeded; it names the cards to exchange.

    Yields nothing without an identity of the deck's side, or if the identity has no limit.
    """
    if excess(deck, restriction) <= 0:
        return
    choice = exchanges.copies_to_exchange(deck, restriction)
    yield Breach(
        "influence",
        _message(deck, restriction),
        " ".join([_remedy(choice), *_hints(deck, restriction)]),
        rule=_rule(restriction),
        concerns=tuple(card.title for card in choice),
    )


def _message(deck: AnrDeck, restriction: RestrictionFacts | None) -> str:
    spent, limit = influence_spent(deck, restriction), influence_limit(deck, restriction)
    message = f"{spent} influence spent of {limit}."
    if restriction and (universal := universal_influence(deck, restriction)):
        message += f" {universal} of it is universal influence of {restriction.name}."
    if restriction and (lowered := penalty(deck, restriction)):
        message += f" {restriction.name} takes {lowered} off the limit"
        message += ", which is never below 1." if limit == 1 else "."
    return message


def _remedy(choice: Mapping[CardFacts, int]) -> str:
    named = [f"{wording.copies(number)} of {card.title}" for card, number in choice.items()]
    if len(named) > TITLES_NAMED:
        others = sum(list(choice.values())[TITLES_NAMED:])
        named = [*named[:TITLES_NAMED], f"{others} more of the dearest cards"]
    return ended(f"Put cards that cost no influence in place of {wording.listing(named)}")


def _hints(deck: AnrDeck, restriction: RestrictionFacts | None) -> list[str]:
    """Return hints for alliances that currently cost influence, sorted by title."""
    costs = influence_of(deck, restriction)
    hints = (alliances.hint(deck, card) for card, cost in costs.items() if cost)
    return sorted(filter(None, hints))


def _rule(restriction: RestrictionFacts | None) -> str:
    if restriction and restriction.changes_influence:
        return f"{LIMIT_RULE}; {restriction.name}"
    return LIMIT_RULE
