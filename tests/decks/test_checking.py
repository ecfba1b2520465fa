"""The deck check through API, command and page."""

import html
import json
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from decks.models import DecklistVersion
from tests.decks.asking import check_deck
from tests.decks.lists import CORE_RUNNER_TEXT, RESTORING_TEXT
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/decks/check/"
STANDARD = {"format": "standard", "date": "2025-09-17"}


@pytest.fixture(scope="module", autouse=True)
def _both_games(loaded_anr_cards: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        load_cards("onr")


def check_by_api(**body):
    return APIClient().post(ADDRESS, body, format="json")


CASES = [
    (RESTORING_TEXT, "anr", STANDARD, "anr:standard"),
    (RESTORING_TEXT, "anr", {**STANDARD, "date": "2025-10-03"}, "anr:standard"),
    (RESTORING_TEXT, "anr", {**STANDARD, "date": "2031-01-01"}, "anr:standard"),
    (CORE_RUNNER_TEXT, "anr", {"date": "2025-09-17"}, "anr"),
    (CORE_RUNNER_TEXT, "anr", STANDARD, "anr:standard"),
    ("3 Sure Gamblle\n0 Diesel\n4 Corroder", "anr", {"date": "2025-09-17"}, "anr"),
    (legal_corp_list(), "onr", {"date": "2026-05-01"}, "onr"),
    ("3 Fang\n1 Fnag", "onr", {"date": "2026-05-01"}, "onr"),
]


@pytest.mark.parametrize(("text", "game", "rules", "choice"), CASES)
def test_page_api_and_command_agree(written, text, game, rules, choice):
    answer = check_by_api(text=text, game=game, **rules)
    options = [argument for name, value in rules.items() for argument in (f"--{name}", value)]
    page = Client().post("/decks/check/", {"text": text, "rules": choice, "date": rules["date"]})

    assert answer.status_code == 200
    assert answer.json() == check_deck(written(text), "--game", game, *options)[1]
    assert page.context["verdict"].as_document() == answer.json()
    assert not DecklistVersion.objects.exists()


def test_identity_can_be_given_separately():
    without = CORE_RUNNER_TEXT.split("\n", 1)[1]
    verdict = check_by_api(text=without, game="anr", identity="Noise: Hacker Extraordinaire").json()

    assert (verdict["legal"], verdict["identity"]) == (True, "Noise: Hacker Extraordinaire")
    assert check_by_api(text=without, game="anr").json()["breaches"][0]["code"] == "no_identity"


@pytest.mark.parametrize(
    ("body", "status", "code", "problem_text"),
    [
        ({"text": "3 Fang", "game": "chess"}, 400, "invalid", "chess"),
        ({"text": "3 Fang"}, 400, "invalid", "required"),
        ({"game": "onr"}, 400, "invalid", "required"),
        ({"text": "", "game": "onr"}, 400, "invalid", "blank"),
        ({"text": "x" * 32_769, "game": "onr"}, 400, "invalid", "32,769 bytes; at most 32,768"),
        ({"text": "é" * 20_000, "game": "anr"}, 400, "invalid", "40,000 bytes"),
        ({"text": "3 Fang", "game": "onr", "date": "soon"}, 400, "invalid", "YYYY-MM-DD"),
        ({"text": "3 Fang", "game": "onr", "formt": "x"}, 400, "invalid", "no such field"),
        ({"text": "3 Fang", "game": "onr", "side": "both"}, 400, "invalid", "both"),
        ({"text": "3 Fang", "game": "onr", "corp_minimum": -1}, 400, "invalid", "0"),
        ({"text": "3 Fang", "game": "onr", "format": "standard"}, 409, "rule_of_another_game", ""),
        ({"text": "3 Fang", "game": "onr", "identity": "Noise"}, 409, "rule_of_another_game", ""),
        ({"text": "3 Diesel", "game": "anr", "ban_list": True}, 409, "rule_of_another_game", ""),
        ({"text": "3 Diesel", "game": "anr", "format": "x"}, 409, "unknown_format", "standard"),
        ({"text": "# Nothing", "game": "anr"}, 409, "side_unclear", "no known cards"),
    ],
)
def test_list_that_cannot_be_checked_is_a_problem_with_an_explanation(
    body, status, code, problem_text
):
    answer = check_by_api(**body)
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (status, code)
    assert set(problem) == {"code", "detail", "errors"}
    assert problem_text in json.dumps(problem, ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ({"game": "onr", "side": "corp"}, ["agenda_points", "deck_size"]),
        ({"game": "onr", "side": "corp", "corp_minimum": 0}, ["agenda_points"]),
        ({"game": "anr"}, ["unknown_card", "no_identity", "side_unclear"]),
    ],
)
def test_breaches_depend_on_the_requested_rules(body, codes):
    breaches = check_by_api(text="2 Fang", **body).json()["breaches"]

    assert [breach["code"] for breach in breaches] == codes


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("anr", "Jinteki: Restoring Humanity\n3 Hedge Fund\n1 Sure Gamble\n2 Sure Gambel"),
        ("anr", "Jinteki: Restoring Humanity\n1 Hedge Fund\n1 Sure Gamble\n2 Sure Gambel"),
        ("onr", "# Deck\n3 Tycho Extension\n1 Bodyweight Data Creche\n2 Bodywait Data Creche"),
    ],
)
def test_corp_deck_with_a_runner_card_and_an_unknown_card_reports_both(game, text):
    verdict = check_by_api(text=text, game=game).json()
    lines = {breach["line"]: breach["code"] for breach in verdict["breaches"] if breach["line"]}

    assert verdict["side"] == "corp"
    assert lines == {3: "wrong_side", 4: "unknown_card"}
    assert [line["verdict"] for line in verdict["lines"]][-2:] == ["breach", "unknown"]


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("anr", "1 Hedge Fund\n1 Diesel\n2 Sure Gambel"),
        ("anr", "Jinteki: Restoring Humanty\n1 Hedge Fund\n1 Diesel"),
        ("onr", "1 Tycho Extension\n1 Bodyweight Data Creche\n2 Bodywait Data Creche"),
    ],
)
def test_tie_of_sides_with_an_unknown_line_is_judged_line_by_line(game, text):
    verdict = check_by_api(text=text, game=game).json()
    breaches = {breach["code"]: breach for breach in verdict["breaches"]}

    assert verdict["side"] is None
    assert {"side_unclear"} < set(breaches)
    assert any(code.startswith("unknown_") for code in breaches)
    assert "as many Corp as Runner cards: 1 of each" in breaches["side_unclear"]["message"]


