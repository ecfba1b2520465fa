"""Short codes to enter results on a number pad.

A code is a digit for the winners, after a letter for an unusual end: `1` is "the first player won
both games", `c1` the same after a concession. No code is the start of another code, so a code is
complete with its digit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.text import gettext_noop
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role, corp_seat
from matches.scoring.rules import AgendaRule, ScoringRule

FIRST, SECOND, NOBODY = 1, 2, 0
# The number of a game, and the position of a seat.
AgendaPointsKey = tuple[int, int]


@dataclass(frozen=True)
class ResultCode:
    keys: str
    # English, to be translated where they are shown; so are the words of its mark.
    words: str
    # Positions by game, 0 for no winner; games not recorded have none.
    winners: tuple[int, ...] = ()
    flags: frozenset[Flag] = field(default_factory=frozenset)
    # End of the games with a winner, None for the usual end.
    end: GameEnd | None = None
    mark: str = ""


@dataclass(frozen=True)
class CodeMark:
    key: str
    words: str
    end: GameEnd | None = None
    flag: Flag | None = None

    def on(self, code: ResultCode) -> ResultCode:
        flags = code.flags | ({self.flag} if self.flag else set())
        keys = self.key + code.keys
        return replace(code, keys=keys, flags=flags, end=self.end, mark=self.words)

    def fits(self, code: ResultCode) -> bool:
        """Return True if the code can have this mark: an end requires a winner."""
        is_agreed = Flag.INTENTIONAL_DRAW in code.flags
        return any(code.winners) if self.end else not is_agreed


CONCEDED = CodeMark("c", gettext_noop("conceded"), GameEnd.CONCESSION)
NO_SHOW = CodeMark("n", gettext_noop("the opponent did not show up"), GameEnd.NO_SHOW)
TIMED = CodeMark("t", gettext_noop("time was called"), flag=Flag.TIMED)

_AGREED = ResultCode(
    "9", gettext_noop("intentional draw"), flags=frozenset({Flag.INTENTIONAL_DRAW})
)
_ONE_GAME = (
    ResultCode("1", gettext_noop("first player won"), (FIRST,)),
    ResultCode("2", gettext_noop("second player won"), (SECOND,)),
    ResultCode("0", gettext_noop("draw"), (NOBODY,)),
)
_WON_MATCHES = (
    ResultCode("1", gettext_noop("first player won both"), (FIRST, FIRST)),
    ResultCode("2", gettext_noop("second player won both"), (SECOND, SECOND)),
    ResultCode("3", gettext_noop("one each: Corp won both"), (FIRST, SECOND)),
    ResultCode("4", gettext_noop("one each: Runner won both"), (SECOND, FIRST)),
)
_DRAWN_GAMES = (
    ResultCode("5", gettext_noop("first player won game 1, game 2 drawn"), (FIRST, NOBODY)),
    ResultCode("6", gettext_noop("second player won game 1, game 2 drawn"), (SECOND, NOBODY)),
    ResultCode("7", gettext_noop("game 1 drawn, first player won game 2"), (NOBODY, FIRST)),
    ResultCode("8", gettext_noop("game 1 drawn, second player won game 2"), (NOBODY, SECOND)),
    ResultCode("0", gettext_noop("both games drawn"), (NOBODY, NOBODY)),
)
_TIMED_OUT_GAMES = (
    ResultCode(
        "5", gettext_noop("first player won game 1, game 2 ran out of time"), (FIRST, NOBODY)
    ),
    ResultCode(
        "6", gettext_noop("second player won game 1, game 2 ran out of time"), (SECOND, NOBODY)
    ),
    ResultCode(
        "7", gettext_noop("game 1 ran out of time, first player won game 2"), (NOBODY, FIRST)
    ),
    ResultCode(
        "8", gettext_noop("game 1 ran out of time, second player won game 2"), (NOBODY, SECOND)
    ),
    ResultCode("0", gettext_noop("both games ran out of time"), (NOBODY, NOBODY)),
)
_TWO_FOR_ONE = (
    ResultCode(
        "x1",
        gettext_noop("first player won game 1, which counts twice"),
        (FIRST,),
        frozenset({Flag.TWO_FOR_ONE}),
    ),
    ResultCode(
        "x2",
        gettext_noop("second player won game 1, which counts twice"),
        (SECOND,),
        frozenset({Flag.TWO_FOR_ONE}),
    ),
)


def result_codes(rule: ScoringRule) -> tuple[ResultCode, ...]:
    """Return the codes without a mark, the usual first; none for rules with victory points."""
    if isinstance(rule, AgendaRule):
        return (*_WON_MATCHES, *_TIMED_OUT_GAMES)
    if not rule.has_roles:
        return ()
    if rule.games_per_match == 1:
        return (*_ONE_GAME, _AGREED)
    return (*_WON_MATCHES, *_DRAWN_GAMES, _AGREED, *_TWO_FOR_ONE)


def codes_to_offer(codes: Iterable[ResultCode], *, is_cut: bool) -> list[ResultCode]:
    """Return the codes that can be entered: in a cut, those with a winner."""
    return [code for code in codes if any(code.winners) or not is_cut]


def code_marks(rule: ScoringRule) -> tuple[CodeMark, ...]:
    if not rule.has_roles:
        return ()
    timed = (TIMED,) if Flag.TIMED in rule.flags else ()
    return (CONCEDED, *timed, NO_SHOW)


def all_result_codes(rule: ScoringRule) -> dict[str, ResultCode]:
    plain = result_codes(rule)
    marked = [mark.on(code) for mark in code_marks(rule) for code in plain if mark.fits(code)]
    return {code.keys: code for code in (*plain, *marked)}


def usual_codes(rule: ScoringRule) -> list[ResultCode]:
    """Return the codes of games that were played out; a single game may be drawn."""
    most = rule.games_per_match
    return [
        code
        for code in result_codes(rule)
        if not code.flags and len(code.winners) == most and (most == 1 or all(code.winners))
    ]


def outcome_codes(rule: ScoringRule) -> list[ResultCode]:
    """Return the usual codes and an intentional draw, best for the first player first."""
    agreed = [code for code in result_codes(rule) if Flag.INTENTIONAL_DRAW in code.flags]
    usual = usual_codes(rule)
    # A single game has Corp, Runner and draw, in this order.
    if rule.games_per_match > 1:
        usual = sorted(usual, key=lambda code: code.winners.count(SECOND))
    return usual + agreed


def agenda_points_needed(
    rule: ScoringRule, code: ResultCode, corp: int = FIRST
) -> list[AgendaPointsKey]:
    """List game and seat of all agenda points that count and are not implied.

    `corp` is the seat of the Corp in game 1.
    """
    if not isinstance(rule, AgendaRule):
        return []
    return [
        (game.number, position)
        for game in _games(rule, code, corp)
        for position in (FIRST, SECOND)
        if _may_count(rule, game, game.role(position))
    ]


def result_of_code(
    rule: ScoringRule, code: ResultCode, points: Mapping[AgendaPointsKey, int | None] | None = None
) -> MatchResult:
    """Return the result of a code. The first player is Corp in game 1.

    `points` are those of `agenda_points_needed`.
    """
    games = _games(rule, code)
    if isinstance(rule, AgendaRule):
        games = [_with_points(rule, game, points or {}) for game in games]
    return MatchResult(tuple(games), flags=code.flags)


def find_code(rule: ScoringRule, codes: Iterable[ResultCode], result: MatchResult) -> str:
    """Return the keys of the code that gives this result; empty if none does."""
    points = {
        (game.number, game.position(role)): game.agenda_points(role)
        for game in result.games
        for role in Role
    }
    same = (
        code.keys
        for code in codes
        if rule.with_implied_values(result_of_code(rule, code, points)) == result
    )
    return next(same, "")


def _games(rule: ScoringRule, code: ResultCode, first_corp: int = FIRST) -> list[GameResult]:
    games = []
    for number, winner in enumerate(code.winners, start=1):
        corp = corp_seat(number, first_corp)
        role = None if winner == NOBODY else Role.CORP if winner == corp else Role.RUNNER
        end = code.end if role and code.end else rule.usual_end(role)
        games.append(GameResult(number, corp, role, end))
    return games


def _may_count(rule: AgendaRule, game: GameResult, role: Role) -> bool:
    # Nobody has agenda points in a game that was not played.
    is_played = game.end is not GameEnd.NO_SHOW
    return is_played and role is not game.winner and rule.keeps_agenda_points(role)


def _with_points(
    rule: AgendaRule, game: GameResult, points: Mapping[AgendaPointsKey, int | None]
) -> GameResult:
    """Agenda points of a winner are implied, those that do not count are 0."""
    corp, runner = (
        None
        if role is game.winner
        else points.get((game.number, game.position(role)))
        if _may_count(rule, game, role)
        else 0
        for role in (Role.CORP, Role.RUNNER)
    )
    return replace(game, corp_agenda_points=corp, runner_agenda_points=runner)
