"""A new event."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.models import User
from tournaments.forms.events import CreateForm
from tournaments.services import events
from tournaments.views.behind import in_zone


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Three fields, the rest behind a disclosure; then the desk."""
    # The closing time is told in the zone of the event, not in that of the site.
    with in_zone(request.POST.get("time_zone", "").strip() or timezone.get_default_timezone_name()):
        form = CreateForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            assert isinstance(request.user, User)
            tournament = events.create(request.user, **form.settings)
            return redirect("tournaments:desk", slug=tournament.slug)
    status = 422 if form.errors else 200
    return render(request, "tournaments/staff/create.html", {"form": form}, status=status)
