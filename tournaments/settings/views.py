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
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core import secret_links
from core.addresses import shared_url
from players import factors
from players.models import User
from players.reauthentication import fresh_session
from tournaments.decklists import services as decklists_services
from tournaments.event import permissions as event_permissions
from tournaments.models import Staff, Tournament
from tournaments.rounds.pages import suggestions_for_event
from tournaments.settings import services
from tournaments.settings.forms import (
    CreateEventForm,
    DaySettingsForm,
    InvitationForm,
    SettingsForm,
    StaffForm,
)
from tournaments.settings.pages import round_plan_steps, usual_settings
from tournaments.web.access import EventRequest
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
    use_time_zone,
)

AnyForm: TypeAlias = SettingsForm | DaySettingsForm
DIGEST_KEY = secret_links.session_key("invitation")
GONE = 410


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create_event(request: HttpRequest) -> HttpResponse:
    event_permissions.refuse_unless_organiser(request.user)
    # The closing time is in the time zone of the event, not of the site.
    with use_time_zone(
        request.POST.get("time_zone", "").strip() or timezone.get_default_timezone_name()
    ):
        assert isinstance(request.user, User)
        if request.method == "POST":
            form = CreateEventForm(request.POST)
            if form.is_valid():
                tournament = services.create_event(request.user, **form.settings)
                _add_rules_notices(request, tournament)
                return redirect("tournaments:created", slug=tournament.slug)
        else:
            form = CreateEventForm(initial=usual_settings(request.user))
    status = 422 if form.errors else 200
    context = {
        "form": form,
        "not_created": _("Not created yet. Please fix this:"),
        "round_plan": round_plan_steps(),
    }
    return render(request, "tournaments/settings/create.html", context, status=status)


@staff_page(event_permissions.can_run)
def event_created(request: EventRequest) -> HttpResponse:
    """Show how players join a new event, and the next steps."""
    path = reverse("tournaments:join_code", args=[request.event.join_code])
    context = {"join_address": shared_url(request, path)}
    return render_desk_page(request, "tournaments/settings/created.html", context)


def _add_rules_notices(
    request: HttpRequest,
    tournament: Tournament,
    known: Sequence[decklists_services.RulesNotice] = (),
) -> None:
    """Warn about notices of the deck rules, except those in `known`."""
    for notice in decklists_services.rules_notices(tournament):
        if notice not in known:
            messages.warning(request, notice.detail)


@staff_page(event_permissions.can_run, READ + WRITE)
def event_settings(request: EventRequest) -> HttpResponse:
    return _settings_page(request, SettingsForm, "settings")


@staff_page(event_permissions.can_run, READ + WRITE)
def day_settings(request: EventRequest) -> HttpResponse:
    return _settings_page(request, DaySettingsForm, "day_settings")


@fresh_session
@staff_page(event_permissions.can_own, WRITE)
def delete_event(request: EventRequest) -> HttpResponse:
    event = request.event
    if request.POST.get("sure") != "yes":
        messages.error(request, _("Tick the box to delete the event."))
        return redirect("tournaments:settings", slug=event.slug)
    with show_refusals(request):
        services.delete_event(event, request.actor)
        messages.success(request, _("%(event)s was deleted.") % {"event": event.name})
        return redirect("tournaments:mine")
    return redirect("tournaments:settings", slug=event.slug)


def _settings_page(request: EventRequest, form_class: type[AnyForm], name: str) -> HttpResponse:
    """Show and save a settings form; `seen` detects a stale page."""
    event = request.event
    zone = request.POST.get("time_zone", "").strip() or event.time_zone
    with use_time_zone(zone):
        # A ModelForm modifies its instance; the page shows the stored values.
        form = form_class(request.POST or None, instance=Tournament.objects.get(pk=event.pk))
        if isinstance(form, SettingsForm) and event.rounds.exists():
            form.lock_fields_of_paired_rounds()
        unread: list[str] = []
        if form.is_valid():
            seen = seen_log_entry(request)
            with show_refusals(request):
                effects = services.side_effects(event, request.actor, form.settings, seen)
                # Save if these effects were already reviewed; otherwise list them for review.
                unread = effects if " ".join(effects) != request.POST.get("read", "") else []
                if not unread:
                    services.change_settings(event, request.actor, seen_log=seen, **form.settings)
                    saved = Tournament.objects.get(pk=event.pk)
                    _add_saved_message(request, form.changed_labels(event, saved), effects)
                    _add_rules_notices(request, saved, decklists_services.rules_notices(event))
                    return redirect(f"tournaments:{name}", slug=event.slug)
        refused = 422 if form.errors else 409
        status = refused if request.method == "POST" and not unread else 200
        context = {
            "form": form,
            "touched": unread,
            # During a review, keep the log entry that the first page was made after.
            "seen": seen_log_entry(request) if unread else event.log.newest_id(),
            "suggestions": suggestions_for_event(event) if form_class is SettingsForm else None,
            "can_delete": form_class is SettingsForm
            and event_permissions.can_own(request.actor, event)
            and not event.rounds.published().exists(),
        }
        return render_desk_page(
            request, f"tournaments/settings/{name}.html", context, status=status
        )


def _add_saved_message(
    request: HttpRequest, changed: Sequence[str], effects: Sequence[str]
) -> None:
    """Name the changed settings and repeat what they affect."""
    if not changed:
        messages.info(request, _("Nothing was changed."))
        return
    text = _("Saved: %(settings)s.") % {"settings": ", ".join(changed)}
    messages.success(request, " ".join([text, *effects]))


