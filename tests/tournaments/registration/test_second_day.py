from collections.abc import Callable
from datetime import date, time
from typing import Any

import pytest
from django.test import Client

from players.models import User
from tests.factories.cuts import decline, make_cut, seed, stage_of
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import FRAGMENT, HTMX, path, text_of
from tournaments.desk.next_step import NextStep, StepKind, next_step
from tournaments.desk.state import desk_state
from tournaments.files.whole_event import event_document
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.registration import roster_changes, services
from tournaments.results import cuts
from tournaments.rounds import draft_changes
from tournaments.settings import services as settings_services
from tournaments.settings.forms import SettingsForm
from tournaments.undo import services as undo_services

DAY_TWO: dict[str, Any] = {
    "day_two_on": date(2026, 5, 3),
    "day_two_time": time(10),
    "day_two_round": 2,
}


def two_day_event(owner: User, **changes: Any) -> Tournament:
    event = make_event(players=4, owner=owner, planned_rounds=2, **(DAY_TWO | changes))
    play_round(event)
    return fresh(event)


def make_scene() -> Tournament:
    return two_day_event(make_user(OWNER))


@pytest.fixture
def opened_event(event: Tournament) -> Tournament:
    services.open_day_two_check_in(event, owner_of(event))
    return fresh(event)


def check_in(event: Tournament, *numbers: int) -> int:
    places = [player_number(event, number) for number in numbers]
    return services.check_in(places, owner_of(event))


def missing(event: Tournament) -> list[int]:
    return sorted(event.missing_on_day_two().values_list("number", flat=True))


def step(event: Tournament) -> NextStep:
    return next_step(desk_state(fresh(event)))


def test_desk_leads_through_day_two_check_in(event: Tournament):
    assert step(event).kind is StepKind.OPEN_DAY_TWO
    assert [action.title for action in step(event).others] == ["Pair round 2"]
    assert "round 2 on Sunday 3 May, 10:00" in step(event).text

    services.open_day_two_check_in(event, owner_of(event))
    check_in(event, 1, 2, 3)

    assert step(event).title == "Check in players for day 2: 3 of 4 checked in"
    assert [action.title for action in step(event).others] == ["Drop the missing player"]
    check_in(event, 4)
    assert step(event).title == "Pair round 2"


def test_day_two_does_not_open_before_its_time(owner: User):
    event = two_day_event(owner, day_two_round=3)

    with pytest.raises(services.NotDayTwo, match="begins with round 3"):
        services.open_day_two_check_in(event, owner_of(event))
    with pytest.raises(services.NotDayTwo, match="has no day 2"):
        services.open_day_two_check_in(make_event(players=2), owner_of(event))


@pytest.mark.parametrize("start", [draft_round, start_round])
def test_day_two_does_not_open_while_day_one_is_played(
    owner: User, start: Callable[[Tournament], Any]
):
    event = make_event(players=4, owner=owner, planned_rounds=2, **DAY_TWO)
    start(event)

    assert step(event).kind is not StepKind.OPEN_DAY_TWO
    with pytest.raises(services.NotDayTwo, match="once the round before it is closed"):
        services.open_day_two_check_in(fresh(event), owner_of(event))


def test_missing_players_block_the_pairing(opened_event: Tournament):
    check_in(opened_event, 1, 2)

    with pytest.raises(draft_changes.MissingOnDayTwo, match="Not checked in for day 2: Cy, Di"):
        draft_changes.request_pairing(opened_event, 2, owner_of(opened_event))


def test_round_is_paired_without_a_day_two_check_in(event: Tournament):
    assert draft_round(event).number == 2


def test_missing_players_are_dropped_and_not_paired(desk: Client, opened_event: Tournament):
    check_in(opened_event, 1, 2)
    page = text_of(desk.get(path(opened_event, "desk/day-two/")))
    assert "4 play on day 2, 2 not checked in yet." in page
    assert "Cy Di" in page

    desk.post(path(opened_event, "desk/day-two/"), {"action": "drop", "numbers": "3,4"})

    assert missing(opened_event) == []
    dropped = opened_event.registrations.filter(state=RegistrationState.DROPPED)
    reasons = {entry.get_dropped_by_display() for entry in dropped}
    assert reasons == {"not checked in for day 2"}
    assert len(opened_event.rounds) == 1
    assert draft_round(opened_event).stage.players_to_pair() == [
        player_number(opened_event, 1),
        player_number(opened_event, 2),
    ]


