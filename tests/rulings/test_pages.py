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
from tests.rulings.builders import PREAMBLE, ROWS, digest_of, document_of, page, set_citing

SCRIPT = "<script>alert(1)</script>"
TEXT = "A trace with no bits in it can be successful."


class TestIndex:
    def test_subjects_are_listed_with_counts(self, small, client):
        html = page(client, "/rulings/")

        assert "Corp cards" in html
        assert '<a href="/rulings/subject/tracing/">Tracing</a> <span class="muted numeric">2<' in (
            html
        )
        assert '<a href="/rulings/card/dr-dreff/">Dr. Dreff</a>' in html
        assert 'href="/rulings/booklet/onr/"' in html

    def test_all_shipped_rulings_are_counted(self, shipped, client):
        context = client.get("/rulings/").context

        assert [(section.value, len(rulings)) for section, rulings in context["sections"]] == [
            *(("general", 22), ("corp", 109), ("runner", 141)),
        ]
        assert [(kind.value, kind.count) for kind in context["kinds"]] == [
            *(("", 498), ("ruling", 401), ("errata", 41)),
            *(("unofficial-errata", 1), ("cross-reference", 55)),
        ]

    def test_rulings_can_be_filtered_by_kind(self, small, client):
        html = page(client, "/rulings/?kind=errata")

        assert "Ball and Chain" in html
        assert "Dr. Dreff" not in html
        assert "Dr. Dreff" in page(client, "/rulings/?kind=nonsense")

    def test_empty_index_is_shown(self, db, client):
        assert "No rulings here yet" in page(client, "/rulings/")


class TestRuling:
    def test_page_has_text_marks_sources_and_links(self, small, client):
        html = page(client, "/rulings/dropp-1/")

        assert "All subroutines break, and the run is over." in html
        assert "Reverses an earlier ruling" in html
        assert "<cite>Marc Schmalz (Sparky)</cite>, Netrunner-L" in html
        assert '<time datetime="1996-04-24">24 April 1996</time>' in html
        assert '<a href="/rulings/card/ball-and-chain/">Ball and Chain</a>' in html
        assert "Erratum" in page(client, "/rulings/ball-and-chain-1/")
        assert "Cross-reference" in page(client, "/rulings/dr-dreff-1/")

    def test_page_links_to_referring_rulings_and_neighbours(self, small, client):
        html = page(client, "/rulings/ball-and-chain-1/")
        first = client.get("/rulings/tracing-1/").context
        last = client.get("/rulings/dropp-1/").context

        assert 'href="/rulings/dr-dreff-1/"' in html
        assert 'href="/rulings/dropp-1/"' in html
        assert 'href="/rulings/tracing-2/"' in page(client, "/rulings/public-looks-1/")
        assert (first["before"], str(first["after"])) == (None, "tracing-2")
        assert (str(last["before"]), last["after"]) == ("armadillo-armored-road-home-1", None)

    def test_original_wording_is_shown(self, small_list, client):
        importer.import_original(document_of().encode())

        html = page(client, "/rulings/tracing-1/")

        assert TEXT in html
        assert f"<blockquote>{ROWS[0].wording}</blockquote>" in html

    def test_citation_can_be_copied(self, small, client):
        response = client.get("/rulings/tracing-1/")
        copied = response.context["cite_text"]

        assert f"Tracing: {TEXT}" in copied
        assert "R-0001 v1, Netrunner Rulings v1.62" in copied
        assert "Marc Schmalz (Sparky), Netrunner-L, 1996-04-24" in copied
        assert copied.endswith("http://testserver/r/R-0001/1/")
        assert 'data-copy="#cite-text"' in response.text
        assert 'src="data:image/svg+xml' in response.text

    def test_older_version_is_shown_as_such(self, small, client):
        importer.load_digest([replace(row, text=f"{row.text} Or not.") for row in digest_of()])
        set_citing(client, url="/m/7/")

        old = page(client, "/rulings/tracing-1/v1/")

        assert "Or not." not in old
        assert "newer version" in old
        assert 'href="/m/7/?rulings=R-0001+v1"' in old
        assert "Or not." in page(client, "/rulings/tracing-1/")
        assert "newer version" not in page(client, "/rulings/tracing-1/v2/")
        page(client, "/rulings/tracing-1/v3/", status=404)

    def test_page_links_back_to_the_table(self, small, client):
        set_citing(client, url="/e/spring/match/7/?tab=notes#notes")

        html = page(client, "/rulings/tracing-1/")

        assert 'href="/e/spring/match/7/?tab=notes&amp;rulings=R-0001+v1#notes"' in html
        assert "Cite in table 4" in html

    @pytest.mark.parametrize(
        "url", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
    )
    def test_link_back_never_leaves_the_site(self, small, client, url):
        set_citing(client, url=url)

        assert "Cite in" not in page(client, "/rulings/tracing-1/")


