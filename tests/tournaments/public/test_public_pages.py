"""Public pages of an event, and help pages."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS
from matches.scoring.rules import SCORING_RULES
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    draft_round,
    finish_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.pages import url
from tournaments.models import Tournament
from tournaments.rounds.pages import system_helps
from tournaments.settings import services as settings_services

PAGES = ("event", "pairings", "standings", "projector", "print_standings")


def test_pages_of_an_empty_and_of_a_running_event(client):
    empty, played = make_event(players=0), make_event(players=9)
    play_round(played)
    start_round(played)

    for page in PAGES:
        assert "Spring Run" in client.get(url(page, empty)).text, page
        text = client.get(url(page, played)).text
        assert "<bdi>Ada</bdi>" in text or '<bdi class="player-name">' in text, page


def test_pairings_are_ordered_by_name_or_table(client):
    tournament = make_event(players=9)
    start_round(tournament)

    by_name = client.get(url("pairings", tournament)).context["lines"]
    by_table = client.get(url("round", tournament, 1), {"by": "table"}).context["lines"]

    names = [line.seat.name for line in by_name]
    assert names == sorted(names)
    assert len(names) == 9
    assert [line.opponents for line in by_name].count(()) == 1
    assert [line.table for line in by_table] == [1, 2, 3, 4, None]


def test_own_table_is_listed_first(event: Tournament, client):
    start_round(event)
    claim(client, player_number(event, 2).player)

    page = client.get(url("pairings", event))

    assert page.context["mine"].is_mine
    assert page.text.index("pairing--me") < page.text.index('id="find"')


@pytest.mark.parametrize(
    ("game", "rule", "numbered"), [("onr", "onr_runner_only", True), ("anr", "anr_single", False)]
)
def test_games_are_numbered_if_a_match_has_two(client, game, rule, numbered):
    event = make_event(players=4, game=game, scoring_rule=rule)
    start_round(event)

    page = client.get(url("round", event, 1), {"by": "table"}).text
    table = client.get(url("table", event, 1, 1)).text

    assert ("Corp in game 1" in page) is numbered
    assert ("in game 1</span>" in table) is numbered
    text = client.get(url("player", event, 1)).text
    assert ("in game 1</span>" in text) is numbered


def test_standings_show_four_digits_and_deciding_tie_breakers(client):
    tournament = make_event(players=9)
    play_round(tournament)

    response = client.get(url("standings", tournament))

    grid = response.context["grid"]
    lines = [line.standing for line in grid.lines]
    assert [heading for heading, _ in grid.headings] == ["SoS", "ESoS"]
    assert all(len(figure.split(".")[1]) == 4 for _, figure in lines[0].figures)
    assert [line.rank for line in lines] == list(range(1, 10))


@pytest.mark.parametrize("query", ["7", "x", "0", "-1", "9" * 30, "\u0663"])
def test_standings_of_an_unknown_round_are_not_found(event: Tournament, client, query):
    play_round(event)

    assert client.get(url("standings", event), {"round": query}).status_code == 404


def test_points_on_the_page_of_a_player_add_up(client):
    tournament = make_event(players=9)
    assert client.get(url("player", tournament, 1)).context["sums"] == []
    play_round(tournament)
    play_round(tournament)

    response = client.get(url("player", tournament, 1))

    sums = {line.id: line for line in response.context["sums"]}
    points = sum(int(term.text) for term in sums["match_points"].terms)
    assert points == response.context["standing"].match_points
    for term in sums["strength_of_schedule"].terms:
        assert url("player", tournament, term.opponents[0].number) in response.text


def test_table_shows_its_result_with_the_arithmetic(event: Tournament, client):
    round_ = start_round(event)
    open_table = client.get(url("table", event, 1, 1))
    finish_round(round_)
    settled = client.get(url("table", event, 1, 1))

    assert open_table.context["result"] is None
    assert "No settled result yet" in open_table.text
    assert "10 for the game won" in settled.text
    # As Runner in game 2, the loser keeps the point stolen; the factory plays it in game 1.
    sums = [total.sum for total in settled.context["result"].totals]
    assert sums == ["10 + 10 = 20", "1 + 0 = 1"]


def test_organiser_is_redirected_to_the_draft(event: Tournament, client):
    draft_round(event)
    client.force_login(owner_of(event).user)

    response = client.get(url("round", event, 1))

    assert response.status_code == 302
    assert response["Location"] == url("draft", event, 1)


def test_event_page_offers_to_join_while_registration_is_open(client):
    tournament = make_event(players=2)
    join = reverse("tournaments:join_code", args=[tournament.join_code])
    assert join in client.get(url("event", tournament)).text

    settings_services.set_registration(tournament, owner_of(tournament), is_open=False)

    assert join not in client.get(url("event", tournament)).text


def test_standings_of_a_finished_event_are_final(event: Tournament, client):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    assert "Final standings" in client.get(url("standings", event)).text
    assert "Final standings" in client.get(url("event", event)).text


def test_help_explains_the_scoring_of_each_game(client):
    text = client.get(reverse("tournaments:help_scoring")).text

    for rule in SCORING_RULES.values():
        assert escape(str(rule.explanation)) in text
    assert "Game 1 counts twice" in text
    assert "Paladins (purple)" in text


def words(address: str) -> str:
    return unescape(Client().get(address).content.decode())


def test_help_explains_each_pairing_system_and_its_criteria():
    page = words("/help/pairing/")

    for system in SYSTEMS.values():
        assert f'id="{system.id}"' in page
        assert system.explanation in page
    helps = [line for line in system_helps() if line.aim]
    assert {line.system.id for line in helps} == {"double", "single"}
    for line in helps:
        section = page[page.index(f'id="{line.system.id}"') :]
        places = [section.index(f"<li>{name.capitalize()}</li>") for name in line.avoided]
        assert places == sorted(places)
        assert line.aim in page


def test_help_explains_each_tie_breaker_and_the_usual_order():
    page = words("/help/tie-breakers/")

    for breaker in TIE_BREAKERS.values():
        assert breaker.explanation in page
    places = [page.index(f"<li>{TIE_BREAKERS[id_].name}</li>") for id_ in DEFAULT_TIE_BREAKERS]
    assert places == sorted(places)


def test_footer_links_to_the_help():
    page = words("/help/")

    for address in ("/help/pairing/", "/help/scoring/", "/help/tie-breakers/"):
        assert page.count(f'href="{address}"') == 2
