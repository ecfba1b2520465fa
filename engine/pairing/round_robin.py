"""Round robin by Berger tables: all players meet each other once (docs/reference/rules.md).

The order of the players is fixed at the start and decides the whole event.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from engine.pairing.records import (
    Entrant,
    PairedBye,
    PairedRound,
    PairedTable,
    PairingReason,
    PairingRefused,
    check_entrants,
    make_certificate,
)
from engine.standings.records import PlayerId, id_order

# Corp and Runner of game 1, by their places in the order, from 0.
RoleCouple: TypeAlias = tuple[int, int]


class RoundRobinOver(PairingRefused):
    pass


class NotInTheOrder(PairingRefused):
    pass


def rounds_needed(players: int, *, cycles: int = 1) -> int:
    return cycles * (players - 1 + players % 2)


def cycles_in(rounds: int, players: int) -> int:
    """Return the number of cycles in these rounds, rounded up; at least 1."""
    return max(1, -(-rounds // rounds_needed(players)))


def round_robin_round(
    order: Sequence[PlayerId],
    round_number: int,
    *,
    active: Collection[PlayerId] | None = None,
    cycles: int = 1,
) -> PairedRound:
    """Return a round of the schedule fixed by `order`; rounds count from 1.

    Everybody is Corp in game 1 equally often; in an even field the counts differ by 1. A second
    cycle is the first with roles swapped. `active` are the players still in the event; opponents of
    the rest have a bye. Raise RoundRobinOver, NotInTheOrder, NotEnoughEntrants or
    DuplicateEntrants.
    """
    playing = set(order if active is None else active)
    _check_schedule(order, playing, round_number, cycles)
    couples = list(_round_couples(len(order), round_number))
    tables = [
        (order[corp], order[runner])
        for corp, runner in couples
        if max(corp, runner) < len(order) and {order[corp], order[runner]} <= playing
    ]
    seated = {player for table in tables for player in table}
    params = {"round": round_number}
    return PairedRound(
        pairings=tuple(
            PairedTable(
                number,
                corp,
                runner,
                {},
                (PairingReason("fixed_table", (corp, runner), "fixed_table", params),),
            )
            for number, (corp, runner) in enumerate(tables, start=1)
        ),
        byes=tuple(_byes(order, couples, playing - seated)),
        cost={},
        relaxations=(),
        # No seed and no costs: only the places of the active players decide.
        certificate=make_certificate(
            [
                Entrant(player, seed=place)
                for place, player in enumerate(order, start=1)
                if player in playing
            ],
            (),
            round_number,
            profile=f"round_robin of {len(order)}",
            seed=0,
            cost={},
        ),
    )


def _check_schedule(
    order: Sequence[PlayerId], playing: set[PlayerId], round_number: int, cycles: int
) -> None:
    check_entrants([Entrant(player) for player in order])
    last = rounds_needed(len(order), cycles=cycles)
    if not 1 <= round_number <= last:
        raise RoundRobinOver(
            f"A round robin of {len(order)} players ends with round {last}: there is no round "
            f"{round_number}."
        )
    if late := sorted(playing - set(order), key=id_order):
        raise NotInTheOrder(
            f"Player {late[0]} has no place in the order of this round robin, which is fixed at "
            "the start. Let the event go on without them."
        )
    check_entrants([Entrant(player) for player in playing])


def _round_couples(players: int, round_number: int) -> Iterator[RoleCouple]:
    # Berger table: round 1 pairs first with last, second with last but one, and so on. After each
    # round all but the last place advance by half the field, and the last place changes roles. An
    # odd field gets an empty last place.
    places = players + players % 2
    cycle, step = divmod(round_number - 1, places - 1)
    last, shift = places - 1, step * (places // 2)
    for place in range(places // 2):
        first, second = (place + shift) % last, (last - place + shift) % last
        couple = (first, second) if place else (first, last)
        yield couple[::-1] if (place == 0 and step % 2) != bool(cycle % 2) else couple


def _byes(
    order: Sequence[PlayerId], couples: Sequence[RoleCouple], players: set[PlayerId]
) -> Iterator[PairedBye]:
    opponents = dict(couples) | {runner: corp for corp, runner in couples}
    for place, player in enumerate(order):
        if player not in players:
            continue
        if opponents[place] == len(order):
            yield PairedBye(player, {}, (PairingReason("bye", (player,), "odd_field_bye"),))
        else:
            gone = order[opponents[place]]
            reason = PairingReason("opponent_gone", (player, gone), "opponent_gone")
            yield PairedBye(player, {}, (reason,))
