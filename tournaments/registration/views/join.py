"""Join an event by its code, with a known player or a new name."""

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import ordinal
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core import rate_limits
from core.client_addresses import counted_address
from core.text import ended
from players.services import AccountHasPlayer
from players.sessions import GUEST_KEY
from tournaments.event import queries, visibility
from tournaments.event.actors import Actor, actor_of
from tournaments.models import Registration, RegistrationState
from tournaments.models.codes import CODE_LENGTH, normal_join_code
from tournaments.registration.forms import JoinForm
from tournaments.registration.pages import claim_address
from tournaments.registration.services import profiles, registrations
from tournaments.rounds.services import late_entries
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import RefusalsShown

NOT_FOUND = 404


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Show the form for a join code."""
    if typed := _typed(request.GET.get("code", "")):
        return redirect("tournaments:join_code", typed)
    return render(request, "tournaments/registration/join.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_code(request: EventRequest, code: str) -> HttpResponse:
    """Show the event of a join code, and let the user join."""
    actor = request.actor = actor_of(request)
    if wait := rate_limits.wait_before_code(request, actor.counted, _typed(code)):
        return rate_limits.too_many(request, wait)
    event = queries.by_join_code(code)
    if event is None:
        return _wrong_code(request, code)
    plays = queries.registration_of(actor.player, event) is not None
    can_join = queries.can_join_now(event, actor.player)
    # Do not reveal private events that nobody can join.
    if not (plays or can_join or visibility.can_see(actor, event)):
        return _wrong_code(request, code)
    rate_limits.code_was_right(request, _typed(code))
    if plays:
        return redirect("tournaments:my_event", event.slug)
    request.event = event
    return _way_in(request) if can_join else _closed(request)


def _typed(code: str) -> str:
    """The code as stored, with limited length."""
    return normal_join_code(code)[: 2 * CODE_LENGTH]


def _wrong_code(request: EventRequest, code: str) -> HttpResponse:
    """Answer the same for every wrong code."""
    rate_limits.code_was_wrong(request, request.actor.counted)
    context = {"code": _typed(code)}
    return render(request, "tournaments/registration/join_wrong.html", context, status=NOT_FOUND)


def _closed(request: EventRequest) -> HttpResponse:
    event = request.event
    is_open = queries.registration_is_open_now(event)
    context = {
        "tournament": event,
        "is_too_late": is_open and queries.is_too_late(event),
        "is_full": is_open and queries.is_full(event),
        "is_by_invitation": is_open and not queries.may_join(event, request.actor.player),
        "invites": queries.invites(event),
    }
    return render(request, "tournaments/registration/join_closed.html", context)


def _way_in(request: EventRequest) -> HttpResponse:
    event, player = request.event, request.actor.player
    form = JoinForm(request.POST or None, tournament=event)
    if request.method == "POST" and (player is not None or form.is_valid()):
        with RefusalsShown(request, late_entries.RegistrationClosed, AccountHasPlayer) as answer:
            return _join(request, form)
        if answer.refusal:
            return redirect(request.path)
    context = {
        "tournament": event,
        "form": form,
        "player": player,
        "player_count": queries.players(event).count(),
        "takes_waiting": queries.takes_waiting(event),
    }
    return render(request, "tournaments/registration/join_code.html", context)


def _join(request: EventRequest, form: JoinForm) -> HttpResponse:
    event, actor, address = request.event, request.actor, counted_address(request)
    if actor.player is not None:
        registration = registrations.register(event, actor.player, actor, address=address)
    else:
        registration = registrations.register_guest(
            event, user=actor.user, address=address, **form.cleaned_data
        )
        if actor.user is None:
            return _welcome_guest(request, registration)
    messages.success(request, _welcome(registration))
    return redirect("tournaments:my_event", event.slug)


def _welcome(registration: Registration) -> str:
    tournament = registration.tournament
    if registration.state == RegistrationState.WAITING:
        place = ordinal(queries.place_on_waiting_list(registration))
        return f"{tournament} is full. You are {place} on the waiting list."
    return ended(f"You are on the list of {tournament}")


def _welcome_guest(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Bind the guest to this session, and show the personal link once."""
    player = registration.player
    secret = profiles.issue_claim(registration, Actor(player=player))
    player.refresh_from_db(fields=["claim_generation"])
    request.session[GUEST_KEY] = [player.pk, player.claim_generation]
    # As at login: invalidate any session id or token known before.
    request.session.cycle_key()
    rotate_token(request)
    link = claim_address(request, secret)
    context = {
        "tournament": registration.tournament,
        "player": player,
        "link": link,
        "welcome": _welcome(registration),
    }
    return render(request, "tournaments/registration/joined.html", context)
