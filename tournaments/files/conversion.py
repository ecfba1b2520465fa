"""Derive matches from the points in a file: games if the points determine them, else totals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import Any

from core.text import clean
from decks.games import GAMES, GameDefinition
from engine.bracket.games import (
    Bracket,
    BracketRefused,
    BracketState,
    GameWon,
    ResultRefused,
    bracket_for,
    play_bracket,
)
from engine.standings.records import PlayerId
from engine.systems import IMPORTED_CUT, first_stage_systems
from matches.scoring.results import (
    Flag,
    GameEnd,
    GameResult,
    GameRow,
    MatchResult,
    Role,
    corp_seat,
    result_from_rows,
    result_to_rows,
    total_points,
)
from matches.scoring.rules import AgendaRule, ScoringRule, scoring_rules_of
from players import names
from tournaments.files.document_shapes import (
    CLOSED,
    MATCH,
    MAX_SMALL,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    RUNNING,
    SETTINGS,
    STAGE,
    fill_shape,
)
from tournaments.files.records import (
    FileEvent,
    FilePlayer,
    FilePlayerId,
    FileRound,
    FileSeat,
    FileTable,
    TournamentFileRefused,
)

MatchDocument = dict[str, Any]
WON, LOST, DRAWN = (3, 0), (0, 3), (1, 1)
ONR_WIN = 10


def scoring_rule_for(game: GameDefinition, system: str) -> ScoringRule:
    """Return the game's first scoring rule for this pairing system, else its default rule."""
    rules = scoring_rules_of(game.scoring_rules)
    fitting = (
        rule
        for rule in rules
        if any(pairing_system.id == system for pairing_system in first_stage_systems(rule))
    )
    return next(fitting, rules[0])


def result_of_match(match: Mapping[str, Any], *, has_roles: bool) -> MatchResult:
    """Return the result of a match in a document, as far as it is settled."""
    places = {seat["id"]: place for place, seat in enumerate(match["seats"], start=1)}
    rows = [
        GameRow(
            game["number"],
            game["end"],
            places.get(game["winner"]),
            places[seat["id"]],
            *(seat["role"], seat["faction"], seat["agenda_points"], seat["victory_points"]),
        )
        for game in match["games"]
        for seat in game["seats"]
    ]
    totals = (seat["typed"] for seat in match["seats"])
    return result_from_rows(rows, has_roles=has_roles, flags=match["flags"], totals=totals)


def games_document(
    rows: Iterable[GameRow], ids: Mapping[int, int], points: Mapping[tuple[int, int], Any]
) -> list[MatchDocument]:
    """Convert the games of a match to a document; the inverse of `result_of_match`.

    `ids` are the players by position, `points` the points of each seat by game and position.
    """
    games: dict[int, MatchDocument] = {}
    for row in sorted(rows, key=lambda row: (row.number, row.role, row.position)):
        winner = None if row.winner is None else ids[row.winner]
        game = {"number": row.number, "end": row.end, "winner": winner, "seats": []}
        games.setdefault(row.number, game)["seats"].append(
            {
                "id": ids[row.position],
                "role": row.role,
                "faction": row.faction,
                "agenda_points": row.agenda_points,
                "victory_points": row.victory_points,
                "points": points.get((row.number, row.position)),
            }
        )
    return list(games.values())


def match_of_table(table: FileTable, ids: tuple[int, int], rule: ScoringRule) -> MatchDocument:
    """Return the match of a table, as far as it was played."""
    rows = _unplayed_rows(rule, 2 if table.seats[0].role is Role.RUNNER else 1)
    positions = dict(enumerate(ids, start=1))
    if not table.is_played:
        seats = [{"id": player, "points": None, "typed": None} for player in ids]
        return fill_shape(MATCH, seats=seats, games=games_document(rows, positions, {}))
    if rule.has_one_game and table.seats[0].role is None:
        # Our default sides apply only to tables still to be played.
        rows = [row._replace(role="") for row in rows]
    points = _points_of_table(table)
    for result in _possible_results(table, points, rule):
        if _yields_points(result, points, rule):
            by_game = _points_by_game(result, rule)
            games = games_document(result_to_rows(result, rows), positions, by_game)
            return _decided_match(ids, points, games, result.flags, typed=False)
    # The games are unknown or contradict the points, so keep only the points.
    games = games_document(rows, positions, {})
    return _decided_match(ids, points, games, _flags_of_table(table, rule), typed=True)


