"""Find rulings by words, best first, with the full-text index of either database."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet

from rulings.models import Ruling, RulingKind
from rulings.words import Term, loosened, terms_of

Sql: TypeAlias = tuple[str, tuple[Any, ...]]
"""A piece of SQL and its parameters."""
MOST_HITS = 1000
# A word counts by where it stands: in the heading, in our text, in the original and the names.
# Before that go errata of a card that is named, and what else is said about it.
SQLITE_QUERY = """
    SELECT ruling.id FROM rulings_words CROSS JOIN rulings_ruling AS ruling
    WHERE rulings_words MATCH %s AND ruling.id = rulings_words.rowid {among}
    ORDER BY {named} bm25(rulings_words, 10.0, 4.0, 1.0), ruling.id LIMIT %s
"""
POSTGRES_QUERY = """
    SELECT ruling.id FROM to_tsquery('rulings_words', %s) AS asked
    JOIN rulings_searchentry AS entry ON entry.words @@ asked
    JOIN rulings_ruling AS ruling ON ruling.id = entry.ruling_id {among}
    ORDER BY {named} ts_rank('{{0.0, 0.1, 0.4, 1.0}}', words, asked, 1) DESC, ruling.id LIMIT %s
"""
NAMED = (
    "CASE WHEN ruling.card_id NOT IN ({keys}) OR ruling.card_id IS NULL THEN 2"
    " WHEN ruling.kind = %s THEN 0 ELSE 1 END,"
)


class Reach(StrEnum):
    """How far the search had to go: all words, their beginnings, or any of them."""

    EXACT = "exact"
    BEGINNINGS = "beginnings"
    ANY = "any"


@dataclass(frozen=True)
class Found:
    """Keys of rulings, best first, and how they were reached."""

    ids: list[int]
    reach: Reach = Reach.EXACT


def search(typed: str, among: QuerySet[Ruling] | None = None, named: Collection[int] = ()) -> Found:
    """Rulings in whose current words the text is found; never an error, whatever is typed.

    First every term must be there, then every one at least as the beginning
    of a word, at last any of them: an empty page helps nobody at a table.
    `among` keeps these rulings only; `named` are primary keys of cards whose rulings go first.
    """
    terms = terms_of(typed)
    if not terms:
        return Found([])
    narrowed = _narrowed(among)
    for reach, asked, all_of in (
        (Reach.EXACT, terms, True),
        (Reach.BEGINNINGS, loosened(terms), True),
        (Reach.ANY, loosened(terms), False),
    ):
        if ids := _matching_ids(asked, narrowed, named, all_of=all_of):
            return Found(ids, reach)
    return Found([])


def _narrowed(among: QuerySet[Ruling] | None) -> Sql:
    """The keys that are allowed, as a condition in SQL."""
    if among is None:
        return "", ()
    keys = list(among.order_by().values_list("pk", flat=True))
    if connection.vendor == "sqlite":
        return "AND ruling.id IN (SELECT value FROM json_each(%s))", (json.dumps(keys),)
    return "AND ruling.id = ANY(%s)", (keys,)


def _named_first(named: Collection[int]) -> Sql:
    if not named:
        return "", ()
    keys = ", ".join(["%s"] * len(named))
    return NAMED.format(keys=keys), (*named, RulingKind.ERRATA.value)


def _matching_ids(
    terms: Sequence[Term], narrowed: Sql, named: Collection[int], *, all_of: bool
) -> list[int]:
    query, expression = {
        "sqlite": (SQLITE_QUERY, fts5_expression),
        "postgresql": (POSTGRES_QUERY, tsquery_expression),
    }[connection.vendor]
    first, keys = _named_first(named)
    sql = query.format(among=narrowed[0], named=first)
    with connection.cursor() as cursor:
        asked = expression(terms, all_of=all_of)
        cursor.execute(sql, [asked, *narrowed[1], *keys, MOST_HITS])
        return [ruling_id for (ruling_id,) in cursor.fetchall()]


def fts5_expression(terms: Sequence[Term], *, all_of: bool) -> str:
    """The terms in the language of FTS5. Words hold letters and digits only."""

    def phrase(term: Term) -> str:
        return f'"{" ".join(term.words)}"' + ("*" if term.starts else "")

    return _joined(terms, phrase, " AND " if all_of else " OR ")


def tsquery_expression(terms: Sequence[Term], *, all_of: bool) -> str:
    """The terms in the language of to_tsquery. Words hold letters and digits only."""

    def phrase(term: Term) -> str:
        quoted = [f"'{word}'" for word in term.words]
        quoted[-1] += ":*" if term.starts else ""
        return f"({' <-> '.join(quoted)})"

    return _joined(terms, phrase, " & " if all_of else " | ")


def _joined(terms: Sequence[Term], phrase: Callable[[Term], str], joint: str) -> str:
    return joint.join(phrase(term) for term in terms)
