"""A draft for its organiser: tables, points, reasons and costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine.pairing import PROFILES, Entrant, Reason, swiss_profile
from engine.pairing.warnings import bye_warnings, price, table_warnings
from matches.scoring import Role, scoring_rule
from tournaments.event import queries
from tournaments.event.field import History, history, stage_avoids_second_meetings
from tournaments.models import Pairing, Registration, Round, Stage
from tournaments.rounds.pages import reasons
from tournaments.rounds.pages.reasons import sentence, stored_sentences


@dataclass(frozen=True)
class DraftSeat:
    """A player of the draft; `role` is the role in game 1, or None.

    `floats` is "down" or "up" if two players have different points. `balance` is Corp minus Runner
    games if a match is one game. In a cut a player has a `seed` and no Swiss data; a player who
    `chooses` a side has no role yet.
    """

    registration: Registration
    match_points: int
    byes: int
    role: Role | None = None
    met_before: bool = False
    floats: str = ""
    balance: int | None = None
    seed: int | None = None
    chooses: bool = False


@dataclass(frozen=True)
class DraftRow:
    """A table, or a bye with one seat.

    `reasons` are the engine's sentences; `warnings` are the rules that a row made by hand breaks;
    `parts` are the parts of its cost as numbers.
    """

    pairing: Pairing
    seats: tuple[DraftSeat, ...]
    reasons: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def cost(self) -> tuple[str, ...]:
        return reasons.cost_in_words(self.parts, self.point_unit)

    @property
    def is_float(self) -> bool:
        return any(seat.floats for seat in self.seats)

    @property
    def is_repeat(self) -> bool:
        """Return True for a rematch, or a bye of a player who had one before."""
        if self.pairing.match is None:
            return self.seats[0].byes > 0
        return any(seat.met_before for seat in self.seats)

    @property
    def is_fixed(self) -> bool:
        """Return True if this is the fixed table of one of its players."""
        number = self.pairing.table_number
        return number is not None and any(
            seat.registration.fixed_table == number for seat in self.seats
        )

    @property
    def point_unit(self) -> int:
        """Engine units per point in the cost."""
        return self.pairing.match.rule.point_unit if self.pairing.match else 1


@dataclass(frozen=True)
class DraftPage:
    """The whole draft; `relaxations` are the rules that were relaxed.

    `can_be_drawn`: the system pairs by cost and random draw, so the rest can be re-paired.
    `has_cost`: the round is one with costs. `is_fixed`: the bracket of a cut decides the pairings.
    `results_changed`: a result it depends on was changed since, so it cannot be published.
    """

    tables: tuple[DraftRow, ...]
    byes: tuple[DraftRow, ...]
    relaxations: tuple[str, ...]
    certificate: tuple[tuple[str, str], ...] = ()
    gone: tuple[Registration, ...] = field(default=())
    arrived: tuple[Registration, ...] = field(default=())
    can_be_drawn: bool = True
    is_fixed: bool = False
    results_changed: bool = False
    has_cost: bool = True

    @property
    def rows(self) -> tuple[DraftRow, ...]:
        return (*self.tables, *self.byes)

    @property
    def seats(self) -> list[DraftSeat]:
        """All players by name, for the choice of two to swap."""
        seats = [seat for row in self.rows for seat in row.seats]
        return sorted(seats, key=lambda seat: seat.registration.player.sort_key)

    @property
    def cost(self) -> tuple[str, ...]:
        """Current cost of the whole round, as text."""
        unit = max((row.point_unit for row in self.tables), default=1)
        return reasons.cost_in_words(reasons.total_cost(row.parts for row in self.rows), unit)

    @property
    def has_roles(self) -> bool:
        return any(seat.role or seat.chooses for row in self.tables for seat in row.seats)

    @property
    def can_be_published(self) -> bool:
        """Return True if no change since the draft requires a new one."""
        return bool(self.rows) and not (self.gone or self.arrived or self.results_changed)

    @property
    def locked(self) -> int:
        return sum(row.pairing.is_locked for row in self.rows)

    @property
    def made_by_hand(self) -> int:
        return sum(row.pairing.made_by_hand for row in self.rows)


@dataclass(frozen=True)
class DraftFacts:
    """Data shared by all rows of a draft: players and their history."""

    stage: Stage
    round_number: int
    # By player.
    registrations: Mapping[int, Registration]
    past: History
    # By number in the event; empty outside a cut.
    seeds: Mapping[int, int | None]
    # Players of the round by number in the event.
    entrants: Mapping[int, Entrant]

    @property
    def is_one_game(self) -> bool:
        """Return True if a match is one game, so that sides must balance over the event."""
        return self.stage.system == "single"

    @cached_property
    def avoids_second_meetings(self) -> bool:
        return stage_avoids_second_meetings(self.stage, self.past, self.entrants)

    @property
    def has_roles(self) -> bool:
        return scoring_rule(self.stage.scoring_rule).has_roles

    @property
    def names(self) -> dict[int | str, str]:
        return {entry.number: entry.player.name for entry in self.registrations.values()}

    def players(self, pairing: Pairing) -> list[Entrant]:
        """Return the players in the order of the seats, or the player with the bye."""
        return [self.entrants[entry.number] for entry in self.seated(pairing)]

    def seated(self, pairing: Pairing) -> list[Registration]:
        return [self.registrations[player] for player in pairing.players]

    def warnings(self, players: Sequence[Entrant]) -> tuple[Reason, ...]:
        """Return the rules that these players would break at one table, or with a bye if alone."""
        if len(players) == 1:
            return bye_warnings(players[0], list(self.entrants.values()))
        return table_warnings(
            players,
            self.past.rounds_met,
            by_sides=self.is_one_game,
            round_number=self.round_number,
        )

    def price(self, players: Sequence[Entrant]) -> Mapping[str, int]:
        """Return the cost of the table by the profile of the stage; empty without a profile."""
        if self.stage.system not in PROFILES or len(players) > 2:
            return {}
        profile = swiss_profile(
            self.stage.system, avoids_second_meetings=self.avoids_second_meetings
        )
        return price(players, list(self.entrants.values()), profile)


def draft_facts(round_: Round, pairings: Iterable[Pairing]) -> DraftFacts:
    """Fetch the shared data of the rows; a constant number of queries."""
    tournament = round_.stage.tournament
    registrations = {entry.player_id: entry for entry in queries.roster(tournament)}
    past = history(tournament)
    seated = {player for pairing in pairings for player in pairing.players}
    entrants = {
        entry.number: past.entrant(entry)
        for entry in registrations.values()
        if entry.is_active or entry.player_id in seated
    }
    seeds = {}
    if round_.stage.way.is_elimination:
        cut = queries.cut_entries(round_.stage)
        seeds = {entry.registration.number: entry.seed for entry in cut}
    return DraftFacts(round_.stage, round_.number, registrations, past, seeds, entrants)


def draft_page(round_: Round) -> DraftPage:
    """Build the page of a draft; a constant number of queries."""
    pairings = list(queries.pairings_by_table(round_))
    for pairing in pairings:
        pairing.round = round_
    draft = draft_facts(round_, pairings)
    rows = [_row(draft, pairing) for pairing in pairings]
    gone, arrived = queries.changes_since_draft(round_)
    way = round_.stage.way
    return DraftPage(
        tables=tuple(row for row in rows if row.pairing.match is not None),
        byes=tuple(row for row in rows if row.pairing.match is None),
        relaxations=stored_sentences(round_.relaxations, draft.names),
        certificate=_certificate(round_),
        gone=tuple(gone),
        arrived=tuple(arrived),
        can_be_drawn=way.is_drawn,
        is_fixed=way.is_elimination,
        results_changed=queries.results_changed_since_draft(round_),
        has_cost=_has_cost(round_),
    )


def _has_cost(round_: Round) -> bool:
    # Round 1 is a random draw: there are no points or opponents yet.
    return round_.stage.way.is_drawn and round_.number > 1


def _row(draft: DraftFacts, pairing: Pairing) -> DraftRow:
    players = draft.players(pairing)
    warnings: tuple[str, ...] = ()
    parts: Mapping[str, int] = pairing.cost
    if pairing.made_by_hand:
        warnings = tuple(sentence(found, draft.names) for found in draft.warnings(players))
        parts = draft.price(players)
    seat = _cut_seat if draft.stage.way.is_elimination else _seat
    seats = tuple(seat(draft, pairing, place, players) for place in range(len(players)))
    reasons = stored_sentences(pairing.reasons, draft.names)
    return DraftRow(pairing, seats, reasons, warnings, parts)


def _cut_seat(
    draft: DraftFacts, pairing: Pairing, place: int, players: Sequence[Entrant]
) -> DraftSeat:
    # The bracket alone pairs a cut, so points, floats and rematches do not matter.
    me, registration = players[place], draft.seated(pairing)[place]
    has_role = draft.has_roles and not pairing.has_open_choice
    return DraftSeat(
        registration,
        me.match_points,
        byes=0,
        role=(Role.CORP, Role.RUNNER)[place] if has_role else None,
        seed=draft.seeds.get(registration.number),
        chooses=pairing.has_open_choice and pairing.chooser_number == registration.number,
    )


def _seat(draft: DraftFacts, pairing: Pairing, place: int, players: Sequence[Entrant]) -> DraftSeat:
    me, registration = players[place], draft.seated(pairing)[place]
    others = [player for player in players if player.id != me.id]
    is_two = len(players) == 2
    return DraftSeat(
        registration,
        me.match_points,
        me.byes,
        role=(Role.CORP, Role.RUNNER)[place] if is_two and draft.has_roles else None,
        met_before=any(other.id in me.roles_against for other in others),
        floats=_floats(me, others[0]) if is_two else "",
        balance=me.balance if draft.is_one_game else None,
    )


def _floats(me: Entrant, other: Entrant) -> str:
    if me.match_points == other.match_points:
        return ""
    return "down" if me.match_points > other.match_points else "up"


def _certificate(round_: Round) -> tuple[tuple[str, str], ...]:
    """Return the data needed to reproduce the draft."""
    stored = round_.certificate
    if not stored:
        return ()
    cost = ", ".join(reasons.cost_in_words(stored.get("cost") or {})) or "0"
    return (
        ("Seed", str(stored.get("seed", round_.seed))),
        ("Engine version", str(stored.get("engine_version", ""))),
        *((("Cost", cost),) if _has_cost(round_) else ()),
        ("Document (SHA-256)", str(stored.get("document", ""))),
        ("Certificate (SHA-256)", str(stored.get("digest", ""))),
    )
