"""Find rulings by words, best first, with the full-text index of either database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import connection

from rulings.words import Term, loosened, terms_of

MOST_HITS = 1000
# How much a word counts in the heading, in our text, in the original wording and the names.
SQLITE_QUERY = (
    "SELECT rowid FROM rulings_words WHERE rulings_words MATCH %s"
    " ORDER BY bm25(rulings_words, 10.0, 4.0, 1.0), rowid LIMIT %s"
)
POSTGRES_QUERY = (
    "SELECT ruling_id FROM rulings_searchentry, to_tsquery('rulings_words', %s) AS asked"
    " WHERE words @@ asked"
    " ORDER BY ts_rank('{0.0, 0.1, 0.4, 1.0}', words, asked, 1) DESC, ruling_id LIMIT %s"
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


def search(typed: str) -> Found:
    """Rulings in whose current words the text is found; never an error, whatever is typed.

    First every term must be there, then every one at least as the beginning
    of a word, at last any of them: an empty page helps nobody at a table.
    """
    terms = terms_of(typed)
    if not terms:
        return Found([])
    for reach, asked, all_of in (
        (Reach.EXACT, terms, True),
        (Reach.BEGINNINGS, loosened(terms), True),
        (Reach.ANY, loosened(terms), False),
    ):
        if ids := _matching_ids(asked, all_of=all_of):
            return Found(ids, reach)
    return Found([])


def _matching_ids(terms: Sequence[Term], *, all_of: bool) -> list[int]:
    sql, expression = {
        "sqlite": (SQLITE_QUERY, fts5_expression),
        "postgresql": (POSTGRES_QUERY, tsquery_expression),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(sql, [expression(terms, all_of=all_of), MOST_HITS])
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
