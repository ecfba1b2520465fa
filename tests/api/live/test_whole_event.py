"""Twelve players, four rounds and a cut over HTTP: pages for accounts, the API for everything else.

With DATABASE_URL and REDIS_URL the site uses PostgreSQL, Redis and its own Celery worker.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from client import Client, Refused

from tests.api.live.visitor import Visitor, with_token
from tests.checker import standings as naive
from tests.factories.decks import legal_corp_list, legal_runner_list

NAMES = ["Ada", "Björn", "Chidi", "Dana", "Émile", "Fatima", "Grażyna", "北斗"]
GUESTS = ["Ines", "Jo", "Kim", "Lin"]
ROUNDS = 4
CUT = 4


class Evening:
    """An event in progress, with a second record of its results."""

    def __init__(self, api: Client, event: dict[str, Any], guests: dict[int, Visitor]) -> None:
        self.api, self.guests = api, guests
        self.path = f"events/{event['slug']}/"
        self.bye_points = event["bye_points"]
        self.chance = random.Random(1996)
        self.rounds: list[naive.Round] = []

    def next_round(self) -> str:
        """Pair, publish and start a round; return its path."""
        job = self.api.post(f"{self.path}rounds/")
        self.api.job_done(f"{self.path}jobs/{job['job']['id']}/")
        round_ = f"{self.path}rounds/{job['number']}/"
        self.api.post(f"{round_}publish/")
        self.api.post(f"{round_}start/")
        return round_

    def play(self) -> None:
        round_ = self.next_round()
        self.rounds.append([self.report(round_, pairing) for pairing in self.pairings(round_)])
        self.api.post(f"{round_}close/")

    def pairings(self, round_: str) -> list[Any]:
        return list(self.api.pages(f"{round_}pairings/"))

    def report(self, round_: str, pairing: Any) -> dict[str, Any]:
        """Enter the result of a table, by its guests or at the desk."""
        if pairing["bye"] is not None:
            return {"bye": pairing["bye"]["number"], "points": self.bye_points}
        players = [seat["player"]["number"] for seat in pairing["seats"]]
        table = f"{round_}tables/{pairing['table']}/"
        games = [self.game(number, corp, players) for number, corp in enumerate(players, 1)]
        self.by_guests(table, players, games)
        result = self.api.get(f"{table}result/")
        if result["state"] != "confirmed":
            version = result["version"]
            self.api.put(f"{table}result/", {"result": {"games": games}, "version": version})
        return {"seats": [{"id": player, "points": points_of(player, games)} for player in players]}

    def by_guests(self, table: str, players: list[int], games: list[Any]) -> None:
        """Report for every guest at the table; two equal reports settle it."""
        for guest in (self.guests[player] for player in players if player in self.guests):
            status, body = guest.api("POST", f"{table}report/", {"result": {"games": games}})
            assert status == 200, body

    def game(self, number: int, corp: int, players: list[int]) -> dict[str, Any]:
        winner = self.chance.choice(["corp", "runner"])
        points = {"corp": self.chance.randrange(7), "runner": self.chance.randrange(7), winner: 7}
        return {
            "number": number,
            "corp": corp,
            "winner": winner,
            "end": "agenda",
            "corp_agenda_points": points["corp"],
            "runner_agenda_points": points["runner"],
        }


def points_of(player: int, games: list[Any]) -> int:
    """10 points per win; the agenda points of a losing Runner."""
    points = 0
    for game in games:
        role = "corp" if game["corp"] == player else "runner"
        agenda_points = game["runner_agenda_points"] if role == "runner" else 0
        points += 10 if game["winner"] == role else agenda_points
    return points


@pytest.fixture(scope="module")
def organiser(site: str) -> Client:
    return Client(site, with_token(site, "organiser")[1])


def test_whole_event(site: str, organiser: Client):
    event = create_event(organiser)
    guests = dict(add_players(site, organiser, event))
    evening = Evening(organiser, event, guests)
    submit_decks(evening)

    for _ in range(ROUNDS):
        evening.play()
        check_standings(evening)

    call_a_judge(site, evening)
    champion = play_the_cut(evening)
    organiser.post(f"{evening.path}finish/")
    organiser.standings_done(evening.path)
    check_finished_event(site, evening, champion)
    check_imported_copy(evening)


def create_event(api: Client) -> Any:
    settings = {"name": "Twelve by HTTP", "game": "onr", "starts_on": "2026-12-05"}
    event = api.post("events/", {**settings, "planned_rounds": ROUNDS, "decks_required": False})
    entries = [{"name": name} for name in NAMES]
    api.post(f"events/{event['slug']}/registrations/", {"players": entries})
    return event


def add_players(site: str, api: Client, event: Any) -> Iterator[tuple[int, Visitor]]:
    """Four guests join with the code in browsers of their own; then all players are checked in."""
    path = f"events/{event['slug']}/"
    code = api.get(f"{path}joining/")["join_code"]
    for name in GUESTS:
        guest = Visitor(site)
        guest.page("/join/")
        status, body = guest.api("POST", "join/", {"code": code, "name": name})
        assert status == 201, body
        yield body["player"]["number"], guest
    api.post(f"{path}registrations/check-in/", {"numbers": None})
    states = {row["state"] for row in api.pages(f"{path}registrations/")}
    assert states == {"checked_in"}


def submit_decks(evening: Evening) -> None:
    number, guest = next(iter(evening.guests.items()))
    for side, text in (("corp", legal_corp_list(1)), ("runner", legal_runner_list(1))):
        status, body = guest.api("PUT", f"{evening.path}me/decks/{side}/", {"text": text})
        assert status == 200, body
        assert body["legal"] is True
        assert guest.api("POST", f"{evening.path}me/decks/{side}/lock/")[0] == 200
    deck = evening.api.get(f"{evening.path}decks/{number}/corp/")["whole"]
    assert deck["lock"]["by"] == "player"


def check_standings(evening: Evening) -> None:
    """Compare the standings with the naive formulas, exactly."""
    evening.api.standings_done(evening.path)
    rows = list(evening.api.pages(f"{evening.path}standings/"))
    assert [row["rank"] for row in rows] == list(range(1, len(NAMES + GUESTS) + 1))
    for row in rows:
        player = row["player"]["number"]
        assert row["match_points"] == naive.match_points(evening.rounds, player)
        exact = Fraction(row["tie_breakers"]["strength_of_schedule"]["exact"])
        assert exact == naive.strength_of_schedule(evening.rounds, player)


def call_a_judge(site: str, evening: Evening) -> None:
    """Strangers see no penalties."""
    warning = {"player": 1, "infraction": "slow-play", "text": "Took ten minutes."}
    penalty = evening.api.post(f"{evening.path}penalties/", warning)
    assert penalty["infraction"] == "slow-play"
    with pytest.raises(Refused) as refused:
        Client(site).get(f"{evening.path}penalties/")
    assert refused.value.status == 401


def play_the_cut(evening: Evening) -> int:
    """Play a cut of four and return the champion."""
    rows = list(evening.api.pages(f"{evening.path}standings/"))
    finalists = [row["player"]["number"] for row in rows][:CUT]
    cut = {"players": finalists, "system": "single_elimination"}
    evening.api.post(f"{evening.path}cut/", cut)
    for _ in range(2):
        round_ = evening.next_round()
        for pairing in evening.pairings(round_):
            sweep(evening, f"{round_}tables/{pairing['table']}/", pairing)
        evening.api.post(f"{round_}close/")
    placings = evening.api.get(f"{evening.path}bracket/")["placings"]
    assert sorted(place["player"]["number"] for place in placings[:CUT]) == sorted(finalists)
    return int(placings[0]["player"]["number"])


def sweep(evening: Evening, table: str, pairing: Any) -> None:
    """Enter two wins for the first player."""
    first, second = (seat["player"]["number"] for seat in pairing["seats"])
    points = {"corp_agenda_points": 0, "runner_agenda_points": 0}
    games = [
        {"number": 1, "corp": first, "winner": "corp", "end": "flatline", **points},
        {"number": 2, "corp": second, "winner": "runner", "end": "decked", **points},
    ]
    version = evening.api.get(f"{table}result/")["version"]
    evening.api.put(f"{table}result/", {"result": {"games": games}, "version": version})


def check_finished_event(site: str, evening: Evening, champion: int) -> None:
    """Check the finished event as a stranger."""
    stranger = Client(site)
    assert stranger.get(evening.path)["is_finished"] is True
    placings = stranger.get(f"{evening.path}bracket/")["placings"]
    assert placings[0]["player"]["number"] == champion
    nrtm = stranger.get(f"{evening.path}exports/nrtm/")
    assert nrtm["cutToTop"] == CUT
    assert len(nrtm["players"]) == len(NAMES + GUESTS)


def check_imported_copy(evening: Evening) -> None:
    """Import the exported event and compare the standings."""
    document = evening.api.get(f"{evening.path}exports/datafort/")
    imported = evening.api.post("imports/", document)
    assert imported["differences"] == []
    evening.api.standings_done(f"events/{imported['event']}/")
    copy = list(evening.api.pages(f"events/{imported['event']}/standings/"))
    standings = list(evening.api.pages(f"{evening.path}standings/"))
    assert [(row["rank"], row["player"], row["match_points"]) for row in copy] == [
        (row["rank"], row["player"], row["match_points"]) for row in standings
    ]
