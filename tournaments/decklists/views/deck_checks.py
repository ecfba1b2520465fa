"""Draw, record and print deck checks."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from tournaments.decklists import queries
from tournaments.decklists.forms import DrawForm, OutcomeForm, PickForm
from tournaments.decklists.pages import deck_checks as pages
from tournaments.decklists.services import deck_checks
from tournaments.event import permissions
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

# By default, suggest one table in ten for a check.
USUAL_SHARE = 10


@staff_page(permissions.can_judge)
def deck_check_list(request: EventRequest) -> HttpResponse:
    """List past draws, with forms to draw more tables or to pick one."""
    round_ = queries.round_at_tables(request.event)
    left = queries.checkable_tables(round_) if round_ else []
    usual = max(1, -(-len(left) // USUAL_SHARE))
    context = {
        "drawn": pages.drawn_tables(request.event),
        "round": round_,
        "left": len(left),
        "draw_form": DrawForm(initial={"count": usual}),
        "pick_form": PickForm(),
    }
    return desk_page(request, "tournaments/decklists/deck_checks.html", context)


@staff_page(permissions.can_judge, WRITE)
def deck_check_draw(request: EventRequest) -> HttpResponse:
    """Draw tables of the current round at random, or check the given `table`."""
    form = PickForm(request.POST) if "table" in request.POST else DrawForm(request.POST)
    round_ = queries.round_at_tables(request.event)
    if round_ is None:
        messages.error(request, "No round is being played, so there is no table to check.")
    elif not form.is_valid():
        messages.error(request, "Say how many tables, or which table, as a whole number.")
    else:
        with RefusalsShown(request, deck_checks.NothingToCheck):
            if isinstance(form, PickForm):
                drawn = deck_checks.pick(round_, request.actor, form.cleaned_data["table"])
            else:
                drawn = deck_checks.draw(round_, request.actor, form.cleaned_data["count"])
            for number, entry in queries.without_a_deck(drawn, round_):
                name = entry.player.name
                messages.warning(request, f"Table {number}: {name} has handed in no deck.")
    return redirect("tournaments:deck_checks", slug=request.event.slug)


@staff_page(permissions.can_judge, READ + WRITE)
def deck_check_of(request: EventRequest, pk: int) -> HttpResponse:
    """Show a deck as a tick list, and record the outcome."""
    check = get_object_or_404(queries.checks_with_cards(request.event), pk=pk)
    initial = {"outcome": check.outcome, "note": check.note}
    form = OutcomeForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, deck_checks.OutcomeMissing):
            deck_checks.note_outcome(check, request.actor, **form.cleaned_data)
            messages.success(request, f"Checked: {check.submission}.")
            return redirect("tournaments:deck_checks", slug=request.event.slug)
    context = {
        "check": check,
        "ticks": pages.tick_list(check),
        "by_type": request.GET.get("order") != "list",
        # A re-check under other rules makes a new version of an unchanged list.
        "changed_since": check.submission.version.text != check.version.text,
        "form": form,
    }
    return desk_page(request, "tournaments/decklists/deck_check_of.html", context)


@staff_page(permissions.can_judge)
def deck_check_print(request: EventRequest, number: int) -> HttpResponse:
    """Print the lists of a draw, each in list order and by type."""
    checks = queries.checks_with_cards(request.event).filter(draw__number=number)
    draw = get_object_or_404(request.event.deck_check_draws, number=number)
    context = {"draw": draw, "lists": [pages.tick_list(check) for check in checks]}
    return desk_page(request, "tournaments/decklists/deck_check_print.html", context)
