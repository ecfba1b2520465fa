"""Pages and API of ratings: who is listed, found and shown, and what a picture says."""

import csv
import io
import re
from datetime import date, timedelta

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
LIST, OF_API = "/ratings/onr/", "/api/v1/ratings/onr/"


@pytest.fixture
def _in_may():
    with time_machine.travel("2026-05-03T12:00Z", tick=False):
        yield


def make_players(*names: str) -> list[Player]:
    return [Player.objects.create(name=name) for name in names]


def test_the_list_ranks_players_with_enough_games_and_equals_share_a_place(client: Client):
    ada, bo, cy, few = make_players("Ada", "Bo", "Cy", "Few")
    give_rating(ada, value=1500)
    give_rating(bo, value=1700)
    give_rating(cy, value=1500)
    give_rating(few, value=2000, games=9)

    page = client.get(LIST).content.decode()
    answer = client.get(OF_API).json()

    assert [(one["place"], one["player"]["name"]) for one in answer["results"]] == [
        (1, "Bo"),
        (2, "Ada"),
        (2, "Cy"),
    ]
    assert answer["results"][0] | {"player": None} == {
        "place": 1,
        "player": None,
        "rating": 1700,
        "margin": 157,
        "provisional": False,
        "events": 1,
        "games": 10,
        "last_played": "2026-05-02",
    }
    assert re.findall(r"<bdi>(\w+)</bdi>", page) == ["Bo", "Ada", "Cy"]


def test_a_name_is_found_with_its_place_in_the_whole_list(client: Client):
    for number, player in enumerate(make_players("Zoë", "Bo", "Zo Ann")):
        give_rating(player, value=1700 - number)

    found = client.get(OF_API, {"search": "ZOE"}).json()["results"]

    assert [(one["place"], one["player"]["name"]) for one in found] == [(1, "Zoë")]
    assert "Zoë" in client.get(LIST, {"q": "zoe"}).content.decode()
    Player.objects.filter(name="Bo").update(shown_name="Émile")
    assert "Émile" in client.get(LIST, {"q": "emil"}).content.decode()
    assert "No player found" in client.get(LIST, {"q": "nobody"}).content.decode()


def test_a_rating_is_less_sure_with_time_and_not_listed_after_a_year(client: Client):
    (player,) = make_players("Ada")
    give_rating(player)
    now = client.get(OF_API).json()["results"][0]

    with time_machine.travel("2027-05-02T12:00Z"):
        listed = client.get(OF_API).json()["count"]
    with time_machine.travel("2029-05-03"):
        later = client.get(f"{OF_API}{player.pk}/").json()
        count = client.get(OF_API).json()["count"]

    assert (now["rating"], now["provisional"]) == (later["rating"], False)
    assert later["margin"] > now["margin"]
    assert (later["provisional"], later["listed"]) == (True, False)
    assert (listed, count) == (1, 0)
    assert "Provisional" not in client.get(LIST).content.decode()


def test_an_erased_player_is_on_no_page(client: Client):
    (player,) = make_players("Ada")
    give_rating(player)
    Player.objects.update(erased_at="2026-05-03T00:00Z")

    for address in (f"{LIST}{player.pk}/", f"{OF_API}{player.pk}/"):
        assert client.get(address).status_code == 404
    assert client.get(OF_API).json()["count"] == 0
    assert "Ada" not in client.get(LIST).content.decode()


def test_who_hides_their_history_is_on_no_page_but_their_own(client: Client):
    ada, bo = make_players("Ada", "Bo")
    for player in (ada, bo):
        give_rating(player)
    Player.objects.filter(pk=ada.pk).update(hides_history=True)

    assert [one["player"]["name"] for one in client.get(OF_API).json()["results"]] == ["Bo"]
    assert "Ada" not in client.get(LIST).content.decode()
    assert client.get(f"{LIST}{ada.pk}/").status_code == 404
    assert client.get(f"{OF_API}{ada.pk}/").status_code == 404
    assert "Ada" in claim(Client(), ada).get(f"{LIST}{ada.pk}/").content.decode()


def test_a_shown_name_stands_for_the_own_one_and_is_what_is_found(client: Client):
    (player,) = make_players("Ada Lovelace")
    give_rating(player)
    Player.objects.update(shown_name="Countess")

    page = client.get(f"{LIST}{player.pk}/").content.decode() + client.get(LIST).content.decode()

    assert "Countess" in page
    assert "Ada" not in page
    assert client.get(OF_API, {"search": "countess"}).json()["count"] == 1
    assert client.get(OF_API, {"search": "ada"}).json()["count"] == 0
    assert "Ada" not in client.get(f"{LIST}ratings.csv").content.decode()


