"""Views for creating an event, its settings, and its staff."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core import secret_links
from core.errors import StaleVersion
from core.site_address import shared_url
from players import factors
from players.models import User
from players.recent import fresh_session
from tournaments.decklists import deck_verdicts
from tournaments.event import permissions, queries
from tournaments.models import Staff, Tournament
from tournaments.rounds.pages.suggestions import (
    FEW_FIELDS,
    for_event,
    suggestion_table,
    usual_draws,
)
from tournaments.settings.forms.create import CreateForm
from tournaments.settings.forms.day import DayForm
from tournaments.settings.forms.settings import Group, SettingsForm
from tournaments.settings.forms.staff import InvitationForm, StaffForm
from tournaments.settings.pages import summaries
from tournaments.settings.services import deleting, effects, events
from tournaments.settings.services import staff as staff_services
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    in_zone,
    seen_id,
    staff_page,
)

AnyForm: TypeAlias = SettingsForm | DayForm
REFUSALS = (events.SettingIsFixed, events.OwnFactorMissing, StaleVersion, *deck_verdicts.NOT_JUDGED)
DIGEST_KEY = secret_links.key_of("invitation")
GONE = 410


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Create an event from three main fields and collapsed options, then open the desk."""
    permissions.refuse_unless_organiser(request.user)
    # The closing time is in the time zone of the event, not of the site.
    with in_zone(request.POST.get("time_zone", "").strip() or timezone.get_default_timezone_name()):
        form = CreateForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            assert isinstance(request.user, User)
            tournament = events.create(request.user, **form.settings)
            _add_rules_notices(request, tournament)
            return redirect("tournaments:desk", slug=tournament.slug)
    status = 422 if form.errors else 200
    draws = usual_draws(form["game"].value() or "", form["scoring_rule"].value() or "")
    context = {"form": form, "suggestions": suggestion_table(draws, fields=FEW_FIELDS)}
    return render(request, "tournaments/settings/create.html", context, status=status)


def _add_rules_notices(
    request: HttpRequest,
    tournament: Tournament,
    known: Sequence[deck_verdicts.RulesNotice] = (),
) -> None:
    """Warn about notices of the deck rules, except those in `known`."""
    for notice in deck_verdicts.rules_notices(tournament):
        if notice not in known:
            messages.warning(request, notice.detail)


@staff_page(permissions.can_run, READ + WRITE)
def settings(request: EventRequest) -> HttpResponse:
    """Edit name, time, system, scoring and deck rules."""
    return _form_page(request, SettingsForm, "settings")


@staff_page(permissions.can_run, READ + WRITE)
def day(request: EventRequest) -> HttpResponse:
    """Edit the settings of the day: room, overtime, automatic actions."""
    return _form_page(request, DayForm, "day_settings")


@fresh_session
@staff_page(permissions.can_own, WRITE)
def delete(request: EventRequest) -> HttpResponse:
    """Delete the event, after confirmation by a checkbox."""
    event = request.event
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box to delete the event.")
        return redirect("tournaments:settings", slug=event.slug)
    with RefusalsShown(request, deleting.CannotDelete):
        deleting.delete(event, request.actor)
        messages.success(request, f"{event.name} is deleted.")
        return redirect("tournaments:mine")
    return redirect("tournaments:settings", slug=event.slug)


def _can_delete(request: EventRequest) -> bool:
    has_round = queries.visible_rounds(request.event).exists()
    return permissions.can_own(request.actor, request.event) and not has_round


def _form_page(request: EventRequest, form_class: type[AnyForm], name: str) -> HttpResponse:
    """Show and save a settings form; `seen` detects a stale page."""
    event = request.event
    # A ModelForm modifies its instance; the page shows the stored values.
    kept = Tournament.objects.get(pk=event.pk)
    zone = request.POST.get("time_zone", "").strip() or event.time_zone
    with in_zone(zone):
        form = form_class(request.POST or None, instance=kept)
        unread: list[str] = []
        if form.is_valid():
            seen = seen_id(request)
            with RefusalsShown(request, *REFUSALS):
                touched = effects.touched(event, request.actor, form.settings, seen)
                # Save if these effects were already reviewed; otherwise list them for review.
                unread = touched if " ".join(touched) != request.POST.get("read", "") else []
                if not unread:
                    events.change_settings(event, request.actor, seen_log=seen, **form.settings)
                    messages.success(request, "Saved.")
                    saved = Tournament.objects.get(pk=event.pk)
                    _add_rules_notices(request, saved, deck_verdicts.rules_notices(event))
                    return redirect(f"tournaments:{name}", slug=event.slug)
        refused = 422 if form.errors else 409
        status = refused if request.method == "POST" and not unread else 200
        context = {
            "form": form,
            "touched": unread,
            "groups": _groups(form, event),
            # During a review, keep the log entry that the first page was made after.
            "seen": seen_id(request) if unread else queries.newest_log_id(event),
            "has_round": queries.rounds(event).exists(),
            "suggestions": for_event(event) if form_class is SettingsForm else None,
            "can_delete": form_class is SettingsForm and _can_delete(request),
        }
        return desk_page(request, f"tournaments/settings/{name}.html", context, status=status)


