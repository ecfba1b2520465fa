"""Copies of events with their settings and staff on another day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Model
from django.shortcuts import get_object_or_404

from core.errors import Refusal
from core.time_zones import known_zones
from players.models import User
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.services import save_new
from tournaments.models import (
    Announcing,
    DroppedBy,
    LogAction,
    Registration,
    RegistrationState,
    Series,
    Staff,
    StaffRole,
    Tournament,
)
from tournaments.models.codes import new_join_code, new_seed

Row = TypeVar("Row", bound=Model)


class NotToCopy(Refusal):
    """A practice event is discarded, not run again."""


@dataclass(frozen=True)
class Again:
    """The differences of the copy; `starts_at` None leaves the time unchanged."""

    name: str
    starts_on: date
    starts_at: time | None = None
    time_zone: str = ""
    with_roster: bool = False


def copied(row: Row, **changes: Any) -> Row:
    """Return an unsaved copy of a row without its key, with `changes` applied."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {
        field.attname: getattr(row, field.attname)
        for field in fields
        if field.name not in changes and field.attname not in changes
    }
    return type(row)(**values, **changes)


@transaction.atomic
def run_again(
    event: Tournament,
    actor: Actor,
    wanted: Again,
    *,
    series: Series | None,
    owner: User | None = None,
) -> Tournament:
    """Create a copy of an event, open for registration, that counts for `series`.

    The copy has the settings, staff, infraction changes and notifications of the event. It has the
    players only if the roster is requested, and never their decks. Deadlines have the same distance
    from the event day. The owner is `owner` or the acting account.
    """
    # Read without a lock, so that this never waits for changes of the event.
    source = get_object_or_404(Tournament, pk=event.pk)
    if source.is_practice:
        raise NotToCopy("This is a practice event. Run the event itself again.")
    made = save_new(_event(source, wanted, series))
    stage = source.stages.get(number=1)
    shown_at = _moved(stage.decks_shown_at, source, made)
    copied(stage, tournament=made, decks_shown_at=shown_at).save()
    _staff(source, made, owner or actor.user)
    _copy_rows(source.infraction_changes.all(), made)
    _copy_rows(Announcing.objects.filter(tournament=source), made)
    history.record(made, actor, LogAction.EVENT_COPIED, source.name, after={"copy_of": source.slug})
    if wanted.with_roster:
        _roster(source, made, actor)
    return made


def _event(source: Tournament, wanted: Again, series: Series | None) -> Tournament:
    days = wanted.starts_on - source.starts_on
    made = copied(
        source,
        name=wanted.name,
        slug=queries.free_slug(wanted.name),
        join_code=new_join_code(),
        seed=new_seed(),
        series=series,
        starts_on=wanted.starts_on,
        start_time=wanted.starts_at or source.start_time,
        ends_on=source.ends_on + days if source.ends_on else None,
        day_two_on=source.day_two_on + days if source.day_two_on else None,
        day_two_opened_at=None,
        time_zone=wanted.time_zone or source.time_zone,
        registration_is_open=True,
        decks_locked_at=None,
        decks_revealed_at=None,
        meeting_seats=None,
        version=1,
        hall_version=1,
        finished_at=None,
    )
    made.registration_closes_at = _moved(source.registration_closes_at, source, made)
    made.decks_close_at = _moved(source.decks_close_at, source, made)
    return made


def _moved(moment: datetime | None, source: Tournament, made: Tournament) -> datetime | None:
    """Shift a moment by the days between the events, at the same local time."""
    if moment is None:
        return None
    local = moment.astimezone(_zone(source)).replace(tzinfo=None)
    later: datetime = local + (made.starts_on - source.starts_on)
    return later.replace(tzinfo=_zone(made))


def _zone(event: Tournament) -> ZoneInfo:
    return ZoneInfo(event.time_zone if event.time_zone in known_zones() else "UTC")


def _staff(source: Tournament, made: Tournament, owner: User | None) -> None:
    """Copy the roles. The former owner becomes an organiser unless they own the copy."""
    assert owner is not None, "an event belongs to an account"
    roles = {one.user_id: one.role for one in source.staff.filter(user__is_active=True)}
    for user, role in roles.items():
        roles[user] = StaffRole.ORGANISER if role == StaffRole.OWNER else role
    roles[owner.pk] = StaffRole.OWNER
    Staff.objects.bulk_create(
        Staff(tournament=made, user_id=user, role=role) for user, role in roles.items()
    )


def _copy_rows(rows: Iterable[Row], made: Tournament) -> None:
    for row in rows:
        copied(row, tournament=made).save()


def _roster(source: Tournament, made: Tournament, actor: Actor) -> None:
    """Copy the roster with tables and preferences, without removed and erased players."""
    places = source.registrations.select_related("player").order_by("number")
    staying = places.exclude(state=RegistrationState.WAITING).exclude(dropped_by=DroppedBy.STAFF)
    rows = [
        Registration(
            tournament=made,
            player=place.player,
            number=number,
            avoid_group=place.avoid_group,
            fixed_table=place.fixed_table,
            avoids_stream=place.avoids_stream,
        )
        for number, place in enumerate(staying.filter(player__erased_at=None), start=1)
    ]
    Registration.objects.bulk_create(rows)
    changes = [history.Change(row) for row in rows]
    history.record_all(made, actor, LogAction.PLAYER_REGISTERED, changes)
