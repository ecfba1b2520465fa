"""Names of the rounds of a bracket, as codes that pages translate."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.bracket.records import Bracket, Game, Half
from engine.systems import IMPORTED


class RoundCode(StrEnum):
    """A kind of round. Upper and lower rounds belong to a double elimination."""

    FINAL = "final"
    SEMIFINAL = "semifinal"
    QUARTERFINAL = "quarterfinal"
    ROUND_OF = "round_of"
    UPPER_FINAL = "upper_final"
    UPPER_SEMIFINAL = "upper_semifinal"
    UPPER_QUARTERFINAL = "upper_quarterfinal"
    UPPER_ROUND_OF = "upper_round_of"
    LOWER_FINAL = "lower_final"
    LOWER_SEMIFINAL = "lower_semifinal"
    LOWER_ROUND = "lower_round"
    BRACKET_RESET = "bracket_reset"
    CUT_ROUND = "cut_round"


@dataclass(frozen=True)
class RoundName:
    """A named round.

    `number` is the 16 of a round of 16, the 2 of lower round 2, or else 0. `matches` is the number
    of matches the bracket has in this round.
    """

    code: RoundCode
    number: int = 0
    matches: int = 1


SINGLE = (RoundCode.FINAL, RoundCode.SEMIFINAL, RoundCode.QUARTERFINAL, RoundCode.ROUND_OF)
UPPER = (
    RoundCode.UPPER_FINAL,
    RoundCode.UPPER_SEMIFINAL,
    RoundCode.UPPER_QUARTERFINAL,
    RoundCode.UPPER_ROUND_OF,
)
# Codes by the number of later rounds in the same half; the last code covers the rest.
LOWER = (RoundCode.LOWER_FINAL, RoundCode.LOWER_SEMIFINAL, RoundCode.LOWER_ROUND)


def round_name(bracket: Bracket, game: Game) -> RoundName:
    matches = sum((other.half, other.round) == (game.half, game.round) for other in bracket.games)
    if bracket.system == IMPORTED:
        return RoundName(RoundCode.CUT_ROUND, game.round, matches)
    if game.half is Half.FINAL:
        return RoundName(RoundCode.FINAL)
    if game.half is Half.RESET:
        return RoundName(RoundCode.BRACKET_RESET)
    last = max(other.round for other in bracket.games if other.half is game.half)
    rounds_after = last - game.round
    if game.half is Half.LOWER:
        code = LOWER[min(rounds_after, len(LOWER) - 1)]
        number = game.round if code is RoundCode.LOWER_ROUND else 0
    else:
        codes = SINGLE if bracket.reset is None else UPPER
        code = codes[min(rounds_after, len(codes) - 1)]
        is_round_of = code in (RoundCode.ROUND_OF, RoundCode.UPPER_ROUND_OF)
        number = 2 ** (rounds_after + 1) if is_round_of else 0
    return RoundName(code, number, matches)


def round_names(bracket: Bracket, games: Iterable[int]) -> tuple[RoundName, ...]:
    """Return the names of the rounds of these games without repeats, in the order of the games.

    A round of an event plays every playable game. In a double elimination that is often an upper
    and a lower round.
    """
    names = (round_name(bracket, bracket.by_number[number]) for number in sorted(games))
    return tuple(dict.fromkeys(names))
