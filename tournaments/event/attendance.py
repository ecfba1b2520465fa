"""Places moved from one state to another: here, not here, gone, back; each in the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournaments.event import history, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.event.services import request_standings
from tournaments.models import (
    DroppedBy,
    LogAction,
    Registration,
    RegistrationState,
    Round,
    Tournament,
)

BATCH = 500
"""Rows in one statement: few enough for the variables of any database."""


@dataclass(frozen=True)
class Move:
    """Where a place goes and what the log calls it; `dropped_by` where it is given up."""

    to: RegistrationState
    action: LogAction
    dropped_by: DroppedBy | None = None


def leaving(by: DroppedBy) -> Move:
    """The player is out: no further pairings, all rounds played stay."""
    return Move(RegistrationState.DROPPED, LogAction.PLAYER_DROPPED, by)


def move(
    tournament: Tournament, registrations: Sequence[Registration], actor: Actor, wanted: Move
) -> None:
    """Move these places. Wants a locked event and rows read under that lock."""
    changes, now = [], timezone.now()
    for registration in registrations:
        before = _kept(registration)
        registration.state = wanted.to
        registration.dropped_by = wanted.dropped_by or ""
        _stamp(registration, now)
        changes.append(history.Change(registration, before, _kept(registration)))
    Registration.objects.bulk_update(
        registrations, ["state", "checked_in_at", "dropped_at", "dropped_by"], batch_size=BATCH
    )
    history.record_all(tournament, actor, wanted.action, changes)
    _rank_again(tournament)


def _rank_again(tournament: Tournament) -> None:
    """Head-to-head depends on who has dropped. The seeds of a cut are fixed and stay."""
    if "head_to_head" not in tournament.tie_breakers:
        return
    newest = queries.newest_snapshot(tournament)
    first = newest.round.number if newest else queries.standings_outdated_from(tournament)
    if first is not None and queries.cut_of_event(tournament) is None:
        request_standings(tournament, first)


def drop_absent(round_: Round) -> None:
    """Round 1 is published: whoever is not checked in is out, where the event wants it so.

    Wants a locked event.
    """
    tournament = round_.stage.tournament
    if round_.number != 1 or not tournament.drops_absent:
        return
    absent = tournament.registrations.select_related("player").filter(
        state=RegistrationState.REGISTERED
    )
    move(tournament, list(absent), NOBODY, leaving(DroppedBy.ABSENT))


def _kept(registration: Registration) -> dict[str, str]:
    kept = {"state": str(registration.state)}
    return kept | {"dropped_by": registration.dropped_by} if registration.dropped_by else kept


def _stamp(registration: Registration, now: datetime) -> None:
    registration.dropped_at = now if registration.state == RegistrationState.DROPPED else None
    if registration.state in (RegistrationState.REGISTERED, RegistrationState.WAITING):
        registration.checked_in_at = None
    elif registration.is_active and registration.checked_in_at is None:
        registration.checked_in_at = now