def test_a_player_s_days_stand_with_their_events_and_changes(client: Client):
    event = make_event(2, name="May Day")
    play_round(event)
    settings_services.finish_event(fresh(event), owner_of(event))
    best = max(compute_ratings().values(), key=lambda row: row.value).player
    give_rating(best, value=1600, day=3)

    answer = client.get(f"{OF_API}{best.pk}/").json()
    page = client.get(f"{LIST}{best.pk}/").content.decode()

    assert [step["day"] for step in answer["history"]] == ["2026-05-03", "2026-05-02"]
    first = answer["history"][1]
    assert (first["change"], first["games"]) == (None, 2)
    assert [one["name"] for one in first["events"]] == ["May Day"]
    assert answer["history"][0]["change"] == 1600 - first["rating"]
    assert page.count("<circle") == 2
    assert "May Day" in page


def test_the_file_has_everybody_who_is_listed(client: Client):
    for number, player in enumerate(make_players("=Ada", "Bo")):
        give_rating(player, value=1700.4 - number)

    rows = list(
        csv.reader(io.StringIO(client.get(f"{LIST}ratings.csv").content.decode("utf-8-sig")))
    )

    assert rows[0][:4] == ["place", "player", "rating", "plus_minus"]
    assert rows[1:] == [
        ["1", "'=Ada", "1700", "157", "no", "1", "10", "2026-05-02"],
        ["2", "Bo", "1699", "157", "no", "1", "10", "2026-05-02"],
    ]


@pytest.mark.parametrize(
    "address", ["/ratings/chess/", "/api/v1/ratings/chess/", "/ratings/onr/0/"]
)
def test_an_unknown_game_or_player_is_not_found(client: Client, address: str):
    assert client.get(address).status_code == 404


def test_a_history_names_an_event_of_two_days_on_its_second_and_asks_no_more_for_more(
    client: Client,
):
    ada, bo = make_players("Ada", "Bo")
    address = f"{LIST}{ada.pk}/"
    evening(None, [ada, bo], number=1)
    compute_ratings()
    few = queries_of(client.get, address)
    for number in (2, 3):
        event = evening(None, [ada, bo], number=number)
    Tournament.objects.filter(pk=event.pk).update(day_two_on=date(2026, 5, 24))
    compute_ratings()

    asked = queries_of(client.get, address)
    rows = client.get(address).content.decode().partition("<tbody>")[2].split("</tr>")

    assert asked == few
    assert "24 May 2026" in rows[0]
    assert [re.findall(r"<bdi>(.*?)</bdi>", row) for row in rows[:3]] == [
        ["Spring Evening 3"],
        ["Spring Evening 2"],
        ["Spring Evening 1"],
    ]


def test_a_page_asks_no_more_for_more_players_and_days(client: Client):
    def asked() -> list[int]:
        player = Player.objects.earliest("pk")
        addresses = (LIST, OF_API, f"{LIST}ratings.csv", f"{LIST}{player.pk}/")
        return [queries_of(client.get, address) for address in addresses]

    (one,) = make_players("Ada")
    give_rating(one)
    few = asked()
    for player in make_players(*(f"Player {number}" for number in range(60))):
        for day in (1, 2, 3):
            give_rating(player, day=day)
    give_rating(one, day=3)

    assert asked() == few


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
def test_the_marks_are_round_numbers_around_the_line(low: float, high: float, marks: list[int]):
    assert pages.axis_marks(low, high) == marks


def test_the_picture_has_each_day_at_its_date_and_higher_ratings_higher():
    start = date(2026, 1, 1)
    points = [(start, 1500.0), (start + timedelta(10), 1600.0), (start + timedelta(40), 1550.0)]

    chart = pages.chart_of([(day, Strength(value, 50.0)) for day, value in points])

    xs, ys = zip(*((x, y) for x, y, _ in chart.dots), strict=True)
    assert (xs[0], xs[-1]) == (chart.left, chart.right)
    assert xs[1] - xs[0] == pytest.approx((xs[2] - xs[0]) / 4, abs=0.1)
    assert ys[1] < ys[2] < ys[0]
    assert len(chart.band.split()) == 2 * len(points)
    assert [mark.text for mark in chart.days] == ["1 Jan 2026", "10 Feb 2026"]
