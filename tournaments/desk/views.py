"""The desk page, its next step, and finishing the event."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players import factors
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.pages import deck_warnings
from tournaments.desk.navigation import SECTION_TITLES, JudgeWorkload, desk_sections
from tournaments.desk.next_step import StepKind, next_step
from tournaments.desk.pages import finish_question, finished_event, site_backup, site_warnings
from tournaments.desk.state import DeskSummary, desk_state, desk_summary
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.files.pages import difference_lines, imported_file_of
from tournaments.judging.pages import call_queue
from tournaments.outlook.pages import decided_in_words
from tournaments.registration.pages import desk_attendance
from tournaments.rounds import timing_pages
from tournaments.settings import services as settings_services
from tournaments.web.access import EventRequest
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    get_cleaned_data,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
)

# URL names of the pages where a step is done.
PAGES_OF_STEP = {
    StepKind.ADD_PLAYERS: {"roster", "roster_paste"},
    StepKind.CHECK_IN: {"tick", "scan"},
    StepKind.CHECK_IN_DAY_TWO: {"tick", "scan"},
    StepKind.DROP_DAY_TWO: {"day_two"},
    StepKind.RESULTS: {"results"},
    StepKind.SAY_WHO: {"results"},
    StepKind.START_CUT: {"cut"},
    StepKind.MAKE_CUT: {"cut"},
    StepKind.PUBLISH_SEEDS: {"cut"},
    StepKind.FINISH: {"finish"},
}


@staff_page(event_permissions.can_open_desk)
def desk(request: EventRequest) -> HttpResponse:
    """Render the desk, or its fragment for polling; 304 if nothing has changed."""
    summary = desk_summary(
        request.event, runs=event_permissions.can_run(request.actor, request.event)
    )
    etag = _desk_etag(request, summary)
    if "X-Fragment" in request.headers:
        if request.headers.get("If-None-Match") == etag:
            return HttpResponse(status=304)
        response = render_desk_page(
            request, "tournaments/desk/_desk.html", _desk_context(request, summary)
        )
        response["ETag"] = etag
        return response
    file = imported_file_of(request.event) if summary.work.is_imported else None
    lines = difference_lines(file) if file else []
    context = {
        **_desk_context(request, summary),
        "etag": etag,
        "file": file,
        "differences": lines,
        "is_today": request.event.starts_on <= request.event.local_date <= request.event.last_day,
    }
    return render_desk_page(request, "tournaments/desk/desk.html", context)


@staff_page(event_permissions.can_open_desk)
def desk_step(request: EventRequest) -> HttpResponse:
    """Render only the next step, for the head of the desk page `at`; 304 if unchanged."""
    event = request.event
    summary = desk_summary(event, runs=event_permissions.can_run(request.actor, event))
    etag = _desk_etag(request, summary)
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    can_score = event_permissions.can_enter_results(request.actor, event)
    step = next_step(desk_state(event, summary), can_score=can_score)
    is_here = request.GET.get("at") in PAGES_OF_STEP.get(step.kind, ())
    context = {"step": step, "is_here": is_here, "seen_log": summary.work.newest_entry}
    response = render_desk_page(request, "tournaments/desk/_step_strip.html", context)
    response["ETag"] = etag
    return response


@staff_page(event_permissions.can_open_desk)
def desk_section(request: EventRequest, section: str) -> HttpResponse:
    """Render the links of one section; the desk opens them in a side sheet."""
    if section not in SECTION_TITLES:
        raise Http404("No such section.")
    event = request.event
    summary = desk_summary(event, runs=event_permissions.can_run(request.actor, event))
    context = {
        "section": section,
        "title": SECTION_TITLES[section],
        "desk_state": desk_state(event, summary),
        "seen_log": summary.work.newest_entry,
        "reason_form": ReasonForm(),
    }
    return render_desk_page(request, "tournaments/desk/section.html", context)


@staff_page(event_permissions.can_enter_results)
def current_results(request: EventRequest) -> HttpResponse:
    """Redirect to the results of the newest published round."""
    event = request.event
    newest = event.rounds.published().order_by("-number").first()
    if newest is None:
        messages.info(request, _("Results can be entered once round 1 is published."))
        return redirect("tournaments:desk", slug=event.slug)
    return redirect("tournaments:results", slug=event.slug, number=newest.number)


def _desk_etag(request: EventRequest, summary: DeskSummary) -> str:
    event, actor = request.event, request.actor
    known = (
        # Every change of an event is logged.
        summary.work.newest_entry,
        [(job.pk, job.state, job.payload.get("done")) for job in summary.jobs],
        list(decided_in_words(event, summary.rounds[-1])) if summary.rounds else [],
        event.role_of(actor.user) if actor.user else None,
        event.is_past_closing_time,
        deck_queries.decks_are_closed(event),
        summary.minutes_over,
        timezone.localdate(),
        site_backup(actor),
        site_warnings(actor),
    )
    return f'"{sha256(repr(known).encode()).hexdigest()[:24]}"'


def _desk_context(request: EventRequest, summary: DeskSummary) -> dict[str, Any]:
    event, actor = request.event, request.actor
    state = desk_state(event, summary)
    calls = call_queue(event, actor, timezone.now(), state.tables) if state.has_begun else []
    workload = JudgeWorkload(len(calls))
    if event_permissions.can_judge(actor, event):
        workload = replace(
            workload, deck_checks=summary.work.checks, penalties=summary.work.penalties
        )
    end_times = timing_pages.estimate_end_times(
        event,
        state.rounds,
        target=state.target,
        open_tables=len(state.open_tables),
        players=state.players,
        cut=state.cut,
    )
    return {
        "sections": desk_sections(state, workload, end_times),
        "desk_state": state,
        "step": next_step(state, can_score=event_permissions.can_enter_results(actor, event)),
        "end_times": end_times,
        "clock_controls": timing_pages.get_clock_controls(
            state.round, (table.pairing for table in state.open_tables)
        ),
        "arriving": desk_attendance(
            event,
            state.round if summary.work.has_absences else None,
            state.states,
            has_begun=state.has_begun,
        ),
        "calls": calls,
        "deck_warnings": None
        if event.is_finished
        else deck_warnings(event, has_begun=state.has_begun),
        "late_tables": list(event.late_tables()) if state.has_late_tables else [],
        "finished": finished_event(event) if event.is_finished else None,
        "poll_every": 2 if state.live_jobs else 5,
        "seen_log": summary.work.newest_entry,
        "has_bracket": state.has_bracket,
        "backup": site_backup(actor),
        "site_warnings": site_warnings(actor),
        "is_administrator": actor.user is not None and factors.is_administrator(actor.user),
    }


@staff_page(event_permissions.can_run, WRITE)
def retry_job(request: EventRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(request.event.jobs, pk=pk)
    with show_refusals(request):
        event_services.retry_job(job, request.actor)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def toggle_registration(request: EventRequest) -> HttpResponse:
    """Open or close registration, with `open` set to yes or no."""
    event, is_open = request.event, request.POST.get("open") == "yes"
    with show_refusals(request):
        settings_services.set_registration(
            event, request.actor, is_open=is_open, seen_log=seen_log_entry(request)
        )
    return redirect("tournaments:desk", slug=event.slug)


@staff_page(event_permissions.can_run, READ + WRITE)
def finish_event(request: EventRequest) -> HttpResponse:
    """Confirm what becomes final, then finish the event."""
    event = request.event
    if event.is_finished:
        return redirect("tournaments:desk", slug=event.slug)
    if request.method != "POST":
        context = {"question": finish_question(event)}
        return render_desk_page(request, "tournaments/desk/finish.html", context)
    with show_refusals(request):
        settings_services.finish_event(event, request.actor)
        messages.success(request, _("The event is finished. Thank you for running it."))
    return redirect("tournaments:desk", slug=event.slug)


@staff_page(event_permissions.can_own, WRITE)
def reopen_event(request: EventRequest) -> HttpResponse:
    """Reopen a finished event; the reason is logged."""
    with show_refusals(request):
        missing = _("Give a reason for reopening the event.")
        data = get_cleaned_data(ReasonForm(request.POST), missing)
        settings_services.reopen_event(request.event, request.actor, data["reason"])
        messages.success(request, _("The event is open again."))
    return redirect("tournaments:desk", slug=request.event.slug)
