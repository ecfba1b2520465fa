"""Pages as of a day, comparisons, short addresses, and ended rulings."""

from datetime import date

import pytest
import time_machine
from django.utils import timezone

from decks.models import Card
from rulings import services
from rulings.models import Ruling, RulingDocument, RulingVersion
from rulings.parsing.records import RulingSource
from tests.rulings import builders
from tests.rulings.builders import write
from tests.rulings.importing.builders import load
from tests.rulings.test_page_queries import queries_of

LATER = date(1999, 5, 4)
NEW = "A trace with no bits in it always fails."
BEFORE, BETWEEN, AFTER = "1996-01-01", "1997-05-12", "2001-01-01"


def page(client, url, status=200):
    return " ".join(builders.page(client, url, status).split())


@pytest.fixture
def changed(small):
    """tracing-1 has a second version, in force from 4 May 1999."""
    ruling = Ruling.objects.get(code="tracing-1")
    said = [RulingSource("Tom Wylie", venue="Rules team", date=LATER)]
    write(ruling, NEW, sources=said, in_force_from=LATER, reason="The rules team decided anew.")
    return ruling


@pytest.fixture
def superseded(small):
    """tracing-2 is superseded from 4 May 1999."""
    old = Ruling.objects.get(code="tracing-2")
    with time_machine.travel(LATER):
        new = services.create_local_ruling(
            RulingDocument.objects.get(), subject="Tracing", text="Only the Runner may count bits."
        )
    services.set_superseded(new, [old])
    return old, new


@pytest.mark.parametrize("url", ["/rulings/tracing-1/", "/rulings/subject/tracing/"])
def test_a_page_shows_the_words_of_the_day(changed, client, url):
    old = page(client, f"{url}?as_of={BETWEEN}")
    new = page(client, f"{url}?as_of={AFTER}")

    assert "can be successful" in old
    assert NEW not in old
    assert "As in force on" in old
    assert '<time datetime="1997-05-12">12 May 1997</time>' in old
    assert f'href="{url}">Back to today</a>' in old
    assert NEW in new
    assert NEW in page(client, url)


def test_ruling_before_its_first_day_is_explained(changed, client):
    html = page(client, f"/rulings/tracing-1/?as_of={BEFORE}")

    assert "Not yet in force on 1 January 1996" in html
    assert '<time datetime="1996-04-24">24 April 1996</time>' in html


def test_lists_have_no_later_rulings(changed, client):
    assert "There was no ruling on this yet" in page(client, f"/rulings/subject/tracing/?as_of={BEFORE}")
    assert "Nothing was in force that day." in page(client, f"/rulings/?as_of={BEFORE}")
    html = page(client, f"/rulings/documents/netrunner-rulings-v1-62/?as_of={BEFORE}")
    assert "Nothing on this page was in force that day." in html
    assert "No ruling on this card" in page(client, f"/rulings/card/dropp/?as_of={BEFORE}")
    assert "All subroutines break" in page(client, f"/rulings/card/dropp/?as_of={BETWEEN}")


def test_links_keep_the_day(changed, client):
    html = page(client, f"/rulings/?as_of={BETWEEN}")

    assert f'href="/rulings/subject/tracing/?as_of={BETWEEN}"' in html
    assert f"/rulings/card/dropp/?as_of={BETWEEN}" in page(
        client, f"/rulings/card/ball-and-chain/?as_of={BETWEEN}"
    ) or f'href="/rulings/dropp-1/?as_of={BETWEEN}"' in page(
        client, f"/rulings/card/ball-and-chain/?as_of={BETWEEN}"
    )


def test_links_keep_day_and_kind(changed, client):
    html = page(client, f"/rulings/?kind=errata&as_of={BETWEEN}")

    assert '<input type="hidden" name="kind" value="errata">' in html
    assert "?kind=cross-reference&amp;as_of=1997-05-12" in html


@pytest.mark.parametrize(
    "typed", ["yesterday", "1997-13-01", "1997-02-30", "12.5.1997", "<b>", "19970512", "0000-00-00"]
)
@pytest.mark.parametrize("url", ["/rulings/", "/rulings/tracing-1/", "/rulings/card/dropp/"])
def test_invalid_day_is_explained(small, client, url, typed):
    response = client.get(url, {"as_of": typed})
    html = response.content.decode()

    assert response.status_code == 200
    assert "is not a day. Write year, month and day, such as 1997-05-12." in html
    assert "<b>" not in html


