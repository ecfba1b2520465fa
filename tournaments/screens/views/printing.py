"""Paper for the wall."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from matches.scoring import scoring_rule
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.results.views.standings import after_the_cut, snapshot_asked_for
from tournaments.rounds.pages import tables
from tournaments.web.views.access import round_or_404
from tournaments.web.views.polling import event_page, polled


@require_safe
@polled
def pairings(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """The pairings of a round by name, then by table; ?by=name or ?by=table prints one alone."""
    round_ = round_or_404(tournament, actor, number)
    if round_.is_draft:
        return redirect("tournaments:draft", tournament.slug, number)
    lines = tables.table_lines(round_)
    asked = request.GET.get("by", "")
    context = {
        "round": round_,
        "by": asked if asked in ("name", "table") else "both",
        "rule": scoring_rule(round_.stage.scoring_rule),
        "lines": lines,
        "names": tables.name_lines(lines),
    }
    template = "tournaments/screens/print_pairings.html"
    return event_page(request, tournament, actor, template, "pairings", context)


@require_safe
@polled
def standings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The standings, the newest or those of ?round=n."""
    snapshot = snapshot_asked_for(request, tournament)
    table = tables.standings_table(tournament, snapshot) if snapshot else None
    context = {
        "snapshot": snapshot,
        "table": table,
        **after_the_cut(request, tournament, actor),
    }
    template = "tournaments/screens/print_standings.html"
    return event_page(request, tournament, actor, template, "standings", context)
