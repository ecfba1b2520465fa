"""Staff pages to make, change and undo a cut; choices at its tables."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from core.form_fields import whole_number
from engine.round_plan import usual_cut
from matches.services import AlreadySettled
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration, Stage, Tournament
from tournaments.models.round_names import round_in_sentence
from tournaments.results.cut_changes import CannotChange
from tournaments.results.forms.cuts import CutChangeForm, CutForm
from tournaments.results.pages.bracket import best_of, bracket_drawing
from tournaments.results.pages.standings import CutLineDraw, cut_line_draw, made_cut_draw
from tournaments.results.services import cuts, results
from tournaments.rounds import elimination
from tournaments.web.views.access import EventRequest, event_view, round_or_404, table_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

# Fields that are unchanged when seeds of a new size are filled in.
KEPT = ("system", "fixed_bracket", "scoring_rule", "reason")


@staff_page(permissions.can_run, READ + WRITE)
def cut(request: EventRequest) -> HttpResponse:
    """Show the form of a new cut, or the seeds of the existing cut.

    `action` is seed (show the seeds of another size) or empty.
    """
    if request.method == "POST":
        return _make(request)
    stage = queries.cut_of_event(request.event)
    if stage is not None:
        return desk_page(request, "tournaments/results/cut.html", _seeds(stage))
    return _form_page(request, None)


def _make(request: EventRequest) -> HttpResponse:
    event = request.event
    form = CutForm(request.POST, event, queries.cut_candidates(event))
    if request.POST.get("action") == "seed":
        return _seeded_anew(request, form)
    if not form.is_valid():
        return _form_page(request, form, status=422)
    with RefusalsShown(request, cuts.CutRefused):
        cuts.make_cut(
            event,
            form.chosen,
            request.actor,
            system=form.cleaned_data["system"],
            scoring_rule=form.cleaned_data["scoring_rule"],
            fixed_bracket=form.cleaned_data["fixed_bracket"],
            reason=form.cleaned_data["reason"],
        )
        count = len(form.chosen)
        messages.success(
            request, f"The top {count} are seeded. Publish them, or go on to the first games."
        )
        return _back(event)
    return _form_page(request, form, status=409)


def _seeded_anew(request: EventRequest, typed: CutForm) -> HttpResponse:
    """Render the form with the seeds of the typed size; all remaining fields are unchanged."""
    size = typed.size_typed()
    if size is None:
        return _form_page(request, typed, status=422)
    form = CutForm(None, request.event, typed.players)
    form.initial.update({name: typed[name].value() for name in KEPT})
    form.fill(size)
    return _form_page(request, form)


def _form_page(request: EventRequest, form: CutForm | None, status: int = 200) -> HttpResponse:
    event = request.event
    if form is None:
        form = CutForm(None, event, queries.cut_candidates(event))
        form.fill(_size_asked_for(request, len(form.players)))
    latest = queries.latest_round(event)
    context = {
        "form": form,
        "open_round": latest if latest is not None and not latest.is_closed else None,
        "snapshot": queries.newest_snapshot(event),
        "why_standings_wait": queries.why_standings_wait(event),
        "draw": _draw(event, form),
    }
    return desk_page(request, "tournaments/results/cut_form.html", context, status=status)


def _draw(tournament: Tournament, form: CutForm) -> CutLineDraw | None:
    """Return the random draw that decides a cut of the size that the form shows."""
    size = form["shown"].value()
    if not isinstance(size, int):
        size = whole_number(size or "", 4)
    return cut_line_draw(tournament, [player.number for player in form.players[:size]])


def _size_asked_for(request: EventRequest, players: int) -> int:
    """Return the size in the URL if it is possible, else the planned or the usual size."""
    asked = whole_number(request.GET.get("size", ""), 4)
    if asked and 2 <= asked <= players:
        return asked
    return queries.planned_cut_of(request.event, players) or usual_cut(players)


def _seeds(stage: Stage) -> dict[str, Any]:
    cut = elimination.cut_of(stage)
    return {
        "stage": stage,
        "cut": cut,
        "bracket": bracket_drawing(cut),
        "best_of": best_of(stage),
        "declined": queries.declined_entries(stage),
        "next_in": cuts.next_in(stage),
        "others": _others(stage, cut),
        "changes": queries.cut_changes(stage),
        "has_begun": queries.cut_has_begun(stage),
        "is_public": queries.cut_is_public(stage),
        "left": cuts.left_players(stage),
        "is_as_in_standings": cuts.is_as_in_standings(stage),
        "draw": made_cut_draw(stage),
        "next_number": queries.next_round_number(stage.tournament),
        "next_round": round_in_sentence(0, cut.next_rounds),
    }


def _others(stage: Stage, cut: elimination.Cut) -> list[Registration]:
    return [one for one in queries.cut_candidates(stage.tournament) if one.number not in cut.seeds]


def _back(tournament: Tournament) -> HttpResponse:
    return redirect("tournaments:cut", slug=tournament.slug)


@staff_page(permissions.can_run, READ + WRITE)
def change(request: EventRequest) -> HttpResponse:
    """Preview a change of the cut; a POST applies it with a reason."""
    event = request.event
    stage = queries.cut_of_event(event)
    form = CutChangeForm(request.POST if request.method == "POST" else request.GET)
    if stage is None or not form.is_valid():
        messages.error(request, "Choose a player of the cut, and what to change.")
        return _back(event)
    status, preview = 200, None
    with RefusalsShown(request, cuts.CutRefused, cuts.CutIsPublic, CannotChange) as outcome:
        if request.method == "POST":
            reason, seen = form.cleaned_data["reason"], form.seen
            done = cuts.change(stage, form.wanted, request.actor, reason, seen=seen)
            messages.success(request, f"{done.words}. You can undo this in the log.")
            return _back(event)
        preview = cuts.preview(stage, form.wanted)
    if outcome.refusal is not None:
        status = 409
        with RefusalsShown(request, cuts.CutIsPublic, CannotChange):
            preview = cuts.preview(stage, form.wanted) if request.method == "POST" else None
    if preview is None:
        return _back(event)
    context = {"preview": preview, "form": form, "has_draft": stage.rounds.exists()}
    return desk_page(request, "tournaments/results/cut_change.html", context, status=status)


@staff_page(permissions.can_run, WRITE)
def publish(request: EventRequest) -> HttpResponse:
    """Publish the seeds before the first games."""
    stage = queries.cut_of_event(request.event)
    with RefusalsShown(request, cuts.CutRefused):
        if stage is not None:
            cuts.publish(stage, request.actor)
            messages.success(request, "Players see the seeds and their first games.")
    return _back(request.event)


@staff_page(permissions.can_run, WRITE)
def undo(request: EventRequest) -> HttpResponse:
    stage = queries.cut_of_event(request.event)
    with RefusalsShown(request, cuts.CutRefused, cuts.CutIsPublic):
        if stage is not None:
            cuts.undo_cut(stage, request.actor)
            messages.success(request, "The cut is undone.")
    return _back(request.event)


@staff_page(permissions.can_enter_results, WRITE)
def advance(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Set the player who advances from a drawn match; `player` is a number in the event."""
    pairing = table_or_404(round_or_404(request, number), table)
    with RefusalsShown(request, cuts.NothingToSay, results.NotPlayable):
        player = _chosen_player(request, "player")
        cuts.say_who_goes_on(pairing, player, request.actor)
        messages.success(request, f"{player.player} goes on from table {table}.")
    return _to_table(pairing)


