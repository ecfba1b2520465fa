"""The last round: its open tables, every way they can end, and what players need."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from typing import TypeAlias

from core.text import Message, gettext_noop, ngettext_lazy
from engine.standings.records import Exact, PlayerId, SeatResult, StandingsRecord
from matches.scoring.imposed_losses import ImposedLoss, apply_losses, decided_games, lost_games
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role, corp_seat
from matches.scoring.rules import (
    AGENDA_POINTS_TO_WIN,
    PLACE_NAMES,
    AgendaRule,
    RankRule,
    ScoringRule,
)

# One way a table can end: the result of each seat, in seat order.
TableEnding: TypeAlias = tuple[SeatResult, ...]

# The ending of each open table, by table number.
TableEndings: TypeAlias = Mapping[int, TableEnding]


@dataclass(frozen=True)
class UndecidedTable:
    number: int
    players: tuple[PlayerId, ...]
    # Verdicts count every ending.
    endings: tuple[TableEnding, ...]
    # Endings that examples prefer, unless empty.
    ordinary: tuple[TableEnding, ...] = ()

    def has_ordinary(self, ending: TableEnding) -> bool:
        return not self.ordinary or ending in self.ordinary


@dataclass(frozen=True)
class LastRound:
    # All players with their confirmed results, None in this round for players at open tables.
    records: tuple[StandingsRecord, ...]
    tables: tuple[UndecidedTable, ...]
    tie_breakers: tuple[str, ...]
    # The best `places` advance.
    places: int
    seed: int = 0
    # Players with results who cannot take a place. Empty without a cut: dropped players stay in
    # the standings, even in first place.
    dropped: frozenset[PlayerId] = frozenset()


class ClinchVerdict(StrEnum):
    """The certain outcome of a player. OPEN also covers cases without a proof."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True)
class ScenarioExample:
    results: TableEndings
    # The player's place with these results. If they leave tables out, the best possible place for
    # a miss, and the worst possible for a success.
    place: int
    is_whole: bool
    # Rivals equal on every tie-breaker before `decided_by`, which then decides.
    level: tuple[PlayerId, ...] = ()
    decided_by: str = ""
    is_ordinary: bool = True


@dataclass(frozen=True)
class ClinchNeed:
    """The certain facts about a player, provided that nobody drops.

    Scores are from the player's own table; None if no result does it, and without an open table.
    """

    player: PlayerId
    verdict: ClinchVerdict
    # The decided place in the standings, unless a dropped player is ahead. With open tables only
    # if nobody has dropped.
    place: int | None = None
    # The lowest score that surely is enough, as is any higher score.
    safe_from: Exact | None = None
    # The lowest score with which the player can still make it.
    possible_from: Exact | None = None
    # Results with which the player misses despite the best unsafe result; ordinary if possible.
    missing: ScenarioExample | None = None
    # Results with which the player makes it, if nothing is safe; ordinary if possible.
    making: ScenarioExample | None = None
    # The lowest score with which ordinary results do it, if nothing is safe.
    ordinary_from: Exact | None = None
    # False if the search gave up: some results may be safe, or out of reach, without being
    # reported.
    is_proven: bool = True


@cache
def endings_of(
    rule: ScoringRule,
    seats: int = 2,
    *,
    unit: int = 1,
    losses: frozenset[ImposedLoss] = frozenset(),
    corp: int = 1,
) -> tuple[TableEnding, ...]:
    """Every distinct ending, without agenda points. A point of the rule has `unit` parts.

    `losses` are those imposed at this table; `corp` is the seat that is Corp in game 1.
    """
    return _distinct_endings(_possible_results(rule, seats, losses, corp), rule, seats, unit)


@cache
def ordinary_endings_of(
    rule: ScoringRule,
    seats: int = 2,
    *,
    unit: int = 1,
    losses: frozenset[ImposedLoss] = frozenset(),
    corp: int = 1,
) -> tuple[TableEnding, ...]:
    # Players plan for games with a winner, not for double losses, draws and two-for-one. In pods
    # every order of places is ordinary.
    if isinstance(rule, RankRule):
        return endings_of(rule, seats, unit=unit, losses=losses)
    lost = lost_games(rule, losses)
    return _distinct_endings(
        (
            result
            for result in _possible_results(rule, seats, losses, corp)
            if not result.flags
            and all(game.winner is not None or game.number in lost for game in result.games)
        ),
        rule,
        seats,
        unit,
    )


def _distinct_endings(
    results: Iterable[MatchResult], rule: ScoringRule, seats: int, unit: int
) -> tuple[TableEnding, ...]:
    endings: dict[TableEnding, None] = {}
    for result in results:
        points = rule.match_points(result)
        endings.setdefault(
            tuple(
                SeatResult(points[seat] * unit, result.games_won(seat))
                for seat in range(1, seats + 1)
            )
        )
    return tuple(endings)


