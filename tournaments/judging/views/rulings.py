"""Pages of local rulings, cited rulings and the judges' report."""

from http import HTTPStatus

import segno
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from core.csv_tables import CSV
from core.downloads import attached
from core.errors import ReasonMissing, Refusal
from core.form_fields import whole_number
from core.rate_limits import rate_limited
from core.site_address import shared_url
from rulings import permissions as ruling_permissions
from rulings import services as ruling_services
from rulings.forms import cite_among
from rulings.queries import stamp
from tournaments.event import permissions, visibility
from tournaments.judging import exports, queries
from tournaments.judging.forms.local_rulings import LocalRulingForm, NextVersionForm
from tournaments.judging.pages import report
from tournaments.judging.queries import CitedHere
from tournaments.judging.services import local_rulings
from tournaments.models import LocalRuling, Tournament
from tournaments.web.views.access import EventRequest, event_view
from tournaments.web.views.idempotent import once
from tournaments.web.views.polling import FOR_ONE, etag_of, event_page, unless_fresh
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    in_zone,
    staff_page,
)

REFUSALS: tuple[type[Refusal], ...] = (
    local_rulings.NotInPractice,
    local_rulings.MadeElsewhere,
    ruling_services.NoWords,
    ReasonMissing,
    ruling_services.NothingChanged,
    ruling_services.WrittenMeanwhile,
)


@require_safe
@event_view
def event_rulings(request: EventRequest) -> HttpResponse:
    """Show the event's local rulings to everyone who may see the event."""
    # A site administrator can change a ruling without moving the event's version.
    ruled = stamp()
    may_write = ruling_permissions.can_write(request.user)
    may_adopt = local_rulings.can_be_adopted(request.event) and may_write

    def page() -> HttpResponse:
        context = {
            "lines": queries.local_lines(request.event),
            "may_adopt": may_adopt,
            "poll_etag": etag_of(request, ruled, may_adopt, fragment=True),
        }
        template = "tournaments/judging/public_local_rulings.html"
        return event_page(request, template, "event", context)

    return unless_fresh(request, etag_of(request, ruled, may_adopt), page, FOR_ONE)


@require_POST
@event_view
def event_ruling_adopt(request: EventRequest, pk: int) -> HttpResponse:
    """Publish the ruling site-wide, or with `take_back` stop that."""
    local = get_object_or_404(queries.local_rulings_of(request.event), pk=pk)
    if not ruling_permissions.can_write(request.user):
        raise PermissionDenied
    with RefusalsShown(request, local_rulings.NotPublic):
        local_rulings.adopt(local, is_adopted="take_back" not in request.POST)
        messages.success(request, f"Saved: {local.ruling.short_code}.")
    return redirect("tournaments:event_rulings", request.event.slug)


@staff_page(permissions.can_judge)
def local_ruling_list(request: EventRequest) -> HttpResponse:
    """List the rulings of this event, and earlier rulings available for it."""
    is_head = permissions.can_head_judge(request.actor, request.event)
    context = {
        "lines": queries.local_lines(request.event),
        "offered": queries.offered_rulings(request.actor.user, request.event) if is_head else [],
    }
    return desk_page(request, "tournaments/judging/local_rulings.html", context)


@once
@staff_page(permissions.can_head_judge, READ + WRITE)
def local_ruling_new(request: EventRequest) -> HttpResponse:
    """Write a ruling; `?call=` prefills it from the answer to a call."""
    event, actor = request.event, request.actor
    if request.method != "POST":
        return _page(request, LocalRulingForm(game=event.game, initial=_from_call(request)))
    form = LocalRulingForm(request.POST, game=event.game)
    cite_among(form, visibility.rulings_for(actor))
    if not form.is_valid():
        return _page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    with RefusalsShown(request, *REFUSALS):
        local = local_rulings.make(event, actor, form.cleaned_data["subject"], form.wording)
        messages.success(request, f"{local.ruling.short_code} now applies at this event.")
        return redirect("tournaments:local_rulings", event.slug)
    return _page(request, form, status=HTTPStatus.CONFLICT)


def _from_call(request: EventRequest) -> dict[str, str]:
    """Initial values from a call: subject, answer and cited rulings."""
    pk = whole_number(request.GET.get("call", ""), 18)
    found = queries.table_call(request.event, pk) if pk is not None else None
    if found is None or found.call.note is None:
        return {"rulings": request.GET.get("rulings", "")}
    cited = [one.version for one in found.call.note.citations.all()]
    return {
        "text": found.call.answer,
        "reason": found.call.about,
        "rulings": ", ".join(f"{one.ruling.short_code} v{one.number}" for one in cited),
    }


@once
@staff_page(permissions.can_head_judge, READ + WRITE)
def local_ruling_edit(request: EventRequest, pk: int) -> HttpResponse:
    """Write a new version; existing citations of the previous version do not change."""
    event = request.event
    local = _made_here_or_404(event, pk)
    if request.method != "POST":
        form = NextVersionForm(game=event.game, initial=_as_it_reads(local))
        return _page(request, form, local)
    form = NextVersionForm(request.POST, game=event.game)
    cite_among(form, visibility.rulings_for(request.actor))
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, form, local, status)
    with RefusalsShown(request, *REFUSALS):
        local_rulings.rewrite(local, request.actor, form.cleaned_data["seen"], form.wording)
        messages.success(request, f"{local.ruling.short_code} has a new version.")
        return redirect("tournaments:local_rulings", event.slug)
    return _refused(request, pk)


