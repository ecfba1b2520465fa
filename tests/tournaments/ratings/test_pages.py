"""Pages, file and API of ratings, and the chart."""

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from players.models import Player
from tests.factories.ratings import compute_ratings, give_rating
from tests.factories.series import evening
from tests.factories.sessions import claim
from tests.factories.tournaments import fresh, make_event, owner_of, play_round
from tests.queries import queries_of
from tournaments.models import Tournament
from tournaments.ratings import pages
from tournaments.ratings.rules import Strength
from tournaments.settings import services as settings_services

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_in_may")]
LIST, API_LIST = "/ratings/onr/", "/api/v1/ratings/onr/"


@pytest.fixture
def _in_may():
    with time_machine.travel("2026-05-03T12:00Z", tick=False):
        yield


def make_players(*names: str) -> list[Player]:
    return [Player.objects.create(name=name) for name in names]


def text(client: Client, address: str, **query: str) -> str:
    return client.get(address, query).content.decode()


def results(client: Client, **query: str) -> list[tuple[int, str]]:
    rows = client.get(API_LIST, query).json()["results"]
    return [(row["place"], row["player"]["name"]) for row in rows]


class TestList:
    def test_list_ranks_players_with_enough_games_and_equal_ratings_share_a_place(
        self, client: Client
    ):
        ada, bo, cy, few = make_players("Ada", "Bo", "Cy", "Few")
        give_rating(ada, value=1500)
        give_rating(bo, value=1700)
        give_rating(cy, value=1500)
        give_rating(few, value=2000, games=9)

        assert results(client) == [(1, "Bo"), (2, "Ada"), (2, "Cy")]
        assert client.get(API_LIST).json()["results"][0] | {"player": None} == {
            "place": 1,
            "player": None,
            "rating": 1700,
            "margin": 157,
            "provisional": False,
            "events": 1,
            "games": 10,
            "last_played": "2026-05-02",
        }
        assert re.findall(r"<bdi>(\w+)</bdi>", text(client, LIST)) == ["Bo", "Ada", "Cy"]

    def test_search_finds_names_with_their_place_in_the_whole_list(self, client: Client):
        for number, player in enumerate(make_players("Zoë", "Bo", "Zo Ann")):
            give_rating(player, value=1700 - number)

        assert results(client, search="ZOE") == [(1, "Zoë")]
        assert "Zoë" in text(client, LIST, q="zoe")
        Player.objects.filter(name="Bo").update(shown_name="Émile")
        assert "Émile" in text(client, LIST, q="emil")
        assert "No players found" in text(client, LIST, q="nobody")

    def test_uncertainty_grows_with_time_and_players_are_listed_for_a_year(self, client: Client):
        (player,) = make_players("Ada")
        give_rating(player)
        today = client.get(API_LIST).json()["results"][0]

        with time_machine.travel("2027-05-02T12:00Z"):
            after_a_year = client.get(API_LIST).json()["count"]
        with time_machine.travel("2029-05-03"):
            later = client.get(f"{API_LIST}{player.pk}/").json()
            after_three_years = client.get(API_LIST).json()["count"]

        assert (today["rating"], today["provisional"]) == (later["rating"], False)
        assert later["margin"] > today["margin"]
        assert (later["provisional"], later["listed"]) == (True, False)
        assert (after_a_year, after_three_years) == (1, 0)
        assert "Provisional" not in text(client, LIST)

    def test_file_has_all_listed_players(self, client: Client):
        for number, player in enumerate(make_players("=Ada", "Bo")):
            give_rating(player, value=1700.4 - number)

        content = client.get(f"{LIST}ratings.csv").content.decode("utf-8-sig")

        rows = list(csv.reader(io.StringIO(content)))
        assert rows[0][:4] == ["place", "player", "rating", "plus_minus"]
        assert rows[1:] == [
            ["1", "'=Ada", "1700", "157", "no", "1", "10", "2026-05-02"],
            ["2", "Bo", "1699", "157", "no", "1", "10", "2026-05-02"],
        ]

    @pytest.mark.parametrize(
        "address", ["/ratings/chess/", "/api/v1/ratings/chess/", "/ratings/onr/0/"]
    )
    def test_unknown_game_or_player_is_not_found(self, client: Client, address: str):
        assert client.get(address).status_code == 404


