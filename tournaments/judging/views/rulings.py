"""Pages of local rulings, cited rulings and the judges' report."""

from http import HTTPStatus

import segno
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
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
from tournaments.event.actors import Actor
from tournaments.judging import exports, queries
from tournaments.judging.forms.local_rulings import LocalRulingForm, NextVersionForm
from tournaments.judging.pages import report
from tournaments.judging.queries import CitedHere
from tournaments.judging.services import local_rulings
from tournaments.models import LocalRuling, Tournament
from tournaments.web.views.access import event_or_404
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
def event_rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's local rulings to everyone who may see the event."""
    tournament, actor = event_or_404(request, slug)
    # A site administrator can change a ruling without moving the event's version.
    ruled = stamp()
    may_write = ruling_permissions.can_write(request.user)
    may_adopt = local_rulings.can_be_adopted(tournament) and may_write

    def page() -> HttpResponse:
        context = {
            "lines": queries.local_lines(tournament),
            "may_adopt": may_adopt,
            "poll_etag": etag_of(request, tournament, actor, ruled, may_adopt, fragment=True),
        }
        template = "tournaments/judging/public_local_rulings.html"
        return event_page(request, tournament, actor, template, "event", context)

    return unless_fresh(
        request, etag_of(request, tournament, actor, ruled, may_adopt), page, FOR_ONE
    )


