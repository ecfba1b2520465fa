"""The phone page: where do I sit, what is to do, how do I stand."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from decks.models import Side
from matches import records
from tournaments import permissions, queries, visibility
from tournaments.actors import Actor
from tournaments.faction_drafts import faction_draft
from tournaments.models import Registration, Round, Tournament
from tournaments.services import registrations
from tournaments.sheets import tables, tellings
from tournaments.sheets.cut_tables import cut_table_of
from tournaments.sheets.identities import identities_beside_names
from tournaments.sheets.placings import place_with_cut
from tournaments.sheets.why import Why, why
from tournaments.views.access import actor_of, event_or_404, registration_or_404
from tournaments.views.behind import told
from tournaments.views.polling import SECRET, etag_of, event_page, is_fragment, unless_fresh


@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Events where this person plays or works."""
    actor = actor_of(request)
    events = queries.events_of(actor.user, actor.player)
    context = {
        "events": events,
        "is_known": actor.user is not None or actor.player is not None,
        "playing": set(queries.events_of(None, actor.player).values_list("pk", flat=True)),
        "working": permissions.desks_of(actor),
    }
    return render(request, "tournaments/player/mine.html", context)


@require_safe
def my_event(request: HttpRequest, slug: str) -> HttpResponse:
    """All of one event that matters to one player; asks for itself again and again."""
    tournament, actor = event_or_404(request, slug)
    registration = queries.registration_of(actor.player, tournament)
    if registration is None:
        return _not_on_the_list(request, slug)
    registration.tournament = tournament
    submissions = queries.submissions_of(registration)
    private = (
        queries.can_check_in_now(registration),
        [(deck.side, deck.version_id, deck.locked_at) for deck in submissions.values()],
        queries.event_deck_lock(tournament),
    )
    fresh = etag_of(request, tournament, actor, *private, fragment=True)

    def page() -> HttpResponse:
        context = {**_context(registration, actor), "poll_etag": fresh}
        context["decks"] = [
            (side, submissions.get(side), queries.deck_lock(tournament, submissions.get(side)))
            for side in Side
        ]
        context["decks_lock"] = queries.event_deck_lock(tournament)
        template = "tournaments/player/my_event.html"
        return event_page(request, tournament, actor, template, "me", context)

    return unless_fresh(request, etag_of(request, tournament, actor, *private), page, SECRET)


def _not_on_the_list(request: HttpRequest, slug: str) -> HttpResponse:
    if is_fragment(request):
        raise Http404("Not registered on this device.")
    messages.info(
        request,
        "This device does not know you as a player of this event. Open your personal link, "
        "log in, or join with the code.",
    )
    return redirect("tournaments:event", slug)


def _context(registration: Registration, actor: Actor) -> dict[str, Any]:
    tournament = registration.tournament
    round_ = queries.visible_rounds(tournament).select_related("stage").last()
    if round_ is not None:
        round_.stage.tournament = tournament
    rounds = tables.round_lines(registration)
    snapshot = queries.newest_snapshot(tournament)
    standings = snapshot.rows.filter(registration=registration) if snapshot else None
    return {
        "registration": registration,
        "round": round_,
        "now": next((line for line in rounds if line.round == round_), None),
        "rounds": rounds,
        "ends_at": queries.ends_at(round_) if round_ else None,
        "snapshot": snapshot,
        "placing": place_with_cut(tournament, registration.number),
        "standing": standings.first() if standings is not None else None,
        "can_check_in": queries.can_check_in_now(registration),
        "planned": queries.round_target(tournament),
        "why": _why(registration, round_),
        "identities": identities_beside_names(tournament, actor.player),
        "decks_seen": _decks_seen(tournament, actor),
        "cut_table": cut_table_of(round_, registration) if round_ else None,
        **_result(registration, rounds, round_),
    }


def _decks_seen(tournament: Tournament, actor: Actor) -> frozenset[int]:
    """Whose decks this player may read, by number in the event."""
    if not tournament.has_decks or not visibility.has_decks_page(tournament, actor.player):
        return frozenset()
    decks = visibility.decks_for_reader(tournament, actor.player)
    return frozenset(decks.values_list("registration__number", flat=True))


def _why(registration: Registration, round_: Round | None) -> Why | None:
    """The reasons of the current table; None for who is not in the round."""
    pairing = queries.pairing_of(round_, registration.player) if round_ else None
    return why(registration.tournament, pairing) if pairing else None


def _result(
    registration: Registration, rounds: list[tables.RoundLine], round_: Round | None
) -> dict[str, Any]:
    """What was told about the current table, if there is one."""
    now = next((line for line in rounds if line.round == round_ and not line.table.is_bye), None)
    match = now.match if now else None
    if match is None or round_ is None:
        return {}
    report = tellings.open_report(match)
    return {
        "settled": tellings.telling(match, records.settled_result(match)),
        "report": report,
        "report_is_mine": report is not None
        and report.seat is not None
        and report.seat.player_id == registration.player_id,
        "words": tellings.last_words(match) if not match.is_settled else [],
        "draft": faction_draft(match, round_),
    }


@never_cache
@require_POST
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """The player says "I am here"."""
    registration, actor = registration_or_404(request, slug)
    with told(request, registrations.CheckInClosed, registrations.OrderIsFixed):
        registrations.check_in_self(registration, actor)
        messages.success(request, "You are checked in.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
def drop(request: HttpRequest, slug: str) -> HttpResponse:
    """The player leaves the event; the page has asked twice."""
    registration, actor = registration_or_404(request, slug)
    with told(request):
        registrations.drop(registration, actor)
        messages.success(request, "You have left the event. Your results stay.")
    return redirect("tournaments:my_event", slug)
