"""Views for organisers: settings, events, evenings, invitations and roles."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.errors import StaleVersion
from core.form_fields import whole_number
from core.text import counted
from players.models import Player, User
from players.recent import fresh_session
from tournaments.event import permissions as event_permissions
from tournaments.event.actors import actor_of
from tournaments.models import EveningPlan, Series, Tournament
from tournaments.series import pages, permissions, queries
from tournaments.series.forms import EventForm, OrganiserForm, PlanForm, SeriesForm, usual
from tournaments.series.rules.evenings import next_week
from tournaments.series.services import inviting, recurring
from tournaments.series.services import series as series_services
from tournaments.series.services.series import SeriesRefused
from tournaments.series.views.access import SeriesRequest, context_of, series_page
from tournaments.settings.services.staff import StaffRefused
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, cleaned, seen_id

LOG_LINES = 30
DESK = "tournaments:series_desk"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def series_create(request: HttpRequest) -> HttpResponse:
    """Create a series; `event` in the URL makes that event count for it."""
    event_permissions.refuse_unless_organiser(request.user)
    actor = actor_of(request)
    first = permissions.events_run_by(actor).filter(slug=request.GET.get("event", "")).first()
    targets = permissions.targets_of(actor)
    form = SeriesForm(request.POST or None, instance=usual(), targets=targets)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        made = series_services.create(request.user, **form.settings)
        if first is not None:
            series_services.add_event(made, first, actor)
        messages.success(request, f"{made.name} is created.")
        return redirect(DESK, made.slug)
    context = {"form": form, "first": first}
    status = 422 if form.errors else 200
    return render(request, "tournaments/series/create.html", context, status=status)


@series_page(permissions.can_run)
def series_desk(request: SeriesRequest) -> HttpResponse:
    return _desk(request)


def _desk(request: SeriesRequest, status: int = 200, **context: Any) -> HttpResponse:
    series, actor = request.series, request.actor
    qualified = pages.qualified_page(series)
    shared = context_of(
        request,
        can_own=permissions.can_own(actor, series),
        events=queries.shown_events(series).order_by("-starts_on", "-pk")[: pages.COLUMNS],
        hidden=queries.hidden_events(series),
        desks=event_permissions.desks_of(actor),
        event_form=EventForm(events=permissions.events_run_by(actor).exclude(series=series)),
        plans=pages.plan_lines(series),
        can_plan=permissions.events_run_by(actor).filter(series=series).exists(),
        qualified=qualified,
        tied=_tied(request, qualified),
        not_invited=pages.not_invited_yet(series, qualified),
        staff=series.staff.select_related("user"),
        go_along=[
            event
            for event in queries.handed_over_with(series)
            if event_permissions.can_own(actor, event)
        ],
        log=series.log.select_related("user")[:LOG_LINES],
        counting=pages.counting_in_words(series),
        **{"organiser_form": OrganiserForm(), **context},
    )
    return render(request, "tournaments/series/desk.html", shared, status=status)


def _tied(request: SeriesRequest, page: pages.QualifiedPage | None) -> Iterable[Player]:
    """Return the tied players by name, if the actor may invite to the event."""
    target = request.series.target
    if page is None or target is None or not event_permissions.can_run(request.actor, target):
        return ()
    return Player.objects.filter(pk__in=[one.key for one in page.tied]).order_by("sort_key", "pk")


@series_page(permissions.can_run, READ + WRITE)
def series_settings(request: SeriesRequest) -> HttpResponse:
    """Change the settings of a series.

    `seen` detects a stale page.
    """
    series, actor = request.series, request.actor
    # The form changes its own instance; the page shows the stored series.
    seen = queries.newest_log_id(series)
    kept = Series.objects.get(pk=series.pk)
    form = SeriesForm(
        request.POST or None, instance=kept, targets=permissions.targets_of(actor, series)
    )
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, StaleVersion):
            series_services.change(series, actor, seen_log=seen_id(request), **form.settings)
            messages.success(request, "Saved.")
            return redirect(DESK, series.slug)
    can_own = permissions.can_own(actor, series)
    context = context_of(request, form=form, seen=seen, can_own=can_own)
    status = 422 if form.errors else 409 if request.method == "POST" else 200
    return render(request, "tournaments/series/settings.html", context, status=status)


@fresh_session
@series_page(permissions.can_own, WRITE)
def series_delete(request: SeriesRequest) -> HttpResponse:
    """Delete the series after a confirmation by checkbox; its events remain."""
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box to delete the series.")
        return redirect("tournaments:series_settings", request.series.slug)
    series_services.delete(request.series)
    messages.success(request, f"{request.series.name} is deleted. Its events are still there.")
    return redirect("tournaments:series_list")


@series_page(permissions.can_run, WRITE)
def series_event_add(request: SeriesRequest) -> HttpResponse:
    form = EventForm(request.POST, events=permissions.events_run_by(request.actor))
    with RefusalsShown(request, SeriesRefused):
        event = cleaned(form, "Choose one of the events that you run.")["event"]
        series_services.add_event(request.series, event, request.actor)
        messages.success(request, f"{event.name} counts for {request.series.name}.")
    return redirect(DESK, request.series.slug)


@series_page(permissions.can_run, WRITE)
def series_event_remove(request: SeriesRequest) -> HttpResponse:
    """Remove an event from the series. Organisers of the series may remove any event."""
    series = request.series
    event = series.events.filter(slug=request.POST.get("event", "")).first()
    if event is None:
        messages.error(request, "Choose one of the events of this series.")
    else:
        series_services.remove_event(event, request.actor, series=series)
        messages.success(request, f"{event.name} no longer counts for {series.name}.")
    return redirect(DESK, series.slug)


@fresh_session
@series_page(permissions.can_own, WRITE)
def series_staff_add(request: SeriesRequest) -> HttpResponse:
    form = OrganiserForm(request.POST)
    if not form.is_valid():
        return _desk(request, 422, organiser_form=form)
    user = form.cleaned_data["username"]
    with RefusalsShown(request, SeriesRefused):
        series_services.give_role(request.series, request.actor, user)
        messages.success(request, f"{user} organises this series too.")
    return redirect(DESK, request.series.slug)


@fresh_session
@series_page(permissions.can_own, WRITE)
def series_staff_remove(request: SeriesRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(request.series.staff.select_related("user"), pk=pk)
    with RefusalsShown(request, SeriesRefused):
        series_services.take_role(request.series, request.actor, member)
        messages.success(
            request,
            f"{member.user} no longer organises this series. Their roles at single events stay: "
            "take them away under Staff of each event.",
        )
    return redirect(DESK, request.series.slug)


@fresh_session
@series_page(permissions.can_own, WRITE)
def series_hand_over(request: SeriesRequest, pk: int) -> HttpResponse:
    """Hand over the series and its open events; the former owner becomes an organiser."""
    member = get_object_or_404(request.series.staff.select_related("user"), pk=pk)
    with RefusalsShown(request, SeriesRefused, StaffRefused):
        series_services.hand_over(request.series, request.actor, member)
        messages.success(request, f"{member.user} owns this series now.")
    return redirect(DESK, request.series.slug)


@series_page(permissions.can_run, READ + WRITE)
def plan_create(request: SeriesRequest) -> HttpResponse:
    templates = permissions.events_run_by(request.actor).filter(series=request.series)
    form = PlanForm(request.POST or None, templates=templates, initial=_usual(templates.first()))
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, SeriesRefused):
            recurring.plan(request.series, request.actor, **form.cleaned_data)
            messages.success(request, "Planned. Each evening opens by itself.")
            return redirect(DESK, request.series.slug)
    return _plan_page(request, form)


def _usual(event: Tournament | None) -> dict[str, Any]:
    """Return initial form values: weekday and time of the newest event."""
    zone = timezone.get_default_timezone_name()
    if event is None:
        return {"time_zone": zone}
    return {
        "template": event,
        "first_on": next_week(event.starts_on, timezone.localdate()),
        "starts_at": event.start_time or "19:00",
        "time_zone": event.time_zone,
        "days_before": 6,
        "opens_at": "12:00",
    }


def _plan_page(request: SeriesRequest, form: PlanForm, **context: Any) -> HttpResponse:
    status = 422 if form.errors else 409 if request.method == "POST" else 200
    shared = context_of(request, form=form, **context)
    return render(request, "tournaments/series/plan.html", shared, status=status)


@series_page(permissions.can_run, READ + WRITE)
def plan(request: SeriesRequest, pk: int) -> HttpResponse:
    held = get_object_or_404(request.series.plans.filter(stopped_at=None), pk=pk)
    templates = permissions.events_run_by(request.actor).filter(series=request.series)
    form = PlanForm(
        request.POST or None,
        instance=EveningPlan.objects.get(pk=held.pk),
        templates=templates | Tournament.objects.filter(pk=held.template_id or 0),
    )
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, SeriesRefused):
            recurring.change(held, request.actor, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect(DESK, request.series.slug)
    return _plan_page(request, form, plan=held)


@series_page(permissions.can_run, WRITE)
def plan_stop(request: SeriesRequest, pk: int) -> HttpResponse:
    recurring.stop(get_object_or_404(request.series.plans, pk=pk), request.actor)
    messages.success(request, "Stopped. No further evening opens by itself.")
    return redirect(DESK, request.series.slug)


@series_page(permissions.can_run, WRITE)
def plan_day(request: SeriesRequest, pk: int) -> HttpResponse:
    held = get_object_or_404(request.series.plans, pk=pk)
    day = parse_date(request.POST.get("day", "")[:10]) if request.POST.get("day") else None
    if day is None:
        messages.error(request, "Choose one of the evenings to come.")
    elif request.POST.get("skip") == "no":
        recurring.keep(held, request.actor, day)
        messages.success(request, f"{day:%d %B} is not skipped any more.")
    else:
        with RefusalsShown(request, SeriesRefused):
            recurring.skip(held, request.actor, day)
            messages.success(request, f"No evening on {day:%d %B}.")
    return redirect(DESK, request.series.slug)


@series_page(permissions.can_run, WRITE)
def series_invite(request: SeriesRequest) -> HttpResponse:
    """Invite all qualified players to the event, or a single tied `player`."""
    series, actor = request.series, request.actor
    if series.target is not None and not event_permissions.can_run(actor, series.target):
        messages.error(request, f"Only organisers of {series.target} can invite its players.")
        return redirect(DESK, series.slug)
    with RefusalsShown(request, SeriesRefused):
        if "player" in request.POST:
            player = whole_number(request.POST["player"], 18)
            made = inviting.choose(series, actor, player, request.POST.get("reason", ""))
            messages.success(request, f"{made.player.name} is invited.")
        else:
            only = request.POST.get("only_invited") == "yes"
            number = inviting.invite_qualified(series, actor, only_invited=only)
            messages.success(request, f"Invited: {counted(number, 'player')}.")
    return redirect(DESK, series.slug)