@require_POST
def event_ruling_adopt(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Publish the ruling site-wide, or with `take_back` stop that."""
    tournament, _ = event_or_404(request, slug)
    local = get_object_or_404(queries.local_rulings_of(tournament), pk=pk)
    if not ruling_permissions.can_write(request.user):
        raise PermissionDenied
    with RefusalsShown(request, local_rulings.NotPublic):
        local_rulings.adopt(local, is_adopted="take_back" not in request.POST)
        messages.success(request, f"Saved: {local.ruling.short_code}.")
    return redirect("tournaments:event_rulings", tournament.slug)


@staff_page(permissions.can_judge)
def local_ruling_list(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List the rulings of this event, and earlier rulings available for it."""
    is_head = permissions.can_head_judge(actor, tournament)
    context = {
        "lines": queries.local_lines(tournament),
        "offered": queries.offered_rulings(actor.user, tournament) if is_head else [],
    }
    return desk_page(request, tournament, actor, "tournaments/judging/local_rulings.html", context)


@once
@staff_page(permissions.can_head_judge, READ + WRITE)
def local_ruling_new(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Write a ruling; `?call=` prefills it from the answer to a call."""
    game = tournament.game
    if request.method != "POST":
        form = LocalRulingForm(game=game, initial=_from_call(request, tournament))
        return _page(request, tournament, actor, form)
    form = LocalRulingForm(request.POST, game=game)
    cite_among(form, visibility.rulings_for(actor))
    if not form.is_valid():
        return _page(request, tournament, actor, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    with RefusalsShown(request, *REFUSALS):
        local = local_rulings.make(tournament, actor, form.cleaned_data["subject"], form.wording)
        messages.success(request, f"{local.ruling.short_code} now applies at this event.")
        return redirect("tournaments:local_rulings", tournament.slug)
    return _page(request, tournament, actor, form, status=HTTPStatus.CONFLICT)


def _from_call(request: HttpRequest, tournament: Tournament) -> dict[str, str]:
    """Initial values from a call: subject, answer and cited rulings."""
    pk = whole_number(request.GET.get("call", ""), 18)
    found = queries.table_call(tournament, pk) if pk is not None else None
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
def local_ruling_edit(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Write a new version; existing citations of the previous version do not change."""
    local = _made_here_or_404(tournament, pk)
    if request.method != "POST":
        form = NextVersionForm(game=tournament.game, initial=_as_it_reads(local))
        return _page(request, tournament, actor, form, local)
    form = NextVersionForm(request.POST, game=tournament.game)
    cite_among(form, visibility.rulings_for(actor))
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, tournament, actor, form, local, status)
    with RefusalsShown(request, *REFUSALS):
        local_rulings.rewrite(local, actor, form.cleaned_data["seen"], form.wording)
        messages.success(request, f"{local.ruling.short_code} has a new version.")
        return redirect("tournaments:local_rulings", tournament.slug)
    return _refused(request, tournament, actor, pk)


def _refused(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Show the input again beside the newest version."""
    local = _made_here_or_404(tournament, pk)
    typed = request.POST.copy()
    newest = _as_it_reads(local)["seen"]
    is_newer = typed.get("seen") != str(newest)
    typed["seen"] = str(newest)
    form = NextVersionForm(typed, game=tournament.game)
    cite_among(form, visibility.rulings_for(actor))
    return _page(request, tournament, actor, form, local, HTTPStatus.CONFLICT, is_newer=is_newer)


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
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    form: LocalRulingForm,
    local: LocalRuling | None = None,
    status: int = HTTPStatus.OK,
    *,
    is_newer: bool = False,
) -> HttpResponse:
    label = local.ruling.short_code if local else "a local ruling"
    request.session["citing"] = {"label": label, "url": request.path}
    context = {"form": form, "local": local, "is_newer": is_newer}
    return desk_page(
        request, tournament, actor, "tournaments/judging/local_ruling.html", context, status=status
    )


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_withdraw(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    local = _made_here_or_404(tournament, pk)
    with RefusalsShown(request, local_rulings.MadeElsewhere):
        local_rulings.withdraw(local, actor)
        messages.success(request, f"{local.ruling.short_code} is withdrawn.")
    return redirect("tournaments:local_rulings", tournament.slug)


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_use(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Use a ruling of an earlier event here; `pk` identifies the ruling."""
    ruling = get_object_or_404(queries.usable_rulings(actor.user, tournament), pk=pk)
    with RefusalsShown(request, local_rulings.NotYours):
        local = local_rulings.use(tournament, ruling, actor)
        messages.success(request, f"{local.ruling.short_code} now applies here too.")
    return redirect("tournaments:local_rulings", tournament.slug)


@staff_page(permissions.can_head_judge, WRITE)
def local_ruling_leave(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Stop using a ruling of an earlier event."""
    local = get_object_or_404(queries.local_rulings_of(tournament), pk=pk)
    with RefusalsShown(request, local_rulings.MadeElsewhere):
        local_rulings.leave_out(local, actor)
        messages.success(request, f"{local.ruling.short_code} does not hold here.")
    return redirect("tournaments:local_rulings", tournament.slug)


def _made_here_or_404(tournament: Tournament, pk: int) -> LocalRuling:
    return get_object_or_404(queries.local_rulings_of(tournament), pk=pk, made_here=True)


@require_safe
@rate_limited("expensive")
@cache_control(private=True, no_cache=True)
def rulings_booklet(request: HttpRequest, slug: str) -> HttpResponse:
    """Print the local rulings in force, the same for all readers."""
    tournament, _ = event_or_404(request, slug)
    return _printed(request, tournament, for_judges=False)


@staff_page(permissions.can_judge)
def judges_booklet(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Print the local rulings, and all rulings cited here in their cited versions."""
    return _printed(request, tournament, for_judges=True)


def _printed(request: HttpRequest, tournament: Tournament, *, for_judges: bool) -> HttpResponse:
    page = reverse("tournaments:event_rulings", args=[tournament.slug])
    online = shared_url(request, page)
    code = segno.make(online, error="m", micro=False)
    with in_zone(tournament.time_zone):
        context = {
            "tournament": tournament,
            "lines": [line for line in queries.local_lines(tournament) if not line.has_ended],
            "cited": _cited(tournament) if for_judges else [],
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
def judged(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show the judges' report for reading or printing."""
    context = {"report": report.report(tournament)}
    return desk_page(request, tournament, actor, "tournaments/judging/judged.html", context)


@staff_page(permissions.can_head_judge)
def judged_csv(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Download the judges' report as CSV, with a row per call, penalty and local ruling."""
    document = report.document(report.report(tournament))
    return attached(exports.judged_csv(document), f"{tournament.slug}-judges.csv", CSV)


@staff_page(permissions.can_head_judge)
def judged_json(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Download the judges' report as JSON."""
    document = report.document(report.report(tournament))
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})


@staff_page(permissions.can_judge)
def event_cited(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List all rulings cited here in their cited versions, with their places."""
    context = {"cited": queries.cited_at(tournament)}
    return desk_page(request, tournament, actor, "tournaments/judging/cited.html", context)
