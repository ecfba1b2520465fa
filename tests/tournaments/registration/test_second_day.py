"""Day 2: check-in opened again, players here or dropped by name, and the day goes on."""

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
from tests.tournaments.pages import FRAGMENT, path, text_of
from tournaments.desk.pages import NextStep, StepKind, desk_state, next_step
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


def two_days(owner: User, **changes: Any) -> Tournament:
    """Four players who have played round 1, the last of day 1."""
    event = make_event(players=4, owner=owner, planned_rounds=2, **(DAY_TWO | changes))
    play_round(event)
    return fresh(event)


def make_scene() -> Tournament:
    return two_days(make_user(OWNER))


@pytest.fixture
def opened(event: Tournament) -> Tournament:
    services.open_day_two_check_in(event, owner_of(event))
    return fresh(event)


def here(event: Tournament, *numbers: int) -> int:
    places = [player_number(event, number) for number in numbers]
    return services.check_in(places, owner_of(event))


def missing(event: Tournament) -> list[int]:
    return sorted(event.missing_on_day_two().values_list("number", flat=True))


def step(event: Tournament) -> NextStep:
    return next_step(desk_state(fresh(event)))


def test_the_desk_leads_through_the_morning(event: Tournament):
    assert step(event).kind is StepKind.OPEN_DAY_TWO
    assert [one.title for one in step(event).others] == ["Pair round 2"]
    assert "round 2 on Sunday 3 May, 10:00" in step(event).text

    services.open_day_two_check_in(event, owner_of(event))
    here(event, 1, 2, 3)

    assert step(event).title == "Check in for day 2: 3 of 4 are here"
    assert [one.title for one in step(event).others] == ["Drop the 1 not here"]
    here(event, 4)
    assert step(event).title == "Pair round 2"


def test_day_two_does_not_open_before_its_time(owner: User):
    event = two_days(owner, day_two_round=3)

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


def test_nobody_is_paired_who_is_not_here(opened: Tournament):
    here(opened, 1, 2)

    with pytest.raises(draft_changes.MissingOnDayTwo, match="Not checked in for day 2: Cy, Di"):
        draft_changes.request_pairing(opened, 2, owner_of(opened))


def test_without_a_check_in_day_two_goes_on_as_it_is(event: Tournament):
    assert draft_round(event).number == 2


def test_the_missing_are_dropped_by_name_and_the_rest_plays_on(desk: Client, opened: Tournament):
    here(opened, 1, 2)
    page = text_of(desk.get(path(opened, "desk/day-two/")))
    assert "4 play on day 2, 2 not here yet." in page
    assert "Cy Di" in page

    desk.post(path(opened, "desk/day-two/"), {"action": "drop", "numbers": "3,4"})

    assert missing(opened) == []
    gone = opened.registrations.filter(state=RegistrationState.DROPPED)
    assert {one.get_dropped_by_display() for one in gone} == {"not checked in for day 2"}
    assert len(opened.rounds) == 1
    assert draft_round(opened).stage.players_to_pair() == [
        player_number(opened, 1),
        player_number(opened, 2),
    ]


def test_after_a_drop_the_places_of_a_cut_are_looked_at(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, planned_rounds=1, day_two_on=date(2026, 5, 3))
    play_round(event)
    make_cut(fresh(event), 2)
    services.open_day_two_check_in(event, owner_of(event))
    numbers = ",".join(map(str, missing(fresh(event))))

    answer = desk.post(path(event, "desk/day-two/"), {"action": "drop", "numbers": numbers})

    assert answer["Location"] == path(event, "desk/cut/")


def test_only_the_names_that_were_shown_are_dropped(opened: Tournament):
    here(opened, 1, 2)
    shown = missing(opened)
    here(opened, 3)

    with pytest.raises(services.MissingHaveChanged):
        services.drop_missing_on_day_two(opened, shown, owner_of(opened))

    assert not opened.registrations.filter(state=RegistrationState.DROPPED).exists()


def test_a_drop_is_taken_back_to_what_it_was(opened: Tournament):
    here(opened, 1, 2, 3)
    services.drop_missing_on_day_two(opened, [4], owner_of(opened))
    entry = opened.log.filter(action="player dropped").latest("pk")

    undo_services.undo(entry, owner_of(opened))

    assert player_number(opened, 4).is_active
    assert missing(opened) == [4]


def test_who_comes_late_returns_and_is_here(opened: Tournament):
    here(opened, 1, 2, 3)
    services.drop_missing_on_day_two(opened, [4], owner_of(opened))

    services.return_player(player_number(opened, 4), owner_of(opened))

    assert missing(opened) == []


def test_players_check_in_again_on_their_phones(
    opened: Tournament, phone_of: Callable[[Registration], Client]
):
    ada = phone_of(player_number(opened, 1))
    assert "Are you here for day 2?" in text_of(ada.get(path(opened, "me/")))

    ada.post(path(opened, "me/check-in/"))

    page = text_of(ada.get(path(opened, "me/")))
    assert "You are checked in for it." in page
    assert "Are you here" not in page
    assert missing(opened) == [2, 3, 4]


