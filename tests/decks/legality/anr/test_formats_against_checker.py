"""Pools and ban lists: the product agrees with the independent checker."""

import pytest
from hypothesis import Phase, find, given, settings

from decks.legality import anr_formats
from tests.checker import deck_formats, decks
from tests.decks.legality.anr.random_decks import Document, deck_of
from tests.decks.legality.anr.random_formats import pinned_documents, snapshot_facts
from tests.decks.legality.anr.test_against_checker import complaint

ENOUGH = settings(max_examples=20_000, phases=[Phase.generate], derandomize=True, database=None)


@given(document=pinned_documents())
@settings(max_examples=100)
def test_product_and_checker_agree_under_any_snapshot(document):
    assert product_verdict(document) == deck_formats.judge_by_format(document)


@pytest.mark.slow
@given(document=pinned_documents())
@settings(max_examples=20_000)
def test_product_and_checker_agree_on_many_decks_under_any_snapshot(document):
    assert product_verdict(document) == deck_formats.judge_by_format(document)


def product_verdict(document: Document) -> list[decks.Complaint]:
    snapshot = snapshot_facts()[document["snapshot"]["id"]]
    return sorted(
        complaint(breach) for breach in anr_formats.snapshot_breaches(deck_of(document), snapshot)
    )


CODES = (
    *("banned_card", "banned_subtype", "big_agendas", "legal", "not_in_pool", "points"),
    *("restricted", "too_many_for_the_box"),
)


@pytest.mark.parametrize("code", CODES)
def test_random_decks_break_every_rule_of_a_format_and_some_are_legal(code: str):
    def is_seen(document: Document) -> bool:
        codes = {code for code, _ in deck_formats.judge_by_format(document)}
        return code in (codes or {"legal"})

    # Raises NoSuchExample: then this rule would be compared with nothing.
    assert is_seen(find(pinned_documents(), is_seen, settings=ENOUGH))