@pytest.fixture
def page(client):
    def post(text="", **fields):
        form_data = {"rules": "anr:standard", "date": "2025-09-17", "text": text, **fields}
        return client.post("/decks/check/", form_data)

    return post


def test_empty_page_offers_games_formats_and_today(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        html = client.get("/decks/check/").content.decode()

    for label in ("Netrunner (1996)", "Standard", "Startup", "Eternal", "basic rules only"):
        assert label in html
    assert f'value="{timezone.localdate().isoformat()}"' in html


def test_page_states_the_span_and_the_lists(page):
    html = page(RESTORING_TEXT).content.decode()

    assert "Legal from 5 August 2022 until 2 October 2025." in html
    assert "card pool Seventh Rotation" in html
    assert "Standard Ban List 25.08" in html
    assert "Jinteki: Restoring Humanity" in html
    banned = page(RESTORING_TEXT, date="2025-10-03")
    assert "Sting! is banned by Standard Ban List 25.10." in unescaped(banned)
    assert "Standard Ban List 25.10, in force since 3 October 2025" in unescaped(banned)
    assert 'id="corp-line-5" class="verdict verdict--breach"' in banned.text


@time_machine.travel("2025-09-17")
def test_page_warns_of_a_list_before_the_event(page):
    response = page(RESTORING_TEXT, date="2025-10-10")

    assert [notice.code for notice in response.context["verdict"].notices] == [
        "list_takes_effect",
        "verdict_changes",
    ]
    assert "before the event on 10 October 2025. Sting! will be banned." in unescaped(response)


def unescaped(response):
    return html.unescape(response.content.decode())


def test_point_breach_marks_every_line_concerned(page):
    text = "Noise: Hacker Extraordinaire\n1 Account Siphon\n1 False Echo\n2 Data Leak Reversal"
    response = page(f"{text}\n1 Deja Vu\n1 Diesel", rules="anr:eternal")
    lines = {line.card: line for line in response.context["verdict"].lines}

    assert lines["Diesel"].verdict == "ok"
    for title in ("Account Siphon", "False Echo", "Data Leak Reversal", "Déjà Vu"):
        assert "8 points: " in lines[title].as_document()["message"]


def test_new_file_takes_precedence_over_the_list_in_the_box(page):
    response = page(CORE_RUNNER_TEXT)
    hidden = {"checked": response.context["form"]["checked"].value()}
    assert f'value="{hidden["checked"]}"' in response.content.decode()

    def with_file(text: str):
        file = SimpleUploadedFile("deck.txt", RESTORING_TEXT.encode())
        return page(text, file=file, **hidden).context

    unchanged = with_file(CORE_RUNNER_TEXT.replace("\n", "\r\n"))
    assert unchanged["verdict"].identity.title == "Jinteki: Restoring Humanity"
    assert unchanged["form"].initial["text"] == RESTORING_TEXT
    changed = with_file(f"{CORE_RUNNER_TEXT}\n1 Diesel")
    assert "Use only one way" in str(changed["form"].non_field_errors())


@pytest.mark.parametrize(
    ("form_data", "field", "problem_text"),
    [
        ({}, None, "Paste the list"),
        ({"text": "3 Diesel", "rules": "anr:modern"}, "rules", "not one of the available"),
        ({"text": "3 Diesel", "date": "soon"}, "date", "Enter a valid date"),
        ({"text": "# Nothing"}, "side", "or choose a side"),
        ({"text": "3 Fang", "rules": "onr", "identity": "Noise"}, "identity", "no identity"),
        ({"address": "https://example.org/1"}, "address", "netrunnerdb.com"),
    ],
)
def test_invalid_input_is_reported_at_its_field(page, form_data, field, problem_text):
    response = page(**form_data)
    form = response.context["form"]

    assert (response.status_code, response.context["verdict"]) == (200, None)
    errors = form.errors[field] if field else form.non_field_errors()
    assert problem_text.lower() in " ".join(errors).lower()


def test_typed_text_is_never_markup(page):
    response = page(
        "<script>alert(1)</script>\n3 <b>Diesel</b>", side="runner", identity="<i>x</i>"
    )

    assert response.context["verdict"].side == "runner"
    for tag in ("<script>alert", "<b>Diesel", "<i>x"):
        assert tag not in response.content.decode()
    assert response.context["verdict"].identity is None


def test_ban_list_of_onr_is_a_choice(page):
    text = f"{legal_corp_list()}\n5 Tycho Extension"

    assert page(text, rules="onr").context["verdict"].legal
    verdict = page(text, rules="onr:ban_list").context["verdict"]
    assert [breach.code for breach in verdict.breaches] == ["banned_card"]


@pytest.mark.parametrize(
    ("text", "rules", "hint"),
    [
        (CORE_RUNNER_TEXT, "onr", "cards of Android: Netrunner"),
        (legal_corp_list(), "anr:standard", "cards of Netrunner (1996)"),
        ("3 Nobody", "onr", ""),
        (CORE_RUNNER_TEXT, "anr:startup", ""),
    ],
)
def test_list_of_another_game_is_recognised(page, text, rules, hint):
    html = page(text, rules=rules).text

    assert ("These look like cards of" in html) is bool(hint)
    assert hint in html


def test_check_needs_few_queries_for_any_list(page, django_assert_max_num_queries):
    page(RESTORING_TEXT)
    for text in (CORE_RUNNER_TEXT, RESTORING_TEXT, "3 Nobody\n" * 20):
        with django_assert_max_num_queries(8):
            page(text)
