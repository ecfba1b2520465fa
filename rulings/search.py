"""Full-text search for rulings on both databases, best match first."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet

from rulings.models import Ruling, RulingKind
from rulings.words import Term, loosened, terms_of

# A piece of SQL and its parameters.
Sql: TypeAlias = tuple[str, tuple[Any, ...]]
# Key of a ruling, and its rank group: errata of a named card, its other rulings, the rest.
Match: TypeAlias = tuple[int, int]
MOST_HITS = 1000
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
NAMED = (
    "CASE WHEN ruling.card_id NOT IN ({keys}) OR ruling.card_id IS NULL THEN 2"
    " WHEN ruling.kind = %s THEN 0 ELSE 1 END"
)
# Returns one row for each term of a ruling.
SQLITE_HAS = "SELECT rowid AS id FROM rulings_words WHERE rulings_words MATCH %s"
POSTGRES_HAS = (
    "SELECT ruling_id AS id FROM rulings_searchentry WHERE words @@ to_tsquery('rulings_words', %s)"
)


class Reach(StrEnum):
    """Match level: all words, all words as prefixes, or any word."""

    EXACT = "exact"
    BEGINNINGS = "beginnings"
    ANY = "any"


@dataclass(frozen=True)
class Found:
    """Keys of rulings, best first, and the match level.

    The first `full` keys match at that level. The rest are partial matches, with words that only
    start with the typed text.
    """

    ids: list[int]
    reach: Reach = Reach.EXACT
    full: int = 0


def search(typed: str, among: QuerySet[Ruling] | None = None, named: Collection[int] = ()) -> Found:
    """Search the current text of rulings. Accepts any input.

    Rulings with all terms come first, then those with all terms as prefixes. If there are none,
    rulings with any of the terms, most matches first. `among` limits the result. `named` are
    primary keys of cards whose rulings rank first within the same match level.
    """
    terms = terms_of(typed)
    if not terms:
        return Found([])
    narrowed, begun = _narrowed(among), loosened(terms)
    exact = _ids(_matches(terms, narrowed, named, all_of=True))
    partial = _matches(begun, narrowed, named, all_of=True)
    if exact:
        kept = set(exact)
        below = [pk for pk in _ids(partial) if pk not in kept]
        return Found([*exact, *below][:MOST_HITS], Reach.EXACT, len(exact))
    reach, matches = Reach.BEGINNINGS, partial
    if not matches:
        reach, matches = Reach.ANY, _matches(begun, narrowed, named, all_of=False)
    ids = _ids(_fullest_first(matches, terms, begun))
    return Found(ids, reach, len(ids))


def _ids(matches: Iterable[Match]) -> list[int]:
    return [pk for pk, _ in matches]


def _fullest_first(
    matches: list[Match], terms: Sequence[Term], begun: Sequence[Term]
) -> list[Match]:
    """Sort by named card first, then by the number of matching terms, whole words first."""
    if not matches:
        return []
    beginnings, whole = _terms_had(begun), _terms_had(terms)
    return sorted(matches, key=lambda one: (one[1], -beginnings[one[0]], -whole[one[0]]))


def _terms_had(terms: Sequence[Term]) -> Counter[int]:
    has, expression = {
        "sqlite": (SQLITE_HAS, fts5_expression),
        "postgresql": (POSTGRES_HAS, tsquery_expression),
    }[connection.vendor]
    every = " UNION ALL ".join([has] * len(terms))
    with connection.cursor() as cursor:
        cursor.execute(every, [expression([term], all_of=True) for term in terms])
        return Counter(ruling_id for (ruling_id,) in cursor.fetchall())


def _narrowed(among: QuerySet[Ruling] | None) -> Sql:
    if among is None:
        return "", ()
    keys = list(among.order_by().values_list("pk", flat=True))
    if connection.vendor == "sqlite":
        return "AND ruling.id IN (SELECT value FROM json_each(%s))", (json.dumps(keys),)
    return "AND ruling.id = ANY(%s)", (keys,)


def _named_first(named: Collection[int]) -> Sql:
    if not named:
        return "2", ()
    keys = ", ".join(["%s"] * len(named))
    return NAMED.format(keys=keys), (*named, RulingKind.ERRATA.value)


def _matches(
    terms: Sequence[Term], narrowed: Sql, named: Collection[int], *, all_of: bool
) -> list[Match]:
    query, expression = {
        "sqlite": (SQLITE_QUERY, fts5_expression),
        "postgresql": (POSTGRES_QUERY, tsquery_expression),
    }[connection.vendor]
    first, keys = _named_first(named)
    sql = query.format(among=narrowed[0], named=first)
    with connection.cursor() as cursor:
        asked = expression(terms, all_of=all_of)
        cursor.execute(sql, [*keys, asked, *narrowed[1], MOST_HITS])
        return [(ruling_id, group) for ruling_id, group in cursor.fetchall()]


def fts5_expression(terms: Sequence[Term], *, all_of: bool) -> str:
    """Build the FTS5 expression. Needs no escaping: words contain only letters and digits."""

    def phrase(term: Term) -> str:
        return f'"{" ".join(term.words)}"' + ("*" if term.starts else "")

    return _joined(terms, phrase, " AND " if all_of else " OR ")


def tsquery_expression(terms: Sequence[Term], *, all_of: bool) -> str:
    """Build the to_tsquery expression. Needs no escaping: words contain only letters and digits."""

    def phrase(term: Term) -> str:
        quoted = [f"'{word}'" for word in term.words]
        quoted[-1] += ":*" if term.starts else ""
        return f"({' <-> '.join(quoted)})"

    return _joined(terms, phrase, " & " if all_of else " | ")


def _joined(terms: Sequence[Term], phrase: Callable[[Term], str], joint: str) -> str:
    return joint.join(phrase(term) for term in terms)
