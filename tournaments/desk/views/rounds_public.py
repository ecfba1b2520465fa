"""Pairings of a round, and what happened at one table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from matches import records
from matches.scoring import scoring_rule
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.pages import identities_beside_names
from tournaments.models import Pairing, Round, Tournament
from tournaments.results.pages.results import result_in_words
from tournaments.rounds.faction_drafts import faction_draft
from tournaments.rounds.pages import clocks, tables
from tournaments.rounds.pages.reasons import why
from tournaments.web.views.access import round_or_404, table_or_404
from tournaments.web.views.polling import event_page, polled

PAIRINGS = "tournaments/desk/pairings.html"


@require_safe
@polled
def pairings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The latest round everybody may see; the same address serves the whole day."""
    return _pairings(request, tournament, actor)


@require_safe
@polled
def round_(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """One round by number. Who runs the event looks at a draft where it can be changed."""
    asked = round_or_404(tournament, actor, number)
    if asked.is_draft:
        return redirect("tournaments:draft", tournament.slug, number)
    return _pairings(request, tournament, actor, asked)


def _pairings(
    request: HttpRequest, tournament: Tournament, actor: Actor, asked: Round | None = None
) -> HttpResponse:
    """Of this round, or of the latest one."""
    by_table = request.GET.get("by") == "table"
    rounds = list(queries.visible_rounds(tournament).select_related("stage"))
    round_ = asked or (rounds[-1] if rounds else None)
    lines, place = [], queries.registration_of(actor.player, tournament)
    if round_ is not None:
        round_.stage.tournament = tournament
        lines = tables.table_lines(round_, actor.player)
    context = {
        "is_playing": place is not None,
        "round": round_,
        "rounds": rounds,
        "rule": scoring_rule(round_.stage.scoring_rule) if round_ else None,
        "by_table": by_table,
        "lines": lines if by_table else tables.name_lines(lines),
        "mine": next((line for line in lines if line.is_mine), None),
        "clock": clocks.face(round_),
        "identities": identities_beside_names(tournament, actor.player) if lines else {},
        "open_tables": sum(not line.is_settled for line in lines),
    }
    return event_page(request, tournament, actor, PAIRINGS, "pairings", context)


@require_safe
@polled
def table(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, table: int
) -> HttpResponse:
    """Who meets at a table; its result once settled, and for its players what was told."""
    round_ = round_or_404(tournament, actor, number)
    if round_.is_draft:
        return redirect("tournaments:draft", tournament.slug, number)
    pairing = table_or_404(round_, table)
    assert pairing.match is not None
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    context = {
        "round": round_,
        "line": tables.table_line(pairing, numbers, actor.player),
        "clock": clocks.face(round_, table, pairing.extra_minutes),
        "identities": identities_beside_names(tournament, actor.player),
        "result": result_in_words(pairing.match, records.settled_result(pairing.match)),
        "rule": pairing.match.rule,
        "why": why(tournament, pairing),
        "staff_view": permissions.can_open_desk(actor, tournament),
        "can_enter_results": permissions.can_enter_results(actor, tournament),
        "can_report": _can_report(pairing, actor),
        "draft": faction_draft(pairing.match, round_),
        "table": pairing.table_number,
    }
    template = "tournaments/desk/table.html"
    return event_page(request, tournament, actor, template, "pairings", context)


def _can_report(pairing: Pairing, actor: Actor) -> bool:
    """Whether this is a player of the table who still has something to say."""
    assert pairing.match is not None
    seat = queries.seat_of(pairing.match, actor.player)
    return seat is not None and not pairing.match.is_settled and not pairing.round.is_closed
