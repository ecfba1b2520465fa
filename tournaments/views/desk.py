"""The desk: the one next thing to do, and everything that needs an eye."""

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.staff import ReasonForm
from tournaments.models import Tournament
from tournaments.services import events, rounds
from tournaments.sheets import desk as desk_queries
from tournaments.sheets.deck_warnings import DeckWarnings, deck_warnings
from tournaments.sheets.desk import Situation
from tournaments.views.behind import desk_page, staff_page, told


@require_safe
@staff_page(permissions.can_open_desk)
def desk(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The page, or its inner part for the poll: 304 while nothing has changed."""
    etag = _etag(tournament, actor)
    if "X-Fragment" in request.headers:
        return _fragment(request, tournament, actor, etag)
    context = {**_context(tournament), "etag": etag}
    return desk_page(request, tournament, actor, "desk.html", context)


def _fragment(
    request: HttpRequest, tournament: Tournament, actor: Actor, etag: str
) -> HttpResponse:
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    response = desk_page(request, tournament, actor, "_desk.html", _context(tournament))
    response["ETag"] = etag
    return response


def _etag(tournament: Tournament, actor: Actor) -> str:
    """Every change is logged: the newest entry, the jobs and the time of day say it all."""
    seen = (
        queries.newest_log_id(tournament),
        [(job.pk, job.state) for job in queries.jobs_to_show(tournament)],
        queries.role_of(actor.user, tournament) if actor.user else None,
        queries.is_past_closing_time(tournament),
        queries.decks_are_closed(tournament),
        timezone.localdate(),
    )
    return f'"{sha256(repr(seen).encode()).hexdigest()[:24]}"'


def _context(tournament: Tournament) -> dict[str, Any]:
    now = desk_queries.situation(tournament)
    live_jobs = desk_queries.live_jobs(now)
    return {
        "now": now,
        "ends_at": queries.ends_at(now.round) if now.round else None,
        "closed_numbers": queries.closed_round_numbers(tournament),
        "step": desk_queries.next_step(now),
        "failed_jobs": desk_queries.failed_jobs(now),
        "live_jobs": live_jobs,
        "deck_warnings": _deck_warnings(now),
        "late_tables": list(queries.late_tables(tournament)),
        "poll_every": 2 if live_jobs else 5,
        "registration_is_open": queries.can_register_now(tournament),
        "reason_form": ReasonForm(),
    }


def _deck_warnings(now: Situation) -> DeckWarnings | None:
    """Before round 1 only: later everybody plays with what they have."""
    started = now.round is not None and not now.round.is_draft
    return None if started or now.tournament.is_finished else deck_warnings(now.tournament)


@require_POST
@staff_page(permissions.can_run)
def job_retry(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Try a failed job again."""
    job = get_object_or_404(tournament.jobs, pk=pk)
    with told(request):
        rounds.retry_job(job, actor)
    return redirect("tournaments:desk", slug=tournament.slug)


@require_POST
@staff_page(permissions.can_run)
def registration_toggle(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Open or close registration by hand, as `open` (yes or no) says."""
    with told(request):
        events.set_registration(tournament, actor, is_open=request.POST.get("open") == "yes")
    return redirect("tournaments:desk", slug=tournament.slug)


@require_POST
@staff_page(permissions.can_run)
def finish(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The standings are final."""
    if tournament.is_finished:
        return redirect("tournaments:desk", slug=tournament.slug)
    with told(request, events.NotOver) as outcome:
        events.finish(tournament, actor)
    if outcome.refusal is None:
        messages.success(request, "The event is finished. Thank you for running it.")
    return redirect("tournaments:desk", slug=tournament.slug)


@require_POST
@staff_page(permissions.can_own)
def reopen(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Take back the end of the event, with a reason for the log."""
    form = ReasonForm(request.POST)
    if form.is_valid():
        events.reopen(tournament, actor, form.cleaned_data["reason"])
        messages.success(request, "The event is open again.")
    else:
        messages.error(request, "Say why the event is opened again.")
    return redirect("tournaments:desk", slug=tournament.slug)
