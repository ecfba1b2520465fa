"""How the rounds of each kind of system are made."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TypeAlias

from core.errors import Refusal
from engine import pairing
from engine.bracket import NextGame
from engine.bracket.words import ROLES_BY, source_in_words
from engine.pairing import LockedBye, LockedTable, Reason
from engine.pairing.pods import seat_pods
from engine.standings import PlayerId
from engine.systems import SystemKind
from matches.scoring import Role, scoring_rule
from tournaments.event import field, queries
from tournaments.models import RegistrationState
from tournaments.rounds.drafts import round_robin
from tournaments.rounds.drafts.records import Drafted, NewTable, Wanted, kept_alone
from tournaments.rounds.elimination import CHOICE_IS_OPEN, Cut, games_to_play

Way: TypeAlias = Callable[[Wanted], Drafted]


class NotPairedHere(Refusal):
    """No module makes rounds of this system."""


def make(wanted: Wanted) -> Drafted:
    """The round, made as its stage wants it. Raise NotPairedHere, or what the system refuses."""
    way = wanted.stage.way
    if way.kind not in WAYS:
        raise NotPairedHere(f"Rounds of the system {way.name} cannot be made here yet.")
    return WAYS[way.kind](wanted)


def _swiss(wanted: Wanted) -> Drafted:
    """One exact matching. Raise a PairingRefused for a field that cannot be paired."""
    paired = pairing.pair_round(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        profile=pairing.PROFILES[wanted.stage.system],
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
    """Two to five at a table. Raise a PairingRefused for a field that cannot be seated."""
    seated = seat_pods(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        locked=wanted.kept,
        point_unit=field.point_unit(wanted.stage.tournament),
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
    """Every game of the bracket that can be played now. Raise NoGameToPlay without any."""
    cut, games = games_to_play(wanted.stage)
    return Drafted(
        tables=tuple(_table(cut, game, number) for number, game in enumerate(games, start=1))
    )


def _table(cut: Cut, game: NextGame, number: int) -> NewTable:
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


WAYS: Mapping[SystemKind, Way] = {
    SystemKind.SWISS: _swiss,
    SystemKind.PODS: _pods,
    SystemKind.ROUND_ROBIN: round_robin.make,
    SystemKind.ELIMINATION: _cut,
    SystemKind.MANUAL: kept_alone,
}
