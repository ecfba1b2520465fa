"""The front page, and the public pages of an event in every state it goes through."""

import re
from datetime import UTC, date, datetime
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from icalendar import Calendar

from decks.models import Format
from engine.pairing import PROFILES
from engine.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS
from matches.scoring import SCORING_RULES
from tests.factories.cuts import event_with_cut, play_cut_round, seed
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tests.tournaments.scenes import four_players
from tournaments.event import queries
from tournaments.models import Tournament
from tournaments.settings.services import events

PAGES = ("event", "pairings", "standings", "projector", "print_standings")


@pytest.fixture
def event() -> Tournament:
    """Of this test alone: the list shows every event there is."""
    return four_players()


def test_an_event_has_all_its_pages_without_players_and_in_the_middle_of_a_round(client):
    empty, played = make_event(players=0), make_event(players=9)
    play_round(played)
    start_round(played)

    for page in PAGES:
        assert "Spring Run" in client.get(url(page, empty)).text, page
        text = client.get(url(page, played)).text
        assert "<bdi>Ada</bdi>" in text or '<bdi class="player-name">' in text, page


def test_pairings_by_name_are_in_order_of_name(client):
    tournament = make_event(players=9)
    start_round(tournament)

    response = client.get(url("pairings", tournament))

    names = [line.seat.name for line in response.context["lines"]]
    assert names == sorted(names)
    assert len(names) == 9
    assert [line.opponents for line in response.context["lines"]].count(()) == 1


@pytest.mark.parametrize(
    ("game", "rule", "numbered"), [("onr", "onr_runner_only", True), ("anr", "anr_single", False)]
)
def test_games_are_numbered_where_a_match_has_two(client, game, rule, numbered):
    event = make_event(players=4, game=game, scoring_rule=rule)
    start_round(event)

    page = client.get(url("round", event, 1), {"by": "table"}).text
    table = client.get(url("table", event, 1, 1)).text

    assert ("Corp in game 1" in page) is numbered
    assert ("in game 1</span>" in table) is numbered
    mine = client.get(url("player", event, 1)).text
    assert ("in game 1</span>" in mine) is numbered


def test_pairings_by_table_are_in_order_of_table(client):
    tournament = make_event(players=9)
    start_round(tournament)

    response = client.get(url("round", tournament, 1), {"by": "table"})

    assert [line.table for line in response.context["lines"]] == [1, 2, 3, 4, None]


def test_standings_show_four_digits_and_only_what_decides(client):
    tournament = make_event(players=9)
    play_round(tournament)

    response = client.get(url("standings", tournament))

    grid = response.context["grid"]
    lines = [line.standing for line in grid.lines]
    assert [heading for heading, _ in grid.headings] == ["SoS", "ESoS"]
    assert all(len(figure.split(".")[1]) == 4 for _, figure in lines[0].figures)
    assert [line.rank for line in lines] == list(range(1, 10))


def test_standings_as_of_an_earlier_round_can_be_read_again(client):
    tournament = make_event(players=8)
    play_round(tournament)
    first = client.get(url("standings", tournament)).context["grid"].lines
    play_round(tournament)

    again = client.get(url("standings", tournament), {"round": 1}).context["grid"].lines
    newest = client.get(url("standings", tournament)).context["grid"].lines

    assert again == first
    assert newest != first


@pytest.mark.parametrize("asked", ["7", "x", "0", "-1", "9" * 30, "\u0663"])
def test_standings_after_no_such_round_are_not_found(event: Tournament, client, asked):
    play_round(event)

    assert client.get(url("standings", event), {"round": asked}).status_code == 404


def test_the_page_of_a_player_adds_up(client):
    tournament = make_event(players=9)
    play_round(tournament)
    play_round(tournament)

    response = client.get(url("player", tournament, 1))

    sums = {line.id: line for line in response.context["sums"]}
    points = sum(int(term.text) for term in sums["match_points"].terms)
    assert points == response.context["standing"].match_points
    for term in sums["strength_of_schedule"].terms:
        assert url("player", tournament, term.opponents[0].number) in response.text


def test_a_player_without_a_round_has_a_page(client):
    tournament = make_event(players=2)

    response = client.get(url("player", tournament, 2))

    assert response.status_code == 200
    assert response.context["sums"] == []


def test_a_settled_table_shows_the_arithmetic(event: Tournament, client):
    play_round(event)

    response = client.get(url("table", event, 1, 1))

    assert "10 for the game won" in response.text
    sums = [total.sum for total in response.context["result"].totals]
    # As Runner in game 2 the loser keeps the point stolen; the factory plays it in game 1.
    assert sums == ["10 + 10 = 20", "1 + 0 = 1"]


