"""Messages about missing input, and where it is entered."""

import pytest

from matches.scoring import rules
from matches.scoring.rules import MissingInput


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        (
            rules.winner_missing(2, "Not played"),
            MissingInput("Game 2: choose who won, or Not played.", game=2, seat=None),
        ),
        (
            rules.agenda_points_missing(1, 2, "Ada"),
            MissingInput("Game 1: enter the agenda points of Ada; 0 if there were none.", 1, 2),
        ),
        (
            rules.total_missing(2, "Ada"),
            MissingInput("Enter the match points of Ada too.", game=None, seat=2),
        ),
        (
            rules.victory_points_missing(3, "Ada"),
            MissingInput(
                "Enter the victory points of Ada; 0 if there were none.", game=None, seat=3
            ),
        ),
    ],
)
def test_missing_input_has_message_game_and_seat(missing: MissingInput, wanted: MissingInput):
    assert missing == wanted


def test_a_number_that_is_not_taken_is_named_with_its_range():
    said = rules.out_of_range_message("Agenda points", 7)

    assert said == "Agenda points are a whole number from 0 to 7."
