"""The scoring rules: points, and contradictions in a reported match (docs/reference/rules.md)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm

from core.errors import Refusal
from core.numbers import mixed_number
from core.text import Message, gettext_noop, ngettext_lazy
from matches.scoring.results import (
    FACTIONS,
    FactionFacts,
    Flag,
    GameEnd,
    GameResult,
    LoserRule,
    MatchResult,
    Points,
    PointShare,
    Role,
    exact,
    faction_clashes,
    total_points,
)

AGENDA_POINTS_TO_WIN = 7
MAX_AGENDA_POINTS = 99

# Codes of the contradictions in a game, with their texts and the values of these besides `game`.
Faults = Iterator[tuple[str, str, Mapping[str, object]]]

_ONLY_WINNER: Mapping[GameEnd, tuple[Role, str]] = {
    GameEnd.FLATLINE: (
        Role.CORP,
        gettext_noop(
            'Game %(game)s: "%(end)s" cannot be won by the Runner: a flatlined Runner loses. Make '
            "the Corp the winner, or choose another end."
        ),
    ),
    GameEnd.DECKED: (
        Role.RUNNER,
        gettext_noop(
            'Game %(game)s: "%(end)s" cannot be won by the Corp: a Corp that must draw from an '
            "empty R&D loses. Make the Runner the winner, or choose another end."
        ),
    ),
    GameEnd.BAD_PUBLICITY: (
        Role.RUNNER,
        gettext_noop(
            'Game %(game)s: "%(end)s" cannot be won by the Corp: a Corp with too much bad '
            "publicity loses. Make the Runner the winner, or choose another end."
        ),
    ),
}
_ONR_DRAWABLE = frozenset({GameEnd.TIME, GameEnd.JUDGE})


@dataclass(frozen=True)
class Contradiction:
    code: str
    message: Message
    # None for the match as a whole.
    game: int | None = None


def _game_contradictions(
    game: GameResult, *checks: Callable[[GameResult], Faults]
) -> Iterator[Contradiction]:
    for check in checks:
        for code, text, values in check(game):
            message = Message(text, {"game": game.number, **values})
            yield Contradiction(code, message, game.number)


def onr_contradictions(game: GameResult) -> Iterator[Contradiction]:
    return _game_contradictions(
        game,
        _corp_seat_faults,
        _unknown_points_faults,
        _points_range_faults,
        _onr_winner_faults,
        _wrong_winner_faults,
        _agenda_win_faults,
        _unrewarded_points_faults,
    )


def _two_games_contradictions(games: Sequence[GameResult]) -> Iterator[Contradiction]:
    """Yield contradictions between two games; those within a game are not repeated."""
    numbers = sorted(game.number for game in games)
    if numbers != [1, 2]:
        text = gettext_noop(
            "A match is game 1 and game 2, but you entered: %(numbers)s. Enter each game once."
        )
        if not numbers:
            text = gettext_noop("A match is game 1 and game 2. Enter each game once.")
        yield Contradiction("games", Message(text, {"numbers": ", ".join(map(str, numbers))}))
    elif games[0].corp == games[1].corp:
        text = gettext_noop(
            "Seat %(seat)s is Corp in both games, but roles swap after game 1. Change the Corp of "
            "one game."
        )
        yield Contradiction("roles", Message(text, {"seat": games[0].corp}))


def _corp_seat_faults(game: GameResult) -> Faults:
    if game.corp not in (1, 2):
        yield (
            "seat",
            gettext_noop("Game %(game)s: seat %(seat)s cannot be Corp; choose seat 1 or seat 2."),
            {"seat": game.corp},
        )


def _unknown_points_faults(game: GameResult) -> Faults:
    for role in Role:
        if game.agenda_points(role) is None:
            yield (
                "agenda_points_missing",
                gettext_noop("Game %(game)s: the agenda points of the %(role)s are missing."),
                {"role": Message(role.label)},
            )


def _points_range_faults(game: GameResult) -> Faults:
    for role in Role:
        points = game.agenda_points(role)
        if points is not None and not 0 <= points <= MAX_AGENDA_POINTS:
            yield (
                "agenda_points_range",
                gettext_noop(
                    "Game %(game)s: %(points)s agenda points for the %(role)s; enter a number from "
                    "0 to %(most)s."
                ),
                {"points": points, "role": Message(role.label), "most": MAX_AGENDA_POINTS},
            )


def _wrong_winner_faults(game: GameResult) -> Faults:
    only, text = _ONLY_WINNER.get(game.end, (game.winner, ""))
    if game.winner not in (None, only):
        yield "wrong_winner", text, {"end": Message(game.end.label)}


_END_WITHOUT_WINNER = gettext_noop(
    'Game %(game)s: "%(end)s" has no winner, but the %(role)s is named. Remove the winner, or '
    "choose how the game was won."
)


def _onr_winner_faults(game: GameResult) -> Faults:
    if game.winner is None and game.end not in _ONR_DRAWABLE:
        yield (
            "no_winner",
            gettext_noop(
                'Game %(game)s: "%(end)s" needs a winner. Choose the winner, or choose "%(time)s" '
                "if nobody won."
            ),
            {"end": Message(game.end.label), "time": Message(GameEnd.TIME.label)},
        )
    # A timed-out game gives no points for a win.
    if game.winner is not None and game.end is GameEnd.TIME:
        yield (
            "winner_on_time",
            _END_WITHOUT_WINNER,
            {"end": Message(game.end.label), "role": Message(game.winner.label)},
        )


def _agenda_win_faults(game: GameResult) -> Faults:
    if game.end is not GameEnd.AGENDA or game.winner is None:
        return
    points = game.agenda_points(game.winner)
    if points is not None and points < AGENDA_POINTS_TO_WIN:
        yield (
            "too_few_agenda_points",
            gettext_noop(
                "Game %(game)s: the %(role)s won by agenda points with %(points)s, but "
                "%(needed)s are needed. Correct the points, or choose another end."
            ),
            {
                "role": Message(game.winner.label),
                "points": points,
                "needed": AGENDA_POINTS_TO_WIN,
            },
        )


def _unrewarded_points_faults(game: GameResult) -> Faults:
    # Only a judge can deny the win to a player who has reached the goal.
    if game.end is GameEnd.JUDGE:
        return
    for role in Role:
        points = game.agenda_points(role) or 0
        if role is not game.winner and points >= AGENDA_POINTS_TO_WIN:
            yield (
                "unrewarded_agenda_points",
                gettext_noop(
                    "Game %(game)s: the %(role)s has %(points)s agenda points but did not win, and "
                    "%(needed)s win the game. Correct the points or the winner."
                ),
                {"role": Message(role.label), "points": points, "needed": AGENDA_POINTS_TO_WIN},
            )


@dataclass(frozen=True)
class MissingInput:
    """A missing input: the winner of `game`, or the number of a `seat`, in `game` if given."""

    message: Message
    game: int | None = None
    seat: int | None = None


def winner_missing(game: int, nobody: str) -> MissingInput:
    """`nobody` is the label of the choice without a winner."""
    text = gettext_noop("Game %(game)s: choose who won, or %(nobody)s.")
    return MissingInput(Message(text, {"game": game, "nobody": Message(nobody)}), game)


def agenda_points_missing(game: int, seat: int, name: str) -> MissingInput:
    text = gettext_noop("Game %(game)s: enter the agenda points of %(name)s; 0 if there were none.")
    return MissingInput(Message(text, {"game": game, "name": name}), game, seat)


def total_missing(seat: int, name: str) -> MissingInput:
    text = gettext_noop("Enter the match points of %(name)s too.")
    return MissingInput(Message(text, {"name": name}), seat=seat)


def victory_points_missing(seat: int, name: str) -> MissingInput:
    text = gettext_noop("Enter the victory points of %(name)s; 0 if there were none.")
    return MissingInput(Message(text, {"name": name}), seat=seat)


# `anr`: 3 points for a win, 1 for a draw, 0 for a loss.
WIN_POINTS = 3
DRAW_POINTS = 1
# Highest match points that can be typed as a total.
MAX_TOTAL = 99
_POINTS_OF_ONE_GAME = ((WIN_POINTS, 0), (DRAW_POINTS, DRAW_POINTS), (0, WIN_POINTS))
_ANR_DRAWABLE = frozenset({GameEnd.TIME, GameEnd.JUDGE, GameEnd.NOT_RECORDED, GameEnd.DOUBLE_LOSS})


def _game_share(game: GameResult, position: int, *, counts_twice: bool) -> PointShare:
    role = game.role(position)
    if game.end is GameEnd.DOUBLE_LOSS:
        points = 0
        texts = (
            gettext_noop("%(points)s for a double loss"),
            gettext_noop("2 x %(points)s for a double loss, counted twice"),
        )
    elif game.winner is None:
        points = DRAW_POINTS
        texts = (
            gettext_noop("%(points)s for a draw"),
            gettext_noop("2 x %(points)s for a draw, counted twice"),
        )
    elif role is game.winner:
        points = WIN_POINTS
        texts = (
            gettext_noop("%(points)s for a win as %(side)s"),
            gettext_noop("2 x %(points)s for a win as %(side)s, counted twice"),
        )
    else:
        points = 0
        texts = (
            gettext_noop("%(points)s for a loss as %(side)s"),
            gettext_noop("2 x %(points)s for a loss as %(side)s, counted twice"),
        )
    reason = Message(texts[counts_twice], {"points": points, "side": Message(role.label)})
    return PointShare(2 * points if counts_twice else points, reason, game.number)


def _anr_winner_faults(game: GameResult) -> Faults:
    if game.winner is None and game.end not in _ANR_DRAWABLE:
        yield (
            "no_winner",
            gettext_noop(
                'Game %(game)s: "%(end)s" needs a winner. Choose the winner, or choose '
                '"%(double_loss)s" if neither player was there.'
            ),
            {
                "end": Message(game.end.label),
                "double_loss": Message(GameEnd.DOUBLE_LOSS.label),
            },
        )
    if game.winner is not None and game.end is GameEnd.DOUBLE_LOSS:
        yield (
            "winner_of_double_loss",
            _END_WITHOUT_WINNER,
            {"end": Message(game.end.label), "role": Message(game.winner.label)},
        )


def _flag_contradictions(result: MatchResult) -> Iterator[Contradiction]:
    if not result.is_intentional_draw:
        return
    for flag in sorted(result.flags - {Flag.INTENTIONAL_DRAW}):
        text = gettext_noop('An intentional draw is not played, so "%(flag)s" does not fit.')
        yield Contradiction("flags", Message(text, {"flag": Message(flag.label)}))
    for game in result.games:
        if game.winner is not None:
            text = gettext_noop(
                "Game %(game)s: the %(role)s won, but the match is an intentional draw. Remove the "
                "winner or the intentional draw."
            )
            values = {"game": game.number, "role": Message(game.winner.label)}
            yield Contradiction("intentional_draw_with_winner", Message(text, values), game.number)


def _one_game_contradictions(result: MatchResult) -> Iterator[Contradiction]:
    numbers = sorted(game.number for game in result.games)
    if numbers == [1]:
        return
    if result.is_two_for_one:
        text = gettext_noop(
            "With two for one, only game 1 is played, but you entered: %(numbers)s. Enter "
            "only game 1."
        )
        if not numbers:
            text = gettext_noop("With two for one, enter game 1.")
    else:
        text = gettext_noop("A match is one game, but you entered: %(numbers)s. Enter only game 1.")
        if not numbers:
            text = gettext_noop("Enter game 1.")
    yield Contradiction("games", Message(text, {"numbers": ", ".join(map(str, numbers))}))


def _total_contradictions(result: MatchResult, games_per_match: int) -> Iterator[Contradiction]:
    if result.games:
        yield Contradiction(
            "totals_and_games",
            Message(gettext_noop("You entered both games and totals. Remove one of them.")),
        )
    possible = _possible_totals(result, games_per_match)
    if result.totals not in possible:
        known = ", ".join(f"{first}:{second}" for first, second in possible)
        text = gettext_noop(
            "%(totals)s is not a possible score. Possible scores: %(possible)s. Correct the "
            "totals, or enter the games."
        )
        values = {"totals": ":".join(map(str, result.totals)), "possible": known}
        yield Contradiction("totals", Message(text, values))


def _possible_totals(result: MatchResult, games_per_match: int) -> list[tuple[int, int]]:
    """Return the totals of decided games with these flags, best for seat 1 first."""
    if result.is_two_for_one:
        totals = {(2 * first, 2 * second) for first, second in _POINTS_OF_ONE_GAME}
    else:
        matches = product(_POINTS_OF_ONE_GAME, repeat=games_per_match)
        totals = {
            (sum(first for first, _ in games), sum(second for _, second in games))
            for games in matches
        }
    return sorted(
        (
            (first, second)
            for first, second in totals
            if first == second or not result.is_intentional_draw
        ),
        key=lambda total: (total[1] - total[0], total),
    )


# `free_radicals`: places by victory points.
RANK_POINTS = (5, 3, 2, 1, 0)
MIN_SEATS, MAX_SEATS = 2, 5
MAX_VICTORY_POINTS = 999
MAX_RANK_POINTS = 99
PLACE_NAMES = (
    gettext_noop("first"),
    gettext_noop("second"),
    gettext_noop("third"),
    gettext_noop("fourth"),
    gettext_noop("fifth"),
)


def ranks(victory_points: Sequence[int]) -> list[int]:
    """Place of each seat, 1 for the best; the places after a tie are skipped."""
    return [1 + sum(other > own for other in victory_points) for own in victory_points]


def rank_rule_name(rank_points: Sequence[int]) -> Message:
    points = ", ".join(map(str, rank_points))
    return Message(gettext_noop("Points by place: %(points)s"), {"points": points})


def rank_rule_explanation(rank_points: Sequence[int]) -> Message:
    return Message(
        gettext_noop(
            "Each table plays one game, and victory points determine the places. Points by place, "
            "from first to last: %(points)s. A smaller table uses the start of the list. Players "
            "with equal victory points share the sum of their places' points, in fractions if "
            "necessary. Two factions of the same colour never play at the same table."
        ),
        {"points": ", ".join(map(str, rank_points))},
    )


AGENDA_WIN_POINTS = 10


class UnknownScoringRule(Refusal):
    pass


@dataclass(frozen=True, kw_only=True)
class ScoringRule(ABC):
    """A rule that converts a result to points.

    The rule does not name its games; the games name their rules.
    """

    # Stored; its meaning never changes.
    id: str
    name: Message
    explanation: Message
    games_per_match: int
    bye_points: int
    min_seats: int = 2
    max_seats: int = 2
    # Played as Corp and Runner.
    has_roles: bool = True
    takes_totals: bool = False
    # Points are multiples of 1 / `point_unit`.
    point_unit: int = 1
    # Label for no winner.
    nobody: str = gettext_noop("Nobody")
    # Possible ends and flags, the usual first.
    ends: tuple[GameEnd, ...] = ()
    flags: tuple[Flag, ...] = ()

    @abstractmethod
    def shares(self, result: MatchResult) -> Mapping[int, tuple[PointShare, ...]]:
        """Points of each seat in parts with reasons, by position."""

    @abstractmethod
    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, FactionFacts] = FACTIONS
    ) -> Iterator[Contradiction]:
        """Yield contradictions in a reported match of `seats` players."""

    @property
    def sides_change(self) -> bool:
        """True if the players change sides after game 1 of a match."""
        return self.has_roles and not self.has_one_game

    @property
    def has_one_game(self) -> bool:
        return self.has_roles and self.games_per_match == 1

    def usual_end(self, winner: Role | None) -> GameEnd:
        """Assumed end of a game without a recorded end."""
        return GameEnd.NOT_RECORDED

    def missing_inputs(
        self, result: MatchResult, names: Mapping[int, str]
    ) -> Iterator[MissingInput]:
        """`names` are the players by position."""
        yield from ()

    def with_implied_values(self, result: MatchResult) -> MatchResult:
        """Fill in the values implied by the rule, in a report without `missing_inputs` input."""
        return result

    def match_points(self, result: MatchResult) -> dict[int, Points]:
        """Exact points by position; whole numbers are ints."""
        return {position: total_points(parts) for position, parts in self.shares(result).items()}

    def _foreign_contradictions(self, result: MatchResult) -> Iterator[Contradiction]:
        """Yield contradictions for parts of the result that this rule does not have."""
        for flag in sorted(result.flags - set(self.flags)):
            text = gettext_noop('This game has no "%(flag)s". Remove it.')
            yield Contradiction("flag", Message(text, {"flag": Message(flag.label)}))
        for game in result.games:
            if self.ends and game.end not in self.ends:
                text = gettext_noop('Game %(game)s cannot end with "%(end)s". Choose how it ended.')
                values = {"game": game.number, "end": Message(game.end.label)}
                yield Contradiction("end", Message(text, values), game.number)
        if result.totals and not self.takes_totals:
            text = gettext_noop("Totals alone are not enough here. Enter each game.")
            yield Contradiction("totals", Message(text))
        if self.has_roles and (result.victory_points or result.factions):
            text = gettext_noop("This game has no victory points and factions. Remove them.")
            yield Contradiction("victory_points", Message(text))
        if result.games and not self.has_roles:
            text = gettext_noop("This game has no Corp and Runner. Remove the games.")
            yield Contradiction("games", Message(text))


@dataclass(frozen=True, kw_only=True)
class AgendaRule(ScoringRule):
    """`onr`: 10 points for a win, agenda points for the loser."""

    loser_rule: LoserRule

    def usual_end(self, winner: Role | None) -> GameEnd:
        return GameEnd.AGENDA if winner else GameEnd.TIME

    def missing_inputs(
        self, result: MatchResult, names: Mapping[int, str]
    ) -> Iterator[MissingInput]:
        games = {game.number: game for game in result.games}
        for number in range(1, self.games_per_match + 1):
            game = games.get(number)
            if game is None:
                yield winner_missing(number, self.nobody)
            elif game.end is not GameEnd.NO_SHOW:
                for position, name in sorted(names.items()):
                    role = game.role(position)
                    if role is not game.winner and game.agenda_points(role) is None:
                        yield agenda_points_missing(number, position, name)

    def with_implied_values(self, result: MatchResult) -> MatchResult:
        """Default agenda points: 7 for a win by agendas, otherwise 0."""
        games = []
        for game in result.games:
            points = {role: game.agenda_points(role) for role in Role}
            for role in Role:
                if points[role] is None:
                    by_agendas = role is game.winner and game.end is GameEnd.AGENDA
                    points[role] = AGENDA_POINTS_TO_WIN if by_agendas else 0
            corp, runner = points[Role.CORP], points[Role.RUNNER]
            games.append(replace(game, corp_agenda_points=corp, runner_agenda_points=runner))
        return replace(result, games=tuple(games))

    def shares(self, result: MatchResult) -> dict[int, tuple[PointShare, ...]]:
        by_seat: dict[int, tuple[PointShare, ...]] = {1: (), 2: ()}
        for game in result.games:
            for role in Role:
                by_seat[game.position(role)] += (self._share(game, role),)
        return by_seat

    def keeps_agenda_points(self, role: Role) -> bool:
        """Return True if a player in this role scores agenda points without a win."""
        return role is Role.RUNNER or self.loser_rule is LoserRule.EITHER_SIDE

    def _share(self, game: GameResult, role: Role) -> PointShare:
        if role is game.winner:
            won = Message(
                gettext_noop("%(points)s for the game won"), {"points": AGENDA_WIN_POINTS}
            )
            return PointShare(AGENDA_WIN_POINTS, won, game.number)
        points = game.agenda_points(role) or 0
        has_winner = game.winner is not None
        if role is Role.RUNNER and has_winner:
            reason = ngettext_lazy(
                "%(number)s agenda point stolen as Runner",
                "%(number)s agenda points stolen as Runner",
                number=points,
            )
        elif role is Role.RUNNER:
            reason = ngettext_lazy(
                "%(number)s agenda point stolen as Runner, no winner",
                "%(number)s agenda points stolen as Runner, no winner",
                number=points,
            )
        elif not self.keeps_agenda_points(role):
            reason = ngettext_lazy(
                "0 as Corp without a win: %(number)s agenda point not kept",
                "0 as Corp without a win: %(number)s agenda points not kept",
                number=points,
            )
            return PointShare(0, reason, game.number)
        elif has_winner:
            reason = ngettext_lazy(
                "%(number)s agenda point scored as Corp",
                "%(number)s agenda points scored as Corp",
                number=points,
            )
        else:
            reason = ngettext_lazy(
                "%(number)s agenda point scored as Corp, no winner",
                "%(number)s agenda points scored as Corp, no winner",
                number=points,
            )
        return PointShare(points, reason, game.number)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, FactionFacts] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign_contradictions(result)
        for game in result.games:
            yield from onr_contradictions(game)
        yield from _two_games_contradictions(result.games)


@dataclass(frozen=True, kw_only=True)
class WinDrawLossRule(ScoringRule):
    """`anr`: 3 points for a win, 1 for a draw."""

    nobody: str = "Draw"

    def missing_inputs(
        self, result: MatchResult, names: Mapping[int, str]
    ) -> Iterator[MissingInput]:
        if result.totals or result.is_intentional_draw:
            return
        known = {game.number for game in result.games}
        played = 1 if result.is_two_for_one else self.games_per_match
        for number in range(1, played + 1):
            if number not in known:
                yield winner_missing(number, self.nobody)

    def shares(self, result: MatchResult) -> dict[int, tuple[PointShare, ...]]:
        """Take the points from typed totals, else games, else an intentional draw."""
        if result.totals:
            return {
                position: (
                    PointShare(
                        points,
                        Message(gettext_noop("%(points)s entered as a total"), {"points": points}),
                    ),
                )
                for position, points in enumerate(result.totals, start=1)
            }
        if result.games or not result.is_intentional_draw:
            return {
                position: tuple(
                    _game_share(game, position, counts_twice=result.is_two_for_one)
                    for game in result.games
                )
                for position in (1, 2)
            }
        drawn = self.games_per_match * DRAW_POINTS
        reason = Message(gettext_noop("%(points)s for an intentional draw"), {"points": drawn})
        return dict.fromkeys((1, 2), (PointShare(drawn, reason),))

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, FactionFacts] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign_contradictions(result)
        for game in result.games:
            yield from _game_contradictions(
                game,
                _corp_seat_faults,
                _points_range_faults,
                _wrong_winner_faults,
                _anr_winner_faults,
            )
        yield from _flag_contradictions(result)
        if result.totals:
            yield from _total_contradictions(result, self.games_per_match)
        elif result.is_two_for_one:
            yield from _one_game_contradictions(result)
        elif result.is_intentional_draw and not result.games:
            return
        elif self.games_per_match == 1:
            yield from _one_game_contradictions(result)
        else:
            yield from _two_games_contradictions(result.games)


@dataclass(frozen=True, kw_only=True)
class RankRule(ScoringRule):
    """`free_radicals`: points by place, and places by victory points."""

    # A smaller pod uses the start of the list.
    rank_points: tuple[int, ...] = RANK_POINTS

    def shares(self, result: MatchResult) -> dict[int, tuple[PointShare, ...]]:
        places = ranks(result.victory_points)
        return {
            position: (self._place_share(place, places.count(place)),)
            for position, place in enumerate(places, start=1)
        }

    def _place_share(self, place: int, sharing: int) -> PointShare:
        shared = self.rank_points[place - 1 : place - 1 + sharing]
        points = exact(Fraction(sum(shared), sharing))
        text = (
            gettext_noop("%(points)s for place %(place)s, shared by %(players)s: %(sum)s")
            if sharing > 1
            else gettext_noop("%(points)s for place %(place)s")
        )
        values = {
            "points": mixed_number(points),
            "place": place,
            "players": sharing,
            "sum": f"({' + '.join(map(str, shared))}) / {sharing}",
        }
        return PointShare(points, Message(text, values), 1)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, FactionFacts] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign_contradictions(result)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            message = ngettext_lazy(
                "%(number)s player at a table. A table seats %(least)s to %(most)s.",
                "%(number)s players at a table. A table seats %(least)s to %(most)s.",
                number=seats,
                least=MIN_SEATS,
                most=MAX_SEATS,
            )
            yield Contradiction("seats", message)
        if len(result.victory_points) != seats:
            message = ngettext_lazy(
                "Victory points for %(number)s player, but the table has %(seats)s. Enter "
                "them for each player.",
                "Victory points for %(number)s players, but the table has %(seats)s. Enter "
                "them for each player.",
                number=len(result.victory_points),
                seats=seats,
            )
            yield Contradiction("victory_points_missing", message)
        if len(result.factions) not in (0, seats):
            message = ngettext_lazy(
                "%(number)s faction, but the table has %(seats)s players. Enter one for each "
                "player.",
                "%(number)s factions, but the table has %(seats)s players. Enter one for "
                "each player.",
                number=len(result.factions),
                seats=seats,
            )
            yield Contradiction("factions", message)
        for position, points in enumerate(result.victory_points, start=1):
            if not 0 <= points <= MAX_VICTORY_POINTS:
                text = gettext_noop(
                    "Seat %(seat)s: %(points)s victory points; enter a number from 0 to %(most)s."
                )
                range_values = {"seat": position, "points": points, "most": MAX_VICTORY_POINTS}
                yield Contradiction("victory_points_range", Message(text, range_values))
        for code, message in faction_clashes(result.factions, factions):
            yield Contradiction(code, message)

    def with_rank_points(self, rank_points: tuple[int, ...]) -> "RankRule":
        """Return the rule with other points by place. Raises UnknownScoringRule if invalid."""
        ordered = sorted(rank_points, reverse=True) == list(rank_points)
        if len(rank_points) != self.max_seats or not ordered:
            raise UnknownScoringRule(
                f"Points by place are {self.max_seats} numbers, the first place's first and none "
                f"larger than the one before; given {list(rank_points)}."
            )
        if not all(0 <= number <= MAX_RANK_POINTS for number in rank_points):
            raise UnknownScoringRule(f"Points of a place are from 0 to {MAX_RANK_POINTS}.")
        points = "-".join(map(str, rank_points))
        return replace(
            self,
            id=f"{self.id}:{points}",
            name=rank_rule_name(rank_points),
            explanation=rank_rule_explanation(rank_points),
            rank_points=rank_points,
            bye_points=rank_points[0],
        )


_ONR_ENDS = (
    GameEnd.AGENDA,
    GameEnd.FLATLINE,
    GameEnd.DECKED,
    GameEnd.BAD_PUBLICITY,
    GameEnd.CONCESSION,
    GameEnd.TIME,
    GameEnd.NO_SHOW,
    GameEnd.JUDGE,
)
_ANR_ENDS = (
    GameEnd.NOT_RECORDED,
    *(end for end in _ONR_ENDS if end is not GameEnd.BAD_PUBLICITY),
    GameEnd.DOUBLE_LOSS,
)

_RULES = (
    AgendaRule(
        id="onr_runner_only",
        games_per_match=2,
        bye_points=20,
        ends=_ONR_ENDS,
        name=Message(gettext_noop("10 for a win, a losing Runner keeps the agenda points")),
        explanation=Message(
            gettext_noop(
                "Each match is two games, and the players swap roles after the first. The "
                "winner of a game gets 10 points. A Runner who loses gets 1 point for each "
                "agenda point stolen; a Corp that loses gets none. When nobody wins, nobody "
                "gets the 10 points: the Runner keeps the agenda points, and the Corp does "
                "not. This is the reference manual's rule."
            )
        ),
        loser_rule=LoserRule.RUNNER_ONLY,
    ),
    AgendaRule(
        id="onr_either_side",
        games_per_match=2,
        bye_points=20,
        ends=_ONR_ENDS,
        name=Message(gettext_noop("10 for a win, either loser keeps the agenda points")),
        explanation=Message(
            gettext_noop(
                "Each match is two games, and the players swap roles after the first. The "
                "winner of a game gets 10 points. The loser gets 1 point for each agenda "
                "point, as Corp or as Runner. When nobody wins, nobody gets the 10 points, "
                "and both keep their agenda points. This is the rule of the 1996 rulebook."
            )
        ),
        loser_rule=LoserRule.EITHER_SIDE,
    ),
    WinDrawLossRule(
        id="anr_double",
        games_per_match=2,
        bye_points=6,
        takes_totals=True,
        ends=_ANR_ENDS,
        flags=(Flag.INTENTIONAL_DRAW, Flag.TWO_FOR_ONE, Flag.TIMED),
        name=Message(gettext_noop("3 for a win, 1 for a draw, two games a match")),
        explanation=Message(
            gettext_noop(
                "Each match is two games, and the players swap roles after the first. A win "
                "is worth 3 points, a draw 1 point for each player, a loss 0. An intentional "
                "draw is two drawn games. With two for one, game 1 counts twice and game 2 is "
                "not played. If the games are not known, you can enter the totals."
            )
        ),
    ),
    WinDrawLossRule(
        id="anr_single",
        games_per_match=1,
        bye_points=3,
        takes_totals=True,
        ends=_ANR_ENDS,
        flags=(Flag.INTENTIONAL_DRAW, Flag.TIMED),
        name=Message(gettext_noop("3 for a win, 1 for a draw, one game a match")),
        explanation=Message(
            gettext_noop(
                "Each match is one game. A win is worth 3 points, a draw 1 point for each "
                "player, a loss 0. An intentional draw counts as a draw. If the game is not "
                "known, you can enter the totals."
            )
        ),
    ),
    RankRule(
        id="free_radicals",
        games_per_match=1,
        bye_points=RANK_POINTS[0],
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        has_roles=False,
        flags=(Flag.TIMED, Flag.CONCEDED),
        # A place is shared by up to five players.
        point_unit=lcm(*range(1, MAX_SEATS + 1)),
        name=rank_rule_name(RANK_POINTS),
        explanation=rank_rule_explanation(RANK_POINTS),
    ),
)

SCORING_RULES: dict[str, ScoringRule] = {rule.id: rule for rule in _RULES}


def scoring_rule(id_: str) -> ScoringRule:
    """Return the rule with this id; `free_radicals:6-4-2-1-0` has custom points by place.

    Raises UnknownScoringRule.
    """
    stem, _, points = id_.partition(":")
    rule = SCORING_RULES.get(stem)
    if rule is None or (points and not isinstance(rule, RankRule)):
        known = ", ".join(SCORING_RULES)
        raise UnknownScoringRule(f'There is no scoring rule "{id_}". Known are {known}.')
    if not points or not isinstance(rule, RankRule):
        return rule
    numbers = points.split("-")
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        raise UnknownScoringRule(f'Points by place are whole numbers, not "{points}".')
    return rule.with_rank_points(tuple(map(int, numbers)))


def scoring_rules_of(ids: Iterable[str]) -> tuple[ScoringRule, ...]:
    return tuple(map(scoring_rule, ids))
