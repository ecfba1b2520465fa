"""Data of the bracket drawing, the bracket table, and a single table of a cut."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

from django.utils.text import slugify

from engine.bracket import IMPORTED, Bracket, Game, GameState, LoserOf, Source, StillIn, WinnerOf
from engine.bracket.layout import Box, Connector, layout
from engine.bracket.round_names import round_name
from engine.bracket.words import source_in_words
from engine.standings import PlayerId
from matches.scoring import Points, Role, scoring_rule
from players.models import Player
from tournaments.event import queries
from tournaments.models import Pairing, Registration, Round, Stage
from tournaments.models.round_names import bracket_round_title, match_kind
from tournaments.rounds import elimination
from tournaments.rounds.elimination import Cut, is_undecided

# Pixels. The drawing is never scaled down, so that names stay readable on a phone.
BOX_WIDTH, BOX_HEIGHT = 216, 60
COLUMN, ROW = 256, 92
HEAD, MARGIN = 58, 4


@dataclass(frozen=True)
class BracketSeat:
    """A side of a game: a player, or in `words` where the player will come from.

    `points` are set once settled; before that, the `role` in the first game if it is known, or
    `chooses` if the player chooses it.
    """

    words: str
    name: str = ""
    pronouns: str = ""
    number: int | None = None
    seed: int | None = None
    points: Points | None = None
    has_won: bool = False
    has_lost: bool = False
    is_me: bool = False
    role: Role | None = None
    chooses: bool = False


@dataclass(frozen=True)
class BracketLine:
    """A game with its position in the drawing.

    `state` is waiting, ready, playing, level, over or skipped. `leads_to` explains the next games
    of winner and loser. `round` is "Semifinals" where `title` is "Semifinal".
    """

    number: int
    round: str
    title: str
    seats: tuple[BracketSeat, BracketSeat]
    state: str
    leads_to: tuple[str, ...]
    pairing: Pairing | None
    x: int
    y: int

    @property
    def middle(self) -> int:
        """Top edge of the second seat, in pixels from the top of the drawing."""
        return self.y + BOX_HEIGHT // 2


class _Side(TypedDict, total=False):
    """A seat's side before its match is over."""

    role: Role | None
    chooses: bool


@dataclass(frozen=True)
class HeadingText:
    text: str
    x: int
    y: int


@dataclass(frozen=True)
class BracketRound:
    """The games of a round in order; `key` is its name in a URL."""

    key: str
    name: str
    games: tuple[BracketLine, ...]

    @property
    def is_now(self) -> bool:
        """Return True if a game is being played or needs a decision by the staff."""
        return any(game.state in ("playing", "level") for game in self.games)

    @property
    def is_over(self) -> bool:
        return all(game.state in ("over", "skipped") for game in self.games)


@dataclass(frozen=True)
class BracketDrawing:
    """A whole bracket; `lines` are SVG paths from each game to the winner's next game."""

    width: int
    height: int
    games: tuple[BracketLine, ...]
    lines: tuple[str, ...]
    headings: tuple[HeadingText, ...]

    @property
    def rounds(self) -> tuple[BracketRound, ...]:
        """The games by round, in the order in which the rounds begin."""
        found: dict[str, list[BracketLine]] = {}
        for game in self.games:
            found.setdefault(game.round, []).append(game)
        return tuple(
            BracketRound(slugify(name), name, tuple(games)) for name, games in found.items()
        )


def bracket_drawing(cut: Cut, me: Player | None = None) -> BracketDrawing:
    drawn = layout(cut.bracket)
    return BracketDrawing(
        width=(drawn.columns - 1) * COLUMN + BOX_WIDTH + 2 * MARGIN,
        height=HEAD + (drawn.rows - 1) * ROW + BOX_HEIGHT + 2 * MARGIN,
        games=tuple(_line(cut, box, me) for box in drawn.boxes),
        lines=tuple(_path(line) for line in drawn.connectors),
        headings=tuple(
            HeadingText(
                _heading(cut.bracket, one.half, one.round), _x(one.column), _y(one.row) - 30
            )
            for one in drawn.headings
        ),
    )


def best_of(stage: Stage) -> str:
    games = scoring_rule(stage.scoring_rule).games_per_match
    return "best of 1" if games == 1 else f"{games} games a match"


def _heading(bracket: Bracket, half: str, round_: int) -> str:
    game = next(game for game in bracket.games if (game.half, game.round) == (half, round_))
    return bracket_round_title(round_name(bracket, game))


def _x(column: int) -> int:
    return MARGIN + column * COLUMN


def _y(row: Fraction) -> int:
    return MARGIN + HEAD + round(row * ROW)


def _path(line: Connector) -> str:
    half = BOX_HEIGHT // 2
    start, end = _x(line.start.column) + BOX_WIDTH, _x(line.end.column)
    bend = end - (COLUMN - BOX_WIDTH) // 2
    return f"M{start} {_y(line.start.row) + half}H{bend}V{_y(line.end.row) + half}H{end}"


