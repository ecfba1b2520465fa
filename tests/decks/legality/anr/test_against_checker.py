"""Construction rules: the product agrees with the independent checker."""

from functools import cache

import pytest
from hypothesis import Phase, find, given, settings

from decks.legality import anr_construction
from decks.legality.records import Breach, agenda_points_of
from tests.checker import decks as checker
from tests.decks.legality.anr.construction_codes import all_breaches
from tests.decks.legality.anr.random_decks import (
    Document,
    deck_documents,
    deck_of,
    restriction_of,
    rows,
)

ENOUGH = settings(max_examples=20_000, phases=[Phase.generate], derandomize=True, database=None)


@given(document=deck_documents())
@settings(max_examples=120)
def test_product_and_checker_agree_on_random_decks(document):
    assert product_verdict(document) == checker.judge(document)


@pytest.mark.slow
@given(document=deck_documents())
@settings(max_examples=20_000)
def test_product_and_checker_agree_on_many_random_decks(document):
    assert product_verdict(document) == checker.judge(document)


def product_verdict(document: Document) -> Document:
    """The product's verdict in the format of the checker."""
    deck, restriction = deck_of(document), restriction_of(document)
    band = anr_construction.deck_points_band(deck)
    return {
        "complaints": sorted(complaint(breach) for breach in all_breaches(deck, restriction)),
        "size": deck.size,
        "points": agenda_points_of(deck.slots),
        "band": list(band) if band else None,
        "spent": anr_construction.influence_spent(deck, restriction),
        "limit": anr_construction.influence_limit(deck, restriction),
    }


def complaint(breach: Breach) -> tuple[str, str]:
    """The code and the title concerned, or the faction for several agendas."""
    if breach.code == "agenda_faction" and breach.card is None:
        return breach.code, str(row_of(breach.concerns[0])["faction"])
    return breach.code, str(row_of(breach.card)["stripped_title"]) if breach.card else ""


def row_of(title: str) -> Document:
    return _rows_by_title()[title]


@cache
def _rows_by_title() -> dict[str, Document]:
    return {row["title"]: row for row in rows()}


CODES = (
    *("agenda_faction", "agenda_points", "deck_size", "forbidden_faction", "influence", "legal"),
    *("singleton", "too_many_copies", "wrong_side"),
)


@pytest.mark.parametrize("code", CODES)
def test_random_decks_break_every_rule_and_some_are_legal(code: str):
    def is_seen(document: Document) -> bool:
        codes = {code for code, _ in checker.judge(document)["complaints"]}
        return code in (codes or {"legal"})

    # Raises NoSuchExample: then this rule would be compared with nothing.
    assert is_seen(find(deck_documents(), is_seen, settings=ENOUGH))
