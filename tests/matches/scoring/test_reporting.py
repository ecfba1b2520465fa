"""What a report of a match lacks, in sentences, and where it is to be entered."""

import pytest

from matches.scoring import reporting
from matches.scoring.reporting import Missing


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        (
            reporting.winner_missing(2, "Not played"),
            Missing("Game 2: choose who won, or Not played.", game=2, seat=None),
        ),
        (
            reporting.agenda_points_missing(1, 2, "Ada"),
            Missing("Game 1: enter the agenda points of Ada; 0 if there were none.", 1, 2),
        ),
        (
            reporting.total_missing(2, "Ada"),
            Missing("Enter the match points of Ada too.", game=None, seat=2),
        ),
        (
            reporting.victory_points_missing(3, "Ada"),
            Missing("Enter the victory points of Ada; 0 if there were none.", game=None, seat=3),
        ),
    ],
)
def test_it_says_what_to_enter_and_where(missing: Missing, wanted: Missing):
    assert missing == wanted


def test_a_number_that_is_not_taken_is_named_with_its_range():
    said = reporting.out_of_range("Agenda points", 7)

    assert said == "Agenda points are a whole number from 0 to 7."
