"""Staff pages to make, change and undo a cut; choices at its tables."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.form_fields import whole_number
from engine.round_plan import usual_cut_size
from engine.systems import ELIMINATION_SYSTEMS
from tournaments.event import permissions as event_permissions
from tournaments.models import Pairing, Registration, Stage, Tournament
from tournaments.models.rounds import round_in_sentence
from tournaments.results import cuts
from tournaments.results.bracket_pages import (
    bracket_drawing,
    get_bracket_notes,
    match_length_in_words,
)
from tournaments.results.forms import CutChangeForm, CutForm
from tournaments.results.standings_pages import cut_line_draw, made_cut_draw
from tournaments.results.views import render_changed_card
from tournaments.rounds import cut as rounds_cut
from tournaments.web.access import EventRequest, event_view, round_or_404, table_or_404
from tournaments.web.idempotency import idempotent
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    is_htmx,
    render_desk_page,
    show_refusals,
    staff_page,
)

# Fields that are unchanged when seeds of a new size are filled in.
KEPT_FIELDS = ("system", "fixed_bracket", "scoring_rule", "reason")


@staff_page(event_permissions.can_run, READ + WRITE)
def cut_page(request: EventRequest) -> HttpResponse:
    """Show the form of a new cut, or the seeds of the existing cut.

    `action` is seed (show the seeds of another size) or empty.
    """
    if request.method == "POST":
        return _make_cut(request)
    stage = request.event.get_cut()
    if stage is not None:
        return render_desk_page(request, "tournaments/results/cut.html", _cut_context(stage))
    return _cut_form_page(request, None)


def _make_cut(request: EventRequest) -> HttpResponse:
    event = request.event
    form = CutForm(request.POST, event, event.cut_candidates())
    if request.POST.get("action") == "seed":
        return _reseed_form(request, form)
    if not form.is_valid():
        return _cut_form_page(request, form, status=422)
    with show_refusals(request):
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
        text = _("The top %(size)d are seeded. Publish the seeds, or pair the first games.")
        messages.success(request, text % {"size": count})
        return _redirect_to_cut(event)
    return _cut_form_page(request, form, status=409)


def _reseed_form(request: EventRequest, typed: CutForm) -> HttpResponse:
    size = typed.size_typed()
    if size is None:
        return _cut_form_page(request, typed, status=422)
    form = CutForm(None, request.event, typed.players)
    form.initial.update({name: typed[name].value() for name in KEPT_FIELDS})
    form.fill(size)
    return _cut_form_page(request, form)


def _cut_form_page(request: EventRequest, form: CutForm | None, status: int = 200) -> HttpResponse:
    event = request.event
    if form is None:
        form = CutForm(None, event, event.cut_candidates())
        players, size = len(form.players), whole_number(request.GET.get("size", ""), 4)
        if not size or not 2 <= size <= players:
            size = event.planned_cut_size(players) or usual_cut_size(players)
        form.fill(size)
    latest, shown = event.latest_round(), form["shown"].value()
    if not isinstance(shown, int):
        shown = whole_number(shown or "", 4)
    context = {
        "form": form,
        "open_round": latest if latest is not None and not latest.is_closed else None,
        "snapshot": event.snapshots.newest(),
        "why_standings_wait": event.why_standings_wait(),
        "draw": cut_line_draw(event, [player.number for player in form.players[:shown]]),
    }
    return render_desk_page(request, "tournaments/results/cut_form.html", context, status=status)


def _cut_context(stage: Stage) -> dict[str, Any]:
    cut = rounds_cut.get_cut(stage)
    return {
        "stage": stage,
        "cut": cut,
        "bracket": bracket_drawing(cut),
        "best_of": match_length_in_words(stage),
        "notes": get_bracket_notes(cut),
        "declined": stage.entries.declined_in_order(),
        "next_in": cuts.get_next_candidate(stage),
        "others": [
            entry for entry in stage.tournament.cut_candidates() if entry.number not in cut.seeds
        ],
        "changes": stage.tournament.log.cut_changes(),
        "has_begun": stage.has_published_round(),
        "has_round": stage.rounds.exists(),
        "is_public": stage.is_public_cut(),
        "left": cuts.get_dropped_players(stage),
        "is_as_in_standings": cuts.is_seeded_by_standings(stage),
        "draw": made_cut_draw(stage),
        "next_number": stage.tournament.next_round_number(),
        "next_round": round_in_sentence(0, cut.next_rounds),
    }


def _redirect_to_cut(tournament: Tournament) -> HttpResponse:
    return redirect("tournaments:cut", slug=tournament.slug)


@staff_page(event_permissions.can_run, WRITE)
def start_planned_cut(request: EventRequest) -> HttpResponse:
    """Make the planned cut of `size` players from the standings, with `system` if it is given."""
    size = whole_number(request.POST.get("size", ""), 4) or 0
    system = request.POST.get("system", "")
    system = system if system in ELIMINATION_SYSTEMS else ""
    with show_refusals(request):
        stage = cuts.make_planned_cut(request.event, request.actor, size=size, system=system)
        text = _("The top %(size)d are seeded. Publish the seeds, or pair the first games.")
        # A cut that was made before may have a different size.
        messages.success(request, text % {"size": stage.entries.accepted().count()})
        return _redirect_to_cut(request.event)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, READ + WRITE)
def change_cut(request: EventRequest) -> HttpResponse:
    event = request.event
    stage = event.get_cut()
    form = CutChangeForm(request.POST if request.method == "POST" else request.GET)
    if stage is None or not form.is_valid():
        messages.error(request, _("Choose a player in the cut, then a change."))
        return _redirect_to_cut(event)
    if request.method == "POST":
        with show_refusals(request) as outcome:
            reason, seen = form.cleaned_data["reason"], form.seen_seeds
            done = cuts.change_cut(stage, form.change, request.actor, reason, seen=seen)
            words = _("%(change)s. You can undo this in the log.") % {"change": done.words}
            messages.success(request, words)
            return _redirect_to_cut(event)
        # The change can be reviewed again only if its reason is missing or its preview is outdated.
        if not isinstance(outcome.refusal, cuts.CutRefused):
            return _redirect_to_cut(event)
    with show_refusals(request):
        preview = cuts.preview_cut_change(stage, form.change)
        context = {"preview": preview, "form": form, "has_draft": stage.rounds.exists()}
        status = 409 if request.method == "POST" else 200
        template = "tournaments/results/cut_change.html"
        return render_desk_page(request, template, context, status=status)
    return _redirect_to_cut(event)


@staff_page(event_permissions.can_run, WRITE)
def publish_cut(request: EventRequest) -> HttpResponse:
    stage = request.event.get_cut()
    with show_refusals(request):
        if stage is not None:
            cuts.publish_cut(stage, request.actor)
            words = _("The bracket is published. Players see the seeds and their first games.")
            messages.success(request, words)
    return _redirect_to_cut(request.event)


@staff_page(event_permissions.can_run, WRITE)
def undo_cut(request: EventRequest) -> HttpResponse:
    stage = request.event.get_cut()
    with show_refusals(request):
        if stage is not None:
            cuts.undo_cut(stage, request.actor)
            messages.success(request, _("The cut was undone."))
    return _redirect_to_cut(request.event)


@staff_page(event_permissions.can_enter_results, WRITE)
def set_advancing_player(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Set the player who advances from a drawn match; `player` is a number in the event."""
    pairing = table_or_404(round_or_404(request, number), table)
    shows_card = request.POST.get("page") == "results"
    saved = ""
    with show_refusals(request, as_message=not shows_card) as outcome:
        player = _chosen_player(request, "player")
        cuts.set_advancing_player(pairing, player, request.actor)
        saved = _("%(name)s advances from table %(table)d.")
        saved %= {"name": player.player, "table": table}
        if not is_htmx(request):
            messages.success(request, saved)
    if shows_card:
        return render_changed_card(request, number, table, outcome, saved=saved)
    if outcome.refusal:
        return _redirect_to_table(pairing)
    return redirect("tournaments:desk", slug=request.event.slug)