def test_superseded_ruling_names_its_successor_and_day(superseded, client):
    old, new = superseded

    html = page(client, old.get_absolute_url())

    assert 'No longer in force since <time datetime="1999-05-04">4 May 1999</time>' in html
    assert (
        f'Superseded by <a href="{new.get_absolute_url()}"><code>{new.short_code}</code></a>'
        in html
    )
    assert f'Supersedes <a href="{old.get_absolute_url()}"><code>R-0002</code></a>' in page(
        client, new.get_absolute_url()
    )
    assert "No longer in force" not in page(client, f"{old.get_absolute_url()}?as_of={BETWEEN}")
    listed = page(client, "/rulings/subject/tracing/")
    assert "Superseded</span>" in listed
    assert listed.index(new.short_code) < listed.index("Superseded</span>")


def test_withdrawn_ruling_is_marked(small, client):
    services.withdraw_ruling(Ruling.objects.get(code="dropp-1"), LATER)

    html = page(client, "/rulings/dropp-1/")

    assert 'Withdrawn on <time datetime="1999-05-04">4 May 1999</time>' in html
    assert "Withdrawn</span>" in page(client, "/rulings/card/dropp/")
    assert "Withdrawn on" not in page(client, f"/rulings/dropp-1/?as_of={BETWEEN}")


def test_reversal_of_an_unlisted_decision_is_described(small, client):
    Ruling.objects.filter(code="dropp-1").update(overturned="an answer of the FAQ")

    assert "Reverses an answer of the FAQ." in page(client, "/rulings/dropp-1/")


def test_cross_reference_shows_the_rulings_it_refers_to(small, client):
    html = page(client, "/rulings/dr-dreff-1/")

    assert "Where it leads" in html
    assert "Read the card as: the Runner pays twice." in html
    assert "Where it leads" not in page(client, "/rulings/dropp-1/")


def test_two_versions_are_compared(changed, client):
    html = page(client, "/rulings/tracing-1/changes/?from=1&to=2")

    assert 'deleted: </span>can be successful<span class="visually-hidden"> end' in html
    assert 'inserted: </span>always fails<span class="visually-hidden"> end' in html
    assert "Why: The rules team decided anew." in html
    assert "<del><span" in html
    assert "Marc Schmalz (Sparky), Netrunner-L, 24 April 1996" in html
    assert "Tom Wylie, Rules team, 4 May 1999" in html


def test_versions_can_be_compared_backwards_and_by_default(changed, client):
    assert "inserted: </span>can be" in page(client, "/rulings/tracing-1/changes/?from=2&to=1")
    assert "inserted: </span>always fails" in page(client, "/rulings/tracing-1/changes/")
    assert "inserted: </span>always fails" in page(client, "/rulings/tracing-1/changes/?from=x")


def test_comparison_with_a_missing_version_is_explained(changed, client):
    assert "One of these versions does not exist" in page(
        client, "/rulings/tracing-1/changes/?from=1&to=99"
    )
    assert "There is one version so far" in page(client, "/rulings/dropp-1/changes/")
    page(client, "/rulings/nothing-1/changes/", status=404)


def test_an_old_version_leads_to_what_changed(changed, client):
    html = page(client, "/rulings/tracing-1/v1/")

    assert 'href="/rulings/tracing-1/changes/?from=1&amp;to=2">what changed</a>' in html


@pytest.mark.parametrize("short", ["R-0001", "r-0001"])
def test_a_short_address_leads_to_the_ruling_and_to_a_version(changed, client, short):
    assert client.get(f"/r/{short}/")["Location"] == "/rulings/tracing-1/"
    assert client.get(f"/r/{short}/1/")["Location"] == "/rulings/tracing-1/v1/"
    day = client.get(f"/r/{short}/?as_of={BETWEEN}")
    assert day["Location"] == f"/rulings/tracing-1/?as_of={BETWEEN}"


