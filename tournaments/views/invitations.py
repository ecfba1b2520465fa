"""The link that makes somebody staff: opened, looked at, accepted by an account."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core import limits, secret_links
from players import sessions
from tournaments import permissions
from tournaments.services import staff as services

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
        if wait := limits.wait_after_wrong(request, "invitation"):
            page = render(request, "players/claim_wait.html")
            return secret_links.private(limits.slowed(page, wait))
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
        page = render(request, "tournaments/invitation_over.html", {"refusal": refusal})
        page.status_code = GONE
        return secret_links.private(page)
    context = {
        "invitation": found,
        "tournament": found.tournament,
        "abilities": permissions.by_role()[found.get_role_display()],
    }
    return secret_links.private(render(request, "tournaments/invitation.html", context))


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
    sessions.new_id(request)
    messages.success(request, f"You are {staff.get_role_display()} of {staff.tournament} now.")
    there = "desk" if permissions.opens_desk(staff.role) else "event"
    return redirect(f"tournaments:{there}", slug=staff.tournament.slug)
