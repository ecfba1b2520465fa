"""Points and contradictions of `anr` (docs/rules.md): 3 for a win, 1 for a draw, 0 for a loss."""

from collections.abc import Iterator
from itertools import product

from matches.scoring.contradictions import (
    Contradiction,
    Found,
    points_range,
    right_winner,
    seat,
    two_games,
)
from matches.scoring.games import GameEnd, GameResult
from matches.scoring.results import Flag, MatchResult, Share

WIN_POINTS = 3
DRAW_POINTS = 1
# Highest match points that can be typed as a total.
MOST_TOTAL = 99
_ENDS_OF_ONE_GAME = ((WIN_POINTS, 0), (DRAW_POINTS, DRAW_POINTS), (0, WIN_POINTS))
_DRAWABLE = frozenset({GameEnd.TIME, GameEnd.JUDGE, GameEnd.NOT_RECORDED, GameEnd.DOUBLE_LOSS})

Totals = tuple[int, int]


def shares(result: MatchResult, games_per_match: int) -> dict[int, tuple[Share, ...]]:
    """Return the points of each seat: from typed totals, else games, else an intentional draw."""
    if result.totals:
        return {
            position: (Share(points, f"{points} typed as a total"),)
            for position, points in enumerate(result.totals, start=1)
        }
    if result.games or not result.is_intentional_draw:
        return {
            position: tuple(_share(game, position, result) for game in result.games)
            for position in (1, 2)
        }
    drawn = games_per_match * DRAW_POINTS
    return dict.fromkeys((1, 2), (Share(drawn, f"{drawn} for an intentional draw"),))


def _share(game: GameResult, position: int, result: MatchResult) -> Share:
    points, reason = _worth(game, position)
    if result.is_two_for_one:
        return Share(2 * points, f"2 x {points} {reason}, counted twice", game.number)
    return Share(points, f"{points} {reason}", game.number)


def _worth(game: GameResult, position: int) -> tuple[int, str]:
    if game.end is GameEnd.DOUBLE_LOSS:
        return 0, "as both lost"
    if game.winner is None:
        return DRAW_POINTS, "for a draw"
    role = game.winner if game.position(game.winner) == position else game.winner.other
    if role is game.winner:
        return WIN_POINTS, f"for a win as {role.label}"
    return 0, f"for a loss as {role.label}"


def contradictions(result: MatchResult, games_per_match: int) -> Iterator[Contradiction]:
    """Yield contradictions in a reported match."""
    for game in result.games:
        for check in (seat, points_range, right_winner, _winner):
            for code, message in check(game):
                yield Contradiction(code, f"Game {game.number}: {message}", game.number)
    yield from _flags(result)
    if result.totals:
        yield from _totals(result, games_per_match)
    elif result.is_two_for_one:
        yield from _one_game(result, "With two for one, enter only game 1")
    elif result.is_intentional_draw and not result.games:
        return
    elif games_per_match == 1:
        yield from _one_game(result, "A match is one game")
    else:
        yield from two_games(result.games)


def _winner(game: GameResult) -> Found:
    if game.winner is None and game.end not in _DRAWABLE:
        yield (
            "no_winner",
            f'"{game.end.label}" needs a winner. Choose the winner, or choose '
            f'"{GameEnd.DOUBLE_LOSS.label}" if nobody was there.',
        )
    if game.winner is not None and game.end is GameEnd.DOUBLE_LOSS:
        yield (
            "winner_of_double_loss",
            f'"{game.end.label}" has no winner, but the {game.winner.label} is named. '
            "Remove the winner, or choose how the game was won.",
        )


def _flags(result: MatchResult) -> Iterator[Contradiction]:
    if not result.is_intentional_draw:
        return
    for flag in sorted(result.flags - {Flag.INTENTIONAL_DRAW}):
        yield Contradiction(
            "flags", f'An intentional draw is not played, so "{flag.label}" does not fit.'
        )
    for game in result.games:
        if game.winner is not None:
            yield Contradiction(
                "intentional_draw_with_winner",
                f"Game {game.number}: the {game.winner.label} won, but the match is an intentional "
                "draw. Remove the winner or the intentional draw.",
                game.number,
            )


def _one_game(result: MatchResult, rule: str) -> Iterator[Contradiction]:
    numbers = sorted(game.number for game in result.games)
    if numbers != [1]:
        given = ", ".join(map(str, numbers)) or "none"
        yield Contradiction("games", f"{rule}; given: {given}. Enter game 1 alone.")


def _totals(result: MatchResult, games_per_match: int) -> Iterator[Contradiction]:
    if result.games:
        yield Contradiction(
            "totals_and_games", "You entered both games and totals. Remove one of them."
        )
    possible = possible_totals(result, games_per_match)
    if result.totals not in possible:
        known = ", ".join(f"{first}:{second}" for first, second in possible)
        yield Contradiction(
            "totals",
            f"{':'.join(map(str, result.totals))} is not possible; these are: {known}. "
            "Correct the totals, or enter the games.",
        )


def possible_totals(result: MatchResult, games_per_match: int) -> list[Totals]:
    """Return the totals that decided games can give with these flags, best for seat 1 first."""
    games = product(_ENDS_OF_ONE_GAME, repeat=games_per_match)
    if result.is_two_for_one:
        games = ((game, game) for game in _ENDS_OF_ONE_GAME)  # type: ignore[assignment]
    sums = {(sum(one for one, _ in ends), sum(two for _, two in ends)) for ends in games}
    level = result.is_intentional_draw
    return sorted(
        (total for total in sums if not level or total[0] == total[1]),
        key=lambda total: (total[1] - total[0], total),
    )
