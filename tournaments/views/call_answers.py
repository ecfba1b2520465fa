"""One judge call: what is known of its table, and the answer with all that comes of it."""

from http import HTTPStatus

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from rulings.forms import cite_among
from rulings.services import CallIsOver
from tournaments import permissions, visibility
from tournaments.actors import Actor
from tournaments.forms.calls import CallAnswerForm, CallForm, EscalateForm
from tournaments.forms.penalties import PenaltyPart
from tournaments.models import Tournament
from tournaments.queries import TableCall
from tournaments.services import calls as services
from tournaments.services import clock, penalties, rounds
from tournaments.sheets.calls import call_sheet
from tournaments.views.behind import READ, WRITE, desk_page, staff_page, told
from tournaments.views.calls import call_or_404
from tournaments.views.once import once
from tournaments.views.penalty_giving import REFUSALS as OF_A_PENALTY

REFUSALS = (
    *(CallIsOver, services.HeadJudgeOnly, clock.OutOfMeasure, rounds.WrongState),
    *OF_A_PENALTY,
)


@once
@staff_page(permissions.can_judge, READ + WRITE)
def call(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Look at the call, then answer it."""
    found = call_or_404(tournament, pk)
    if request.method == "POST":
        return _answer(request, tournament, actor, found)
    form = CallAnswerForm(call=found.call, initial={"rulings": request.GET.get("rulings", "")})
    return _page(request, tournament, actor, found, form, PenaltyPart(tournament, found.pairing))


def _answer(
    request: HttpRequest, tournament: Tournament, actor: Actor, found: TableCall
) -> HttpResponse:
    form = CallAnswerForm(request.POST, call=found.call)
    cite_among(form, visibility.rulings_for(actor))
    part = PenaltyPart(tournament, found.pairing, request.POST)
    if not all([form.is_valid(), part.is_valid()]):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, tournament, actor, found, form, part, status)
    # All or nothing: a clock or a penalty that is refused leaves the call open.
    with told(request, *REFUSALS) as outcome, transaction.atomic():
        services.answer(tournament, found.call, actor, form.answer())
        next_ = _give_penalty(tournament, actor, form, part)
    if outcome.refusal is not None:
        now = call_or_404(tournament, found.call.pk)
        return _page(request, tournament, actor, now, form, part, HTTPStatus.CONFLICT)
    messages.success(request, f"Table {found.pairing.table_number} has its answer.")
    return redirect(next_ or reverse("tournaments:calls", args=[tournament.slug]))


def _give_penalty(
    tournament: Tournament, actor: Actor, form: CallAnswerForm, part: PenaltyPart
) -> str:
    """Where to go on: a hard penalty is shown once more before it counts."""
    wanted = part.wanted
    if wanted is None:
        return ""
    code = wanted.infraction.code
    if part.needs_a_look(penalties.expected(tournament, wanted.place, code)):
        return part.address()
    said = form.answer()
    penalties.give(
        tournament,
        wanted.place,
        actor,
        infraction=code,
        kind=wanted.kind,
        pairing=part.pairing,
        text=said.text,
        cited=said.cited,
    )
    return ""


def _page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    found: TableCall,
    form: CallAnswerForm,
    part: PenaltyPart,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    pairing = found.pairing
    address = reverse("tournaments:call", args=[tournament.slug, found.call.pk])
    label = f"the call of table {pairing.table_number}, round {pairing.round.number}"
    request.session["citing"] = {"label": label, "url": address}
    context = {
        "sheet": call_sheet(tournament, found, actor, timezone.now()),
        "call": found.call,
        "pairing": pairing,
        "form": form,
        "part": part,
        "appeal_form": CallForm(),
        "escalate_form": EscalateForm(),
    }
    return desk_page(request, tournament, actor, "call.html", context, status=status)