def test_an_open_table_shows_no_result(event: Tournament, client):
    start_round(event)

    response = client.get(url("table", event, 1, 1))

    assert response.context["result"] is None
    assert "No settled result yet" in response.text


def test_who_runs_the_event_is_sent_to_the_draft(event: Tournament, client):
    draft_round(event)
    client.force_login(owner_of(event).user)

    response = client.get(url("round", event, 1))

    assert response.status_code == 302
    assert response["Location"] == url("draft", event, 1)


def test_the_event_page_offers_to_join_only_while_registration_is_open(client):
    tournament = make_event(players=2)
    join = reverse("tournaments:join_code", args=[tournament.join_code])
    assert join in client.get(url("event", tournament)).text

    events.set_registration(tournament, owner_of(tournament), is_open=False)

    assert join not in client.get(url("event", tournament)).text


def test_a_finished_event_says_that_its_standings_are_final(event: Tournament, client):
    play_round(event)
    events.finish(event, owner_of(event))

    assert "Final standings" in client.get(url("standings", event)).text
    assert "Final standings" in client.get(url("event", event)).text


def test_the_help_page_shows_the_scoring_of_every_game(client):
    text = client.get(reverse("tournaments:help_scoring")).text

    for rule in SCORING_RULES.values():
        assert escape(rule.explanation) in text
    assert "Game 1 counts twice" in text
    assert "Paladins (purple)" in text


def words(address: str) -> str:
    return unescape(Client().get(address).content.decode())


def test_every_system_has_an_address_and_its_explanation():
    page = words("/help/pairing/")

    for system in SYSTEMS.values():
        assert f'id="{system.id}"' in page
        assert system.explanation in page


def test_every_rule_of_a_profile_is_named_in_its_order():
    page = words("/help/pairing/")

    for profile in PROFILES.values():
        section = page[page.index(f'id="{profile.id}"') :]
        places = [section.index(f"<li>{rule.name.capitalize()}</li>") for rule in profile.rules]
        assert places == sorted(places)
        assert profile.explanation in page


def test_every_tie_breaker_is_shown_with_the_usual_order():
    page = words("/help/tie-breakers/")

    for breaker in TIE_BREAKERS.values():
        assert breaker.explanation in page
    places = [page.index(f"<li>{TIE_BREAKERS[id_].name}</li>") for id_ in DEFAULT_TIE_BREAKERS]
    assert places == sorted(places)


def test_the_footer_of_every_page_leads_to_the_help():
    page = words("/help/")

    for address in ("/help/pairing/", "/help/scoring/", "/help/tie-breakers/"):
        assert page.count(f'href="{address}"') == 2


NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)


def home(client):
    with time_machine.travel(NOON, tick=False):
        return client.get(reverse("home"))


def names(rows) -> list[str]:
    return [line.event.name for line in rows]


def test_a_site_without_events_shows_the_ways_in(client):
    text = home(client).text

    assert "No public events yet" in text
    assert reverse("tournaments:create") in text
    assert f'action="{reverse("tournaments:join")}"' in text


def test_events_stand_under_now_next_or_past(client):
    make_event(players=0, name="Today", starts_on=date(2026, 5, 2))
    make_event(players=0, name="Next week", starts_on=date(2026, 5, 9))
    make_event(players=0, name="Tomorrow", starts_on=date(2026, 5, 3))
    make_event(players=0, name="Last week", starts_on=date(2026, 4, 25))
    under_way = make_event(players=2, name="Two days", starts_on=date(2026, 5, 1))
    play_round(under_way)
    over = make_event(players=2, name="Over", starts_on=date(2026, 5, 2))
    play_round(over)
    events.finish(over, owner_of(over))

    context = home(client).context

    assert names(context["now"]) == ["Today", "Two days"]
    assert names(context["upcoming"]) == ["Tomorrow", "Next week"]
    assert names(context["past"]) == ["Over", "Last week"]


def test_an_event_with_many_rounds_is_counted_once(client):
    tournament = make_event(players=8, starts_on=date(2026, 5, 2))
    play_round(tournament)
    play_round(tournament)

    shown = list(home(client).context["now"])

    assert names(shown) == ["Spring Run"]
    assert shown[0].event.player_count == 8


def test_unlisted_and_private_events_are_on_no_list_but_open_to_their_readers(client):
    unlisted, private = (
        make_event(name=f"Hidden {visibility}", visibility=visibility, starts_on=date(2026, 5, 2))
        for visibility in ("unlisted", "private")
    )

    assert "Hidden" not in home(client).text
    assert "Hidden" not in client.get(reverse("tournaments:list")).text
    assert client.get(unlisted.get_absolute_url()).status_code == 200
    assert desk_of(private).get(private.get_absolute_url()).status_code == 200


