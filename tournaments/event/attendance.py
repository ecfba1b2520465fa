"""Changes of a registration's state: checked in, dropped, returned. Each is logged."""

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

# Rows per statement, below the limit of variables of any database.
BATCH = 500


@dataclass(frozen=True)
class Move:
    """A change of state and its log action; `dropped_by` is set for a drop."""

    to: RegistrationState
    action: LogAction
    dropped_by: DroppedBy | None = None


def leaving(by: DroppedBy) -> Move:
    """Drop the player: no further pairings; results of played rounds stay."""
    return Move(RegistrationState.DROPPED, LogAction.PLAYER_DROPPED, by)


def move(
    tournament: Tournament, registrations: Sequence[Registration], actor: Actor, wanted: Move
) -> None:
    """Change the state of registrations. Requires a locked event and rows read after locking."""
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
    """Recompute standings if head-to-head counts, as it depends on drops. Cut seeds are fixed."""
    if "head_to_head" not in tournament.tie_breakers:
        return
    newest = queries.newest_snapshot(tournament)
    first = newest.round.number if newest else queries.standings_outdated_from(tournament)
    if first is not None and queries.cut_of_event(tournament) is None:
        request_standings(tournament, first)


def drop_absent(round_: Round) -> None:
    """Drop players who are not checked in when round 1 is published, if the event does so.

    Requires a locked event.
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
