"""Finds the card a line names. Equal after folding, or not at all."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.text import comparison_key
from decks.legality.records import CardFacts
from decks.titles import TitleIndex, folded_title, without_article


class CardTable:
    """All cards of one game with their other spellings, kept in memory."""

    def __init__(
        self, cards: Iterable[CardFacts], aliases: Iterable[tuple[str, CardFacts]] = ()
    ) -> None:
        self.cards = tuple(cards)
        aliases = tuple(aliases)
        spellings = [*((card.title, card) for card in self.cards), *aliases]
        # From the strictest comparison to the loosest; the first that knows one card wins.
        self._by_title = {card.title_key: card for card in self.cards}
        self._by_alias = _unambiguous((comparison_key(text), card) for text, card in aliases)
        self._by_folded = _unambiguous((folded_title(text), card) for text, card in spellings)
        self._by_bare = _unambiguous(
            (without_article(folded_title(text)), card) for text, card in spellings
        )
        self._index = TitleIndex(card.title for card in self.cards)

    def find(self, title: str) -> CardFacts | None:
        """The one card of this title or alias.

        Case, accents, punctuation, trademark signs and "The" are compared
        away, as long as only one card remains.
        """
        key = comparison_key(title)
        if found := self._by_title.get(key) or self._by_alias.get(key):
            return found
        folded = folded_title(title)
        return self._by_folded.get(folded) or self._by_bare.get(without_article(folded))

    def nearest(self, title: str) -> tuple[str, ...]:
        """The three nearest titles, as suggestions only."""
        return self._index.nearest(title)

    def looks_like_a_card(self, words: str) -> bool:
        """Whether the words are so near a title that they may be a misspelled one."""
        nearest = self._index.nearest(words, count=1)
        return any(self._index.likeness(words, title) >= 0.8 for title in nearest)


def _unambiguous(pairs: Iterable[tuple[str, CardFacts]]) -> Mapping[str, CardFacts]:
    holders: dict[str, set[CardFacts]] = defaultdict(set)
    for key, card in pairs:
        if key:
            holders[key].add(card)
    return {key: next(iter(cards)) for key, cards in holders.items() if len(cards) == 1}
