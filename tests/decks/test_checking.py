"""A list is judged alike by the API, the command and the page."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from decks.models import DecklistVersion
from decks.services import import_cards
from tests.decks.lists import CORE_RUNNER_TEXT, RESTORING_TEXT
from tests.factories.decks import legal_corp_list

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/decks/check/"
STANDARD = {"format": "standard", "date": "2025-09-17"}


@pytest.fixture(scope="module", autouse=True)
def _both_games(anr_loaded: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        import_cards(game="onr")


def asked(**body):
    return APIClient().post(ADDRESS, body, format="json")


def printed(tmp_path, text, *arguments):
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("check_deck", str(path), "--json", *arguments, stdout=out)
    return json.loads(out.getvalue())


CASES = [
    (RESTORING_TEXT, "anr", STANDARD, "anr:standard"),
    (RESTORING_TEXT, "anr", {**STANDARD, "date": "2025-10-03"}, "anr:standard"),
    (CORE_RUNNER_TEXT, "anr", {"date": "2025-09-17"}, "anr"),
    (CORE_RUNNER_TEXT, "anr", STANDARD, "anr:standard"),
    ("3 Sure Gamblle\n0 Diesel\n4 Corroder", "anr", {"date": "2025-09-17"}, "anr"),
    (legal_corp_list(), "onr", {"date": "2026-05-01"}, "onr"),
    ("3 Fang\n1 Fnag", "onr", {"date": "2026-05-01"}, "onr"),
]


@pytest.mark.parametrize(("text", "game", "rules", "choice"), CASES)
def test_page_api_and_command_say_the_same(tmp_path, text, game, rules, choice):
    answer = asked(text=text, game=game, **rules)
    options = [word for name, value in rules.items() for word in (f"--{name}", value)]
    page = Client().post("/decks/check/", {"text": text, "rules": choice, "date": rules["date"]})

    assert answer.status_code == 200
    assert answer.json() == printed(tmp_path, text, "--game", game, *options)
    assert page.context["verdict"].as_document() == answer.json()
    assert not DecklistVersion.objects.exists()


def test_identity_and_rules_may_be_given():
    without = CORE_RUNNER_TEXT.split("\n", 1)[1]
    told = asked(text=without, game="anr", identity="Noise: Hacker Extraordinaire").json()
    small = asked(text="3 Fang", game="onr", side="corp", corp_minimum=3).json()

    assert (told["legal"], told["identity"]) == (True, "Noise: Hacker Extraordinaire")
    assert asked(text=without, game="anr").json()["breaches"][0]["code"] == "no_identity"
    assert [one["code"] for one in small["breaches"]] == ["agenda_points"]


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        ({"text": "3 Fang", "game": "chess"}, 400, "invalid", "chess"),
        ({"text": "3 Fang"}, 400, "invalid", "required"),
        ({"game": "onr"}, 400, "invalid", "required"),
        ({"text": "", "game": "onr"}, 400, "invalid", "blank"),
        ({"text": "x" * 32_769, "game": "onr"}, 400, "invalid", "32,769 bytes; 32,768"),
        ({"text": "é" * 20_000, "game": "anr"}, 400, "invalid", "40,000 bytes"),
        ({"text": "3 Fang", "game": "onr", "date": "soon"}, 400, "invalid", "YYYY-MM-DD"),
        ({"text": "3 Fang", "game": "onr", "formt": "x"}, 400, "invalid", "no such field"),
        ({"text": "3 Fang", "game": "onr", "side": "both"}, 400, "invalid", "both"),
        ({"text": "3 Fang", "game": "onr", "corp_minimum": -1}, 400, "invalid", "0"),
        ({"text": "3 Fang", "game": "onr", "format": "standard"}, 409, "rule_of_another_game", ""),
        ({"text": "3 Fang", "game": "onr", "identity": "Noise"}, 409, "rule_of_another_game", ""),
        ({"text": "3 Diesel", "game": "anr", "ban_list": True}, 409, "rule_of_another_game", ""),
        ({"text": "3 Diesel", "game": "anr", "format": "x"}, 409, "unknown_format", "standard"),
        ({"text": "3 Nobody", "game": "anr"}, 409, "side_unclear", "Line 1: No card is called"),
    ],
)
def test_what_cannot_be_judged_is_a_problem_in_words(body, status, code, words):
    answer = asked(**body)
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (status, code)
    assert set(problem) == {"code", "detail", "errors"}
    assert words in json.dumps(problem, ensure_ascii=False)


def test_a_long_list_costs_the_same_few_queries(django_assert_max_num_queries):
    asked(text=CORE_RUNNER_TEXT, game="anr", **STANDARD)
    with django_assert_max_num_queries(4):
        asked(text=CORE_RUNNER_TEXT, game="anr", **STANDARD)
