from typing import Any

from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, account, client, guest, seated
from tournaments.models import Tournament

TABLE = f"{EVENT}rounds/1/tables/1/"


def post(api: APIClient, action: str, path: str = TABLE, **body: Any) -> Any:
    return api.post(f"{path}{action}/", body, format="json")


def missed(answer: Any) -> list[int]:
    players = answer.json()["players"]
    return [one["player"]["number"] for one in players if one["is_missed"]]


def test_an_opponent_is_missed_and_comes(playing: Tournament):
    one, two = seated(playing)
    phone = guest(one)

    gone = post(phone, "missing", player=two.number)
    here = post(account(two), "came", player=two.number)

    assert missed(gone) == [two.number]
    assert missed(here) == []
    assert missed(client(playing, "judge").get(f"{TABLE}absences/")) == []
