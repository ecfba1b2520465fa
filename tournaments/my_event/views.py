"""The player's own pages, made for phones, and what players do there."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from decks.models import Side
from tournaments.decklists import queries as deck_queries
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import actor_of
from tournaments.judging.pages import calls_of_table
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.my_event.pages import my_event_lines, my_page_context
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.web.access import (
    EventRequest,
    RegistrationRequest,
    event_or_404,
    registration_view,
)
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import (
    NO_STORE,
    RoundNews,
    etag_of,
    is_fragment,
    render_event_page,
    respond_unless_fresh,
    round_news_of,
)
from tournaments.web.staff_pages import show_refusals

# Columns that decide whether a cached copy of the player's page is still valid.
PAGE_VERSION_COLUMNS = (
    *("tournament", "player", "version", "state", "day_two_at"),
    *(
        f"tournament__{column}"
        for column in (
            *visibility.VERSION_COLUMNS,
            *("time_zone", "starts_on", "finished_at", "day_two_opened_at"),
            *("decks_locked_at", "decks_close_at"),
        )
    ),
)


@never_cache
@require_safe
def my_events(request: HttpRequest) -> HttpResponse:
    """List the events where the user plays or is staff."""
    actor = actor_of(request)
    context = {
        "lines": my_event_lines(actor),
        "is_known": actor.user is not None or actor.player is not None,
        "working": event_permissions.events_with_desk_role(actor),
        "running": event_permissions.events_run_by(actor),
    }
    return render(request, "tournaments/desk/mine.html", context)


@never_cache
@require_safe
def my_table(request: HttpRequest) -> HttpResponse:
    """Redirect to the player's current event, or to the list of their events."""
    player = actor_of(request).player
    event = Tournament.objects.current_event_of(player) if player is not None else None
    if event is None:
        return redirect("tournaments:mine")
    return redirect("tournaments:my_event", event.slug)


@require_safe
def my_event(request: EventRequest, slug: str) -> HttpResponse:
    """Show a player their event; the page polls for changes."""
    request.actor = actor_of(request)
    # Most answers are a 304, which needs only a few columns.
    only = PAGE_VERSION_COLUMNS if "If-None-Match" in request.headers else ()
    registration = Registration.objects.at_event(slug, request.actor.player, only=only)
    if registration is None:
        return _redirect_unregistered(request, slug)
    request.event = registration.tournament
    # These change with time, without a new version.
    timed = registration.can_check_in(), deck_queries.event_deck_lock(request.event)
    version = request.event.shared_version, registration.version

    def page() -> HttpResponse:
        place = Registration.objects.at_event(slug, request.actor.player) if only else registration
        if place is None:
            return _redirect_unregistered(request, slug)
        request.event = place.tournament
        context = _page_context(place)
        context["poll_etag"] = etag_of(request, *timed, version=version, fragment=True)
        return render_event_page(request, "tournaments/desk/my_event.html", "me", context)

    etag = etag_of(request, *timed, version=version)
    return respond_unless_fresh(request, etag, page, NO_STORE)


def _page_context(registration: Registration) -> dict[str, Any]:
    tournament, day = registration.tournament, my_page_context(registration)
    decks = deck_queries.submissions_of(registration) if tournament.has_decks else {}
    has_problem = tournament.has_decks and not all(
        side in decks and decks[side].version.is_legal for side in Side
    )
    waivers = deck_queries.deck_waivers(tournament) if has_problem else {}
    waiver = waivers.get(registration.pk)
    line = day["now"]
    deck_rows = [
        (
            side,
            decks.get(side),
            deck_queries.deck_lock(tournament, decks.get(side)),
            waiver is not None and waiver.covers(side, decks.get(side)),
        )
        for side in Side
    ]
    missing = [side for side, deck, _, is_waived in deck_rows if deck is None and not is_waived]
    return {
        **day,
        "is_playing": True,
        "calls": calls_of_table(line.pairing) if line and line.match else None,
        "decks": deck_rows,
        "decks_lock": deck_queries.event_deck_lock(tournament),
        "missing_decks": missing if _must_submit_decks(registration) else [],
        "news": RoundNews()
        if tournament.is_finished
        else round_news_of(day["round"], [line.table.table] if line else []),
    }


def _must_submit_decks(registration: Registration) -> bool:
    tournament = registration.tournament
    return (
        tournament.has_decks
        and tournament.decks_required
        and not tournament.is_finished
        and registration.state != RegistrationState.DROPPED
    )


def _redirect_unregistered(request: HttpRequest, slug: str) -> HttpResponse:
    event_or_404(request, slug)
    if is_fragment(request):
        raise Http404("Not registered on this device.")
    messages.info(
        request,
        _(
            "You are not signed in as a player of this event on this device. Open your personal "
            "link, log in, or join with the code."
        ),
    )
    return redirect("tournaments:event", slug)


@never_cache
@require_POST
@idempotent
@registration_view
def check_in(request: RegistrationRequest) -> HttpResponse:
    with show_refusals(request):
        registration_services.check_in_self(request.registration, request.actor)
        messages.success(request, _("You are checked in."))
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@idempotent
@registration_view
def drop(request: RegistrationRequest) -> HttpResponse:
    """Drop the player at their own request. The page has asked for confirmation."""
    with show_refusals(request):
        registration_services.drop_player(request.registration, request.actor)
        messages.success(
            request,
            _(
                "You have dropped from the event. You will not be paired again, and your results "
                "stay. If you are at a table now, finish your match first."
            ),
        )
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@idempotent
@registration_view
def return_to_event(request: RegistrationRequest) -> HttpResponse:
    """Revert a player's own drop, until a round is published without them."""
    with show_refusals(request):
        registration_services.return_self(request.registration, request.actor)
        messages.success(request, _("You are back in the event."))
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@idempotent
@registration_view
def set_stream_preference(request: RegistrationRequest) -> HttpResponse:
    """Set whether the player avoids feature tables on stream, with `avoids` set to yes or no."""
    avoids = request.POST.get("avoids") == "yes"
    with show_refusals(request):
        roster_changes.set_avoids_stream(request.registration, request.actor, avoids=avoids)
        messages.success(
            request,
            _("You will not sit at a feature table.")
            if avoids
            else _("Your table may be filmed again."),
        )
    return redirect("tournaments:my_event", request.event.slug)
