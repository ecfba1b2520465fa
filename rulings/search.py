"""Full-text search for rulings on both databases, best match first."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from core.text import comparison_key
from decks import games
from decks.catalogue import card_table
from decks.legality.card_tables import CardTable
from decks.models import Card, CardAlias
from rulings.models import (
    Citation,
    DocumentKind,
    Ruling,
    RulingKind,
    RulingLink,
    RulingVersion,
    SearchEntry,
)
from rulings.queries import in_force_on, published_rulings, rulings_in_order, rulings_stamp
from rulings.words import CardTitles, SearchTerm, Vocabulary, folded_words, prefix_terms, terms_of

# A piece of SQL and its parameters.
SqlPiece: TypeAlias = tuple[str, tuple[Any, ...]]
# Key of a ruling, and its rank group: errata of a named card, its other rulings, the rest.
RankedRuling: TypeAlias = tuple[int, int]
MAX_HITS = 1000
# Words are weighted by column: heading, our text, original wording and names. Errata of a named
# card rank first, then its other rulings.
SQLITE_QUERY = """
    SELECT ruling.id, {named} FROM rulings_words CROSS JOIN rulings_ruling AS ruling
    WHERE rulings_words MATCH %s AND ruling.id = rulings_words.rowid {among}
    ORDER BY 2, bm25(rulings_words, 10.0, 4.0, 1.0), ruling.id LIMIT %s
"""
POSTGRES_QUERY = """
    SELECT ruling.id, {named} FROM to_tsquery('rulings_words', %s) AS asked
    JOIN rulings_searchentry AS entry ON entry.words @@ asked
    JOIN rulings_ruling AS ruling ON ruling.id = entry.ruling_id {among}
    ORDER BY 2, ts_rank('{{0.0, 0.1, 0.4, 1.0}}', words, asked, 1) DESC, ruling.id LIMIT %s