def _refused(request: EventRequest, pk: int) -> HttpResponse:
    """Show the input again beside the newest version."""
    local = _made_here_or_404(request.event, pk)
    typed = request.POST.copy()
    newest = _as_it_reads(local)["seen"]
    is_newer = typed.get("seen") != str(newest)
    typed["seen"] = str(newest)
    form = NextVersionForm(typed, game=request.event.game)
    cite_among(form, visibility.rulings_for(request.actor))
    return _page(request, form, local, HTTPStatus.CONFLICT, is_newer=is_newer)


def _as_it_reads(local: LocalRuling) -> dict[str, object]:
    current = local.ruling.current
    cited = local.basis.citations.all() if local.basis else ()
    codes = [f"{one.version.ruling.short_code} v{one.version.number}" for one in cited]
    return {
        "text": current.text if current else "",
        "seen": current.number if current else 1,
        "rulings": ", ".join(codes),
    }


def _page(
    request: EventRequest,
    form: LocalRulingForm,
    local: LocalRuling | None = None,
    status: int = HTTPStatus.OK,
    *,
    is_newer: bool = False,
) -> HttpResponse:
    label = local.ruling.short_code if local else "a local ruling"
    request.session["citing"] = {"label": label, "url": request.path}
    context = {"form": form, "local": local, "is_newer": is_newer}
    return desk_page(request, "tournaments/judging/local_ruling.html", context, status=status)


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    local = _made_here_or_404(request.event, pk)
    with RefusalsShown(request, local_rulings.MadeElsewhere):
        local_rulings.withdraw(local, request.actor)
        messages.success(request, f"{local.ruling.short_code} is withdrawn.")
    return redirect("tournaments:local_rulings", request.event.slug)


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_use(request: EventRequest, pk: int) -> HttpResponse:
    """Use a ruling of an earlier event here; `pk` identifies the ruling."""
    ruling = get_object_or_404(queries.usable_rulings(request.actor.user, request.event), pk=pk)
    with RefusalsShown(request, local_rulings.NotYours):
        local = local_rulings.use(request.event, ruling, request.actor)
        messages.success(request, f"{local.ruling.short_code} now applies here too.")
    return redirect("tournaments:local_rulings", request.event.slug)


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_leave(request: EventRequest, pk: int) -> HttpResponse:
    """Stop using a ruling of an earlier event."""
    local = get_object_or_404(queries.local_rulings_of(request.event), pk=pk)
    with RefusalsShown(request, local_rulings.MadeElsewhere):
        local_rulings.leave_out(local, request.actor)
        messages.success(request, f"{local.ruling.short_code} does not hold here.")
    return redirect("tournaments:local_rulings", request.event.slug)


def _made_here_or_404(tournament: Tournament, pk: int) -> LocalRuling:
    return get_object_or_404(queries.local_rulings_of(tournament), pk=pk, made_here=True)


@require_safe
@rate_limited("expensive")
@cache_control(private=True, no_cache=True)
@event_view
def rulings_booklet(request: EventRequest) -> HttpResponse:
    """Print the local rulings in force, the same for all readers."""
    return _printed(request, for_judges=False)


@staff_page(permissions.can_judge)
def judges_booklet(request: EventRequest) -> HttpResponse:
    """Print the local rulings, and all rulings cited here in their cited versions."""
    return _printed(request, for_judges=True)


def _printed(request: EventRequest, *, for_judges: bool) -> HttpResponse:
    event = request.event
    page = reverse("tournaments:event_rulings", args=[event.slug])
    online = shared_url(request, page)
    code = segno.make(online, error="m", micro=False)
    with in_zone(event.time_zone):
        context = {
            "tournament": event,
            "lines": [line for line in queries.local_lines(event) if not line.has_ended],
            "cited": _cited(event) if for_judges else [],
            "for_judges": for_judges,
            "today": timezone.localdate(),
            "online": online,
            "qr": code.svg_data_uri(border=3, dark="#10202b", light="#fff"),
        }
        return render(request, "tournaments/judging/rulings_booklet.html", context)


def _cited(tournament: Tournament) -> list[CitedHere]:
    """Cited rulings with the sources for a printed line."""
    cited = queries.cited_at(tournament)
    prefetch_related_objects([one.version for one in cited], "citations", "ruling__document")
    return cited


@staff_page(permissions.can_head_judge)
def judged(request: EventRequest) -> HttpResponse:
    """Show the judges' report for reading or printing."""
    context = {"report": report.report(request.event)}
    return desk_page(request, "tournaments/judging/judged.html", context)


@staff_page(permissions.can_head_judge)
def judged_csv(request: EventRequest) -> HttpResponse:
    """Download the judges' report as CSV, with a row per call, penalty and local ruling."""
    document = report.document(report.report(request.event))
    return attached(exports.judged_csv(document), f"{request.event.slug}-judges.csv", CSV)


@staff_page(permissions.can_head_judge)
def judged_json(request: EventRequest) -> HttpResponse:
    """Download the judges' report as JSON."""
    document = report.document(report.report(request.event))
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})


@staff_page(permissions.can_judge)
def event_cited(request: EventRequest) -> HttpResponse:
    """List all rulings cited here in their cited versions, with their places."""
    context = {"cited": queries.cited_at(request.event)}
    return desk_page(request, "tournaments/judging/cited.html", context)
