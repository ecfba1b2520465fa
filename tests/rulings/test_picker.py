"""The picker of rulings inside a form, and its plain field."""

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from rulings.forms import CiteForm
from rulings.models import Ruling
from rulings.reference_importer import load_reference
from tests.rulings.reference.builders import page_of

PICK = "/rulings/pick/"
SCRIPT = "<script>alert(1)</script>"


def test_at_most_eight_rulings_are_offered(shipped, client):
    answer = client.get(PICK, {"q": "runner"})
    html = answer.content.decode()

    assert html.count('type="checkbox"') == 8
    assert "The best 8 of" in html
    assert len(answer.content) < 12_000
    assert "<html" not in html


def test_rulings_are_offered_with_version_and_subject(small, client):
    short = Ruling.objects.get(code="dropp-1").short_code
    html = client.get(PICK, {"q": "subroutines"}).content.decode()

    assert f'<input type="checkbox" name="rulings" value="{short} v1">' in html
    assert "<mark>subroutines</mark>" in html
    assert "<strong>Dropp" in html


def test_rulings_on_a_subject_have_different_titles(shipped, client):
    picks = client.get(PICK, {"q": "shell traders"}).context["picks"]

    assert len(picks) == len({pick.ruling.title for pick in picks}) == 8
    assert "The Shell Traders (1)" in {pick.ruling.title for pick in picks}


def test_section_of_the_rules_has_its_heading_as_title(small, client):
    load_reference([page_of()])

    html = client.get(PICK, {"q": "host pours"}).content.decode()

    assert "<strong>1.1 Pouring (Tea and cake)</strong>" in html


def test_hit_shows_lists_and_emphasis_without_markup(small, client):
    load_reference([page_of()])

    html = client.get(PICK, {"q": "thank milk"}).content.decode()

    assert "<em><mark>thank</mark> you</em>" in html
    assert "<li><mark>milk</mark> first</li>" in html
    assert "*" not in html
    assert "<p>- " not in html


def test_code_offers_its_ruling_only(small, client):
    ruling = Ruling.objects.get(code="dropp-1")

    for typed in (ruling.code, f"r{int(ruling.short_code[2:])}"):
        html = client.get(PICK, {"q": typed}).content.decode()
        assert html.count('type="checkbox"') == 1
        assert f'value="{ruling.short_code} v1"' in html


def test_a_mistyped_card_is_found(shipped, client):
    html = client.get(PICK, {"q": "lokjaw"}).content.decode()

    assert "<strong>Lockjaw (1)</strong>" in html
    assert 'Showing "Lockjaw"' in html


def test_checked_rulings_stay_during_a_search(small, client):
    short = Ruling.objects.get(code="dropp-1").short_code
    asked = {"q": "subroutines", "field": "cited", "cited": [f"{short} v1", "x-9"]}
    html = client.get(PICK, asked).content.decode()

    assert html.count(f'name="cited" value="{short} v1" checked>') == 1
    assert html.count(f'value="{short} v1"') == 1
    assert "x-9" not in html


def test_checked_and_typed_rulings_are_cited(small):
    data = QueryDict("rulings=dropp-1&rulings=tracing-1+v1&rulings=dropp-1&text=")
    form = CiteForm(data)

    assert form.is_valid()
    assert [one.ruling.code for one in form.cleaned_data["rulings"]] == ["dropp-1", "tracing-1"]


def test_empty_search_and_empty_result_have_messages(small, client):
    assert "checkbox" not in client.get(PICK).content.decode()
    assert "No results." in client.get(PICK, {"q": "zeppelin"}).content.decode()


@pytest.mark.parametrize("typed", [SCRIPT, "\x00", "'", '"', "%s", "\ufdfa" * 400])
def test_typed_text_is_escaped(small, client, typed):
    for name in ("q", "rulings", "field"):
        answer = client.get(PICK, {name: typed})
        assert answer.status_code in (200, 400)
        assert SCRIPT not in answer.content.decode()


def test_field_works_without_scripts_and_links_to_the_search():
    form = CiteForm(initial={"rulings": "R-0231"})
    html = render_to_string("rulings/_cite_field.html", {"field": form["rulings"]})

    assert 'hx-get="/rulings/pick/?field=rulings"' in html
    assert 'name="rulings" value="R-0231"' in html
    assert 'href="/rulings/search/"' in html
    assert "<form" not in html


def test_errors_are_shown_at_the_field(small):
    form = CiteForm({"rulings": "zeppelin-1", "text": ""})
    form.is_valid()
    html = render_to_string("rulings/_cite_field.html", {"field": form["rulings"], "form": form})

    assert "There is no ruling with the code" in html
    assert 'aria-invalid="true"' in html
