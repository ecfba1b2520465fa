"""Conversion of an event document to the records that pairing and standings use."""

from collections.abc import Iterator, Sequence

from engine.documents.records import Bye, Event, Round, Table
from engine.pairing import (
    Entrant,
    Meeting,
    PastSeat,
    Profile,
    avoids_second_meetings,
    meetings,
    past_seats,
    swiss_profile,
)
from engine.standings import Bye as ByeRecord
from engine.standings import PlayerId, Record, RoundRecord, Taken, played
from engine.systems import SystemKind


def records(event: Event, rounds: Sequence[Round]) -> list[Record]:
    """Return the records of all players in these rounds; None where a player was not paired.

    An inactive player who played in a later round has not dropped yet.
    """
    rows: dict[PlayerId, list[RoundRecord]] = {
        player.id: [None] * len(rounds) for player in event.players
    }
    for place, round_ in enumerate(rounds):
        for player, entry in _played(round_):
            rows[player][place] = entry
    later = {player for round_ in event.rounds[len(rounds) :] for player, _ in _played(round_)}
    return [
        Record(
            player.id,
            tuple(rows[player.id]),
            manual_seed=player.seed,
            has_dropped=not player.active and player.id not in later,
        )
        for player in event.players
    ]


def _played(round_: Round) -> Iterator[tuple[PlayerId, RoundRecord]]:
    for entry in round_:
        if isinstance(entry, Bye):
            yield entry.player, ByeRecord(entry.points or 0)
        else:
            yield from played(
                {
                    seat.id: Taken(
                        seat.points or 0, seat.games_won, seat.agenda_points, seat.victory_points
                    )
                    for seat in entry.seats
                }
            ).items()


def profile(event: Event) -> Profile:
    avoids = avoids_second_meetings(
        event.avoid_second_meetings,
        players=event.entered,
        planned_rounds=event.planned_rounds,
    )
    return swiss_profile(event.system.id, avoids_second_meetings=avoids)


def entrants(event: Event) -> list[Entrant]:
    """Return the active players with their past, earliest meeting first.

    A table without points, which only a forced pairing accepts, also counts as a meeting.
    """
    past = {record.id: record for record in records(event, event.rounds)}
    met, sat = _meetings(event), _past_seats(event)
    return [
        Entrant(
            id=player.id,
            # Whole, like all points of a document.
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
        for table in _tables(round_):
            for player, meeting in meetings({seat.id: seat.role for seat in table.seats}, number):
                met[player].append(meeting)
    return met


def _past_seats(event: Event) -> dict[PlayerId, list[PastSeat]]:
    """Return everybody's past seats in pods. Tables with two roles have no seat order."""
    sat: dict[PlayerId, list[PastSeat]] = {player.id: [] for player in event.players}
    if event.system.kind is not SystemKind.PODS:
        return sat
    for round_ in event.rounds:
        for player, seat in past_seats([table.players for table in _tables(round_)]):
            sat[player].append(seat)
    return sat


def _tables(round_: Round) -> list[Table]:
    return [entry for entry in round_ if isinstance(entry, Table)]
