"""The front page and the list of events."""

from datetime import UTC, date, datetime

import pytest
import time_machine
from django.urls import reverse

from tests.factories.tournaments import make_event, owner_of, play_round
from tournaments.services import events

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)


def home(client):
    with time_machine.travel(NOON, tick=False):
        return client.get(reverse("home"))


def names(rows) -> list[str]:
    return [event.name for event in rows]


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
    assert shown[0].player_count == 8


def test_unlisted_and_private_events_are_not_on_the_front_page(client):
    for visibility in ("unlisted", "private"):
        make_event(name=f"Hidden {visibility}", visibility=visibility, starts_on=date(2026, 5, 2))

    assert "Hidden" not in home(client).text


def test_the_list_has_pages(client):
    for number in range(21):
        make_event(players=0, name=f"Run {number}", starts_on=date(2026, 1, 1 + number))

    first = client.get(reverse("tournaments:list"))
    second = client.get(reverse("tournaments:list"), {"page": 2})

    assert len(first.context["page_obj"].object_list) == 20
    assert names(second.context["page_obj"].object_list) == ["Run 0"]
    assert client.get(reverse("tournaments:list"), {"page": "x"}).status_code == 200


@pytest.mark.parametrize("page", ["home", "tournaments:list"])
def test_queries_do_not_grow_with_the_events(client, django_assert_max_num_queries, page):
    counts = []
    for _ in range(2):
        for _ in range(3):
            make_event(players=2)
        with django_assert_max_num_queries(10) as counted:
            client.get(reverse(page))
        counts.append(len(counted))

    assert counts[0] == counts[1]
