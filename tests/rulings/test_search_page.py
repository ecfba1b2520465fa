"""The search page: words, filters, typos and codes."""

from datetime import date

import pytest
from django.utils import timezone

from decks.models import Card
from players.models import User
from rulings import services
from rulings.models import DocumentKind, Ruling, RulingDocument
from tests.rulings.builders import digest_of

SEARCH = "/rulings/search/"
SCRIPT = "<script>alert(1)</script>"


def found(client, **asked):
    """Return the codes of the rulings on the first page, in order."""
    hits = client.get(SEARCH, asked).context.get("hits", [])
    return [hit.ruling.code for hit in hits]


def page(client, **asked):
    response = client.get(SEARCH, asked)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def local(small):
    """A local ruling about bits."""
    document = services.get_local_document("onr")
    ruling = services.create_local_ruling(
        document, subject="Counting", text="Count the bits aloud."
    )
    services.adopt_ruling(ruling, timezone.now())
    return ruling


def test_the_search_finds_cards_topics_and_rulings(small, client):
    assert 'href="/rulings/subject/tracing/">Tracing</a>' in page(client, q="trac")
    assert 'href="/rulings/onr/card/dropp/"' in page(client, q="dropp [tm]")
    assert "<mark>break</mark>" in page(client, q="breaks")
    assert "Nothing found" in page(client, q="zeppelin")


def test_an_empty_search_is_a_form(small, client):
    html = page(client)

    assert 'name="q"' in html
    assert "Nothing found" not in html


def test_a_code_leads_straight_to_its_ruling(small, client):
    ruling = Ruling.objects.get(code="dropp-1")
    serial = int(ruling.short_code[2:])

    for typed in (ruling.code, ruling.short_code, f"r{serial}", f"R {serial}", f"r-{serial}"):
        answer = client.get(SEARCH, {"q": typed})
        assert (answer.status_code, answer["Location"]) == (302, ruling.get_absolute_url()), typed


def test_a_code_with_a_version_leads_to_that_version(small, client):
    ruling = Ruling.objects.get(code="dropp-1")

    answer = client.get(SEARCH, {"q": f"{ruling.short_code} v1"})

    assert answer["Location"] == ruling.versions.get().get_absolute_url()


@pytest.mark.parametrize(
    ("typed", "subject"),
    [("lokjaw", "lockjaw"), ("joan of ark", "joan-of-arc"), ("boardwlak", "boardwalk")],
)
def test_a_mistyped_title_finds_its_card_and_its_rulings(shipped, client, typed, subject):
    context = client.get(SEARCH, {"q": typed}).context

    assert context["cards"][0].slug == subject
    assert context["hits"][0].ruling.subject_slug == subject
    assert context["answer"].is_corrected


def test_mistyped_card_is_searched_with_its_correct_title(shipped, client):
    context = client.get(SEARCH, {"q": "lokjaw"}).context

    assert context["answer"].words == "Lockjaw"
    assert context["hits"][0].ruling.subject == "Lockjaw"
    assert "No results for &ldquo;lokjaw&rdquo;" in page(client, q="lokjaw")


def test_a_mistyped_word_is_corrected(small, client):
    context = client.get(SEARCH, {"q": "subrotines breaking"}).context

    assert context["answer"].is_corrected
    assert [hit.ruling.code for hit in context["hits"]] == ["dropp-1"]


def test_named_card_ranks_errata_then_its_rulings(shipped, client):
    hits = client.get(SEARCH, {"q": "Boardwalk"}).context["hits"]
    card = Card.objects.get(slug="boardwalk", game="onr")
    groups = [
        2 if hit.ruling.card_id != card.pk else int(hit.ruling.kind != "errata") for hit in hits
    ]

    assert groups == sorted(groups)
    assert groups[0] < 2


def test_filters_narrow_the_rulings(shipped, client):
    of_wylie = citations(hits(client, q="runner", authority="wylie"))
    of_1997 = citations(hits(client, since="1997-01-01", until="1997-12-31"))

    assert {hit.ruling.kind for hit in hits(client, q="runner", kind="errata")} == {"errata"}
    assert of_wylie
    assert all(any("Wylie" in said.authority for said in one) for one in of_wylie)
    assert of_1997
    assert all(any(said.date and said.date.year == 1997 for said in one) for one in of_1997)
    assert hits(client, q="runner", game="anr") == []