def _staff_page(request: EventRequest, status: int = 200, **context: Any) -> HttpResponse:
    shared = {
        "form": StaffForm(),
        "invitation_form": InvitationForm(),
        "staff": _staff_members(request.event),
        "invitations": request.event.invitations.usable(),
        "abilities_by_role": event_permissions.abilities_by_role(),
        **context,
    }
    return render_desk_page(request, "tournaments/settings/staff.html", shared, status=status)


def _staff_members(tournament: Tournament) -> list[Staff]:
    """Return the staff; `has_factor` is set if the event requires two-factor authentication."""
    members = list(tournament.staff.select_related("user"))
    if tournament.staff_need_second_factor:
        having = factors.accounts_with_factor([member.user_id for member in members])
        for member in members:
            member.has_factor = member.user_id in having  # type: ignore[attr-defined]
    return members


@staff_page(event_permissions.can_run)
def staff_list(request: EventRequest) -> HttpResponse:
    return _staff_page(request)


@fresh_session
@staff_page(event_permissions.can_own, WRITE)
def staff_add(request: EventRequest) -> HttpResponse:
    form = StaffForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, form=form, status=422)
    user, role = form.cleaned_data["username"], form.cleaned_data["role"]
    with show_refusals(request):
        member = services.give_role(request.event, request.actor, user, role)
        messages.success(
            request,
            _("%(user)s is now %(role)s.") % {"user": user, "role": member.get_role_display()},
        )
    return redirect("tournaments:staff", slug=request.event.slug)


@fresh_session
@staff_page(event_permissions.can_own, WRITE)
def staff_remove(request: EventRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(request.event.staff.select_related("user"), pk=pk)
    with show_refusals(request):
        services.remove_role(request.event, request.actor, member)
        messages.success(
            request, _("%(user)s no longer has a role at this event.") % {"user": member.user}
        )
    return redirect("tournaments:staff", slug=request.event.slug)


@fresh_session
@staff_page(event_permissions.can_own, WRITE)
def staff_hand_over(request: EventRequest, pk: int) -> HttpResponse:
    event = request.event
    heir = get_object_or_404(event.staff.select_related("user"), pk=pk)
    if request.POST.get("sure") != "yes":
        messages.error(request, _("Tick the box to hand the event over."))
        return redirect("tournaments:staff", slug=event.slug)
    with show_refusals(request):
        services.hand_over_event(event, request.actor, heir)
        messages.success(
            request, _("%(user)s now owns this event. You are an organiser.") % {"user": heir.user}
        )
    return redirect("tournaments:staff", slug=event.slug)


@fresh_session
@staff_page(event_permissions.can_own, WRITE)
def staff_invite(request: EventRequest) -> HttpResponse:
    """Create an invitation link, shown only in this response to keep it out of the history."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, invitation_form=form, status=422)
    role, note = form.cleaned_data["role"], form.cleaned_data["note"]
    secret = services.invite_staff(request.event, request.actor, role, form.ends_at, note)
    link = shared_url(request, reverse("tournaments:invitation_link", args=[secret]))
    context = {"link": link, "form": form}
    response = render_desk_page(request, "tournaments/settings/invitation_made.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response


@staff_page(event_permissions.can_own, WRITE)
def invitation_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(request.event.invitations, pk=pk)
    with show_refusals(request):
        services.withdraw_invitation(invitation, request.actor)
        messages.success(request, _("The invitation was withdrawn."))
    return redirect("tournaments:staff", slug=request.event.slug)


@never_cache
@require_safe
def invitation_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Open an invitation link: store its digest in the session, then redirect to the invitation."""
    return secret_links.redirect_without_secret(
        request,
        secret,
        what="invitation",
        look_up=services.get_open_invitation,
        wrong=services.InvitationRefused,
        next_page="tournaments:invitation",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def staff_invitation(request: HttpRequest) -> HttpResponse:
    """Show an invitation with event and role; a POST by a logged-in user accepts it."""
    digest = request.session.get(DIGEST_KEY, "")
    try:
        if request.method == "POST":
            return secret_links.mark_private(_accept_invitation(request, digest))
        invitation = services.get_open_invitation(digest)
    except services.InvitationRefused as refusal:
        request.session.pop(DIGEST_KEY, None)
        page = render(request, "tournaments/settings/invitation_over.html", {"refusal": refusal})
        page.status_code = GONE
        return secret_links.mark_private(page)
    context = {
        "invitation": invitation,
        "tournament": invitation.tournament,
        "abilities": event_permissions.abilities_by_role()[invitation.get_role_display()],
    }
    return secret_links.mark_private(
        render(request, "tournaments/settings/invitation.html", context)
    )


def _accept_invitation(request: HttpRequest, digest: str) -> HttpResponse:
    if not request.user.is_authenticated:
        services.get_open_invitation(digest)
        return redirect_to_login(request.path)
    try:
        staff = services.accept_invitation(digest, request.user)
    except services.StaffRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("tournaments:invitation")
    del request.session[DIGEST_KEY]
    # The session has gained rights: rotate its key against session fixation.
    request.session.cycle_key()
    messages.success(
        request,
        _("You are now %(role)s of %(tournament)s.")
        % {"role": staff.get_role_display(), "tournament": staff.tournament},
    )
    page = "desk" if event_permissions.is_desk_role(staff.role) else "event"
    return redirect(f"tournaments:{page}", slug=staff.tournament.slug)
