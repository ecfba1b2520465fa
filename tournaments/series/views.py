"""Pages of series, of copies of an event, and of invitations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from core.addresses import counted_address, shared_url
from core.csv_tables import CSV_TYPE, csv_bytes
from core.files import attachment_response
from core.form_fields import whole_number
from core.rate_limits import rate_limited
from core.text import with_full_stop
from players.models import Player, User
from players.reauthentication import fresh_session
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor, actor_of
from tournaments.files import calendars
from tournaments.models import EveningPlan, InvitedPlayer, RegistrationState, Series, Tournament
from tournaments.series import pages, permissions, queries, recurring, services
from tournaments.series.forms import (
    CopyEventForm,
    EveningPlanForm,
    SeriesEventForm,
    SeriesForm,
    SeriesOfEventForm,
    SeriesOrganiserForm,
    default_series,
)
from tournaments.series.pages import SeriesTable
from tournaments.series.queries import ShownPlayer
from tournaments.series.rules import TIE_BREAKERS, next_week
from tournaments.statistics.pages import statistics_csv
from tournaments.statistics.views import statistics_context
from tournaments.web.access import EventRequest
from tournaments.web.idempotency import idempotent
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    get_cleaned_data,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
)

P = ParamSpec("P")


class SeriesRequest(HttpRequest):
    """A request below a series. The decorator of the view sets the series and the actor."""

    series: Series
    actor: Actor


SeriesViewFunction: TypeAlias = Callable[Concatenate[SeriesRequest, P], HttpResponse]


def series_or_404(request: HttpRequest, slug: str) -> tuple[Series, Actor]:
    """Return the series if this person may read it."""
    series, actor = get_object_or_404(Series, slug=slug), actor_of(request)
    if not permissions.can_see(actor, series):
        raise Http404("There is no series at this address.")
    return series, actor


def series_view(view: SeriesViewFunction[P]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def wrapper(
        request: SeriesRequest, series: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        request.series, request.actor = series_or_404(request, series)
        return view(request, *args, **kwargs)

    return wrapper


def series_staff_page(
    ability: Callable[[Actor, Series], bool], methods: Sequence[str] = READ
) -> Callable[[SeriesViewFunction[P]], Callable[..., HttpResponse]]:
    """Decorate a view for people with this ability, like tournaments.web.staff_pages."""

    def decorate(view: SeriesViewFunction[P]) -> Callable[..., HttpResponse]:
        @require_http_methods(methods)
        @never_cache
        @wraps(view)
        def wrapper(
            request: SeriesRequest, series: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            if not request.user.is_authenticated:
                # Only a GET is repeated after the login. Other methods return to the bare path.
                path = request.get_full_path() if request.method == "GET" else request.path
                return redirect_to_login(path)
            request.series, request.actor = series_or_404(request, series)
            if not ability(request.actor, request.series):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return wrapper

    return decorate


def series_context(request: SeriesRequest, **context: Any) -> dict[str, Any]:
    series, actor = request.series, request.actor
    can_run = permissions.can_run(actor, series)
    return {"series": series, "actor": actor, "can_run": can_run, **context}


# Public views of a series: table, events, files and calendar.


SERIES_PER_PAGE = 50
CALENDAR_HISTORY = timedelta(days=366)


@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    known = permissions.series_known_to(actor_of(request)).order_by("-pk")
    page = Paginator(known, SERIES_PER_PAGE).get_page(request.GET.get("page"))
    figures = queries.series_figures(list(page))
    context = {"page_obj": page, "lines": [(series, figures[series.pk]) for series in page]}
    return render(request, "tournaments/series/list.html", context)


@require_safe
@rate_limited("search")
@conditional_page
@series_view
def series_detail(request: SeriesRequest) -> HttpResponse:
    series, player = request.series, request.actor.player
    table = pages.series_table(series)
    page = Paginator(table.lines, pages.ROWS_PER_PAGE).get_page(request.GET.get("page"))
    own_row = table.place_in_list(player)
    to_come = queries.shown_events(series).filter(finished_at=None)
    context = series_context(
        request,
        table=table,
        page_obj=page,
        shown=pages.visible_series_page(series, table, page, player),
        mine=table.lines[own_row - 1] if own_row else None,
        my_page=(own_row - 1) // pages.ROWS_PER_PAGE + 1 if own_row else None,
        to_come=to_come[: pages.EVENT_COLUMNS],
        counting=pages.counting_in_words(series),
        tie_breakers=[_(TIE_BREAKERS[id_].explanation) for id_ in series.tie_breakers],
        qualified=pages.qualified_page(series, table.season),
        target=queries.shown_target(series),
    )
    response = render(request, "tournaments/series/series.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@series_view
def series_csv(request: SeriesRequest) -> HttpResponse:
    """Download the whole table as CSV, with three columns per event."""
    table = pages.series_table(request.series)
    names = queries.shown_players(request.series, [line.player for line in table.lines])
    header = ["Place", "Player", "Points", "Events", "Events counted", "Moved"]
    for event in table.events:
        header += [f"{event.name}: place", f"{event.name}: points", f"{event.name}: counts"]
    data = csv_bytes(header, _csv_rows(table, names))
    return attachment_response(data, f"{request.series.slug}.csv", CSV_TYPE)


def _csv_rows(table: SeriesTable, names: Mapping[int, ShownPlayer]) -> Iterator[list[object]]:
    for line in table.lines:
        moved = "" if line.moved is None else line.moved
        row: list[object] = [line.place, names[line.player].name, line.points]
        row += [line.played, line.counted, moved]
        for event in table.events:
            cell = line.by_evening.get(event.pk)
            row += [cell.place, cell.points, cell.counts] if cell else ["", "", ""]
        yield row


@require_safe
@rate_limited("expensive")
@conditional_page
@series_view
def series_statistics(request: SeriesRequest) -> HttpResponse:
    context = series_context(request, **statistics_context(pages.season_statistics(request.series)))
    response = render(request, "tournaments/series/statistics.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@series_view
def series_statistics_csv(request: SeriesRequest) -> HttpResponse:
    data = statistics_csv(pages.season_statistics(request.series).charts)
    response = attachment_response(data, f"{request.series.slug}-statistics.csv", CSV_TYPE)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@conditional_page
@series_view
def series_calendar(request: SeriesRequest) -> HttpResponse:
    since = timezone.localdate() - CALENDAR_HISTORY
    entries = [
        calendars.CalendarEntry(
            event,
            shared_url(request, event.get_absolute_url()),
            event.newest_round_at,  # type: ignore[attr-defined]
        )
        for event in queries.shown_events(request.series).for_calendar(since=since)
    ]
    data = calendars.build_calendar(entries, request.series.name)
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    patch_cache_control(response, no_cache=True)
    return response


# Views for organisers: settings, events, evenings, invitations and roles.


LOG_LINES = 30
SERIES_DESK_URL = "tournaments:series_desk"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def series_create(request: HttpRequest) -> HttpResponse:
    """Create a series; `event` in the URL makes that event count for it."""
    event_permissions.refuse_unless_organiser(request.user)
    actor = actor_of(request)
    first = permissions.events_run_by(actor).filter(slug=request.GET.get("event", "")).first()
    targets = permissions.possible_targets(actor)
    form = SeriesForm(request.POST or None, instance=default_series(), targets=targets)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        series = services.create_series(request.user, **form.settings)
        if first is not None:
            services.add_event(series, first, actor)
        messages.success(request, _("%(series)s was created.") % {"series": series.name})
        return redirect(SERIES_DESK_URL, series.slug)
    context = {"form": form, "first": first}
    status = 422 if form.errors else 200
    return render(request, "tournaments/series/create.html", context, status=status)


@series_staff_page(permissions.can_run)
def series_desk(request: SeriesRequest) -> HttpResponse:
    return _render_desk(request)


def _render_desk(request: SeriesRequest, status: int = 200, **context: Any) -> HttpResponse:
    series, actor = request.series, request.actor
    qualified = pages.qualified_page(series)
    shared = series_context(
        request,
        can_own=permissions.can_own(actor, series),
        events=queries.shown_events(series).order_by("-starts_on", "-pk")[: pages.EVENT_COLUMNS],
        hidden=queries.hidden_events(series),
        desks=event_permissions.events_with_desk_role(actor),
        event_form=SeriesEventForm(events=permissions.events_run_by(actor).exclude(series=series)),
        plans=pages.plan_lines(series),
        can_plan=permissions.events_run_by(actor).filter(series=series).exists(),
        qualified=qualified,
        tied=_invitable_tied_players(request, qualified),
        not_invited=pages.count_not_invited(series, qualified),
        staff=series.staff.select_related("user"),
        go_along=[
            event
            for event in queries.events_handed_over_with(series)
            if event_permissions.can_own(actor, event)
        ],
        log=series.log.select_related("user")[:LOG_LINES],
        counting=pages.counting_in_words(series),
        **{"organiser_form": SeriesOrganiserForm(), **context},
    )
    return render(request, "tournaments/series/desk.html", shared, status=status)


def _invitable_tied_players(
    request: SeriesRequest, page: pages.QualifiedPage | None
) -> Iterable[Player]:
    target = request.series.target
    if page is None or target is None or not event_permissions.can_run(request.actor, target):
        return ()
    tied = [player.key for player in page.tied]
    return Player.objects.filter(pk__in=tied).order_by("sort_key", "pk")


@series_staff_page(permissions.can_run, READ + WRITE)
def series_settings(request: SeriesRequest) -> HttpResponse:
    """Change the settings of a series; `seen` detects a stale page."""
    series, actor = request.series, request.actor
    seen = queries.newest_log_id(series)
    form = SeriesForm(
        request.POST or None,
        # A ModelForm modifies its instance; the page shows the stored series.
        instance=Series.objects.get(pk=series.pk),
        targets=permissions.possible_targets(actor, series),
    )
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            services.change_series(series, actor, seen_log=seen_log_entry(request), **form.settings)
            messages.success(request, _("Saved."))
            return redirect(SERIES_DESK_URL, series.slug)
    can_own = permissions.can_own(actor, series)
    context = series_context(request, form=form, seen=seen, can_own=can_own)
    status = 422 if form.errors else 409 if request.method == "POST" else 200
    return render(request, "tournaments/series/settings.html", context, status=status)


@fresh_session
@series_staff_page(permissions.can_own, WRITE)
def series_delete(request: SeriesRequest) -> HttpResponse:
    """Delete the series after a confirmation by checkbox; its events remain."""
    if request.POST.get("sure") != "yes":
        messages.error(request, _("Tick the box to delete the series."))
        return redirect("tournaments:series_settings", request.series.slug)
    services.delete_series(request.series)
    messages.success(
        request, _("%(series)s was deleted. Its events remain.") % {"series": request.series.name}
    )
    return redirect("tournaments:series_list")


@series_staff_page(permissions.can_run, WRITE)
def series_event_add(request: SeriesRequest) -> HttpResponse:
    form = SeriesEventForm(request.POST, events=permissions.events_run_by(request.actor))
    with show_refusals(request):
        event = get_cleaned_data(form, _("Choose one of the events that you run."))["event"]
        services.add_event(request.series, event, request.actor)
        messages.success(
            request,
            _("%(event)s now counts towards %(series)s.")
            % {"event": event.name, "series": request.series.name},
        )
    return redirect(SERIES_DESK_URL, request.series.slug)


@series_staff_page(permissions.can_run, WRITE)
def series_event_remove(request: SeriesRequest) -> HttpResponse:
    """Remove an event from the series. Organisers of the series may remove any event."""
    series = request.series
    event = series.events.filter(slug=request.POST.get("event", "")).first()
    if event is None:
        messages.error(request, _("Choose one of the events of this series."))
    else:
        services.remove_event(event, request.actor, series=series)
        messages.success(
            request,
            _("%(event)s no longer counts towards %(series)s.")
            % {"event": event.name, "series": series.name},
        )
    return redirect(SERIES_DESK_URL, series.slug)


@fresh_session
@series_staff_page(permissions.can_own, WRITE)
def series_staff_add(request: SeriesRequest) -> HttpResponse:
    form = SeriesOrganiserForm(request.POST)
    if not form.is_valid():
        return _render_desk(request, 422, organiser_form=form)
    user = form.cleaned_data["username"]
    with show_refusals(request):
        services.add_organiser(request.series, request.actor, user)
        messages.success(
            request, _("%(user)s is now an organiser of this series.") % {"user": user}
        )
    return redirect(SERIES_DESK_URL, request.series.slug)


@fresh_session
@series_staff_page(permissions.can_own, WRITE)
def series_staff_remove(request: SeriesRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(request.series.staff.select_related("user"), pk=pk)
    with show_refusals(request):
        services.remove_organiser(request.series, request.actor, member)
        messages.success(
            request,
            _(
                "%(user)s no longer organises this series. They keep their roles at its "
                "events: remove those on each event's Staff page."
            )
            % {"user": member.user},
        )
    return redirect(SERIES_DESK_URL, request.series.slug)


@fresh_session
@series_staff_page(permissions.can_own, WRITE)
def series_hand_over(request: SeriesRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(request.series.staff.select_related("user"), pk=pk)
    with show_refusals(request):
        services.hand_over_series(request.series, request.actor, member)
        messages.success(request, _("%(user)s now owns this series.") % {"user": member.user})
    return redirect(SERIES_DESK_URL, request.series.slug)


@series_staff_page(permissions.can_run, READ + WRITE)
def plan_create(request: SeriesRequest) -> HttpResponse:
    templates = permissions.events_run_by(request.actor).filter(series=request.series)
    form = EveningPlanForm(
        request.POST or None, templates=templates, initial=_initial_plan(templates.first())
    )
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            recurring.plan_evenings(request.series, request.actor, **form.cleaned_data)
            messages.success(request, _("Schedule saved. Events will open automatically."))
            return redirect(SERIES_DESK_URL, request.series.slug)
    return _render_plan(request, form)


def _initial_plan(event: Tournament | None) -> dict[str, Any]:
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


def _render_plan(request: SeriesRequest, form: EveningPlanForm, **context: Any) -> HttpResponse:
    status = 422 if form.errors else 409 if request.method == "POST" else 200
    shared = series_context(request, form=form, **context)
    return render(request, "tournaments/series/plan.html", shared, status=status)


@series_staff_page(permissions.can_run, READ + WRITE)
def plan_change(request: SeriesRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(request.series.plans.filter(stopped_at=None), pk=pk)
    templates = permissions.events_run_by(request.actor).filter(series=request.series)
    form = EveningPlanForm(
        request.POST or None,
        instance=EveningPlan.objects.get(pk=plan.pk),
        templates=templates | Tournament.objects.filter(pk=plan.template_id or 0),
    )
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            recurring.change_plan(plan, request.actor, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect(SERIES_DESK_URL, request.series.slug)
    return _render_plan(request, form, plan=plan)


@series_staff_page(permissions.can_run, WRITE)
def plan_stop(request: SeriesRequest, pk: int) -> HttpResponse:
    recurring.stop_plan(get_object_or_404(request.series.plans, pk=pk), request.actor)
    messages.success(request, _("Schedule stopped. No further events will open automatically."))
    return redirect(SERIES_DESK_URL, request.series.slug)


@series_staff_page(permissions.can_run, WRITE)
def plan_day(request: SeriesRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(request.series.plans, pk=pk)
    day = parse_date(request.POST.get("day", "")[:10]) if request.POST.get("day") else None
    if day is None:
        messages.error(request, _("Choose one of the upcoming events."))
    elif request.POST.get("skip") == "no":
        recurring.unskip_evening(plan, request.actor, day)
        messages.success(
            request,
            _("The event on %(day)s will take place.")
            % {"day": date_format(day, "LONG_DATE_FORMAT")},
        )
    else:
        with show_refusals(request):
            recurring.skip_evening(plan, request.actor, day)
            messages.success(
                request,
                _("The event on %(day)s will be skipped.")
                % {"day": date_format(day, "LONG_DATE_FORMAT")},
            )
    return redirect(SERIES_DESK_URL, request.series.slug)


@series_staff_page(permissions.can_run, WRITE)
def series_invite(request: SeriesRequest) -> HttpResponse:
    """Invite all qualified players to the event, or a single tied `player`."""
    series, actor = request.series, request.actor
    if series.target is not None and not event_permissions.can_run(actor, series.target):
        messages.error(
            request,
            _("Only organisers of %(target)s can invite its players.") % {"target": series.target},
        )
        return redirect(SERIES_DESK_URL, series.slug)
    with show_refusals(request):
        if "player" in request.POST:
            player = whole_number(request.POST["player"], 18)
            invited = services.invite_tied_player(
                series, actor, player, request.POST.get("reason", "")
            )
            messages.success(
                request, _("%(player)s was invited.") % {"player": invited.player.name}
            )
        else:
            only_invited = request.POST.get("only_invited") == "yes"
            number = services.invite_qualified(series, actor, only_invited=only_invited)
            text = ngettext(
                "%(number)s player was invited.", "%(number)s players were invited.", number
            )
            messages.success(request, text % {"number": number})
    return redirect(SERIES_DESK_URL, series.slug)


# Views of an event's staff: copy the event, choose its series, manage invitations.


@idempotent
@staff_page(event_permissions.can_run, READ + WRITE)
def event_copy(request: EventRequest) -> HttpResponse:
    event_permissions.refuse_unless_organiser(request.user)
    event, actor = request.event, request.actor
    players = queries.players_to_copy(event).count()
    form = CopyEventForm(request.POST or None, event=event, players=players)
    series = permissions.series_of_copy(actor, event)
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            copy = recurring.copy_event(event, actor, form.options, series=series)
            messages.success(
                request, _("%(copy)s was created, and registration is open.") % {"copy": copy.name}
            )
            if copy.invitation_only:
                messages.warning(
                    request, _("Only invited players can join, and nobody has been invited yet.")
                )
            return redirect("tournaments:created", copy.slug)
    context = {"form": form, "series": series, "has_players": players > 0}
    status = 422 if form.errors else 200
    return render_desk_page(request, "tournaments/series/again.html", context, status)


@staff_page(event_permissions.can_run, READ + WRITE)
def event_series(request: EventRequest) -> HttpResponse:
    """Choose the series of the event from those that this person runs, or none."""
    event = request.event
    form = SeriesOfEventForm(
        request.POST if request.method == "POST" else None,
        choices=permissions.series_run_by(request.actor),
        initial={"series": event.series and event.series.slug},
    )
    if request.method == "POST":
        with show_refusals(request):
            chosen = get_cleaned_data(form, _("Choose a series that you run, or none."))["series"]
            if chosen is None:
                services.remove_event(event, request.actor)
            else:
                services.add_event(chosen, event, request.actor)
            messages.success(request, _("Saved."))
        return redirect("tournaments:event_series", event.slug)
    return render_desk_page(request, "tournaments/series/event_series.html", {"form": form})


@staff_page(event_permissions.can_run)
def invited_players(request: EventRequest) -> HttpResponse:
    context = {"lines": pages.invited_lines(request.event, request.actor)}
    return render_desk_page(request, "tournaments/series/invited.html", context)


@staff_page(event_permissions.can_run, WRITE)
def invitation_change(request: EventRequest, pk: int) -> HttpResponse:
    """Withdraw an invitation, or change whether the player has declined."""
    rows = request.event.invited.select_related("tournament", "player")
    invited = get_object_or_404(rows, pk=pk)
    act = request.POST.get("act", "")
    with show_refusals(request):
        if act == "withdraw":
            services.withdraw_invitation(invited, request.actor)
            messages.success(
                request, _("%(player)s is no longer invited.") % {"player": invited.player}
            )
        else:
            services.set_invitation_declined(invited, request.actor, declined=act != "accept")
            messages.success(request, _("Saved."))
    return redirect("tournaments:invited", request.event.slug)


# View for players to answer an invitation.


@never_cache
@require_POST
def invitation_answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept or decline by the value of `answer`; without it nothing changes."""
    actor = actor_of(request)
    rows = InvitedPlayer.objects.select_related("tournament", "player")
    invited = get_object_or_404(rows, player=actor.player, tournament__slug=slug)
    answer = request.POST.get("answer")
    with show_refusals(request):
        if answer == "accept":
            place = services.accept_invitation(invited, actor, address=counted_address(request))
            if place.state == RegistrationState.WAITING:
                messages.success(
                    request,
                    _("You are on the waiting list for %(tournament)s.")
                    % {"tournament": invited.tournament},
                )
            else:
                text = _("You are registered for %(tournament)s")
                messages.success(request, with_full_stop(text % {"tournament": invited.tournament}))
            return redirect("tournaments:my_event", slug)
        if answer == "decline":
            services.decline_invitation(invited, actor)
            messages.success(
                request,
                _("You declined the invitation to %(tournament)s.")
                % {"tournament": invited.tournament},
            )
    return redirect("tournaments:mine")
