"""The pages of the rules reference: content, links and citations."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.reference_importer import load_reference, shipped_pages
from tests.queries import queries_of
from tests.rulings.builders import page
from tests.rulings.reference.builders import PAGE, page_of, page_with

pytestmark = pytest.mark.django_db

ADDRESS = "/rulings/rules/tea-and-cake/"


@pytest.fixture
def tea(small: None) -> None:
    load_reference([page_of()])


def test_the_index_lists_every_page_under_its_game(client: Client, small: None) -> None:
    load_reference()

    shown = page(client, reverse("rulings:rules"))

    for one in shipped_pages():
        assert f'href="{reverse("rulings:rules_page", args=[one.slug])}"' in shown
        assert one.about.replace("'", "&#x27;") in shown
    assert shown.index("Scoring agendas") < shown.index("Android: Netrunner in short")


def test_without_pages_the_index_says_what_to_do(client: Client, small: None) -> None:
    assert "import_rulings" in page(client, reverse("rulings:rules"))


def test_a_page_has_its_sections_with_sources_and_addresses(client: Client, tea: None) -> None:
    shown = page(client, ADDRESS)

    assert '<a href="#2.1"' in shown
    assert 'id="2.1"' in shown
    assert "The host pours." in shown
    assert "<em>thank you</em>" in shown
    assert "<li>milk first</li>" in shown
    assert 'href="/r/S-9003/"' in shown
    assert "The teapot" in shown
    assert "29 April 1996" in shown


def test_a_disagreement_is_marked(client: Client, tea: None) -> None:
    shown = page(client, ADDRESS)

    assert shown.count("rule--disagreement") == 1
    assert "Documents disagree on 1 point of this page" in shown


def test_copied_citation_has_text_code_and_short_address(client: Client, tea: None) -> None:
    shown = page(client, ADDRESS)

    box = shown[shown.index('id="cite-S-9002"') :].split("</textarea>")[0]
    assert "Guests drink slowly (R-0001)." in box
    assert "S-9002 v1" in box
    assert "http://testserver/r/S-9002/1/" in box


def test_judge_can_cite_a_section(client: Client, tea: None) -> None:
    assert "Cite in" not in page(client, ADDRESS)
    session = client.session
    session["citing"] = {"label": "table 12", "url": "/events/open/rounds/1/tables/12/decide/"}
    session.save()

    shown = page(client, ADDRESS)

    assert shown.count("Cite in table 12") == 3
    assert "tables/12/decide/?rulings=S-9002+v1" in shown


def test_as_of_shows_the_text_of_that_day(client: Client, tea: None) -> None:
    changed = PAGE.replace("The host pours.", "Anybody pours.").replace("2026-11-21", "2026-11-25")
    load_reference([page_of(changed)])

    assert "Anybody pours." in page(client, ADDRESS)
    then = page(client, f"{ADDRESS}?as_of=2026-11-22")
    assert "The host pours." in then
    assert "Anybody pours." not in then
    assert "not written yet" in page(client, f"{ADDRESS}?as_of=1997-01-01")
    assert "is not a day" in page(client, f"{ADDRESS}?as_of=tea")


def test_other_documents_have_no_rules_page(client: Client, tea: None) -> None:
    assert client.get("/rulings/rules/netrunner-rulings-v1-62/").status_code == 404
    assert client.get("/rulings/rules/coffee/").status_code == 404


def test_the_page_of_a_section_and_its_short_address(client: Client, tea: None) -> None:
    answer = client.get("/r/S-9001/", follow=True)

    assert answer.redirect_chain[-1][0] == "/rulings/tea-and-cake-1/"
    assert "The host pours." in answer.content.decode()


def test_queries_do_not_grow_with_the_sections(client: Client, small: None) -> None:
    asked = []
    for sections in (2, 12):
        load_reference([page_with(sections)])
        client.get(ADDRESS)
        asked.append(queries_of(client.get, ADDRESS))

    assert asked[0] == asked[1]
