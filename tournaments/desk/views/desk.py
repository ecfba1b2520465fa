"""Desk page with the next step and open problems; practice events."""

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from core.errors import StaleVersion
from engine.pairing.round_robin import RoundRobinOver
from players import factors
from tournaments.clinch.pages import decided_in_words
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.pages.decks import DeckWarnings, deck_warnings
from tournaments.desk.pages.desk_state import DeskState, Glance, desk_state, glance
from tournaments.desk.pages.finish import finish_question
from tournaments.desk.pages.next_step import StepKind, next_step, site_backup, site_warnings
from tournaments.desk.pages.places import JudgesWork, places
from tournaments.desk.services import practice
from tournaments.event import permissions, queries
from tournaments.event import services as event_services
from tournaments.interchange.pages import difference_lines, source
from tournaments.judging.pages.calls import queue
from tournaments.registration.pages import door_list
from tournaments.rounds.drafts.making import RoundStillOpen
from tournaments.rounds.elimination import NoGameToPlay
from tournaments.rounds.pages import clocks
from tournaments.rounds.pages.end_times import end_times
from tournaments.rounds.services import drafting, rounds
from tournaments.settings.services import events
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    RefusalsShown,
    cleaned,
    desk_page,
    seen_id,
    staff_page,
)

# URL names of the pages where a step is done.
PAGES = {
    StepKind.ADD_PLAYERS: {"roster_paste"},
    StepKind.CHECK_IN: {"tick", "scan"},
    StepKind.CHECK_IN_DAY_TWO: {"tick", "scan"},
    StepKind.DROP_DAY_TWO: {"day_two"},
    StepKind.RESULTS: {"results"},
    StepKind.MAKE_CUT: {"cut"},
    StepKind.PUBLISH_SEEDS: {"cut"},
    StepKind.FINISH: {"finish"},
}
IN_THE_WAY = (
    practice.NotAPractice,
    practice.NothingToPlay,
    drafting.NotEnoughPlayers,
    rounds.NotADraft,
    rounds.WrongState,
    rounds.ResultsMissing,
    rounds.DraftIsOld,
    RoundStillOpen,
    NoGameToPlay,
    RoundRobinOver,
)


@staff_page(permissions.can_open_desk)
def desk(request: EventRequest) -> HttpResponse:
    """Render the desk, or its fragment for polling; 304 if nothing has changed."""
    seen = glance(request.event, runs=permissions.can_run(request.actor, request.event))
    etag = _etag(request, seen)
    if "X-Fragment" in request.headers:
        if request.headers.get("If-None-Match") == etag:
            return HttpResponse(status=304)
        response = desk_page(request, "tournaments/desk/_desk.html", _context(request, seen))
        response["ETag"] = etag
        return response
    file = source(request.event) if seen.work.is_imported else None
    lines = difference_lines(file) if file else []
    context = {**_context(request, seen), "etag": etag, "file": file, "differences": lines}
    return desk_page(request, "tournaments/desk/desk.html", context)


@staff_page(permissions.can_open_desk)
def desk_step(request: EventRequest) -> HttpResponse:
    """Render only the next step, for the head of the desk page `at`; 304 if unchanged."""
    event = request.event
    seen = glance(event, runs=permissions.can_run(request.actor, event))
    etag = _etag(request, seen)
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    can_score = permissions.can_enter_results(request.actor, event)
    step = next_step(desk_state(event, seen), can_score=can_score)
    is_here = request.GET.get("at") in PAGES.get(step.kind, ())
    context = {"step": step, "is_here": is_here, "seen_log": seen.work.newest_entry}
    response = desk_page(request, "tournaments/desk/_step_strip.html", context)
    response["ETag"] = etag
    return response


def _etag(request: EventRequest, seen: Glance) -> str:
    """Hash everything the desk depends on.

    All changes of an event are logged, so its newest entry covers them.
    """
    event, actor = request.event, request.actor
    known = (
        seen.work.newest_entry,
        [(job.pk, job.state, job.payload.get("done")) for job in seen.jobs],
        list(decided_in_words(event, seen.rounds[-1])) if seen.rounds else [],
        queries.role_of(actor.user, event) if actor.user else None,
        queries.is_past_closing_time(event),
        deck_queries.decks_are_closed(event),
        seen.minutes_over,
        timezone.localdate(),
        site_backup(actor),
        site_warnings(actor),
    )
    return f'"{sha256(repr(known).encode()).hexdigest()[:24]}"'


