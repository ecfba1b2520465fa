"""Site administrators write new versions of a ruling; old versions never change."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.text import plain_newlines
from rulings import permissions, queries, services
from rulings.models import Ruling, RulingVersion
from rulings.words.difference import Piece, difference
from rulings.writing_forms import (
    SourceForms,
    StandingForm,
    VersionForm,
    forms_of,
    standing_form_of,
)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Show a form for the next version; "Preview" shows the changes, "Save" writes it."""
    shown = _to_write_or_404(request, code)
    if request.method != "POST":
        return _page(request, shown, *forms_of(shown))
    form = VersionForm(request.POST)
    # Typed as Any, because mypy loses the type of a formset class.
    sources: Any = SourceForms(request.POST, prefix="source")
    if not (form.is_valid() and sources.is_valid()):
        return _page(request, shown, form, sources, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if "save" not in request.POST:
        return _page(request, shown, form, sources.with_blank_rows(), pieces=_pieces(shown, form))
    try:
        version = _write(request, shown, form, sources)
    except services.WrittenMeanwhile as refusal:
        return _on_top(request, shown, form, sources, str(refusal))
    except (services.NothingChanged, services.NotYet) as refusal:
        form.add_error(None, str(refusal))
        return _page(request, shown, form, sources, status=HTTPStatus.CONFLICT)
    messages.success(request, f"Version {version.number} is written and in force.")
    return redirect(shown)


@login_required
@require_POST
def stand(request: HttpRequest, code: str) -> HttpResponse:
    shown = _to_write_or_404(request, code)
    form = StandingForm(request.POST, among=permissions.readable_by(request))
    if form.is_valid():
        try:
            services.set_standing(
                shown, form.cleaned_data["supersedes"], form.cleaned_data["withdrawn_on"]
            )
        except services.CannotSupersede as refusal:
            form.add_error("supersedes", str(refusal))
        else:
            messages.success(request, "Kept.")
            return redirect(shown)
    version_form, sources = forms_of(shown)
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(request, shown, version_form, sources, standing=form, status=status)


def _to_write_or_404(request: HttpRequest, code: str) -> Ruling:
    among = permissions.readable_by(request)
    shown = get_object_or_404(queries.rulings_in_full(among), code=code)
    if not permissions.can_write(request.user):
        raise PermissionDenied
    return shown


def _write(request: HttpRequest, shown: Ruling, form: VersionForm, sources: Any) -> RulingVersion:
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


def _on_top(
    request: HttpRequest, shown: Ruling, form: VersionForm, sources: Any, why: str
) -> HttpResponse:
    """Show the form again, ready to save on top of the version written concurrently."""
    shown = queries.rulings_in_full(Ruling.objects.all()).get(pk=shown.pk)
    now = shown.current
    again = VersionForm({**form.cleaned_data, "seen": now.number if now else 0})
    again.is_valid()
    again.add_error(None, why)
    pieces = _pieces(shown, again)
    return _page(request, shown, again, sources, pieces=pieces, status=HTTPStatus.CONFLICT)


def _pieces(shown: Ruling, form: VersionForm) -> list[Piece]:
    now = shown.current
    return difference(now.text if now else "", plain_newlines(form.cleaned_data["text"]).strip())


def _page(
    request: HttpRequest,
    shown: Ruling,
    form: VersionForm,
    sources: Any,
    *,
    pieces: list[Piece] | None = None,
    standing: StandingForm | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    context = {
        "ruling": shown,
        "now": shown.current,
        "form": form,
        "sources": sources,
        "pieces": pieces,
        "standing_form": standing or standing_form_of(shown),
    }
    return render(request, "rulings/edit.html", context, status=status)
