"""What everybody may read about events: the front page, the list, one event, one player."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from matches.scoring import scoring_rule
from tournaments.decklists.pages.deck_rules import deck_rules_in_words
from tournaments.decklists.pages.seeing import seeing
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.event.pages import identities_beside_names
from tournaments.interchange import pages as differences
from tournaments.judging import queries as judging_queries
from tournaments.models import RegistrationState, Tournament
from tournaments.results.pages.placings import place_with_cut
from tournaments.results.pages.round_lines import round_lines
from tournaments.results.pages.standings import tie_breakers_in_words
from tournaments.results.pages.workings import sums
from tournaments.rounds.pages import clocks
from tournaments.web.views.polling import event_page, polled

EVENTS_ON_A_PAGE = 20


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """All public events, the latest first."""
    page = Paginator(queries.listed(), EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/desk/events.html", {"page_obj": page})


@require_safe
@polled
def event(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """When, where, by which rules, who plays, and the way in."""
    roster = list(queries.players(tournament).select_related("player"))
    rounds = list(queries.visible_rounds(tournament).select_related("stage__tournament"))
    dropped = [entry for entry in roster if entry.state == RegistrationState.DROPPED]
    file = differences.source(tournament)
    context = {
        "roster": roster,
        "file": file,
        "differences": differences.difference_lines(file) if file else [],
        "dropped": len(dropped),
        "checked_in": sum(entry.is_active for entry in roster),
        "rounds": rounds,
        "clock": clocks.face(rounds[-1]) if rounds else None,
        "planned": queries.round_target(tournament),
        "has_cut": queries.has_public_bracket(tournament),
        "rule": scoring_rule(tournament.scoring_rule),
        "deck_rules": deck_rules_in_words(tournament) if tournament.has_decks else None,
        "seeing": seeing(tournament) if tournament.has_decks else None,
        "tie_breakers": tie_breakers_in_words(tournament),
        "staff": tournament.staff.select_related("user"),
        "is_round_robin": queries.is_round_robin(tournament),
        "can_register": queries.can_register_now(tournament),
        "takes_waiting": queries.takes_waiting(tournament),
        "is_full": queries.is_full(tournament),
        "has_local_rulings": judging_queries.has_local_rulings(tournament),
        "waiting": queries.waiting_list(tournament).count(),
    }
    return event_page(request, tournament, actor, "tournaments/desk/event.html", "event", context)


@require_safe
@polled
def player(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Why this player stands where they stand, term by term."""
    registration = get_object_or_404(
        queries.players(tournament).select_related("player"), number=number
    )
    registration.tournament = tournament
    snapshot = queries.newest_snapshot(tournament)
    context = {
        "registration": registration,
        "identities": identities_beside_names(tournament, actor.player),
        "rounds": round_lines(registration),
        "snapshot": snapshot,
        "standing": snapshot.rows.filter(registration=registration).first() if snapshot else None,
        "placing": place_with_cut(tournament, number),
        "sums": sums(registration, snapshot.round) if snapshot else [],
    }
    template = "tournaments/desk/player.html"
    return event_page(request, tournament, actor, template, "standings", context)


NEXT_SHOWN, PAST_SHOWN = 12, 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the site is, what is on now, next and past, and the two ways in."""
    now, upcoming, past = queries.listed_by_time(timezone.localdate())
    context = {"now": now, "upcoming": upcoming[:NEXT_SHOWN], "past": past[:PAST_SHOWN]}
    return render(request, "tournaments/desk/home.html", context)
