"""What everybody may read about events: the list, and the page of one."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.scoring import scoring_rule
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import RegistrationState, Tournament
from tournaments.queries import local_rulings
from tournaments.sheets import clocks, differences, tables
from tournaments.sheets.deck_rules import deck_rules_in_words
from tournaments.sheets.seeing import seeing
from tournaments.views.polling import event_page, polled

EVENTS_ON_A_PAGE = 20


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """All public events, the latest first."""
    page = Paginator(queries.listed(), EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/public/events.html", {"page_obj": page})


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
        "tie_breakers": tables.tie_breakers_in_words(tournament),
        "staff": tournament.staff.select_related("user"),
        "is_round_robin": queries.is_round_robin(tournament),
        "can_register": queries.can_register_now(tournament),
        "takes_waiting": queries.takes_waiting(tournament),
        "is_full": queries.is_full(tournament),
        "has_local_rulings": local_rulings.has_local_rulings(tournament),
        "waiting": queries.waiting_list(tournament).count(),
    }
    return event_page(request, tournament, actor, "tournaments/public/event.html", "event", context)
