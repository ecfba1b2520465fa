"""What the wall shows at each moment of an event, and never shows."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from tests.factories.cuts import event_with_cut, play_cut_round, seed
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    finish_round,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import FRAGMENT
from tournaments.displays.pages import ProjectorView, view_choices
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def ask(browser: Client, event: Tournament, query: str = "", *, fragment: bool = False):
    headers = FRAGMENT if fragment else {}
    return browser.get(f"/events/{event.slug}/projector/{query}", headers=headers)


def views(browser: Client, event: Tournament, query: str = "") -> list[str]:
    """As the page has them: one that is kept was not rendered again."""
    return re.findall(r'data-wall-view="(\w+)"', ask(browser, event, query).text)


def test_the_programme_follows_the_event(client: Client):
    event = make_event(players=6)
    assert views(client, event) == ["join"]
    draft = draft_round(event)
    assert views(client, event) == ["join"]
    rounds_services.publish_round(draft, owner_of(event))
    assert views(client, event) == ["pairings"]
    rounds_services.start_round(draft, owner_of(event))
    assert views(client, event) == ["pairings", "clock"]


def test_between_rounds_and_after_the_last_there_are_standings(client: Client):
    event = make_event(players=6)
    play_round(event)
    assert views(client, event) == ["standings", "results"]
    draft_round(event)
    assert views(client, event) == ["standings", "results"]
    start_second = get_round(event, 2)
    rounds_services.publish_round(start_second, owner_of(event))
    rounds_services.start_round(start_second, owner_of(event))
    assert views(client, event) == ["pairings", "clock", "standings"]


def test_the_end_of_an_event_is_its_podium_and_standings(client: Client, event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    answer = ask(client, event)

    assert [view.name.value for view in answer.context["wall"].views] == ["podium", "standings"]
    assert "Final standings" in answer.text
    podium = answer.context["wall"].views[0].content
    assert [line.rank for line in podium] == [1, 2, 3]


def test_the_end_of_a_cut_is_the_order_of_its_places(client: Client):
    event = event_with_cut(2, system="single_elimination")
    best, second = seed(event, 1), seed(event, 2)
    play_cut_round(event, [2])
    settings_services.finish_event(fresh(event), owner_of(event))

    shown = {view.name: view for view in ask(client, event).context["wall"].views}
    lines = [line for line, _ in shown[ProjectorView.STANDINGS].content]

    assert [line.name for line in lines[:2]] == [second.player.name, best.player.name]
    assert [line.rank for line in lines] == list(range(1, 9))


def test_places_of_a_cut_are_not_called_standings_after_a_round(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])

    text = ask(client, event, "?show=standings").text

    assert "Places so far, with the cut" in text
    assert "Standings after round" not in text


def test_the_final_is_named_until_it_is_won_and_then_the_podium(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    assert views(client, event) == ["final", "bracket"]
    start_round(event)

    shown = ask(client, event)

    assert views(client, event) == ["final", "bracket"]
    for number in (1, 2):
        assert f"<bdi>{seed(event, number).player.name}</bdi>" in shown.text
    finish_round(get_round(event, 3), lambda _table: sweep(1))
    won = {view.name: view for view in ask(client, event).context["wall"].views}
    assert list(won) == [ProjectorView.PODIUM, ProjectorView.BRACKET]
    assert {line.name for line in won[ProjectorView.PODIUM].content[:2]} == {
        seed(event, number).player.name for number in (1, 2)
    }


def test_the_games_before_the_final_are_no_final(client: Client):
    event = event_with_cut(4)
    play_cut_round(event, [1, 2])

    assert views(client, event) == ["bracket"]
    start_round(event)
    assert views(client, event) == ["pairings", "bracket", "games"]
    assert ask(client, event, "?show=podium").context["wall"].views[0].is_empty


def test_the_meeting_is_seated_on_the_wall_beside_the_way_to_join(
    client: Client, event: Tournament
):
    registration_services.seat_meeting(event, owner_of(event), seats=4)

    answer = ask(client, event)

    assert [view.name.value for view in answer.context["wall"].views] == ["meeting", "join"]
    assert "<bdi>Ada</bdi>" in answer.text


def test_in_the_first_minutes_of_a_round_only_pairings_are_of_use(
    client: Client, event: Tournament
):
    round_ = start_round(event)

    wall = ask(client, event).context["wall"]

    assert round_.published_at is not None
    assert wall.first_until == round_.published_at + timedelta(minutes=5)
    assert ask(client, event, "?show=clock&show=pairings").context["wall"].first_until is None


def test_a_programme_can_be_chosen_and_what_is_not_known_is_left_out(
    client: Client, event: Tournament
):
    start_round(event)

    assert views(client, event, "?show=clock&show=pairings") == ["pairings", "clock"]
    assert views(client, event, "?show=clock&show=nothing") == ["clock"]
    assert views(client, event, "?show=nothing") == ["pairings", "clock"]


@pytest.mark.parametrize("turn", ["", "x", "-1", "1.5", "9" * 400, "٣"])
def test_odd_turns_begin_anew(client: Client, event: Tournament, turn: str):
    start_round(event)

    assert ask(client, event, f"?turn={turn}").context["show"] == "pairings"


def test_without_scripts_the_address_leads_through_the_views(client: Client, event: Tournament):
    start_round(event)

    first = ask(client, event)
    second = ask(client, event, f"?{first.context['next_turn']}")

    assert (second.context["show"], second.context["next_turn"]) == ("clock", "turn=0")
    held = ask(client, event, "?show=clock&show=pairings").context["next_turn"]
    assert held == "show=pairings&show=clock&turn=1"


def test_every_view_of_an_empty_event_is_a_page(client: Client):
    event = make_event(players=0)

    for name in ProjectorView:
        assert ask(client, event, f"?show={name}").status_code == 200


def test_the_newest_result_is_first(client: Client):
    event = make_event(players=6)
    round_ = start_round(event)
    for number in (2, 1):
        enter_result(table(round_, number), games_for(table(round_, number)))

    view = ask(client, event, "?show=results").context["wall"].views[0]

    assert [line.table for line in view.content] == [1, 2]
    assert all(seat.points is not None for line in view.content for seat in line.seats)


def test_a_table_with_more_time_stands_beside_the_clock(client: Client, event: Tournament):
    rounds_services.add_table_minutes(table(start_round(event), 2), 3, owner_of(event))

    text = ask(client, event, "?show=clock").text

    assert "Table 2: <strong>+3</strong>" in text


def test_the_way_to_ones_phone_is_the_code_first_and_then_the_event(
    client: Client, event: Tournament
):
    before = ask(client, event).text
    start_round(event)
    after = ask(client, event).text

    assert f"with the code <strong>{event.join_code}</strong>" in before
    assert f"/events/<wbr>{event.slug}/</strong>" in after
    assert "qr.svg?to=event" in after
    assert client.get(f"/events/{event.slug}/qr.svg?to=event").status_code == 200


def test_every_view_has_a_key_and_the_list_of_keys_names_it(client: Client, event: Tournament):
    page = ask(client, event).text
    listed = dict(re.findall(r"<dt><kbd>(\w)</kbd></dt><dd>([^<]+)</dd>", page))

    assert {choice.key: choice.name.label for choice in view_choices()}.items() <= listed.items()
    assert len({choice.key for choice in view_choices()} - {"0", "S", "L", "F"}) == len(
        ProjectorView
    )
