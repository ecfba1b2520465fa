"""A draft as its organiser reads it: who meets, with which points, why, and at what price."""

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
    """A player of the draft; `role` is that of game 1, None where there is none.

    `floats` is "down" or "up" for one of two with different points. `balance` is Corp minus
    Runner games where a match is one game. In a cut a player has a `seed`, and what a Swiss
    pairing weighs is left out; a player who still `chooses` a side has no role.
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

    `reasons` are the engine's sentences; `warnings` say what a row made by hand breaks; `cost`
    holds its parts in words, and `parts` the same as numbers.
    """

    pairing: Pairing
    seats: tuple[DraftSeat, ...]
    reasons: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def cost(self) -> tuple[str, ...]:
        """The parts in words."""
        return reasons.cost_in_words(self.parts, self.point_unit)

    @property
    def is_float(self) -> bool:
        """Whether its players come with different points."""
        return any(seat.floats for seat in self.seats)

    @property
    def is_repeat(self) -> bool:
        """Whether some of them have met before, or have had a bye before this one."""
        if self.pairing.match is None:
            return self.seats[0].byes > 0
        return any(seat.met_before for seat in self.seats)

    @property
    def is_fixed(self) -> bool:
        """Whether it is the fixed table of one of its players."""
        number = self.pairing.table_number
        return number is not None and any(
            seat.registration.fixed_table == number for seat in self.seats
        )

    @property
    def point_unit(self) -> int:
        """How many parts of its cost are a point."""
        return self.pairing.match.rule.point_unit if self.pairing.match else 1


@dataclass(frozen=True)
class DraftPage:
    """The whole draft; `relaxations` say which rules had to give way.

    `can_be_drawn` says that its system pairs by cost and lot, so that the rest can be paired
    anew; `has_cost` that it is one of the rounds that cost something; `is_fixed` that the bracket
    of a cut says who meets; `results_changed` that it was made before a result it stands on was
    changed, and can not be published.
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
        """Tables, then byes."""
        return (*self.tables, *self.byes)

    @property
    def seats(self) -> list[DraftSeat]:
        """Everybody in it, by name, for the choice of two to swap."""
        seats = [seat for row in self.rows for seat in row.seats]
        return sorted(seats, key=lambda seat: seat.registration.player.sort_key)

    @property
    def cost(self) -> tuple[str, ...]:
        """What the whole round costs, as it stands now."""
        unit = max((row.point_unit for row in self.tables), default=1)
        return reasons.cost_in_words(reasons.total_cost(row.parts for row in self.rows), unit)

    @property
    def has_roles(self) -> bool:
        """Whether its tables seat a Corp and a Runner."""
        return any(seat.role or seat.chooses for row in self.tables for seat in row.seats)

    @property
    def can_be_published(self) -> bool:
        """Whether nothing has happened since that it would have to be changed for first."""
        return bool(self.rows) and not (self.gone or self.arrived or self.results_changed)

    @property
    def locked(self) -> int:
        """How many tables and byes are locked."""
        return sum(row.pairing.is_locked for row in self.rows)

    @property
    def made_by_hand(self) -> int:
        """How many rows are not the engine's."""
        return sum(row.pairing.made_by_hand for row in self.rows)


@dataclass(frozen=True)
class DraftFacts:
    """What every row of a draft is made from, asked once: players and their past."""

    stage: Stage
    round_number: int
    registrations: Mapping[int, Registration]
    """By player."""
    past: History
    seeds: Mapping[int, int | None]
    """By number in the event; empty outside a cut."""
    entrants: Mapping[int, Entrant]
    """Those who are in the round, by their number in the event."""

    @property
    def is_one_game(self) -> bool:
        """Whether a match is one game, so that sides must come out even over the event."""
        return self.stage.system == "single"

    @cached_property
    def avoids_second_meetings(self) -> bool:
        """True if the pairing of the round avoids second meetings."""
        return stage_avoids_second_meetings(self.stage, self.past, self.entrants)

    @property
    def has_roles(self) -> bool:
        """Whether players are Corp and Runner."""
        return scoring_rule(self.stage.scoring_rule).has_roles

    @property
    def names(self) -> dict[int | str, str]:
        """The players' names by number."""
        return {entry.number: entry.player.name for entry in self.registrations.values()}

    def players(self, pairing: Pairing) -> list[Entrant]:
        """Who sits here, in the order of the seats, or who has the bye."""
        return [self.entrants[entry.number] for entry in self.seated(pairing)]

    def seated(self, pairing: Pairing) -> list[Registration]:
        """The same as registrations."""
        return [self.registrations[player] for player in pairing.players]

    def warnings(self, players: Sequence[Entrant]) -> tuple[Reason, ...]:
        """What these players at one table, or the bye of one, would break."""
        if len(players) == 1:
            return bye_warnings(players[0], list(self.entrants.values()))
        return table_warnings(
            players,
            self.past.rounds_met,
            by_sides=self.is_one_game,
            round_number=self.round_number,
        )

    def price(self, players: Sequence[Entrant]) -> Mapping[str, int]:
        """What they cost by the profile of the stage; nothing where there is none."""
        if self.stage.system not in PROFILES or len(players) > 2:
            return {}
        profile = swiss_profile(
            self.stage.system, avoids_second_meetings=self.avoids_second_meetings
        )
        return price(players, list(self.entrants.values()), profile)


def draft_facts(round_: Round, pairings: Iterable[Pairing]) -> DraftFacts:
    """Ask for what the rows of this draft are made from; a constant number of queries."""
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
    """Lay the draft out; a constant number of queries."""
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
    """Whether its tables cost something. Round 1 is a draw: nobody has points or opponents yet."""
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
    """A player of a cut: the bracket alone pairs, so points, floats and rematches do not count."""
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
    """What the draft was made from, for whoever wants to make it again."""
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
