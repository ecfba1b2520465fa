"""Rounds of a bracket, and where players come from, in words."""

from engine.bracket.records import (
    Bracket,
    Game,
    Half,
    LoserOf,
    RolesBy,
    Seeded,
    Source,
    WinnerOf,
)
from engine.systems import IMPORTED

ROLES_BY = {
    RolesBy.CHOICE: "the higher seed chose",
    RolesBy.COUNT: "fewer games as Corp than as Runner in this cut, compared with the opponent",
    RolesBy.LOT: "by lot, both are level in this cut",
    RolesBy.FINAL: "the roles of the final are swapped",
}
"""Why somebody is Corp."""


def source_in_words(source: Source) -> str:
    """Who comes from there, such as "winner of game 5"."""
    match source:
        case Seeded(seed):
            return f"seed {seed}"
        case WinnerOf(game):
            return f"winner of game {game}"
        case LoserOf(game):
            return f"loser of game {game}"
    return "best seed left" if source.place == 1 else f"number {source.place} of the seeds left"


def round_in_words(bracket: Bracket, game: Game) -> str:
    """The name of the game's round, such as "Lower round 2", "Round of 16" or "Semifinals"."""
    if bracket.system == IMPORTED:
        return f"Round {game.round}"
    if game.half is Half.FINAL:
        return "Final"
    if game.half is Half.RESET:
        return "Second final"
    if game.half is Half.LOWER:
        to_go = _last_round(bracket, Half.LOWER) - game.round
        return {0: "Lower final", 1: "Lower semifinal"}.get(to_go, f"Lower round {game.round}")
    return _upper_round(bracket, game.round)


def _upper_round(bracket: Bracket, round_: int) -> str:
    to_go = _last_round(bracket, Half.UPPER) - round_
    names = {0: "Final", 1: "Semifinals", 2: "Quarterfinals"}
    name = names.get(to_go, f"Round of {2 ** (to_go + 1)}")
    return f"Upper {name.lower()}" if bracket.reset is not None else name


def _last_round(bracket: Bracket, half: Half) -> int:
    return max(game.round for game in bracket.games if game.half is half)