def _context(request: EventRequest, seen: Glance) -> dict[str, Any]:
    event, actor = request.event, request.actor
    now = desk_state(event, seen)
    calls = queue(event, actor, timezone.now(), now.tables) if now.has_begun else []
    return {
        "places": places(now, _judges_work(request, seen, len(calls))),
        "now": now,
        "step": next_step(now, can_score=permissions.can_enter_results(actor, event)),
        "end_times": end_times(
            event,
            now.rounds,
            target=now.target,
            open_tables=len(now.open_tables),
            players=now.players,
            cut=now.cut,
        ),
        "clock_controls": clocks.controls(now.round, (table.pairing for table in now.open_tables)),
        "arriving": door_list(event, now.round if seen.work.has_absences else None, now.states),
        "calls": calls,
        "deck_warnings": _deck_warnings(now),
        "late_tables": list(queries.late_tables(event)) if now.has_late_tables else [],
        "poll_every": 2 if now.live_jobs else 5,
        "seen_log": seen.work.newest_entry,
        "has_bracket": now.has_bracket,
        "backup": site_backup(actor),
        "site_warnings": site_warnings(actor),
        "is_administrator": actor.user is not None and factors.is_administrator(actor.user),
        "reason_form": ReasonForm(),
    }


def _judges_work(request: EventRequest, seen: Glance, calls: int) -> JudgesWork:
    if not permissions.can_judge(request.actor, request.event):
        return JudgesWork(calls)
    return JudgesWork(calls, deck_checks=seen.work.checks, penalties=seen.work.penalties)


def _deck_warnings(now: DeskState) -> DeckWarnings | None:
    """Deck problems of an unfinished event, listed until solved or waived."""
    if now.tournament.is_finished:
        return None
    return deck_warnings(now.tournament, has_begun=now.has_begun)


@staff_page(permissions.can_run, WRITE)
def job_retry(request: EventRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(request.event.jobs, pk=pk)
    with RefusalsShown(request):
        event_services.retry_job(job, request.actor)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def registration_toggle(request: EventRequest) -> HttpResponse:
    """Open or close registration, with `open` set to yes or no."""
    event, is_open = request.event, request.POST.get("open") == "yes"
    with RefusalsShown(request, StaleVersion):
        events.set_registration(event, request.actor, is_open=is_open, seen_log=seen_id(request))
    return redirect("tournaments:desk", slug=event.slug)


@staff_page(permissions.can_run, READ + WRITE)
def finish(request: EventRequest) -> HttpResponse:
    """Confirm what becomes final, then finish the event."""
    event = request.event
    if event.is_finished:
        return redirect("tournaments:desk", slug=event.slug)
    if request.method != "POST":
        context = {"question": finish_question(event)}
        return desk_page(request, "tournaments/desk/finish.html", context)
    with RefusalsShown(request, events.NotOver):
        events.finish(event, request.actor)
        messages.success(request, "The event is finished. Thank you for running it.")
    return redirect("tournaments:desk", slug=event.slug)


@staff_page(permissions.can_own, WRITE)
def reopen(request: EventRequest) -> HttpResponse:
    """Reopen a finished event; the reason is logged."""
    with RefusalsShown(request):
        said = cleaned(ReasonForm(request.POST), "Say why the event is opened again.")
        events.reopen(request.event, request.actor, said["reason"])
        messages.success(request, "The event is open again.")
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(permissions.can_run, READ + WRITE)
def practices(request: EventRequest) -> HttpResponse:
    """Explain practice events, list the user's, and create a new one."""
    if request.method == "POST":
        with RefusalsShown(request, practice.TooManyPractices):
            made = practice.copy(request.event, request.actor, with_rounds="rounds" in request.POST)
            messages.success(request, "This is a copy to practise with. Press anything.")
            return redirect("tournaments:desk", made.slug)
        return redirect("tournaments:practice", request.event.slug)
    context = {
        "has_rounds": queries.visible_rounds(request.event).exists(),
        "practices": queries.practices_of(request.user) if request.user.is_authenticated else [],
    }
    return desk_page(request, "tournaments/desk/practice.html", context)


@staff_page(permissions.can_run, WRITE)
def practice_play(request: EventRequest) -> HttpResponse:
    """Play the open tables at random, or a whole round with `what` set to round."""
    with RefusalsShown(request, *IN_THE_WAY):
        if request.POST.get("what") == "round":
            played = practice.play_round(request.event, request.actor)
            messages.success(request, f"Round {played.number} was played at random and closed.")
        else:
            count = practice.play(request.event, request.actor)
            messages.success(request, f"Tables played at random: {count}.")
    return redirect("tournaments:desk", request.event.slug)


@staff_page(permissions.can_own, WRITE)
def practice_end(request: EventRequest) -> HttpResponse:
    """Delete the practice event; return to its original if the user still runs that."""
    origin = request.event.practice_of
    with RefusalsShown(request, practice.NotAPractice):
        practice.throw_away(request.event)
        messages.success(request, "The practice event is gone.")
        if origin is not None and permissions.can_open_desk(request.actor, origin):
            return redirect("tournaments:desk", origin.slug)
        return redirect("tournaments:mine")
    return redirect("tournaments:desk", request.event.slug)
