"""Drafts for the organiser: tables, points, reasons and costs, and changes by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil

from django.utils.translation import gettext as _

from engine.pairing.costs import PROFILES, swiss_profile
from engine.pairing.records import Entrant, PairingReason
from engine.pairing.warnings import (
    bye_warnings,
    manual_cost,
    round_warnings,
    table_warnings,
    widest_gap,
)
from matches.scoring.results import Role
from matches.scoring.rules import scoring_rule
from tournaments.event.engine_input import (
    ClosedResults,
    closed_results,
    stage_avoids_second_meetings,
)
from tournaments.models import Pairing, Registration, Round, Stage
from tournaments.rounds import pages
from tournaments.rounds.reasons import reason_html, stored_reason


@dataclass(frozen=True)
class DraftSeat:
    registration: Registration
    match_points: int
    byes: int
    # In game 1; None for a player of a cut who still `chooses`.
    role: Role | None = None
    met_before: bool = False
    # "down" or "up" if two players have different points.
    floats: str = ""
    # Corp minus Runner games, if a match is one game.
    balance: int | None = None
    # In a cut.
    seed: int | None = None
    chooses: bool = False

    @property
    def notes(self) -> list[str]:
        """The player's history, as far as it matters for this table."""
        notes = []
        if self.floats:
            notes.append(_("plays down") if self.floats == "down" else _("plays up"))
        if self.byes:
            notes.append(_("had a bye"))
        if self.met_before:
            notes.append(_("they have played before"))
        if self.balance is not None:
            balance = f"{self.balance:+d}" if self.balance else "0"
            notes.append(_("%(balance)s Corp minus Runner games") % {"balance": balance})
        return notes


@dataclass(frozen=True)
class DraftRow:
    """A table, or a bye with one seat."""

    pairing: Pairing
    seats: tuple[DraftSeat, ...]
    reasons: tuple[str, ...]
    # Rules broken by a row made by hand.
    warnings: tuple[str, ...] = ()
    # The parts of its cost.
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def point_gap(self) -> int:
        """Difference in points of two opponents; 0 in a cut, in pods and for a bye."""
        points = [seat.match_points for seat in self.seats if seat.floats]
        return max(points) - min(points) if points else 0

    @property
    def is_repeat(self) -> bool:
        if self.pairing.match is None:
            return self.seats[0].byes > 0
        return any(seat.met_before for seat in self.seats)

    @property
    def is_fixed(self) -> bool:
        number = self.pairing.table_number
        return number is not None and any(
            seat.registration.fixed_table == number for seat in self.seats
        )

    @property
    def cost(self) -> tuple[str, ...]:
        return pages.cost_in_words(self.parts, self.point_unit)

    @property
    def point_unit(self) -> int:
        return self.pairing.match.rule.point_unit if self.pairing.match else 1


