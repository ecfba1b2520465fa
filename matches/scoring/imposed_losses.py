"""Losses imposed by a judge, applied to a reported result.

A lost game is won by the opponent and counts as decided by a judge. Its loser scores no agenda
points under either loser rule (docs/reference/rules.md): those are for a game that was played to
its end. The winner has the points of a win and the agenda points that were entered.

In `onr` a win is always 10 points. That includes a winner who would have scored more agenda points
as the loser of a game decided the other way.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import ScoringRule


@dataclass(frozen=True, order=True)
class ImposedLoss:
    seat: int
    # None for every game of the match.
    game: int | None = None


def apply_losses(
    rule: ScoringRule,
    reported: MatchResult,
    losses: Collection[ImposedLoss],
    corps: Mapping[int, int],
    seats: int = 2,
) -> MatchResult:
    """Apply the losses to the result of `seats` players; repeating it changes nothing.

    `corps` are the positions of the Corp by game, for games that were not reported. A lost game 2
    ends two for one. An intentional draw is still drawn in a game that is not lost. Totals do not
    show their games, so they are unchanged until every game is lost.

    An empty result is returned unchanged unless the losses alone decide the match. At a table
    without roles, losers have no victory points and come last.
    """
    if not losses or not (reported or losses_decide(rule, losses, seats)):
        return reported
    if not rule.has_roles:
        return _without_victory_points(reported, {loss.seat for loss in losses}, seats)
    lost = lost_games(rule, losses)
    if reported.totals and len(lost) < rule.games_per_match:
        return reported
    return _with_lost_games(rule, _as_games(rule, reported, corps), lost, corps)


def losses_decide(rule: ScoringRule, losses: Collection[ImposedLoss], seats: int = 2) -> bool:
    """Return True if the losses leave no game to play, or only one player of a pod."""
    if not rule.has_roles:
        return len({loss.seat for loss in losses}) == seats - 1
    return len(lost_games(rule, losses)) == rule.games_per_match


def lost_games(rule: ScoringRule, losses: Collection[ImposedLoss]) -> dict[int, set[int]]:
    """Return the losing seats by game number; empty at a table without roles."""
    if not rule.has_roles:
        return {}
    everything = range(1, rule.games_per_match + 1)
    lost: dict[int, set[int]] = {}
    for loss in losses:
        for number in everything if loss.game is None else (loss.game,):
            lost.setdefault(number, set()).add(loss.seat)
    return lost


def decided_games(
    rule: ScoringRule, losses: Collection[ImposedLoss], corps: Mapping[int, int]
) -> tuple[GameResult, ...]:
    return _with_lost_games(rule, MatchResult(), lost_games(rule, losses), corps).games


def undecided_part(
    rule: ScoringRule, reported: MatchResult, losses: Collection[ImposedLoss]
) -> MatchResult:
    if rule.has_roles:
        lost = lost_games(rule, losses)
        return replace(reported, games=tuple(g for g in reported.games if g.number not in lost))
    losers = {loss.seat for loss in losses}
    points = enumerate(reported.victory_points, start=1)
    kept = tuple(0 if seat in losers else own for seat, own in points)
    return replace(reported, victory_points=kept)


def restore_reported_games(
    rule: ScoringRule, entered: MatchResult, reported: MatchResult, losses: Collection[ImposedLoss]
) -> MatchResult:
    """Replace the lost parts of the entered result by those of an earlier report.

    A form shows a lost game as decided. Stored like that, it would still be lost after the loss is
    withdrawn.
    """
    if not rule.has_roles:
        return _with_reported_points(entered, reported, {loss.seat for loss in losses})
    lost = lost_games(rule, losses)
    if len(lost) == rule.games_per_match and reported:
        return reported
    earlier = {game.number: game for game in reported.games if game.number in lost}
    games = []
    for game in entered.games:
        before = earlier.get(game.number)
        is_skipped = entered.is_intentional_draw or (entered.is_two_for_one and game.number == 2)
        if before is not None and before.corp == game.corp:
            games.append(before)
        elif game.number not in lost or not is_skipped:
            games.append(game)
    return replace(entered, games=tuple(games))


def _with_reported_points(
    entered: MatchResult, reported: MatchResult, losers: Collection[int]
) -> MatchResult:
    if len(reported.victory_points) != len(entered.victory_points):
        return entered
    pairs = enumerate(zip(entered.victory_points, reported.victory_points, strict=True), start=1)
    points = tuple(before if seat in losers else after for seat, (after, before) in pairs)
    return replace(entered, victory_points=points)


def _as_games(rule: ScoringRule, reported: MatchResult, corps: Mapping[int, int]) -> MatchResult:
    games = reported.games
    if reported.is_intentional_draw and not games:
        games = tuple(
            GameResult(number, corps.get(number, 1), None, GameEnd.NOT_RECORDED)
            for number in range(1, rule.games_per_match + 1)
        )
    flags = reported.flags - {Flag.INTENTIONAL_DRAW}
    return replace(reported, games=games, flags=flags, totals=())


def _with_lost_games(
    rule: ScoringRule, reported: MatchResult, lost: Mapping[int, set[int]], corps: Mapping[int, int]
) -> MatchResult:
    games = {game.number: game for game in reported.games}
    for number, seats in lost.items():
        game = games.get(number) or _unplayed_game(rule, number, games, corps)
        games[number] = (
            _lost_by_both(rule, game) if len(seats) == 2 else _lost_game(rule, game, *seats)
        )
    # Game 1 counts twice only if there is no game 2.
    flags = reported.flags - {Flag.TWO_FOR_ONE} if lost.keys() - {1} else reported.flags
    return replace(reported, games=tuple(games[number] for number in sorted(games)), flags=flags)


def _unplayed_game(
    rule: ScoringRule, number: int, games: Mapping[int, GameResult], corps: Mapping[int, int]
) -> GameResult:
    """Build a game without a winner; the roles alternate with those of the game that was played."""
    played = next((game for game in games.values() if game.number != number), None)
    # In an imported game with unknown roles, the first seat counts as Corp.
    corp = corps.get(number, 1) if played is None else 3 - played.corp
    # In rules with agenda points, these are never unknown.
    points = None if GameEnd.NOT_RECORDED in rule.ends else 0
    return GameResult(number, corp, None, GameEnd.TIME, points, points)


def _lost_game(rule: ScoringRule, game: GameResult, seat: int) -> GameResult:
    """Give the game to the opponent, unless the opponent also lost it or did not show up."""
    loser = Role.CORP if game.corp == seat else Role.RUNNER
    if _nobody_won(rule, game) or (game.end is GameEnd.NO_SHOW and game.winner is loser):
        return _lost_by_both(rule, game)
    lost = replace(game, winner=loser.other, end=GameEnd.JUDGE)
    return _without_agenda_points(lost, loser)


def _nobody_won(rule: ScoringRule, game: GameResult) -> bool:
    """Both had already lost the game; `onr` has no end of its own for this."""
    if GameEnd.DOUBLE_LOSS in rule.ends:
        return game.end is GameEnd.DOUBLE_LOSS
    without_points = game.corp_agenda_points == game.runner_agenda_points == 0
    return game.end is GameEnd.JUDGE and game.winner is None and without_points


def _lost_by_both(rule: ScoringRule, game: GameResult) -> GameResult:
    end = GameEnd.DOUBLE_LOSS if GameEnd.DOUBLE_LOSS in rule.ends else GameEnd.JUDGE
    lost = replace(game, winner=None, end=end)
    return _without_agenda_points(_without_agenda_points(lost, Role.CORP), Role.RUNNER)


def _without_agenda_points(game: GameResult, role: Role) -> GameResult:
    if game.agenda_points(role) is None:
        return game
    if role is Role.CORP:
        return replace(game, corp_agenda_points=0)
    return replace(game, runner_agenda_points=0)


def _without_victory_points(
    reported: MatchResult, losers: Collection[int], seats: int
) -> MatchResult:
    """Put losers last. If another player has 0, all players who did not lose get a point."""
    points: Sequence[int] = reported.victory_points or (0,) * seats
    others = [own for seat, own in enumerate(points, start=1) if seat not in losers]
    more = 1 if others and min(others) == 0 else 0
    kept = (0 if seat in losers else own + more for seat, own in enumerate(points, start=1))
    return replace(reported, victory_points=tuple(kept))
