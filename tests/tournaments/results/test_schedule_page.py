"""The schedule of a round robin."""

from tests.factories.tournaments import (
    draft_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.pages import url
from tournaments.models import Tournament
from tournaments.registration import services as registration_services


def schedule(client, event: Tournament):
    return client.get(url("schedule", event))


def test_schedule_is_hidden_before_round_1_is_published(client):
    event = make_event(5, system="round_robin")
    draft_round(event)

    response = schedule(client, event)

    assert response.context["schedule"] is None
    assert "No schedule yet" in response.text


def test_swiss_event_has_no_schedule(client):
    event = make_event(5)
    start_round(event)

    assert "each round is paired by the results so far" in schedule(client, event).text


def test_played_rounds_stay_when_fewer_rounds_are_planned(client):
    event = make_event(5, system="round_robin")
    for _ in range(3):
        play_round(event)
    Tournament.objects.filter(pk=event.pk).update(planned_rounds=2)

    shown = schedule(client, event).context["schedule"]

    assert [round_.is_published for round_ in shown.rounds] == [True, True, True]


def test_schedule_has_every_pairing_once_with_the_points_of_played_tables(client):
    event = make_event(5, system="round_robin")
    play_round(event)
    start_round(event)

    shown = schedule(client, event).context["schedule"]

    assert [round_.is_published for round_ in shown.rounds] == [True, True, False, False, False]
    assert [len(cell.meetings) for row in shown.rows for cell in row.cells if cell] == [1] * 20
    points = [encounter.points for encounter in shown.rounds[0].encounters]
    assert points == [(20, 1), (10, 12), ()]
    assert [slot.is_bye for slot in shown.rounds[0].encounters] == [False, False, True]


def test_each_cell_has_the_points_of_its_row_first(client):
    event = make_event(2, system="round_robin")
    play_round(event)

    first, second = schedule(client, event).context["schedule"].rows

    (encounter, own_points), (_, opponent_points) = (
        first.cells[1].meetings[0],
        second.cells[0].meetings[0],
    )
    assert (own_points, opponent_points) == (own_points, own_points[::-1])
    assert encounter.table == 1
    assert first.cells[0] is None


def test_future_rounds_mark_players_who_left(client):
    event = make_event(4, system="round_robin")
    play_round(event)
    registration_services.drop_player(player_number(event, 1), owner_of(event))

    shown = schedule(client, event).context["schedule"]

    assert [
        sum(encounter.is_bye for encounter in round_.encounters) for round_ in shown.rounds
    ] == [0, 1, 1]
    assert [row.place.has_left for row in shown.rows].count(True) == 1


def test_own_rows_of_a_player_are_marked(phone_of):
    event = make_event(4, system="round_robin")
    start_round(event)

    shown = schedule(phone_of(player_number(event, 3)), event).context["schedule"]

    assert [row.place.name for row in shown.rows if row.place.is_me] == ["Cy"]
    assert [
        sum(encounter.is_mine for encounter in round_.encounters) for round_ in shown.rounds
    ] == [1, 1, 1]


def test_manual_bye_of_a_guest_does_not_break_the_schedule(client):
    event = make_event(4, system="round_robin")
    round_ = start_round(event)
    guest = make_event(1, name="Elsewhere").registrations.get()
    guest.tournament, guest.number = event, 9
    guest.save()
    round_.pairings.create(bye=guest, bye_points=0)

    response = schedule(client, event)

    assert response.status_code == 200
    assert len(response.context["schedule"].rows) == 4


def test_event_page_links_to_the_schedule(client):
    event = make_event(4, system="round_robin")
    address = url("schedule", event)

    assert address in client.get(event.get_absolute_url()).text
    assert address not in client.get(make_event(2).get_absolute_url()).text
