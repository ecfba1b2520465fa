"""The page for pairing by hand."""

import re
from typing import Any

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import draft_round, make_event, make_user, start_round, table
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import HTMX, path, text_of
from tournaments.models import Round, Tournament

HAND = "rounds/1/draft/by-hand/"
ALL_FOUR = {"seat-1-1": "1", "seat-1-2": "2", "seat-2-1": "3", "seat-2-2": "4"}


def make_scene() -> Tournament:
    return make_event(players=4, owner=make_user(OWNER), system="manual")


def names_at(draft: Round, number: int) -> list[str]:
    return [seat.player.name for seat in table(draft, number).match.seats.order_by("position")]


def seen_version(page: Any) -> str:
    match = re.search(r'name="seen" value="(\d+)"', page.text)
    assert match is not None
    return match[1]


def test_empty_draft_links_to_pairing_by_hand(desk: Client, event: Tournament, draft: Round):
    page = desk.get(path(event, "rounds/1/draft/"))

    assert "Nobody is seated yet" in text_of(page)
    assert path(event, HAND) in page.content.decode()
    assert "Table 2" in text_of(desk.get(path(event, HAND)))


def test_chosen_seats_are_saved(desk: Client, event: Tournament, draft: Round):
    answer = desk.post(path(event, HAND), {**ALL_FOUR, "action": "save"})

    assert answer["Location"] == path(event, "rounds/1/draft/")
    assert names_at(draft, 1) == ["Ada", "Bo"]
    assert names_at(draft, 2) == ["Cy", "Di"]
    assert "The first player is Corp in game 1." in text_of(desk.get(answer["Location"]))


def test_unseated_players_require_confirmation(desk: Client, event: Tournament, draft: Round):
    sent = {"seat-1-1": "1", "seat-1-2": "2", "action": "save"}

    question = desk.post(path(event, HAND), sent)

    assert question.status_code == 422
    assert "Cy has no table and no bye." in text_of(question)
    assert not draft.pairings.exists()
    desk.post(path(event, HAND), {**sent, "confirmed": "yes"})
    assert names_at(draft, 1) == ["Ada", "Bo"]


def test_change_shows_its_warnings_without_saving(desk: Client, event: Tournament, draft: Round):
    sent = {"seat-1-1": "1", "seat-1-2": "1", "bye": "2"}

    answer = desk.post(path(event, HAND), sent, headers=HTMX)

    words = text_of(answer)
    assert "Ada has two places in this round." in words
    assert "Cy has no table and no bye." in words
    assert "<html" not in answer.content.decode()
    assert not draft.pairings.exists()


@pytest.mark.parametrize("typed", ["99", "nobody at all", "1e3", "٣"])
def test_unknown_player_cannot_be_seated(desk: Client, event: Tournament, draft: Round, typed: str):
    answer = desk.post(path(event, HAND), {**ALL_FOUR, "seat-1-1": typed, "action": "save"})

    assert answer.status_code == 422
    assert f'"{typed}" is not an available player.' in text_of(answer)
    assert not draft.pairings.exists()


def test_seats_accept_names(desk: Client, event: Tournament, draft: Round):
    desk.post(
        path(event, HAND), {**ALL_FOUR, "seat-1-1": "ada", "seat-1-2": "2 Bo", "action": "save"}
    )

    assert names_at(draft, 1) == ["Ada", "Bo"]


def test_added_table_keeps_the_chosen_players(desk: Client, event: Tournament, draft: Round):
    page = desk.post(path(event, HAND), {**ALL_FOUR, "action": "add"}).content.decode()

    assert "Table 3" in page
    assert re.search(r'<option value="4" selected>Di', page)


def test_pairing_by_hand_from_an_outdated_page_is_refused(
    desk: Client, event: Tournament, draft: Round
):
    old = seen_version(desk.get(path(event, HAND)))
    desk.post(path(event, HAND), {**ALL_FOUR, "action": "save"})

    sent = {"seat-1-1": "1", "seat-1-2": "3", "seat-2-1": "2", "seat-2-2": "4"}
    answer = desk.post(path(event, HAND), {**sent, "seen": old, "action": "save"})

    assert "This draft was changed while you had it open: " in text_of(answer)
    assert "Save the tables below to replace that change with yours." in text_of(answer)
    assert names_at(draft, 1) == ["Ada", "Bo"]

    # Saving again after this warning replaces the other change.
    desk.post(path(event, HAND), {**sent, "seen": seen_version(answer), "action": "save"})
    assert names_at(draft, 1) == ["Ada", "Cy"]


def test_published_round_cannot_be_paired_by_hand(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)

    answer = desk.get(path(event, HAND))

    assert answer["Location"] == path(event, "rounds/1/")


def test_large_field_has_text_inputs_for_players(desk: Client, owner: User):
    event = make_event(players=42, owner=owner)
    draft_round(event)

    page = desk.get(path(event, HAND)).content.decode()

    assert '<datalist id="players">' in page
    assert "<select" not in page


def test_pods_of_four_and_five_are_seated_by_hand(desk: Client, owner: User):
    event = make_event(
        players=9, owner=owner, game="free_radicals", scoring_rule="free_radicals", system="manual"
    )
    draft = draft_round(event)
    seats = {f"seat-1-{place}": str(place) for place in range(1, 5)}
    seats |= {f"seat-2-{place}": str(place + 4) for place in range(1, 6)}

    desk.post(path(event, HAND), {**seats, "action": "save"})

    assert names_at(draft, 1) == ["Ada", "Bo", "Cy", "Di"]
    assert len(names_at(draft, 2)) == 5
