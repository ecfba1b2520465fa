"""Pages on which site administrators edit rulings and import files."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.files import form_status
from core.rate_limits import Busy
from core.text import plain_newlines
from players.models import User
from rulings import house_rulings, permissions, queries, services
from rulings.forms import (
    RulingsImportForm,
    SourceFormSet,
    StandingForm,
    VersionForm,
    standing_form_of,
    version_forms_of,
)
from rulings.house_rulings import ImportChange
from rulings.models import Ruling, RulingVersion
from rulings.words import DiffPiece, difference


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_ruling(request: HttpRequest, code: str) -> HttpResponse:
    """Show a form for the next version; "Preview" shows the changes, "Save" writes it."""
    shown = _editable_ruling_or_404(request, code)
    if request.method != "POST":
        return _edit_page(request, shown, *version_forms_of(shown))
    form = VersionForm(request.POST)
    # Typed as Any, because mypy loses the type of a formset class.
    sources: Any = SourceFormSet(request.POST, prefix="source")
    if not (form.is_valid() and sources.is_valid()):
        return _edit_page(request, shown, form, sources, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if "save" not in request.POST:
        return _edit_page(
            request, shown, form, sources.with_blank_rows(), pieces=_preview_pieces(shown, form)
        )
    try:
        version = _write_version(request, shown, form, sources)
    except services.WrittenMeanwhile as refusal:
        return _merge_conflict_page(request, shown, form, sources, str(refusal))
    except (services.NothingChanged, services.NotYet) as refusal:
        form.add_error(None, str(refusal))
        return _edit_page(request, shown, form, sources, status=HTTPStatus.CONFLICT)
    messages.success(
        request,
        _("Version %(version)s was saved and is now in force.") % {"version": version.number},
    )
    return redirect(shown)


@login_required
@require_POST
def edit_standing(request: HttpRequest, code: str) -> HttpResponse:
    shown = _editable_ruling_or_404(request, code)
    form = StandingForm(request.POST, among=permissions.rulings_readable_by(request))
    if form.is_valid():
        try:
            services.set_superseded_and_withdrawn(
                shown, form.cleaned_data["supersedes"], form.cleaned_data["withdrawn_on"]
            )
        except services.CannotSupersede as refusal:
            form.add_error("supersedes", str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect(shown)
    version_form, sources = version_forms_of(shown)
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return _edit_page(request, shown, version_form, sources, standing=form, status=status)


def _editable_ruling_or_404(request: HttpRequest, code: str) -> Ruling:
    among = permissions.rulings_readable_by(request)
    shown = get_object_or_404(queries.rulings_in_full(among), code=code)
    if not permissions.can_write_rulings(request.user):
        raise PermissionDenied
    return shown


def _write_version(
    request: HttpRequest, shown: Ruling, form: VersionForm, sources: Any
) -> RulingVersion:
    assert request.user.is_authenticated
    return services.write_version(
        shown,
        seen=form.cleaned_data["seen"],
        text=form.cleaned_data["text"],
        sources=sources.sources(),
        in_force_from=form.cleaned_data["in_force_from"],
        by=request.user,
        reason=form.cleaned_data["reason"],
        kind=form.cleaned_data["kind"],
    )


def _merge_conflict_page(
    request: HttpRequest, shown: Ruling, form: VersionForm, sources: Any, why: str
) -> HttpResponse:
    # The form is ready to save on top of the version written concurrently.
    shown = queries.rulings_in_full(Ruling.objects.all()).get(pk=shown.pk)
    newest = shown.current
    again = VersionForm({**form.cleaned_data, "seen": newest.number if newest else 0})
    again.is_valid()
    again.add_error(None, why)
    pieces = _preview_pieces(shown, again)
    return _edit_page(request, shown, again, sources, pieces=pieces, status=HTTPStatus.CONFLICT)


def _preview_pieces(shown: Ruling, form: VersionForm) -> list[DiffPiece]:
    newest = shown.current
    text = plain_newlines(form.cleaned_data["text"]).strip()
    return difference(newest.text if newest else "", text)


def _edit_page(
    request: HttpRequest,
    shown: Ruling,
    form: VersionForm,
    sources: Any,
    *,
    pieces: list[DiffPiece] | None = None,
    standing: StandingForm | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    context = {
        "ruling": shown,
        "newest": shown.current,
        "form": form,
        "sources": sources,
        "pieces": pieces,
        "standing_form": standing or standing_form_of(shown),
    }
    return render(request, "rulings/edit.html", context, status=status)


# Imports.

# Limit on listed changes per group; the counts include all.
MAX_SHOWN_CHANGES = 100


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    if not permissions.can_write_rulings(request.user):
        raise PermissionDenied
    if request.method != "POST":
        return _import_page(request, RulingsImportForm())
    form = RulingsImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, form, status=form_status(form))
    data, looks = form.cleaned_data["data"], "import" not in request.POST
    by = request.user if isinstance(request.user, User) else None
    try:
        report = house_rulings.import_file(data, by=by, preview=looks)
    except house_rulings.FileRefused as refused:
        return _import_page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY, refused=refused)
    except Busy as busy:
        # Browsers do not refill file inputs, so put the content in the text field.
        waiting = RulingsImportForm(initial={"text": data.decode("utf-8-sig", "replace")})
        return _import_page(request, waiting, status=HTTPStatus.CONFLICT, refused=busy)
    text = data.decode("utf-8-sig") if looks else ""
    return _import_page(
        request, RulingsImportForm(initial={"text": text}), report=report, looks=looks
    )


def _import_page(
    request: HttpRequest, form: RulingsImportForm, status: HTTPStatus = HTTPStatus.OK, **more: Any
) -> HttpResponse:
    report: house_rulings.RulingsImportReport | None = more.get("report")
    groups = _change_groups(report) if report else []
    context = {"form": form, "groups": groups, **more}
    return render(request, "rulings/import.html", context, status=status)


def _change_groups(
    report: house_rulings.RulingsImportReport,
) -> list[tuple[str, list[ImportChange], int]]:
    """Return (name, listed changes, count) for each count of the report."""
    changes: dict[str, list[ImportChange]] = {}
    for change in report.changes:
        changes.setdefault(change.what, []).append(change)
    return [
        (name, changes.get(name, [])[:MAX_SHOWN_CHANGES], count)
        for name, count in report.counts.items()
    ]
