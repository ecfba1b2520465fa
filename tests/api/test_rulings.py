"""Rulings over the API: filters, versions, ETags, JSON and text."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from rulings import importer
from rulings import services as rulings_services
from rulings.models import Citation, LinkKind, Ruling, RulingDocument, RulingLink
from tests.rulings.builders import digest_of

pytestmark = pytest.mark.usefixtures("library")
LIST = "/api/v1/rulings/"


def results(api: APIClient, query: str = "") -> list[dict[str, Any]]:
    answer = api.get(f"{LIST}{query}")
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def codes(api: APIClient, query: str = "") -> list[str]:
    return [ruling["code"] for ruling in results(api, query)]


def local_ruling(text: str = "Take the dice away.") -> Ruling:
    document = rulings_services.get_local_document("onr")
    ruling = rulings_services.create_local_ruling(document, subject="Dice", text=text)
    rulings_services.adopt_ruling(ruling, timezone.now())
    return ruling


@pytest.mark.parametrize(
    ("query", "expected_codes"),
    [
        ("?card=dr-dreff", ["dr-dreff-1"]),
        ("?card=Dr. Dreff", ["dr-dreff-1"]),
        ("?card=DR.%20DREFF", ["dr-dreff-1"]),
        ("?card=dr-dreff&game=onr", ["dr-dreff-1"]),
        ("?search=R-0001", ["tracing-1"]),
        ("?search=bits+subroutines&card=dropp", ["dropp-1"]),
        ("?search=subrotines+breaking", ["dropp-1"]),
        ("?game=anr", []),
    ],
)
def test_rulings_are_filtered(api: APIClient, query: str, expected_codes: list[str]):
    assert codes(api, query) == expected_codes


def test_filters_select_every_ruling_by_its_own_values(api: APIClient):
    all_rulings_ = api.get(LIST).json()
    assert all_rulings_["count"] == Ruling.objects.count() == 7
    assert len(codes(api, "?game=onr")) == 7
    assert len(codes(api, f"?document={RulingDocument.objects.get().slug}")) == 7

    for ruling in all_rulings_["results"]:
        query = {name: ruling[name] for name in ("section", "kind", "subject")}
        if ruling["card"]:
            query["card"] = ruling["card"]["slug"]
        filtered = api.get(LIST, query).json()["results"]
        assert ruling in filtered
        assert {row["subject_slug"] for row in filtered} == {ruling["subject_slug"]}


def test_ended_rulings_are_opt_in(api: APIClient):
    tracing, second, dropp = (
        Ruling.objects.get(code=code) for code in ("tracing-1", "tracing-2", "dropp-1")
    )
    tracing.supersedes.add(second, dropp)
    assert codes(api, "?search=subroutines") == []
    assert codes(api, "?search=subroutines&all=true") == ["dropp-1"]
    tracing.supersedes.remove(dropp)
    rulings_services.withdraw_ruling(dropp, date(2000, 1, 1))

    today, in_1999 = codes(api, "?as_of=2020-01-01"), codes(api, "?as_of=1999-12-31")

    assert {"tracing-2", "dropp-1"}.isdisjoint(today)
    assert "dropp-1" in in_1999
    assert "dropp-1" not in codes(api)
    assert "dropp-1" in codes(api, "?all=true")
    withdrawn = api.get(f"{LIST}dropp-1/").json()
    assert (withdrawn["state"], withdrawn["withdrawn_on"]) == ("withdrawn", "2000-01-01")
    superseded = api.get(f"{LIST}tracing-2/").json()
    assert (superseded["state"], superseded["superseded_by"]) == ("superseded", ["R-0001"])
    assert api.get(f"{LIST}R-0001/").json()["supersedes"] == ["R-0002"]


def test_ruling_has_codes_addresses_and_state(api: APIClient):
    ruling = api.get(f"{LIST}tracing-1/").json()

    for code in ("Tracing-1", "R-0001", "r-0001"):
        assert api.get(f"{LIST}{code}/").json() == ruling
    assert ruling["code"] == "tracing-1"
    assert ruling["current"]["text"]
    assert api.get(f"{LIST}dropp-1/").json()["current"]["citations"][0]["authority"]
    assert ruling["versions"][0] == ruling["current"]
    assert ruling["short_code"] == "R-0001"
    assert ruling["short_address"] == "http://testserver/r/R-0001/"
    assert ruling["current"]["short_address"] == "http://testserver/r/R-0001/1/"
    assert (ruling["document_kind"], ruling["game"], ruling["is_local"]) == ("list", "onr", False)
    assert (ruling["state"], ruling["withdrawn_on"]) == ("in_force", None)
    assert (ruling["supersedes"], ruling["superseded_by"]) == ([], [])
    assert ruling["current"]["effective_from"] == "1996-04-24"


def test_ruling_can_be_about_several_cards(api: APIClient):
    ruling = Ruling.objects.get(code="dropp-1")
    chain = Ruling.objects.get(code="ball-and-chain-1").card
    RulingLink.objects.create(
        ruling=ruling, kind=LinkKind.ABOUT, position=1, name="Ball and Chain", card=chain
    )

    body = api.get(f"{LIST}dropp-1/").json()

    assert [card["slug"] for card in body["cards"]] == ["dropp", "ball-and-chain"]
    assert codes(api, "?card=ball-and-chain") == ["ball-and-chain-1", "dropp-1"]


def test_versions_are_listed_and_selected_by_day(api: APIClient):
    first = api.get(f"{LIST}tracing-1/").json()["current"]["text"]
    ruling = Ruling.objects.get(code="tracing-1")
    rulings_services.write_version(
        ruling,
        seen=1,
        text="A trace needs a bit.",
        sources=[],
        in_force_from=date(2001, 1, 1),
        by=None,
        reason="The list was wrong.",
    )

    body = api.get(f"{LIST}tracing-1/").json()
    in_2000 = api.get(f"{LIST}tracing-1/?as_of=2000-12-31").json()
    before = api.get(f"{LIST}tracing-1/?as_of=1990-01-01").json()

    assert [version["number"] for version in body["versions"]] == [2, 1]
    assert body["current"]["text"] == "A trace needs a bit."
    assert body["versions"][0]["reason"] == "The list was wrong."
    assert in_2000["current"]["text"] == first
    assert (before["state"], before["current"]) == ("not_yet", None)
    assert results(api, "?as_of=2000-12-31&subject=tracing")[0]["current"]["text"] == first


def test_local_rulings_are_opt_in(api: APIClient):
    ruling = local_ruling()

    assert ruling.code not in codes(api)
    assert ruling.code in codes(api, "?local=true")
    assert codes(api, f"?document={ruling.document.slug}") == [ruling.code]
    assert api.get(f"{LIST}{ruling.short_code}/").json()["is_local"] is True
    assert ruling.code not in api.get(f"{LIST}all/").content.decode()


def test_related_rulings_have_their_relation(api: APIClient):
    dreff = results(api, "?card=dr-dreff&related=true")
    chain = results(api, "?card=ball-and-chain&related=true")

    assert dreff[0]["code"] == "dr-dreff-1"
    assert [(ruling["code"], ruling["relation"]) for ruling in chain] == [
        ("ball-and-chain-1", "own"),
        ("dropp-1", "mentions"),
        ("dr-dreff-1", "refers"),
    ]
    assert {ruling["relation"] for ruling in results(api, "?card=ball-and-chain")} == {None}


def test_misspelled_card_is_refused_with_the_nearest_title(api: APIClient):
    answer = api.get(f"{LIST}?card=dr-dref")

    assert answer.status_code == 400
    assert "Did you mean Dr. Dreff" in answer.json()["errors"]["card"][0]


def test_rulings_are_filtered_by_authority_and_date(api: APIClient):
    Citation.objects.filter(version__ruling__code="dropp-1").delete()
    version = Ruling.objects.get(code="dropp-1").versions.get()
    version.citations.create(position=1, authority="Tom Wylie", via="JD", date=date(1998, 9, 29))

    assert codes(api, "?authority=wylie") == ["dropp-1"]
    assert codes(api, "?authority=jd&from=1998-09-29&to=1998-09-29") == ["dropp-1"]
    assert codes(api, "?authority=wylie&to=1998-09-28") == []
    assert "dropp-1" not in codes(api, "?to=1998-01-01")
    assert len(codes(api, "?to=1998-01-01")) == 6


@pytest.mark.parametrize(
    ("query", "name", "message"),
    [
        ("?as_of=yesterday", "as_of", "Send a day as year-month-day"),
        ("?from=1998", "from", "Send a day as year-month-day"),
        ("?game=chess", "game", "onr, anr"),
        ("?document=none", "document", "netrunner-rulings"),
        ("?all=1", "all", "true, false"),
        ("?related=true", "related", "Name a card as well"),
        ("?format=xml", "format", "json, txt"),
        ("tracing-1/?as_of=2000-13-01", "as_of", "Send a day as year-month-day"),
        ("tracing-1/?card=x", "card", "as_of, format"),
        ("all/?as_of=1", "as_of", "Send a day as year-month-day"),
        ("all/?search=x", "search", "This parameter does not exist"),
    ],
)
def test_invalid_parameter_is_a_400_with_advice(
    api: APIClient, query: str, name: str, message: str
):
    answer = api.get(f"{LIST}{query}")

    assert answer.status_code == 400
    assert message in answer.json()["errors"][name][0]


def test_rulings_are_available_as_plain_text(api: APIClient):
    answer = api.get(f"{LIST}?format=txt&subject=dropp%20[TM]")

    text = answer.content.decode()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert text.startswith("1 in all\n\nR-0007 Dropp [TM] [ruling]\n    All subroutines break")
    assert "Marc Schmalz (Sparky), Netrunner-L, 1996-04-24" in text
    assert text.endswith("http://testserver/r/R-0007/\n")


def test_accept_header_selects_text(api: APIClient):
    answer = api.get(f"{LIST}R-0001/", HTTP_ACCEPT="text/plain")
    not_acceptable = api.get(f"{LIST}?kind=x", HTTP_ACCEPT="text/plain")

    assert answer.content.decode().startswith("R-0001 Tracing [ruling]\n")
    assert "Accept" in answer.headers["Vary"]
    assert not_acceptable.status_code == 400
    assert not_acceptable.content.decode().startswith("Invalid value: kind.")


def test_all_rulings_in_one_response(api: APIClient):
    all_rulings_ = api.get(f"{LIST}all/").json()
    text = api.get(f"{LIST}all/?format=txt").content.decode()

    assert all_rulings_["count"] == len(all_rulings_["rulings"]) == 7
    assert all_rulings_["rulings"][0]["versions"][0] == all_rulings_["rulings"][0]["current"]
    assert [document["rulings"] for document in all_rulings_["documents"]] == [7]
    assert [text.count(f"\n\nR-000{number} ") for number in range(1, 8)] == [1] * 7
    assert api.get(f"{LIST}all/?as_of=1990-01-01").json()["count"] == 0


def test_documents_have_their_notices(api: APIClient):
    RulingDocument.objects.update(notice="Share it whole.")

    (document,) = api.get(f"{LIST}documents/").json()["results"]

    assert (document["title"], document["notice"]) == ("Netrunner Rulings", "Share it whole.")
    assert "Share it whole." in api.get(f"{LIST}documents/?format=txt").content.decode()
    assert api.get(f"{LIST}tracing-1/").json()["notice"] == "Share it whole."


ADDRESSES = ["", "?format=txt", "?as_of=2000-01-01", "all/", "documents/", "R-0001/", "tracing-1/"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_unchanged_rulings_are_a_304_in_two_queries(
    api: APIClient, django_assert_num_queries: Any, address: str
):
    etag = api.get(f"{LIST}{address}").headers["ETag"]

    with django_assert_num_queries(2):
        repeated = api.get(f"{LIST}{address}", HTTP_IF_NONE_MATCH=etag)

    assert (repeated.status_code, repeated.content, repeated.headers["ETag"]) == (304, b"", etag)


def change_text() -> None:
    code, digest = "tracing-1", digest_of()
    importer.load_digest(
        [
            replace(ruling, text="Another text.") if ruling.code == code else ruling
            for ruling in digest
        ]
    )


def remove_link() -> None:
    RulingLink.objects.filter(ruling__code="tracing-2").delete()


def change_notice() -> None:
    RulingDocument.objects.update(notice="Share it whole.")


def add_successor() -> None:
    Ruling.objects.get(code="tracing-1").supersedes.add(Ruling.objects.get(code="tracing-2"))


def end_ruling() -> None:
    Ruling.objects.filter(code="tracing-1").update(withdrawn_on=date(2000, 1, 1))


@pytest.mark.parametrize(
    "change",
    [
        change_text,
        remove_link,
        change_notice,
        add_successor,
        end_ruling,
        local_ruling,
    ],
)
def test_every_change_changes_the_etags(api: APIClient, change: Any):
    before = {address: api.get(f"{LIST}{address}").headers["ETag"] for address in ADDRESSES}

    change()

    for address, etag in before.items():
        answer = api.get(f"{LIST}{address}", HTTP_IF_NONE_MATCH=etag)
        assert answer.status_code == 200, address
        assert answer.headers["ETag"] != etag


def test_etag_depends_on_the_content_and_its_type(api: APIClient):
    before = api.get(LIST).headers["ETag"]

    importer.load_digest(digest_of())

    assert api.get(LIST).headers["ETag"] == before
    assert api.get(LIST, HTTP_ACCEPT="text/plain").headers["ETag"] != before


def search_of(api: APIClient, query: str) -> Any:
    return api.get(f"{LIST}{query}").json()["search"]


def test_search_reports_its_reach_and_corrections(api: APIClient):
    assert search_of(api, "") is None
    assert search_of(api, "?search=subroutines") == {
        "words": "subroutines",
        "is_corrected": False,
        "reach": "exact",
        "full": 1,
    }
    assert search_of(api, "?search=subrout")["reach"] == "beginnings"
    assert search_of(api, "?search=subroutines+zeppelin")["reach"] == "any"
    assert "No exact match" in api.get(f"{LIST}?search=subrout&format=txt").content.decode()
    corrected = search_of(api, "?search=subrotines+breaking")
    assert (corrected["is_corrected"], corrected["reach"]) == (True, "exact")
    text = api.get(f"{LIST}?search=subrotines+breaking&format=txt").content.decode()
    assert f"Showing results for: {corrected['words']}" in text