def _decided_match(
    ids: tuple[int, int],
    points: tuple[int, int],
    games: list[MatchDocument],
    flags: frozenset[Flag],
    *,
    typed: bool,
) -> MatchDocument:
    seats = [
        {"id": player, "points": scored, "typed": scored if typed else None}
        for player, scored in zip(ids, points, strict=True)
    ]
    return fill_shape(
        MATCH,
        seats=seats,
        games=games,
        state="decided",
        flags=sorted(flag.value for flag in flags),
    )


def _points_by_game(result: MatchResult, rule: ScoringRule) -> dict[tuple[int, int], Any]:
    """Points by game number and position."""
    numbers = {game.number for game in result.games}
    return {
        (number, position): total_points(share for share in shares if share.game == number)
        for position, shares in rule.shares(result).items()
        for number in numbers
    }


def _points_of_table(table: FileTable) -> tuple[int, int]:
    """Points of each seat; in a cut, the winner of a single game gets the points of a win."""
    if table.winner is not None and all(seat.points is None for seat in table.seats):
        return WON if table.winner == table.seats[0].id else LOST
    first, second = (seat.points or 0 for seat in table.seats)
    return first, second


def _possible_results(
    table: FileTable, points: tuple[int, int], rule: ScoringRule
) -> Iterator[MatchResult]:
    """Yield possible results, most likely first."""
    flags = _flags_of_table(table, rule)
    first, second = table.seats
    if table.intentional_draw:
        yield MatchResult(flags=flags)
    if rule.games_per_match == 1:
        yield MatchResult(games=tuple(_single_game(first, points)), flags=flags)
        return
    games = (*_double_game(1, first, second, rule), *_double_game(2, first, second, rule))
    if len(games) == rule.games_per_match:
        if table.two_for_one:
            yield MatchResult(games=games[:1], flags=flags)
        yield MatchResult(games=games, flags=flags - {Flag.TWO_FOR_ONE})


def _flags_of_table(table: FileTable, rule: ScoringRule) -> frozenset[Flag]:
    marks = {Flag.INTENTIONAL_DRAW: table.intentional_draw, Flag.TWO_FOR_ONE: table.two_for_one}
    return frozenset(flag for flag, holds in marks.items() if holds and flag in rule.flags)


def _single_game(seat: FileSeat, points: tuple[int, int]) -> Iterator[GameResult]:
    if seat.role is None or points not in (WON, LOST, DRAWN):
        return
    corp = 1 if seat.role is Role.CORP else 2
    winner = {WON: seat.role, LOST: seat.role.other, DRAWN: None}[points]
    yield GameResult(1, corp, winner, GameEnd.NOT_RECORDED)


def _double_game(
    number: int, first: FileSeat, second: FileSeat, rule: ScoringRule
) -> Iterator[GameResult]:
    """Game 1, in which the first seat is Corp, or game 2, in which the second seat is."""
    corp, runner = (first, second) if number == 1 else (second, first)
    as_corp, as_runner = corp.corp_points, runner.runner_points
    if as_corp is None or as_runner is None:
        return
    if isinstance(rule, AgendaRule):
        yield from _agenda_game(number, as_corp, as_runner)
        return
    winners = {WON: Role.CORP, LOST: Role.RUNNER, DRAWN: None}
    if (as_corp, as_runner) in winners:
        winner = winners[as_corp, as_runner]
        yield GameResult(number, number, winner, GameEnd.NOT_RECORDED)


