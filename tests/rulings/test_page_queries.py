"""The number of queries of a page does not depend on the number of rulings."""

from dataclasses import replace

import pytest

from rulings import importer
from tests import queries
from tests.rulings.builders import digest_of, page


def digest_with(extra):
    """The small list with N more rulings on a topic, and N on a card."""
    small_digest = digest_of()
    subjects = [
        (code, section, subject, number)
        for number in range(20, 20 + extra)
        for code, section, subject in (
            ("tracing", "general", "Tracing"),
            ("ball-and-chain", "corp", "Ball and Chain"),
        )
    ]
    extra_rulings = [
        replace(
            small_digest[0],
            code=f"{code}-{number}",
            number=len(small_digest) + number_,
            section=section,
            subject=subject,
            text=f"Bits, and more bits {number}.",
            mentions=("Ball and Chain", "Dropp", "Tracing"),
            see_also=("Dr. Dreff", "Public Looks"),
        )
        for number_, (code, section, subject, number) in enumerate(subjects, start=1)
    ]
    return [*small_digest, *extra_rulings]


def queries_of(client, url):
    page(client, url)  # Data cached in the process is read once.
    return queries.queries_of(page, client, url)


PAGES = (
    *("/rulings/", "/rulings/card/ball-and-chain/", "/rulings/subject/tracing/"),
    *("/rulings/tracing-1/", "/rulings/search/?q=bits", "/rulings/search/?q=bitz"),
    *("/rulings/search/?card=Dropp&authority=Sparky", "/rulings/pick/?q=bits"),
)


def test_queries_do_not_grow_with_the_rulings(cards, client):
    importer.load_digest(digest_with(1))
    few_queries = {url: queries_of(client, url) for url in PAGES}

    importer.load_digest(digest_with(12))

    assert {url: queries_of(client, url) for url in PAGES} == few_queries
    assert max(few_queries.values()) <= 29


BOOKLETS = ("/rulings/booklet/onr/", "/rulings/booklet/onr/?wording=original")


@pytest.mark.parametrize(("booklet", "other_booklet"), [BOOKLETS, BOOKLETS[::-1]])
def test_booklet_is_cached_and_its_queries_do_not_grow(cards, client, booklet, other_booklet):
    importer.load_digest(digest_with(1))
    page(client, other_booklet)  # Data cached in the process is read once.
    few_queries = queries.queries_of(page, client, booklet)
    cached_queries = queries.queries_of(page, client, booklet)

    importer.load_digest(digest_with(12))

    assert queries.queries_of(page, client, booklet) == few_queries <= 29
    assert queries.queries_of(page, client, booklet) == cached_queries < few_queries
    assert "Bits, and more bits 31." in page(client, booklet)
