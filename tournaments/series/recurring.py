"""Copies of events on a different day, on request or on a recurring schedule."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from engine.systems import ELIMINATION_SYSTEMS
from players.models import User
from tournaments.event import history
from tournaments.event.permissions import NOBODY, Actor
from tournaments.event.services import save_new
from tournaments.models import (
    Announcing,
    EveningPlan,
    LogAction,
    PlannedEvening,
    Registration,
    Series,
    SeriesAction,
    Staff,
    StaffRole,
    StopReason,
    Tournament,
)
from tournaments.models.codes import new_join_code, new_seed
from tournaments.series import permissions, queries, rules, services
from tournaments.series.services import SeriesRefused

ModelRow = TypeVar("ModelRow", bound=Model)


class NotToCopy(Refusal):
    """A practice event cannot be copied."""


@dataclass(frozen=True)
class EventCopyOptions:
    """The differences of the copy; `starts_at` None leaves the time unchanged."""

    name: str
    starts_on: date
    starts_at: time | None = None
    time_zone: str = ""
    with_roster: bool = False


def unsaved_copy(row: ModelRow, **changes: Any) -> ModelRow:
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {
        field.attname: getattr(row, field.attname)
        for field in fields
        if field.name not in changes and field.attname not in changes
    }
    return type(row)(**values, **changes)


@transaction.atomic
def copy_event(
    event: Tournament,
    actor: Actor,
    options: EventCopyOptions,
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
        raise NotToCopy(_("This is a practice event. Copy the event itself."))
    copy = save_new(_unsaved_event_copy(source, options, series))
    stage = source.stages.get(number=1)
    shown_at = _shifted_moment(stage.decks_shown_at, source, copy)
    unsaved_copy(stage, tournament=copy, decks_shown_at=shown_at).save()
    _copy_staff(source, copy, owner or actor.user)
    for row in (*source.infraction_changes.all(), *Announcing.objects.filter(tournament=source)):
        unsaved_copy(row, tournament=copy).save()
    history.record(copy, actor, LogAction.EVENT_COPIED, source.name, after={"copy_of": source.slug})
    if options.with_roster:
        _copy_roster(source, copy, actor)
    return copy


def _unsaved_event_copy(
    source: Tournament, options: EventCopyOptions, series: Series | None
) -> Tournament:
    days = options.starts_on - source.starts_on
    # Play the cut as it was played, even if that differs from the plan.
    cut = source.stages.filter(system__in=ELIMINATION_SYSTEMS).last()
    copy = unsaved_copy(
        source,
        name=options.name,
        slug=Tournament.objects.free_slug(options.name),
        join_code=new_join_code(),
        seed=new_seed(),
        series=series,
        starts_on=options.starts_on,
        start_time=options.starts_at or source.start_time,
        ends_on=source.ends_on + days if source.ends_on else None,
        day_two_on=source.day_two_on + days if source.day_two_on else None,
        day_two_opened_at=None,
        time_zone=options.time_zone or source.time_zone,
        registration_is_open=True,
        decks_locked_at=None,
        decks_revealed_at=None,
        meeting_seats=None,
        planned_cut_system=cut.system if cut else source.planned_cut_system,
        version=1,
        shared_version=1,
        finished_at=None,
    )
    copy.registration_closes_at = _shifted_moment(source.registration_closes_at, source, copy)
    copy.decks_close_at = _shifted_moment(source.decks_close_at, source, copy)
    return copy


def _shifted_moment(
    moment: datetime | None, source: Tournament, copy: Tournament
) -> datetime | None:
    if moment is None:
        return None
    local = moment.astimezone(source.zone).replace(tzinfo=None)
    later: datetime = local + (copy.starts_on - source.starts_on)
    return later.replace(tzinfo=copy.zone)


def _copy_staff(source: Tournament, copy: Tournament, owner: User | None) -> None:
    """Copy the roles. The former owner becomes an organiser unless they own the copy."""
    assert owner is not None, "an event belongs to an account"
    roles = {member.user_id: member.role for member in source.staff.filter(user__is_active=True)}
    for user, role in roles.items():
        roles[user] = StaffRole.ORGANISER if role == StaffRole.OWNER else role
    roles[owner.pk] = StaffRole.OWNER
    Staff.objects.bulk_create(
        Staff(tournament=copy, user_id=user, role=role) for user, role in roles.items()
    )


def _copy_roster(source: Tournament, copy: Tournament, actor: Actor) -> None:
    """Copy the players with their tables and preferences."""
    rows = [
        Registration(
            tournament=copy,
            player=place.player,
            number=number,
            avoid_group=place.avoid_group,
            fixed_table=place.fixed_table,
            avoids_stream=place.avoids_stream,
        )
        for number, place in enumerate(queries.players_to_copy(source), start=1)
    ]
    Registration.objects.bulk_create(rows)
    changes = [history.LoggedChange(row) for row in rows]
    history.record_all(copy, actor, LogAction.PLAYER_REGISTERED, changes)


# Recurring events: plan, skip, stop, and open automatically when due.


logger = logging.getLogger(__name__)

# Maximum of running plans per series.
MAX_RUNNING_PLANS = 10


class NotPlanned(SeriesRefused):
    """The events cannot be planned, or the day is not in the plan."""


@transaction.atomic
def plan_evenings(
    series: Series, actor: Actor, template: Tournament, **settings: Any
) -> EveningPlan:
    """Plan events like `template`. Raises NotPlanned if there are none in the future."""
    template = history.lock(template)
    locked = services.lock_series(series)
    if template.is_practice:
        raise NotPlanned(_("A practice event cannot be repeated. Choose the event itself."))
    if locked.plans.filter(stopped_at=None).count() >= MAX_RUNNING_PLANS:
        raise NotPlanned(
            _("A series has at most %(max_running_plans)s running plans. Stop one first.")
            % {"max_running_plans": MAX_RUNNING_PLANS}
        )
    plan = EveningPlan(series=locked, template=template, **settings)
    _refuse_no_evenings(plan)
    plan.save()
    services.log_series_change(
        locked, actor, SeriesAction.EVENINGS_PLANNED, template.name, after=_plan_values(plan)
    )
    return plan


@transaction.atomic
def change_plan(
    plan: EveningPlan, actor: Actor, template: Tournament, **settings: Any
) -> EveningPlan:
    """Change rhythm, time or template of future events; open events are unchanged.

    Raises NotPlanned if there are none in the future.
    """
    template = history.lock(template)
    plan = _lock_plan(plan)
    before = _plan_values(plan)
    plan.template = template
    for name, value in settings.items():
        setattr(plan, name, value)
    _refuse_no_evenings(plan)
    plan.save()
    services.log_series_change(
        plan.series,
        actor,
        SeriesAction.EVENINGS_CHANGED,
        template.name,
        before=before,
        after=_plan_values(plan),
    )
    return plan


@transaction.atomic
def stop_plan(plan: EveningPlan, actor: Actor, why: StopReason | None = None) -> None:
    """Stop opening further events; open events are unchanged. Idempotent."""
    plan = _lock_plan(plan)
    if not plan.is_running:
        return
    plan.stopped_at, plan.stopped_why = timezone.now(), why or ""
    plan.save(update_fields=["stopped_at", "stopped_why"])
    after = {"why": why} if why else {}
    services.log_series_change(
        plan.series, actor, SeriesAction.EVENINGS_STOPPED, str(plan), after=after
    )


@transaction.atomic
def skip_evening(plan: EveningPlan, actor: Actor, day: date) -> None:
    """Skip the event on this day. Raises NotPlanned if the day has none, or if it is open."""
    plan = _lock_plan(plan)
    if day not in rules.upcoming_evenings(queries.schedule_of(plan), timezone.now(), 60):
        raise NotPlanned(
            _("This plan has no upcoming event on %(day)s.")
            % {"day": date_format(day, "LONG_DATE_FORMAT")}
        )
    row, is_new = plan.evenings.get_or_create(day=day, defaults={"is_skipped": True})
    if row.event is not None:
        raise NotPlanned(
            _("The event on %(day)s is already open. Delete it instead.")
            % {"day": date_format(day, "LONG_DATE_FORMAT")}
        )
    if is_new:
        services.log_series_change(
            plan.series, actor, SeriesAction.EVENING_SKIPPED, _day_in_words(day)
        )


@transaction.atomic
def unskip_evening(plan: EveningPlan, actor: Actor, day: date) -> None:
    plan = _lock_plan(plan)
    restored, _ = plan.evenings.filter(day=day, is_skipped=True).delete()
    if restored:
        services.log_series_change(
            plan.series, actor, SeriesAction.EVENING_KEPT, _day_in_words(day)
        )


def _refuse_no_evenings(plan: EveningPlan) -> None:
    if _is_plan_over(plan, timezone.now()):
        raise NotPlanned(
            _(
                "There would be no upcoming events, because the last day is before the next "
                "event. Choose a later day."
            )
        )


def open_due_evenings() -> None:
    """Create all events whose registration is due. A failure does not affect other plans."""
    now = timezone.now()
    running = EveningPlan.objects.filter(stopped_at=None).order_by("pk")
    for plan in running.prefetch_related("evenings"):
        settled = {evening.day for evening in plan.evenings.all()}
        due = set(rules.due_evenings(queries.schedule_of(plan), now))
        if due <= settled and not _is_plan_over(plan, now):
            continue
        try:
            _open_plan_evenings(plan)
        except Exception:
            logger.exception("The evenings of plan %s could not open", plan.pk)


def _is_plan_over(plan: EveningPlan, now: datetime) -> bool:
    return not rules.upcoming_evenings(queries.schedule_of(plan), now, 1)


@transaction.atomic
def _open_plan_evenings(plan: EveningPlan) -> None:
    """Open the due events of a plan, checked again under its lock; each day once."""
    plan = _lock_plan(plan)
    if not plan.is_running:
        return
    now = timezone.now()
    settled = set(plan.evenings.values_list("day", flat=True))
    for day in rules.due_evenings(queries.schedule_of(plan), now):
        if day in settled:
            continue
        owner = queries.owner_of(plan.series)
        template = _event_to_copy(plan, owner.user) if owner else None
        if template is None or owner is None:
            stop_plan(plan, NOBODY, StopReason.EVENT_DELETED if owner else StopReason.NO_OWNER)
            return
        _create_evening(plan, template, day, owner.user)
    if _is_plan_over(plan, now):
        stop_plan(plan, NOBODY, StopReason.LAST_EVENT_BEGUN)


def _event_to_copy(plan: EveningPlan, owner: User) -> Tournament | None:
    """Return the event to copy. If the last event was deleted, use the newest remaining event."""
    if plan.template is not None:
        return plan.template
    before = plan.evenings.exclude(event=None).select_related("event").last()
    if before is not None:
        return before.event
    return permissions.events_run_by(Actor(user=owner)).filter(series=plan.series).first()


def _create_evening(plan: EveningPlan, template: Tournament, day: date, owner: User) -> None:
    row = PlannedEvening.objects.create(plan=plan, day=day)
    options = EventCopyOptions(
        name=rules.name_of_copy(template.name, template.starts_on, day),
        starts_on=day,
        starts_at=plan.starts_at,
        time_zone=plan.time_zone,
        with_roster=plan.with_roster,
    )
    row.event = copy_event(template, NOBODY, options, series=plan.series, owner=owner)
    row.save(update_fields=["event"])
    plan.template = row.event
    plan.save(update_fields=["template"])
    services.log_series_change(
        plan.series,
        NOBODY,
        SeriesAction.EVENING_OPENED,
        row.event.name,
        after={"event": row.event.slug, "day": day.isoformat()},
    )


def _lock_plan(plan: EveningPlan) -> EveningPlan:
    """Lock the series, then the plan, until the end of the transaction; return the current row."""
    services.lock_series(plan.series)
    rows = EveningPlan.objects.select_for_update(of=("self",)).select_related("series", "template")
    locked: EveningPlan = rows.get(pk=plan.pk)
    return locked


def _day_in_words(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}"


def _plan_values(plan: EveningPlan) -> dict[str, Any]:
    return {
        "first_on": str(plan.first_on),
        "rhythm": plan.rhythm,
        "starts_at": f"{plan.starts_at:%H:%M}",
        "time_zone": plan.time_zone,
        "days_before": plan.days_before,
        "opens_at": f"{plan.opens_at:%H:%M}",
        "last_on": str(plan.last_on) if plan.last_on else None,
        "with_roster": plan.with_roster,
    }