def _line(cut: Cut, box: Box, me: Player | None) -> BracketLine:
    game, state = box.game, cut.state.states[box.game.number]
    pairing = cut.pairings.get(game.number)
    first, second = (
        _seat(cut, state, pairing, player, source, me)
        for player, source in zip(state.players, game.sources, strict=True)
    )
    name = round_name(cut.bracket, game)
    return BracketLine(
        number=game.number,
        round=bracket_round_title(name),
        title=match_kind(name),
        seats=(first, second),
        state=_state(state, pairing),
        leads_to=tuple(_leads_to(cut.bracket, game)),
        pairing=pairing,
        x=_x(box.column),
        y=_y(box.row),
    )


def _seat(
    cut: Cut,
    state: GameState,
    pairing: Pairing | None,
    player: PlayerId | None,
    source: Source,
    me: Player | None,
) -> BracketSeat:
    words = source_in_words(source).capitalize()
    if player is None or state.is_needed is False:
        return BracketSeat(words)
    registration = cut.registrations[int(player)]
    return BracketSeat(
        words=words,
        name=registration.player.name,
        pronouns=registration.player.pronouns,
        number=registration.number,
        seed=cut.seeds[registration.number],
        points=_points(pairing, registration.player_id),
        has_won=state.winner == player,
        has_lost=state.loser == player,
        is_me=me is not None and registration.player_id == me.pk,
        **_side(cut, state, pairing, registration),
    )


def _side(cut: Cut, state: GameState, pairing: Pairing | None, registration: Registration) -> _Side:
    if state.is_over or not scoring_rule(cut.stage.scoring_rule).has_roles:
        return {}
    if pairing is None:
        return _side_to_come(cut, state, registration.number)
    if pairing.has_open_choice:
        return {"chooses": pairing.chooser_number == registration.number}
    return {
        "role": Role.CORP if elimination.corp_of(pairing) == registration.player_id else Role.RUNNER
    }


def _side_to_come(cut: Cut, state: GameState, number: int) -> _Side:
    game = next((one for one in cut.state.games if one.number == state.number), None)
    if game is None:
        return {}
    if game.chooser is not None:
        return {"chooses": game.chooser == number}
    return {"role": next(seat.role for seat in game.seats if seat.id == number)}


def _points(pairing: Pairing | None, player: int) -> Points | None:
    if pairing is None or pairing.match is None or not pairing.match.is_settled:
        return None
    by_player: dict[int, Points | None] = {
        seat.player_id: seat.points for seat in pairing.match.seats.all()
    }
    return by_player.get(player)


def _state(state: GameState, pairing: Pairing | None) -> str:
    if state.is_needed is False:
        return "skipped"
    if state.is_over:
        return "over"
    if pairing is not None:
        return "level" if is_undecided(pairing) else "playing"
    return "ready" if state.is_playable else "waiting"


def _leads_to(bracket: Bracket, game: Game) -> Iterator[str]:
    """Yield the next game of the winner, then of the loser; nothing for imported brackets."""
    if bracket.system == IMPORTED:
        return
    if game == bracket.final and bracket.reset is not None:
        yield f"{source_in_words(game.sources[0]).capitalize()} wins the cut with this game."
        yield f"If the other player wins, game {bracket.reset.number} decides."
        return
    if game in (bracket.final, bracket.reset):
        yield "Winner wins the cut."
        return
    onward = _next_game(bracket, WinnerOf(game.number))
    yield f"Winner to game {onward}." if onward else "Winner stays in."
    down = _next_game(bracket, LoserOf(game.number))
    yield f"Loser to game {down}." if down else "Loser is out."


def _next_game(bracket: Bracket, source: Source) -> int | None:
    assert not isinstance(source, StillIn)
    return next((game.number for game in bracket.games if source in game.sources), None)


@dataclass(frozen=True)
class CutTable:
    """A table of a cut; the seats in order, the Corp of game 1 first.

    `chooser` may choose the Corp of game 1. The choice can be changed until a result is reported,
    if `seen` still matches the current choice.
    """

    pairing: Pairing
    seats: tuple[Registration, ...]
    chooser: Registration | None
    is_chosen: bool
    can_choose: bool
    ended_level: bool
    goes_on: Registration | None
    seen: str = ""

    @property
    def is_undecided(self) -> bool:
        return self.ended_level and self.goes_on is None


def cut_table_of(round_: Round, registration: Registration) -> CutTable | None:
    if not round_.stage.way.is_elimination:
        return None
    pairing = queries.pairing_of(round_, registration.player)
    return cut_table(pairing) if pairing is not None else None


def cut_table(pairing: Pairing) -> CutTable | None:
    """Return the state of a table of a cut; None for any table outside a cut."""
    match = pairing.match
    if pairing.bracket_game is None or match is None:
        return None
    players = pairing.players
    entries = pairing.round.stage.tournament.registrations.filter(player__in=players)
    by_player = {entry.player_id: entry for entry in entries.select_related("player")}
    number = pairing.chooser_number
    return CutTable(
        pairing=pairing,
        seats=tuple(by_player[player] for player in players),
        chooser=next((entry for entry in by_player.values() if entry.number == number), None),
        is_chosen=not pairing.has_open_choice,
        can_choose=number is not None and match.state == "open",
        ended_level=elimination.ended_level(pairing),
        goes_on=pairing.advances,
        seen=elimination.chosen_corp(pairing),
    )