def _agenda_game(number: int, as_corp: int, as_runner: int) -> Iterator[GameResult]:
    """In ONR the winner has 10 points; without a win, players score their agenda points."""
    if as_corp == ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, Role.CORP, GameEnd.NOT_RECORDED, None, as_runner)
    elif as_runner == ONR_WIN and 0 <= as_corp < ONR_WIN:
        yield GameResult(number, number, Role.RUNNER, GameEnd.NOT_RECORDED, as_corp, None)
    elif 0 <= as_corp < ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, None, GameEnd.TIME, as_corp, as_runner)


def _yields_points(result: MatchResult, points: tuple[int, int], rule: ScoringRule) -> bool:
    """Return True if the result yields the points of the file and can be entered here."""
    if not result or (rule.takes_totals and any(rule.contradictions(result))):
        return False
    match_points = rule.match_points(result)
    return (match_points[1], match_points[2]) == points


def _unplayed_rows(rule: ScoringRule, first_corp: int) -> list[GameRow]:
    """Rows of an unreported match; in game 1 the seat `first_corp` is Corp."""
    return [
        GameRow(number, "", None, position, role.value, "", None, None)
        for number in range(1, rule.games_per_match + 1)
        for role, position in (
            (Role.CORP, corp_seat(number, first_corp)),
            (Role.RUNNER, 3 - corp_seat(number, first_corp)),
        )
    ]


# Match the tables of a cut in a file to the games of a bracket.


BRACKET_KINDS = (
    ("double_elimination", False),
    ("single_elimination", False),
    ("single_elimination", True),
)
# Larger cuts are kept as stated: trying brackets for them takes minutes.
MAX_IN_A_BRACKET = 128


@dataclass(frozen=True)
class CutPlan:
    """Seeds of a cut, and the bracket game of each table by round and position."""

    system: str
    fixed: bool
    seeds: tuple[PlayerId, ...]
    games: tuple[tuple[int, ...], ...]


def plan_cut(event: FileEvent, ranked: Sequence[PlayerId], seed: int) -> CutPlan | None:
    """Return the cut of the file, if any. `ranked` are all players by Swiss standings."""
    if not event.cut_rounds and not event.cut_size:
        return None
    if not event.cut_rounds and any(
        place.rank == 1 and place.id is not None for place in event.placings
    ):
        return _plan_as_stated(event, ranked)
    # Several brackets can start with the same games: prefer the best match of decided places.
    best = max(_fitting_plans(event, ranked, seed), key=itemgetter(1), default=None)
    return best[0] if best else _plan_as_stated(event, ranked)


def _fitting_plans(
    event: FileEvent, ranked: Sequence[PlayerId], seed: int
) -> Iterator[tuple[CutPlan, int]]:
    """Yield every fitting bracket with the number of places that agree."""
    for seeds in _seedings(event, ranked):
        if len(seeds) > MAX_IN_A_BRACKET:
            continue
        for system, fixed in BRACKET_KINDS:
            fit = _fit_games(event, system, seeds, seed, fixed=fixed)
            if fit is not None:
                games, agreeing = fit
                yield CutPlan(system, fixed, seeds, games), agreeing


def _plan_as_stated(event: FileEvent, ranked: Sequence[PlayerId]) -> CutPlan | None:
    inside = {
        seat.id for round_ in event.cut_rounds for table in round_.tables for seat in table.seats
    }
    inside |= {bye.id for round_ in event.cut_rounds for bye in round_.byes}
    inside |= {place.id for place in event.placings if place.id is not None}
    size = max(event.cut_size, len(inside))
    seeds = [player for player in ranked if player in inside]
    seeds += [player for player in ranked if player not in inside][: size - len(seeds)]
    if len(seeds) < 2:
        return None
    counted, games = 0, []
    for round_ in event.cut_rounds:
        games.append(tuple(range(counted + 1, counted + 1 + len(round_.tables))))
        counted += len(round_.tables)
    return CutPlan(IMPORTED_CUT, True, tuple(seeds), tuple(games))


