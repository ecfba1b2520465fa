"""Bracket answers against their documents: games, roles and placings (docs/reference/rules.md)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tests.checker.bracket_games import (
    DOUBLE,
    FIXED,
    Replay,
    replay_double,
    replay_fixed,
    replay_single,
)
from tests.checker.faults import Fault
from tests.checker.reading import Document

Step = tuple[Document, dict[str, Any]]
LIVES = {"single_elimination": 1, "double_elimination": 2}


def faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Return the faults of an answer; sizes without a list only have general checks."""
    yield from _shape_faults(document, answer)
    replay = _replay(document)
    if replay is not None:
        yield from _game_faults(replay, answer)
        yield from _role_faults(document, replay, answer)
        yield from _placing_faults(document["seeds"], replay, answer)


def _replay(document: Document) -> Replay | None:
    seeds, winners = document["seeds"], {row["game"]: row["winner"] for row in document["results"]}
    if document["system"] == "double_elimination":
        return replay_double(seeds, winners) if len(seeds) in DOUBLE else None
    if document.get("fixed"):
        return replay_fixed(seeds, winners) if len(seeds) in FIXED else None
    return replay_single(seeds, winners)


def _shape_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    seated = Counter(seat["id"] for game in answer["games"] for seat in game["seats"])
    for id_, times in seated.items():
        if times > 1:
            yield Fault("in_two_games", "$.games", f"{id_} is to play {times} games at once.")
        if id_ not in document["seeds"]:
            yield Fault("not_in_cut", "$.games", f"{id_} is no player of the cut.")
    ranks = [row["rank"] for row in answer["placings"]]
    if ranks != list(range(1, len(document["seeds"]) + 1)):
        yield Fault("placing_ranks", "$.placings", f"The ranks are {ranks}.")
    placed = Counter(row["id"] for row in answer["placings"] if row["id"] is not None)
    if any(times > 1 for times in placed.values()) or not placed.keys() <= set(document["seeds"]):
        yield Fault("placed_twice", "$.placings", f"The places go to {list(placed.elements())}.")


def _game_faults(replay: Replay, answer: dict[str, Any]) -> Iterator[Fault]:
    answered = {game["game"]: {seat["id"] for seat in game["seats"]} for game in answer["games"]}
    expected = {game: set(replay.players[game]) for game in replay.open_games()}
    for game in sorted(answered.keys() | expected.keys()):
        if answered.get(game) != expected.get(game):
            text = f"Game {game} is of {answered.get(game)}, and is to be of {expected.get(game)}."
            yield Fault("game", "$.games", text)


def _role_faults(document: Document, replay: Replay, answer: dict[str, Any]) -> Iterator[Fault]:
    """Roles are open in a first game, then by count; the reset swaps those of the final."""
    corps = {row["game"]: row.get("corp") for row in document["results"]}
    for game in answer["games"]:
        roles = {seat["id"]: seat["role"] for seat in game["seats"]}
        corp = next((id_ for id_, role in roles.items() if role == "corp"), None)
        if sorted(map(str, roles.values())) not in (["None", "None"], ["corp", "runner"]):
            yield Fault("cut_roles", "$.games", f"Game {game['game']} has the roles {roles}.")
        elif corp not in _corps_by_rule(replay, corps, game["game"], list(roles)):
            yield Fault("cut_corp", "$.games", f"{corp} is not Corp of game {game['game']}.")


def _corps_by_rule(
    replay: Replay, corps: dict[int, Any], game: int, players: list[Any]
) -> set[Any]:
    """Return the players who may be Corp; None stands for an open choice."""
    if game == replay.reset and corps.get(replay.final) is not None:
        return set(players) - {corps[replay.final]}
    played = {
        id_: [number for number in replay.winners if id_ in replay.players[number]]
        for id_ in players
    }
    if not any(played.values()):
        return {None}
    if any(corps.get(number) is None for numbers in played.values() for number in numbers):
        # A result without a Corp leaves the roles unknown here.
        return {*players}
    counts = {
        id_: sum((corps[number] == id_) - (corps[number] != id_) for number in numbers)
        for id_, numbers in played.items()
    }
    lowest = {id_ for id_, count in counts.items() if count == min(counts.values())}
    # A player who has waited so far plays a first game.
    return lowest if all(played.values()) else {*lowest, None}