"""
RANK_EXPRESSION = (
    "CASE WHEN ruling.card_id NOT IN ({keys}) OR ruling.card_id IS NULL THEN 2"
    " WHEN ruling.kind = %s THEN 0 ELSE 1 END"
)
# Returns one row for each term of a ruling.
SQLITE_HAS = "SELECT rowid AS id FROM rulings_words WHERE rulings_words MATCH %s"
POSTGRES_HAS = (
    "SELECT ruling_id AS id FROM rulings_searchentry WHERE words @@ to_tsquery('rulings_words', %s)"
)


class SearchReach(StrEnum):
    """Match level: all words, all words as prefixes, or any word."""

    EXACT = "exact"
    BEGINNINGS = "beginnings"
    ANY = "any"


@dataclass(frozen=True)
class SearchHits:
    """Keys of rulings, best first, and the match level.

    The first `full` keys match at that level. The rest are partial matches, with words that only
    start with the typed text.
    """

    ids: list[int]
    reach: SearchReach = SearchReach.EXACT
    full: int = 0


def search_rulings(
    typed: str, among: QuerySet[Ruling] | None = None, named: Collection[int] = ()
) -> SearchHits:
    """Search the current text of rulings. Accepts any input.

    Rulings with all terms come first, then those with all terms as prefixes. If there are none,
    rulings with any of the terms, most matches first. `among` limits the result. `named` are
    primary keys of cards whose rulings rank first within the same match level.
    """
    terms = terms_of(typed)
    if not terms:
        return SearchHits([])
    narrowed, begun = _among_sql(among), prefix_terms(terms)
    exact = [pk for pk, _ in _ranked_matches(terms, narrowed, named, all_of=True)]
    partial = _ranked_matches(begun, narrowed, named, all_of=True)
    if exact:
        whole = set(exact)
        below = [pk for pk, _ in partial if pk not in whole]
        return SearchHits([*exact, *below][:MAX_HITS], SearchReach.EXACT, len(exact))
    reach, matches = SearchReach.BEGINNINGS, partial
    if not matches:
        reach, matches = SearchReach.ANY, _ranked_matches(begun, narrowed, named, all_of=False)
    ids = [pk for pk, _ in _by_matching_terms(matches, terms, begun)]
    return SearchHits(ids, reach, len(ids))


def _by_matching_terms(
    matches: list[RankedRuling], terms: Sequence[SearchTerm], begun: Sequence[SearchTerm]
) -> list[RankedRuling]:
    # Named cards first, then by the number of matching terms, whole words first.
    if not matches:
        return []
    beginnings, whole = _count_terms(begun), _count_terms(terms)
    return sorted(matches, key=lambda match: (match[1], -beginnings[match[0]], -whole[match[0]]))


def _count_terms(terms: Sequence[SearchTerm]) -> Counter[int]:
    has, expression = {
        "sqlite": (SQLITE_HAS, fts5_expression),
        "postgresql": (POSTGRES_HAS, tsquery_expression),
    }[connection.vendor]
    every = " UNION ALL ".join([has] * len(terms))
    with connection.cursor() as cursor:
        cursor.execute(every, [expression([term], all_of=True) for term in terms])
        return Counter(ruling_id for (ruling_id,) in cursor.fetchall())


def _among_sql(among: QuerySet[Ruling] | None) -> SqlPiece:
    if among is None:
        return "", ()
    keys = list(among.order_by().values_list("pk", flat=True))
    if connection.vendor == "sqlite":
        return "AND ruling.id IN (SELECT value FROM json_each(%s))", (json.dumps(keys),)
    return "AND ruling.id = ANY(%s)", (keys,)


def _ranked_matches(
    terms: Sequence[SearchTerm], narrowed: SqlPiece, named: Collection[int], *, all_of: bool
) -> list[RankedRuling]:
    query, expression = {
        "sqlite": (SQLITE_QUERY, fts5_expression),
        "postgresql": (POSTGRES_QUERY, tsquery_expression),
    }[connection.vendor]
    rank, keys = "2", list[Any]()
    if named:
        rank = RANK_EXPRESSION.format(keys=", ".join(["%s"] * len(named)))
        keys = [*named, RulingKind.ERRATA.value]
    sql = query.format(among=narrowed[0], named=rank)
    with connection.cursor() as cursor:
        words = expression(terms, all_of=all_of)
        cursor.execute(sql, [*keys, words, *narrowed[1], MAX_HITS])
        return [(ruling_id, group) for ruling_id, group in cursor.fetchall()]


def fts5_expression(terms: Sequence[SearchTerm], *, all_of: bool) -> str:
    # Needs no escaping: words contain only letters and digits.
    def phrase(term: SearchTerm) -> str:
        return f'"{" ".join(term.words)}"' + ("*" if term.starts else "")

    return (" AND " if all_of else " OR ").join(map(phrase, terms))


def tsquery_expression(terms: Sequence[SearchTerm], *, all_of: bool) -> str:
    # Needs no escaping: words contain only letters and digits.
    def phrase(term: SearchTerm) -> str:
        quoted = [f"'{word}'" for word in term.words]
        quoted[-1] += ":*" if term.starts else ""
        return f"({' <-> '.join(quoted)})"

    return (" & " if all_of else " | ").join(map(phrase, terms))


# Cards and topics by name, tolerating typos.

MAX_NAMES = 5
MAX_TOPICS = 12


@dataclass(frozen=True)
class RulingTopic:
    name: str
    url: str


def card_titles() -> CardTitles:
    # The catalogue returns the same table object until the cards of the game change.
    return _titles_of_tables(*(card_table(game.id) for game in games.with_decks()))


@lru_cache(maxsize=1)
def _titles_of_tables(*tables: CardTable) -> CardTitles:
    cards = [(card.title, card.id) for table in tables for card in table.cards]
    return CardTitles([*cards, *CardAlias.objects.values_list("alias", "card_id")])


@lru_cache(maxsize=1)
def _vocabulary_at(_stamp: str) -> Vocabulary:
    rows = SearchEntry.objects.filter(ruling__in=published_rulings()).values_list("heading", "body")
    return Vocabulary(f"{heading} {body}" for heading, body in rows)


def cards_named(typed: str, count: int = MAX_NAMES) -> list[Card]:
    """Return cards of any game with a matching, contained or misspelled title, best first."""
    keys = card_titles().nearest(typed, count)
    cards = Card.objects.in_bulk(keys)
    return [cards[key] for key in keys if key in cards]


def topics_named(typed: str) -> list[RulingTopic]:
    key = comparison_key(typed).strip(' "*')
    if not key:
        return []
    rulings = published_rulings().filter(card=None, subject_key__contains=key)
    rows = rulings.select_related("document").order_by("subject_key", "pk")
    topics = {
        ruling.subject_url: RulingTopic(ruling.subject, ruling.subject_url) for ruling in rows
    }
    return list(topics.values())[:MAX_TOPICS]


# Filters.

LIST_RELATIONS = ("versions__citations", "superseded_by__versions", "superseded_by__document")


@dataclass(frozen=True)
class RulingFilters:
    """Filters for rulings; empty values do not filter."""

    # Primary keys; a ruling must be about one of them or name it.
    cards: Collection[int] = field(default_factory=tuple)
    authority: str = ""
    # Of the citations, or of the version without citations.
    since: date | None = None
    until: date | None = None
    kind: str = ""
    game: str = ""
    document: str = ""
    # Include rulings no longer in force.
    ended: bool = False
    # Include local rulings by head judges, which otherwise require `document`.
    local: bool = False


def filter_rulings(
    filters: RulingFilters, today: date, among: QuerySet[Ruling]
) -> QuerySet[Ruling]:
    same = {
        "kind": filters.kind,
        "document__game": filters.game,
        "document__slug": filters.document,
    }
    rulings = among.filter(**{name: value for name, value in same.items() if value})
    if not filters.document and not filters.local:
        rulings = rulings.exclude(document__kind=DocumentKind.LOCAL)
    if not filters.ended:
        rulings = in_force_on(rulings, today)
    if filters.cards:
        # Uncorrelated subqueries: a correlated subquery per ruling is slow on large tables.
        links = RulingLink.objects.filter(card__in=filters.cards).values("ruling")
        citations = Citation.objects.filter(about_card__in=filters.cards).values("version__ruling")
        rulings = rulings.filter(Q(card__in=filters.cards) | Q(pk__in=links) | Q(pk__in=citations))
    if filters.authority or filters.since or filters.until:
        rulings = rulings.filter(_is_cited_within(filters))
    return rulings


def filtered_keys(rulings: QuerySet[Ruling], cards: Collection[int]) -> list[int]:
    """Return ruling keys: errata of these cards, their other rulings, then by document."""
    own = Q(card__in=list(cards))
    place = Case(
        When(own & Q(kind=RulingKind.ERRATA), then=Value(0)),
        When(own, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    ordered = rulings.order_by(place, "document", "number") if cards else rulings
    return list(ordered.values_list("pk", flat=True)[:MAX_HITS])


def rulings_for_list(ids: Iterable[int]) -> list[Ruling]:
    rulings = Ruling.objects.select_related("card", "document")
    return rulings_in_order(ids, rulings.prefetch_related(*LIST_RELATIONS))


def cited_authorities() -> list[str]:
    said = Citation.objects.filter(version__ruling__in=published_rulings())
    names = said.order_by("authority").values_list("authority", flat=True)
    return list(names.distinct())


def _is_cited_within(filters: RulingFilters) -> Q:
    days = {"gte": filters.since, "lte": filters.until}
    limits = {name: day for name, day in days.items() if day}
    dated = Citation.objects.filter(**{f"date__{name}": day for name, day in limits.items()})
    if filters.authority:
        dated = dated.filter(authority__icontains=filters.authority)
        return Q(pk__in=dated.values("version__ruling"))
    begun = RulingVersion.objects.filter(
        **{f"in_force_from__{name}": day for name, day in limits.items()}
    ).exclude(ruling__in=Citation.objects.values("version__ruling"))
    return Q(pk__in=dated.values("version__ruling")) | Q(pk__in=begun.values("ruling"))


# The search of page and API.


@dataclass(frozen=True)
class RulingSearchResult:
    found: SearchHits
    words: str
    is_corrected: bool = False


def best_matches(
    typed: str, among: QuerySet[Ruling], cards: Collection[int] = ()
) -> RulingSearchResult:
    """Search for the words; if no ruling has them all, retry with corrected spelling.

    `cards` are primary keys of cards whose rulings rank first, like those named in the text.
    """
    titles = card_titles()
    found = search_rulings(typed, among, {*cards, *titles.named_in(typed)})
    if found.ids and found.reach is not SearchReach.ANY:
        return RulingSearchResult(found, typed)
    words = titles.corrected(typed)
    if not words:
        words = _vocabulary_at(rulings_stamp()).corrected(folded_words(typed))
    meant = (
        search_rulings(words, among, {*cards, *titles.named_in(words)}) if words else SearchHits([])
    )
    if meant.ids and meant.reach is not SearchReach.ANY:
        return RulingSearchResult(meant, words, is_corrected=True)
    return RulingSearchResult(found, typed)
