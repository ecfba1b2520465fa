"""The number of queries of a page does not depend on the number of rulings."""

from dataclasses import replace

import pytest

from rulings import importer
from tests import queries
from tests.rulings.builders import digest_of, page


def digest_with(extra):
    """Return the small list with N more rulings on a topic, and N on a card."""
    mine = digest_of()
    places = [
        (code, section, subject, number)
        for number in range(20, 20 + extra)
        for code, section, subject in (
            ("tracing", "general", "Tracing"),
            ("ball-and-chain", "corp", "Ball and Chain"),
        )
    ]
    more = [
        replace(
            mine[0],
            code=f"{code}-{number}",
            number=len(mine) + place,
            section=section,
            subject=subject,
            text=f"Bits, and more bits {number}.",
            mentions=("Ball and Chain", "Dropp", "Tracing"),
            see_also=("Dr. Dreff", "Public Looks"),
        )
        for place, (code, section, subject, number) in enumerate(places, start=1)
    ]
    return [*mine, *more]


def queries_of(client, url):
    page(client, url)  # What is kept in the process is read once.
    return queries.queries_of(page, client, url)


PAGES = (
    *("/rulings/", "/rulings/card/ball-and-chain/", "/rulings/subject/tracing/"),
    *("/rulings/tracing-1/", "/rulings/search/?q=bits", "/rulings/search/?q=bitz"),
    *("/rulings/search/?card=Dropp&authority=Sparky", "/rulings/pick/?q=bits"),
)


def test_queries_do_not_grow_with_the_rulings(cards, client):
    importer.load_digest(digest_with(1))
    few = {url: queries_of(client, url) for url in PAGES}

    importer.load_digest(digest_with(12))

    assert {url: queries_of(client, url) for url in PAGES} == few
    assert max(few.values()) <= 29


BOOKLETS = ("/rulings/booklet/onr/", "/rulings/booklet/onr/?wording=original")


@pytest.mark.parametrize(("booklet", "other"), [BOOKLETS, BOOKLETS[::-1]])
def test_booklet_queries_do_not_grow_and_it_is_cached(cards, client, booklet, other):
    importer.load_digest(digest_with(1))
    page(client, other)  # What is kept in the process is read once.
    few = queries.queries_of(page, client, booklet)
    again = queries.queries_of(page, client, booklet)

    importer.load_digest(digest_with(12))

    assert queries.queries_of(page, client, booklet) == few <= 29
    assert queries.queries_of(page, client, booklet) == again < few
    assert "Bits, and more bits 31." in page(client, booklet)