def _possible_results(
    rule: ScoringRule, seats: int, losses: frozenset[ImposedLoss], corp: int
) -> Iterator[MatchResult]:
    if isinstance(rule, RankRule):
        # As many different numbers as seats give every order with every tie.
        for victory_points in product(range(seats), repeat=seats):
            result = MatchResult(victory_points=victory_points)
            yield apply_losses(rule, result, losses, {}, seats)
        return
    corps = {number: corp_seat(number, corp) for number in range(1, rule.games_per_match + 1)}
    decided = {game.number: game for game in decided_games(rule, losses, corps)}
    games = [
        (decided[number],) if number in decided else tuple(_possible_games(rule, number, seat))
        for number, seat in corps.items()
    ]
    for played in product(*games):
        yield MatchResult(games=played)
    if Flag.TWO_FOR_ONE in rule.flags and 2 not in decided:
        for game in games[0]:
            yield MatchResult(games=(game,), flags=frozenset({Flag.TWO_FOR_ONE}))
    if Flag.INTENTIONAL_DRAW in rule.flags:
        draw = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
        yield apply_losses(rule, draw, losses, corps)


def _possible_games(rule: ScoringRule, number: int, corp: int) -> Iterator[GameResult]:
    """Yield every outcome of a game that affects the points."""
    if not isinstance(rule, AgendaRule):
        for winner in (Role.CORP, Role.RUNNER, None):
            yield GameResult(number, corp, winner, GameEnd.NOT_RECORDED)
        yield GameResult(number, corp, None, GameEnd.DOUBLE_LOSS)
        return
    for winner in (Role.CORP, Role.RUNNER, None):
        possible = [
            (AGENDA_POINTS_TO_WIN,)
            if role is winner
            else tuple(range(AGENDA_POINTS_TO_WIN if rule.keeps_agenda_points(role) else 1))
            for role in Role
        ]
        for points in product(*possible):
            yield GameResult(number, corp, winner, rule.usual_end(winner), *points)


def minimum_result(
    rule: ScoringRule, points: Exact, *, is_enough: bool = True, held: Exact | None = None
) -> Message:
    """If `is_enough`, leave out a shared place that brings fewer points.

    `held` are the player's points from the game that a judge decided, if only the other is left.
    """
    if points <= (held or 0):
        return Message(gettext_noop("any result"))
    if held is not None:
        return _minimum_other_game(rule, points - held)
    if isinstance(rule, AgendaRule):
        return _minimum_agenda_result(rule, points)
    if isinstance(rule, RankRule):
        return _minimum_rank(rule, points, is_enough=is_enough)
    return Message(_minimum_wins(rule, points))


def _minimum_rank(rule: RankRule, points: Exact, *, is_enough: bool) -> Message:
    enough = (place for place, worth in enumerate(rule.rank_points) if worth >= points)
    place = max(enough, default=0)
    # Players who share a place split its points and those of the next places.
    worths = rule.rank_points[place:]
    sharing = [
        count for count in range(1, len(worths) + 1) if sum(worths[:count]) >= count * points
    ]
    if not is_enough or len(sharing) == len(worths):
        text = gettext_noop("come %(place)s or better") if place else gettext_noop("come %(place)s")
    elif len(sharing) == 1:
        text = (
            gettext_noop("come %(place)s outright or better")
            if place
            else gettext_noop("come %(place)s outright")
        )
    else:
        text = (
            gettext_noop("come %(place)s (shared by at most %(players)s) or better")
            if place
            else gettext_noop("come %(place)s (shared by at most %(players)s)")
        )
    return Message(text, {"place": Message(PLACE_NAMES[place]), "players": len(sharing)})


def _minimum_wins(rule: ScoringRule, points: Exact) -> str:
    if rule.games_per_match == 1:
        return gettext_noop("win") if points > 1 else gettext_noop("draw or win")
    if points > 4:
        return gettext_noop("win both games")
    if points > 3:
        return gettext_noop("win one game and draw the other")
    if points > 2:
        return gettext_noop("win a game")
    if points > 1:
        return gettext_noop("draw both games, or win one")
    return gettext_noop("draw or win a game")


def _minimum_other_game(rule: ScoringRule, points: Exact) -> Message:
    if isinstance(rule, AgendaRule):
        if points >= AGENDA_POINTS_TO_WIN:
            return Message(gettext_noop("win the other game"))
        text = gettext_noop("win the other game, or score %(least)s in it")
        return Message(text, {"least": _agenda_points(points)})
    if points > 1:
        return Message(gettext_noop("win the other game"))
    return Message(gettext_noop("draw or win the other game"))


def _minimum_agenda_result(rule: AgendaRule, points: Exact) -> Message:
    most = AGENDA_POINTS_TO_WIN - 1
    either = rule.keeps_agenda_points(Role.CORP)
    if points > 10 + most:
        return Message(gettext_noop("win both games"))
    if points > 10:
        values = {"least": _agenda_points(points - 10), "all": _agenda_points(points)}
        if not either:
            text = gettext_noop("win both games, or win as Corp and score %(least)s as Runner")
        elif points <= 2 * most:
            text = gettext_noop(
                "win both games, or win one and score %(least)s in the other, or %(all)s in total"
            )
        else:
            text = gettext_noop("win both games, or win one and score %(least)s in the other")
        return Message(text, values)
    if points > most and not either:
        return Message(gettext_noop("win a game"))
    text = (
        gettext_noop("win a game, or score %(least)s")
        if either
        else gettext_noop("win a game, or score %(least)s as Runner")
    )
    return Message(text, {"least": _agenda_points(points)})


def _agenda_points(points: Exact) -> Message:
    return ngettext_lazy(
        "at least %(number)s agenda point", "at least %(number)s agenda points", number=points
    )
