"""Recurring evenings: plan, skip, stop, and open automatically when due."""

import logging
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.pause_points import pause_point
from players.models import User
from tournaments.event import history
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import EveningPlan, PlannedEvening, Series, SeriesAction, Tournament
from tournaments.series import permissions, queries
from tournaments.series.rules import evenings
from tournaments.series.services import series as series_services
from tournaments.series.services.copying import Again, run_again
from tournaments.series.services.series import SeriesRefused

logger = logging.getLogger(__name__)

# Maximum of running plans per series.
MOST_PLANS = 10


class NotPlanned(SeriesRefused):
    """The evenings cannot be planned, or the day is not in the plan."""


@transaction.atomic
def plan(series: Series, actor: Actor, template: Tournament, **settings: Any) -> EveningPlan:
    """Plan evenings like `template`. Raises NotPlanned if there are none in the future."""
    template = history.lock(template)
    locked = series_services.lock(series)
    if template.is_practice:
        raise NotPlanned("A practice event is no model for evenings. Choose the event itself.")
    if locked.plans.filter(stopped_at=None).count() >= MOST_PLANS:
        raise NotPlanned(f"A series has at most {MOST_PLANS} running plans. Stop one first.")
    made = EveningPlan(series=locked, template=template, **settings)
    _refuse_no_evenings(made)
    made.save()
    series_services.record(
        locked, actor, SeriesAction.EVENINGS_PLANNED, template.name, after=_in_words(made)
    )
    return made


@transaction.atomic
def change(plan: EveningPlan, actor: Actor, template: Tournament, **settings: Any) -> EveningPlan:
    """Change rhythm, time or template of future evenings; open evenings are unchanged.

    Raises NotPlanned if there are none in the future.
    """
    template = history.lock(template)
    held = _held(plan)
    before = _in_words(held)
    held.template = template
    for name, value in settings.items():
        setattr(held, name, value)
    _refuse_no_evenings(held)
    held.save()
    series_services.record(
        held.series,
        actor,
        SeriesAction.EVENINGS_CHANGED,
        template.name,
        before=before,
        after=_in_words(held),
    )
    return held


@transaction.atomic
def stop(plan: EveningPlan, actor: Actor, why: str = "") -> None:
    """Stop opening further evenings; open evenings are unchanged. Idempotent."""
    held = _held(plan)
    if not held.is_running:
        return
    held.stopped_at, held.stopped_why = timezone.now(), why
    held.save(update_fields=["stopped_at", "stopped_why"])
    after = {"why": why} if why else {}
    series_services.record(
        held.series, actor, SeriesAction.EVENINGS_STOPPED, str(held), after=after
    )


@transaction.atomic
def skip(plan: EveningPlan, actor: Actor, day: date) -> None:
    """Skip the evening on this day. Raises NotPlanned if the day has none, or if it is open."""
    held = _held(plan)
    _refuse_other_days(held, day)
    row, is_new = held.evenings.get_or_create(day=day, defaults={"is_skipped": True})
    if row.event is not None:
        raise NotPlanned(f"The evening of {day:%d %B %Y} is open already. Delete the event.")
    if is_new:
        series_services.record(held.series, actor, SeriesAction.EVENING_SKIPPED, _day(day))


@transaction.atomic
def keep(plan: EveningPlan, actor: Actor, day: date) -> None:
    """Undo `skip`, so that the evening on this day opens."""
    held = _held(plan)
    gone, _ = held.evenings.filter(day=day, is_skipped=True).delete()
    if gone:
        series_services.record(held.series, actor, SeriesAction.EVENING_KEPT, _day(day))


def _refuse_no_evenings(wanted: EveningPlan) -> None:
    if _is_over(wanted, timezone.now()):
        raise NotPlanned("No evenings to come: the last day is before the next one.")


def _refuse_other_days(held: EveningPlan, day: date) -> None:
    days = evenings.upcoming(queries.plan_of(held), timezone.now(), 60)
    if day not in days:
        raise NotPlanned(f"There is no evening to come on {day:%d %B %Y} in this plan.")


def open_due() -> None:
    """Create all evenings whose registration is due. A failure does not affect other plans."""
    now = timezone.now()
    for held in queries.running_plans().prefetch_related("evenings"):
        done = {one.day for one in held.evenings.all()}
        if not set(evenings.due(queries.plan_of(held), now)) - done and not _is_over(held, now):
            continue
        try:
            _open(held)
        except Exception:
            logger.exception("The evenings of plan %s could not open", held.pk)


def _is_over(held: EveningPlan, now: datetime) -> bool:
    return not evenings.upcoming(queries.plan_of(held), now, 1)


@transaction.atomic
def _open(plan: EveningPlan) -> None:
    """Open the due evenings of a plan, checked again under its lock; each day once."""
    held = _held(plan)
    if not held.is_running:
        return
    now = timezone.now()
    for day in evenings.due(queries.plan_of(held), now):
        if day in queries.days_done(held):
            continue
        owner = queries.owner_of(held.series)
        template = _template_of(held, owner.user) if owner else None
        if template is None or owner is None:
            stop(held, NOBODY, "The event to copy was deleted." if owner else "Nobody owns it.")
            return
        _make(held, template, day, owner.user)
    if _is_over(held, now):
        stop(held, NOBODY, "The last evening has begun.")


def _template_of(held: EveningPlan, owner: User) -> Tournament | None:
    """Return the event to copy. If the last evening was deleted, use the newest remaining event."""
    if held.template is not None:
        return held.template
    before = held.evenings.exclude(event=None).select_related("event").last()
    if before is not None:
        return before.event
    return permissions.events_run_by(Actor(user=owner)).filter(series=held.series).first()


def _make(held: EveningPlan, template: Tournament, day: date, owner: User) -> None:
    row = PlannedEvening.objects.create(plan=held, day=day)
    pause_point("evening:made")
    wanted = Again(
        name=evenings.next_name(template.name, template.starts_on, day),
        starts_on=day,
        starts_at=held.starts_at,
        time_zone=held.time_zone,
        with_roster=held.with_roster,
    )
    row.event = run_again(template, NOBODY, wanted, series=held.series, owner=owner)
    row.save(update_fields=["event"])
    held.template = row.event
    held.save(update_fields=["template"])
    series_services.record(
        held.series,
        NOBODY,
        SeriesAction.EVENING_OPENED,
        row.event.name,
        after={"event": row.event.slug, "day": day.isoformat()},
    )


def _held(plan: EveningPlan) -> EveningPlan:
    """Lock the series, then the plan, until the end of the transaction; return the current row."""
    series_services.lock(plan.series)
    rows = EveningPlan.objects.select_for_update(of=("self",)).select_related("series", "template")
    held: EveningPlan = rows.get(pk=plan.pk)
    return held


def _day(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}"


def _in_words(plan: EveningPlan) -> dict[str, Any]:
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