@require_POST
@once
@event_view
def choose_role(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Set the Corp of game 1; `corp` is a number in the event. For the higher seed or staff."""
    pairing = table_or_404(round_or_404(request, number), table)
    is_staff = permissions.can_enter_results(request.actor, request.event)
    if not is_staff and not _is_chooser(request, pairing):
        raise PermissionDenied
    with RefusalsShown(request, cuts.NothingToSay, AlreadySettled):
        corp = _chosen_player(request, "corp")
        cuts.choose_corp(pairing, corp, request.actor, seen=request.POST.get("seen"))
        messages.success(request, f"{corp.player} begins as Corp at table {table}.")
    if is_staff:
        return _to_table(pairing)
    return redirect("tournaments:my_event", slug=request.event.slug)


def _is_chooser(request: EventRequest, pairing: Pairing) -> bool:
    mine = queries.registration_of(request.actor.player, request.event)
    return mine is not None and pairing.chooser_number == mine.number


def _chosen_player(request: EventRequest, name: str) -> Registration:
    number = whole_number(request.POST.get(name, ""), 5) or 0
    found = request.event.registrations.filter(number=number).select_related("player").first()
    if found is None:
        raise cuts.NothingToSay("Choose one of the two players.")
    return found


def _to_table(pairing: Pairing) -> HttpResponse:
    slug = pairing.round.stage.tournament.slug
    return redirect("tournaments:decide", slug, pairing.round.number, pairing.table_number or 0)