@dataclass(frozen=True)
class DraftPage:
    tables: tuple[DraftRow, ...]
    byes: tuple[DraftRow, ...]
    relaxations: tuple[str, ...]
    certificate: tuple[tuple[str, str], ...] = ()
    gone: tuple[Registration, ...] = field(default=())
    arrived: tuple[Registration, ...] = field(default=())
    # The system pairs by cost and random draw, so the rest can be re-paired.
    can_be_drawn: bool = True
    # The bracket of a cut decides the pairings.
    is_fixed: bool = False
    # A result it depends on has changed, so it cannot be published.
    results_changed: bool = False
    has_cost: bool = True
    # Sides and a bracket reset explained, in a cut.
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[DraftRow, ...]:
        return (*self.tables, *self.byes)

    @property
    def seats(self) -> list[DraftSeat]:
        seats = [seat for row in self.rows for seat in row.seats]
        return sorted(seats, key=lambda seat: seat.registration.player.sort_key)

    @property
    def cost(self) -> tuple[str, ...]:
        unit = max((row.point_unit for row in self.tables), default=1)
        return pages.cost_in_words(pages.total_cost(row.parts for row in self.rows), unit)

    @property
    def has_roles(self) -> bool:
        return any(seat.role or seat.chooses for row in self.tables for seat in row.seats)

    @property
    def has_side_columns(self) -> bool:
        """The first player of every table is Corp in game 1, the second is Runner."""
        return self.has_roles and not self.is_fixed

    @property
    def has_point_gaps(self) -> bool:
        """True if the tables have two players each, whose points can be compared."""
        return self.has_cost and all(len(row.seats) == 2 for row in self.tables)

    @property
    def tables_with_gap(self) -> int:
        return sum(row.point_gap > 0 for row in self.tables)

    @property
    def rematches(self) -> int:
        return sum(row.is_repeat for row in self.tables)

    @property
    def second_byes(self) -> int:
        return sum(row.is_repeat for row in self.byes)

    @property
    def has_warnings(self) -> bool:
        return any(row.warnings for row in self.rows)

    @property
    def can_be_published(self) -> bool:
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
    past: ClosedResults
    # By number in the event; empty outside a cut.
    seeds: Mapping[int, int | None]
    # Players of the round by number in the event.
    entrants: Mapping[int, Entrant]

    @property
    def is_one_game(self) -> bool:
        return self.stage.system == "single"

    @cached_property
    def avoids_second_meetings(self) -> bool:
        return stage_avoids_second_meetings(self.stage, self.past, self.entrants)

    @property
    def has_roles(self) -> bool:
        return scoring_rule(self.stage.scoring_rule).has_roles

    @cached_property
    def names(self) -> dict[int | str, str]:
        return {entry.number: entry.player.name for entry in self.registrations.values()}

    def players(self, pairing: Pairing) -> list[Entrant]:
        return [self.entrants[entry.number] for entry in self.seated(pairing)]

    def seated(self, pairing: Pairing) -> list[Registration]:
        return [self.registrations[player] for player in pairing.players]

    def warnings(self, players: Sequence[Entrant]) -> tuple[PairingReason, ...]:
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
        if self.stage.system not in PROFILES or len(players) > 2:
            return {}
        profile = swiss_profile(
            self.stage.system, avoids_second_meetings=self.avoids_second_meetings
        )
        return manual_cost(players, list(self.entrants.values()), profile)


def draft_facts(round_: Round, pairings: Iterable[Pairing]) -> DraftFacts:
    """Fetch the shared data of the rows; a constant number of queries."""
    tournament = round_.stage.tournament
    registrations = {entry.player_id: entry for entry in tournament.roster()}
    past = closed_results(tournament)
    seated = {player for pairing in pairings for player in pairing.players}
    entrants = {
        entry.number: past.entrant(entry)
        for entry in registrations.values()
        if entry.is_active or entry.player_id in seated
    }
    seeds = {}
    if round_.is_in_cut:
        cut = round_.stage.entries.accepted()
        seeds = {entry.registration.number: entry.seed for entry in cut}
    return DraftFacts(round_.stage, round_.number, registrations, past, seeds, entrants)


def draft_page(round_: Round) -> DraftPage:
    pairings = list(round_.pairings.with_players())
    for pairing in pairings:
        pairing.round = round_
    draft = draft_facts(round_, pairings)
    rows = [_draft_row(draft, pairing) for pairing in pairings]
    gone, arrived = round_.changes_since_draft()
    return DraftPage(
        tables=tuple(row for row in rows if row.pairing.match is not None),
        byes=tuple(row for row in rows if row.pairing.match is None),
        relaxations=tuple(reason_html(reason, draft.names) for reason in round_.relaxations),
        certificate=_certificate_lines(round_),
        gone=tuple(gone),
        arrived=tuple(arrived),
        can_be_drawn=round_.stage.way.is_drawn,
        is_fixed=round_.is_in_cut,
        results_changed=round_.results_changed_since_draft(),
        has_cost=_has_cost(round_),
        notes=tuple(pages.cut_round_notes(round_, pairings)),
    )


def _has_cost(round_: Round) -> bool:
    # Round 1 is a random draw: there are no points or opponents yet.
    return round_.stage.way.is_drawn and round_.number > 1


def _certificate_lines(round_: Round) -> tuple[tuple[str, str], ...]:
    stored = round_.certificate
    if not stored:
        return ()
    cost = ", ".join(pages.cost_in_words(stored.get("cost") or {})) or "0"
    return (
        (_("Seed"), str(stored.get("seed", round_.seed))),
        (_("Engine version"), str(stored.get("engine_version", ""))),
        *(((_("Cost"), cost),) if _has_cost(round_) else ()),
        (_("Document (SHA-256)"), str(stored.get("document", ""))),
        (_("Certificate (SHA-256)"), str(stored.get("digest", ""))),
    )


