"""Run a Netrunner event over the API, from its name to its standings.

    python docs/examples/run_event.py http://127.0.0.1:8000 TOKEN Ada Bo Cy Dee

Results are random here; a real program would read them from its tables.
"""

import random
import sys
from datetime import UTC, datetime
from typing import Any

from client import Client

ROUNDS = 3


def main() -> None:
    """Play an event with the players of the command line, and print its standings."""
    site, token, *names = sys.argv[1:]
    api = Client(site, token)
    event = set_up(api, names)
    print(event["page"])
    for _ in range(ROUNDS):
        play_round(api, event["slug"])
    api.post(f"events/{event['slug']}/finish/")
    api.standings_done(f"events/{event['slug']}/")
    for row in api.pages(f"events/{event['slug']}/standings/"):
        print(f"{row['rank']:3}. {row['player']['name']:20} {row['match_points']}")


def set_up(api: Client, names: list[str]) -> Any:
    """Create an event with all players checked in."""
    event = api.post(
        "events/",
        {
            "name": "An event by API",
            "game": "onr",
            "starts_on": datetime.now(UTC).date().isoformat(),
            "planned_rounds": ROUNDS,
            "decks_required": False,
        },
    )
    path = f"events/{event['slug']}/registrations/"
    api.post(path, {"players": [{"name": name} for name in names]})
    api.post(f"{path}check-in/", {"numbers": None})
    return event


def play_round(api: Client, slug: str) -> None:
    """Pair a round, publish it, start its clock, enter all results, close it."""
    event = f"events/{slug}/"
    queued = api.post(f"{event}rounds/")
    api.job_done(f"{event}jobs/{queued['job']['id']}/")
    round_ = f"{event}rounds/{queued['number']}/"
    api.post(f"{round_}publish/")
    api.post(f"{round_}start/")
    for pairing in api.pages(f"{round_}pairings/"):
        if pairing["table"] is not None:
            enter_result(api, f"{round_}tables/{pairing['table']}/result/")
    api.post(f"{round_}close/")


def enter_result(api: Client, path: str) -> None:
    """Enter two random games, in which each player is Corp once."""
    table = api.get(path)
    players = [seat["player"]["number"] for seat in table["seats"]]
    games = [game(number, corp) for number, corp in enumerate(players, start=1)]
    api.put(path, {"result": {"games": games}, "version": table["version"]})


def game(number: int, corp: int) -> dict[str, Any]:
    """Return a random game, won with seven agenda points."""
    winner = random.choice(["corp", "runner"])
    points = {"corp": random.randrange(6), "runner": random.randrange(6), winner: 7}
    return {
        "number": number,
        "corp": corp,
        "winner": winner,
        "end": "agenda",
        "corp_agenda_points": points["corp"],
        "runner_agenda_points": points["runner"],
    }


if __name__ == "__main__":
    main()
