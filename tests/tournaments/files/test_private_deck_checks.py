"""Deck checks come back with an event."""

import pytest

from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import make_event, owner_of, player_number, start_round
from tests.tournaments.files.test_private_part import brought_in, private, refused_at
from tournaments.decklists import deck_checks


def make_scene():
    """Checks of two decks; one was handed in anew since, the other was not looked at yet."""
    event = make_event(4, game="anr")
    owner, round_ = owner_of(event), start_round(event)
    for number in (1, 2, 3, 4):
        submit(player_number(event, number), cards=(plain_card("Hedge Fund", "anr"),))
    table = round_.pairings.first().table_number
    assert table is not None
    found, *_ = deck_checks.pick_table(round_, owner, table).checks.all()
    deck_checks.record_outcome(found, owner, "mended", "A card too many.")
    submit(found.submission.registration)
    deck_checks.draw_tables(round_, owner, 1)
    return event


def checks_in(document):
    return document["event"]["private"]["deck_checks"]


def test_deck_checks_come_back_with_the_list_that_was_checked(event):
    document = private(event)

    again = private(brought_in(document, trusted=True))

    assert checks_in(again) == checks_in(document)
    assert again["event"]["private"]["decks"] == document["event"]["private"]["decks"]
    picked, drawn = checks_in(again)
    assert (picked["seed"], drawn["seed"]) == (None, event.deck_check_draws.last().seed)
    first, second = picked["checks"]
    assert {first["outcome"], second["outcome"]} == {"mended", ""}
    earlier = [one["earlier_list"] for one in picked["checks"] if one["earlier_list"]]
    assert [one["slots"][0]["title"] for one in earlier] == ["Hedge Fund"]


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("player", 99, "[0].checks[0].player"),
        ("side", "runner", "[0].checks[0].player"),
        ("outcome", "sleeved", "[0].checks[0].outcome"),
        ("checked_at", "noon", "[0].checks[0].checked_at"),
        ("earlier_list", {"size": -1}, "[0].checks[0].earlier_list.size"),
    ],
)
def test_a_deck_check_that_cannot_be_is_refused_with_its_place(event, key, value, path):
    document = private(event)
    checks_in(document)[0]["checks"][0][key] = value

    assert refused_at(document) == f"$.event.private.deck_checks{path}"


def test_a_deck_check_is_open_or_has_an_outcome_and_a_moment(event):
    document = private(event)
    at, check = next(
        (at, one) for at, one in enumerate(checks_in(document)[0]["checks"]) if one["outcome"]
    )
    check["checked_at"] = None

    assert refused_at(document) == f"$.event.private.deck_checks[0].checks[{at}].outcome"


def test_draws_and_their_decks_are_there_once(event):
    document, other = private(event), private(event)
    checks_in(document)[1]["number"] = 1
    twin = checks_in(other)[0]["checks"]
    twin[1] |= {"player": twin[0]["player"]}

    assert refused_at(document) == "$.event.private.deck_checks[1].number"
    assert refused_at(other) == "$.event.private.deck_checks[0].checks[1]"
