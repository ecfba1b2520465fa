"""Bracket drawings, the tables of a cut, and round robin schedules, for pages."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _

from engine.bracket.display import (
    GameBox,
    GameConnector,
    lay_out_bracket,
    round_name,
)
from engine.bracket.games import (
    Bracket,
    BracketGame,
    BracketGameState,
    LoserOf,
    WinnerOf,
)
from engine.pairing.round_robin import round_robin_round
from engine.standings.records import PlayerId
from engine.systems import IMPORTED_CUT
from matches.scoring.results import Points, Role
from matches.scoring.rules import scoring_rule
from players.models import Player
from tournaments.models import Pairing, Registration, Round, RoundState, Stage
from tournaments.models.rounds import (
    bracket_round_title,
    match_kind,
    match_names,
    match_source,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds.cut import Cut, is_undecided

# Pixels. The drawing is never scaled down, so that names stay readable on a phone.
BOX_WIDTH, BOX_HEIGHT = 240, 60
COLUMN_WIDTH, ROW_HEIGHT = 274, 92
HEADING_HEIGHT, DRAWING_MARGIN = 58, 4
# Space right of the last column for the line from the lower final up to the final.
RETURN_WIDTH = 12
# Space for the drawing on a page of 1280 pixels.
WIDTH_ON_LAPTOPS = 1190


@dataclass(frozen=True)
class BracketSide:
    """A side of a game: a player, or in `words` the source of the player."""

    words: str
    name: str = ""
    pronouns: str = ""
    number: int | None = None
    seed: int | None = None
    # Once settled.
    points: Points | None = None
    has_won: bool = False
    has_lost: bool = False
    is_me: bool = False
    # In the first game of a match that is not over.
    role: Role | None = None
    chooses: bool = False


@dataclass(frozen=True)
class BracketLine:
    """A game with its position in the drawing."""

    number: int
    # "Semifinals" where `title` is "Semifinal" and `name` is "Semifinal 2".
    round: str
    title: str
    name: str
    # The name above its box; empty where the heading of the round says it.
    label: str
    seats: tuple[BracketSide, BracketSide]
    # waiting, ready, playing, level, over or skipped
    state: str
    # The next games of winner and loser.
    leads_to: tuple[str, ...]
    pairing: Pairing | None
    x: int
    y: int

    @property
    def is_by_decision(self) -> bool:
        """True if the match was tied and the staff chose who advances."""
        first, second = self.seats
        return self.state == "over" and first.points is not None and first.points == second.points

    @property
    def middle(self) -> int:
        """Top edge of the second seat, in pixels from the top of the drawing."""
        return self.y + BOX_HEIGHT // 2


def _round_key(name: str) -> str:
    return f"bracket-{slugify(name)}"


@dataclass(frozen=True)
class BracketHeading:
    text: str
    x: int
    y: int

    @property
    def key(self) -> str:
        """Id of the heading in its page."""
        return _round_key(self.text)


@dataclass(frozen=True)
class BracketRound:
    """The games of a round in order; `key` is the id of its heading in the drawing."""

    key: str
    name: str
    games: tuple[BracketLine, ...]

    @property
    def is_now(self) -> bool:
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
    headings: tuple[BracketHeading, ...]
    # Players change sides after game 1 of a match.
    sides_change: bool

    @property
    def is_wide(self) -> bool:
        """True if the drawing scrolls sideways even on a laptop (1280 pixels)."""
        return self.width > WIDTH_ON_LAPTOPS

    @property
    def rounds(self) -> tuple[BracketRound, ...]:
        """The games by round, in the order in which the rounds begin."""
        rounds: dict[str, list[BracketLine]] = {}
        for game in self.games:
            rounds.setdefault(game.round, []).append(game)
        return tuple(
            BracketRound(_round_key(name), name, tuple(games)) for name, games in rounds.items()
        )


def bracket_drawing(cut: Cut, me: Player | None = None) -> BracketDrawing:
    drawn, names = lay_out_bracket(cut.bracket), match_names(cut.bracket)
    rule = scoring_rule(cut.stage.scoring_rule)
    first_games: dict[tuple[str, int], BracketGame] = {}
    for game in cut.bracket.games:
        first_games.setdefault((game.half, game.round), game)
    return BracketDrawing(
        width=_column_x(drawn.columns - 1) + BOX_WIDTH + RETURN_WIDTH + DRAWING_MARGIN,
        height=HEADING_HEIGHT + (drawn.rows - 1) * ROW_HEIGHT + BOX_HEIGHT + 2 * DRAWING_MARGIN,
        games=tuple(_bracket_line(cut, box, names, me) for box in drawn.boxes),
        lines=tuple(_connector_path(line) for line in drawn.connectors),
        headings=tuple(
            BracketHeading(
                bracket_round_title(
                    round_name(cut.bracket, first_games[heading.half, heading.round])
                ),
                _column_x(heading.column),
                _row_y(heading.row) - 30,
            )
            for heading in drawn.headings
        ),
        sides_change=rule.sides_change,
    )


def _column_x(column: int) -> int:
    return DRAWING_MARGIN + column * COLUMN_WIDTH


def _row_y(row: Fraction) -> int:
    return DRAWING_MARGIN + HEADING_HEIGHT + round(row * ROW_HEIGHT)


def _connector_path(line: GameConnector) -> str:
    half = BOX_HEIGHT // 2
    start_right, end_left = _column_x(line.start.column) + BOX_WIDTH, _column_x(line.end.column)
    start_top, end_top = _row_y(line.start.row), _row_y(line.end.row)
    if line.start.column < line.end.column:
        bend = end_left - (COLUMN_WIDTH - BOX_WIDTH) // 2
        return f"M{start_right} {start_top + half}H{bend}V{end_top + half}H{end_left}"
    if line.start.row < line.end.row:
        # From the final down to the bracket reset, right of its heading.
        return f"M{start_right - half} {start_top + BOX_HEIGHT}V{end_top}"
    # From the lower final up to the final, around the bracket reset.
    bend = start_right + RETURN_WIDTH
    return f"M{start_right} {start_top + half}H{bend}V{end_top + half}H{start_right}"


def _bracket_line(
    cut: Cut, box: GameBox, names: Mapping[int, str], me: Player | None
) -> BracketLine:
    game, state = box.game, cut.state.states[box.game.number]
    pairing = cut.pairings.get(game.number)
    first, second = (
        _bracket_side(cut, state, pairing, player, capfirst(match_source(source, names)), me)
        for player, source in zip(state.players, game.sources, strict=True)
    )
    round_ = round_name(cut.bracket, game)
    name = capfirst(names[game.number])
    return BracketLine(
        number=game.number,
        round=bracket_round_title(round_),
        title=match_kind(round_),
        name=name,
        label=name if round_.matches > 1 else "",
        seats=(first, second),
        state=_game_state(state, pairing),
        leads_to=tuple(_next_games_in_words(cut.bracket, game, names)),
        pairing=pairing,
        x=_column_x(box.column),
        y=_row_y(box.row),
    )


def _bracket_side(
    cut: Cut,
    state: BracketGameState,
    pairing: Pairing | None,
    player: PlayerId | None,
    words: str,
    me: Player | None,
) -> BracketSide:
    if player is None or state.is_needed is False:
        return BracketSide(words)
    registration = cut.registrations[int(player)]
    role, chooses = _role_and_choice(cut, state, pairing, registration)
    return BracketSide(
        words=words,
        name=registration.player.name,
        pronouns=registration.player.pronouns,
        number=registration.number,
        seed=cut.seeds[registration.number],
        points=_side_points(pairing, registration.player_id),
        has_won=state.winner == player,
        has_lost=state.loser == player,
        is_me=me is not None and registration.player_id == me.pk,
        role=role,
        chooses=chooses,
    )


def _role_and_choice(
    cut: Cut, state: BracketGameState, pairing: Pairing | None, registration: Registration
) -> tuple[Role | None, bool]:
    """Return the role in the first game, and whether the player still chooses it."""
    if state.is_over or not scoring_rule(cut.stage.scoring_rule).has_roles:
        return None, False
    number = registration.number
    if pairing is None:
        game = next((game for game in cut.state.games if game.number == state.number), None)
        if game is None or game.chooser is not None:
            return None, game is not None and game.chooser == number
        return next(seat.role for seat in game.seats if seat.id == number), False
    if pairing.has_open_choice:
        return None, pairing.chooser_number == number
    is_corp = rounds_cut.get_corp_player_id(pairing) == registration.player_id
    return Role.CORP if is_corp else Role.RUNNER, False


def _side_points(pairing: Pairing | None, player: int) -> Points | None:
    if pairing is None or pairing.match is None or not pairing.match.is_settled:
        return None
    by_player: dict[int, Points | None] = {
        seat.player_id: seat.points for seat in pairing.match.seats.all()
    }
    return by_player.get(player)


def _game_state(state: BracketGameState, pairing: Pairing | None) -> str:
    if state.is_needed is False:
        return "skipped"
    if state.is_over:
        return "over"
    if pairing is not None:
        return "level" if is_undecided(pairing) else "playing"
    return "ready" if state.is_playable else "waiting"


def _next_games_in_words(
    bracket: Bracket, game: BracketGame, names: Mapping[int, str]
) -> Iterator[str]:
    """Yield the next match of the winner, then of the loser; nothing for imported brackets."""
    if bracket.system == IMPORTED_CUT:
        return
    if game == bracket.final and bracket.reset is not None:
        first = capfirst(match_source(game.sources[0], names))
        yield _("%(player)s wins the event with this match.") % {"player": first}
        yield _("If the other player wins, the bracket reset decides.")
        return
    if game in (bracket.final, bracket.reset):
        yield _("Winner wins the event.")
        return
    # A re-seeded bracket names the next match once this round is over.
    to_winner, to_loser = (
        next((names[later.number] for later in bracket.games if source in later.sources), None)
        for source in (WinnerOf(game.number), LoserOf(game.number))
    )
    yield _("Winner to %(match)s.") % {"match": to_winner} if to_winner else _("Winner stays in.")
    yield _("Loser to %(match)s.") % {"match": to_loser} if to_loser else _("Loser is out.")


def get_bracket_notes(cut: Cut) -> list[str]:
    """Explain sides and the bracket reset while the cut is undecided."""
    if cut.winner is not None or cut.stage.bracket is None:
        return []
    return rounds_pages.bracket_notes(cut.bracket, scoring_rule(cut.stage.scoring_rule))


def match_length_in_words(stage: Stage) -> str:
    games = scoring_rule(stage.scoring_rule).games_per_match
    if games == 1:
        return _("best of 1")
    return _("%(games)d games a match") % {"games": games}


@dataclass(frozen=True)
class CutTable:
    pairing: Pairing
    # The Corp of game 1 first.
    seats: tuple[Registration, ...]
    # The player who chooses the Corp of game 1, until a result is reported.
    chooser: Registration | None
    is_chosen: bool
    can_choose: bool
    is_tied: bool
    advancing: Registration | None
    # The choice when the page was made.
    seen: str = ""

    @property
    def awaits_choice(self) -> bool:
        return self.can_choose and not self.is_chosen

    @property
    def is_undecided(self) -> bool:
        return self.is_tied and self.advancing is None


def find_cut_table(round_: Round, registration: Registration) -> CutTable | None:
    if not round_.is_in_cut:
        return None
    pairing = round_.pairing_of(registration.player)
    return get_cut_table(pairing) if pairing is not None else None


def get_cut_table(pairing: Pairing) -> CutTable | None:
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
        is_tied=rounds_cut.is_tied(pairing),
        advancing=pairing.advances,
        seen=rounds_cut.get_chosen_corp(pairing),
    )


# Round robin schedule and cross table.


@dataclass(frozen=True)
class ScheduledPlayer:
    """A player; `place` is the position in the fixed order from 1, None for a guest at a table."""

    place: int | None
    number: int
    name: str
    has_left: bool
    is_me: bool


@dataclass(frozen=True)
class Encounter:
    """A pairing of two players, or a bye."""

    round_number: int
    places: tuple[ScheduledPlayer, ...]
    # None for a bye, and while the round is not published.
    table: int | None = None
    # In the order of `places`, once settled.
    points: tuple[Points, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.places) == 1

    @property
    def is_mine(self) -> bool:
        return any(place.is_me for place in self.places)


@dataclass(frozen=True)
class ScheduledRound:
    """A round, by number in the event; a future round has the pairings given by the order."""

    number: int
    encounters: tuple[Encounter, ...]
    is_published: bool


@dataclass(frozen=True)
class CrossCell:
    opponent: ScheduledPlayer
    meetings: tuple[tuple[Encounter, tuple[Points, ...]], ...]


@dataclass(frozen=True)
class CrossRow:
    """A player's results against each opponent; the cell against themselves is None."""

    place: ScheduledPlayer
    cells: tuple[CrossCell | None, ...]


