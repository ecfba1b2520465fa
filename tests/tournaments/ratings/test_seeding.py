"""Seeding by rating before round 1, and its undo."""

import pytest

from tests.factories.ratings import give_rating
from tests.factories.tournaments import (
    draft_round,
    make_event,
    owner_of,
    player_number,
    table,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tournaments.models import LogAction, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo


def make_scene() -> Tournament:
    """Return an event: player 3 is the strongest, then 1; 4 is rated in another game only."""
    event = make_event(4)
    give_rating(player_number(event, 1).player, value=1550)
    give_rating(player_number(event, 3).player, value=1700, games=1)
    give_rating(player_number(event, 4).player, "anr", value=1900)
    return event


def seeds(event: Tournament) -> dict[int, int | None]:
    return dict(event.registrations.order_by("number").values_list("number", "seed"))


def test_strongest_player_has_seed_1_and_unrated_players_come_last(event: Tournament):
    seeding = roster_changes.seed_by_rating(event, owner_of(event))

    assert seeds(event) == {1: 2, 2: 3, 3: 1, 4: 3}
    assert (seeding.rated, seeding.unrated) == (2, 2)


def test_seeds_fold_round_1(event: Tournament):
    roster_changes.seed_by_rating(event, owner_of(event))

    round_ = draft_round(event)

    numbers = {entry.player_id: entry.number for entry in event.registrations.all()}
    tables = [
        {numbers[seat.player_id] for seat in table(round_, n).match.seats.all()} for n in (1, 2)
    ]
    assert [len(players & {3, 1}) for players in tables] == [1, 1]


def test_one_undo_restores_all_seeds(event: Tournament):
    owner = owner_of(event)
    roster_changes.set_seed_and_group(player_number(event, 2), owner, seed=7, avoid_group="")
    roster_changes.seed_by_rating(event, owner)
    entry = event.log.get(action=LogAction.SEEDED_BY_RATING)
    assert entry.subject == "2 by rating, 2 without"
    assert (
        undo_services.preview_undo(entry, owner).sentence
        == "4 players will have their previous seeds again; 3 of them had none."
    )

    undo_services.undo(entry, owner)

    assert seeds(event) == {1: None, 2: 7, 3: None, 4: None}


def test_later_manual_seed_blocks_undo(event: Tournament):
    owner = owner_of(event)
    roster_changes.seed_by_rating(event, owner)
    entry = event.log.get(action=LogAction.SEEDED_BY_RATING)
    roster_changes.set_seed_and_group(player_number(event, 2), owner, seed=1, avoid_group="")

    with pytest.raises(CannotUndo):
        undo_services.undo(entry, owner)


def test_repeated_seeding_is_one_change_and_skips_dropped_players(event: Tournament):
    owner = owner_of(event)
    registration_services.drop_player(player_number(event, 1), owner)

    roster_changes.seed_by_rating(event, owner)
    roster_changes.seed_by_rating(event, owner)

    assert seeds(event) == {1: None, 2: 2, 3: 1, 4: 2}
    assert event.log.filter(action=LogAction.SEEDED_BY_RATING).count() == 1


def test_paired_round_1_refuses_seeding(event: Tournament):
    draft_round(event)
    desk = desk_of(event)

    answer = desk.post(url("seed_by_rating", event), follow=True)

    assert "Round 1 is already paired" in answer.content.decode()
    assert set(seeds(event).values()) == {None}
    assert "Seed by rating" not in desk.get(url("roster", event)).content.decode()


def test_roster_confirms_the_seeding(event: Tournament):
    desk = desk_of(event)
    assert "Seed by rating" in desk.get(url("roster", event)).content.decode()

    page = desk.post(url("seed_by_rating", event), follow=True).content.decode()

    assert "Seeded 2 players by rating, the strongest first." in page
    assert "2 players without a rating came last." in page