def _draft_row(draft: DraftFacts, pairing: Pairing) -> DraftRow:
    players = draft.players(pairing)
    warnings: tuple[str, ...] = ()
    parts: Mapping[str, int] = pairing.cost
    if pairing.made_by_hand:
        warnings = _warning_html(draft, draft.warnings(players))
        parts = draft.price(players)
    seat = _cut_seat if draft.stage.is_cut else _draft_seat
    seats = tuple(seat(draft, pairing, place, players) for place in range(len(players)))
    reasons = tuple(reason_html(reason, draft.names) for reason in pairing.reasons)
    return DraftRow(pairing, seats, reasons, warnings, parts)


def _warning_html(draft: DraftFacts, warnings: Iterable[PairingReason]) -> tuple[str, ...]:
    return tuple(reason_html(stored_reason(warning), draft.names) for warning in warnings)


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


def _draft_seat(
    draft: DraftFacts, pairing: Pairing, place: int, players: Sequence[Entrant]
) -> DraftSeat:
    me, registration = players[place], draft.seated(pairing)[place]
    opponents = [player for player in players if player.id != me.id]
    is_two = len(players) == 2
    floats = ""
    if is_two and me.match_points != opponents[0].match_points:
        floats = "down" if me.match_points > opponents[0].match_points else "up"
    return DraftSeat(
        registration,
        me.match_points,
        me.byes,
        role=(Role.CORP, Role.RUNNER)[place] if is_two and draft.has_roles else None,
        met_before=any(player.id in me.roles_against for player in opponents),
        floats=floats,
        balance=me.balance if draft.is_one_game else None,
    )


# Changes by hand: broken rules and point gaps.

# Player numbers by table, in the order of the seats.
SeatsByTable = Mapping[int, Sequence[int]]
SeatedTables = Sequence[tuple[Pairing, Sequence[Entrant]]]


@dataclass(frozen=True)
class ManualDraft:
    """The current draft: editable tables and byes, locked ones, and available players."""

    facts: DraftFacts
    locked: tuple[Pairing, ...]
    tables: Mapping[int, tuple[int, ...]]
    byes: tuple[int, ...]
    # Players at no locked table, by number, sorted by name.
    free: Mapping[int, Registration]

    @property
    def seats(self) -> int:
        return scoring_rule(self.facts.stage.scoring_rule).max_seats

    @property
    def has_roles(self) -> bool:
        return self.facts.has_roles

    @property
    def points(self) -> Mapping[int, int]:
        entrants = self.facts.entrants
        return {int(number): entrant.match_points for number, entrant in entrants.items()}

    @property
    def empty_tables(self) -> int:
        """Number of tables needed for players without a place, at least 1."""
        seated = {number for table in self.tables.values() for number in table} | {*self.byes}
        return max(1, ceil(len(self.free.keys() - seated) / self.seats))

    def first_free_number(self) -> int:
        taken = [*self.tables, *(pairing.table_number or 0 for pairing in self.locked)]
        return max(taken, default=0) + 1


def manual_draft(round_: Round) -> ManualDraft:
    """Fetch the data for pairing by hand; a constant number of queries."""
    pairings = list(round_.pairings.with_players())
    draft = draft_facts(round_, pairings)
    locked = tuple(pairing for pairing in pairings if pairing.is_locked)
    loose = [pairing for pairing in pairings if not pairing.is_locked]
    taken = {entry.number for pairing in locked for entry in draft.seated(pairing)}
    return ManualDraft(
        facts=draft,
        locked=locked,
        tables={
            pairing.table_number: tuple(entry.number for entry in draft.seated(pairing))
            for pairing in loose
            if pairing.table_number is not None
        },
        byes=tuple(pairing.bye.number for pairing in loose if pairing.bye is not None),
        free={
            entry.number: entry
            for entry in draft.registrations.values()
            if entry.is_active and entry.number not in taken
        },
    )


def manual_warnings(
    manual: ManualDraft, tables: SeatsByTable, byes: Sequence[int]
) -> tuple[str, ...]:
    """Return the rules that these tables and byes would break, and the players left over."""
    draft = manual.facts
    kept = [entry.number for pairing in manual.locked for entry in draft.seated(pairing)]
    seated = [*kept, *byes, *(number for table in tables.values() for number in table)]
    reasons = list(
        round_warnings([draft.entrants[number] for number in (*manual.free, *kept)], seated)
    )
    for number, players in tables.items():
        if len(players) == 1:
            reasons.append(PairingReason("alone", tuple(players), "alone", {"table": number}))
        else:
            reasons += draft.warnings([draft.entrants[player] for player in players])
    for bye in byes:
        reasons += draft.warnings([draft.entrants[bye]])
    return _warning_html(draft, reasons)


