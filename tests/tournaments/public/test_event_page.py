"""The page of an event before, during and after it, and the pairings of a round."""

from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.test import Client

from players.models import Player
from tests.factories.cuts import event_with_cut, placings, play_cut_round
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.pages import text_of, url
from tournaments.event import engine_input
from tournaments.models import Tournament
from tournaments.results.standings_pages import leading_grid
from tournaments.settings import services as settings_services


def finished(event: Tournament) -> Tournament:
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


def read(event: Tournament, name: str = "event", **asked: str) -> str:
    return text_of(Client().get(url(name, event), asked))


def test_upcoming_event_lists_players_and_can_be_joined():
    text = read(make_event(players=3))

    assert "Registration is open" in text
    assert "Who is coming" in text
    assert "Checked in" not in text
    assert "Final standings" not in text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("registered", "You are on the list"),
        ("waiting", "You are on the waiting list"),
        ("dropped", "You have left this event"),
    ],
)
def test_player_sees_their_registration_before_round_1(client: Client, state: str, words: str):
    event = make_event(players=3)
    place = player_number(event, 3)
    event.registrations.filter(pk=place.pk).update(state=state)
    claim(client, place.player)

    page = client.get(url("event", event)).text

    assert f'id="state" class="big-step__title">{words}</h2>' in page
    assert url("my_event", event) in page


def test_running_event_shows_leaders_and_seating(client: Client):
    event = make_event(players=8)
    play_round(event)
    play_round(event, tables=[1, 2])

    answer = client.get(url("event", event))

    text = text_of(answer)
    assert "Round 2 of 3" in text
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
    assert answer.text.index("pairing--me") < answer.text.index("Where everybody sits")


def test_finished_event_shows_the_best_of_the_standings_on_the_podium(client: Client):
    event = make_event(players=8)
    play_round(event)
    finished(event)

    answer = client.get(url("event", event))

    lines = client.get(url("standings", event)).context["grid"].lines
    best = [line.standing.name for line in lines[:3]]
    assert [line.name for line in answer.context["podium"]] == best
    assert text_of(answer).index("Winner") < text_of(answer).index(best[0])
    assert len(answer.context["places"]) == 8
    assert "Checked in" not in answer.text


def test_finished_cut_shows_winner_and_bracket(client: Client):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [4, 3])
    play_cut_round(event, [3])
    finished(event)

    answer = client.get(url("event", event))

    assert [line.name for line in answer.context["podium"]] == placings(event)
    assert 'id="bracket"' in answer.text


@pytest.mark.parametrize(("visibility", "leads"), [("public", True), ("unlisted", False)])
def test_names_of_a_finished_event_link_to_public_profiles(visibility: str, leads: bool):
    event = make_event(players=4, visibility=visibility)
    play_round(event)
    finished(event)
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
            finished(event)
        caches["pages"].clear()
        counts.append(queries_of(Client().get, url("event", event)))

    assert counts[0] == counts[1]


def test_pairings_show_points_so_far_and_results_as_they_come(client: Client):
    event = make_event(players=4)
    play_round(event)
    play_round(event, tables=[1])

    answer = client.get(url("pairings", event))

    so_far = {line.seat.number: line.seat.so_far for line in answer.context["lines"]}
    grid = client.get(url("standings", event), {"round": "1"}).context["grid"]
    assert so_far == {line.standing.number: line.standing.match_points for line in grid.lines}
    assert answer.text.count(" : ") == 2


@pytest.mark.parametrize("is_live", [False, True])
def test_event_page_builds_the_leading_lines_of_the_standings_only(is_live: bool):
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


def test_event_page_reads_the_tables_of_the_leaders_only():
    event = make_event(players=40)
    play_round(event)
    rounds = list(event.rounds.published().select_related("stage__tournament"))

    with patch.object(engine_input, "tables_of", wraps=engine_input.tables_of) as read_tables:
        leading_grid(event, rounds, 2)

    (pairings, _), _ = read_tables.call_args
    assert len(pairings) == 2
