"""The pages of the rules reference: content, links and citations."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.reference_importer import load_reference, shipped_pages
from tests.queries import queries_of
from tests.rulings.builders import page, set_citing
from tests.rulings.reference.builders import PAGE, page_of, page_with

pytestmark = pytest.mark.django_db

ADDRESS = "/rulings/rules/tea-and-cake/"


@pytest.fixture
def tea(small: None) -> None:
    load_reference([page_of()])


def test_index_lists_every_page_under_its_game(client: Client, small: None):
    assert "import_rulings" in page(client, reverse("rulings:rules"))
    load_reference()

    html = page(client, reverse("rulings:rules"))

    for shipped in shipped_pages():
        assert f'href="{reverse("rulings:rules_page", args=[shipped.slug])}"' in html
        assert shipped.about.replace("'", "&#x27;") in html
    assert html.index("Scoring agendas") < html.index("Android: Netrunner in short")


def test_page_has_sections_with_sources_addresses_and_citations(client: Client, tea: None):
    html = page(client, ADDRESS)

    for text in (
        *('<a href="#2.1"', 'id="2.1"', "The host pours.", "<em>thank you</em>"),
        *("<li>milk first</li>", 'href="/r/S-9003/"', "The teapot", "29 April 1996"),
        "Documents disagree on 1 point on this page",
    ):
        assert text in html
    assert html.count("rule--disagreement") == 1
    citation = html[html.index('id="cite-S-9002"') :].split("</textarea>")[0]
    assert "Guests drink slowly (R-0001)." in citation
    assert "S-9002 v1" in citation
    assert "http://testserver/r/S-9002/1/" in citation


def test_judge_can_cite_a_section(client: Client, tea: None):
    assert "Cite in" not in page(client, ADDRESS)
    set_citing(client, label="table 12", url="/events/open/rounds/1/tables/12/decide/")

    html = page(client, ADDRESS)

    assert html.count("Cite in table 12") == 3
    assert "tables/12/decide/?rulings=S-9002+v1" in html


def test_as_of_shows_the_text_of_that_day(client: Client, tea: None):
    changed = PAGE.replace("The host pours.", "Anybody pours.").replace("2026-11-21", "2026-11-25")
    load_reference([page_of(changed)])

    assert "Anybody pours." in page(client, ADDRESS)
    earlier_page = page(client, f"{ADDRESS}?as_of=2026-11-22")
    assert "The host pours." in earlier_page
    assert "Anybody pours." not in earlier_page
    assert "did not exist on that day" in page(client, f"{ADDRESS}?as_of=1997-01-01")
    assert "is not a day" in page(client, f"{ADDRESS}?as_of=tea")


def test_other_documents_have_no_rules_page(client: Client, tea: None):
    for slug in ("netrunner-rulings-v1-62", "coffee"):
        page(client, f"/rulings/rules/{slug}/", status=404)
    response = client.get("/r/S-9001/", follow=True)
    assert response.redirect_chain[-1][0] == "/rulings/tea-and-cake-1/"
    assert "The host pours." in response.text


def test_queries_do_not_grow_with_the_sections(client: Client, small: None):
    counts = set()
    for sections in (2, 12):
        load_reference([page_with(sections)])
        client.get(ADDRESS)
        counts.add(queries_of(client.get, ADDRESS))

    assert len(counts) == 1
