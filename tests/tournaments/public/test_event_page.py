"""The page of an event before, during and after it, and the pairings of a round."""

from datetime import UTC, date, datetime, time
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.db.models import F
from django.test import Client

from players import services as players_services
from players.models import Player
from tests.factories.cuts import event_with_cut, placings, play_cut_round, stage_of
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    add_staff,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.pages import text_of, url
from tournaments.event import engine_input
from tournaments.models import Tournament
from tournaments.models.events import DEFAULT_PLAYER_LIMIT
from tournaments.results import cuts
from tournaments.results.standings_pages import leading_grid
from tournaments.settings import services as settings_services


def finish(event: Tournament) -> Tournament:
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


def read(event: Tournament, name: str = "event", **query: str) -> str:
    return text_of(Client().get(url(name, event), query))


def test_upcoming_event_lists_players_and_can_be_joined():
    text = read(make_event(players=3))

    assert "Registration is open" in text
    assert "Who is coming" in text
    assert "Checked in" not in text
    assert "Final standings" not in text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("registered", "You are registered"),
        ("waiting", "You are on the waiting list"),
        ("dropped", "You have dropped from this event"),
    ],
)
def test_player_sees_their_registration_before_round_1(client: Client, state: str, words: str):
    event = make_event(players=3)
    place = player_number(event, 3)
    event.registrations.filter(pk=place.pk).update(state=state)
    claim(client, place.player)

    page = client.get(url("event", event)).text

    assert f'<h2 id="state">{words}</h2>' in page
    assert url("my_event", event) in page


class TestHead:
    def test_organiser_is_shown_with_their_public_name_and_never_the_username(self):
        owner = make_user("secret-login")
        event = make_event(players=2, owner=owner)
        unnamed = Client().get(url("event", event))
        players_services.create_player("Maja Lindqvist", user=owner)
        Tournament.objects.update(version=F("version") + 1)

        named = Client().get(url("event", event))

        assert unnamed.context["organisers"] == []
        assert named.context["organisers"] == ["Maja Lindqvist"]
        assert "secret-login" not in unnamed.text + named.text

    def test_judges_are_not_listed_as_organisers(self):
        event = make_event(players=2)
        players_services.create_player("Judge Dredd", user=add_staff(event, "head_judge"))

        assert Client().get(url("event", event)).context["organisers"] == []

    @pytest.mark.parametrize("most", [None, DEFAULT_PLAYER_LIMIT])
    def test_player_count_without_a_limit(self, most: int | None):
        text = read(make_event(players=3, max_players=most))

        assert "Players 3" in text
        assert "Players 3 of" not in text

    def test_player_count_with_a_limit(self):
        assert "Players 3 of 8" in read(make_event(players=3, max_players=8))

    def test_start_includes_the_utc_offset(self):
        event = make_event(players=2, start_time=time(10), time_zone="Europe/Berlin")

        page = Client().get(url("event", event)).text

        assert 'data-reader-time="2026-05-02T10:00:00+02:00"' in page

    @pytest.mark.parametrize(
        ("role", "shown"), [(None, False), ("organiser", True), ("judge", True)]
    )
    def test_desk_is_offered_to_staff(self, role: str | None, shown: bool):
        event, client = make_event(players=2), Client()
        if role:
            client.force_login(add_staff(event, role))

        page = client.get(url("event", event)).text

        assert page.count(f'href="{url("desk", event)}"') == (2 if shown else 0)


@pytest.mark.parametrize(
    ("settings", "cut"),
    [
        ({}, "Then a top 4, double elimination."),
        ({"planned_cut_system": "single_elimination"}, "Then a top 4, single elimination."),
    ],
)
def test_rules_name_the_kind_of_the_planned_cut(settings: dict[str, Any], cut: str):
    text = read(make_event(players=8, planned_rounds=3, planned_cut=4, **settings))

    assert f"3 rounds of 65 minutes. {cut}" in text


class TestSchedule:
    def test_rounds_cut_and_end_follow_the_start(self, time_machine: Any):
        time_machine.move_to(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False)
        event = make_event(
            players=8, planned_rounds=3, planned_cut=4, start_time=time(10), round_minutes=65
        )

        lines = Client().get(url("event", event)).context["schedule"]

        shown = [(f"{line.at:%H:%M}", line.text) for line in lines]
        assert shown[:4] == [
            ("10:00", "Round 1"),
            ("11:15", "Round 2"),
            ("12:30", "Round 3"),
            ("13:45", "Cut: top 4"),
        ]
        assert [text for _, text in shown[4:]] == ["Expected end"]

    def test_second_day_has_a_heading(self, time_machine: Any):
        time_machine.move_to(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False)
        event = make_event(
            players=8,
            planned_rounds=3,
            start_time=time(10),
            day_two_on=date(2026, 5, 3),
            day_two_time=time(11),
            day_two_round=3,
        )

        lines = Client().get(url("event", event)).context["schedule"]

        assert [(line.day, line.text) for line in lines if line.day] == [
            ("Day 1", "Round 1"),
            ("Day 2", "Round 3"),
        ]

    @pytest.mark.parametrize(
        ("players", "settings"),
        [(0, {"start_time": time(10)}), (8, {"planned_rounds": 3})],
        ids=["no players", "no start time"],
    )
    def test_unknown_times_are_not_shown(self, players: int, settings: dict[str, Any]):
        event = make_event(players=players, starts_on=date(2036, 5, 2), **settings)

        answer = Client().get(url("event", event))

        assert answer.context["schedule"] == []
        assert "Expected end" not in answer.text


