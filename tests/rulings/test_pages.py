"""The public pages of rulings, and the booklet."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.contrib.admin.sites import site
from django.db import IntegrityError, transaction
from django.urls import resolve, reverse
from django.utils import timezone

from rulings import importer, services
from rulings.models import Ruling, RulingDocument
from rulings.queries import get_booklet
from tests.rulings.builders import PREAMBLE, ROWS, digest_of, document_of, page

SCRIPT = "<script>alert(1)</script>"


def test_the_index_lists_subjects_with_counts(small, client):
    html = page(client, "/rulings/")

    assert "Corp cards" in html
    assert '<a href="/rulings/subject/tracing/">Tracing</a> <span class="muted numeric">2<' in html
    assert '<a href="/rulings/card/dr-dreff/">Dr. Dreff</a>' in html


def test_index_counts_all_shipped_rulings(shipped, client):
    context = client.get("/rulings/").context

    assert [(section.value, len(found)) for section, found in context["sections"]] == [
        *(("general", 22), ("corp", 109), ("runner", 141)),
    ]
    assert [(one.value, one.count) for one in context["kinds"]] == [
        *(("", 498), ("ruling", 401), ("errata", 41)),
        *(("unofficial-errata", 1), ("cross-reference", 55)),
    ]


def test_the_index_can_show_one_kind_only(small, client):
    html = page(client, "/rulings/?kind=errata")

    assert "Ball and Chain" in html
    assert "Dr. Dreff" not in html
    assert "Dr. Dreff" in page(client, "/rulings/?kind=nonsense")


def test_empty_index_has_a_message(db, client):
    assert "No rulings here yet" in page(client, "/rulings/")


def test_a_ruling_shows_text_marks_sources_and_links(small, client):
    html = page(client, "/rulings/dropp-1/")

    assert "All subroutines break, and the run is over." in html
    assert "Reverses an earlier ruling" in html
    assert "<cite>Marc Schmalz (Sparky)</cite>, Netrunner-L" in html
    assert '<time datetime="1996-04-24">24 April 1996</time>' in html
    assert '<a href="/rulings/card/ball-and-chain/">Ball and Chain</a>' in html
    assert "Erratum" in page(client, "/rulings/ball-and-chain-1/")
    assert "Cross-reference" in page(client, "/rulings/dr-dreff-1/")


def test_ruling_lists_rulings_that_name_it(small, client):
    html = page(client, "/rulings/ball-and-chain-1/")

    assert 'href="/rulings/dr-dreff-1/"' in html
    assert 'href="/rulings/dropp-1/"' in html
    assert 'href="/rulings/tracing-2/"' in page(client, "/rulings/public-looks-1/")


def test_a_ruling_leads_to_its_neighbours_in_the_list(small, client):
    first = client.get("/rulings/tracing-1/").context
    last = client.get("/rulings/dropp-1/").context

    assert (first["before"], str(first["after"])) == (None, "tracing-2")
    assert (str(last["before"]), last["after"]) == ("armadillo-armored-road-home-1", None)


def test_original_wording_is_shown_with_ours(small_list, client):
    importer.import_original(document_of().encode())

    html = page(client, "/rulings/tracing-1/")

    assert "A trace with no bits in it can be successful." in html
    assert f"<blockquote>{ROWS[0].wording}</blockquote>" in html


def test_a_citation_to_copy_has_text_code_date_and_address(small, client):
    copied = client.get("/rulings/tracing-1/").context["cite_text"]

    assert "Tracing: A trace with no bits in it can be successful." in copied
    assert "R-0001 v1, Netrunner Rulings v1.62" in copied
    assert "Marc Schmalz (Sparky), Netrunner-L, 1996-04-24" in copied
    assert copied.endswith("http://testserver/r/R-0001/1/")
    html = page(client, "/rulings/tracing-1/")
    assert 'data-copy="#cite-text"' in html
    assert 'src="data:image/svg+xml' in html


def test_an_older_version_keeps_its_address(small, client):
    importer.load_digest([replace(one, text=f"{one.text} Or not.") for one in digest_of()])

    old = page(client, "/rulings/tracing-1/v1/")

    assert "Or not." not in old
    assert "newer version" in old
    assert "Or not." in page(client, "/rulings/tracing-1/")
    assert "newer version" not in page(client, "/rulings/tracing-1/v2/")
    page(client, "/rulings/tracing-1/v3/", status=404)


def test_a_subject_is_a_page_or_leads_to_its_card(small, client):
    html = page(client, "/rulings/subject/public-looks/")
    assert "public-looks-1" in html
    assert "tracing-2" in html

    response = client.get("/rulings/subject/dropp/")
    assert response.status_code == 302
    assert response["Location"] == "/rulings/card/dropp/"
    page(client, "/rulings/subject/none/", status=404)


def test_addresses_do_not_clash():
    names = {
        "/rulings/search/": "search",
        "/rulings/card/search/": "card",
        "/rulings/subject/card/": "subject",
        "/rulings/card-1/": "ruling",
        "/rulings/search-1/v2/": "version",
        "/rulings/search-1/changes/": "changes",
        "/rulings/search-1/edit/": "edit",
        "/rulings/anr/card/search/": "game_card",
        "/rulings/anr/subject/search/": "game_subject",
        "/rulings/documents/card/": "document",
        "/r/R-0001/": "ruling_short",
        "/r/r-0001/2/": "ruling_short_version",
    }
    assert {url: resolve(url).url_name for url in names} == names


def test_no_ruling_can_take_the_address_of_a_page(small):
    ruling = Ruling.objects.get(code="dropp-1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.filter(pk=ruling.pk).update(code="search")


def test_ruling_text_is_escaped(cards, client):
    hostile = [
        replace(one, text=f"{SCRIPT} hostile", mentions=(SCRIPT,), subject=f"{SCRIPT}{one.number}")
        for one in digest_of()
    ]
    importer.load_digest(hostile)

    for url in ("/rulings/", "/rulings/tracing-1/", "/rulings/search/?q=hostile"):
        html = page(client, url)
        assert SCRIPT not in html
        assert "&lt;script&gt;" in html


def set_citing(client, **citing):
    session = client.session
    session["citing"] = citing
    session.save()


def test_judge_can_return_with_a_ruling(small, client):
    set_citing(client, label="table 4", url="/e/spring/match/7/?tab=notes#notes")

    html = page(client, "/rulings/tracing-1/")

    assert 'href="/e/spring/match/7/?tab=notes&amp;rulings=R-0001+v1#notes"' in html
    assert "Cite in table 4" in html


def test_judge_can_return_with_an_older_version(small, client):
    importer.load_digest([replace(one, text=f"{one.text} Or not.") for one in digest_of()])
    set_citing(client, label="table 4", url="/m/7/")

    assert 'href="/m/7/?rulings=R-0001+v1"' in page(client, "/rulings/tracing-1/v1/")


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_the_way_back_never_leaves_the_site(small, client, url):
    set_citing(client, label="table 4", url=url)

    assert "Cite in" not in page(client, "/rulings/tracing-1/")


def test_admin_is_read_only(small, client, admin_client):
    for model in (model for model in site._registry if model._meta.app_label == "rulings"):
        page(admin_client, reverse(f"admin:rulings_{model._meta.model_name}_changelist"))
    ruling = Ruling.objects.get(code="tracing-1")
    url = reverse("admin:rulings_ruling_change", args=[ruling.pk])

    assert "A trace with no bits" in page(admin_client, url)
    assert admin_client.post(url, {"code": "other-1"}).status_code == 403
    ruling.refresh_from_db()
    assert ruling.code == "tracing-1"


BOOKLET = "/rulings/booklet/onr/"
TODAY = date(2026, 11, 21)


def printed(client, query=""):
    return page(client, f"{BOOKLET}{query}")


def test_every_ruling_in_force_is_printed_once(shipped, client):
    html = printed(client)
    codes = Ruling.objects.values_list("short_code", flat=True)

    assert len(codes) == 498
    assert [code for code in codes if html.count(f">{code}</code>") != 1] == []
    assert "498 rulings in our own words" in html


def test_booklet_is_ordered_with_errata_first(shipped):
    sections = get_booklet("onr", TODAY).sections

    assert [(one.name, len(one.subjects)) for one in sections] == [
        *(("General", 22), ("Corp cards", 109), ("Runner cards", 141)),
    ]
    for section in sections:
        for subject in section.subjects:
            kinds = [line.ruling.kind == "errata" for line in subject.lines]
            assert kinds == sorted(kinds, reverse=True)


def test_codes_sources_day_and_address_are_printed(small, client):
    html = printed(client)

    assert "Marc Schmalz (Sparky), Netrunner-L, 24 April 1996" in html
    assert "Printed on" in html
    assert 'href="http://testserver/rulings/?game=onr"' in html
    assert 'src="data:image/svg+xml' in html


def test_booklet_has_original_wording_and_notice_on_request(small_list, client):
    importer.import_original(document_of().encode())
    RulingDocument.objects.update(notice=PREAMBLE)

    assert ROWS[0].wording not in printed(client)
    assert PREAMBLE not in printed(client)
    html = printed(client, "?wording=original")
    assert ROWS[0].wording in html
    assert html.count(PREAMBLE) == 1


def test_booklet_says_that_there_is_no_original_wording(small, client):
    assert "The original wording is not imported" in printed(client, "?wording=original")


def test_booklet_has_no_ended_or_local_rulings(small, client):
    services.withdraw_ruling(Ruling.objects.get(code="tracing-1"), date(2020, 1, 1))
    services.create_local_ruling(
        services.get_local_document("onr"), subject="Counting", text="Count the bits aloud."
    )
    html = printed(client)

    assert "A trace with no bits in it can be successful." not in html
    assert "Count the bits aloud." not in html


def test_booklet_shows_the_address_of_the_request(small, client):
    assert "http://testserver/rulings/" in printed(client)
    other = client.get(BOOKLET, HTTP_HOST="localhost").content.decode()

    assert "http://localhost/rulings/" in other
    assert "testserver" not in other


def test_booklet_of_tomorrow_has_no_ruling_that_ends_tomorrow(small, client, time_machine):
    tomorrow = timezone.now() + timedelta(days=1)
    services.withdraw_ruling(Ruling.objects.get(code="tracing-1"), tomorrow.date())
    words = "A trace with no bits in it can be successful."

    assert words in printed(client)
    time_machine.move_to(tomorrow)
    assert words not in printed(client)


def test_booklet_of_a_game_without_rulings_and_of_an_unknown_game(small, client):
    assert b"No rulings to print" in client.get("/rulings/booklet/anr/").content
    assert client.get("/rulings/booklet/chess/").status_code == 404


def test_the_index_leads_to_the_booklet(small, client):
    assert f'href="{BOOKLET}"' in client.get("/rulings/").content.decode()
