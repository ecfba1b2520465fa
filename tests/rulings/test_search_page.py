"""The search page: words, filters, typos and codes."""

from datetime import date

import pytest
from django.utils import timezone

from decks.models import Card
from players.models import User
from rulings import services
from rulings.models import DocumentKind, Ruling, RulingDocument
from tests.rulings.builders import set_citing

SEARCH = "/rulings/search/"
SCRIPT = "<script>alert(1)</script>"


def search(client, **parameters):
    response = client.get(SEARCH, parameters)
    assert response.status_code == 200
    return response


def hits(client, **parameters):
    return search(client, **parameters).context["hits"]


def codes(client, **parameters):
    """Return the codes of the rulings on the first page, in order."""
    return [hit.ruling.code for hit in hits(client, **parameters)]


def citations(hits):
    return [hit.version.citations.all() for hit in hits]


class TestWords:
    def test_cards_topics_and_rulings_are_found(self, small, client):
        assert 'href="/rulings/subject/tracing/">Tracing</a>' in search(client, q="trac").text
        assert 'href="/rulings/onr/card/dropp/"' in search(client, q="dropp [tm]").text
        assert "<mark>break</mark>" in search(client, q="breaks").text
        assert "Nothing found" in search(client, q="zeppelin").text

    def test_empty_search_is_a_form(self, small, client):
        html = search(client).text

        assert 'name="q"' in html
        assert "Nothing found" not in html

    @pytest.mark.parametrize(
        ("typed", "title", "subject"),
        [
            ("lokjaw", "Lockjaw", "lockjaw"),
            ("joan of ark", "Joan of Arc", "joan-of-arc"),
            ("boardwlak", "Boardwalk", "boardwalk"),
        ],
    )
    def test_mistyped_title_is_corrected(self, shipped, client, typed, title, subject):
        response = search(client, q=typed)
        answer, first = response.context["answer"], response.context["hits"][0]

        assert (answer.is_corrected, answer.words) == (True, title)
        assert response.context["cards"][0].slug == subject
        assert first.ruling.subject_slug == subject
        assert f"No results for &ldquo;{typed}&rdquo;" in response.text

    def test_mistyped_word_is_corrected(self, small, client):
        response = search(client, q="subrotines breaking")

        assert response.context["answer"].is_corrected
        assert [hit.ruling.code for hit in response.context["hits"]] == ["dropp-1"]

    def test_errata_of_a_named_card_then_its_rulings_rank_first(self, shipped, client):
        card = Card.objects.get(slug="boardwalk", game="onr")
        groups = [
            2 if hit.ruling.card_id != card.pk else int(hit.ruling.kind != "errata")
            for hit in hits(client, q="Boardwalk")
        ]

        assert groups == sorted(groups)
        assert groups[0] < 2

    def test_partial_matches_come_after_full_matches(self, shipped, client):
        response = search(client, q="rez ice")
        full = response.context["answer"].found.full

        assert full < 20
        assert response.context["partial"] == response.context["hits"][full:]
        assert response.text.count("Partial matches") == 1
        assert search(client, q="rez ice", page="2").context["partial"]

    def test_results_have_pages(self, shipped, client):
        context = search(client, q="runner", page="2").context

        assert context["page_obj"].number == 2
        assert len(context["hits"]) == 20
        search(client, q="runner", page="nonsense")

    @pytest.mark.parametrize(
        "typed", [SCRIPT, '" onfocus="alert(1)', "\0", "'", "{{ 7 }}", "\ufdfa"]
    )
    def test_text_is_escaped(self, small, client, typed):
        html = client.get(SEARCH, {"q": typed, "card": typed, "authority": typed}).text

        assert SCRIPT not in html
        assert 'onfocus="' not in html


