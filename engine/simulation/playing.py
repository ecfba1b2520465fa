"""Simulation of an event through documents, like an organiser who only has the engine.

After the rounds the cut is played game by game to the last placing.
"""

from engine.documents import Json
from engine.documents.json_text import copied
from engine.simulation.plans import Cut, Plan
from engine.simulation.running import (
    COMMANDS,
    Answer,
    Mending,
    Running,
    SimulatedEvent,
    by_hand,
    come_and_go,
    enter_all,
    played,
    result_body,
)
from engine.standings import PlayerId

FEWEST_SEEDS = 2


def qualified(running: Running, cut: Cut, ranked: list[PlayerId]) -> list[PlayerId]:
    """Return the best players who accept; the next player replaces a player who declines."""
    return [player for player in ranked if not _declines(running, player)][: cut.size]


def play_cut(running: Running, cut: Cut, seeds: list[PlayerId]) -> Json:
    """Play a cut and return its final document."""
    document: Json = {
        "datafort": 1,
        "system": cut.system,
        "seed": running.plan.seed,
        "fixed": cut.fixed,
        "seeds": seeds,
        "results": [],
    }
    while games := _ask(running, document)["games"]:
        # Games are reported as they end: in any order, several at a time.
        for game in running.chance.sample(games, running.chance.randint(1, len(games))):
            document["results"].append(_result(running, game))
    return document


def _declines(running: Running, player: PlayerId) -> bool:
    declines = running.happens("decline")
    if declines:
        running.note(f"Player {player} declines the cut.")
    return declines


def _ask(running: Running, document: Json) -> Json:
    asked = copied(document)
    answer = COMMANDS["bracket"](asked)
    running.answers.append(Answer("bracket", asked, answer))
    return answer


def _result(running: Running, game: Json) -> Json:
    """Return a winner, and a Corp player as assigned, chosen or left out."""
    ids = [seat["id"] for seat in game["seats"]]
    first, second = (running.strength[player] for player in ids)
    winner = ids[0] if running.chance.randrange(first + second) < first else ids[1]
    given = [seat["id"] for seat in game["seats"] if seat["role"] == "corp"]
    corp = given[0] if given else running.chance.choice((*ids, None))
    return {"game": game["game"], "winner": winner, "corp": corp}


def simulate_event(plan: Plan) -> SimulatedEvent:
    """Simulate the event of a plan, from the first pairing to the last game of the cut."""
    running = Running.begun(plan)
    enter_all(running)
    if plan.plays_by.is_elimination:
        return _elimination(running)
    for number in range(1, plan.rounds + 1):
        _play_round(running, number)
    _mend(running, plan.rounds + 2)
    running.ask("standings", as_of_round=running.chance.randint(0, plan.rounds))
    lines = running.ask("standings")["standings"]
    return _left(running, running.document, _cut(running, lines))


def _cut(running: Running, lines: list[Json]) -> Json:
    cut = running.plan.cut
    if cut is None:
        return None
    ranked = [line["id"] for line in lines if line["active"]]
    seeds = qualified(running, cut, ranked)
    return play_cut(running, cut, seeds) if len(seeds) >= FEWEST_SEEDS else None


def _elimination(running: Running) -> SimulatedEvent:
    """Play an elimination; the players are seeded in order of entry."""
    assert running.plan.cut is not None
    seeds = [player["id"] for player in running.players if player["active"]]
    document = play_cut(running, running.plan.cut, seeds)
    return _left(running, document, document)


def _left(running: Running, document: Json, cut: Json) -> SimulatedEvent:
    return SimulatedEvent(document, tuple(running.answers), cut, tuple(running.notes))


def _play_round(running: Running, number: int) -> None:
    """Fix results, pair, rearrange, play and query the standings."""
    if number > 1:
        _mend(running, number)
        come_and_go(running, number)
    pairings = by_hand(running, _paired(running))
    running.document["rounds"].append([_played(running, entry, number) for entry in pairings])
    running.ask("standings")


def _paired(running: Running) -> list[Json]:
    """Draft a round, sometimes before a table of the last round has its result."""
    late = []
    if running.document["rounds"] and running.happens("paired_early"):
        late = running.chance.choice(running.document["rounds"][-1]).get("seats", [])
    points = [seat["points"] for seat in late]
    for seat in late:
        seat["points"] = None
    pairings: list[Json] = running.ask("pair", **({"force": True} if late else {}))["pairings"]
    for seat, late_points in zip(late, points, strict=True):
        seat["points"] = late_points
    return pairings


def _played(running: Running, entry: Json, number: int) -> Json:
    if "bye" in entry:
        return {"bye": entry["bye"], "points": running.rule.bye_points * running.plan.point_unit}
    strengths = [running.strength[seat["id"]] for seat in entry["seats"]]
    outcome = played(running.rule, strengths, running.plan, running.chance)
    if outcome.happened:
        running.note(f"Round {number}, table {entry['table']}: {outcome.happened}.")
    points = zip(entry["seats"], outcome.points, strict=True)
    seats = [{**seat, "points": won} for seat, won in points]
    if running.happens("wrong_result"):
        _write_down_wrongly(running, seats, number)
    body = {"x_result": result_body(outcome.result)} if outcome.result else {}
    return {"table": entry["table"], "seats": seats, **body}


def _write_down_wrongly(running: Running, seats: list[Json], number: int) -> None:
    right = [seat["points"] for seat in seats]
    for seat, points in zip(seats, right[::-1], strict=True):
        seat["points"] = points
    # The next round is paired with the wrong points.
    running.mending.append(Mending(seats, right, number + 2))


def _mend(running: Running, number: int) -> None:
    for mending in [one for one in running.mending if one.before_round <= number]:
        for seat, points in zip(mending.seats, mending.points, strict=True):
            seat["points"] = points
        running.mending.remove(mending)
        players = " and ".join(str(seat["id"]) for seat in mending.seats)
        running.note(f"Before round {number} a result of {players} is mended.")
