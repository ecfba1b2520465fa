"""From an event to the records that pairing and standings are made from."""

from collections.abc import Iterator, Sequence

from tournaments.documents.records import Bye, Event, Player, Round, Seat, Table
from tournaments.pairing import Entrant, Meeting
from tournaments.standings import Bye as ByeRecord
from tournaments.standings import Played, PlayerId, Record, RoundRecord


def records(event: Event, rounds: Sequence[Round]) -> list[Record]:
    """Everybody in the event with these rounds; None where a player was not paired."""
    rows: dict[PlayerId, list[RoundRecord]] = {
        player.id: [None] * len(rounds) for player in event.players
    }
    for place, round_ in enumerate(rounds):
        for player, entry in _played(round_):
            rows[player][place] = entry
    return [
        Record(player.id, tuple(rows[player.id]), manual_seed=player.seed)
        for player in event.players
    ]


def _played(round_: Round) -> Iterator[tuple[PlayerId, RoundRecord]]:
    for entry in round_:
        if isinstance(entry, Bye):
            yield entry.player, ByeRecord(entry.points or 0)
            continue
        for seat in entry.seats:
            others = tuple(player for player in entry.players if player != seat.id)
            yield seat.id, Played(others, seat.points or 0, seat.games_won)


def entrants(event: Event) -> list[Entrant]:
    """The active players with their past, the earliest meeting first.

    A table without points, which only a forced pairing lets pass, is a meeting all the same.
    """
    past = {record.id: record for record in records(event, event.rounds)}
    met = _meetings(event)
    return [_entrant(player, past[player.id], met[player.id]) for player in event.active]


def _entrant(player: Player, record: Record, meetings: Sequence[Meeting]) -> Entrant:
    return Entrant(
        id=player.id,
        match_points=record.match_points,
        byes=record.byes,
        opponents=tuple(meetings),
        first_round_bye=player.first_round_bye,
        seed=player.seed,
        avoid_group=player.group,
    )


def _meetings(event: Event) -> dict[PlayerId, list[Meeting]]:
    met: dict[PlayerId, list[Meeting]] = {player.id: [] for player in event.players}
    for round_ in event.rounds:
        for entry in round_:
            if isinstance(entry, Table):
                for seat, other in _couples(entry):
                    met[seat.id].append(Meeting(other.id, seat.role))
    return met


def _couples(table: Table) -> Iterator[tuple[Seat, Seat]]:
    for seat in table.seats:
        for other in table.seats:
            if other is not seat:
                yield seat, other
