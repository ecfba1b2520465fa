from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import kept_figures
from tests.reliability.marks import marked_tests
from tests.reliability.page import PAGE, page


def test_every_check_and_goal_has_a_test():
    shown = {value for test in marked_tests() for value in test.shows}

    assert shown == {*CHECKS, *GOALS}


def test_the_page_is_what_the_tests_say():
    assert PAGE.read_text(encoding="utf-8") == page(), "Run: python -m tests.reliability"


def test_every_kept_figure_is_of_a_test_that_is_there():
    shown = {f"{test.path}::{test.name}" for test in marked_tests()}

    assert {*kept_figures()} <= shown