def test_a_phone_says_when_day_two_begins(
    event: Tournament, phone_of: Callable[[Registration], Client]
):
    page = text_of(phone_of(player_number(event, 1)).get(path(event, "me/")))

    assert "Day 2 begins with round 2 on Sunday 3 May, 10:00." in page


def test_the_door_checks_in_again(desk: Client, opened: Tournament):
    arrived = services.check_in_at_door(opened, player_number(opened, 1), owner_of(opened))
    again = services.check_in_at_door(opened, player_number(opened, 1), owner_of(opened))
    ticked = desk.post(path(opened, "roster/tick/"), {"tick": "2 here"}, headers=FRAGMENT)

    assert (arrived.outcome, again.outcome) == ("in", "already")
    assert ticked.json() == {"is_on": True, "count": 2, "words": "Bo is here."}
    desk.post(path(opened, "roster/tick/"), {"tick": "2 away"}, headers=FRAGMENT)
    assert missing(opened) == [2, 3, 4]
    assert player_number(opened, 2).is_active


def test_everybody_can_be_checked_in_at_once(desk: Client, opened: Tournament):
    desk.post(path(opened, "roster/check-in/"))

    assert missing(opened) == []


def test_opening_is_taken_back_in_the_log(opened: Tournament):
    entry = opened.log.get(action="check-in for day 2 opened")

    undo_services.undo(entry, owner_of(opened))

    assert fresh(opened).day_two_opened_at is None
    assert draft_round(opened).number == 2


@pytest.mark.parametrize(
    ("changes", "what"), [({"day_two_round": 3}, "begins anew"), ({"day_two_on": None}, "ends")]
)
def test_another_break_asks_everybody_again(opened: Tournament, changes: dict[str, Any], what: str):
    here(opened, 1, 2)

    said = settings_services.side_effects(opened, owner_of(opened), changes)
    settings_services.change_settings(opened, owner_of(opened), **changes)

    assert said == [f"Check-in for day 2 {what}: 2 players were checked in for it."]
    assert fresh(opened).day_two_opened_at is None
    assert not opened.registrations.exclude(day_two_at=None).exists()
    assert opened.log.filter(action="check-in for day 2 taken back").count() == 1


def test_another_hour_keeps_who_is_here(opened: Tournament):
    here(opened, 1)

    settings_services.change_settings(opened, owner_of(opened), day_two_time=time(11))

    assert missing(fresh(opened)) == [2, 3, 4]


def test_a_merge_brings_along_who_is_here(opened: Tournament):
    twice = roster_changes.add_entries(
        opened, [roster_changes.NewEntry("Ada again")], owner_of(opened)
    )[0]
    services.check_in([twice], owner_of(opened))
    assert missing(opened) == [1, 2, 3, 4]

    roster_changes.merge_entries(player_number(opened, 1), twice, owner_of(opened), "Typed twice")

    assert missing(opened) == [2, 3, 4]


def test_a_mark_is_taken_back_in_the_log(opened: Tournament):
    here(opened, 1)
    entry = opened.log.get(action="checked in for day 2")

    done = undo_services.undo(entry, owner_of(opened))
    assert missing(opened) == [1, 2, 3, 4]
    undo_services.undo(done, owner_of(opened))

    assert missing(opened) == [2, 3, 4]


def test_a_day_two_of_the_cut_asks_the_players_of_the_cut(owner: User):
    event = make_event(players=8, owner=owner, planned_rounds=1, day_two_on=DAY_TWO["day_two_on"])
    play_round(event)
    event = fresh(event)
    assert step(event).kind is StepKind.OPEN_DAY_TWO
    assert [one.title for one in step(event).others] == ["Start the top cut"]

    make_cut(event, 4)
    services.open_day_two_check_in(event, owner_of(event))
    event = fresh(event)
    assert len(missing(event)) == 4
    late = seed(event, 2)
    here(event, *(number for number in missing(event) if number != late.number))
    services.drop_missing_on_day_two(event, [late.number], owner_of(event))

    assert cuts.get_dropped_players(stage_of(event)) == [late]
    successor = decline(stage_of(event), late)
    assert missing(event) == [successor.number]
    here(event, successor.number)
    assert draft_round(event).number == 2


def test_both_days_stand_on_the_page_of_the_event(client: Client, event: Tournament):
    page = text_of(client.get(event.get_absolute_url()))

    assert "Day 1 Saturday 2 May 2026" in page
    assert "Day 2 Sunday 3 May 2026, 10:00 , from round 2 on." in page.replace("10:00,", "10:00 ,")


def test_a_document_brings_both_days_along(opened: Tournament):
    here(opened, 1)

    whole = event_document(opened, private=True)["event"]

    settings = {key: whole["settings"][key] for key in ("day_two_on", "day_two_time")}
    assert settings == {"day_two_on": "2026-05-03", "day_two_time": "10:00:00"}
    assert whole["settings"]["day_two_round"] == 2
    assert whole["players"][0]["day_two_at"] is not None
    assert "day_two_at" not in event_document(opened)["event"]["players"][0]


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
def test_a_day_two_that_cannot_be_is_refused(
    event: Tournament, changes: dict[str, str], field: str
):
    typed = {"name": "Two", "starts_on": "2026-05-02", "time_zone": "UTC", **changes}

    assert field in SettingsForm(typed, instance=event).errors
