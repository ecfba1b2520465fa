from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, client
from tests.factories import cuts as make_cuts
from tests.factories import tournaments as make
from tournaments.models import Tournament

CUT = f"{EVENT}cut/"


@pytest.fixture
def played(db: None) -> Tournament:
    """Eight players, one round closed."""
    event = make.make_event(players=8)
    make.play_round(event)
    return make.fresh(event)


def make_cut(api: APIClient, players: list[int], **body: Any) -> Any:
    body.setdefault("system", "single_elimination")
    return api.post(CUT, {"players": players, **body}, format="json")


def test_a_cut_is_made_declined_and_undone(played: Tournament):
    desk = client(played)
    candidates = desk.get(f"{CUT}candidates/").json()
    best = [one["number"] for one in candidates["players"]]

    made = make_cut(desk, best[:4])
    declined = desk.post(f"{CUT}decline/", {"number": best[1]}, format="json")

    assert candidates["usual_size"] == 4
    assert made.status_code == 201
    assert [one["player"]["number"] for one in made.json()["seeds"]] == best[:4]
    assert made.json()["next_in"]["number"] == best[4]
    seeds = [one["player"]["number"] for one in declined.json()["seeds"]]
    assert seeds == [best[0], best[2], best[3], best[4]]
    assert APIClient().get(f"{EVENT}bracket/").json()["games"] == []
    assert desk.delete(CUT).status_code == 204
    assert desk.get(CUT).status_code == desk.delete(CUT).status_code == 404


def test_the_bracket_is_public_once_its_games_are(played: Tournament):
    make_cuts.make_cut(played, 4, system="single_elimination")
    make_cuts.play_cut_round(played, [1, 2])

    bracket = APIClient().get(f"{EVENT}bracket/").json()

    first, second, final = bracket["games"]
    assert [game["state"] for game in (first, second, final)] == ["over", "over", "ready"]
    assert (first["round"], final["round"]) == (2, None)
    assert [seat["has_won"] for seat in first["seats"]].count(True) == 1
    assert [line["rank"] for line in bracket["placings"]] == list(range(1, 9))
    public = client(played).post(f"{CUT}decline/", {"number": 1}, format="json")
    assert (public.status_code, public.json()["code"]) == (409, "cut_is_public")
