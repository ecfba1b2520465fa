"""The cut of a simulated event, played game by game to the last placing."""

from engine.documents import Json
from engine.documents.json_text import copied
from engine.simulation.events.plans import Cut
from engine.simulation.events.running import COMMANDS, Answer, Running
from engine.standings import PlayerId


def qualified(running: Running, cut: Cut, ranked: list[PlayerId]) -> list[PlayerId]:
    """The best who want to play; who declines is followed by the next."""
    return [player for player in ranked if not _declines(running, player)][: cut.size]


def play_cut(running: Running, cut: Cut, seeds: list[PlayerId]) -> Json:
    """The document of the cut at its end."""
    document: Json = {
        "datafort": 1,
        "system": cut.system,
        "seed": running.plan.seed,
        "fixed": cut.fixed,
        "seeds": seeds,
        "results": [],
    }
    while games := _ask(running, document)["games"]:
        # Games are told as they end, in any order, some at a time.
        for game in running.chance.sample(games, running.chance.randint(1, len(games))):
            document["results"].append(_result(running, game))
    return document


def _declines(running: Running, player: PlayerId) -> bool:
    declines = running.happens("decline")
    if declines:
        running.tell(f"Player {player} declines the cut.")
    return declines


def _ask(running: Running, document: Json) -> Json:
    asked = copied(document)
    answer = COMMANDS["bracket"](asked)
    running.answers.append(Answer("bracket", asked, answer))
    return answer


def _result(running: Running, game: Json) -> Json:
    """Who wins, and who was Corp: as the engine says, chosen, or not told at all."""
    ids = [seat["id"] for seat in game["seats"]]
    first, second = (running.strength[player] for player in ids)
    winner = ids[0] if running.chance.randrange(first + second) < first else ids[1]
    given = [seat["id"] for seat in game["seats"] if seat["role"] == "corp"]
    corp = given[0] if given else running.chance.choice((*ids, None))
    return {"game": game["game"], "winner": winner, "corp": corp}
