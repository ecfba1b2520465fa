"""From a choice to tables: numbers by score, roles of game 1, reasons."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from engine.pairing import alternatives, reasons
from engine.pairing.choosing import by_level
from engine.pairing.costs import Level, point_gap
from engine.pairing.matching import Couple, bye_parts, seated_parts
from engine.pairing.records import (
    Entrant,
    Locked,
    LockedBye,
    LockedTable,
    PairedBye,
    PairedTable,
    Reason,
    Sides,
)
from engine.pairing.roles import corp_and_runner
from engine.pairing.situations import Situation, look_ahead_reasons
from engine.standings import PlayerId
from engine.standings.lots import id_order


@dataclass(frozen=True)
class Seating:
    """Tables and byes of some of the players."""

    tables: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]

    @property
    def players(self) -> set[PlayerId]:
        """Everybody at these tables and with these byes."""
        seated = {player for table in self.tables for player in (table.corp, table.runner)}
        return seated | {bye.player for bye in self.byes}


def settled(
    field: Sequence[Entrant], locked: Sequence[Locked], round_number: int, levels: Sequence[Level]
) -> Seating:
    """What stands before anybody is matched: locks, and byes promised for round 1.

    A lock weighs more than a promise. All are told with what they cost, in the order of their ids.
    """
    by_id = {entrant.id: entrant for entrant in field}
    tables = [_kept_table(lock, by_id, levels) for lock in locked if isinstance(lock, LockedTable)]
    byes = [
        _bye(
            by_id[lock.player],
            levels,
            Reason("locked", (lock.player,), "{0} keeps the bye."),
            locked=True,
        )
        for lock in locked
        if isinstance(lock, LockedBye)
    ]
    if round_number == 1:
        bound = Seating(tuple(tables), tuple(byes)).players
        promised = [one for one in field if one.first_round_bye and one.id not in bound]
        text = "{0} was given a bye for round 1."
        byes += [
            _bye(entrant, levels, Reason("first_round_bye", (entrant.id,), text))
            for entrant in promised
        ]
    return Seating(tuple(tables), tuple(sorted(byes, key=lambda bye: id_order(bye.player))))


def made(situation: Situation, settled: Seating, chance: random.Random) -> Seating:
    """Seat a choice: the best score at the lowest table number that is not settled."""
    taken = {table.number for table in settled.tables}
    numbers = (number for number in count(1) if number not in taken)
    # Equals stay in the order of the couples, which is a lot.
    couples = sorted(situation.choice.matching.couples, key=_best_first)
    tables = [
        _table(situation, couple, number, chance)
        for couple, number in zip(couples, numbers, strict=False)
    ]
    return Seating(tuple(tables), tuple(_byes(situation)))


def _table(situation: Situation, couple: Couple, number: int, chance: random.Random) -> PairedTable:
    first, second, choice = couple.first, couple.second, situation.choice
    corp, runner, roles = corp_and_runner(first, second, situation.profile.side_count, chance)
    return PairedTable(
        number=number,
        corp=corp.id,
        runner=runner.id,
        point_gap=point_gap(corp, runner),
        cost=by_level(choice.levels, couple.parts),
        reasons=(
            *reasons.pairing_reasons(situation, first, second),
            *reasons.broken_by_couple(couple, choice.rules),
            *look_ahead_reasons(situation, first.id, second.id),
            roles,
        ),
        sides=_sides(corp, runner),
    )


def _sides(corp: Entrant, runner: Entrant) -> tuple[Sides, Sides]:
    return (
        Sides(corp.id, corp.balance, corp.balance + 1),
        Sides(runner.id, runner.balance, runner.balance - 1),
    )


def _byes(situation: Situation) -> Iterator[PairedBye]:
    bye, choice = situation.choice.matching.sitting_out, situation.choice
    if bye is not None:
        yield _bye(
            bye.entrant,
            choice.levels,
            reasons.bye_reason(situation, bye.entrant),
            *alternatives.why_not_the_lowest(situation, bye.entrant),
            *reasons.broken_by_bye(bye, choice.rules),
            *look_ahead_reasons(situation, bye.entrant.id),
        )


def _bye(
    entrant: Entrant, levels: Sequence[Level], *why: Reason, locked: bool = False
) -> PairedBye:
    return PairedBye(entrant.id, by_level(levels, bye_parts(levels, entrant)), why, locked)


def _kept_table(
    lock: LockedTable, field: Mapping[PlayerId, Entrant], levels: Sequence[Level]
) -> PairedTable:
    corp, runner = field[lock.corp], field[lock.runner]
    return PairedTable(
        number=lock.number,
        corp=corp.id,
        runner=runner.id,
        point_gap=point_gap(corp, runner),
        cost=by_level(levels, seated_parts(levels, corp, runner)),
        reasons=(Reason("locked", (corp.id, runner.id), "{0} and {1} keep their table."),),
        locked=True,
        sides=_sides(corp, runner),
    )


def _best_first(couple: Couple) -> tuple[int, int]:
    scores = (couple.first.match_points, couple.second.match_points)
    return -max(scores), -min(scores)
