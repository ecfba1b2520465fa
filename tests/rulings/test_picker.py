"""The picker of rulings inside a form, and its plain field; test_search_page has the search."""

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from rulings.forms import CiteForm
from rulings.models import Ruling
from rulings.reference_importer import load_reference
from tests.rulings.builders import write
from tests.rulings.reference.builders import page_of

PICK = "/rulings/pick/"
SCRIPT = "<script>alert(1)</script>"


def picker(client, typed="", **fields):
    return client.get(PICK, {"q": typed, **fields}).text


def test_at_most_eight_rulings_with_different_titles_are_offered(shipped, client):
    response = client.get(PICK, {"q": "shell traders"})
    picks = response.context["picks"]

    assert len(picks) == len({pick.ruling.title for pick in picks}) == 8
    assert "The Shell Traders (1)" in {pick.ruling.title for pick in picks}
    assert response.text.count('type="checkbox"') == 8
    assert "Showing the best 8 of" in response.text
    assert len(response.content) < 12_000
    assert "<html" not in response.text


def test_ruling_is_offered_with_version_and_subject(small, client):
    html = picker(client, "subroutines")

    assert '<input type="checkbox" name="rulings" value="R-0007 v1">' in html
    assert "<mark>subroutines</mark>" in html
    assert "<strong>Dropp" in html


def test_section_of_the_rules_is_offered_without_markup(small, client):
    load_reference([page_of()])

    html = picker(client, "thank milk")

    assert "<strong>1.1 Pouring (Tea and cake)</strong>" in html
    assert "<em><mark>thank</mark> you</em>" in html
    assert "<li><mark>milk</mark> first</li>" in html
    assert "*" not in html
    assert "<p>- " not in html


@pytest.mark.parametrize("typed", ["dropp-1", "r7"])
def test_code_offers_its_ruling_only(small, client, typed):
    html = picker(client, typed)

    assert html.count('type="checkbox"') == 1
    assert 'value="R-0007 v1"' in html


def test_code_of_an_old_version_offers_that_version(small, client):
    write(Ruling.objects.get(code="dropp-1"), "Nothing breaks.")

    html = picker(client, "R-0007 v1")

    assert 'value="R-0007 v1"' in html
    assert "Nothing breaks." not in html


def test_corrected_search_and_empty_results_have_messages(small, client):
    assert "checkbox" not in picker(client)
    assert "No results." in picker(client, "zeppelin")
    assert 'Showing "subroutines breaking"' in picker(client, "subrotines breaking")


def test_checked_rulings_stay_during_a_search(small, client):
    html = picker(client, "subroutines", field="cited", cited=["R-0007 v1", "x-9"])

    assert html.count('name="cited" value="R-0007 v1" checked>') == 1
    assert html.count('value="R-0007 v1"') == 1
    assert "x-9" not in html


def test_checked_and_typed_rulings_are_cited(small):
    form = CiteForm(QueryDict("rulings=dropp-1&rulings=tracing-1+v1&rulings=dropp-1&text="))

    assert form.is_valid()
    cited = [version.ruling.code for version in form.cleaned_data["rulings"]]
    assert cited == ["dropp-1", "tracing-1"]


@pytest.mark.parametrize("typed", [SCRIPT, "\x00", "'", '"', "%s", "\ufdfa" * 400])
def test_typed_text_is_escaped(small, client, typed):
    for name in ("q", "rulings", "field"):
        response = client.get(PICK, {name: typed})
        assert response.status_code in (200, 400)
        assert SCRIPT not in response.text


class TestField:
    def test_field_works_without_scripts(self):
        form = CiteForm(initial={"rulings": "R-0231"})
        html = render_to_string("rulings/_cite_field.html", {"field": form["rulings"]})

        assert 'hx-get="/rulings/pick/?field=rulings"' in html
        assert 'name="rulings" value="R-0231"' in html
        assert 'href="/rulings/search/"' in html
        assert "<form" not in html

    def test_field_shows_errors(self, small):
        form = CiteForm({"rulings": "zeppelin-1", "text": ""})
        form.is_valid()
        context = {"field": form["rulings"], "form": form}
        html = render_to_string("rulings/_cite_field.html", context)

        assert "There is no ruling with the code" in html
        assert 'aria-invalid="true"' in html
