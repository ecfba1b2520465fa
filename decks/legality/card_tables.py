"""Look up cards by title. Titles must be equal after folding; there is no fuzzy matching."""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nsmallest

from core.text import comparison_key
from decks.card_data.records import CardData, CardRecord, EntryRecord, RestrictionRecord
from decks.legality.records import (
    CardFacts,
    FormatFacts,
    FormatTable,
    PoolFacts,
    PrintingFacts,
    RestrictionFacts,
    SnapshotFacts,
)
from decks.titles import TitleIndex, folded_title, without_article

# Cache size for spellings; lists contain many of the same titles.
TITLES_CACHED = 8192


class CardTable:
    """All cards of one game with their aliases, in memory."""

    def __init__(
        self, cards: Iterable[CardFacts], aliases: Iterable[tuple[str, CardFacts]] = ()
    ) -> None:
        self.cards = tuple(cards)
        aliases = tuple(aliases)
        self._spellings = [*((card.title, card) for card in self.cards), *aliases]
        self._by_title = {card.title_key: card for card in self.cards}
        self._by_alias = _unambiguous_cards((comparison_key(text), card) for text, card in aliases)
        self._by_code = {one.code: card for card in self.cards for one in card.printings}
        self._by_card_id = {card.card_id: card for card in self.cards if card.card_id}
        self.has_identities = any(card.is_identity for card in self.cards)
        self._remembered = lru_cache(TITLES_CACHED)(self._find)

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
        return _unambiguous_cards((folded_title(text), card) for text, card in self._spellings)

    @cached_property
    def _by_bare(self) -> Mapping[str, CardFacts]:
        bare = ((without_article(folded_title(text)), card) for text, card in self._spellings)
        return _unambiguous_cards(bare)

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


def _unambiguous_cards(pairs: Iterable[tuple[str, CardFacts]]) -> Mapping[str, CardFacts]:
    holders: dict[str, set[CardFacts]] = defaultdict(set)
    for key, card in pairs:
        if key:
            holders[key].add(card)
    return {key: next(iter(cards)) for key, cards in holders.items() if len(cards) == 1}


# Build the input of the deck rules from card data.


def build_card_table(data: CardData, ids: Mapping[str, int]) -> CardTable:
    """Build the card table; `ids` are the primary keys by title key."""
    printings = _printing_facts(data)
    facts = {
        card.key: _card_facts(card, ids[card.title_key], printings.get(card.key, ()))
        for card in data.cards
    }
    return CardTable(facts.values(), [(one.alias, facts[one.card]) for one in data.aliases])


def build_format_table(data: CardData) -> FormatTable:
    """Build the formats with their snapshots in chronological order."""
    pools = {pool.id: PoolFacts(pool.id, pool.name, pool.sets) for pool in data.pools}
    lists = {one.id: restriction_facts(one) for one in data.restrictions}
    snapshots: dict[str, list[SnapshotFacts]] = defaultdict(list)
    # Sources append some snapshots after later ones, so sort by date before position.
    for one in sorted(data.snapshots, key=lambda one: (one.effective_from, one.position)):
        facts = SnapshotFacts(
            one.id, one.effective_from, pools[one.pool], lists.get(one.restriction), one.format
        )
        snapshots[one.format].append(facts)
    formats = sorted(data.formats, key=lambda one: (one.position, one.name))
    facts_of = (FormatFacts(one.id, one.name, tuple(snapshots[one.id])) for one in formats)
    return FormatTable(facts_of, data.source_date)


def _printing_facts(data: CardData) -> Mapping[str, tuple[PrintingFacts, ...]]:
    released = {one.id: one.released_on or datetime.date.max for one in data.sets}
    printings: dict[str, list[PrintingFacts]] = defaultdict(list)
    for one in sorted(data.printings, key=lambda one: (released[one.card_set], one.code)):
        printings[one.card].append(PrintingFacts(one.code, one.card_set, one.quantity))
    return {card: tuple(found) for card, found in printings.items()}