def test_the_list_has_pages(client):
    for number in range(21):
        make_event(players=0, name=f"Run {number}", starts_on=date(2026, 1, 1 + number))

    first = client.get(reverse("tournaments:list"))
    second = client.get(reverse("tournaments:list"), {"page": 2})

    assert len(first.context["lines"]) == 20
    assert names(second.context["lines"]) == ["Run 0"]
    assert client.get(reverse("tournaments:list"), {"page": "x"}).status_code == 200


def lines_of(client: Client, **asked: str) -> dict[str, str]:
    """The state of each event in the list, by name."""
    context = client.get(reverse("tournaments:list"), asked).context
    return {line.event.name: line.state for line in context["lines"]}


def test_the_list_says_how_far_an_event_is_and_who_won(client):
    make_event(players=2, name="Coming")
    running = make_event(players=4, name="Running", planned_rounds=3)
    play_round(running)
    over = make_event(players=4, name="Over")
    play_round(over)
    events.finish(over, owner_of(over))
    cut = event_with_cut(4, system="single_elimination")
    play_cut_round(cut, [1, 2])
    in_cut = lines_of(client)["Spring Run"]
    play_cut_round(cut, [2])
    events.finish(fresh(cut), owner_of(cut))

    best = queries.newest_snapshot(over).rows.get(rank=1).registration.player.name
    assert in_cut == "Top cut"
    assert lines_of(client) == {
        "Coming": "Registration open",
        "Running": "Round 1 of 3",
        "Over": f"Finished: {best}",
        "Spring Run": f"Finished: {seed(cut, 2).player.name}",
    }


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"q": "lisb"}, {"Lisbon Open"}),
        ({"q": "\u00c9T\u00c9"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"q": "ete", "place": "PORTO"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"place": "s\u00e3o"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"game": "anr"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"format": "standard"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"since": "2026-06-01"}, {"Porto Cup d'\u00c9t\u00e9"}),
        ({"until": "2026-06-01"}, {"Lisbon Open"}),
        ({"game": "chess", "since": "soon"}, {"Lisbon Open", "Porto Cup d'\u00c9t\u00e9"}),
        ({"q": "lisb", "game": "anr"}, set()),
    ],
)
def test_events_are_found_by_name_place_game_format_and_day(client, asked, found):
    Format.objects.create(game="anr", format_id="standard", name="Standard")
    make_event(players=0, name="Lisbon Open", location="Lisbon", starts_on=date(2026, 5, 2))
    make_event(
        players=0,
        name="Porto Cup d'\u00c9t\u00e9",
        location="S\u00e3o Jo\u00e3o, Porto",
        starts_on=date(2026, 6, 6),
        game="anr",
        deck_rules={"format_id": "standard"},
    )

    assert set(lines_of(client, **asked)) == found


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ({}, "Datafort events"),
        ({"game": "onr", "place": "Berlin"}, "Datafort: Netrunner (1996) in Berlin"),
        ({"game": "anr", "format": "standard"}, "Datafort: Android: Netrunner, Standard"),
        (
            {"q": "Cup", "since": "2026-06-01", "until": "2026-06-30"},
            'Datafort: events named "Cup" from 1 Jun 2026 until 30 Jun 2026',
        ),
    ],
)
def test_a_calendar_is_called_what_was_looked_for(client, asked, title):
    Format.objects.create(game="anr", format_id="standard", name="Standard")

    answer = client.get(reverse("tournaments:all_events_calendar"), asked)

    assert str(Calendar.from_ical(answer.content)["x-wr-calname"]) == title


def test_the_filters_of_the_list_are_folded_until_one_is_set(client):
    def is_open(**asked: str) -> bool:
        page = client.get(reverse("tournaments:list"), asked).text
        return re.search(r"<details[^>]* open>\s*<summary>Find an event", page) is not None

    assert not is_open()
    assert is_open(place="Porto")
    assert is_open(since="soon")


def test_the_queries_of_the_list_do_not_grow_with_events(client):
    asked = []
    for more in (1, 2):
        for number in range(more):
            event = make_event(players=2, name=f"Run {more} {number}")
            play_round(event)
            cut = event_with_cut(2, players=2, system="single_elimination")
            play_cut_round(cut, [1])
            for one in (event, fresh(cut)):
                events.finish(one, owner_of(one))
        asked.append(queries_of(client.get, reverse("tournaments:list")))

    assert asked[0] == asked[1]