@dataclass(frozen=True)
class Schedule:
    rounds: tuple[ScheduledRound, ...]
    rows: tuple[CrossRow, ...]


def get_schedule(stage: Stage, me: Player | None = None) -> Schedule:
    """Build the schedule of a round robin with a fixed order; a constant number of queries."""
    entries = stage.fixed_order()
    order = {entry.number: place for place, entry in enumerate(entries, start=1)}
    places = {
        entry.number: ScheduledPlayer(
            order.get(entry.number),
            entry.number,
            entry.player.name,
            has_left=not entry.is_active,
            is_me=me is not None and entry.player_id == me.pk,
        )
        for entry in stage.tournament.roster()
    }
    rounds = tuple(_scheduled_rounds(stage, entries, places))
    return Schedule(rounds, tuple(_cross_rows([places[number] for number in order], rounds)))


def _scheduled_rounds(
    stage: Stage, entries: Sequence[Registration], places: Mapping[int, ScheduledPlayer]
) -> Iterator[ScheduledRound]:
    published = _published_encounters(stage, places)
    before = stage.number_of_round(0)
    planned = stage.round_robin_rounds(len(entries))
    # More rounds may have been played than are planned now.
    for number in range(1, max(planned, len(published)) + 1):
        in_event = number - before
        if in_event in published:
            yield ScheduledRound(in_event, tuple(published[in_event]), is_published=True)
        else:
            encounters = tuple(_future_encounters(stage, entries, places, number, in_event))
            yield ScheduledRound(in_event, encounters, is_published=False)


