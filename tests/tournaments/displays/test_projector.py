"""The projector: views for each state of an event, and its options."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from tests.elements import Elements
from tests.factories.cuts import event_with_cut, play_cut_round, seed
from tests.factories.pods import make_pods, places
from tests.factories.tournaments import (
    close_round,
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
    tables_of,
)
from tournaments.displays.pages import ProjectorView, view_choices
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def projector(browser: Client, event: Tournament, query: str = ""):
    return browser.get(f"/events/{event.slug}/projector/{query}")


def views(browser: Client, event: Tournament, query: str = "") -> list[str]:
    # From the page: a cached page has no context.
    return re.findall(r'data-wall-view="(\w+)"', projector(browser, event, query).text)


def test_views_follow_the_event(client: Client):
    event = make_event(players=6)
    assert views(client, event) == ["join"]
    draft = draft_round(event)
    assert views(client, event) == ["join"]
    rounds_services.publish_round(draft, owner_of(event))
    assert views(client, event) == ["pairings"]
    rounds_services.start_round(draft, owner_of(event))
    assert views(client, event) == ["pairings", "clock"]


def test_views_between_rounds(client: Client):
    event = make_event(players=6)
    play_round(event)
    assert views(client, event) == ["standings", "results"]
    draft_round(event)
    assert views(client, event) == ["standings", "results"]
    second = get_round(event, 2)
    rounds_services.publish_round(second, owner_of(event))
    rounds_services.start_round(second, owner_of(event))
    assert views(client, event) == ["pairings", "clock", "standings"]


def test_finished_event_has_podium_and_standings(client: Client, event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    answer = projector(client, event)

    assert [view.name.value for view in answer.context["wall"].views] == ["podium", "standings"]
    assert "Final standings" in answer.text
    podium = answer.context["wall"].views[0].content
    assert [line.rank for line in podium] == [1, 2, 3]


def test_finished_cut_orders_the_standings(client: Client):
    event = event_with_cut(2, system="single_elimination")
    best, second = seed(event, 1), seed(event, 2)
    play_cut_round(event, [2])
    settings_services.finish_event(fresh(event), owner_of(event))

    shown = {view.name: view for view in projector(client, event).context["wall"].views}
    lines = shown[ProjectorView.STANDINGS].content

    assert [line.name for line in lines[:2]] == [second.player.name, best.player.name]
    assert [line.places for line in lines] == [str(place) for place in range(1, 9)]
    # Swiss points would not match this order.
    assert {line.points for line in lines} == {None}


def test_projector_shows_the_places_so_far_during_a_cut(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])

    page = projector(client, event, "?show=standings")

    assert "Places so far, with the cut" in page.text
    assert "Standings after round" not in page.text
    lines = page.context["wall"].views[0].content
    assert (lines[0].places, lines[0].name) == ("1–2", "")


def test_places_with_the_cut_mark_players_who_dropped(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    dropped = event.cut_candidates()[-1]
    registration_services.drop_player(dropped, owner_of(event))

    lines = projector(client, event, "?show=standings").context["wall"].views[0].content

    assert [line.name for line in lines if line.has_dropped] == [dropped.player.name]


def test_final_is_shown_until_its_result(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    assert views(client, event) == ["results", "bracket"]
    start_round(event)

    shown = projector(client, event)

    assert views(client, event) == ["final", "bracket"]
    for number in (1, 2):
        assert f"<bdi>{seed(event, number).player.name}</bdi>" in shown.text
    finish_round(get_round(event, 3), lambda _table: sweep(1))
    won = {view.name: view for view in projector(client, event).context["wall"].views}
    assert list(won) == [ProjectorView.PODIUM, ProjectorView.BRACKET]
    assert {line.name for line in won[ProjectorView.PODIUM].content[:2]} == {
        seed(event, number).player.name for number in (1, 2)
    }


def test_decided_semifinals_show_results_until_the_final_is_published(client: Client):
    event = event_with_cut(4, system="single_elimination")
    first, second = tables_of(start_round(event))
    enter_result(first, sweep(1))
    assert views(client, event) == ["pairings", "bracket", "games"]
    enter_result(second, sweep(1))

    page = projector(client, event)

    assert views(client, event) == ["results", "bracket"]
    assert "Semifinals: newest results" in page.text
    assert page.context["wall"].clock is None
    close_round(get_round(event, 2))
    draft = draft_round(event)
    assert views(client, event) == ["results", "bracket"]
    rounds_services.publish_round(draft, owner_of(event))
    assert views(client, event) == ["final"]


def test_confirmed_final_shows_the_winner_before_the_round_is_closed(client: Client):
    event = event_with_cut(2, system="single_elimination")
    (final,) = tables_of(start_round(event))
    enter_result(final, sweep(1))

    page = projector(client, event)

    assert [view.name.value for view in page.context["wall"].views] == ["podium", "bracket"]
    assert page.context["wall"].clock is None
    assert "wins</p>" in page.text
    assert "find your table" not in page.text
    assert Elements(page.text).all("div", "wall__clock") == []


def test_cut_before_the_final(client: Client):
    event = event_with_cut(4)
    play_cut_round(event, [1, 2])

    assert views(client, event) == ["results", "bracket"]
    start_round(event)
    assert views(client, event) == ["pairings", "bracket", "games"]
    assert projector(client, event, "?show=podium").context["wall"].views[0].is_empty


def test_player_meeting(client: Client, event: Tournament):
    registration_services.seat_meeting(event, owner_of(event), seats=4)

    answer = projector(client, event)

    assert [view.name.value for view in answer.context["wall"].views] == ["meeting", "join"]
    assert "<bdi>Ada</bdi>" in answer.text


def test_first_minutes_of_a_round_show_pairings_only(client: Client, event: Tournament):
    round_ = start_round(event)

    wall = projector(client, event).context["wall"]

    assert round_.published_at is not None
    assert wall.first_until == round_.published_at + timedelta(minutes=5)
    assert projector(client, event, "?show=clock&show=pairings").context["wall"].first_until is None


def test_chosen_views_without_unknown_names(client: Client, event: Tournament):
    start_round(event)

    assert views(client, event, "?show=clock&show=pairings") == ["pairings", "clock"]
    assert views(client, event, "?show=clock&show=nothing") == ["clock"]
    assert views(client, event, "?show=nothing") == ["pairings", "clock"]


@pytest.mark.parametrize("turn", ["", "x", "-1", "1.5", "9" * 400, "٣"])
def test_invalid_turn_shows_the_first_view(client: Client, event: Tournament, turn: str):
    start_round(event)

    assert projector(client, event, f"?turn={turn}").context["show"] == "pairings"


def test_address_of_the_next_view_without_scripts(client: Client, event: Tournament):
    start_round(event)

    first = projector(client, event)
    second = projector(client, event, f"?{first.context['next_turn']}")

    assert (second.context["show"], second.context["next_turn"]) == ("clock", "turn=0")
    next_turn = projector(client, event, "?show=clock&show=pairings").context["next_turn"]
    assert next_turn == "show=pairings&show=clock&turn=1"


def test_every_view_of_an_empty_event(client: Client):
    event = make_event(players=0)

    for name in ProjectorView:
        assert projector(client, event, f"?show={name}").status_code == 200


def test_newest_result_is_first(client: Client):
    event = make_event(players=6)
    round_ = start_round(event)
    for number in (2, 1):
        enter_result(table(round_, number), games_for(table(round_, number)))

    view = projector(client, event, "?show=results").context["wall"].views[0]

    assert [line.table for line in view.content] == [1, 2]
    assert all(seat.points is not None for line in view.content for seat in line.seats)


def test_extra_time_is_beside_the_clock(client: Client, event: Tournament):
    rounds_services.add_table_minutes(table(start_round(event), 2), 3, owner_of(event))

    text = projector(client, event, "?show=clock").text

    assert "Table 2: <strong>+3</strong>" in text


def test_address_for_phones(client: Client, event: Tournament):
    before = projector(client, event).text
    start_round(event)
    after = projector(client, event).text

    assert f"with the code <strong>{event.join_code}</strong>" in before
    assert f"/events/<wbr>{event.slug}/</strong>" in after
    assert "qr.svg?to=event" in after
    assert client.get(f"/events/{event.slug}/qr.svg?to=event").status_code == 200


@pytest.mark.parametrize("query", ["", "?show=join"])
def test_no_join_code_once_registration_is_closed(client: Client, query: str):
    event = make_event(players=4, name="A name with a slug of more than 24 letters")
    assert event.join_code in projector(client, event, query).text

    start_round(event)

    assert not fresh(event).can_register()
    assert event.join_code not in projector(client, event, query).text


@pytest.mark.parametrize("view", ["pairings", "tables"])
def test_each_player_has_a_side(client: Client, event: Tournament, view: str):
    start_round(event)

    shown = Elements(projector(client, event, f"?show={view}").text)

    sides = [element["class"].split()[-1] for element in shown.all("span", "wall-row__side")]
    players = event.registrations.count()
    assert sorted(sides) == [
        *(["wall-row__side--corp"] * (players // 2)),
        *(["wall-row__side--runner"] * (players // 2)),
    ]


@pytest.mark.parametrize(
    ("game", "rule", "expected"),
    [("onr", "onr_runner_only", "Corp first"), ("anr", "anr_single", "Corp")],
)
def test_sides_of_two_games_are_those_of_the_first(
    client: Client, game: str, rule: str, expected: str
):
    event = make_event(players=2, game=game, scoring_rule=rule)
    start_round(event)

    assert f'wall-row__side--corp">{expected}<' in projector(client, event, "?show=tables").text


def test_pods_have_factions_instead_of_sides(client: Client):
    event = make_pods(players=4)
    round_ = start_round(event)
    enter_result(table(round_, 1), places(table(round_, 1)))

    assert "wall-row__side--" not in projector(client, event, "?show=tables").text


def test_every_view_has_a_listed_key(client: Client, event: Tournament):
    page = projector(client, event).text
    listed = dict(re.findall(r"<dt><kbd>(\w)</kbd></dt><dd>([^<]+)</dd>", page))

    assert {choice.key: choice.name.label for choice in view_choices()}.items() <= listed.items()
    assert len({choice.key for choice in view_choices()} - {"0", "S", "L", "F"}) == len(
        ProjectorView
    )