class TestPrivacy:
    @pytest.mark.parametrize(
        "hidden", [{"hides_history": True}, {"erased_at": "2026-05-03T00:00Z"}]
    )
    def test_hidden_or_erased_player_is_on_no_public_page(
        self, client: Client, hidden: dict[str, Any]
    ):
        ada, bo = make_players("Ada", "Bo")
        for player in (ada, bo):
            give_rating(player)
        Player.objects.filter(pk=ada.pk).update(**hidden)

        assert results(client) == [(1, "Bo")]
        assert "Ada" not in text(client, LIST)
        for address in (f"{LIST}{ada.pk}/", f"{API_LIST}{ada.pk}/"):
            assert client.get(address).status_code == 404

    def test_player_who_hides_history_sees_their_own_page(self):
        (ada,) = make_players("Ada")
        give_rating(ada)
        Player.objects.update(hides_history=True)

        assert "Ada" in text(claim(Client(), ada), f"{LIST}{ada.pk}/")

    def test_shown_name_replaces_the_name_everywhere(self, client: Client):
        (player,) = make_players("Ada Lovelace")
        give_rating(player)
        Player.objects.update(shown_name="Countess")

        page = text(client, f"{LIST}{player.pk}/") + text(client, LIST)

        assert "Countess" in page
        assert "Ada" not in page + text(client, f"{LIST}ratings.csv")
        assert results(client, search="countess") == [(1, "Countess")]
        assert results(client, search="ada") == []


class TestHistory:
    def test_days_have_changes_and_events(self, client: Client):
        event = make_event(2, name="May Day")
        play_round(event)
        settings_services.finish_event(fresh(event), owner_of(event))
        best = max(compute_ratings().values(), key=lambda row: row.value).player
        give_rating(best, value=1600, day=3)

        answer = client.get(f"{API_LIST}{best.pk}/").json()
        page = text(client, f"{LIST}{best.pk}/")

        assert [step["day"] for step in answer["history"]] == ["2026-05-03", "2026-05-02"]
        first = answer["history"][1]
        assert (first["change"], first["games"]) == (None, 2)
        assert [event["name"] for event in first["events"]] == ["May Day"]
        assert answer["history"][0]["change"] == 1600 - first["rating"]
        assert page.count("<circle") == 2
        assert "May Day" in page

    def test_two_day_event_is_on_its_second_day_and_queries_are_constant(self, client: Client):
        ada, bo = make_players("Ada", "Bo")
        address = f"{LIST}{ada.pk}/"
        evening(None, [ada, bo], number=1)
        compute_ratings()
        few = queries_of(client.get, address)
        for number in (2, 3):
            event = evening(None, [ada, bo], number=number)
        Tournament.objects.filter(pk=event.pk).update(day_two_on=date(2026, 5, 24))
        compute_ratings()

        assert queries_of(client.get, address) == few
        rows = text(client, address).partition("<tbody>")[2].split("</tr>")
        assert "24 May 2026" in rows[0]
        assert [re.findall(r"<bdi>(.*?)</bdi>", row) for row in rows[:3]] == [
            ["Spring Evening 3"],
            ["Spring Evening 2"],
            ["Spring Evening 1"],
        ]


def test_queries_do_not_depend_on_players_and_days(client: Client):
    def counts() -> list[int]:
        player = Player.objects.earliest("pk")
        addresses = (LIST, API_LIST, f"{LIST}ratings.csv", f"{LIST}{player.pk}/")
        return [queries_of(client.get, address) for address in addresses]

    (ada,) = make_players("Ada")
    give_rating(ada)
    few = counts()
    for player in make_players(*(f"Player {number}" for number in range(60))):
        for day in (1, 2, 3):
            give_rating(player, day=day)
    give_rating(ada, day=3)

    assert counts() == few


class TestChart:
    @pytest.mark.parametrize(
        ("low", "high", "marks"),
        [
            (1400, 1600, [1400, 1450, 1500, 1550, 1600]),
            (1500, 1500, [1500, 1510]),
            (1493.2, 1506.1, [1490, 1500, 1510]),
            (814, 2186, [500, 1000, 1500, 2000, 2500]),
            (-20, 30, [-20, -10, 0, 10, 20, 30]),
        ],
    )
    def test_marks_are_round_numbers_around_the_line(
        self, low: float, high: float, marks: list[int]
    ):
        assert pages.axis_marks(low, high) == marks

    def test_days_are_to_scale_and_higher_ratings_are_higher(self):
        start = date(2026, 1, 1)
        points = [(start, 1500.0), (start + timedelta(10), 1600.0), (start + timedelta(40), 1550.0)]

        chart = pages.chart_of([(day, Strength(value, 50.0)) for day, value in points])

        xs, ys = zip(*((x, y) for x, y, _ in chart.dots), strict=True)
        assert (xs[0], xs[-1]) == (chart.left, chart.right)
        assert xs[1] - xs[0] == pytest.approx((xs[2] - xs[0]) / 4, abs=0.1)
        assert ys[1] < ys[2] < ys[0]
        assert len(chart.band.split()) == 2 * len(points)
        assert [mark.text for mark in chart.days] == ["1 Jan 2026", "10 Feb 2026"]
