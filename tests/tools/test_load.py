"""The load of an evening in small."""

from argparse import Namespace

import pytest

from tools.load.__main__ import evening
from tools.load.forms import hidden_fields
from tools.load.report import Evening, goals_missed, table

PHONES = 12


@pytest.mark.slow
@pytest.mark.goal("G9", "G10")
@pytest.mark.parametrize("nginx", [False, True])
def test_a_dozen_phones_see_a_round_published_and_every_result_counts(
    nginx: bool, monkeypatch: pytest.MonkeyPatch
):
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    asked = Namespace(phones=PHONES, minutes=0.5, nginx=nginx)

    done = evening("SQLite", 2.0, asked)

    assert done.errors == []
    assert done.count("result") == PHONES
    # The wall as well.
    assert done.count("published round") == PHONES + 1


def test_an_evening_without_results_or_a_round_reaches_no_goal():
    nothing = Evening("SQLite", PHONES, 30.0, 2.0, 0.1, 0.1, figures={}, errors=[])

    assert goals_missed(nothing) == [
        "results sent: 0 of 12",
        "until a published round is seen: 0 of 13",
    ]


def test_the_core_counts_between_changes_and_forms_without_an_answer_are_few():
    figures = {"sent again": {"count": 6}}
    busy = Evening("SQLite", 500, 600.0, 60.0, 0.9, 0.7, figures=figures, errors=[])
    calm = Evening("SQLite", 500, 600.0, 60.0, 0.9, 0.1, figures={}, errors=[])

    more = set(goals_missed(busy)) - set(goals_missed(calm))

    assert more == {
        "70% of a core between changes, goal 60 %",
        "forms sent again, for want of an answer: 6",
    }


def test_in_a_rush_results_have_five_seconds_and_polls_have_no_limit():
    slow = {"count": 500, "0.95": 5100.0, "0.99": 5200.0}
    rush = Evening("SQLite", 500, 600.0, 2.0, 0.9, 0.1, {"poll": slow, "result": slow}, [])

    late, *_unseen = goals_missed(rush)

    assert late == "results sent: 5100 ms at 95%, goal 5000 ms"
    assert not any(goal.startswith("polls") for goal in goals_missed(rush))


def test_each_evening_is_a_column_of_the_table():
    shares = {"count": 1200, "0.5": 8.0, "0.95": 180.0, "0.99": 1700.0, "1.0": 3200.0}
    evening = Evening("SQLite", 500, 600.0, 60.0, 0.7, 0.1, figures={"poll": shares}, errors=[])

    rows = table([evening, evening])

    assert rows[0].count("| SQLite, 500 phones, 600 s, rush of 60 s ") == 2
    assert "| polls | 8 / 180 / 1700 / 3200 of 1,200 | 8 / 180 / 1700 / 3200 of 1,200 |" in rows


def test_hidden_fields_are_those_of_the_form_with_that_action():
    page = '<form action="/a/"><input type="hidden" name="seen" value="7"><input name="b"></form>'

    assert hidden_fields(page, "/a/") == {"seen": "7"}
