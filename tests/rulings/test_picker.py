"""The picker of rulings inside a form: a light part of a page, and the plain field behind it."""

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from rulings.forms import CiteForm
from rulings.models import Ruling

PICK = "/rulings/pick/"
SCRIPT = "<script>alert(1)</script>"


def test_it_offers_at_most_eight_rulings_in_few_bytes(shipped, client):
    answer = client.get(PICK, {"q": "runner"})
    html = answer.content.decode()

    assert html.count("data-cite-code=") == 8
    assert "The best 8 of" in html
    assert len(answer.content) < 12_000
    assert "<html" not in html


def test_each_is_offered_in_its_version_with_its_subject(small, client):
    short = Ruling.objects.get(code="dropp-1").short_code
    html = client.get(PICK, {"q": "subroutines"}).content.decode()

    assert f'data-cite-code="{short} v1" data-cite-name="Dropp' in html
    assert "<mark>subroutines</mark>" in html
    assert f'Cite <span class="visually-hidden">{short}, Dropp' in html


def test_a_code_is_its_ruling_alone(small, client):
    ruling = Ruling.objects.get(code="dropp-1")

    for typed in (ruling.code, f"r{int(ruling.short_code[2:])}"):
        html = client.get(PICK, {"q": typed}).content.decode()
        assert html.count("data-cite-code=") == 1
        assert f'data-cite-code="{ruling.short_code} v1"' in html


def test_a_mistyped_card_is_found(shipped, client):
    html = client.get(PICK, {"q": "lokjaw"}).content.decode()

    assert 'data-cite-name="Lockjaw"' in html
    assert "These have" in html


def test_codes_are_told_with_their_subjects(small, client):
    short = Ruling.objects.get(code="dropp-1").short_code
    html = client.get(PICK, {"codes": f"{short},tracing-1 v1,x-9"}).content.decode()

    assert html.count("data-cite-for=") == 2
    assert f'data-cite-for="{short}" data-cite-code="{short} v1"' in html
    assert 'data-cite-for="tracing-1 v1"' in html


def test_an_unchanged_answer_is_not_sent_again(small, client):
    answer = client.get(PICK, {"q": "bits"})
    again = client.get(PICK, {"q": "bits"}, headers={"If-None-Match": answer["ETag"]})

    assert (again.status_code, again.content) == (304, b"")


def test_nothing_typed_and_nothing_found_are_said(small, client):
    assert "data-cite-code" not in client.get(PICK).content.decode()
    assert "No ruling has these words" in client.get(PICK, {"q": "zeppelin"}).content.decode()


@pytest.mark.parametrize("typed", [SCRIPT, "\x00", "'", '"', "%s", "\ufdfa" * 400])
def test_whatever_is_typed_is_only_text(small, client, typed):
    for name in ("q", "codes"):
        answer = client.get(PICK, {name: typed})
        assert answer.status_code in (200, 400)
        assert SCRIPT not in answer.content.decode()


def test_it_asks_the_database_as_often_for_many_as_for_one(shipped, client):
    def queries(typed):
        client.get(PICK, {"q": typed})
        with CaptureQueriesContext(connection) as captured:
            client.get(PICK, {"q": typed})
        return len(captured)

    assert queries("runner") == queries("boardwalk") <= 12


def test_the_field_is_a_plain_one_with_a_way_to_the_search():
    form = CiteForm(initial={"rulings": "R-0231"})
    html = render_to_string("rulings/_cite_field.html", {"field": form["rulings"]})

    assert '<div class="cite" data-cite="/rulings/pick/">' in html
    assert 'name="rulings" value="R-0231"' in html
    assert 'href="/rulings/search/"' in html
    assert "<form" not in html


def test_its_errors_stand_at_the_field(small):
    form = CiteForm({"rulings": "zeppelin-1", "text": ""})
    form.is_valid()
    html = render_to_string("rulings/_cite_field.html", {"field": form["rulings"], "form": form})

    assert "There is no ruling with the code" in html
    assert 'aria-invalid="true"' in html
