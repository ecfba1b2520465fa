"""Who meets, as the organiser says."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.by_hand import HandForm
from tournaments.models import Round, Tournament
from tournaments.services import draft_guards, drafting, rounds
from tournaments.sheets.by_hand import hand_sheet
from tournaments.views.access import round_or_404
from tournaments.views.behind import READ, WRITE, desk_page, seen_id, staff_page, told


@staff_page(permissions.can_run, READ + WRITE)
def by_hand(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Seats to choose; what they would break is said before they are kept.

    `action` is add (one more table), check, or save; saving against a warning wants `confirmed`.
    """
    round_ = round_or_404(tournament, actor, number)
    if not round_.is_draft or round_.stage.way.is_elimination:
        return redirect("tournaments:round", slug=tournament.slug, number=number)
    form = HandForm(request.POST if request.method == "POST" else None, hand_sheet(round_))
    context = {
        "round": round_,
        "form": form,
        "seen": seen_id(request) or queries.newest_draft_change(tournament),
    }
    if request.method == "POST" and getattr(request, "htmx", False):
        return render(request, "tournaments/staff/_hand_warnings.html", context)
    wants_save = request.POST.get("action") == "save"
    if wants_save and _save(request, round_, actor, form):
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    context["asks"] = wants_save and not form.errors
    return desk_page(
        request, tournament, actor, "by_hand.html", context, status=422 if wants_save else 200
    )


def _save(request: HttpRequest, round_: Round, actor: Actor, form: HandForm) -> bool:
    """Whether the tables are kept; a page that is not right comes again."""
    if form.errors or (form.warnings and not form.confirmed):
        return False
    expected = (drafting.NotBySeats, draft_guards.DraftHasChanged, rounds.NotADraft)
    with told(request, *expected):
        drafting.pair_by_hand(round_, form.tables, form.byes, actor, seen=seen_id(request))
        messages.success(request, "The tables are kept as you chose them.")
        return True
    return False
