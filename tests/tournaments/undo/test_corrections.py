from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from core.errors import ReasonMissing
from tests.factories.series import make_players
from tests.factories.tournaments import (
    add_staff,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sweep,
    table,
    work_off,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tests.tournaments.results.reporting import result_fields
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, Pairing, StaffRole, Tournament
from tournaments.privacy.erasure import data_subject_of, erase
from tournaments.profiles import services as people
from tournaments.registration import guests, roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

REASON = "The slip said so"


def make_scene() -> Tournament:
    event = make_event(players=4, planned_rounds=2)
    play_round(event)
    play_round(event)
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


def at(event: Tournament, number: int = 1) -> Pairing:
    return table(get_round(event, number), 1)


def correct(
    event: Tournament, actor: Actor, note: str = REASON, points: int = 5, number: int = 1
) -> None:
    pairing = at(event, number)
    assert pairing.match is not None
    seen = pairing.match.version
    results_services.decide_result(pairing, sweep(2, points), actor, seen_version=seen, note=note)


def listed_corrections(event: Tournament) -> list[tuple[int, str, str]]:
    return [(row.version, row.what, row.reason) for row in event.log.corrections()]


def test_correction_with_a_reason_makes_the_next_version(event: Tournament):
    before = event.snapshots.newest()
    correct(event, owner_of(event))
    work_off(event)

    assert listed_corrections(event) == [(2, "Result of round 1, table 1", REASON)]
    assert event.snapshots.newest() != before
    assert fresh(event).is_finished
    page = Client().get(event.get_absolute_url()).text
    assert "Version 2" in page
    assert REASON in page


def test_correction_requires_a_reason(event: Tournament):
    with pytest.raises(ReasonMissing, match="Give the reason for the correction"):
        correct(event, owner_of(event), note=" ")

    assert listed_corrections(event) == []


@pytest.mark.parametrize("role", [StaffRole.SCOREKEEPER, StaffRole.HEAD_JUDGE])
def test_only_organisers_correct(role: StaffRole, event: Tournament):
    helper = Actor(user=add_staff(event, role))

    with pytest.raises(EventIsFinished, match="Only an organiser"):
        correct(event, helper)

    assert listed_corrections(event) == []


def test_undone_correction_is_a_correction(event: Tournament):
    correct(event, owner_of(event), number=2)
    entry = event.log.filter(action=LogAction.RESULT_CHANGED).latest("pk")

    with pytest.raises(CannotUndo, match="Give a reason"):
        undo_services.undo(entry, owner_of(event))
    assert undo_services.preview_undo(entry, owner_of(event)).impact is not None
    undo_services.undo(entry, owner_of(event), "It was right before")

    assert [version for version, _, _ in listed_corrections(event)] == [2, 3]
    assert listed_corrections(event)[1][2] == "It was right before"


def test_result_page_requires_a_reason(event: Tournament):
    desk, pairing = desk_of(event), at(event)
    sent = result_fields(pairing, "t1-", game_1_points_2="5")

    review = desk.post(url("enter", event, 1, 1), sent)

    assert "This is a public correction" in review.text
    assert listed_corrections(event) == []
    seen = {"impact": review.context["impact"].mark}
    refused = desk.post(url("enter", event, 1, 1), {**sent, **seen})
    assert (refused.status_code, listed_corrections(event)) == (409, [])
    desk.post(url("enter", event, 1, 1), {**sent, **seen, "t1-note": REASON})
    assert listed_corrections(event) == [(2, "Result of round 1, table 1", REASON)]


def test_changes_of_a_reopened_event_are_listed(event: Tournament):
    owner = owner_of(event)
    settings_services.reopen_event(event, owner, "Two slips were swapped")
    correct(fresh(event), owner, note="Private: Bo was ill")
    registration_services.drop_player(player_number(fresh(event), 4), owner)
    roster_changes.add_entries(fresh(event), [roster_changes.NewEntry("Late")], owner)
    settings_services.change_settings(fresh(event), owner, tie_breakers=["match_points", "lot"])
    settings_services.finish_event(fresh(event), owner)
    correct(fresh(event), owner, points=6)

    first, second = event.log.corrections()

    assert (first.version, first.what, first.reason) == (
        *(2, "Event reopened"),
        "Two slips were swapped",
    )
    assert first.changes == (
        "Result changed: round 1, table 1",
        "Player dropped: Di",
        "Player registered: Late",
        "Settings changed: tie breakers",
    )
    assert (second.version, second.changes) == (3, ())
    assert "Bo was ill" not in Client().get(event.get_absolute_url()).text


def test_old_private_reason_is_not_shown(event: Tournament):
    event.log.create(action=LogAction.EVENT_REOPENED, reason="Kim was ill")

    assert listed_corrections(event) == [(2, "Event reopened", "")]


def test_result_after_reopening_makes_no_version(
    event: Tournament,
):
    pairing = at(event)
    assert pairing.match is not None
    assert pairing.round.stage.tournament.is_finished
    settings_services.reopen_event(event, owner_of(event), "A slip was lost")
    results_services.decide_result(
        pairing, sweep(2), owner_of(event), seen_version=pairing.match.version, note=REASON
    )

    assert listed_corrections(event) == [(2, "Event reopened", "A slip was lost")]


def test_reopening_requires_a_reason(event: Tournament):
    entry = event.log.filter(action=LogAction.EVENT_FINISHED).latest("pk")

    with pytest.raises(ReasonMissing):
        settings_services.reopen_event(event, owner_of(event), " ")
    with pytest.raises(CannotUndo, match="Give a reason for reopening"):
        undo_services.undo(entry, owner_of(event))

    assert fresh(event).is_finished


CHANGES: dict[str, Callable[[Tournament, Actor], Any]] = {
    "add": lambda event, actor: roster_changes.add_entries(
        event, [roster_changes.NewEntry("New")], actor
    ),
    "drop": lambda event, actor: registration_services.drop_player(player_number(event, 1), actor),
    "rename": lambda event, actor: guests.rename_guest(player_number(event, 1), actor, "Another"),
    "merge": lambda event, actor: roster_changes.merge_entries(
        player_number(event, 1), player_number(event, 2), actor, "One person"
    ),
    "who goes on": lambda event, actor: cuts.set_advancing_player(
        at(event), player_number(event, 1), actor
    ),
    "settings": lambda event, actor: settings_services.change_settings(event, actor, bye_points=1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_finished_event_refuses_all_other_changes(
    change: Callable[[Tournament, Actor], Any], event: Tournament
):
    with pytest.raises(EventIsFinished):
        change(event, owner_of(event))


def test_erasure_makes_a_version_without_a_name(event: Tournament):
    erase(data_subject_of(None, player_number(event, 1).player))

    assert listed_corrections(event) == [(2, "A name", "This person asked to be forgotten.")]


def test_merged_records_make_versions(event: Tournament):
    [target], merged = make_players("Ada Lovelace"), player_number(event, 1).player
    made = people.merge_players(target, merged, owner_of(event), "Told us by mail")
    people.undo_merge(made, owner_of(event))

    assert listed_corrections(event) == [
        (2, "A name", "Two records of one person were merged."),
        (3, "A name", "The merge of two records was undone."),
    ]
