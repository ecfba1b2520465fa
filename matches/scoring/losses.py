"""What a judge takes from somebody, put on what the players reported.

A lost game goes to the other side and counts as decided by a judge. Its loser keeps no agenda
points, under either rule of the loser's points (docs/rules.md): those are for a game that was
played to its end. The winner has the points of a win and keeps the agenda points that were
entered. In `onr` a win is 10 points, no more and no less, also for a winner who would have kept
more agenda points as the loser of a game that a judge had decided the other way.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from matches.scoring.games import GameEnd, GameResult, Role
from matches.scoring.results import Flag, MatchResult
from matches.scoring.rules import ScoringRule


@dataclass(frozen=True, order=True)
class Loss:
    """The seat in this position loses the game with this number, or without one every game."""

    seat: int
    game: int | None = None


def with_losses(
    rule: ScoringRule,
    reported: MatchResult,
    losses: Collection[Loss],
    corps: Mapping[int, int],
    seats: int = 2,
) -> MatchResult:
    """The result of `seats` players with these losses; done twice it is the same.

    `corps` are the positions of the Corp by game, for games nobody reported. A lost game 2 ends a
    two for one; an agreed draw stays drawn in the game that is not lost. Of typed totals nobody
    knows which game they came from: they stay as they are until every game is lost. Nothing
    reported stays nothing, until the losses alone decide the match (`decides`). At a table without
    roles whoever loses keeps no victory points and comes last.
    """
    if not losses or not (reported or decides(rule, losses, seats)):
        return reported
    if not rule.has_roles:
        return _without_victory_points(reported, {loss.seat for loss in losses}, seats)
    lost = lost_games(rule, losses)
    if reported.totals and len(lost) < rule.games_per_match:
        return reported
    return _with_lost_games(rule, _in_games(rule, reported, corps), lost, corps)


def decides(rule: ScoringRule, losses: Collection[Loss], seats: int = 2) -> bool:
    """Whether nothing is left to play: every game is lost, or one of a pod is left."""
    if not rule.has_roles:
        return len({loss.seat for loss in losses}) == seats - 1
    return len(lost_games(rule, losses)) == rule.games_per_match


def lost_games(rule: ScoringRule, losses: Collection[Loss]) -> dict[int, set[int]]:
    """The seats that lose, by the number of the game; none at a table without roles."""
    if not rule.has_roles:
        return {}
    everything = range(1, rule.games_per_match + 1)
    lost: dict[int, set[int]] = {}
    for loss in losses:
        for number in everything if loss.game is None else (loss.game,):
            lost.setdefault(number, set()).add(loss.seat)
    return lost


def decided_games(
    rule: ScoringRule, losses: Collection[Loss], corps: Mapping[int, int]
) -> tuple[GameResult, ...]:
    """The lost games as they count where they were not reported."""
    return _with_lost_games(rule, MatchResult(), lost_games(rule, losses), corps).games


def apart_from_losses(
    rule: ScoringRule, reported: MatchResult, losses: Collection[Loss]
) -> MatchResult:
    """The part of a report that the losses leave open, to compare it with another one."""
    if rule.has_roles:
        lost = lost_games(rule, losses)
        return replace(reported, games=tuple(g for g in reported.games if g.number not in lost))
    losers = {loss.seat for loss in losses}
    points = enumerate(reported.victory_points, start=1)
    kept = tuple(0 if seat in losers else own for seat, own in points)
    return replace(reported, victory_points=kept)


def with_reported_games(
    rule: ScoringRule, entered: MatchResult, reported: MatchResult, losses: Collection[Loss]
) -> MatchResult:
    """The entered result, with what the losses decide as an earlier report has it.

    A form shows a lost game as decided. Stored like that, it would stay lost when the loss is
    taken back.
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
        if before is not None and before.corp == game.corp:
            games.append(before)
        elif game.number not in lost or not _goes_without(entered, game.number):
            games.append(game)
    return replace(entered, games=tuple(games))


def _goes_without(result: MatchResult, number: int) -> bool:
    """Return whether a flag of the result means that this game was not played."""
    return result.is_intentional_draw or (result.is_two_for_one and number == 2)


def _with_reported_points(
    entered: MatchResult, reported: MatchResult, losers: Collection[int]
) -> MatchResult:
    if len(reported.victory_points) != len(entered.victory_points):
        return entered
    pairs = enumerate(zip(entered.victory_points, reported.victory_points, strict=True), start=1)
    points = tuple(before if seat in losers else now for seat, (now, before) in pairs)
    return replace(entered, victory_points=points)


def _in_games(rule: ScoringRule, reported: MatchResult, corps: Mapping[int, int]) -> MatchResult:
    """The same without an agreed draw and totals, which say nothing of single games."""
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
        game = games.get(number) or _not_recorded(rule, number, _corp(number, games, corps))
        games[number] = _lost_by_both(rule, game) if len(seats) == 2 else _lost(rule, game, *seats)
    # Game 1 counts twice only where there is no game 2.
    ended = {Flag.TWO_FOR_ONE} if lost.keys() - {1} else set()
    return replace(
        reported,
        games=tuple(games[number] for number in sorted(games)),
        flags=reported.flags - ended,
    )


def _corp(number: int, games: Mapping[int, GameResult], corps: Mapping[int, int]) -> int:
    """Roles swap from game to game, also where the players sat down the other way round."""
    other = next((game for game in games.values() if game.number != number), None)
    # Where the roles of an imported game are not known, the first seat counts as Corp.
    return corps.get(number, 1) if other is None else 3 - other.corp


def _not_recorded(rule: ScoringRule, number: int, corp: int) -> GameResult:
    # Where agenda points count they are never unknown.
    points = None if GameEnd.NOT_RECORDED in rule.ends else 0
    return GameResult(number, corp, None, GameEnd.TIME, points, points)


def _lost(rule: ScoringRule, game: GameResult, seat: int) -> GameResult:
    """The game goes to the other seat, unless that one has lost it too or never came."""
    loser = Role.CORP if game.corp == seat else Role.RUNNER
    if _nobody_won(rule, game) or (game.end is GameEnd.NO_SHOW and game.winner is loser):
        return _lost_by_both(rule, game)
    lost = replace(game, winner=loser.other, end=GameEnd.JUDGE)
    return _without_agenda_points(lost, loser)


def _nobody_won(rule: ScoringRule, game: GameResult) -> bool:
    """Whether both had lost it before: `onr` has no word of its own for that."""
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
    """Whoever loses is last. Where another has nothing as well, the others count one more each."""
    points: Sequence[int] = reported.victory_points or (0,) * seats
    others = [own for seat, own in enumerate(points, start=1) if seat not in losers]
    more = 1 if others and min(others) == 0 else 0
    kept = (0 if seat in losers else own + more for seat, own in enumerate(points, start=1))
    return replace(reported, victory_points=tuple(kept))