def _seedings(event: FileEvent, ranked: Sequence[PlayerId]) -> list[tuple[PlayerId, ...]]:
    """Possible seedings: as named in the file, and by the standings."""
    named = {
        place.seed: place.id for place in event.placings if place.seed and place.id is not None
    }
    seedings = []
    if len(named) == event.cut_size >= 2 and len(set(named.values())) == len(named):
        seedings.append(tuple(named[seed] for seed in sorted(named)))
    inside = {place.id for place in event.placings}
    by_rank = tuple(player for player in ranked if player in inside)
    for seeds in (by_rank, tuple(ranked[: event.cut_size])):
        if len(seeds) == event.cut_size >= 2 and seeds not in seedings:
            seedings.append(seeds)
    return seedings


def _fit_games(
    event: FileEvent, system: str, seeds: tuple[PlayerId, ...], seed: int, *, fixed: bool
) -> tuple[tuple[tuple[int, ...], ...], int] | None:
    """Game numbers of all tables, and the number of agreeing places; None if it does not fit."""
    try:
        bracket = bracket_for(system, len(seeds), fixed=fixed)
        replay = _Replay(bracket, seeds, seed)
        games = tuple(
            tuple(replay.enter(table) for table in round_.tables) for round_ in event.cut_rounds
        )
        state = replay.result()
    except (BracketRefused, _NotThisBracket):
        return None
    if any(round_.byes for round_ in event.cut_rounds) or not _agrees_with_places(event, state):
        return None
    ours = {place.rank: place.id for place in state.placings}
    stated = (place for place in event.placings if place.id is not None)
    return games, sum(ours.get(place.rank) == place.id for place in stated)


class _NotThisBracket(Exception):  # noqa: N818 - an answer, not an error
    pass


class _Replay:
    """Plays a bracket with the results of a file, recomputed only when a table requires it."""

    def __init__(self, bracket: Bracket, seeds: tuple[PlayerId, ...], seed: int) -> None:
        self.bracket, self.seeds, self.seed = bracket, seeds, seed
        self.results: list[GameWon] = []
        self.entered: set[int] = set()
        self.is_behind = False
        self._play()

    def enter(self, table: FileTable) -> int:
        """Return the number of this table's game and record its result."""
        number = self._number(table)
        if number is None and self.is_behind:
            self._play()
            number = self._number(table)
        if number is None:
            raise _NotThisBracket
        self.entered.add(number)
        if table.winner is not None:
            corp = next((seat.id for seat in table.seats if seat.role is Role.CORP), None)
            self.results.append(GameWon(number, table.winner, corp))
            self.is_behind = True
        return number

    def result(self) -> BracketState:
        """Return the final state of the bracket."""
        if self.is_behind:
            self._play()
        return self.state

    def _number(self, table: FileTable) -> int | None:
        number = self.open.get(frozenset(seat.id for seat in table.seats))
        return None if number in self.entered else number

    def _play(self) -> None:
        try:
            self.state = play_bracket(self.bracket, self.seeds, self.results, seed=self.seed)
        except ResultRefused as refusal:
            raise _NotThisBracket from refusal
        self.open = {
            frozenset(seat.id for seat in game.seats): game.number for game in self.state.games
        }
        self.is_behind = False


def _agrees_with_places(event: FileEvent, state: BracketState) -> bool:
    """Return True if the first two places of file and bracket agree, as far as both are known."""
    ours = {place.rank: place.id for place in state.placings}
    if event.cut_rounds and event.placings and ours.get(1) is None:
        # The file names a winner who does not result from its games.
        winner = next((place.id for place in event.placings if place.rank == 1), None)
        return winner is None or not all(
            table.winner is not None for round_ in event.cut_rounds for table in round_.tables
        )
    places = {place.rank: place.id for place in event.placings if place.id is not None}
    return all(ours.get(rank) in (None, player) for rank, player in places.items() if rank <= 2)


