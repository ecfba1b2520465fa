"""Who helps to run the event, and as what; the link that makes somebody staff."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core import rate_limits, secret_links
from players import factors
from players.recent import fresh_session
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Staff, Tournament
from tournaments.settings.forms.staff import InvitationForm, StaffForm
from tournaments.settings.services import staff as services
from tournaments.web.views.staff_pages import WRITE, desk_page, staff_page, told


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, status: int = 200, **context: Any
) -> HttpResponse:
    shared = {
        "form": StaffForm(),
        "invitation_form": InvitationForm(),
        "staff": _members(tournament),
        "invitations": queries.open_invitations(tournament),
        "abilities_by_role": permissions.by_role(),
        **context,
    }
    return desk_page(
        request, tournament, actor, "tournaments/settings/staff.html", shared, status=status
    )


def _members(tournament: Tournament) -> list[Staff]:
    """The staff; `has_factor` tells who has a second factor where the event asks for one."""
    members = list(tournament.staff.select_related("user"))
    if tournament.staff_need_second_factor:
        having = factors.with_factor([member.user_id for member in members])
        for member in members:
            member.has_factor = member.user_id in having  # type: ignore[attr-defined]
    return members


@staff_page(permissions.can_run)
def staff(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody with a role, and open invitations; the owner can change both."""
    return _page(request, tournament, actor)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_add(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Give an account a role, or another one."""
    form = StaffForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, form=form, status=422)
    user, role = form.cleaned_data["username"], form.cleaned_data["role"]
    with told(request, services.StaffRefused):
        given = services.give_role(tournament, actor, user, role)
        messages.success(request, f"{user} is {given.get_role_display()} now.")
    return redirect("tournaments:staff", slug=tournament.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_remove(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Take a role away."""
    member = get_object_or_404(tournament.staff.select_related("user"), pk=pk)
    with told(request, services.StaffRefused):
        services.take_role(tournament, actor, member)
        messages.success(request, f"{member.user} has no role at this event any more.")
    return redirect("tournaments:staff", slug=tournament.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_hand_over(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Somebody else owns the event from now on; asked for twice, by a box that is ticked."""
    heir = get_object_or_404(tournament.staff.select_related("user"), pk=pk)
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box to hand the event over.")
        return redirect("tournaments:staff", slug=tournament.slug)
    with told(request, services.StaffRefused):
        services.hand_over(tournament, actor, heir)
        messages.success(request, f"{heir.user} owns this event now. You are an organiser of it.")
    return redirect("tournaments:staff", slug=tournament.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def invite(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Make a link; the answer alone shows it, so it is in no history and in no other page."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, invitation_form=form, status=422)
    secret = services.invite(
        tournament, actor, form.cleaned_data["role"], form.ends_at, form.cleaned_data["note"]
    )
    link = request.build_absolute_uri(reverse("tournaments:invitation_link", args=[secret]))
    context = {"link": link, "form": form}
    response = desk_page(
        request, tournament, actor, "tournaments/settings/invitation_made.html", context
    )
    response["Referrer-Policy"] = "no-referrer"
    return response


@staff_page(permissions.can_own, WRITE)
def invitation_withdraw(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """The link opens nothing any more."""
    invitation = get_object_or_404(tournament.invitations, pk=pk)
    with told(request):
        services.withdraw(invitation, actor)
        messages.success(request, "The invitation is withdrawn.")
    return redirect("tournaments:staff", slug=tournament.slug)


DIGEST_KEY = "invitation_digest"
GONE = 410


@never_cache
@require_safe
def invitation_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Take the secret out of the address bar at once; nothing is used up yet.

    The session keeps only its digest, so that no table ever holds the secret. Wrong tries are
    counted here, so that nobody has sessions made without end.
    """
    digest = secret_links.digest(secret)
    try:
        services.invitation(digest)
    except services.InvitationRefused:
        if wait := rate_limits.wait_after_wrong(request, "invitation"):
            page = render(request, "players/claim_wait.html")
            return secret_links.private(rate_limits.slowed(page, wait))
    request.session[DIGEST_KEY] = digest
    return secret_links.private(redirect("tournaments:invitation"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Say to what and as what; only the answer of an account uses the link up."""
    digest = request.session.get(DIGEST_KEY, "")
    try:
        if request.method == "POST":
            return secret_links.private(_accepted(request, digest))
        found = services.invitation(digest)
    except services.InvitationRefused as refusal:
        request.session.pop(DIGEST_KEY, None)
        page = render(request, "tournaments/settings/invitation_over.html", {"refusal": refusal})
        page.status_code = GONE
        return secret_links.private(page)
    context = {
        "invitation": found,
        "tournament": found.tournament,
        "abilities": permissions.by_role()[found.get_role_display()],
    }
    return secret_links.private(render(request, "tournaments/settings/invitation.html", context))


def _accepted(request: HttpRequest, digest: str) -> HttpResponse:
    if not request.user.is_authenticated:
        services.invitation(digest)
        return redirect_to_login(request.path)
    try:
        staff = services.accept(digest, request.user)
    except services.StaffRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("tournaments:invitation")
    del request.session[DIGEST_KEY]
    # The rights of this session have grown: an id known before is worth nothing afterwards.
    request.session.cycle_key()
    messages.success(request, f"You are {staff.get_role_display()} of {staff.tournament} now.")
    there = "desk" if permissions.opens_desk(staff.role) else "event"
    return redirect(f"tournaments:{there}", slug=staff.tournament.slug)