def test_running_event_shows_leaders_and_seating(client: Client):
    event = make_event(players=8)
    play_round(event)
    play_round(event, tables=[1, 2])

    answer = client.get(url("event", event))

    text = text_of(answer)
    assert 'id="round">Round 2 of 3</h2>' in answer.text
    assert "2 tables still playing." in text
    assert "Leading now" in text
    assert len(answer.context["best"]) == 8
    assert len(answer.context["lines"]) == 8


def test_player_sees_their_own_table_first(client: Client):
    event = make_event(players=8)
    start_round(event)
    claim(client, player_number(event, 3).player)

    answer = client.get(url("event", event))

    assert [seat.is_me for seat in answer.context["mine"].seats].count(True) == 1
    assert answer.text.index("pairing--me") < answer.text.index("Where everyone sits")


def test_finished_event_shows_the_leaders_of_the_standings_on_the_podium(client: Client):
    event = make_event(players=8)
    play_round(event)
    finish(event)

    answer = client.get(url("event", event))

    lines = client.get(url("standings", event)).context["grid"].lines
    best = [line.standing.name for line in lines[:3]]
    assert [line.name for line in answer.context["podium"]] == best
    assert f"Won by {best[0]}" in text_of(answer)
    assert len(answer.context["places"]) == 8
    assert "Checked in" not in answer.text


def test_finished_cut_shows_winner_and_bracket(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [4, 3])
    play_cut_round(event, [3])
    finish(event)

    answer = client.get(url("event", event))

    assert [line.name for line in answer.context["podium"]] == placings(event)[:3]
    assert f"Won by {placings(event)[0]}" in text_of(answer)
    assert 'id="bracket"' in answer.text


class TestCut:
    def test_first_button_leads_to_the_bracket(self):
        event = event_with_cut(4, system="single_elimination")
        start_round(event)

        page = Client().get(url("event", event))

        main = page.text[page.text.index("<main") :]
        assert main.index(url("bracket", event)) < main.index(url("pairings", event))
        assert 'id="round">Semifinals</h2>' in page.text
        assert len(page.context["lines"]) == 4
        assert page.context["best"] == ()

    def test_pairings_of_the_last_swiss_round_disappear_once_the_seeds_are_public(self):
        event = event_with_cut(4, system="single_elimination")
        cuts.publish_cut(stage_of(event), owner_of(event))

        page = Client().get(url("event", fresh(event)))

        assert page.context["lines"] == []
        assert page.context["best"] == ()
        assert "Where everyone sits" not in page.text
        assert 'id="bracket"' in page.text


@pytest.mark.parametrize(("role", "shown"), [(None, False), ("judge", False), ("organiser", True)])
def test_organisers_see_the_next_steps_after_the_event(role: str | None, shown: bool):
    event, client = make_event(players=4), Client()
    play_round(event)
    if role:
        client.force_login(add_staff(event, role))
    finish(event)

    page = client.get(url("event", event)).text

    for link in (f"{url('desk', event)}#after", url("paper", event), url("again", event)):
        assert (link in page) is shown, link


@pytest.mark.parametrize(("visibility", "leads"), [("public", True), ("unlisted", False)])
def test_names_of_a_finished_event_link_to_public_profiles(visibility: str, leads: bool):
    event = make_event(players=4, visibility=visibility)
    play_round(event)
    finish(event)
    hidden, shown = (event.registrations.get(number=number).player for number in (1, 2))
    Player.objects.filter(pk=hidden.pk).update(hides_history=True)

    answer = Client().get(url("event", event)).text

    assert (f'href="/people/{shown.pk}/"' in answer) is leads
    assert f'href="/people/{hidden.pk}/"' not in answer
    assert f'href="{url("player", event, 1)}"' in answer


@pytest.mark.parametrize("state", ["before", "while", "after"])
def test_queries_do_not_grow_with_players(state: str):
    counts = []
    for players in (4, 24):
        event = make_event(players, name=f"With {players}")
        if state != "before":
            play_round(event)
            play_round(event, tables=[1] if state == "while" else None)
        if state == "after":
            finish(event)
        caches["pages"].clear()
        counts.append(queries_of(Client().get, url("event", event)))

    assert counts[0] == counts[1]


def test_pairings_show_points_before_the_round_and_each_new_result(client: Client):
    event = make_event(players=4)
    play_round(event)
    play_round(event, tables=[1])

    answer = client.get(url("pairings", event))

    so_far = {line.seat.number: line.seat.so_far for line in answer.context["lines"]}
    grid = client.get(url("standings", event), {"round": "1"}).context["grid"]
    assert so_far == {line.standing.number: line.standing.match_points for line in grid.lines}
    assert answer.text.count(" : ") == 2


@pytest.mark.parametrize("is_live", [False, True])
def test_event_page_builds_only_the_leading_rows_of_the_standings(is_live: bool):
    event = make_event(players=21)
    play_round(event)
    play_round(event)
    if is_live:
        play_round(event, tables=[1, 2, 3])

    leading = Client().get(url("event", event)).context["grid"]

    full = Client().get(url("standings", event)).context["grid"]
    assert len(full.lines) == 21
    assert (leading.live, leading.after) == (is_live, full.after)
    shown, expected = (
        [(line.standing.number, line.standing.match_points, line.record) for line in lines]
        for lines in (leading.lines, full.lines[:8])
    )
    assert shown == expected


def test_event_page_reads_only_the_tables_of_the_leaders():
    event = make_event(players=40)
    play_round(event)
    rounds = list(event.rounds.published().select_related("stage__tournament"))

    with patch.object(engine_input, "tables_of", wraps=engine_input.tables_of) as read_tables:
        leading_grid(event, rounds, 2)

    (pairings, _), _ = read_tables.call_args
    assert len(pairings) == 2
