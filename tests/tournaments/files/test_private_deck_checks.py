"""Deck checks in documents."""

import pytest

from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import make_event, owner_of, player_number, start_round
from tests.tournaments.files.test_private_part import import_document, path_of_refusal, private
from tournaments.decklists import deck_checks


def make_scene():
    """Checks of two decks: one deck was replaced since, the other check is open."""
    event = make_event(4, game="anr")
    owner, round_ = owner_of(event), start_round(event)
    for number in (1, 2, 3, 4):
        submit(player_number(event, number), cards=(plain_card("Hedge Fund", "anr"),))
    table = round_.pairings.first().table_number
    assert table is not None
    check, *_ = deck_checks.pick_table(round_, owner, table).checks.all()
    deck_checks.record_outcome(check, owner, "mended", "A card too many.")
    submit(check.submission.registration)
    deck_checks.draw_tables(round_, owner, 1)
    return event


def checks_in(document):
    return document["event"]["private"]["deck_checks"]


def test_deck_checks_are_restored_with_the_checked_list(event):
    document = private(event)

    again = private(import_document(document, trusted=True))

    assert checks_in(again) == checks_in(document)
    assert again["event"]["private"]["decks"] == document["event"]["private"]["decks"]
    picked, drawn = checks_in(again)
    assert (picked["seed"], drawn["seed"]) == (None, event.deck_check_draws.last().seed)
    first, second = picked["checks"]
    assert {first["outcome"], second["outcome"]} == {"mended", ""}
    earlier = [check["earlier_list"] for check in picked["checks"] if check["earlier_list"]]
    assert [deck["slots"][0]["title"] for deck in earlier] == ["Hedge Fund"]


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
def test_invalid_deck_check_is_refused_with_its_path(event, key, value, path):
    document = private(event)
    checks_in(document)[0]["checks"][0][key] = value

    assert path_of_refusal(document) == f"$.event.private.deck_checks{path}"


def test_outcome_requires_a_time(event):
    document = private(event)
    index, check = next(
        (index, check)
        for index, check in enumerate(checks_in(document)[0]["checks"])
        if check["outcome"]
    )
    check["checked_at"] = None

    assert path_of_refusal(document) == f"$.event.private.deck_checks[0].checks[{index}].outcome"


def test_duplicate_draws_and_decks_are_refused(event):
    document, duplicate = private(event), private(event)
    checks_in(document)[1]["number"] = 1
    checks = checks_in(duplicate)[0]["checks"]
    checks[1] |= {"player": checks[0]["player"]}

    assert path_of_refusal(document) == "$.event.private.deck_checks[1].number"
    assert path_of_refusal(duplicate) == "$.event.private.deck_checks[0].checks[1]"
