import csv
import io

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.factories.series import (
    evening,
    make_series,
    open_evening,
    owner_of_series,
)
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    add_staff,
    make_user,
    owner_of,
)
from tests.tournaments.pages import page
from tests.tournaments.statistics.evenings import CORPS
from tests.tournaments.statistics.evenings import evening as decks_evening
from tournaments.event.permissions import Actor
from tournaments.models import IdentitiesShown, Series, Tournament
from tournaments.series import pages, permissions
from tournaments.settings import services as settings_services


def test_series_is_created_changed_and_shown(new_players: list[Player]):
    owner = make_user()
    event = evening(None, new_players, owner=owner)
    desk = logged_in(owner)
    made = desk.post(f"/series/new/?event={event.slug}", typed(name="League"))
    series = Series.objects.get()
    assert made["Location"] == f"/series/{series.slug}/desk/"
    assert list(series.events.all()) == [event]
    desk.post(f"/series/{series.slug}/desk/settings/", typed(name="League", best_of="2"))

    series.refresh_from_db()
    assert (series.best_of, series.place_points) == (2, [9, 5, 1])
    assert series.tie_breakers == ["wins"]
    shown = page(Client(), series.get_absolute_url())
    assert f"<bdi>{event.name}</bdi>" in shown
    assert "The best 2 events count." in shown
    assert "League" in page(Client(), "/series/")
    assert "League" in page(Client(), event.get_absolute_url())


@pytest.mark.check(28)
def test_stale_setting_is_refused():
    series = make_series(name="League")
    address = f"/series/{series.slug}/desk/settings/"
    first_browser, second_browser = (logged_in(owner_of_series(series).user) for _ in range(2))
    sent = {**typed(name="League"), "seen": str(first_browser.get(address).context["seen"])}

    assert second_browser.post(address, {**sent, "best_of": "4"}).status_code == 302
    refused = first_browser.post(address, {**sent, "best_of": "2"})
    series.refresh_from_db()
    assert (refused.status_code, series.best_of) == (409, 4)
    assert "Now recorded: best of 4. You entered: best of 2." in refused.content.decode()
    resent = {**sent, "best_of": "2", "seen": str(refused.context["seen"])}
    assert first_browser.post(address, resent).status_code == 302
    series.refresh_from_db()
    assert series.best_of == 2


def typed(**fields: str) -> dict[str, str]:
    return {
        "visibility": "public",
        "scoring": "places",
        "place_points": "9, 5, 1",
        "tie_breakers_0": "wins",
        **fields,
    }


@pytest.mark.parametrize(
    ("field", "sent", "words"),
    [
        ("best_of", {"best_of": "5", "planned_events": "3"}, "only 3 events"),
        ("best_of", {"best_of": "0"}, "Enter at least 1"),
        ("tie_breakers", {"tie_breakers_1": "wins"}, '"Wins" is chosen twice'),
        ("place_points", {"place_points": "5000"}, "at most 1000 points"),
        ("place_points", {"place_points": "1 " * 65}, "at most 64 places"),
    ],
)
def test_invalid_setting_is_refused(field: str, sent: dict[str, str], words: str):
    series = make_series()
    desk = logged_in(owner_of_series(series).user)
    answer = desk.post(f"/series/{series.slug}/desk/settings/", typed(name="League", **sent))

    assert answer.status_code == 422
    assert words in " ".join(answer.context["form"].errors[field])


def test_organiser_adds_only_own_events(new_players: list[Player]):
    series, foreign_event = make_series(), open_evening(None, new_players)
    desk = logged_in(owner_of_series(series).user)
    desk.post(f"/series/{series.slug}/desk/events/add/", {"event": foreign_event.slug})
    assert not series.events.exists()
    user = owner_of_series(series).user
    assert user is not None
    settings_services.give_role(foreign_event, owner_of(foreign_event), user, "organiser")
    desk.post(f"/series/{series.slug}/desk/events/add/", {"event": foreign_event.slug})

    assert list(series.events.all()) == [foreign_event]
    desk.post(f"/series/{series.slug}/desk/events/remove/", {"event": foreign_event.slug})
    assert not series.events.exists()


def test_csv_has_all_events_and_calendar_upcoming_events(new_players: list[Player]):
    series = make_series(place_points=[10, 6, 4], points_for_playing=1, best_of=1)
    evening(series, new_players, number=1)
    open_evening(series, new_players, number=2)
    rows = page(Client(), f"{series.get_absolute_url()}table.csv").splitlines()

    assert '"Spring Evening 1: place"' in rows[0]
    assert rows[1].startswith("1,")
    assert "SUMMARY:Spring Evening 2" in page(Client(), f"{series.get_absolute_url()}calendar.ics")


def test_statistics_of_finished_events(new_players: list[Player]):
    series = make_series()
    assert "No results yet" in page(Client(), f"{series.get_absolute_url()}statistics/")
    evening(series, new_players)

    shown = page(Client(), f"{series.get_absolute_url()}statistics/")
    assert "No results yet" not in shown
    assert f"{series.get_absolute_url()}statistics.csv" in shown


@pytest.mark.check(5, 6)
def test_statistics_hide_decks_and_small_shares():
    event = decks_evening(players=6, rounds=1)
    series = make_series()
    hidden = {"series": series, "identities_shown": IdentitiesShown.WITH_DECKS}
    Tournament.objects.filter(pk=event.pk).update(**hidden)
    csv_, api = f"/series/{series.slug}/statistics.csv", f"/api/v1/series/{series.slug}/statistics/"

    rows = list(csv.DictReader(io.StringIO(page(Client(), csv_))))
    assert rows
    assert all(row["share"] == "" for row in rows if int(row["of"]) < 10)
    answer = Client().get(api).json()
    assert (answer["game"], answer["events"], answer["entries"]) == ("anr", 1, 6)
    assert not any(title in page(Client(), address) for title in CORPS for address in (csv_, api))

    Tournament.objects.filter(pk=event.pk).update(decks_revealed_at=timezone.now(), version=99)
    assert all(any(title in page(Client(), address) for title in CORPS) for address in (csv_, api))


def test_long_season_lists_the_latest_events(
    new_players: list[Player], monkeypatch: pytest.MonkeyPatch
):
    series = make_series()
    for number in (1, 2):
        evening(series, new_players, number=number)
    monkeypatch.setattr(pages, "LATEST_EVENTS", 1)
    monkeypatch.setattr(pages, "ROWS_PER_PAGE", 1)
    reader = claim(Client(), new_players[3])

    shown = reader.get(series.get_absolute_url())
    assert [event.name for event, _ in shown.context["shown"].finished] == ["Spring Evening 2"]
    assert f"/archive/?series={series.slug}" in shown.content.decode()
    assert 'href="?page=4#me"' in shown.content.decode()


def test_judge_runs_no_series(new_players: list[Player]):
    event = open_evening(None, new_players)
    judge = add_staff(event, "judge")

    assert logged_in(judge).get(f"/events/{event.slug}/desk/series/").status_code == 403
    assert not permissions.events_run_by(Actor(user=judge)).exists()
