"""Two players at table 1, and a player at table 2."""

from typing import NamedTuple

import pytest
from django.test import Client

from matches.models import ResultReport
from tests.factories.tournaments import sitting, table
from tests.tournaments.pages import url
from tournaments.models import Pairing, Round, Tournament

SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}
"""Seat 1 wins both games."""
OTHER_REPORT = {**SWEEP, "game_1_points_2": "4"}
SCRIPT = {"Idempotency-Key": "one-key", "Accept": "application/json"}


class Scene(NamedTuple):
    """Round 1 in progress: `reporter` and `opponent` are at table 1, `stranger` is at table 2."""

    tournament: Tournament
    pairing: Pairing
    reporter: Client
    opponent: Client
    stranger: Client

    def url(self, name: str) -> str:
        return url(name, self.tournament, 1, 1)

    @property
    def my_page(self) -> str:
        return url("my_event", self.tournament)

    def state(self) -> str:
        self.pairing.match.refresh_from_db()
        return self.pairing.match.state

    def open_report(self) -> int:
        return ResultReport.objects.get(state="proposed").pk

    def send(self, phone: Client, data: dict[str, str], **headers: str):
        """Send a report with a key, as the script of the page does."""
        return phone.post(self.url("report"), data, headers={**SCRIPT, **headers})


@pytest.fixture
def scene(event: Tournament, round_: Round, phone_of) -> Scene:
    first, second = (sitting(table(round_, number)) for number in (1, 2))
    phones = map(phone_of, (*first, second[0]))
    return Scene(event, table(round_, 1), *phones)