# Convert a tournament file to an event without losing or guessing data.


# Figures decide first, then the order of the file, stored as seeds.
IMPORT_TIE_BREAKERS = (
    "match_points",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "manual_seed",
    "lot",
)
MAX_NAME_LETTERS = 100
ConvertedEvent = dict[str, Any]


def convert_file(
    event: FileEvent, ranked: Sequence[FilePlayerId], *, seed: int, today: date
) -> tuple[ConvertedEvent, Mapping[FilePlayerId, int]]:
    """Convert a file to an event; also return the number of each player, in file order.

    `ranked` are the players by computed standings, best first. Raises TournamentFileRefused
    for a game without roles.
    """
    numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
    rule = scoring_rule_for(GAMES[event.game], event.system)
    if not rule.has_roles:
        raise TournamentFileRefused(
            f'The game "{event.game}" cannot be used with this system.', "$.game"
        )
    conversion = _FileConverter(event, numbers, rule)
    plan = plan_cut(event, ranked, seed)
    stages = [conversion.swiss(), *([conversion.cut(plan, len(event.rounds))] if plan else [])]
    rounds = [round_ for stage in stages for round_ in stage["rounds"]]
    is_open = not rounds or rounds[-1]["state"] != CLOSED
    return {
        "settings": _event_settings(event, rule, today, is_open=is_open),
        "seed": seed,
        "players": [conversion.player(player, is_open=is_open) for player in event.players],
        "stages": stages,
        "private": None,
    }, numbers


def email_notices(event: FileEvent) -> list[str]:
    """Notices about names that contain an email address, which is removed."""
    changed = [
        (number, names.without_email_addresses(player.name))
        for number, player in enumerate(event.players, start=1)
        if names.EMAIL_ADDRESS.search(player.name)
    ]
    return [
        f"Player {number} has only an email address for a name. Everyone can see names, so the "
        f'player is called "{_clean_player_name(rest, number)}" here; rename the player on the '
        "roster."
        if not rest
        else f"The name of {rest} holds an email address. It is left out: everyone can see names."
        for number, rest in changed
    ]


def _event_settings(
    event: FileEvent, rule: ScoringRule, today: date, *, is_open: bool
) -> ConvertedEvent:
    day = event.date or today
    finished = None if is_open else f"{day.isoformat()}T12:00:00+00:00"
    return fill_shape(
        SETTINGS,
        name=clean(event.name)[:120] or "Imported event",
        game=event.game,
        starts_on=day.isoformat(),
        scoring_rule=rule.id,
        tie_breakers=list(IMPORT_TIE_BREAKERS),
        bye_points=rule.bye_points,
        planned_rounds=len(event.rounds) or None,
        finished_at=finished,
    )


