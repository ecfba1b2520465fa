"""Standings for pages: ranks, places after a cut, and the calculation of each tie-breaker."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from engine.standings import TIE_BREAKERS, can_explain_stored, explain_all, explain_stored
from engine.standings.tie_breakers import TieBreaker
from engine.standings.workings import Term, Working, as_decimal
from matches.scoring import Points
from players.models import Player
from tournaments.event import field, queries
from tournaments.event.chat_text import escaped, pieces
from tournaments.event.snapshots import shown_tie_breakers, tie_breakers_of
from tournaments.models import (
    Registration,
    RegistrationState,
    Round,
    Stage,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.rounds.elimination import Cut, cut_of


class StandingLine(NamedTuple):
    """A line of the standings; `figures` are (heading, value) of each tie-breaker shown."""

    rank: int
    name: str
    pronouns: str
    number: int
    match_points: Points
    figures: tuple[tuple[str, str], ...]
    has_dropped: bool
    is_me: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number,)


def why_no_standings(tournament: Tournament) -> str:
    """Explain why no standings are stored yet and when they will be."""
    first = queries.visible_rounds(tournament).first()
    if first is None:
        return "No round is published yet. The first standings follow when round 1 is closed."
    if not first.is_closed:
        return f"Round {first.number} is not closed yet. The first standings follow when it is."
    return f"The standings after round {first.number} are being computed. Try again in a moment."


@dataclass(frozen=True)
class StandingsTable:
    """Standings with the (heading, name) of each tie-breaker shown."""

    headings: tuple[tuple[str, str], ...]
    lines: tuple[StandingLine, ...]


def standings_table(
    tournament: Tournament, snapshot: StandingSnapshot, me: Player | None = None
) -> StandingsTable:
    """Return the stored standings with every tie-breaker that can differ between players."""
    return StandingsTable(*standing_lines(tournament, list(queries.standing_rows(snapshot)), me))


def standing_lines(
    tournament: Tournament, rows: Sequence[Standing], me: Player | None = None
) -> tuple[tuple[tuple[str, str], ...], tuple[StandingLine, ...]]:
    """Return (heading, name) of each tie-breaker shown, and the lines."""
    shown = shown_tie_breakers(tournament, [row.tie_breakers for row in rows])
    headings = tuple((TIE_BREAKERS[id_].heading, TIE_BREAKERS[id_].name) for id_ in shown)
    return headings, tuple(_line(row, shown, me) for row in rows)


def _line(row: Standing, shown: Iterable[str], me: Player | None) -> StandingLine:
    return StandingLine(
        rank=row.rank,
        name=row.registration.player.name,
        pronouns=row.registration.player.pronouns,
        number=row.registration.number,
        match_points=row.match_points,
        figures=tuple(
            (TIE_BREAKERS[id_].heading, TIE_BREAKERS[id_].printed(row.tie_breakers.get(id_)))
            for id_ in shown
        ),
        has_dropped=row.registration.state == RegistrationState.DROPPED,
        is_me=me is not None and row.registration.player_id == me.pk,
    )


def tie_breakers_in_words(tournament: Tournament) -> list[TieBreaker]:
    return [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]


@dataclass(frozen=True)
class PlacingLine:
    """A final place; undecided if it has no name. `why` is the origin of the place.

    `person` is the player's primary key, if the name links to their page across events.
    """

    rank: int
    why: str
    name: str = ""
    pronouns: str = ""
    number: int | None = None
    is_me: bool = False
    person: int | None = None

    @property
    def is_open(self) -> bool:
        return not self.name


def placing_lines(tournament: Tournament, cut: Cut, me: Player | None = None) -> list[PlacingLine]:
    """Return all places, winner first. Players outside the cut follow in Swiss order."""
    in_cut = [_placing(rank, cut.placed(rank), cut, me) for rank in range(1, len(cut.entries) + 1)]
    snapshot = queries.newest_snapshot(tournament)
    rows = queries.standing_rows(snapshot).order_by("rank") if snapshot else []
    behind = [row for row in rows if row.registration.number not in cut.registrations]
    return in_cut + [
        _placing_of(rank, f"Swiss, place {row.rank}", row.registration, me)
        for rank, row in enumerate(behind, start=len(in_cut) + 1)
    ]


def place_with_cut(tournament: Tournament, number: int) -> PlacingLine | None:
    """Return the player's place with the cut; None while it is undecided or without a public cut.

    Same result as `placing_lines`, but reads only the cut and one line of the standings.
    """
    stage = queries.cut_of_event(tournament)
    if stage is None or not queries.cut_has_begun(stage):
        return None
    cut = cut_of(stage)
    if number in cut.registrations:
        ranks = range(1, len(cut.entries) + 1)
        lines = (_placing(rank, cut.placed(rank), cut, None) for rank in ranks)
        return next((line for line in lines if line.number == number), None)
    snapshot = queries.newest_snapshot(tournament)
    rows = queries.standing_rows(snapshot) if snapshot else Standing.objects.none()
    row = rows.filter(registration__number=number).first()
    if row is None:
        return None
    ahead = rows.filter(rank__lt=row.rank).exclude(registration__number__in=cut.registrations)
    rank = len(cut.entries) + ahead.count() + 1
    return _placing_of(rank, f"Swiss, place {row.rank}", row.registration, None)


def places_with_cut(tournament: Tournament) -> dict[int, int]:
    """Return the decided places by number in the event; empty without a public cut."""
    lines = _public_lines(tournament)
    return {line.number: line.rank for line in lines if line.number is not None}


def _public_lines(tournament: Tournament) -> list[PlacingLine]:
    stage = queries.cut_of_event(tournament)
    if stage is None or not queries.cut_has_begun(stage):
        return []
    return placing_lines(tournament, cut_of(stage))


def _placing(rank: int, player: Registration | None, cut: Cut, me: Player | None) -> PlacingLine:
    if player is None:
        return PlacingLine(rank, "Still open")
    return _placing_of(rank, f"Cut, seed {cut.seeds[player.number]}", player, me)


def _placing_of(rank: int, why: str, registration: Registration, me: Player | None) -> PlacingLine:
    player = registration.player
    return PlacingLine(
        rank=rank,
        why=why,
        name=player.name,
        pronouns=player.pronouns,
        number=registration.number,
        is_me=me is not None and me.pk == player.pk,
    )


@dataclass(frozen=True)
class CutLineDraw:
    """Players tied on everything but the random draw, on both sides of a cut line."""

    inside: tuple[Player, ...]
    outside: tuple[Player, ...]


def cut_line_draw(tournament: Tournament, inside: Collection[int]) -> CutLineDraw | None:
    """Return the random draw that decides a cut of these players, given by number, or None.

    Players who have left the event cannot be in a cut, so they are ignored.
    """
    return _draw_among(_present_rows(queries.newest_snapshot(tournament)), inside)


def planned_cut_draw(tournament: Tournament) -> CutLineDraw | None:
    """Return the random draw that decides the planned cut.

    None before the last round before the cut is closed.
    """
    if tournament.planned_cut is None or tournament.is_finished:
        return None
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None or snapshot.round.number < queries.round_target(tournament):
        return None
    rows = _present_rows(snapshot)
    size = queries.planned_cut_of(tournament, len(rows))
    return _draw_among(rows, [row.registration.number for row in rows[:size]]) if size else None


def _present_rows(snapshot: StandingSnapshot | None) -> list[Standing]:
    rows = queries.standing_rows(snapshot) if snapshot else ()
    return [row for row in rows if row.registration.is_active]


def _draw_among(rows: Sequence[Standing], inside: Collection[int]) -> CutLineDraw | None:
    last = next((row for row in reversed(rows) if row.registration.number in inside), None)
    if last is None:
        return None
    tied = [row.registration for row in rows if _without_draw(row) == _without_draw(last)]
    draw = CutLineDraw(
        inside=tuple(entry.player for entry in tied if entry.number in inside),
        outside=tuple(entry.player for entry in tied if entry.number not in inside),
    )
    return draw if draw.outside else None


def made_cut_draw(stage: Stage) -> CutLineDraw | None:
    """Return the random draw that decided a cut; None if its seeds were changed by hand."""
    if queries.declined_entries(stage) or queries.cut_changes(stage):
        return None
    seeded = [entry.registration.number for entry in queries.cut_entries(stage)]
    snapshot = queries.newest_snapshot(stage.tournament)
    # Players of the cut stay in the comparison after they drop.
    rows = [
        row
        for row in (queries.standing_rows(snapshot) if snapshot else ())
        if row.registration.is_active or row.registration.number in seeded
    ]
    best = [row.registration.number for row in rows[: len(seeded)]]
    return _draw_among(rows, seeded) if seeded == best else None


def _without_draw(row: Standing) -> tuple[Points, dict[str, str | None]]:
    known = {id_: value for id_, value in row.tie_breakers.items() if id_ != "lot"}
    return row.match_points, known


@dataclass(frozen=True)
class Opponent:
    number: int
    name: str


@dataclass(frozen=True)
class SumTerm:
    """A summand: figure, round and opponents (none for a bye)."""

    text: str
    round: int
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True)
class Sum:
    """The calculation of a tie-breaker: (terms) / divisor = exact = result."""

    id: str
    heading: str
    name: str
    explanation: str
    terms: tuple[SumTerm, ...]
    divisor: int | None
    exact: str
    result: str


def sums(registration: Registration, snapshot: StandingSnapshot) -> list[Sum]:
    """Return the calculation of the player's tie-breakers in order, for these stored standings.

    Empty for a player outside the standings, and while a corrected round is not yet counted in
    them. Reads only the player's own rounds and the lines of their opponents. Tie-breakers that
    compare whole histories (`can_explain_stored`) require all rounds.
    """
    tournament = registration.tournament
    breakers = tie_breakers_of(tournament)
    if not can_explain_stored(breakers):
        return all_sums(tournament, snapshot.round).get(registration.number, [])
    tables = queries.closed_tables_of(registration, snapshot.round)
    record = field.history_of(tables).record(registration)
    involved = {registration.number} | {opponent for _, opponent in record.meetings()}
    rows, names = queries.stored_figures(snapshot, involved)
    if rows.keys() != involved:
        return []
    worked = explain_stored(record, rows, breakers)
    return [_sum(working, names) for working in worked if working.result is not None]


def all_sums(tournament: Tournament, up_to: Round) -> dict[int, list[Sum]]:
    """Return the calculations after a closed round by player number.

    A constant number of queries.
    """
    records = field.records(tournament, up_to)
    names = dict(tournament.registrations.values_list("number", "player__name"))
    breakers = tie_breakers_of(tournament)
    worked = explain_all(records, breakers, seed=tournament.seed)
    return {
        int(player): [_sum(working, names) for working in sums if working.result is not None]
        for player, sums in worked.items()
    }


def _sum(working: Working, names: dict[int, str]) -> Sum:
    breaker = TIE_BREAKERS[working.tie_breaker]
    result = working.result if working.result is not None else Fraction(0)
    return Sum(
        id=working.tie_breaker,
        heading=working.heading,
        name=working.name,
        explanation=breaker.explanation,
        terms=tuple(_term(term, names) for term in working.terms),
        divisor=working.divisor,
        exact=str(result),
        result=as_decimal(result) if breaker.is_mean else str(result),
    )


def _term(term: Term, names: dict[int, str]) -> SumTerm:
    opponents = tuple(Opponent(int(number), names[int(number)]) for number in term.opponents)
    return SumTerm(term.text, term.round, opponents)


def placed_lines(tournament: Tournament, snapshot: StandingSnapshot) -> list[StandingLine]:
    """Return the stored standings, reordered by the places that a cut has decided since."""
    places = places_with_cut(tournament)
    lines = standings_table(tournament, snapshot).lines
    placed = [line._replace(rank=places.get(line.number, line.rank)) for line in lines]
    return sorted(placed, key=lambda line: line.rank)


def standings_texts(tournament: Tournament) -> list[str]:
    """Return the newest standings as chat messages; empty before round 1 is closed.

    Places decided by a cut replace the Swiss ranks.
    """
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return []
    after_round = f"Standings after round {snapshot.round.number}"
    title = "Final standings" if tournament.is_finished else after_round
    heading = f"**{title}: {escaped(tournament.name)}**"
    lines = (
        f"**{line.rank}** {escaped(line.name)}, {line.match_points} points"
        for line in placed_lines(tournament, snapshot)
    )
    return pieces(heading, lines)
