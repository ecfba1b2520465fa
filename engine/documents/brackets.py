"""Answer `engine bracket`: the games of a cut that can be played next, and the placings."""

from collections.abc import Collection

from engine.bracket import BracketRefused, BracketState, GameWon, NextGame, bracket_for, play
from engine.documents.events import check_version, read_players, read_seed, read_system
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import Node
from engine.standings import PlayerId

MOST_SEEDS = 1024
MOST_GAMES = 2 * MOST_SEEDS
# "games" and "placings" are answers: they may stay in the document and are ignored.
BRACKET_KEYS = (
    "datafort",
    "name",
    "system",
    "seed",
    "seeds",
    "results",
    "fixed",
    "players",
    "games",
    "placings",
)
RESULT_KEYS = ("game", "winner", "corp")


def bracket(document: Json) -> Json:
    """Return {"games", "placings"} for {"system", "seed", "seeds", "results"}.

    Raise DocumentRefused for an invalid document or impossible results.
    """
    node = Node(document)
    check_version(node, needed=False)
    node.object_of(BRACKET_KEYS, needed=("system", "seeds"))
    system = read_system(node)
    if not system.is_elimination:
        raise node.under("system").refusal(
            f'"{system.id}" has no bracket. Name "double_elimination" or "single_elimination"; '
            'rounds are paired by "engine pair".'
        )
    seeds = _seeds(node)
    try:
        games = bracket_for(system.id, len(seeds), fixed=node.under("fixed").flag())
        return _answer(play(games, seeds, _results(node.under("results")), seed=read_seed(node)))
    except BracketRefused as refusal:
        raise DocumentRefused(str(refusal), f"$.{refusal.details['path']}") from refusal


def _seeds(node: Node) -> list[PlayerId]:
    """Return the players, best first. If "players" is given, it must list them."""
    players, seeds = node.under("players"), node.under("seeds")
    known = {player.id for player in read_players(players)} if players.is_set() else None
    return [_known(inner, known) for inner in seeds.items(least=2, most=MOST_SEEDS)]


def _known(node: Node, known: Collection[PlayerId] | None) -> PlayerId:
    player = node.player_id()
    if known is not None and player not in known:
        raise node.refusal(
            f'Player {node.shown()} is not in "players". Add the player, or correct the id.'
        )
    return player


def _results(node: Node) -> list[GameWon]:
    if not node.is_set():
        return []
    return [_result(inner) for inner in node.items(most=MOST_GAMES)]


def _result(node: Node) -> GameWon:
    node.object_of(RESULT_KEYS, needed=("game", "winner"))
    corp = node.under("corp")
    return GameWon(
        game=node.under("game").integer(1, MOST_GAMES),
        winner=node.under("winner").player_id(),
        corp=corp.player_id() if corp.is_set() else None,
    )


def _answer(state: BracketState) -> Json:
    return {
        "games": [_game(game) for game in state.games],
        "placings": [{"rank": place.rank, "id": place.id} for place in state.placings],
    }


def _game(game: NextGame) -> Json:
    seats = [{"id": seat.id, "role": seat.role and seat.role.value} for seat in game.seats]
    return {"game": game.number, "seats": seats, "chooses_role": game.chooser}
