"""Import page for site administrators: preview, then import."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.rate_limits import Busy
from core.uploads import status_of
from players.models import User
from rulings import permissions
from rulings.import_forms import ImportForm
from rulings.importer import files
from rulings.importer.filed import Change

# Limit on listed changes per group; the counts include all.
MOST_SHOWN = 100


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: HttpRequest) -> HttpResponse:
    """Show the changes of a file; with "import", apply them."""
    if not permissions.can_write(request.user):
        raise PermissionDenied
    if request.method != "POST":
        return _page(request, ImportForm())
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=status_of(form))
    data, looks = form.cleaned_data["data"], "import" not in request.POST
    by = request.user if isinstance(request.user, User) else None
    try:
        report = files.import_file(data, by=by, preview=looks)
    except files.FileRefused as refused:
        return _page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY, refused=refused)
    except Busy as busy:
        # Browsers do not refill file inputs, so put the content in the text field.
        waiting = ImportForm(initial={"text": data.decode("utf-8-sig", "replace")})
        return _page(request, waiting, status=HTTPStatus.CONFLICT, refused=busy)
    text = data.decode("utf-8-sig") if looks else ""
    return _page(request, ImportForm(initial={"text": text}), report=report, looks=looks)


def _page(
    request: HttpRequest, form: ImportForm, status: HTTPStatus = HTTPStatus.OK, **more: Any
) -> HttpResponse:
    report: files.Report | None = more.get("report")
    groups = _groups(report) if report else []
    context = {"form": form, "groups": groups, **more}
    return render(request, "rulings/import.html", context, status=status)


def _groups(report: files.Report) -> list[tuple[str, list[Change], int]]:
    """Return (name, listed changes, count) for each count of the report."""
    changes: dict[str, list[Change]] = {}
    for change in report.changes:
        changes.setdefault(change.what, []).append(change)
    return [
        (name, changes.get(name, [])[:MOST_SHOWN], count) for name, count in report.counts.items()
    ]
