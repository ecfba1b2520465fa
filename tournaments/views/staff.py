"""Who helps to run the event, and as what."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.forms.staff import StaffForm
from tournaments.models import Tournament
from tournaments.services import events
from tournaments.views.behind import desk_page, staff_page, told


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, form: StaffForm, status: int = 200
) -> HttpResponse:
    context = {"form": form, "staff": tournament.staff.select_related("user")}
    return desk_page(request, tournament, actor, "staff.html", context, status=status)


@require_safe
@staff_page(permissions.can_run)
def staff(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody with a role; the owner can change it."""
    return _page(request, tournament, actor, StaffForm())


@require_POST
@staff_page(permissions.can_own)
def staff_add(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Give an account a role, or another one."""
    form = StaffForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, form, status=422)
    user, role = form.cleaned_data["username"], form.cleaned_data["role"]
    with told(request, events.StaffRefused):
        given = events.set_staff(tournament, actor, user, role)
        messages.success(request, f"{user} is {given.get_role_display()} now.")
    return redirect("tournaments:staff", slug=tournament.slug)


@require_POST
@staff_page(permissions.can_own)
def staff_remove(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Take a role away."""
    member = get_object_or_404(tournament.staff.select_related("user"), pk=pk)
    with told(request, events.StaffRefused):
        events.remove_staff(tournament, actor, member)
        messages.success(request, f"{member.user} has no role at this event any more.")
    return redirect("tournaments:staff", slug=tournament.slug)