@pytest.mark.parametrize("url", ["/r/R-9999/", "/r/R-0001/9/", "/r/X-0001/", "/r/lockjaw-1/"])
def test_unknown_short_address_is_not_found(small, client, url):
    assert client.get(url).status_code == 404


def test_document_shows_its_notice_and_all_its_rulings(small, client):
    notice = "Copy it freely,\nas a whole.\n\nNames belong to their owners."
    RulingDocument.objects.update(notice=notice)
    RulingVersion.objects.filter(ruling__code="dropp-1").update(original_text="It breaks all.")

    html = page(client, "/rulings/documents/netrunner-rulings-v1-62/")

    assert "Copy it freely,<br>as a whole." in html
    assert "Names belong to their owners." in html
    assert html.count('class="ruling-list__link"') == 7
    link = 'href="/rulings/documents/netrunner-rulings-v1-62/#notice"'
    assert link in page(client, "/rulings/dropp-1/")
    assert link not in page(client, "/rulings/tracing-1/")
    page(client, "/rulings/documents/none/", status=404)


def test_a_local_ruling_is_marked_loudly_and_no_page_for_robots(small, client):
    local = services.create_local_ruling(
        services.get_local_document("onr"), subject="Spills", text="Dry it."
    )
    services.adopt_ruling(local, timezone.now())

    html = page(client, local.get_absolute_url())

    assert local.code.startswith("local-spills-")
    assert '<p class="alert__title">Local ruling</p>' in html
    assert '<meta name="robots" content="noindex">' in html
    assert "noindex" in page(client, local.document.get_absolute_url())
    assert "noindex" not in page(client, "/rulings/tracing-1/")
    assert "Local ruling</span>" in page(client, "/rulings/subject/spills/")


def test_house_ruling_is_marked(small, client):
    load("## Topic: Table talk", "- Nobody helps a player.")

    assert "House ruling</span>" in page(client, "/rulings/subject/table-talk/")
    assert "House ruling</span>" not in page(client, "/rulings/tracing-1/")


def test_the_index_has_the_documents_of_the_game_and_no_local_rulings(small, client):
    document = services.get_local_document("onr")
    ruling = services.create_local_ruling(
        document, subject="Coin flips", text="Nobody flips a coin."
    )
    services.adopt_ruling(ruling, timezone.now())

    html = page(client, "/rulings/")

    assert 'href="/rulings/documents/netrunner-rulings-v1-62/">Netrunner Rulings v1.62</a>' in html
    assert "7 rulings" in html
    assert document.get_absolute_url() in html
    assert "Coin flips" not in html
    assert "Coin flips" in page(client, document.get_absolute_url())


@pytest.mark.parametrize("url", ["/rulings/card/dropp/", "/rulings/pick/?q=bits"])
def test_unchanged_page_is_a_304(small, client, url):
    first = client.get(url)
    again = client.get(url, headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_queries_do_not_grow_with_versions_and_superseding(small, client):
    urls = [
        f"/rulings/tracing-1/?as_of={AFTER}",
        "/rulings/tracing-1/changes/?from=1&to=2",
        "/rulings/subject/tracing/?as_of=2020-01-01",
        "/rulings/documents/netrunner-rulings-v1-62/",
        f"/rulings/?as_of={BETWEEN}",
    ]
    write_many(1)
    few = [queries_of(client, url) for url in urls]
    write_many(5)

    assert [queries_of(client, url) for url in urls] == few


def write_many(count):
    """Write N versions of each ruling on tracing, and N rulings that supersede one of them."""
    document = RulingDocument.objects.get()
    for _ in range(count):
        for ruling in Ruling.objects.filter(code__in=["tracing-1", "tracing-2"]):
            number = ruling.versions.count()
            said = [RulingSource("Tom Wylie"), RulingSource(f"Nobody {number}")]
            write(ruling, f"Bits {number}.", sources=said, in_force_from=LATER)
        old = services.create_local_ruling(document, subject="Tracing", text="Old.")
        new = services.create_local_ruling(document, subject="Tracing", text="New.")
        services.set_superseded(new, [old])


def test_a_card_of_a_ruling_is_found_by_its_citation(changed):
    write(changed, NEW, sources=[RulingSource("Tom Wylie", about="dropp")])

    assert changed.versions.first().citations.get().about_card == Card.objects.get(slug="dropp")
