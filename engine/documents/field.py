"""From an event to the records that pairing and standings are made from."""

from collections.abc import Iterator, Sequence

from engine.documents.records import Bye, Event, Round, Seat, Table
from engine.pairing import Entrant, Meeting, PastSeat
from engine.standings import Bye as ByeRecord
from engine.standings import Played, PlayerId, Record, RoundRecord
from engine.systems import SystemKind


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
            others = [other for other in entry.seats if other is not seat]
            yield seat.id, _table(seat, others)


def _table(seat: Seat, others: Sequence[Seat]) -> Played:
    return Played(
        opponents=tuple(other.id for other in others),
        points=seat.points or 0,
        games_won=seat.games_won,
        agenda_points=_agenda_points(seat, others),
    )


def _agenda_points(seat: Seat, others: Sequence[Seat]) -> tuple[int, int] | None:
    """Own agenda points and the other one's, where both are told."""
    told = [one.agenda_points for one in (seat, *others) if one.agenda_points is not None]
    return (told[0], told[1]) if len(told) == len(others) + 1 == 2 else None


def entrants(event: Event) -> list[Entrant]:
    """The active players with their past, the earliest meeting first.

    A table without points, which only a forced pairing lets pass, is a meeting all the same.
    """
    past = {record.id: record for record in records(event, event.rounds)}
    met, sat = _meetings(event), _past_seats(event)
    return [
        Entrant(
            id=player.id,
            # Whole, as all points of a document are.
            match_points=int(past[player.id].match_points),
            byes=past[player.id].byes,
            opponents=tuple(met[player.id]),
            first_round_bye=player.first_round_bye,
            seed=player.seed,
            avoid_group=player.group,
            seats=tuple(sat[player.id]),
        )
        for player in event.active
    ]


def _meetings(event: Event) -> dict[PlayerId, list[Meeting]]:
    met: dict[PlayerId, list[Meeting]] = {player.id: [] for player in event.players}
    for number, round_ in enumerate(event.rounds, start=1):
        for entry in round_:
            if isinstance(entry, Table):
                for seat, other in _couples(entry):
                    met[seat.id].append(Meeting(other.id, seat.role, number))
    return met


def _past_seats(event: Event) -> dict[PlayerId, list[PastSeat]]:
    """Where everybody sat in pods; tables of two roles have no order of seats."""
    sat: dict[PlayerId, list[PastSeat]] = {player.id: [] for player in event.players}
    if event.system.kind is not SystemKind.PODS:
        return sat
    for round_ in event.rounds:
        tables = [entry for entry in round_ if isinstance(entry, Table)]
        largest = max((len(table.seats) for table in tables), default=0)
        for table in tables:
            for place, player in enumerate(table.players, start=1):
                sat[player].append(PastSeat(place, len(table.seats), largest))
    return sat


def _couples(table: Table) -> Iterator[tuple[Seat, Seat]]:
    for seat in table.seats:
        for other in table.seats:
            if other is not seat:
                yield seat, other
