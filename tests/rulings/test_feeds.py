"""Changes in the rulings: the page, and the Atom feed."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from xml.etree.ElementTree import Element

import pytest
import time_machine
from defusedxml.ElementTree import fromstring
from django.test import Client
from django.utils import timezone

from rulings import importer, services
from rulings.models import Ruling, RulingDocument
from tests.queries import queries_of
from tests.rulings.builders import digest_of, write

ATOM = "{http://www.w3.org/2005/Atom}"
FEED = "/rulings/changes.atom"
PAGE = "/rulings/changes/"
pytestmark = pytest.mark.usefixtures("small")


def entries(client: Client, query: str = "") -> list[Element]:
    response = client.get(f"{FEED}{query}")
    assert response.status_code == 200
    entries_: list[Element] = fromstring(response.content).findall(f"{ATOM}entry")
    return entries_


def texts_of(client: Client, tag: str, query: str = "") -> list[str]:
    return [entry.findtext(f"{ATOM}{tag}") or "" for entry in entries(client, query)]


def ruling_of(code: str) -> Ruling:
    return Ruling.objects.get(code=code)


def rewrite(code: str, text: str, reason: str = "The list was wrong.") -> None:
    write(ruling_of(code), text, reason=reason)


def test_each_new_ruling_is_an_entry(client: Client):
    titles = sorted(texts_of(client, "title"))

    assert len(titles) == 7
    assert titles[0] == "R-0001 Tracing: new ruling"


def test_entry_links_to_the_quoted_version(client: Client):
    rewrite("dropp-1", "Nothing breaks.")

    newest = entries(client)[0]
    link = newest.find(f"{ATOM}link")

    assert newest.findtext(f"{ATOM}title") == "R-0007 Dropp [TM]: version 2"
    assert newest.findtext(f"{ATOM}summary") == (
        "<p>Nothing breaks.</p>\n\n<p>Why: The list was wrong.</p>"
    )
    assert link is not None
    assert client.get(link.attrib["href"]).text.count("Nothing breaks.") > 0


def test_entry_ids_are_permanent_and_unique(client: Client):
    before = set(texts_of(client, "id"))

    rewrite("dropp-1", "Nothing breaks.")
    ruling_of("tracing-1").supersedes.add(ruling_of("tracing-2"))
    services.withdraw_ruling(ruling_of("dropp-1"), date(2020, 1, 1))
    after = texts_of(client, "id")

    assert before < set(after)
    assert len(set(after)) == len(after) == 10
    assert f"tag:testserver,2026-01-01:rulings/{ruling_of('dropp-1').short_code}/2" in after


def test_superseded_and_withdrawn_rulings_are_entries(client: Client):
    ruling_of("tracing-1").supersedes.add(ruling_of("tracing-2"))
    services.withdraw_ruling(ruling_of("dropp-1"), date(2020, 1, 1))

    titles = texts_of(client, "title")

    assert "R-0002 Tracing: superseded by R-0001" in titles
    assert titles[-1] == "R-0007 Dropp [TM]: withdrawn"
    assert texts_of(client, "updated")[-1].startswith("2020-01-01")


def test_imported_list_is_a_single_entry(client: Client):
    first = digest_of()[0]
    further_rulings = [replace(first, code=f"tracing-{n}", number=n) for n in range(8, 40)]

    importer.load_digest([*digest_of(), *further_rulings])

    assert texts_of(client, "title") == ["Netrunner Rulings v1.62: 39 new rulings"]
    assert "39 new rulings" in client.get(PAGE).text


def test_local_rulings_are_left_out(client: Client):
    services.create_local_ruling(
        services.get_local_document("onr"), subject="Dice", text="Take them away."
    )

    assert not [title for title in texts_of(client, "title") if "Dice" in title]
    assert "Dice" not in client.get(PAGE).text


def test_changes_can_be_filtered_by_game(client: Client):
    assert len(texts_of(client, "title", "?game=onr")) == 7
    assert texts_of(client, "title", "?game=anr") == []
    assert client.get(f"{FEED}?game=chess").status_code == 404
    assert client.get(f"{PAGE}?game=chess").status_code == 404
    assert "Nothing has changed yet" in client.get(f"{PAGE}?game=anr").text


def test_future_withdrawal_appears_on_its_day(client: Client):
    day = timezone.localdate() + timedelta(days=3)
    services.withdraw_ruling(ruling_of("dropp-1"), day)
    before = client.get(FEED)
    noon = datetime.combine(day, datetime.min.time(), timezone.get_current_timezone())

    with time_machine.travel(noon + timedelta(hours=12), tick=False):
        after = client.get(FEED, HTTP_IF_NONE_MATCH=before.headers["ETag"])

    assert b"Dropp [TM]: withdrawn" not in before.content
    assert after.status_code == 200
    assert b"R-0007 Dropp [TM]: withdrawn" in after.content


def test_unchanged_feed_is_a_304(client: Client, django_assert_num_queries: Any):
    first = client.get(FEED)
    assert first["Cache-Control"] == "no-cache"
    with django_assert_num_queries(2):
        by_etag = client.get(FEED, HTTP_IF_NONE_MATCH=first.headers["ETag"])
    by_date = client.get(FEED, HTTP_IF_MODIFIED_SINCE=first.headers["Last-Modified"])

    rewrite("dropp-1", "Nothing breaks.")
    changed = client.get(FEED, HTTP_IF_NONE_MATCH=first.headers["ETag"])

    assert (by_etag.status_code, by_date.status_code) == (304, 304)
    assert changed.status_code == 200


def test_feed_has_the_time_of_its_latest_change(client: Client):
    with time_machine.travel(timezone.now() + timedelta(days=3), tick=False):
        rewrite("dropp-1", "Nothing breaks.")
        current_time = timezone.now()

    updated = fromstring(client.get(FEED).content).findtext(f"{ATOM}updated")

    assert abs(datetime.fromisoformat(updated) - current_time) < timedelta(seconds=1)


def test_characters_forbidden_in_xml_are_removed(client: Client):
    rewrite("dropp-1", "Nothing \x0b breaks & <b>all</b> stays.")

    (summary, *_) = texts_of(client, "summary")
    assert summary.startswith("<p>Nothing  breaks &amp; &lt;b&gt;all&lt;/b&gt; stays.</p>")


def test_page_lists_changes_with_reasons(client: Client):
    rewrite("dropp-1", "Nothing breaks.")

    page = client.get(PAGE).text

    assert "1 new version" in page
    assert 'href="/rulings/dropp-1/changes/?to=2"' in page
    assert "(The list was wrong.)" in page
    assert client.get("/rulings/dropp-1/changes/?to=2").status_code == 200
    link = f'title="Rulings: what has changed" href="{FEED}"'
    assert link in page
    assert link in client.get("/rulings/cited/").text


@pytest.mark.parametrize("address", [PAGE, FEED])
def test_queries_do_not_grow_with_the_changes(client: Client, address: str):
    rewrite("dropp-1", "Nothing breaks.")
    ruling_of("tracing-1").supersedes.add(ruling_of("tracing-2"))
    services.withdraw_ruling(ruling_of("dropp-1"), date(2020, 1, 1))
    few_queries = queries_of(client.get, address)

    for number in range(4):
        rewrite("public-looks-1", f"Text {number}.")
        services.withdraw_ruling(ruling_of("public-looks-1"), date(2020, 1, 2))
    ruling_of("tracing-1").supersedes.add(ruling_of("public-looks-1"))

    assert queries_of(client.get, address) == few_queries <= 20


def test_many_days_have_pages(client: Client):
    document = RulingDocument.objects.get()
    for number in range(40):
        with time_machine.travel(datetime(2030, 1, 1) + timedelta(days=number), tick=False):  # noqa: DTZ001
            services.create_local_ruling(document, subject="Dice", text=f"Number {number}.")

    assert "Page 1 of 2" in client.get(PAGE).text
    assert client.get(f"{PAGE}?page=2").status_code == 200
    assert len(entries(client)) == 47