def _placing_faults(seeds: list[Any], replay: Replay, answer: dict[str, Any]) -> Iterator[Fault]:
    placed = {row["rank"]: row["id"] for row in answer["placings"]}
    for rank, may_be in _places(seeds, replay).items():
        if placed.get(rank) not in may_be:
            text = f"Place {rank} goes to {placed.get(rank)}, and is to go to one of {may_be}."
            yield Fault("placing", "$.placings", text)


def _places(seeds: list[Any], replay: Replay) -> dict[int, set[Any]]:
    """Return the possible players of each rank: a single player once its stage is over."""
    possible: dict[int, set[Any]] = {}
    rank = len(seeds)
    for stage in replay.stages:
        losers = [replay.loser(game) for game in stage]
        eliminated = sorted(
            (id_ for id_ in losers if id_ is not None), key=seeds.index, reverse=True
        )
        for offset in range(len(stage)):
            possible[rank] = (
                {eliminated[offset]} if len(eliminated) == len(stage) else {None, *eliminated}
            )
            rank -= 1
    last = replay.reset or replay.final
    is_over = last in replay.winners
    if rank == 2:
        possible[1] = {replay.winners[last] if is_over else None}
        possible[2] = {replay.loser(last) if is_over else None}
    return possible


def run_faults(steps: Sequence[Step]) -> Iterator[Fault]:
    """Return the faults of a bracket of any size that was played to its end.

    `steps` are documents with more and more results, each with its answer.
    """
    players: dict[int, set[Any]] = {}
    for document, answer in steps:
        offered = {game["game"]: {seat["id"] for seat in game["seats"]} for game in answer["games"]}
        for game, seated in offered.items():
            if players.setdefault(game, seated) != seated:
                yield Fault("game_changed", "$.games", f"Game {game} has got other players.")
        losses = _losses(document, players)
        for game, seated in offered.items():
            for id_ in seated:
                if losses[id_] >= LIVES[document["system"]]:
                    yield Fault("lives", "$.games", f"{id_} is out and plays game {game}.")
    yield from _end_faults(steps[-1][0], steps[-1][1], players)


def _losses(document: Document, players: dict[int, set[Any]]) -> Counter[Any]:
    return Counter(
        id_
        for row in document["results"]
        for id_ in players.get(row["game"], ())
        if id_ != row["winner"]
    )


def _end_faults(
    document: Document, answer: dict[str, Any], players: dict[int, set[Any]]
) -> Iterator[Fault]:
    """Check the end: a single player has not lost too often, and every place is taken."""
    if answer["games"]:
        return
    losses, lives = _losses(document, players), LIVES[document["system"]]
    standing = [id_ for id_ in document["seeds"] if losses[id_] < lives]
    order = [row["id"] for row in answer["placings"]]
    if len(standing) != 1:
        yield Fault("no_winner", "$.games", f"{standing} stand, and no game is left.")
    elif order[0] != standing[0]:
        yield Fault("placing", "$.placings", f"{standing[0]} has won, {order[0]} is first.")
    elif None in order:
        yield Fault("placing", "$.placings", "The cut is over, and places are open.")
    if len(document["results"]) != lives * len(document["seeds"]) - lives + _resets(losses, order):
        yield Fault("game_count", "$.results", f"{len(document['results'])} games were played.")


def _resets(losses: Counter[Any], order: list[Any]) -> int:
    """Return 1 if the winner has lost a game, and so had to win the reset."""
    return losses[order[0]]