def test_drop_leads_to_the_cut(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, planned_rounds=1, day_two_on=date(2026, 5, 3))
    play_round(event)
    make_cut(fresh(event), 2)
    services.open_day_two_check_in(event, owner_of(event))
    numbers = ",".join(map(str, missing(fresh(event))))

    answer = desk.post(path(event, "desk/day-two/"), {"action": "drop", "numbers": numbers})

    assert answer["Location"] == path(event, "desk/cut/")


def test_changed_list_is_not_dropped(opened_event: Tournament):
    check_in(opened_event, 1, 2)
    shown = missing(opened_event)
    check_in(opened_event, 3)

    with pytest.raises(services.MissingHaveChanged):
        services.drop_missing_on_day_two(opened_event, shown, owner_of(opened_event))

    assert not opened_event.registrations.filter(state=RegistrationState.DROPPED).exists()


def test_dropped_player_is_missing_after_undo_and_present_after_return(opened_event: Tournament):
    check_in(opened_event, 1, 2, 3)
    services.drop_missing_on_day_two(opened_event, [4], owner_of(opened_event))
    entry = opened_event.log.filter(action="player dropped").latest("pk")

    undo_services.undo(entry, owner_of(opened_event))
    assert player_number(opened_event, 4).is_active
    assert missing(opened_event) == [4]
    services.drop_missing_on_day_two(opened_event, [4], owner_of(opened_event))
    services.return_player(player_number(opened_event, 4), owner_of(opened_event))

    assert missing(opened_event) == []


def test_players_check_in_again_on_their_phones(
    event: Tournament, phone_of: Callable[[Registration], Client]
):
    ada = phone_of(player_number(event, 1))
    before = text_of(ada.get(path(event, "me/")))
    assert "Day 2 begins with round 2 on Sunday 3 May, 10:00." in before
    services.open_day_two_check_in(event, owner_of(event))
    opened_event = fresh(event)
    assert "Are you here for day 2?" in text_of(ada.get(path(opened_event, "me/")))

    ada.post(path(opened_event, "me/check-in/"))

    page = text_of(ada.get(path(opened_event, "me/")))
    assert "You are checked in for day 2." in page
    assert "Are you here" not in page
    assert missing(opened_event) == [2, 3, 4]


def test_door_and_list_check_in_again(desk: Client, opened_event: Tournament):
    arrived = services.check_in_at_door(
        opened_event, player_number(opened_event, 1), owner_of(opened_event)
    )
    again = services.check_in_at_door(
        opened_event, player_number(opened_event, 1), owner_of(opened_event)
    )
    ticked = desk.post(path(opened_event, "roster/tick/"), {"tick": "2 here"}, headers=FRAGMENT)

    assert (arrived.outcome, again.outcome) == ("in", "already")
    assert ticked.json() == {"is_on": True, "count": 2, "words": "Bo is here."}
    desk.post(path(opened_event, "roster/tick/"), {"tick": "2 away"}, headers=FRAGMENT)
    assert missing(opened_event) == [2, 3, 4]
    assert player_number(opened_event, 2).is_active
    desk.post(path(opened_event, "roster/check-in/"))
    assert missing(opened_event) == []


def test_roster_checks_in_again(desk: Client, opened_event: Tournament):
    desk.post(path(opened_event, "roster/1/check-in/"), headers=HTMX)

    page: Any = desk.get(path(opened_event, "roster/"))

    rows = {row.number: (row.state, row.tap) for row in page.context["roster"].rows}
    to_come = dict.fromkeys((2, 3, 4), ("registered", "check-in"))
    assert rows == {1: ("checked_in", "not-here"), **to_come}
    assert missing(opened_event) == [2, 3, 4]


def test_opening_can_be_undone(opened_event: Tournament):
    entry = opened_event.log.get(action="check-in for day 2 opened")

    undo_services.undo(entry, owner_of(opened_event))

    assert fresh(opened_event).day_two_opened_at is None
    assert draft_round(opened_event).number == 2