def test_subject_has_a_page_or_redirects_to_its_card(small, client):
    html = page(client, "/rulings/subject/public-looks/")
    assert "public-looks-1" in html
    assert "tracing-2" in html

    response = client.get("/rulings/subject/dropp/")
    assert (response.status_code, response["Location"]) == (302, "/rulings/card/dropp/")
    page(client, "/rulings/subject/none/", status=404)


def test_url_names_are_unambiguous():
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


def test_code_without_a_number_is_refused(small):
    ruling = Ruling.objects.get(code="dropp-1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.filter(pk=ruling.pk).update(code="search")


def test_ruling_text_is_escaped(cards, client):
    importer.load_digest(
        [
            replace(
                row, text=f"{SCRIPT} hostile", mentions=(SCRIPT,), subject=f"{SCRIPT}{row.number}"
            )
            for row in digest_of()
        ]
    )

    for url in ("/rulings/", "/rulings/tracing-1/", "/rulings/search/?q=hostile"):
        html = page(client, url)
        assert SCRIPT not in html
        assert "&lt;script&gt;" in html


def test_admin_is_read_only(small, client, admin_client):
    for model in (model for model in site._registry if model._meta.app_label == "rulings"):
        page(admin_client, reverse(f"admin:rulings_{model._meta.model_name}_changelist"))
    ruling = Ruling.objects.get(code="tracing-1")
    url = reverse("admin:rulings_ruling_change", args=[ruling.pk])

    assert "A trace with no bits" in page(admin_client, url)
    assert admin_client.post(url, {"code": "other-1"}).status_code == 403
    ruling.refresh_from_db()
    assert ruling.code == "tracing-1"


class TestBooklet:
    URL = "/rulings/booklet/onr/"

    def test_every_ruling_in_force_is_printed_once(self, shipped, client):
        html = page(client, self.URL)
        codes = Ruling.objects.values_list("short_code", flat=True)

        assert len(codes) == 498
        assert [code for code in codes if html.count(f">{code}</code>") != 1] == []
        assert "498 rulings in our own words" in html

    def test_sections_are_in_order_with_errata_first(self, shipped):
        sections = get_booklet("onr", date(2026, 11, 21)).sections

        assert [section.name for section in sections] == ["General", "Corp cards", "Runner cards"]
        for section in sections:
            for subject in section.subjects:
                kinds = [line.ruling.kind == "errata" for line in subject.lines]
                assert kinds == sorted(kinds, reverse=True)

    def test_booklet_has_sources_date_and_address_of_the_request(self, small, client):
        html = page(client, self.URL)
        other_host_page = client.get(self.URL, HTTP_HOST="localhost").text

        assert "Marc Schmalz (Sparky), Netrunner-L, 24 April 1996" in html
        assert "Printed on" in html
        assert 'href="http://testserver/rulings/?game=onr"' in html
        assert 'src="data:image/svg+xml' in html
        assert "http://localhost/rulings/" in other_host_page
        assert "testserver" not in other_host_page
        assert "The original wording has not been imported" in page(
            client, f"{self.URL}?wording=original"
        )

    def test_original_wording_and_notice_are_printed_on_request(self, small_list, client):
        importer.import_original(document_of().encode())
        RulingDocument.objects.update(notice=PREAMBLE)

        plain, original = page(client, self.URL), page(client, f"{self.URL}?wording=original")

        assert ROWS[0].wording not in plain
        assert PREAMBLE not in plain
        assert ROWS[0].wording in original
        assert original.count(PREAMBLE) == 1

    def test_local_rulings_and_ended_rulings_are_left_out(self, small, client, time_machine):
        tomorrow = timezone.now() + timedelta(days=1)
        services.withdraw_ruling(Ruling.objects.get(code="tracing-1"), tomorrow.date())
        services.create_local_ruling(
            services.get_local_document("onr"), subject="Counting", text="Count the bits aloud."
        )

        html = page(client, self.URL)
        assert "Count the bits aloud." not in html
        assert TEXT in html
        time_machine.move_to(tomorrow)
        assert TEXT not in page(client, self.URL)

    def test_game_without_rulings_and_unknown_game_have_no_booklet(self, small, client):
        assert "No rulings to print" in page(client, "/rulings/booklet/anr/")
        page(client, "/rulings/booklet/chess/", status=404)
