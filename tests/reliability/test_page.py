from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import kept_figures
from tests.reliability.marks import marked_tests
from tests.reliability.page import PAGE, page


def test_every_check_and_goal_has_a_test():
    marked = {value for test in marked_tests() for value in test.shows}

    assert marked == {*CHECKS, *GOALS}


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "Run: python -m tests.reliability"


def test_every_stored_figure_has_an_existing_test():
    marked = {f"{test.path}::{test.name}" for test in marked_tests()}

    assert {*kept_figures()} <= marked