@pytest.mark.parametrize(
    ("changes", "effect"), [({"day_two_round": 3}, "restarts"), ({"day_two_on": None}, "ends")]
)
def test_different_day_two_discards_the_check_ins(
    opened_event: Tournament, changes: dict[str, Any], effect: str
):
    check_in(opened_event, 1, 2)

    settings_services.change_settings(opened_event, owner_of(opened_event), day_two_time=time(11))
    assert missing(fresh(opened_event)) == [3, 4]
    effects = settings_services.side_effects(opened_event, owner_of(opened_event), changes)
    settings_services.change_settings(opened_event, owner_of(opened_event), **changes)

    lost = "2 check-ins for day 2 will be lost."
    assert effects == [f"Check-in for day 2 {effect}.", lost]
    assert fresh(opened_event).day_two_opened_at is None
    assert not opened_event.registrations.exclude(day_two_at=None).exists()
    assert opened_event.log.filter(action="check-in for day 2 taken back").count() == 1


def test_merge_keeps_the_day_two_check_in(opened_event: Tournament):
    twice = roster_changes.add_entries(
        opened_event, [roster_changes.NewEntry("Ada again")], owner_of(opened_event)
    )[0]
    services.check_in([twice], owner_of(opened_event))
    assert missing(opened_event) == [1, 2, 3, 4]

    roster_changes.merge_entries(
        player_number(opened_event, 1), twice, owner_of(opened_event), "Typed twice"
    )

    assert missing(opened_event) == [2, 3, 4]


def test_check_in_can_be_undone_and_redone(opened_event: Tournament):
    check_in(opened_event, 1)
    entry = opened_event.log.get(action="checked in for day 2")

    done = undo_services.undo(entry, owner_of(opened_event))
    assert missing(opened_event) == [1, 2, 3, 4]
    undo_services.undo(done, owner_of(opened_event))

    assert missing(opened_event) == [2, 3, 4]


def test_day_two_of_the_cut_checks_in_its_players(owner: User):
    event = make_event(players=8, owner=owner, planned_rounds=1, day_two_on=DAY_TWO["day_two_on"])
    play_round(event)
    event = fresh(event)
    assert step(event).kind is StepKind.OPEN_DAY_TWO
    assert [action.title for action in step(event).others] == ["Start the top cut"]

    make_cut(event, 4)
    services.open_day_two_check_in(event, owner_of(event))
    event = fresh(event)
    assert len(missing(event)) == 4
    late = seed(event, 2)
    check_in(event, *(number for number in missing(event) if number != late.number))
    services.drop_missing_on_day_two(event, [late.number], owner_of(event))

    assert cuts.get_dropped_players(stage_of(event)) == [late]
    successor = decline(stage_of(event), late)
    assert missing(event) == [successor.number]
    check_in(event, successor.number)
    assert draft_round(event).number == 2


def test_event_page_shows_both_days(client: Client, event: Tournament):
    page = text_of(client.get(event.get_absolute_url()))

    assert "Day 1 Saturday 2 May 2026" in page
    assert "Day 2 Sunday 3 May 2026, 10:00" in page
    assert "Begins with round 2. Players check in again." in page


def test_document_contains_day_two(opened_event: Tournament):
    check_in(opened_event, 1)

    whole = event_document(opened_event, private=True)["event"]

    settings = {key: whole["settings"][key] for key in ("day_two_on", "day_two_time")}
    assert settings == {"day_two_on": "2026-05-03", "day_two_time": "10:00:00"}
    assert whole["settings"]["day_two_round"] == 2
    assert whole["players"][0]["day_two_at"] is not None
    assert "day_two_at" not in event_document(opened_event)["event"]["players"][0]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"day_two_on": "2026-05-02"}, "day_two_on"),
        ({"day_two_on": "2026-05-04", "ends_on": "2026-05-03"}, "day_two_on"),
        ({"day_two_round": "6"}, "day_two_round"),
        ({"day_two_time": "10:00"}, "day_two_time"),
        ({"day_two_on": "2026-05-03", "day_two_round": "1"}, "day_two_round"),
    ],
)
def test_invalid_day_two_is_refused(event: Tournament, changes: dict[str, str], field: str):
    typed = {"name": "Two", "starts_on": "2026-05-02", "time_zone": "UTC", **changes}

    assert field in SettingsForm(typed, instance=event).errors
