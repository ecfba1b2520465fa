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
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from core.addresses import shared_url
from core.csv_tables import CSV_TYPE
from core.files import attachment_response
from core.form_fields import whole_number
from core.rate_limits import rate_limited
from rulings import permissions as ruling_permissions
from rulings.forms import limit_citable_rulings
from rulings.models import JudgeNote
from rulings.queries import rulings_stamp
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.judging import local_rulings, queries, report
from tournaments.judging.forms import LocalRulingForm, LocalRulingVersionForm
from tournaments.models import LocalRuling, Tournament
from tournaments.web.access import EventRequest, event_view
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import FOR_ONE, etag_of, render_event_page, respond_unless_fresh
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    render_desk_page,
    show_refusals,
    staff_page,
    use_time_zone,
)


@require_safe
@event_view
def event_rulings(request: EventRequest) -> HttpResponse:
    # A site administrator can change a ruling without moving the event's version.
    ruled = rulings_stamp()
    may_write = ruling_permissions.can_write_rulings(request.user)
    may_adopt = local_rulings.can_be_adopted(request.event) and may_write

    def page() -> HttpResponse:
        context = {
            "lines": queries.local_ruling_lines(request.event),
            "may_adopt": may_adopt,
            "poll_etag": etag_of(request, ruled, may_adopt, fragment=True),
        }
        template = "tournaments/judging/public_local_rulings.html"
        return render_event_page(request, template, "event", context)

    return respond_unless_fresh(request, etag_of(request, ruled, may_adopt), page, FOR_ONE)


@require_POST
@event_view
def event_ruling_adopt(request: EventRequest, pk: int) -> HttpResponse:
    """Publish the ruling site-wide, or with `take_back` stop that."""
    local = get_object_or_404(queries.local_rulings_of(request.event), pk=pk)
    if not ruling_permissions.can_write_rulings(request.user):
        raise PermissionDenied
    with show_refusals(request):
        local_rulings.adopt(local, is_adopted="take_back" not in request.POST)
        messages.success(
            request, _("Saved: %(short_code)s.") % {"short_code": local.ruling.short_code}
        )
    return redirect("tournaments:event_rulings", request.event.slug)


@staff_page(event_permissions.can_judge)
def local_ruling_list(request: EventRequest) -> HttpResponse:
    is_head = event_permissions.can_head_judge(request.actor, request.event)
    context = {
        "lines": queries.local_ruling_lines(request.event),
        "offered": queries.offered_rulings(request.actor.user, request.event) if is_head else [],
    }
    return render_desk_page(request, "tournaments/judging/local_rulings.html", context)


@idempotent
@staff_page(event_permissions.can_head_judge, READ + WRITE)
def local_ruling_new(request: EventRequest) -> HttpResponse:
    """Write a ruling; `?call=` prefills it from the answer to a call."""
    event, actor = request.event, request.actor
    if request.method != "POST":
        return _local_ruling_page(
            request, LocalRulingForm(game=event.game, initial=_from_call(request))
        )
    form = LocalRulingForm(request.POST, game=event.game)
    limit_citable_rulings(form, visibility.rulings_for(actor))
    if not form.is_valid():
        return _local_ruling_page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    with show_refusals(request):
        local = local_rulings.make(event, actor, form.cleaned_data["subject"], form.wording)
        messages.success(
            request,
            _("%(short_code)s now applies at this event.")
            % {"short_code": local.ruling.short_code},
        )
        return redirect("tournaments:local_rulings", event.slug)
    return _local_ruling_page(request, form, status=HTTPStatus.CONFLICT)


def _from_call(request: EventRequest) -> dict[str, str]:
    """Return the initial values from a call: subject, answer and cited rulings."""
    pk = whole_number(request.GET.get("call", ""), 18)
    table_call = queries.find_call(request.event, pk) if pk is not None else None
    if table_call is None or table_call.call.note is None:
        return {"rulings": request.GET.get("rulings", "")}
    return {
        "text": table_call.call.answer,
        "reason": table_call.call.about,
        "rulings": _cited_codes(table_call.call.note),
    }


def _cited_codes(note: JudgeNote) -> str:
    """Return the rulings cited in a note, as typed in the form: "R-0001 v1, R-0002 v3"."""
    versions = [citation.version for citation in note.citations.all()]
    return ", ".join(f"{version.ruling.short_code} v{version.number}" for version in versions)


@idempotent
@staff_page(event_permissions.can_head_judge, READ + WRITE)
def local_ruling_edit(request: EventRequest, pk: int) -> HttpResponse:
    """Write a new version; existing citations of the previous version do not change."""
    event = request.event
    local = _made_here_or_404(event, pk)
    if request.method != "POST":
        form = LocalRulingVersionForm(game=event.game, initial=_current_wording(local))
        return _local_ruling_page(request, form, local)
    form = LocalRulingVersionForm(request.POST, game=event.game)
    limit_citable_rulings(form, visibility.rulings_for(request.actor))
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _local_ruling_page(request, form, local, status)
    with show_refusals(request):
        local_rulings.rewrite(local, request.actor, form.cleaned_data["seen"], form.wording)
        messages.success(
            request,
            _("%(short_code)s has a new version.") % {"short_code": local.ruling.short_code},
        )
        return redirect("tournaments:local_rulings", event.slug)
    return _conflict_page(request, pk)


