"""The archive: winners, years, search and calendar."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate
from icalendar import Calendar

from players.models import Player
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.series import make_series
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
)
from tests.tournaments.pages import text_of
from tournaments.models import Tournament, Visibility
from tournaments.public import views as public_views
from tournaments.registration import guests
from tournaments.settings import services as settings_services

ARCHIVE = "/archive/"


def make_finished_event(name: str, year: int = 2026, **settings: Any) -> Tournament:
    return finish(make_event(players=2, name=name, starts_on=date(year, 5, 2), **settings))


def finish(event: Tournament) -> Tournament:
    play_round(event)
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


def names(**query: Any) -> list[str]:
    page = Client().get(ARCHIVE, query)
    assert page.status_code == 200
    return [line.event.name for line in page.context["lines"]]


def winner(event: Tournament) -> str:
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    return snapshot.rows.get(rank=1).registration.player.name


def test_archive_lists_public_finished_events_with_winner_and_file():
    event = make_finished_event("Cup")
    make_finished_event("Hidden cup", visibility=Visibility.PRIVATE)
    make_event(players=2, name="Not over yet")

    page = Client().get(ARCHIVE)

    assert names() == ["Cup"]
    assert [line.winner.name for line in page.context["lines"]] == [winner(event)]
    assert reverse("tournaments:export_html", args=[event.slug]) in page.text
    assert ARCHIVE in Client().get("/events/").text


def finish_by_standings() -> Tournament:
    return make_finished_event("Cup")


def finish_by_cut() -> Tournament:
    event = event_with_cut(players=4, size=2, system="single_elimination")
    play_cut_round(event, [1])
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


@pytest.mark.parametrize("made", [finish_by_standings, finish_by_cut])
@pytest.mark.parametrize(
    ("chosen", "name"),
    [({"shown_name": "Ghost"}, "Ghost"), ({"hides_history": True}, "Name hidden")],
)
def test_winners_are_named_as_their_privacy_allows(
    made: Callable[[], Tournament], chosen: dict[str, Any], name: str
):
    event = made()
    (best,) = {line.winner for line in Client().get(ARCHIVE).context["lines"]}
    link = f'href="/people/{best.pk}/"'
    assert all(link in Client().get(address).text for address in (ARCHIVE, "/"))
    for field, value in chosen.items():
        setattr(best, field, value)
    best.save()

    for address in (ARCHIVE, "/events/", "/"):
        page = Client().get(address).text
        assert name in page
        assert best.name not in page
        assert (link in page) is ("shown_name" in chosen and address != "/events/")
    assert best.name in Client().get(event.get_absolute_url()).text


def test_year_links_filter_by_date():
    make_finished_event("Old", 2024)
    make_finished_event("New", 2026)
    make_finished_event("Newer", 2026)

    page = Client().get(ARCHIVE)

    assert [(year, count) for year, *_, count in page.context["years"]] == [(2026, 2), (2024, 1)]
    assert names(since="2024-01-01", until="2024-12-31") == ["Old"]
    assert "since=2024-01-01&amp;until=2024-12-31" in page.text


@pytest.mark.parametrize(
    ("query", "pages"), [({}, 3), ({"q": "New"}, 2), ({"since": "2025-01-01"}, 2)]
)
def test_pager_of_the_archive_has_a_page_for_each_event_that_fits(
    query: dict[str, str], pages: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(public_views, "EVENTS_PER_PAGE", 1)
    make_finished_event("Old", 2024)
    make_finished_event("New", 2026)
    make_finished_event("Newer", 2026)

    assert f"Page 1 of {pages}" in text_of(Client().get(ARCHIVE, query))


def test_players_who_never_checked_in_do_not_count():
    event = make_event(players=3, name="Cup")
    event.registrations.filter(number=3).update(state="registered")
    before = Client().get("/events/").context["lines"][0].event.player_count
    finish(event)

    (line,) = Client().get(ARCHIVE).context["lines"]
    assert (before, line.event.player_count) == (3, 2)


def test_events_are_found_by_series():
    assert "series" not in Client().get(ARCHIVE).context["form"].fields
    series = make_series(name="Spring League")
    make_series(name="Secret League", visibility=Visibility.PRIVATE)
    Tournament.objects.filter(pk=make_finished_event("Cup").pk).update(series=series)
    make_finished_event("Other")

    assert names(series=series.slug) == ["Cup"]
    page = Client().get(ARCHIVE).text
    assert "Spring League" in page
    assert "Secret League" not in page
    calendar = Client().get("/events/calendar.ics", {"series": series.slug}).content.decode()
    assert "Datafort: events of Spring League" in calendar


def test_events_are_found_by_the_full_name_of_a_player():
    event = make_event(players=2, name="Cup")
    guests.rename_guest(player_number(event, 1), owner_of(event), "Grace Hopper")
    finish(event)
    make_finished_event("Other", 2025)

    assert names(player="grace hopper") == ["Cup"]
    assert names(player="Grace") == []


@pytest.mark.parametrize(
    ("hidden", "query", "expected"),
    [
        ({"hides_history": True}, "Ada", []),
        ({"shown_name": "Nova"}, "Ada", []),
        ({"shown_name": "Nova"}, "Nova", ["Cup"]),
        ({"shown_name": "Étoile"}, "étoile", ["Cup"]),
    ],
)
def test_player_is_found_by_the_shown_name_only(
    hidden: dict[str, Any], query: str, expected: list[str]
):
    event = make_finished_event("Cup")
    Player.objects.filter(pk=player_number(event, 1).player_id).update(**hidden)

    assert names(player=query) == expected


def test_calendar_follows_the_filters_of_the_archive():
    make_finished_event("Cup", localdate().year)
    make_event(players=2, name="To come", starts_on=localdate())

    page = Client().get(ARCHIVE, {"q": "cup"}).text
    answer = Client().get("/events/calendar.ics", {"q": "cup", "state": "finished"})

    assert "calendar.ics?q=cup&amp;state=finished" in page
    calendar = Calendar.from_ical(answer.content)
    assert str(calendar["x-wr-calname"]) == 'Datafort: events named "cup" (finished)'
    assert [str(event["summary"]) for event in calendar.walk("VEVENT")] == ["Cup"]
    assert names(state="open") == ["Cup"]


def test_calendar_of_an_earlier_year_has_that_year():
    make_finished_event("Cup", localdate().year - 3)
    first, last = (f"{localdate().year - 3}-{day}" for day in ("01-01", "12-31"))

    answer = Client().get("/events/calendar.ics", {"since": first, "until": last})

    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [str(event["summary"]) for event in events] == ["Cup"]