def hits(client, **asked):
    return client.get(SEARCH, asked).context["hits"]


def citations(hits):
    return [hit.version.citations.all() for hit in hits]


def test_filters_alone_list_rulings(shipped, client):
    assert client.get(SEARCH, {"kind": "errata"}).context["page_obj"].paginator.count == 41


def test_address_can_name_several_cards(shipped, client):
    context = client.get(SEARCH, {"card": ["Lockjaw", "boardwlak"]}).context
    cards = {"lockjaw", "boardwalk"}

    assert {card.slug for card in context["form"].cleaned_data["card"]} == cards
    assert cards <= {hit.ruling.subject_slug for hit in context["hits"]}


def test_invalid_filter_is_reported_and_ignored(small, client):
    html = page(client, q="bits", since="yesterday", kind="nonsense", card="qqqqqqqq")

    assert "Ignored, because the value is invalid" in html
    assert "No card matches" in html
    assert 'href="/rulings/tracing-1/"' in html


def test_ended_rulings_need_a_filter(small, client):
    ruling = Ruling.objects.get(code="tracing-1")
    services.withdraw_ruling(ruling, date(2020, 1, 1))

    assert "tracing-1" not in found(client, q="bits successful")
    assert "tracing-1" in found(client, q="bits successful", ended="on")
    assert "Withdrawn" in page(client, q="bits successful", ended="on")


def test_local_rulings_need_their_document_or_a_citing_judge(local, client):
    assert local.code not in found(client, q="bits")
    assert local.code in found(client, q="bits", document=local.document.slug)

    client.force_login(User.objects.create_user(username="mia"))
    assert local.code not in found(client, q="bits")
    session = client.session
    session["citing"] = {"label": "table 5", "url": "/events/x/"}
    session.save()

    assert local.code in found(client, q="bits")
    assert "Local ruling" in page(client, q="aloud")


def test_a_judge_cites_from_the_results(small, client):
    session = client.session
    session["citing"] = {"label": "table 5, round 3", "url": "/events/x/?report=2#notes"}
    session.save()
    short = Ruling.objects.get(code="dropp-1").short_code

    html = page(client, q="subroutines")

    assert f"/events/x/?report=2&amp;rulings={short}+v1#notes" in html


def test_a_citation_can_be_copied_from_the_results(small, client):
    ruling = Ruling.objects.get(code="dropp-1")
    html = page(client, q="subroutines")

    assert f'data-copy="#cite-{ruling.short_code}"' in html
    assert f"http://testserver/r/{ruling.short_code}/1/</textarea>" in html


def test_htmx_request_gets_the_results_alone(shipped, client):
    answer = client.get(SEARCH, {"q": "lockjaw"}, headers={"HX-Request": "true"})

    assert b"<html" not in answer.content
    assert "HX-Request" in answer["Vary"]
    again = client.get(
        SEARCH,
        {"q": "lockjaw"},
        headers={"HX-Request": "true", "If-None-Match": answer["ETag"]},
    )
    assert (again.status_code, again.content) == (304, b"")


def test_partial_matches_come_after_full_matches(shipped, client):
    context = client.get(SEARCH, {"q": "rez ice"}).context
    full = context["answer"].found.full

    assert full < 20
    assert context["partial"] == context["hits"][full:]
    assert page(client, q="rez ice").count("Partial matches") == 1
    assert client.get(SEARCH, {"q": "rez ice", "page": "2"}).context["partial"]


def test_a_search_has_pages(shipped, client):
    context = client.get(SEARCH, {"q": "runner", "page": "2"}).context

    assert context["page_obj"].number == 2
    assert len(context["hits"]) == 20
    assert client.get(SEARCH, {"q": "runner", "page": "nonsense"}).status_code == 200


@pytest.mark.parametrize("typed", [SCRIPT, '" onfocus="alert(1)', "\0", "'", "{{ 7 }}", "\ufdfa"])
def test_search_text_is_escaped(small, client, typed):
    html = client.get(SEARCH, {"q": typed, "card": typed, "authority": typed}).content.decode()

    assert SCRIPT not in html
    assert 'onfocus="' not in html


def test_a_document_that_is_empty_finds_nothing(small, client):
    RulingDocument.objects.create(
        slug="house", title="House", kind=DocumentKind.HOUSE, published_on=date(2020, 1, 1)
    )

    assert found(client, q="bits", document="house") == []
    assert len(digest_of()) == Ruling.objects.count()