class TestCode:
    @pytest.mark.parametrize("typed", ["dropp-1", "R-0007", "r7", "R 7", "r-7"])
    def test_code_leads_to_its_ruling(self, small, client, typed):
        response = client.get(SEARCH, {"q": typed})

        assert (response.status_code, response["Location"]) == (302, "/rulings/dropp-1/")

    def test_version_code_leads_to_its_version(self, small, client):
        assert client.get(SEARCH, {"q": "R-0007 v1"})["Location"] == "/rulings/dropp-1/v1/"


class TestFilters:
    def test_filters_narrow_the_rulings(self, shipped, client):
        of_wylie = citations(hits(client, q="runner", authority="wylie"))
        of_1997 = citations(hits(client, since="1997-01-01", until="1997-12-31"))

        assert {hit.ruling.kind for hit in hits(client, q="runner", kind="errata")} == {"errata"}
        assert of_wylie
        assert all(any("Wylie" in row.authority for row in rows) for rows in of_wylie)
        assert of_1997
        assert all(any(row.date and row.date.year == 1997 for row in rows) for rows in of_1997)
        assert hits(client, q="runner", game="anr") == []
        assert search(client, kind="errata").context["page_obj"].paginator.count == 41

    def test_several_cards_can_be_selected(self, shipped, client):
        context = client.get(SEARCH, {"card": ["Lockjaw", "boardwlak"]}).context
        cards = {"lockjaw", "boardwalk"}

        assert {card.slug for card in context["form"].cleaned_data["card"]} == cards
        assert cards <= {hit.ruling.subject_slug for hit in context["hits"]}

    def test_invalid_filter_is_reported_and_ignored(self, small, client):
        html = search(client, q="bits", since="yesterday", kind="nonsense", card="qqqqqqqq").text

        assert "Ignored, because the value is invalid" in html
        assert "No card matches" in html
        assert 'href="/rulings/tracing-1/"' in html

    def test_ended_rulings_are_opt_in(self, small, client):
        services.withdraw_ruling(Ruling.objects.get(code="tracing-1"), date(2020, 1, 1))

        assert "tracing-1" not in codes(client, q="bits successful")
        assert "tracing-1" in codes(client, q="bits successful", ended="on")
        assert "Withdrawn" in search(client, q="bits successful", ended="on").text

    def test_local_rulings_need_their_document_or_a_citing_judge(self, small, client):
        document = services.get_local_document("onr")
        local = services.create_local_ruling(
            document, subject="Counting", text="Count the bits aloud."
        )
        services.adopt_ruling(local, timezone.now())

        assert local.code not in codes(client, q="bits")
        assert local.code in codes(client, q="bits", document=document.slug)
        client.force_login(User.objects.create_user(username="mia"))
        assert local.code not in codes(client, q="bits")
        set_citing(client)

        assert local.code in codes(client, q="bits")
        assert "Local ruling" in search(client, q="aloud").text

    def test_empty_document_has_no_results(self, small, client):
        RulingDocument.objects.create(
            slug="house", title="House", kind=DocumentKind.HOUSE, published_on=date(2020, 1, 1)
        )

        assert codes(client, q="bits", document="house") == []


def test_result_can_be_copied_and_cited(small, client):
    set_citing(client, url="/events/x/?report=2#notes")

    html = search(client, q="subroutines").text

    assert "/events/x/?report=2&amp;rulings=R-0007+v1#notes" in html
    assert 'data-copy="#cite-R-0007"' in html
    assert "http://testserver/r/R-0007/1/</textarea>" in html


def test_htmx_request_gets_the_results_alone(shipped, client):
    headers = {"HX-Request": "true"}
    response = client.get(SEARCH, {"q": "lockjaw"}, headers=headers)

    assert b"<html" not in response.content
    assert "HX-Request" in response["Vary"]
    headers["If-None-Match"] = response["ETag"]
    cached_response = client.get(SEARCH, {"q": "lockjaw"}, headers=headers)
    assert (cached_response.status_code, cached_response.content) == (304, b"")
