import pytest

from engine.table_plan import MeetingGuest, meeting_tables
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    make_event,
    owner_of,
    player_number,
)
from tournaments.models import Registration, Tournament
from tournaments.registration import services
from tournaments.rounds import services as rounds_services


def seats_of(event: Tournament) -> list[tuple[str, int | None]]:
    return [(entry.player.name, entry.meeting_table) for entry in event.registrations.all()]


def test_players_are_seated_by_name_and_logged():
    event = make_event(players=5)
    before = event.version

    count = services.seat_meeting(event, owner_of(event), seats=2)

    event = fresh(event)
    assert count == 5
    assert seats_of(event) == [("Ada", 1), ("Bo", 1), ("Cy", 2), ("Di", 2), ("Ed", 3)]
    assert event.meeting_is_on()
    assert event.version > before
    assert event.log.first().action == "players seated"


def test_registered_players_are_seated_on_request():
    event = make_event(players=2)
    add_players(event, 2, checked_in=False)

    services.seat_meeting(event, owner_of(event), seats=4)
    assert [table for _, table in seats_of(event)] == [1, 1, None, None]

    services.seat_meeting(event, owner_of(event), seats=2, with_registered=True)
    assert [table for _, table in seats_of(event)] == [1, 1, 2, 2]


def test_fixed_table_is_the_meeting_seat():
    event = make_event(players=3, table_numbers="5-9")
    Registration.objects.filter(pk=player_number(event, 3).pk).update(fixed_table=8)

    services.seat_meeting(event, owner_of(event), seats=2)

    assert seats_of(event) == [("Ada", 5), ("Bo", 5), ("Cy", 8)]


def test_late_player_gets_the_next_free_seat():
    event = make_event(players=3)
    services.seat_meeting(event, owner_of(event), seats=2)

    add_players(fresh(event), 2)

    assert [table for _, table in seats_of(event)] == [1, 1, 2, 2, 3]


def test_dropped_player_has_no_seat():
    event = make_event(players=3)
    services.seat_meeting(event, owner_of(event), seats=2)

    services.drop_player(player_number(event, 1), owner_of(event))

    seated = fresh(event).registrations.seated_for_meeting()
    assert [entry.player.name for entry in seated] == ["Bo", "Cy"]


def test_cleared_meeting_has_no_seats():
    event = make_event(players=2)
    services.seat_meeting(event, owner_of(event), seats=2)

    services.clear_meeting(event, owner_of(event))
    services.clear_meeting(event, owner_of(event))

    event = fresh(event)
    add_players(event, 1)
    assert seats_of(event) == [("Ada", None), ("Bo", None), ("Cy", None)]
    assert not event.meeting_is_on()
    assert event.log.filter(action="meeting cleared").count() == 1


def test_meeting_ends_when_round_1_is_published(event: Tournament):
    services.seat_meeting(event, owner_of(event), seats=2)
    round_ = draft_round(event)
    assert fresh(event).meeting_is_on()

    rounds_services.publish_round(round_, owner_of(event))

    assert not fresh(event).meeting_is_on()
    with pytest.raises(services.NoMeeting, match="Round 1 is published"):
        services.seat_meeting(event, owner_of(event), seats=2)


def test_no_players_or_too_small_tables_are_refused():
    event = make_event(players=2, checked_in=False)

    with pytest.raises(services.NoMeeting, match="No players are checked in"):
        services.seat_meeting(event, owner_of(event), seats=2)
    with pytest.raises(services.NoMeeting, match="seats 2 to 8"):
        services.seat_meeting(event, owner_of(event), seats=1)


def test_reseating_clears_all_seats_first(event: Tournament):
    services.seat_meeting(event, owner_of(event), seats=2)

    services.seat_meeting(fresh(event), owner_of(event), seats=4)

    assert [table for _, table in seats_of(event)] == [1, 1, 1, 1]


def test_table_numbers_of_the_room_come_first():
    assert meeting_tables([MeetingGuest()] * 6, 2, room=(7, 4)) == (7, 7, 4, 4, 8, 8)


def test_fixed_table_can_exceed_its_seats():
    assert meeting_tables([MeetingGuest(fixed=1)] * 3 + [MeetingGuest()], 2) == (1, 1, 1, 2)