class _FileConverter:
    """Converts one file to an event."""

    def __init__(
        self, event: FileEvent, numbers: Mapping[FilePlayerId, int], rule: ScoringRule
    ) -> None:
        self.event, self.numbers, self.rule = event, numbers, rule
        seated = {
            seat.id for round_ in event.rounds for table in round_.tables for seat in table.seats
        }
        # Seeds follow the stated ranks, else the order of the file.
        ranked = sorted(
            event.players,
            key=lambda player: (player.stated.rank is None, player.stated.rank or 0),
        )
        self.seeds = {player.id: seed for seed, player in enumerate(ranked, start=1)}
        self.paired = seated | {bye.id for round_ in event.rounds for bye in round_.byes}

    def player(self, player: FilePlayer, *, is_open: bool) -> ConvertedEvent:
        # A dropped player without any pairing would vanish from the standings, so keep them.
        has_left = player.dropped and (is_open or player.id in self.paired)
        number = self.numbers[player.id]
        return fill_shape(
            PLAYER_SHAPE,
            id=number,
            name=_clean_player_name(player.name, number),
            pronouns="" if any(names.pronoun_problems(player.pronouns)) else clean(player.pronouns),
            state="dropped" if has_left else "checked_in",
            dropped_by="staff" if has_left else "",
            seed=self.seeds[player.id],
            identities=[
                {"side": side, "title": clean(title)[:200]}
                for side, title in (
                    ("corp", player.corp_identity),
                    ("runner", player.runner_identity),
                )
                if title and clean(title.replace("\0", ""))
            ],
        )

    def swiss(self) -> ConvertedEvent:
        rounds = [
            self._round(number, round_, self.rule, ())
            for number, round_ in enumerate(self.event.rounds, start=1)
        ]
        system = "single" if self.event.system == "single" else "double"
        return fill_shape(STAGE, number=1, system=system, scoring_rule=self.rule.id, rounds=rounds)

    def cut(self, plan: CutPlan, earlier: int) -> ConvertedEvent:
        rules = scoring_rules_of(GAMES[self.event.game].scoring_rules)
        rule = next((rule for rule in rules if rule.games_per_match == 1), self.rule)
        places = {place.id: place.rank for place in self.event.placings}
        return fill_shape(
            STAGE,
            number=2,
            system=plan.system,
            scoring_rule=rule.id,
            fixed_bracket=plan.fixed,
            entries=[
                {
                    "player": self.numbers[player],
                    "seed": seed,
                    "declined": False,
                    "place": places.get(player),
                }
                for seed, player in enumerate(plan.seeds, start=1)
            ],
            rounds=[
                self._round(number, round_, rule, games)
                for number, (round_, games) in enumerate(
                    zip(self.event.cut_rounds, plan.games, strict=True), start=earlier + 1
                )
            ],
        )

    def _round(
        self, number: int, round_: FileRound, rule: ScoringRule, games: Sequence[int]
    ) -> ConvertedEvent:
        # A Swiss round may count despite unplayed tables; a bracket round is open until all are
        # played.
        is_over = round_.counts and (not games or all(table.is_played for table in round_.tables))
        played = [_with_zero_points(table) if is_over else table for table in round_.tables]
        numbers: Sequence[int | None] = games or [None] * len(played)
        tables = [
            fill_shape(
                PAIRING,
                table=table_number,
                match=match_of_table(table, self._ids(table.seats), rule),
                bracket_game=game,
            )
            for table, table_number, game in zip(
                played, _table_numbers(round_), numbers, strict=True
            )
        ]
        byes = [
            fill_shape(
                PAIRING,
                bye=self.numbers[bye.id],
                points=max(-MAX_SMALL, min(MAX_SMALL, bye.points)),
            )
            for bye in round_.byes
        ]
        return fill_shape(
            ROUND,
            number=number,
            state=CLOSED if is_over else RUNNING,
            pairings=[*tables, *byes],
        )

    def _ids(self, seats: Any) -> tuple[int, int]:
        return self.numbers[seats[0].id], self.numbers[seats[1].id]


def _with_zero_points(table: FileTable) -> FileTable:
    """Give both players of an unplayed table 0 points if the round counts, like the file."""
    if table.is_played:
        return table
    first, second = (replace(seat, points=0) for seat in table.seats)
    return replace(table, seats=(first, second))


def _table_numbers(round_: FileRound) -> list[int]:
    """Return the table numbers of the file if they are valid and unique, else 1, 2, 3 and so on."""
    numbers = [table.number for table in round_.tables]
    valid = [number for number in numbers if number and 0 < number <= MAX_SMALL]
    if len(set(valid)) == len(numbers):
        return valid
    return list(range(1, len(numbers) + 1))


def _clean_player_name(typed: str, number: int) -> str:
    """Clean the name; use the player's number if nothing valid remains."""
    printable = "".join(letter for letter in typed if letter.isprintable())
    name = names.without_email_addresses(printable)[:MAX_NAME_LETTERS].strip()
    return f"Player {number}" if any(names.name_problems(name)) else name
