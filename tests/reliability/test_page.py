import re

from tests.live_site import ROOT
from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import last_figures
from tests.reliability.marks import marked_tests
from tests.reliability.table import TABLE, table


def test_every_check_and_goal_has_a_test():
    marked = {value for test in marked_tests() for value in test.shows}

    assert marked == {*CHECKS, *GOALS}


def test_table_is_up_to_date():
    assert TABLE.read_text(encoding="utf-8") == table(), "Run: python -m tests.reliability"


def test_page_explains_every_goal():
    page = (ROOT / "docs" / "dev" / "reliability.md").read_text(encoding="utf-8")

    assert set(re.findall(r"\bG\d+\b", page)) == set(GOALS)


def test_every_stored_figure_has_an_existing_test():
    marked = {f"{test.path}::{test.name}" for test in marked_tests()}

    assert {*last_figures()} <= marked