def manual_gaps(manual: ManualDraft, tables: SeatsByTable) -> tuple[str, ...]:
    gaps = {
        number: widest_gap([manual.facts.entrants[player] for player in players])
        for number, players in tables.items()
    }
    return tuple(
        _("table %(table)d: %(gap)s apart") % {"table": number, "gap": gap}
        for number, gap in gaps.items()
        if gap
    )


@dataclass(frozen=True)
class SwapPreview:
    """Effects of a swap: rules broken and resolved, point gaps, and notes on locked tables."""

    first: Registration
    second: Registration
    broken: tuple[str, ...]
    resolved: tuple[str, ...]
    gaps: tuple[str, ...]
    locked: tuple[str, ...] = ()

    @property
    def requires_confirmation(self) -> bool:
        return bool(self.broken or self.locked)

    @property
    def key(self) -> str:
        """Identify the two players, so that a confirmation is valid for this swap only."""
        return "-".join(str(number) for number in sorted((self.first.number, self.second.number)))


def swap_preview(round_: Round, first: Registration, second: Registration) -> SwapPreview | None:
    """Compare the tables before and after the swap; None if nothing changes."""
    pairings = list(round_.pairings.with_players())
    draft = draft_facts(round_, pairings)
    touched = [
        pairing
        for pairing in pairings
        if {first.number, second.number} & {entry.number for entry in draft.seated(pairing)}
    ]
    tables = [(pairing, draft.players(pairing)) for pairing in touched]
    seated = {player.id for _, players in tables for player in players}
    if first.number == second.number or not {first.number, second.number} <= seated:
        return None
    trade = {
        first.number: draft.entrants[second.number],
        second.number: draft.entrants[first.number],
    }
    swapped = [
        (pairing, [trade.get(int(player.id), player) for player in players])
        for pairing, players in tables
    ]
    before, after = _warnings_by_subject(draft, tables), _warnings_by_subject(draft, swapped)
    at = {int(player.id): pairing for pairing, players in tables for player in players}
    old, new = at[first.number], at[second.number]
    moves = [(first, old, new), (second, new, old)]
    return SwapPreview(
        first,
        second,
        broken=(*_warning_sentences(draft, after, but_not=before), *_fixed_tables_left(moves)),
        resolved=_warning_sentences(draft, before, but_not=after),
        gaps=tuple(_gap_changes(tables, swapped)),
        locked=tuple(_lock_notes(touched)),
    )


def _warnings_by_subject(draft: DraftFacts, tables: SeatedTables) -> Mapping[object, PairingReason]:
    # The order of players matters for roles, but not for a rematch.
    return {
        (
            reason.kind,
            reason.players if reason.kind == "same_roles" else frozenset(reason.players),
        ): reason
        for _, players in tables
        for reason in draft.warnings(players)
    }


def _warning_sentences(
    draft: DraftFacts,
    warnings: Mapping[object, PairingReason],
    *,
    but_not: Mapping[object, PairingReason],
) -> tuple[str, ...]:
    return _warning_html(draft, [warnings[key] for key in warnings if key not in but_not])


def _fixed_tables_left(moves: Iterable[tuple[Registration, Pairing, Pairing]]) -> Iterator[str]:
    """Yield a note for each (player, old table, new table) that leaves a fixed table."""
    for entry, old, new in moves:
        has_it = entry.fixed_table is not None and entry.fixed_table == old.table_number
        if has_it and new != old:
            yield _("%(player)s would leave table %(table)d, their fixed table.") % {
                "player": entry.player,
                "table": entry.fixed_table,
            }


def _lock_notes(pairings: Iterable[Pairing]) -> Iterator[str]:
    for pairing in pairings:
        if pairing.is_locked and pairing.bye is not None:
            yield _("This bye is locked; it stays locked for the other player.")
        elif pairing.is_locked:
            yield _("Table %(table)d is locked; it stays locked with the new player.") % {
                "table": pairing.table_number
            }


def _gap_changes(before: SeatedTables, after: SeatedTables) -> list[str]:
    gaps = []
    for (pairing, old), (_pairing, new) in zip(before, after, strict=True):
        was, becomes = widest_gap(old), widest_gap(new)
        if pairing.match is not None and was != becomes:
            gaps.append(
                _("Table %(table)d: the point gap goes from %(was)s to %(becomes)s.")
                % {"table": pairing.table_number, "was": was, "becomes": becomes}
            )
    return gaps
