"""Pages of an event's infraction guide, public and for the head judge."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.event import permissions
from tournaments.judging.forms.penalties import LadderForm, OwnInfractionForm
from tournaments.judging.pages import penalties as pages
from tournaments.judging.pages.penalties import GuideLine
from tournaments.judging.services import infraction_guide, penalties
from tournaments.models import Tournament
from tournaments.web.views.access import EventRequest
from tournaments.web.views.polling import event_page, polled
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

GUIDE_REFUSALS = (
    infraction_guide.BadChange,
    penalties.NotForThisJudge,
    penalties.UnknownInfraction,
)


@require_safe
@polled
def event_guide(request: EventRequest) -> HttpResponse:
    """Show the event's guide to everyone who may see the event."""
    context = {"guide": pages.event_guide(request.event)}
    return event_page(request, "tournaments/judging/guide.html", "event", context)


@staff_page(permissions.can_judge)
def guide_desk(request: EventRequest) -> HttpResponse:
    """Show the guide on the desk, with controls to change it."""
    context = {"guide": pages.event_guide(request.event)}
    return desk_page(request, "tournaments/judging/infractions.html", context)


@staff_page(permissions.can_head_judge, READ + WRITE)
def infraction_new(request: EventRequest) -> HttpResponse:
    """Define an infraction for this event."""
    form = OwnInfractionForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        code = pages.fresh_code(pages.event_guide(request.event), form.cleaned_data["name"])
        if _change_guide(request, code, form):
            return _back_to_guide(request.event, code)
    return _infraction_page(request, form, None)


@staff_page(permissions.can_head_judge, READ + WRITE)
def infraction_change(request: EventRequest, infraction: str) -> HttpResponse:
    """Change the ladder of an infraction, or disable it."""
    line = _infraction_or_404(request.event, infraction)
    wanted = OwnInfractionForm if line.is_own else LadderForm
    form = wanted(request.POST if request.method == "POST" else None, line.infraction)
    if not form.is_bound:
        form.fields["is_off"].initial = line.is_off
    if form.is_bound and form.is_valid() and _change_guide(request, infraction, form):
        return _back_to_guide(request.event, infraction)
    return _infraction_page(request, form, line)


@staff_page(permissions.can_head_judge, WRITE)
def infraction_reset(request: EventRequest, infraction: str) -> HttpResponse:
    """Revert an infraction to the guide, or delete the event's own."""
    line = _infraction_or_404(request.event, infraction)
    with RefusalsShown(request, *GUIDE_REFUSALS):
        infraction_guide.forget_change(request.event, request.actor, infraction)
        done = "is gone" if line.is_own else "is as in the guide again"
        messages.success(request, f"{line.infraction.name} {done}.")
    return _back_to_guide(request.event, "" if line.is_own else infraction)


def _infraction_or_404(tournament: Tournament, code: str) -> GuideLine:
    line = pages.event_guide(tournament).line(code)
    if line is None:
        raise Http404("No such infraction.")
    return line


def _change_guide(request: EventRequest, code: str, form: LadderForm) -> bool:
    cleaned = form.cleaned_data
    with RefusalsShown(request, *GUIDE_REFUSALS):
        infraction_guide.change_infraction(
            request.event,
            request.actor,
            code,
            name=cleaned.get("name", ""),
            description=cleaned.get("description", ""),
            ladder=form.ladder,
            is_off=cleaned.get("is_off", False),
        )
        messages.success(request, "Saved. The guide of this event says so from now on.")
        return True
    return False


def _infraction_page(
    request: EventRequest, form: LadderForm, line: GuideLine | None
) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    context: dict[str, Any] = {"form": form, "line": line}
    return desk_page(request, "tournaments/judging/infraction_change.html", context, status)


def _back_to_guide(tournament: Tournament, code: str) -> HttpResponse:
    page = reverse("tournaments:guide_desk", args=[tournament.slug])
    return redirect(f"{page}#{code}" if code else page)