@require_POST
@idempotent
@event_view
def choose_role(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Set the Corp of game 1; `corp` is a number in the event. For the higher seed or staff."""
    pairing = table_or_404(round_or_404(request, number), table)
    is_staff = event_permissions.can_enter_results(request.actor, request.event)
    own = request.event.registration_of(request.actor.player)
    if not is_staff and (own is None or pairing.chooser_number != own.number):
        raise PermissionDenied
    shows_card = is_staff and request.POST.get("page") == "results"
    with show_refusals(request, as_message=not shows_card) as outcome:
        corp = _chosen_player(request, "corp")
        cuts.choose_corp(pairing, corp, request.actor, seen=request.POST.get("seen"))
        if not is_htmx(request):
            words = _("%(name)s is Corp in game 1 at table %(table)d.")
            messages.success(request, words % {"name": corp.player, "table": table})
    if shows_card:
        return render_changed_card(request, number, table, outcome)
    if is_staff:
        return _redirect_to_table(pairing)
    return redirect("tournaments:my_event", slug=request.event.slug)


def _chosen_player(request: EventRequest, name: str) -> Registration:
    number = whole_number(request.POST.get(name, ""), 5) or 0
    player = request.event.registrations.filter(number=number).select_related("player").first()
    if player is None:
        raise cuts.NothingToSay(_("Choose one of the two players."))
    return player


def _redirect_to_table(pairing: Pairing) -> HttpResponse:
    slug = pairing.round.stage.tournament.slug
    return redirect("tournaments:decide", slug, pairing.round.number, pairing.table_number or 0)
