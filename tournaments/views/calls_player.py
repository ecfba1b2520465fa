"""Judge calls from the phone of a player: raised, taken back, an answer appealed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from rulings.models import JudgeCall
from rulings.services import CallIsOver
from rulings.services.calls import CannotAppeal
from tournaments.forms.calls import CallForm
from tournaments.services import calls as services
from tournaments.views.behind import told, typed
from tournaments.views.calls import TOO_LONG
from tournaments.views.once import once
from tournaments.views.reports import my_table


@never_cache
@require_POST
@once
def call_judge(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """A player wants a judge at their table."""
    mine = my_table(request, slug, number, table)
    with told(request, services.NoCallNow):
        said = typed(CallForm(request.POST), TOO_LONG)
        services.raise_call(mine.pairing, mine.actor, said["about"])
        messages.success(request, "A judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
@once
def withdraw_call(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """The player does not need the judge any more."""
    mine = my_table(request, slug, number, table)
    with told(request, services.NotYourCall, CallIsOver):
        services.withdraw(mine.pairing, mine.actor)
        messages.success(request, "The call is taken back.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
@once
def appeal_answer(
    request: HttpRequest, slug: str, number: int, table: int, pk: int
) -> HttpResponse:
    """The player does not accept what the judge has answered at their table."""
    mine = my_table(request, slug, number, table)
    answered = get_object_or_404(JudgeCall.objects.select_related("match"), pk=pk, match=mine.match)
    with told(request, services.NoCallNow, CannotAppeal, CallIsOver):
        said = typed(CallForm(request.POST), TOO_LONG)
        services.appeal(mine.tournament, answered, mine.actor, said["about"])
        messages.success(request, "The head judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", slug)