def _published_encounters(
    stage: Stage, places: Mapping[int, ScheduledPlayer]
) -> dict[int, list[Encounter]]:
    numbers = dict(stage.tournament.registrations.values_list("player_id", "number"))
    pairings = (
        Pairing.objects.filter(round__stage=stage)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("match", "round", "bye")
        .prefetch_related("match__seats")
    )
    rounds: dict[int, list[Encounter]] = defaultdict(list)
    for pairing in pairings:
        encounters = rounds[pairing.round.number]
        if pairing.match is None:
            assert pairing.bye is not None
            encounters.append(Encounter(pairing.round.number, (places[pairing.bye.number],)))
            continue
        seats = list(pairing.match.seats.all())
        encounters.append(
            Encounter(
                pairing.round.number,
                tuple(places[numbers[seat.player_id]] for seat in seats),
                pairing.table_number,
                tuple(seat.points or 0 for seat in seats) if pairing.match.is_settled else (),
            )
        )
    return rounds


def _future_encounters(
    stage: Stage,
    entries: Sequence[Registration],
    places: Mapping[int, ScheduledPlayer],
    number: int,
    in_event: int,
) -> Iterator[Encounter]:
    """Yield the pairings of a future round, if at least two players are left."""
    active = {entry.number for entry in entries if entry.is_active}
    if len(active) < 2:
        return
    order = [entry.number for entry in entries]
    cycles = stage.cycles(len(entries))
    scheduled = round_robin_round(order, number, active=active, cycles=cycles)
    for table in scheduled.pairings:
        yield Encounter(in_event, (places[int(table.corp)], places[int(table.runner)]))
    for bye in scheduled.byes:
        yield Encounter(in_event, (places[int(bye.player)],))


def _cross_rows(
    places: Sequence[ScheduledPlayer], rounds: Sequence[ScheduledRound]
) -> Iterator[CrossRow]:
    met: dict[tuple[int, int], list[tuple[Encounter, tuple[Points, ...]]]] = defaultdict(list)
    for encounter in (encounter for round_ in rounds for encounter in round_.encounters):
        if not encounter.is_bye:
            first, second = (place.number for place in encounter.places)
            met[first, second].append((encounter, encounter.points))
            met[second, first].append((encounter, encounter.points[::-1]))
    for player in places:
        cells = (
            None
            if opponent == player
            else CrossCell(opponent, tuple(met[player.number, opponent.number]))
            for opponent in places
        )
        yield CrossRow(player, tuple(cells))
