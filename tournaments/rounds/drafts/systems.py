"""Make a round by the pairing system of its stage; players are numbers in the event."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import count
from typing import Any, TypeAlias

from core.errors import Refusal
from engine import pairing
from engine.bracket import NextGame
from engine.bracket.words import ROLES_BY, source_in_words
from engine.pairing import (
    Entrant,
    LockedBye,
    LockedPod,
    LockedTable,
    PairedBye,
    PairedRound,
    Reason,
)
from engine.pairing.pods import seat_pods
from engine.pairing.round_robin import round_robin_round
from engine.standings import PlayerId
from engine.standings.records import lots
from engine.systems import SystemKind
from matches.scoring import Role, scoring_rule
from tournaments.event import queries
from tournaments.event.field import (
    History,
    history,
    point_unit,
    stage_avoids_second_meetings,
)
from tournaments.models import Registration, RegistrationState, Stage, StageEntry
from tournaments.models.rounds import CHOICE_IS_OPEN
from tournaments.rounds.elimination import Cut, games_to_play

Kept: TypeAlias = LockedPod | LockedBye
"""A table of any system, in the order of its seats, or a bye, that is kept unchanged."""


@dataclass(frozen=True)
class Wanted:
    """A round to be made.

    `registrations` are all its players by number, including those at kept tables.
    """

    stage: Stage
    number: int
    seed: int
    registrations: tuple[Registration, ...]
    kept: tuple[Kept, ...] = ()

    @cached_property
    def past(self) -> History:
        """The closed rounds; queried once."""
        return history(self.stage.tournament)

    @cached_property
    def entrants(self) -> list[Entrant]:
        """The players as engine entrants; points are in units of `point_unit`."""
        unit = point_unit(self.stage.tournament)
        return [self.past.entrant(registration, unit) for registration in self.registrations]


@dataclass(frozen=True)
class NewTable:
    """A table with its cost and reasons; the first seat is Corp in game 1 if there are roles.

    A `locked` table or bye exists already and is not written again.
    """

    number: int
    players: tuple[PlayerId, ...]
    cost: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    locked: bool = False
    bracket_game: int | None = None


@dataclass(frozen=True)
class Drafted:
    """A drafted round: tables, byes, relaxed rules, certificate."""

    tables: tuple[NewTable, ...]
    byes: tuple[PairedBye, ...] = ()
    relaxations: tuple[Reason, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)


def kept_alone(wanted: Wanted) -> Drafted:
    """Return the kept tables and byes only: the start of a round paired by hand."""
    tables = [one for one in wanted.kept if isinstance(one, LockedPod)]
    byes = [one for one in wanted.kept if isinstance(one, LockedBye)]
    return Drafted(
        tables=tuple(NewTable(table.number, table.seats, locked=True) for table in tables),
        byes=tuple(PairedBye(bye.player, {}, (), locked=True) for bye in byes),
    )


class NoPlaceInTheOrder(Refusal):
    """A player of the round is missing from the order of the round robin."""


def _round_robin(wanted: Wanted) -> Drafted:
    """Make the next round; players without an opponent have a bye.

    The first draft of the stage fixes the order: by seed, then players without a seed by a random
    draw from the event seed. Raises NoPlaceInTheOrder, and PairingRefused for a round beyond the
    end of the round robin.
    """
    order = _order(wanted)
    kept = kept_alone(wanted)
    seated = {player for table in kept.tables for player in table.players}
    seated |= {bye.player for bye in kept.byes}
    playing = {entry.number for entry in wanted.registrations} - seated
    if len(playing) < 2:
        alone = [PairedBye(player, {}, ()) for player in playing]
        return Drafted(kept.tables, (*kept.byes, *alone))
    paired = round_robin_round(
        order,
        queries.number_in_stage(wanted.stage, wanted.number),
        active=playing,
        cycles=queries.cycles(wanted.stage, len(order)),
    )
    return _round_robin_drafted(paired, kept)


def _order(wanted: Wanted) -> list[PlayerId]:
    if not queries.order_is_fixed(wanted.stage):
        _fix_order(wanted.stage, wanted.registrations)
    order: list[PlayerId] = [entry.number for entry in queries.fixed_order(wanted.stage)]
    late = [str(entry.player) for entry in wanted.registrations if entry.number not in order]
    if late:
        raise NoPlaceInTheOrder(
            f"{', '.join(late)} came after the order of this round robin was fixed with its first "
            "round. Drop them, then pair the round again."
        )
    return order


def _fix_order(stage: Stage, registrations: Sequence[Registration]) -> None:
    drawn = lots((entry.number for entry in registrations), stage.tournament.seed)
    ordered = sorted(
        registrations,
        key=lambda entry: (entry.seed is None, entry.seed or 0, drawn[entry.number]),
    )
    stage.entries.all().delete()
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, registration=entry, seed=place)
        for place, entry in enumerate(ordered, start=1)
    )


def _round_robin_drafted(paired: PairedRound, kept: Drafted) -> Drafted:
    taken = {table.number for table in kept.tables}
    free = (number for number in count(1) if number not in taken)
    tables = [
        NewTable(next(free), (table.corp, table.runner), table.cost, table.reasons)
        for table in paired.pairings
    ]
    return Drafted(
        tables=tuple(sorted((*kept.tables, *tables), key=lambda table: table.number)),
        byes=(*kept.byes, *paired.byes),
        certificate=asdict(paired.certificate),
    )


class NotPairedHere(Refusal):
    pass


def make(wanted: Wanted) -> Drafted:
    """Make the round by the system of its stage.

    Raises NotPairedHere, or a refusal of the system.
    """
    way = wanted.stage.way
    if way.kind not in WAYS:
        raise NotPairedHere(f"Rounds of the system {way.name} cannot be made here yet.")
    return WAYS[way.kind](wanted)


def _swiss(wanted: Wanted) -> Drafted:
    """Make one exact matching. Raises PairingRefused for a field that cannot be paired."""
    avoids_second_meetings = stage_avoids_second_meetings(
        wanted.stage, wanted.past, [entrant.id for entrant in wanted.entrants]
    )
    paired = pairing.pair_round(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        profile=pairing.swiss_profile(
            wanted.stage.system, avoids_second_meetings=avoids_second_meetings
        ),
        planned_rounds=max(wanted.number, queries.round_target(wanted.stage.tournament)),
        locked=[
            one if isinstance(one, LockedBye) else LockedTable(one.number, *one.seats)
            for one in wanted.kept
        ],
    )
    return Drafted(
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


def _pods(wanted: Wanted) -> Drafted:
    """Seat two to five players at each table.

    Raises PairingRefused for a field that cannot be seated.
    """
    seated = seat_pods(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        locked=wanted.kept,
        point_unit=point_unit(wanted.stage.tournament),
    )
    return Drafted(
        tables=tuple(
            NewTable(pod.number, pod.seats, pod.cost, pod.reasons, pod.locked)
            for pod in seated.pods
        ),
        byes=seated.byes,
        relaxations=seated.relaxations,
        certificate=asdict(seated.certificate),
    )


def _cut(wanted: Wanted) -> Drafted:
    """Make a table for every playable game of the bracket. Raises NoGameToPlay if there is none."""
    cut, games = games_to_play(wanted.stage)
    return Drafted(
        tables=tuple(_cut_table(cut, game, number) for number, game in enumerate(games, start=1))
    )


def _cut_table(cut: Cut, game: NextGame, number: int) -> NewTable:
    corp_first = sorted(game.seats, key=lambda seat: seat.role is Role.RUNNER)
    players = tuple(seat.id for seat in corp_first)
    first, second = map(source_in_words, cut.bracket.by_number[game.number].sources)
    why = f"Game {game.number} of the bracket: {first} against {second}."
    reasons = [Reason("bracket", players, why)]
    if scoring_rule(cut.stage.scoring_rule).has_roles:
        reasons.append(_roles(game, players))
    reasons += [
        Reason("left", (player,), "{0} has left the event. Enter a concession or a no-show.")
        for player in players
        if cut.registrations[int(player)].state == RegistrationState.DROPPED
    ]
    return NewTable(number, players, reasons=tuple(reasons), bracket_game=game.number)


def _roles(game: NextGame, players: tuple[PlayerId, ...]) -> Reason:
    if game.chooser is not None:
        text = "{0} is the higher seed and chooses who is Corp in game 1."
        return Reason(CHOICE_IS_OPEN, (game.chooser,), text)
    return Reason("roles", players, f"{{0}} is Corp in game 1: {ROLES_BY[game.roles_by]}.")


WAYS: Mapping[SystemKind, Callable[[Wanted], Drafted]] = {
    SystemKind.SWISS: _swiss,
    SystemKind.PODS: _pods,
    SystemKind.ROUND_ROBIN: _round_robin,
    SystemKind.ELIMINATION: _cut,
    SystemKind.MANUAL: kept_alone,
}