def _groups(form: AnyForm, tournament: Tournament) -> list[tuple[Group, str]]:
    """Return the groups of settings with their summaries."""
    if not isinstance(form, SettingsForm):
        return []
    lines = summaries(tournament)
    return [(group, lines[group.id]) for group in form.groups]


def _staff_page(request: EventRequest, status: int = 200, **context: Any) -> HttpResponse:
    shared = {
        "form": StaffForm(),
        "invitation_form": InvitationForm(),
        "staff": _members(request.event),
        "invitations": queries.open_invitations(request.event),
        "abilities_by_role": permissions.by_role(),
        **context,
    }
    return desk_page(request, "tournaments/settings/staff.html", shared, status=status)


def _members(tournament: Tournament) -> list[Staff]:
    """Return the staff; `has_factor` is set if the event requires two-factor authentication."""
    members = list(tournament.staff.select_related("user"))
    if tournament.staff_need_second_factor:
        having = factors.with_factor([member.user_id for member in members])
        for member in members:
            member.has_factor = member.user_id in having  # type: ignore[attr-defined]
    return members


@staff_page(permissions.can_run)
def staff(request: EventRequest) -> HttpResponse:
    """List staff and open invitations; only the owner can change them."""
    return _staff_page(request)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_add(request: EventRequest) -> HttpResponse:
    """Give an account a role or change its role."""
    form = StaffForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, form=form, status=422)
    user, role = form.cleaned_data["username"], form.cleaned_data["role"]
    with RefusalsShown(request, staff_services.StaffRefused):
        given = staff_services.give_role(request.event, request.actor, user, role)
        messages.success(request, f"{user} is {given.get_role_display()} now.")
    return redirect("tournaments:staff", slug=request.event.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_remove(request: EventRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(request.event.staff.select_related("user"), pk=pk)
    with RefusalsShown(request, staff_services.StaffRefused):
        staff_services.take_role(request.event, request.actor, member)
        messages.success(request, f"{member.user} has no role at this event any more.")
    return redirect("tournaments:staff", slug=request.event.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def staff_hand_over(request: EventRequest, pk: int) -> HttpResponse:
    """Transfer ownership, after confirmation by a checkbox."""
    event = request.event
    heir = get_object_or_404(event.staff.select_related("user"), pk=pk)
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box to hand the event over.")
        return redirect("tournaments:staff", slug=event.slug)
    with RefusalsShown(request, staff_services.StaffRefused):
        staff_services.hand_over(event, request.actor, heir)
        messages.success(request, f"{heir.user} owns this event now. You are an organiser of it.")
    return redirect("tournaments:staff", slug=event.slug)


@fresh_session
@staff_page(permissions.can_own, WRITE)
def invite(request: EventRequest) -> HttpResponse:
    """Create an invitation link, shown only in this response to keep it out of the history."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, invitation_form=form, status=422)
    role, note = form.cleaned_data["role"], form.cleaned_data["note"]
    secret = staff_services.invite(request.event, request.actor, role, form.ends_at, note)
    link = shared_url(request, reverse("tournaments:invitation_link", args=[secret]))
    context = {"link": link, "form": form}
    response = desk_page(request, "tournaments/settings/invitation_made.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response


@staff_page(permissions.can_own, WRITE)
def invitation_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(request.event.invitations, pk=pk)
    with RefusalsShown(request):
        staff_services.withdraw(invitation, request.actor)
        messages.success(request, "The invitation is withdrawn.")
    return redirect("tournaments:staff", slug=request.event.slug)


@never_cache
@require_safe
def invitation_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Open an invitation link: store its digest in the session, then redirect to the invitation."""
    return secret_links.taken_from_address(
        request,
        secret,
        what="invitation",
        look_up=staff_services.invitation,
        wrong=staff_services.InvitationRefused,
        next_page="tournaments:invitation",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Show an invitation with event and role; a POST by a logged-in user accepts it."""
    digest = request.session.get(DIGEST_KEY, "")
    try:
        if request.method == "POST":
            return secret_links.private(_accepted(request, digest))
        found = staff_services.invitation(digest)
    except staff_services.InvitationRefused as refusal:
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
        staff_services.invitation(digest)
        return redirect_to_login(request.path)
    try:
        staff = staff_services.accept(digest, request.user)
    except staff_services.StaffRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("tournaments:invitation")
    del request.session[DIGEST_KEY]
    # The session has gained rights: rotate its key against session fixation.
    request.session.cycle_key()
    messages.success(request, f"You are {staff.get_role_display()} of {staff.tournament} now.")
    there = "desk" if permissions.opens_desk(staff.role) else "event"
    return redirect(f"tournaments:{there}", slug=staff.tournament.slug)
