"""The home page, the list of events with its search, and the calendar feed."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from decks.models import Format
from tests.factories.cuts import event_with_cut, make_cut, play_cut_round, seed
from tests.factories.tournaments import (
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    start_round,
)
from tests.queries import queries_asked, queries_of
from tests.tournaments.cast import desk_of
from tournaments.models import Tournament
from tournaments.results import cuts
from tournaments.settings import services as settings_services

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)


def home(client):
    with time_machine.travel(NOON, tick=False):
        return client.get(reverse("home"))


def names(rows) -> list[str]:
    return [line.event.name for line in rows]


def test_site_without_events_offers_to_create_or_join(client):
    text = home(client).text

    assert "No public events yet" in text
    assert reverse("tournaments:create") in text
    assert f'action="{reverse("tournaments:join")}"' in text


def test_events_are_grouped_by_time(client):
    make_event(players=0, name="Today", starts_on=date(2026, 5, 2))
    make_event(players=0, name="Next week", starts_on=date(2026, 5, 9))
    make_event(players=0, name="Tomorrow", starts_on=date(2026, 5, 3))
    make_event(players=0, name="Last week", starts_on=date(2026, 4, 25))
    under_way = make_event(players=2, name="Two days", starts_on=date(2026, 5, 1))
    play_round(under_way)
    over = make_event(players=2, name="Over", starts_on=date(2026, 5, 2))
    play_round(over)
    settings_services.finish_event(over, owner_of(over))

    context = home(client).context

    assert names(context["now"]) == ["Today", "Two days"]
    assert names(context["upcoming"]) == ["Tomorrow", "Next week"]
    assert names(context["past"]) == ["Over", "Last week"]


def test_unlisted_and_private_events_are_not_listed_but_readable(client):
    unlisted, private = (
        make_event(name=f"Hidden {visibility}", visibility=visibility, starts_on=date(2026, 5, 2))
        for visibility in ("unlisted", "private")
    )

    assert "Hidden" not in home(client).text
    assert "Hidden" not in client.get(reverse("tournaments:list")).text
    assert client.get(unlisted.get_absolute_url()).status_code == 200
    assert desk_of(private).get(private.get_absolute_url()).status_code == 200


def test_list_has_pages(client):
    for number in range(21):
        make_event(players=0, name=f"Run {number}", starts_on=date(2026, 1, 1 + number))

    first = client.get(reverse("tournaments:list"))
    second = client.get(reverse("tournaments:list"), {"page": 2})

    assert len(first.context["lines"]) == 20
    assert names(second.context["lines"]) == ["Run 0"]
    assert client.get(reverse("tournaments:list"), {"page": "x"}).status_code == 200


def lines_of(client: Client, **query: str) -> dict[str, str]:
    """Return the state of each event in the list, by name."""
    context = client.get(reverse("tournaments:list"), query).context
    return {line.event.name: line.state for line in context["lines"]}


def test_my_events_show_the_state_of_each_event(client):
    owner = make_user()
    client.force_login(owner)
    closed = timezone.now() - timedelta(hours=1)
    make_event(players=2, name="Late", registration_closes_at=closed, owner=owner)
    running = make_event(players=4, name="Running", planned_rounds=3, owner=owner)
    play_round(running)
    in_cut, seeded = (
        make_event(players=8, name=name, planned_rounds=1, registration_is_open=False, owner=owner)
        for name in ("In the cut", "Seeded")
    )
    for event in (in_cut, seeded):
        play_round(event)
        cuts.publish_cut(make_cut(event, 4, system="single_elimination"), owner_of(event))
    start_round(in_cut)

    lines = client.get(reverse("tournaments:mine")).context["lines"]

    assert {line.event.name: line.state for line in lines} == {
        "Late": "Registration closed",
        "Running": "Round 1 of 3",
        "In the cut": "Semifinals",
        "Seeded": "Top 4",
    }


def test_list_shows_progress_and_winners(client):
    make_event(players=2, name="Coming")
    running = make_event(players=4, name="Running", planned_rounds=3)
    play_round(running)
    over = make_event(players=4, name="Over")
    play_round(over)
    settings_services.finish_event(over, owner_of(over))
    cut = event_with_cut(4, system="single_elimination")
    play_cut_round(cut, [1, 2])
    in_cut = lines_of(client)["Spring Run"]
    play_cut_round(cut, [2])
    settings_services.finish_event(fresh(cut), owner_of(cut))

    best = over.snapshots.newest().rows.get(rank=1).registration.player.name
    assert in_cut == "Semifinals"
    assert lines_of(client) == {
        "Coming": "Registration open",
        "Running": "Round 1 of 3",
        "Over": f"Finished: {best}",
        "Spring Run": f"Finished: {seed(cut, 2).player.name}",
    }


@pytest.mark.parametrize(
    ("query", "expected"),
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
def test_events_are_found_by_name_place_game_format_and_day(client, query, expected):
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

    assert set(lines_of(client, **query)) == expected


@pytest.mark.parametrize(
    ("query", "title"),
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
def test_calendar_is_named_after_the_search(client, query, title):
    Format.objects.create(game="anr", format_id="standard", name="Standard")

    answer = client.get(reverse("tournaments:all_events_calendar"), query)

    assert str(Calendar.from_ical(answer.content)["x-wr-calname"]) == title


def test_filters_are_folded_until_used(client):
    def is_open(**query: str) -> bool:
        page = client.get(reverse("tournaments:list"), query).text
        return re.search(r"<details[^>]* open>\s*<summary>Find an event", page) is not None

    assert not is_open()
    assert is_open(place="Porto")
    assert is_open(since="soon")


def test_queries_of_list_and_archive_do_not_grow_with_events(client):
    counts = []
    for more in (1, 2):
        for number in range(more):
            start_round(event_with_cut(4))
            event = make_event(players=2, name=f"Run {more} {number}")
            play_round(event)
            cut = event_with_cut(2, players=2, system="single_elimination")
            play_cut_round(cut, [1])
            for played in (event, fresh(cut)):
                settings_services.finish_event(played, owner_of(played))
        counts.append([queries_of(client.get, address) for address in ("/events/", "/archive/")])

    assert counts[0] == counts[1]


def test_list_counts_registrations_of_its_own_rows_only(client):
    for number in range(3):
        event = make_event(players=number, name=f"Event {number}")
    # Rounds must not multiply the count.
    for _ in range(2):
        play_round(event)
    assert Tournament.objects.listed().query.group_by is None

    with queries_asked() as queries:
        lines = client.get("/events/").context["lines"]

    assert sorted(line.event.player_count for line in lines) == [0, 1, 2]
    assert not [sql for sql in queries if 'JOIN "tournaments_registration"' in sql]
    (pages,) = [sql for sql in queries if '"player_count"' in sql]
    assert "LIMIT" in pages
