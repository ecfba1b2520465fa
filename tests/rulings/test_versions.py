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
DOCUMENT = "/rulings/documents/netrunner-rulings-v1-62/"


def page(client, url, status=200):
    return " ".join(builders.page(client, url, status).split())


@pytest.fixture
def changed(small):
    """tracing-1 has a second version, in force from 4 May 1999."""
    ruling = Ruling.objects.get(code="tracing-1")
    sources = [RulingSource("Tom Wylie", venue="Rules team", date=LATER)]
    write(ruling, NEW, sources=sources, in_force_from=LATER, reason="The rules team decided.")
    return ruling


class TestAsOf:
    @pytest.mark.parametrize("url", ["/rulings/tracing-1/", "/rulings/subject/tracing/"])
    def test_page_shows_the_text_of_the_day(self, changed, client, url):
        old = page(client, f"{url}?as_of={BETWEEN}")

        assert "can be successful" in old
        assert NEW not in old
        assert "As in force on" in old
        assert '<time datetime="1997-05-12">12 May 1997</time>' in old
        assert f'href="{url}">Back to today</a>' in old
        assert NEW in page(client, f"{url}?as_of={AFTER}")
        assert NEW in page(client, url)

    def test_ruling_before_its_first_day_has_no_text(self, changed, client):
        html = page(client, f"/rulings/tracing-1/?as_of={BEFORE}")

        assert "Not yet in force on 1 January 1996" in html
        assert '<time datetime="1996-04-24">24 April 1996</time>' in html

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("/rulings/subject/tracing/", "There were no rulings on this subject on that day."),
            ("/rulings/", "No rulings were in force on that day."),
            (DOCUMENT, "Nothing on this page was in force on that day."),
            ("/rulings/card/dropp/", "No ruling on this card"),
        ],
    )
    def test_lists_have_no_later_rulings(self, changed, client, url, message):
        assert message in page(client, f"{url}?as_of={BEFORE}")
        assert message not in page(client, f"{url}?as_of={BETWEEN}")

    def test_links_keep_day_and_kind(self, changed, client):
        index = page(client, f"/rulings/?kind=ruling&as_of={BETWEEN}")

        assert f'href="/rulings/subject/tracing/?as_of={BETWEEN}"' in index
        assert '<input type="hidden" name="kind" value="ruling">' in index
        assert f"?kind=cross-reference&amp;as_of={BETWEEN}" in index
        card = page(client, f"/rulings/card/ball-and-chain/?as_of={BETWEEN}")
        assert f'href="/rulings/dropp-1/?as_of={BETWEEN}"' in card

    @pytest.mark.parametrize(
        "typed",
        ["yesterday", "1997-13-01", "1997-02-30", "12.5.1997", "<b>", "19970512", "0000-00-00"],
    )
    def test_invalid_day_is_explained(self, small, client, typed):
        for url in ("/rulings/", "/rulings/tracing-1/", "/rulings/card/dropp/"):
            response = client.get(url, {"as_of": typed})

            assert response.status_code == 200
            assert "is not a day. Enter year, month and day, such as 1997-05-12." in response.text
            assert "<b>" not in response.text


class TestStanding:
    def test_superseded_ruling_names_its_successor_and_day(self, small, client):
        old = Ruling.objects.get(code="tracing-2")
        with time_machine.travel(LATER):
            new = services.create_local_ruling(
                RulingDocument.objects.get(), subject="Tracing", text="Only the Runner may count."
            )
        services.set_superseded(new, [old])

        html = page(client, old.get_absolute_url())

        assert 'No longer in force since <time datetime="1999-05-04">4 May 1999</time>' in html
        link = f'<a href="{new.get_absolute_url()}"><code>{new.short_code}</code></a>'
        assert f"Superseded by {link}" in html
        link = f'<a href="{old.get_absolute_url()}"><code>R-0002</code></a>'
        assert f"Supersedes {link}" in page(client, new.get_absolute_url())
        earlier_page = page(client, f"{old.get_absolute_url()}?as_of={BETWEEN}")
        assert "No longer in force" not in earlier_page
        subject = page(client, "/rulings/subject/tracing/")
        assert subject.index(new.short_code) < subject.index("Superseded</span>")

    def test_withdrawn_ruling_is_marked(self, small, client):
        services.withdraw_ruling(Ruling.objects.get(code="dropp-1"), LATER)

        html = page(client, "/rulings/dropp-1/")

        assert 'Withdrawn on <time datetime="1999-05-04">4 May 1999</time>' in html
        assert "Withdrawn</span>" in page(client, "/rulings/card/dropp/")
        assert "Withdrawn on" not in page(client, f"/rulings/dropp-1/?as_of={BETWEEN}")

    def test_reversal_of_an_unlisted_decision_is_described(self, small, client):
        Ruling.objects.filter(code="dropp-1").update(overturned="an answer of the FAQ")

        assert "Reverses an answer of the FAQ." in page(client, "/rulings/dropp-1/")

    def test_cross_reference_shows_its_targets(self, small, client):
        html = page(client, "/rulings/dr-dreff-1/")

        assert "Related rulings" in html
        assert "Read the card as: the Runner pays twice." in html
        assert "Related rulings" not in page(client, "/rulings/dropp-1/")


