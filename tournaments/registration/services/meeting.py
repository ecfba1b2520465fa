"""The player meeting: seats by name before round 1."""

from collections.abc import Sequence

from django.db import transaction

from core.errors import Refusal
from engine.table_plan import FEWEST_SEATS, MOST_SEATS, Guest, numbers_of, tables_of
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import BATCH
from tournaments.models import LogAction, Registration, RegistrationState, Tournament


class NoMeeting(Refusal):
    pass


@transaction.atomic
def seat(tournament: Tournament, actor: Actor, *, seats: int, with_registered: bool = False) -> int:
    """Assign all seats by name, `seats` players per table, and return the number of players.

    Seats checked-in players, and other players on the roster if `with_registered`. Raises NoMeeting
    once round 1 is published, for an invalid `seats`, and without players.
    """
    locked = history.lock_unfinished(tournament)
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise NoMeeting(f"A table seats {FEWEST_SEATS} to {MOST_SEATS} players, not {seats}.")
    if queries.visible_rounds(locked).exists():
        raise NoMeeting("Round 1 is published: its tables are where the players sit.")
    states = [RegistrationState.CHECKED_IN]
    if with_registered:
        states.append(RegistrationState.REGISTERED)
    _leave(locked)
    players = list(locked.registrations.filter(state__in=states))
    if not players:
        raise NoMeeting("No players are checked in. Check players in first.")
    _give(locked, players, seats)
    locked.meeting_seats = seats
    locked.save(update_fields=["meeting_seats"])
    history.record(
        locked, actor, LogAction.PLAYERS_SEATED, "player meeting", after={"players": len(players)}
    )
    return len(players)


@transaction.atomic
def clear(tournament: Tournament, actor: Actor) -> None:
    """Clear all seats of the meeting. Idempotent."""
    locked = history.lock_unfinished(tournament)
    if locked.meeting_seats is None:
        return
    _leave(locked)
    locked.meeting_seats = None
    locked.save(update_fields=["meeting_seats"])
    history.record(locked, actor, LogAction.MEETING_CLEARED, "player meeting")


def seat_latecomers(locked: Tournament) -> None:
    """Seat checked-in players without a seat, while the meeting is on.

    The calling transaction has locked the event and logs the change.
    """
    if not queries.meeting_is_on(locked):
        return
    assert locked.meeting_seats is not None
    late = list(queries.active_registrations(locked).filter(meeting_table=None))
    if late:
        seated = queries.seated_for_the_meeting(locked)
        _give(locked, [*seated, *late], locked.meeting_seats)


def _leave(tournament: Tournament) -> None:
    tournament.registrations.exclude(meeting_table=None).update(meeting_table=None)


def _give(tournament: Tournament, players: Sequence[Registration], seats: int) -> None:
    guests = [Guest(entry.fixed_table, entry.meeting_table) for entry in players]
    tables = tables_of(guests, seats, numbers_of(tournament.table_numbers))
    for entry, table in zip(players, tables, strict=True):
        entry.meeting_table = table
    Registration.objects.bulk_update(players, ["meeting_table"], batch_size=BATCH)
