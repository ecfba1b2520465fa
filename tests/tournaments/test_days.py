"""What a player is told of their day."""

import pytest

from tests.factories.tournaments import get_round, make_event, play_round, player_number
from tournaments.models import Standing
from tournaments.sheets.days import day_of

pytestmark = pytest.mark.django_db


def test_who_is_in_no_newer_standings_keeps_the_old_ones():
    tournament = make_event(players=4)
    play_round(tournament)
    play_round(tournament)
    gone = player_number(tournament, 1)
    Standing.objects.filter(registration=gone, snapshot__round__number=2).delete()

    day = day_of(gone, get_round(tournament, 2))

    assert [line.round.number for line in day.rounds] == [1, 2]
    assert day.standing.snapshot.round.number == 1
