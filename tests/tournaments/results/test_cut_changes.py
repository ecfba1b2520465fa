"""Changes of the players and seeds of a cut."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.factories.cuts import event_with_cut, seed, stage_of
from tests.factories.sessions import claim
from tests.factories.tournaments import make_event, owner_of, play_round, player_number, start_round
from tests.tournaments.pages import path, text_of
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results.rules import CutChange, CutChangeKind, CutChangeRefused, apply_cut_change
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

KINDS = st.sampled_from(list(CutChangeKind))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (CutChange(CutChangeKind.DECLINE, 2), (1, 3, 4, 5)),
        (CutChange(CutChangeKind.REPLACE, 2, replacement=6), (1, 6, 3, 4)),
        (CutChange(CutChangeKind.INVITE, 6), (1, 2, 3, 4, 6)),
        (CutChange(CutChangeKind.SEED, 4, seed=2), (1, 4, 2, 3)),
        (CutChange(CutChangeKind.SEED, 1, seed=4), (2, 3, 4, 1)),
    ],
)
def test_change_results_in_the_expected_seeds(change: CutChange, expected: tuple[int, ...]):
    assert apply_cut_change((1, 2, 3, 4), 5, range(1, 9), change) == expected


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CutChange(CutChangeKind.DECLINE, 7), "is not in the cut"),
        (CutChange(CutChangeKind.REPLACE, 2), "Choose a player who is checked in"),
        (CutChange(CutChangeKind.REPLACE, 2, replacement=3), "already in the cut"),
        (CutChange(CutChangeKind.REPLACE, 2, replacement=9), "Choose a player who is checked in"),
        (CutChange(CutChangeKind.INVITE, 1), "already in the cut"),
        (CutChange(CutChangeKind.SEED, 1, seed=5), "a seed from 1 to 4"),
        (CutChange(CutChangeKind.SEED, 1, seed=1), "already seed 1"),
        (CutChange(CutChangeKind.SEED, 1), "a seed from 1 to 4"),
    ],
)
def test_impossible_change_is_refused(change: CutChange, words: str):
    with pytest.raises(CutChangeRefused, match=words):
        apply_cut_change((1, 2, 3, 4), 5, range(1, 9), change)


def by_places(seeds: list[int], next_in: int, change: CutChange) -> list[int]:
    """Compute the same seeds by sorting players by a numeric place."""
    place = {player: float(seed) for seed, player in enumerate(seeds, start=1)}
    last = float(len(seeds))
    if change.kind is CutChangeKind.DECLINE:
        del place[change.player]
        place[next_in] = last + 1
    elif change.kind is CutChangeKind.REPLACE:
        place[change.replacement or 0] = place.pop(change.player)
    elif change.kind is CutChangeKind.INVITE:
        place[change.player] = last + 1
    else:
        new_seed, old_place = change.seed or 0, place[change.player]
        place[change.player] = new_seed + (0.5 if new_seed > old_place else -0.5)
    return sorted(place, key=lambda player: place[player])


@given(st.permutations(range(1, 13)), st.integers(2, 10), KINDS, st.data())
def test_any_change_equals_a_second_computation(
    order: list[int], size: int, kind: CutChangeKind, data: st.DataObject
):
    seeds, rest = order[:size], order[size:]
    player = data.draw(st.sampled_from(rest if kind is CutChangeKind.INVITE else seeds))
    replacement, new_seed = data.draw(st.sampled_from(rest)), data.draw(st.integers(1, size))
    change = CutChange(kind, player, replacement, new_seed)
    if kind is CutChangeKind.SEED and seeds[new_seed - 1] == player:
        return

    computed = apply_cut_change(seeds, rest[0], order, change)

    assert list(computed) == by_places(seeds, rest[0], change)
    assert len(set(computed)) == len(computed) == size + (kind is CutChangeKind.INVITE)


def make_scene() -> Tournament:
    """Return an event of eight after one round, with a cut of the best four."""
    return event_with_cut(4)


def in_cut(event: Tournament) -> list[int]:
    return [entry.registration.number for entry in stage_of(event).entries.accepted()]


def candidate_numbers(event: Tournament) -> list[int]:
    return [registration.number for registration in event.cut_candidates()]


def change(event: Tournament, kind: CutChangeKind, player: int, **more: int) -> cuts.CutPreview:
    cut_change = CutChange(kind, player, more.get("other"), more.get("seed"))
    return cuts.change_cut(stage_of(event), cut_change, owner_of(event), "As agreed")


def test_change_equals_its_preview_and_is_logged_with_its_reason(event: Tournament):
    order, before = candidate_numbers(event), in_cut(event)
    cut_change = CutChange(CutChangeKind.REPLACE, order[1], replacement=order[6])

    preview = cuts.preview_cut_change(stage_of(event), cut_change)
    assert in_cut(event) == before
    done = cuts.change_cut(stage_of(event), cut_change, owner_of(event), "Invited by the store")

    assert preview == done
    assert in_cut(event) == [order[0], order[6], order[2], order[3]]
    entry = event.log.get(action="cut changed")
    assert (entry.shown_subject, entry.reason) == (done.words, "Invited by the store")
    assert done.words.endswith("as seed 2")


def test_changes_are_in_the_language_of_the_reader(event: Tournament):
    first, second = (seed(event, number).player.name for number in (1, 2))
    substitute = event.cut_candidates()[4].player.name
    change(event, CutChangeKind.DECLINE, seed(event, 1).number)
    change(event, CutChangeKind.SEED, seed(event, 1).number, seed=3)

    assert event.log.cut_changes() == [
        f"{first} declined, {substitute} moved up",
        f"{second} is seed 3, was seed 1",
    ]
    with translation.override("de"):
        assert event.log.cut_changes() == [
            f"{first} hat abgesagt, {substitute} rückt nach",
            f"{second} ist auf 3 gesetzt, vorher auf 1",
        ]


@pytest.mark.parametrize(
    "stored", [{}, {"cut_change": {"kind": "declined"}}, {"cut_change": {"kind": "invite"}}]
)
def test_change_of_an_earlier_release_or_a_file_is_shown_as_stored(
    event: Tournament, stored: dict[str, Any]
):
    change(event, CutChangeKind.DECLINE, seed(event, 1).number)
    entry = event.log.get(action="place declined")
    del entry.after["cut_change"]
    entry.after |= stored
    entry.subject = "Ada declined, Bram moved up"
    entry.save()

    assert event.log.cut_changes() == ["Ada declined, Bram moved up"]


def test_change_requires_a_reason(event: Tournament):
    cut_change = CutChange(CutChangeKind.DECLINE, candidate_numbers(event)[0])

    with pytest.raises(cuts.CutRefused, match="Give a reason"):
        cuts.change_cut(stage_of(event), cut_change, owner_of(event), "  ")


def test_manual_cut_requires_a_reason():
    event = make_event(players=8)
    play_round(event)
    chosen = event.cut_candidates()[1:5]
    owner, system = owner_of(event), "single_elimination"

    with pytest.raises(cuts.CutRefused, match="do not follow the standings"):
        cuts.make_cut(event, chosen, owner, system=system)
    cuts.make_cut(event, chosen, owner, system=system, reason="The winner is the judge")

    entry = event.log.get(action="cut made")
    assert (entry.subject, entry.reason) == ("top 4, chosen by hand", "The winner is the judge")


def test_player_who_declined_can_return(event: Tournament):
    order = candidate_numbers(event)
    change(event, CutChangeKind.DECLINE, order[1])
    change(event, CutChangeKind.REPLACE, order[4], other=order[1])

    assert in_cut(event) == [order[0], order[2], order[3], order[1]]
    assert [entry.registration.number for entry in stage_of(event).entries.declined_in_order()] == [
        order[4]
    ]


def test_changes_are_undone_in_reverse_order(event: Tournament):
    order, before = candidate_numbers(event), in_cut(event)
    change(event, CutChangeKind.DECLINE, order[1])
    change(event, CutChangeKind.INVITE, order[7])
    first, second = event.log.filter(action__in=("place declined", "cut changed")).order_by("pk")

    with pytest.raises(CannotUndo, match="came later"):
        undo_services.undo(first, owner_of(event))
    undo_services.undo(second, owner_of(event))
    assert in_cut(event) == [order[0], order[2], order[3], order[4]]
    undo_services.undo(first, owner_of(event))

    assert in_cut(event) == before
    assert not stage_of(event).entries.declined_in_order().exists()
    assert stage_of(event).tournament.log.cut_changes() == []


def test_dropped_player_cannot_return_to_the_cut(event: Tournament):
    order = candidate_numbers(event)
    change(event, CutChangeKind.DECLINE, order[1])
    entry = event.log.get(action="place declined")
    dropped = player_number(event, order[1])
    registration_services.drop_player(dropped, owner_of(event))

    with pytest.raises(CannotUndo, match="is not checked in"):
        undo_services.undo(entry, owner_of(event))
    registration_services.return_player(dropped, owner_of(event))
    undo_services.undo(entry, owner_of(event))

    assert in_cut(event) == order[:4]


def test_outdated_preview_is_refused(event: Tournament):
    order, seen = candidate_numbers(event), in_cut(event)
    change(event, CutChangeKind.DECLINE, order[0])
    cut_change = CutChange(CutChangeKind.DECLINE, order[1])

    with pytest.raises(cuts.CutRefused, match="has changed since"):
        cuts.change_cut(stage_of(event), cut_change, owner_of(event), "Ill", seen=seen)


def test_phone_shows_the_seed_in_the_cut(event: Tournament):
    change(event, CutChangeKind.SEED, seed(event, 4).number, seed=1)
    moved, outside = seed(event, 1), event.cut_candidates()[6]
    before = text_of(claim(Client(), moved.player).get(path(event, "me/")))
    start_round(event)

    pages = [
        text_of(claim(Client(), registration.player).get(path(event, "me/")))
        for registration in (moved, outside)
    ]

    assert "in the cut" not in before
    assert ", seed 1" in pages[0]
    assert ", seed" not in pages[1]