def _conflict_page(request: EventRequest, pk: int) -> HttpResponse:
    local = _made_here_or_404(request.event, pk)
    typed = request.POST.copy()
    newest = _current_wording(local)["seen"]
    is_newer = typed.get("seen") != str(newest)
    typed["seen"] = str(newest)
    form = LocalRulingVersionForm(typed, game=request.event.game)
    limit_citable_rulings(form, visibility.rulings_for(request.actor))
    return _local_ruling_page(request, form, local, HTTPStatus.CONFLICT, is_newer=is_newer)


def _current_wording(local: LocalRuling) -> dict[str, object]:
    current = local.ruling.current
    return {
        "text": current.text if current else "",
        "seen": current.number if current else 1,
        "rulings": _cited_codes(local.basis) if local.basis else "",
    }


def _local_ruling_page(
    request: EventRequest,
    form: LocalRulingForm,
    local: LocalRuling | None = None,
    status: int = HTTPStatus.OK,
    *,
    is_newer: bool = False,
) -> HttpResponse:
    label = local.ruling.short_code if local else _("a local ruling")
    request.session["citing"] = {"label": label, "url": request.path}
    context = {"form": form, "local": local, "is_newer": is_newer}
    return render_desk_page(
        request, "tournaments/judging/local_ruling.html", context, status=status
    )


@staff_page(event_permissions.can_head_judge, WRITE)
def local_ruling_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    local = _made_here_or_404(request.event, pk)
    with show_refusals(request):
        local_rulings.withdraw(local, request.actor)
        messages.success(
            request, _("%(short_code)s was withdrawn.") % {"short_code": local.ruling.short_code}
        )
    return redirect("tournaments:local_rulings", request.event.slug)


@staff_page(event_permissions.can_head_judge, WRITE)
def local_ruling_use(request: EventRequest, pk: int) -> HttpResponse:
    ruling = get_object_or_404(queries.usable_rulings(request.actor.user, request.event), pk=pk)
    with show_refusals(request):
        local = local_rulings.reuse(request.event, ruling, request.actor)
        messages.success(
            request,
            _("%(short_code)s now applies here too.") % {"short_code": local.ruling.short_code},
        )
    return redirect("tournaments:local_rulings", request.event.slug)


@staff_page(event_permissions.can_head_judge, WRITE)
def local_ruling_leave(request: EventRequest, pk: int) -> HttpResponse:
    local = get_object_or_404(queries.local_rulings_of(request.event), pk=pk)
    with show_refusals(request):
        local_rulings.leave_out(local, request.actor)
        messages.success(
            request,
            _("%(short_code)s no longer applies at this event.")
            % {"short_code": local.ruling.short_code},
        )
    return redirect("tournaments:local_rulings", request.event.slug)


def _made_here_or_404(tournament: Tournament, pk: int) -> LocalRuling:
    return get_object_or_404(queries.local_rulings_of(tournament), pk=pk, made_here=True)


@require_safe
@rate_limited("expensive")
@cache_control(private=True, no_cache=True)
@event_view
def rulings_booklet(request: EventRequest) -> HttpResponse:
    """Print the local rulings in force, the same for all readers."""
    return _booklet(request, for_judges=False)


@staff_page(event_permissions.can_judge)
def judges_booklet(request: EventRequest) -> HttpResponse:
    return _booklet(request, for_judges=True)


def _booklet(request: EventRequest, *, for_judges: bool) -> HttpResponse:
    event = request.event
    page = reverse("tournaments:event_rulings", args=[event.slug])
    online = shared_url(request, page)
    code = segno.make(online, error="m", micro=False)
    cited = queries.cited_rulings(event) if for_judges else []
    # The printed line names the sources.
    prefetch_related_objects([row.version for row in cited], "citations", "ruling__document")
    with use_time_zone(event.time_zone):
        context = {
            "tournament": event,
            "lines": [line for line in queries.local_ruling_lines(event) if not line.has_ended],
            "cited": cited,
            "for_judges": for_judges,
            "today": timezone.localdate(),
            "online": online,
            "qr": code.svg_data_uri(border=3, dark="#10202b", light="#fff"),
        }
        return render(request, "tournaments/judging/rulings_booklet.html", context)


@staff_page(event_permissions.can_head_judge)
def judges_report(request: EventRequest) -> HttpResponse:
    context = {"report": report.judges_report(request.event)}
    return render_desk_page(request, "tournaments/judging/judged.html", context)


@staff_page(event_permissions.can_head_judge)
def judges_report_csv(request: EventRequest) -> HttpResponse:
    document = report.report_document(report.judges_report(request.event))
    return attachment_response(
        report.report_csv(document), f"{request.event.slug}-judges.csv", CSV_TYPE
    )


@staff_page(event_permissions.can_head_judge)
def judges_report_json(request: EventRequest) -> HttpResponse:
    document = report.report_document(report.judges_report(request.event))
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})


@staff_page(event_permissions.can_judge)
def cited_rulings(request: EventRequest) -> HttpResponse:
    """List all rulings cited here in their cited versions, with their places."""
    context = {"cited": queries.cited_rulings(request.event)}
    return render_desk_page(request, "tournaments/judging/cited.html", context)
