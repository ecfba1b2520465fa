"""Look up cards by title. Titles must be equal after folding; there is no fuzzy matching."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from core.text import comparison_key
from decks.legality.records import CardFacts
from decks.titles import TitleIndex, folded_title, without_article

# Cache size for spellings; lists contain many of the same titles.
REMEMBERED = 8192


class CardTable:
    """All cards of one game with their aliases, in memory."""

    def __init__(
        self, cards: Iterable[CardFacts], aliases: Iterable[tuple[str, CardFacts]] = ()
    ) -> None:
        self.cards = tuple(cards)
        aliases = tuple(aliases)
        self._spellings = [*((card.title, card) for card in self.cards), *aliases]
        self._by_title = {card.title_key: card for card in self.cards}
        self._by_alias = _unambiguous((comparison_key(text), card) for text, card in aliases)
        self._by_code = {one.code: card for card in self.cards for one in card.printings}
        self._by_card_id = {card.card_id: card for card in self.cards if card.card_id}
        self.has_identities = any(card.is_identity for card in self.cards)
        self._remembered = lru_cache(REMEMBERED)(self._find)

    def find(self, title: str) -> CardFacts | None:
        """Return the card of this title or alias.

        Case, accents, punctuation, trademark signs and "The" are ignored as long as the result is
        unique.
        """
        return self._remembered(title)

    def _find(self, title: str) -> CardFacts | None:
        # Try comparisons from strict to loose; the first unique match wins.
        key = comparison_key(title)
        if found := self._by_title.get(key) or self._by_alias.get(key):
            return found
        folded = folded_title(title)
        return self._by_folded.get(folded) or self._by_bare.get(without_article(folded))

    def by_code(self, code: str) -> CardFacts | None:
        """Return the card with a printing of this code, such as "01050"."""
        return self._by_code.get(code)

    def by_card_id(self, card_id: str) -> CardFacts | None:
        """Return the card with this id, such as "sure_gamble"; accepts "sure-gamble" too."""
        return self._by_card_id.get(card_id.casefold().replace("-", "_")) or self.find(card_id)

    def nearest(self, title: str) -> tuple[str, ...]:
        """Return up to three similar titles, for suggestions only.

        Identities with this name before the colon come first, as in "Noise".
        """
        called = self._by_begin.get(folded_title(title), ())
        return tuple(dict.fromkeys((*called, *self._index.nearest(title))))[:3]

    def nearest_identities(self, title: str) -> tuple[str, ...]:
        """Return up to three identities with a similar title, short name or first word."""
        titles, index = self._identities
        spellings = index.nearest(title, count=6)
        return tuple(dict.fromkeys(title for one in spellings for title in titles[one]))[:3]

    def looks_like_a_card(self, words: str) -> bool:
        """True if the words are close enough to a title to be a typo."""
        return bool(self._index.nearest(words, count=1, at_least=0.8))

    def looks_like_an_identity(self, words: str) -> bool:
        """True if the words are closest to an identity, or not close to any card."""
        nearest = [self._by_title[comparison_key(one)] for one in self.nearest(words)[:1]]
        return any(one.is_identity for one in nearest) or not self.looks_like_a_card(words)

    def may_go_on(self, words: str) -> bool:
        """True if a longer title starts with these words."""
        return self._index.may_go_on(words)

    @cached_property
    def _by_folded(self) -> Mapping[str, CardFacts]:
        return _unambiguous((folded_title(text), card) for text, card in self._spellings)

    @cached_property
    def _by_bare(self) -> Mapping[str, CardFacts]:
        bare = ((without_article(folded_title(text)), card) for text, card in self._spellings)
        return _unambiguous(bare)

    @cached_property
    def _index(self) -> TitleIndex:
        return TitleIndex(card.title for card in self.cards)

    @cached_property
    def _by_begin(self) -> Mapping[str, list[str]]:
        """Titles of identities by their folded part before the colon."""
        titles: dict[str, list[str]] = defaultdict(list)
        for card in self.cards:
            begin, colon, _ = card.title.partition(":")
            if card.is_identity and colon:
                titles[folded_title(begin)].append(card.title)
        return titles

    @cached_property
    def _identities(self) -> tuple[Mapping[str, list[str]], TitleIndex]:
        """(titles by spelling, index of the spellings) of the identities."""
        titles: dict[str, list[str]] = defaultdict(list)
        for card in self.cards:
            if card.is_identity:
                begin = card.title.partition(":")[0]
                for spelling in {card.title, begin, *begin.split()[:1]}:
                    titles[spelling].append(card.title)
        return titles, TitleIndex(titles)


def _unambiguous(pairs: Iterable[tuple[str, CardFacts]]) -> Mapping[str, CardFacts]:
    holders: dict[str, set[CardFacts]] = defaultdict(set)
    for key, card in pairs:
        if key:
            holders[key].add(card)
    return {key: next(iter(cards)) for key, cards in holders.items() if len(cards) == 1}
