"""All rulings of a game on paper."""

from datetime import date

from rulings import importer, services
from rulings.models import Ruling, RulingDocument
from rulings.queries.booklet import booklet
from tests.rulings.builders import PREAMBLE, ROWS, document_of

BOOKLET = "/rulings/booklet/onr/"
TODAY = date(2026, 11, 21)


def printed(client, **asked):
    response = client.get(BOOKLET, asked)
    assert response.status_code == 200
    return response.content.decode()


def test_every_ruling_in_force_is_printed_once(shipped, client):
    html = printed(client)
    codes = Ruling.objects.values_list("short_code", flat=True)

    assert len(codes) == 498
    assert [code for code in codes if html.count(f">{code}</code>") != 1] == []
    assert "498 rulings in our own words" in html


def test_sections_and_subjects_are_in_order_and_errata_first(shipped):
    sections = booklet("onr", TODAY).sections

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


def test_the_original_wording_comes_when_asked_with_its_notice(small_list, client):
    importer.import_original(document_of().encode())
    RulingDocument.objects.update(notice=PREAMBLE)

    assert ROWS[0].wording not in printed(client)
    assert PREAMBLE not in printed(client)
    html = printed(client, wording="original")
    assert ROWS[0].wording in html
    assert html.count(PREAMBLE) == 1


def test_it_says_when_no_original_wording_is_there(small, client):
    assert "No original wording has been imported" in printed(client, wording="original")


def test_what_has_ended_and_what_is_local_is_left_out(small, client):
    services.withdraw_ruling(Ruling.objects.get(code="tracing-1"), date(2020, 1, 1))
    services.new_ruling(
        services.local_document("onr"), subject="Counting", text="Count the bits aloud."
    )
    html = printed(client)

    assert "A trace with no bits in it can be successful." not in html
    assert "Count the bits aloud." not in html


def test_a_game_without_rulings_and_one_that_is_none(small, client):
    assert b"No rulings to print" in client.get("/rulings/booklet/anr/").content
    assert client.get("/rulings/booklet/chess/").status_code == 404


def test_the_index_leads_to_it(small, client):
    assert f'href="{BOOKLET}"' in client.get("/rulings/").content.decode()