class TestComparison:
    URL = "/rulings/tracing-1/changes/"

    def test_comparison_shows_changes_of_text_and_sources(self, changed, client):
        html = page(client, f"{self.URL}?from=1&to=2")

        assert 'deleted: </span>can be successful<span class="visually-hidden"> end' in html
        assert 'inserted: </span>always fails<span class="visually-hidden"> end' in html
        assert "Why: The rules team decided." in html
        assert "<del><span" in html
        assert "Marc Schmalz (Sparky), Netrunner-L, 24 April 1996" in html
        assert "Tom Wylie, Rules team, 4 May 1999" in html

    def test_comparison_can_be_reversed_and_has_defaults(self, changed, client):
        assert "inserted: </span>can be" in page(client, f"{self.URL}?from=2&to=1")
        for query in ("", "?from=x"):
            assert "inserted: </span>always fails" in page(client, f"{self.URL}{query}")
        link = f'href="{self.URL}?from=1&amp;to=2">what changed</a>'
        assert link in page(client, "/rulings/tracing-1/v1/")

    def test_missing_version_is_explained(self, changed, client):
        html = page(client, f"{self.URL}?from=1&to=99")

        assert "One of these versions does not exist" in html
        assert "There is only one version so far" in page(client, "/rulings/dropp-1/changes/")
        page(client, "/rulings/nothing-1/changes/", status=404)


@pytest.mark.parametrize("short", ["R-0001", "r-0001"])
def test_short_address_leads_to_ruling_version_and_day(changed, client, short):
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

    html = page(client, DOCUMENT)

    assert "Copy it freely,<br>as a whole." in html
    assert "Names belong to their owners." in html
    assert html.count('class="ruling-list__link"') == 7
    assert f'href="{DOCUMENT}#notice"' in page(client, "/rulings/dropp-1/")
    assert f'href="{DOCUMENT}#notice"' not in page(client, "/rulings/tracing-1/")
    page(client, "/rulings/documents/none/", status=404)


def test_local_ruling_is_marked_and_hidden_from_robots_and_index(small, client):
    local = services.create_local_ruling(
        services.get_local_document("onr"), subject="Spills", text="Dry it."
    )
    services.adopt_ruling(local, timezone.now())

    html, index = page(client, local.get_absolute_url()), page(client, "/rulings/")

    assert local.code.startswith("local-spills-")
    assert '<p class="alert__title">Local ruling</p>' in html
    assert '<meta name="robots" content="noindex">' in html
    document = page(client, local.document.get_absolute_url())
    assert "noindex" in document
    assert "Spills" in document
    assert "noindex" not in page(client, "/rulings/tracing-1/")
    assert "Local ruling</span>" in page(client, "/rulings/subject/spills/")
    assert f'href="{DOCUMENT}">Netrunner Rulings v1.62</a>' in index
    assert "7 rulings" in index
    assert local.document.get_absolute_url() in index
    assert "Spills" not in index


def test_house_ruling_is_marked(small, client):
    load("## Topic: Table talk", "- Nobody helps a player.")

    assert "House ruling</span>" in page(client, "/rulings/subject/table-talk/")
    assert "House ruling</span>" not in page(client, "/rulings/tracing-1/")


@pytest.mark.parametrize("url", ["/rulings/card/dropp/", "/rulings/pick/?q=bits"])
def test_unchanged_page_is_a_304(small, client, url):
    first = client.get(url)
    repeated = client.get(url, headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, repeated.status_code, repeated.content) == (200, 304, b"")


def test_queries_do_not_grow_with_versions_and_superseding(small, client):
    def add(count):
        document = RulingDocument.objects.get()
        for _ in range(count):
            for ruling in Ruling.objects.filter(code__in=["tracing-1", "tracing-2"]):
                number = ruling.versions.count()
                sources = [RulingSource("Tom Wylie"), RulingSource(f"Author {number}")]
                write(ruling, f"Bits {number}.", sources=sources, in_force_from=LATER)
            old, new = (
                services.create_local_ruling(document, subject="Tracing", text=text)
                for text in ("Old.", "New.")
            )
            services.set_superseded(new, [old])

    urls = [
        f"/rulings/tracing-1/?as_of={AFTER}",
        "/rulings/tracing-1/changes/?from=1&to=2",
        "/rulings/subject/tracing/?as_of=2020-01-01",
        DOCUMENT,
        f"/rulings/?as_of={BETWEEN}",
    ]
    add(1)
    few_queries = [queries_of(client, url) for url in urls]
    add(5)

    assert [queries_of(client, url) for url in urls] == few_queries


def test_card_of_a_citation_is_found(changed):
    write(changed, NEW, sources=[RulingSource("Tom Wylie", about="dropp")])

    assert changed.versions.first().citations.get().about_card == Card.objects.get(slug="dropp")
