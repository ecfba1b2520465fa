"""Tables of cards and formats in memory, for look-ups by the deck rules and for autocomplete.

Titles must be equal after folding; there is no fuzzy matching.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from heapq import nsmallest
from operator import itemgetter

from core.text import comparison_key
from decks.card_data.records import CardData, EntryRecord, RestrictionRecord
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
        self._by_code = {printing.code: card for card in self.cards for printing in card.printings}
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
        if card := self._by_title.get(key) or self._by_alias.get(key):
            return card
        folded = folded_title(title)
        return self._by_folded.get(folded) or self._by_bare.get(without_article(folded))

    def by_code(self, code: str) -> CardFacts | None:
        return self._by_code.get(code)

    def by_card_id(self, card_id: str) -> CardFacts | None:
        """Find an id such as "sure_gamble"; accepts "sure-gamble" and titles too."""
        return self._by_card_id.get(card_id.casefold().replace("-", "_")) or self.find(card_id)

    def nearest(self, title: str) -> tuple[str, ...]:
        """Return up to three similar titles, for suggestions only.

        Identities with this name before the colon come first, as in "Noise".
        """
        same_name = self._by_begin.get(folded_title(title), ())
        return tuple(dict.fromkeys((*same_name, *self._index.nearest(title))))[:3]

    def nearest_identities(self, title: str) -> tuple[str, ...]:
        """Return up to three identities with a similar title, short name or first word."""
        titles, index = self._identities
        spellings = index.nearest(title, count=6)
        nearest = (title for spelling in spellings for title in titles[spelling])
        return tuple(dict.fromkeys(nearest))[:3]

    def looks_like_a_card(self, words: str) -> bool:
        """Return True if the words are close enough to a title to be a typo."""
        return bool(self._index.nearest(words, count=1, at_least=0.8))

    def looks_like_an_identity(self, words: str) -> bool:
        """Return True if the words are closest to an identity, or not close to any card."""
        nearest = [self._by_title[comparison_key(title)] for title in self.nearest(words)[:1]]
        return any(card.is_identity for card in nearest) or not self.looks_like_a_card(words)

    def has_longer_title(self, words: str) -> bool:
        return self._index.has_longer_title(words)

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


# Tables from card data


CONVERTED_FIELDS = {"id", "agenda_points", "printings"}
SAME_FIELDS = sorted({field.name for field in fields(CardFacts)} - CONVERTED_FIELDS)


def build_card_table(data: CardData, ids: Mapping[str, int]) -> CardTable:
    """Build the card table; `ids` are the primary keys by title key."""
    released = {item.id: item.released_on or datetime.date.max for item in data.sets}
    printings: dict[str, list[PrintingFacts]] = defaultdict(list)
    for printing in sorted(data.printings, key=lambda item: (released[item.card_set], item.code)):
        printings[printing.card].append(
            PrintingFacts(printing.code, printing.card_set, printing.quantity)
        )
    facts = {
        card.key: CardFacts(
            id=ids[card.title_key],
            agenda_points=card.agenda_points or 0,
            printings=tuple(printings.get(card.key, ())),
            **{name: getattr(card, name) for name in SAME_FIELDS},
        )
        for card in data.cards
    }
    return CardTable(facts.values(), [(alias.alias, facts[alias.card]) for alias in data.aliases])


def build_format_table(data: CardData) -> FormatTable:
    """Build the formats with their snapshots in chronological order."""
    pools = {pool.id: PoolFacts(pool.id, pool.name, pool.sets) for pool in data.pools}
    lists = {record.id: restriction_facts(record) for record in data.restrictions}
    snapshots: dict[str, list[SnapshotFacts]] = defaultdict(list)
    # Sources append some snapshots after later ones, so sort by date before position.
    for record in sorted(data.snapshots, key=lambda item: (item.effective_from, item.position)):
        snapshots[record.format].append(
            SnapshotFacts(
                record.id,
                record.effective_from,
                pools[record.pool],
                lists.get(record.restriction),
                record.format,
            )
        )
    formats = sorted(data.formats, key=lambda format_: (format_.position, format_.name))
    return FormatTable(
        (FormatFacts(item.id, item.name, tuple(snapshots[item.id])) for item in formats),
        data.source_date,
    )


def restriction_facts(record: RestrictionRecord) -> RestrictionFacts:
    entries: dict[str, list[EntryRecord]] = defaultdict(list)
    for entry in record.entries:
        entries[entry.kind].append(entry)

    def cards_of(kind: str) -> frozenset[str]:
        return frozenset(entry.card for entry in entries[kind])

    def values_of(kind: str) -> dict[str, int]:
        ordered = sorted(entries[kind], key=lambda entry: entry.card)
        return {entry.card: entry.value for entry in ordered if entry.value is not None}

    return RestrictionFacts(
        id=record.id,
        name=record.name,
        effective_from=record.effective_from,
        banned=cards_of("banned"),
        banned_subtypes=record.banned_subtypes,
        restricted=cards_of("restricted"),
        points=values_of("points"),
        point_limit=record.point_limit,
        universal_influence=values_of("universal_influence"),
        global_penalty=values_of("global_penalty"),
    )


# Autocomplete


MAX_COMPLETIONS = 10
MAX_LETTERS = 80
MAX_WORDS = 8


@dataclass(frozen=True)
class CardCompletion:
    title: str
    side: str
    type: str
    # A name; empty if the game has no factions.
    faction: str
    url: str


class CardCompleter:
    """Autocomplete for the titles of a game, built once from all its cards."""

    def __init__(self, cards: Iterable[tuple[CardCompletion, Iterable[str]]]) -> None:
        """`cards` are (card, spellings starting with the title) pairs, sorted by title."""
        # The folded spellings have a leading space, so that " word" finds the start of a word.
        self._entries = [
            (card, tuple(f" {folded_title(spelling)}" for spelling in spellings))
            for card, spellings in cards
        ]

    def matching(self, typed: str, *, side: str = "") -> list[CardCompletion]:
        """Return up to ten cards: title prefixes, then word prefixes, then substrings.

        Case, accents and punctuation are ignored. Within a rank, cards are in title order. Empty
        input returns an empty list.
        """
        folded = folded_title(typed[:MAX_LETTERS])
        if not folded:
            return []
        words = folded.split()[:MAX_WORDS]
        ranked = []
        for place, (card, spellings) in enumerate(self._entries):
            if not side or card.side == side:
                rank = min(_match_rank(spelling, folded, words) for spelling in spellings)
                if rank < _NOT_FOUND:
                    ranked.append((rank, place, card))
        return [card for *_, card in nsmallest(MAX_COMPLETIONS, ranked, key=itemgetter(0, 1))]


_NOT_FOUND = 3


def _match_rank(spelling: str, folded: str, words: list[str]) -> int:
    """0: prefix of the spelling; 1: prefixes of its words; 2: substrings; 3: no match."""
    if not all(word in spelling for word in words):
        return _NOT_FOUND
    if spelling.startswith(f" {folded}"):
        return 0
    return 1 if all(f" {word}" in spelling for word in words) else 2
