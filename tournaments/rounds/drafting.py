"""Draft rounds by the pairing system of their stage, and store them.

Players are identified by their number in the event, as in all engines.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import count
from typing import Any, TypeAlias

from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from engine import table_plan
from engine.bracket.games import NextGame, RolesBy
from engine.pairing import costs, swiss
from engine.pairing.pods import seat_pods
from engine.pairing.records import (
    Entrant,
    LockedBye,
    LockedPod,
    LockedTable,
    PairedBye,
    PairingReason,
)
from engine.pairing.round_robin import round_robin_round
from engine.standings.records import PlayerId, draw_places
from engine.systems import SystemKind
from engine.table_plan import FixedTableClash, TableWish
from matches import services as matches_services
from matches.scoring.results import Role
from matches.scoring.rules import scoring_rule
from players.models import User
from tournaments.event import history, penalties_on_results
from tournaments.event import permissions as event_permissions
from tournaments.event.engine_input import (
    ClosedResults,
    closed_results,
    point_unit,
    stage_avoids_second_meetings,
)
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    Job,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.models.rounds import OPEN_CHOICE
from tournaments.rounds.cut import Cut, games_to_play
from tournaments.rounds.reasons import stored_reasons

# A table of any system, in the order of its seats, or a bye, that is kept unchanged.
KeptPairing: TypeAlias = LockedPod | LockedBye


FIXED_TABLE_TAKEN = "fixed_table_taken"
CUT_CORP_CODES = {
    RolesBy.COUNT: "cut_corp_count",
    RolesBy.LOT: "cut_corp_random",
    RolesBy.FINAL: "cut_corp_reversed",
}


@dataclass(frozen=True)
class DraftRequest:
    stage: Stage
    number: int
    seed: int
    # All players by number, including those at kept tables.
    registrations: tuple[Registration, ...]
    kept: tuple[KeptPairing, ...] = ()

    @cached_property
    def past(self) -> ClosedResults:
        return closed_results(self.stage.tournament)

    @cached_property
    def entrants(self) -> list[Entrant]:
        """The players as engine entrants; points are in units of `point_unit`."""
        unit = point_unit(self.stage.tournament)
        return [self.past.entrant(registration, unit) for registration in self.registrations]


@dataclass(frozen=True)
class NewTable:
    number: int
    # The Corp of game 1 first, if there are roles.
    players: tuple[PlayerId, ...]
    cost: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[PairingReason, ...] = ()
    # A locked table exists already and is not written again.
    locked: bool = False
    bracket_game: int | None = None


@dataclass(frozen=True)
class DraftedRound:
    tables: tuple[NewTable, ...]
    byes: tuple[PairedBye, ...] = ()
    relaxations: tuple[PairingReason, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)


class RoundStillOpen(Refusal):
    """The previous round must be closed first: its results decide the pairings."""


class RightsEnded(Refusal):
    pass


class LockedPlayerLeft(Refusal):
    pass


class NoPlaceInTheOrder(Refusal):
    """A player of the round is missing from the order of the round robin."""


class NotPairedHere(Refusal):
    pass


def draft_round(job: Job) -> None:
    """Make the draft that the job requests. Does nothing if the round exists already.

    payload: {"number": the round, "attempt": number of earlier drafts, "again": the primary key of
    a round to re-pair in part, or None, "by": the primary key of the account that requested it}.
    """
    tournament = history.lock_unfinished(job.tournament)
    if (by := job.payload.get("by")) is not None:
        requester = User.objects.filter(pk=by, is_active=True).first()
        if not event_permissions.can_run(Actor(user=requester), tournament):
            raise RightsEnded(
                _(
                    "The account that requested this draft no longer runs the event. Pair the "
                    "round again."
                )
            )
    number, attempt = job.payload["number"], job.payload.get("attempt", 0)
    seed = round_seed(tournament.seed, number, attempt)
    round_ = tournament.rounds.filter(number=number).first()
    if again := job.payload.get("again"):
        if round_ is not None and round_.pk == again and not round_.is_closed:
            redraft_open_tables(round_, seed)
    elif round_ is None:
        _draft_new_round(tournament, number, seed)


def _draft_new_round(tournament: Tournament, number: int, seed: int) -> None:
    refuse_open_round(tournament, number)
    stage = tournament.current_stage()
    request = DraftRequest(stage, number, seed, registrations=tuple(stage.players_to_pair()))
    drafted = assign_table_numbers(request, draft_by_system(request))
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        state=RoundState.DRAFT,
        seed=seed,
        certificate=dict(drafted.certificate),
        relaxations=stored_reasons(drafted.relaxations),
    )
    write_pairings(round_, drafted, {entry.number: entry for entry in request.registrations})
    after = {"pairings": round_.pairings_for_log()}
    history.record(tournament, NOBODY, LogAction.ROUND_DRAFTED, round_, after=after)


def refuse_open_round(tournament: Tournament, number: int) -> None:
    """Raise RoundStillOpen unless `number` follows the last closed round."""
    latest = tournament.latest_round()
    if latest is not None and not latest.is_closed:
        raise RoundStillOpen(
            _("Close round %(latest)s before you pair round %(number)s.")
            % {"latest": latest.number, "number": number}
        )
    if number != tournament.next_round_number():
        raise RoundStillOpen(
            _("Round %(next)s is next, not round %(number)s. Reload the page.")
            % {"next": tournament.next_round_number(), "number": number}
        )


def round_seed(event_seed: int, number: int, attempt: int) -> int:
    """Return the seed of a draft, 0 <= seed < 2**31, derived from event seed, round and attempt."""
    digest = sha256(f"{event_seed}:{number}:{attempt}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1


def is_kept(pairing: Pairing) -> bool:
    """Return True if this table or bye is kept when the round is re-paired.

    Tables with a reported result are always kept, so that no result is lost.
    """
    return pairing.is_locked or pairing.is_reported


def redraft_open_tables(round_: Round, seed: int) -> None:
    """Re-pair all players who are not at a kept table; the state of the round is unchanged."""
    tournament = round_.stage.tournament
    pairings = list(round_.pairings.with_players())
    kept = [pairing for pairing in pairings if is_kept(pairing)]
    request = _redraft_request(round_, seed, kept)
    drafted = assign_table_numbers(request, draft_by_system(request))
    clear_pairings([pairing for pairing in pairings if not is_kept(pairing)])
    write_pairings(round_, drafted, {entry.number: entry for entry in request.registrations})
    round_.seed, round_.certificate = seed, dict(drafted.certificate)
    round_.relaxations = stored_reasons(drafted.relaxations)
    # Changes before this moment are part of the draft.
    round_.created_at = timezone.now()
    round_.save(update_fields=["seed", "certificate", "relaxations", "created_at"])
    stay = sorted(pairing.table_number for pairing in kept if pairing.table_number)
    after = {"kept_tables": stay, "pairings": round_.pairings_for_log()}
    public = not round_.is_draft
    history.record(
        tournament, NOBODY, LogAction.REST_PAIRED_ANEW, round_, after=after, public=public
    )
    if public:
        penalties_on_results.apply_waiting_penalties(round_)


def _redraft_request(round_: Round, seed: int, kept: Sequence[Pairing]) -> DraftRequest:
    roster = {entry.player_id: entry for entry in round_.stage.tournament.roster()}
    entries = {entry.number: entry for entry in round_.stage.players_to_pair()}
    kept_pairings: list[KeptPairing] = []
    for pairing in kept:
        players = [roster[player] for player in pairing.players]
        gone = [entry for entry in players if not pairing.is_reported and not entry.is_active]
        if gone:
            raise LockedPlayerLeft(
                _("%(player)s has dropped, but %(pairing)s is locked. Unlock it first.")
                % {"player": gone[0].player, "pairing": pairing}
            )
        entries |= {entry.number: entry for entry in players}
        numbers = tuple(entry.number for entry in players)
        if pairing.table_number is None:
            kept_pairings.append(LockedBye(numbers[0]))
        else:
            kept_pairings.append(LockedPod(pairing.table_number, numbers))
    return DraftRequest(
        stage=round_.stage,
        number=round_.number,
        seed=seed,
        registrations=tuple(entries[number] for number in sorted(entries)),
        kept=tuple(kept_pairings),
    )


def draft_by_system(request: DraftRequest) -> DraftedRound:
    way = request.stage.way
    if way.kind not in DRAFTERS_BY_KIND:
        raise NotPairedHere(
            _("Rounds of the system %(system)s cannot be made here yet.") % {"system": _(way.name)}
        )
    return DRAFTERS_BY_KIND[way.kind](request)


def _draft_swiss(request: DraftRequest) -> DraftedRound:
    avoids_second_meetings = stage_avoids_second_meetings(
        request.stage, request.past, [entrant.id for entrant in request.entrants]
    )
    paired = swiss.pair_round(
        request.entrants,
        round_number=request.number,
        seed=request.seed,
        profile=costs.swiss_profile(
            request.stage.system, avoids_second_meetings=avoids_second_meetings
        ),
        planned_rounds=max(request.number, request.stage.tournament.round_target()),
        locked=[
            kept if isinstance(kept, LockedBye) else LockedTable(kept.number, *kept.seats)
            for kept in request.kept
        ],
    )
    return DraftedRound(
        tables=tuple(
            NewTable(
                table.number, (table.corp, table.runner), table.cost, table.reasons, table.locked
            )
            for table in paired.pairings
        ),
        byes=paired.byes,
        relaxations=(*paired.relaxations, *paired.notes),
        certificate=asdict(paired.certificate),
    )


def _draft_pods(request: DraftRequest) -> DraftedRound:
    seated = seat_pods(
        request.entrants,
        round_number=request.number,
        seed=request.seed,
        locked=request.kept,
        point_unit=point_unit(request.stage.tournament),
    )
    return DraftedRound(
        tables=tuple(
            NewTable(pod.number, pod.seats, pod.cost, pod.reasons, pod.locked)
            for pod in seated.pods
        ),
        byes=seated.byes,
        relaxations=seated.relaxations,
        certificate=asdict(seated.certificate),
    )


def _draft_round_robin(request: DraftRequest) -> DraftedRound:
    """Make the next round; players without an opponent have a bye.

    The first draft of the stage fixes the order: by seed, then players without a seed by a random
    draw from the event seed.
    """
    order = _get_or_fix_order(request)
    kept = draft_kept_tables(request)
    seated = {player for table in kept.tables for player in table.players}
    seated |= {bye.player for bye in kept.byes}
    playing = {entry.number for entry in request.registrations} - seated
    if len(playing) < 2:
        byes = [PairedBye(player, {}, ()) for player in playing]
        return DraftedRound(kept.tables, (*kept.byes, *byes))
    paired = round_robin_round(
        order,
        request.stage.number_of_round(request.number),
        active=playing,
        cycles=request.stage.cycles(len(order)),
    )
    taken = {table.number for table in kept.tables}
    free = (number for number in count(1) if number not in taken)
    tables = [
        NewTable(next(free), (table.corp, table.runner), table.cost, table.reasons)
        for table in paired.pairings
    ]
    return DraftedRound(
        tables=tuple(sorted((*kept.tables, *tables), key=lambda table: table.number)),
        byes=(*kept.byes, *paired.byes),
        certificate=asdict(paired.certificate),
    )


def _get_or_fix_order(request: DraftRequest) -> list[PlayerId]:
    stage = request.stage
    if not stage.order_is_fixed():
        numbers = [entry.number for entry in request.registrations]
        drawn = draw_places(numbers, stage.tournament.seed)
        ordered = sorted(
            request.registrations,
            key=lambda entry: (entry.seed is None, entry.seed or 0, drawn[entry.number]),
        )
        stage.entries.all().delete()
        StageEntry.objects.bulk_create(
            StageEntry(stage=stage, registration=entry, seed=place)
            for place, entry in enumerate(ordered, start=1)
        )
    order: list[PlayerId] = [entry.number for entry in stage.fixed_order()]
    late = [str(entry.player) for entry in request.registrations if entry.number not in order]
    if late:
        raise NoPlaceInTheOrder(
            _(
                "%(players)s joined after the order of this round robin was fixed in its first "
                "round. Drop them, then pair the round again."
            )
            % {"players": ", ".join(late)}
        )
    return order


def _draft_cut(request: DraftRequest) -> DraftedRound:
    cut, games = games_to_play(request.stage)
    return DraftedRound(
        tables=tuple(_cut_table(cut, game, number) for number, game in enumerate(games, start=1))
    )


def _cut_table(cut: Cut, game: NextGame, number: int) -> NewTable:
    corp_first = sorted(game.seats, key=lambda seat: seat.role is Role.RUNNER)
    players = tuple(seat.id for seat in corp_first)
    bracket = {
        "system": cut.bracket.system,
        "size": cut.bracket.size,
        "fixed": cut.stage.fixed_bracket,
        "game": game.number,
    }
    reasons = [PairingReason("bracket", players, "bracket", bracket)]
    if scoring_rule(cut.stage.scoring_rule).has_roles:
        if game.chooser is not None:
            reasons.append(PairingReason(OPEN_CHOICE, (game.chooser,), "chooses_side"))
        else:
            reasons.append(PairingReason("roles", players, CUT_CORP_CODES[game.roles_by]))
    reasons += [
        PairingReason("left", (player,), "player_left")
        for player in players
        if cut.registrations[int(player)].state == RegistrationState.DROPPED
    ]
    return NewTable(number, players, reasons=tuple(reasons), bracket_game=game.number)


def draft_kept_tables(request: DraftRequest) -> DraftedRound:
    tables = [kept for kept in request.kept if isinstance(kept, LockedPod)]
    byes = [kept for kept in request.kept if isinstance(kept, LockedBye)]
    return DraftedRound(
        tables=tuple(NewTable(table.number, table.seats, locked=True) for table in tables),
        byes=tuple(PairedBye(bye.player, {}, (), locked=True) for bye in byes),
    )


DRAFTERS_BY_KIND: Mapping[SystemKind, Callable[[DraftRequest], DraftedRound]] = {
    SystemKind.SWISS: _draft_swiss,
    SystemKind.PODS: _draft_pods,
    SystemKind.ROUND_ROBIN: _draft_round_robin,
    SystemKind.ELIMINATION: _draft_cut,
    SystemKind.MANUAL: draft_kept_tables,
}


def assign_table_numbers(request: DraftRequest, drafted: DraftedRound) -> DraftedRound:
    """Assign the table numbers of this room; locked tables keep theirs.

    A fixed table that a player did not get is added to the relaxations.
    """
    tournament = request.stage.tournament
    entries = {entry.number: entry for entry in request.registrations}
    numbers, clashes = table_plan.assign_tables(
        [_table_wish(table, entries) for table in drafted.tables],
        room=table_plan.parse_ranges(tournament.table_numbers),
        feature=table_plan.parse_ranges(tournament.feature_tables),
        reserved=tournament.fixed_tables(),
    )
    tables = [
        replace(table, number=number) for table, number in zip(drafted.tables, numbers, strict=True)
    ]
    unmet = [_clash_reason(drafted.tables[clash.place], clash, entries) for clash in clashes]
    return replace(
        drafted,
        tables=tuple(sorted(tables, key=lambda table: table.number)),
        relaxations=(*drafted.relaxations, *unmet),
    )


def _table_wish(table: NewTable, entries: dict[int, Registration]) -> TableWish:
    players = [entries[int(player)] for player in table.players]
    return TableWish(
        fixed=tuple(entry.fixed_table for entry in players if entry.fixed_table is not None),
        avoids_stream=any(entry.is_off_stream for entry in players),
        kept=table.number if table.locked else None,
    )


def _clash_reason(
    table: NewTable, clash: FixedTableClash, entries: dict[int, Registration]
) -> PairingReason:
    players = [
        player for player in table.players if entries[int(player)].fixed_table == clash.number
    ]
    params = {"table": clash.number}
    return PairingReason(FIXED_TABLE_TAKEN, tuple(players[:1]), "fixed_table_taken", params)


def write_pairings(
    round_: Round, drafted: DraftedRound, registrations: Mapping[PlayerId, Registration]
) -> None:
    """Create tables with their matches, then byes; locked ones exist already."""
    new_tables = [table for table in drafted.tables if not table.locked]
    matches = matches_services.create_matches(
        [
            matches_services.MatchRequest(
                players=tuple(registrations[player].player_id for player in table.players),
                scoring_rule=round_.stage.scoring_rule,
                game_system=round_.stage.tournament.game,
            )
            for table in new_tables
        ]
    )
    tables = [
        Pairing(
            round=round_,
            table_number=table.number,
            match=match,
            bracket_game=table.bracket_game,
            **_cost_and_reasons(table),
        )
        for table, match in zip(new_tables, matches, strict=True)
    ]
    byes = [
        Pairing(
            round=round_,
            bye=registrations[bye.player],
            bye_points=round_.stage.tournament.bye_points,
            **_cost_and_reasons(bye),
        )
        for bye in drafted.byes
        if not bye.locked
    ]
    Pairing.objects.bulk_create([*tables, *byes])


def clear_pairings(pairings: Iterable[Pairing]) -> None:
    used = {pairing.pk: pairing.match_id for pairing in pairings}
    Pairing.objects.filter(pk__in=used).delete()
    matches_services.delete_matches(match for match in used.values() if match is not None)


def _cost_and_reasons(entry: NewTable | PairedBye) -> dict[str, Any]:
    return {"cost": dict(entry.cost), "reasons": stored_reasons(entry.reasons)}
