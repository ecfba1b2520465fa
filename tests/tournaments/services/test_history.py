"""What an entry of the log is about, and what it takes back."""

import pytest

from tests.factories.tournaments import (
    enter_result,
    games_for,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
)
from tournaments import history
from tournaments.models import Pairing, Tournament
from tournaments.services import rounds


@pytest.fixture
def event() -> Tournament:
    return make_event(players=3)


def test_a_table_is_found_by_its_round_too(event: Tournament):
    pairing = table(start_round(event), 1)
    enter_result(pairing, games_for(pairing))

    entry = event.log.get(action="result entered")

    assert (entry.pairing, entry.round) == (pairing, pairing.round)
    assert entry.subject == "round 1, table 1"
    assert entry.after["seats"] == [seat.player.name for seat in pairing.match.seats.all()]


def test_a_bye_is_found_by_its_player(event: Tournament):
    bye = Pairing.objects.get(round=start_round(event), match=None)

    entry = history.record(event, owner_of(event), "looked at", bye)

    assert (entry.registration, entry.subject) == (bye.bye, f"round 1, bye of {bye.bye.player}")


def test_words_of_a_caller_may_be_about_a_row(event: Tournament):
    ada = player_number(event, 1)

    entry = history.record(event, owner_of(event), "waved at", "the door", about=ada)

    assert (entry.subject, entry.registration) == ("the door", ada)


def test_only_the_first_change_takes_an_entry_back(event: Tournament):
    round_ = play_round(event)
    closed = event.log.get(action="round closed")

    with history.taking_back(closed):
        rounds.reopen(round_, owner_of(event), "Too early")
        later = history.record(event, owner_of(event), "waved at")
    after = history.record(event, owner_of(event), "waved at")

    assert closed.undone_by.action == "round reopened"
    assert (later.undoes, after.undoes) == (None, None)