def _card_facts(card: CardRecord, number: int, printings: tuple[PrintingFacts, ...]) -> CardFacts:
    return CardFacts(
        id=number,
        title=card.title,
        title_key=card.title_key,
        side=card.side,
        type=card.type,
        agenda_points=card.agenda_points or 0,
        subtypes=card.subtypes,
        card_id=card.card_id,
        faction=card.faction,
        influence_cost=card.influence_cost,
        minimum_deck_size=card.minimum_deck_size,
        influence_limit=card.influence_limit,
        deck_limit=card.deck_limit,
        is_unique=card.is_unique,
        cost=card.cost,
        strength=card.strength,
        difficulty=card.difficulty,
        printings=printings,
    )


def restriction_facts(one: RestrictionRecord) -> RestrictionFacts:
    """Build a ban list for the rules, including lists that no snapshot uses."""
    entries: dict[str, list[EntryRecord]] = defaultdict(list)
    for entry in one.entries:
        entries[entry.kind].append(entry)

    def named(kind: str) -> frozenset[str]:
        return frozenset(entry.card for entry in entries[kind])

    def charged(kind: str) -> dict[str, int]:
        listed = sorted(entries[kind], key=lambda entry: entry.card)
        return {entry.card: entry.value for entry in listed if entry.value is not None}

    return RestrictionFacts(
        id=one.id,
        name=one.name,
        effective_from=one.effective_from,
        banned=named("banned"),
        banned_subtypes=one.banned_subtypes,
        restricted=named("restricted"),
        points=charged("points"),
        point_limit=one.point_limit,
        universal_influence=charged("universal_influence"),
        global_penalty=charged("global_penalty"),
    )


# Autocomplete card titles.


MOST_COMPLETIONS = 10
MOST_LETTERS = 80
MOST_WORDS = 8


@dataclass(frozen=True)
class CardCompletion:
    """A suggested card; `faction` is a name, or empty if the game has no factions."""

    title: str
    side: str
    type: str
    faction: str
    url: str


@dataclass(frozen=True)
class _CompletionEntry:
    """A card with its folded spellings, each with a leading space."""

    card: CardCompletion
    spellings: tuple[str, ...]


class CardCompleter:
    """Autocomplete for the titles of a game, built once from all its cards."""

    def __init__(self, cards: Iterable[tuple[CardCompletion, Iterable[str]]]) -> None:
        """`cards` are (card, spellings starting with the title) pairs, sorted by title."""
        self._entries = [
            _CompletionEntry(card, tuple(f" {folded_title(spelling)}" for spelling in spellings))
            for card, spellings in cards
        ]

    def matching(self, typed: str, *, side: str = "") -> list[CardCompletion]:
        """Return up to ten cards: title prefixes, then word prefixes, then substrings.

        Case, accents and punctuation are ignored. Within a rank, cards are in title order. Empty
        input returns an empty list.
        """
        folded = folded_title(typed[:MOST_LETTERS])
        if not folded:
            return []
        found = self._ranked(folded, side)
        return [
            entry.card
            for _, _, entry in nsmallest(MOST_COMPLETIONS, found, key=lambda one: one[:2])
        ]

    def _ranked(self, folded: str, side: str) -> Iterator[tuple[int, int, _CompletionEntry]]:
        words = folded.split()[:MOST_WORDS]
        for place, entry in enumerate(self._entries):
            if side and entry.card.side != side:
                continue
            ranks = [_rank(spelling, folded, words) for spelling in entry.spellings]
            if (best := min(ranks)) < _NOT_FOUND:
                yield best, place, entry


_NOT_FOUND = 3


def _rank(spelling: str, folded: str, words: list[str]) -> int:
    """0: prefix of the spelling; 1: prefixes of its words; 2: substrings; 3: no match."""
    if not all(word in spelling for word in words):
        return _NOT_FOUND
    if spelling.startswith(f" {folded}"):
        return 0
    return 1 if all(f" {word}" in spelling for word in words) else 2
