"""Pages of penalties, the infraction guide and judge calls.

Giving a penalty takes up to three pages without JavaScript: player and infraction, penalty, and a
preview of the effect. Cautions and warnings skip the preview.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.form_fields import whole_number
from rulings.forms import limit_citable_rulings
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.judging import calls, pages, penalties, queries
from tournaments.judging.forms import (
    WITHOUT_TABLE,
    CallAnswerForm,
    CallForm,
    CallPenaltyForm,
    EscalateForm,
    GivePenaltyForm,
    LadderForm,
    OffenceForm,
    OwnInfractionForm,
    PastCallsForm,
    PenaltyFilterForm,
    StaffCallForm,
    WithdrawPenaltyForm,
)
from tournaments.judging.pages import GuideLine
from tournaments.judging.queries import TableCall
from tournaments.models import Pairing, Tournament, event_log
from tournaments.web.access import EventRequest, TableRequest, table_view
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import is_fragment, polled_page, render_event_page
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    get_cleaned_data,
    render_desk_page,
    show_refusals,
    staff_page,
    submitted_fields,
)

# POST fields: the effect shown, confirmation of a disqualification, and return to the form.
EFFECT_FIELD, SURE_FIELD, BACK_FIELD = "effect", "sure", "back"


@idempotent
@staff_page(event_permissions.can_judge, READ + WRITE)
def penalty_new(request: EventRequest) -> HttpResponse:
    """Give a penalty; the query parameters named like fields prefill the form."""
    sent = request.POST if request.method == "POST" else request.GET
    pairing = _requested_table(request.event, sent)
    _store_form_url(request, sent)
    is_chosen = bool(sent.get("player") and sent.get("infraction"))
    offence = OffenceForm(
        sent if is_chosen or request.method == "POST" else None,
        tournament=request.event,
        guide=request.event.infraction_guide(),
        pairing=pairing,
        initial=sent.dict(),
    )
    if not offence.is_bound or not offence.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
        context = {"form": offence, "pairing": pairing}
        return render_desk_page(
            request, "tournaments/judging/penalty_offence.html", context, status
        )
    if request.method == "POST":
        return _submit_penalty(request, offence)
    return _penalty_step(request, offence, _give_form(request, offence, None))


def _requested_table(tournament: Tournament, sent: QueryDict) -> Pairing | None:
    table = whole_number(sent.get("table", ""), 5)
    if table is None:
        return None
    rounds = tournament.rounds.published()
    number = whole_number(sent.get("round", ""), 5)
    round_ = (rounds if number is None else rounds.filter(number=number)).last()
    return round_.pairings.with_players().filter(table_number=table).first() if round_ else None


def _store_form_url(request: EventRequest, sent: QueryDict) -> None:
    """Store the form's URL in the session, so that a ruling can be cited from its page."""
    names = ("table", "round", "player", "infraction", "kind", "game", "call")
    fields = QueryDict(mutable=True)
    fields.update({name: str(sent[name]) for name in names if sent.get(name)})
    page = reverse("tournaments:penalty_new", args=[request.event.slug])
    url = f"{page}?{fields.urlencode()}" if fields else page
    request.session["citing"] = {"label": _("the penalty you are giving"), "url": url}


def _give_form(
    request: EventRequest, offence: OffenceForm, data: QueryDict | None
) -> GivePenaltyForm:
    event, place, sent = request.event, offence.place, request.GET
    tables = penalties.tables_of_player(place)
    expected = penalties.expected_kind(event, place, offence.chosen_infraction.code)
    on = _default_table(offence.pairing, tables)
    form = GivePenaltyForm(
        data,
        expected=expected,
        tables=tables,
        games=penalties.games_per_match(event, tables.get(on)),
        may_disqualify=event_permissions.can_head_judge(request.actor, event),
        initial={
            "kind": sent.get("kind") or expected.value,
            "on": on,
            "game": sent.get("game"),
            "rulings": sent.get("rulings", ""),
        },
    )
    limit_citable_rulings(form, visibility.rulings_for(request.actor))
    return form


def _default_table(requested: Pairing | None, tables: dict[str, Pairing]) -> str:
    """Choose the requested table, else the player's open table, else the next round."""
    if requested is not None and str(requested.pk) in tables:
        return str(requested.pk)
    newest = next(iter(tables.items()), None)
    return newest[0] if newest and not newest[1].round.is_closed else WITHOUT_TABLE


def _penalty_step(
    request: EventRequest, offence: OffenceForm, form: GivePenaltyForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    earlier = offence.place.count_penalties(offence.chosen_infraction.code)
    context = {
        "pairing": offence.pairing,
        "offence": offence,
        "place": offence.place,
        "form": form,
        "expectation": penalties.Expectation(offence.chosen_infraction, earlier, form.expected),
        "needs_head_judge": form.expected is PenaltyKind.DISQUALIFICATION
        and not event_permissions.can_head_judge(request.actor, request.event),
    }
    return render_desk_page(request, "tournaments/judging/penalty_give.html", context, status)


def _submit_penalty(request: EventRequest, offence: OffenceForm) -> HttpResponse:
    form = _give_form(request, offence, request.POST)
    if not form.is_valid():
        return _penalty_step(request, offence, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    if BACK_FIELD in request.POST:
        return _penalty_step(request, offence, form)
    if preview := _effect_preview(request, offence, form):
        return preview
    with show_refusals(request):
        penalty = penalties.give(
            request.event,
            offence.place,
            request.actor,
            infraction=offence.chosen_infraction.code,
            kind=form.penalty,
            pairing=form.pairing,
            game=form.lost_game,
            text=form.cleaned_data["text"],
            cited=form.cleaned_data["rulings"],
            seen=request.POST.get(EFFECT_FIELD) if form.penalty.costs_games else None,
        )
        messages.success(
            request,
            _("%(penalty)s: %(player)s.")
            % {"penalty": penalty.get_kind_display(), "player": offence.place.player.name},
        )
        if offence.cleaned_data["call"]:
            return redirect("tournaments:calls", request.event.slug)
        page = reverse("tournaments:penalties", args=[request.event.slug])
        return redirect(f"{page}#penalty-{penalty.pk}")
    return _penalty_step(request, offence, form, HTTPStatus.CONFLICT)


def _effect_preview(
    request: EventRequest, offence: OffenceForm, form: GivePenaltyForm
) -> HttpResponse | None:
    """Render the preview of the effect, or return None if it was seen or is not needed."""
    # A disqualification also requires a ticked confirmation.
    if not form.penalty.costs_games:
        return None
    sent, place = request.POST, offence.place
    effect = penalties.effect_of_penalty(place, form.penalty, form.pairing, form.lost_game)
    is_harsh = form.penalty is PenaltyKind.DISQUALIFICATION
    is_seen, is_sure = sent.get(EFFECT_FIELD) == effect.mark, SURE_FIELD in sent or not is_harsh
    if is_seen and is_sure:
        return None
    if EFFECT_FIELD in sent and not is_seen:
        messages.warning(request, _("Something has changed. Check again, then give the penalty."))
    context = {
        "offence": offence,
        "place": place,
        "penalty": form.penalty,
        "effect": effect,
        "is_harsh": is_harsh,
        "is_missing": is_seen and not is_sure,
        "text": form.cleaned_data["text"],
        "cited": form.cleaned_data["rulings"],
        "kept": submitted_fields(sent, EFFECT_FIELD, SURE_FIELD),
    }
    status = HTTPStatus.CONFLICT if EFFECT_FIELD in sent else HTTPStatus.OK
    return render_desk_page(request, "tournaments/judging/penalty_preview.html", context, status)


@staff_page(event_permissions.can_judge)
def penalty_list(request: EventRequest) -> HttpResponse:
    rows = list(request.event.penalties.with_details())
    form = PenaltyFilterForm(request.GET, rows)
    context = {
        "form": form,
        "penalties": penalties.sorted_penalties(form.filtered_penalties()),
        "given": len(rows),
        "waiting": [penalty for penalty in rows if penalty.is_waiting],
    }
    return render_desk_page(request, "tournaments/judging/penalties.html", context)


@idempotent
@staff_page(event_permissions.can_judge, READ + WRITE)
def penalty_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    penalty = get_object_or_404(request.event.penalties.with_details(), pk=pk)
    form = WithdrawPenaltyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            penalties.withdraw(penalty, request.actor, form.cleaned_data["reason"])
            messages.success(request, _("Withdrawn: %(penalty)s.") % {"penalty": penalty})
            page = reverse("tournaments:penalties", args=[request.event.slug])
            return redirect(f"{page}#penalty-{penalty.pk}")
        # Reload: it may have been withdrawn concurrently.
        penalty = get_object_or_404(request.event.penalties.with_details(), pk=pk)
    refused = HTTPStatus.CONFLICT if form.is_valid() else HTTPStatus.UNPROCESSABLE_ENTITY
    status = refused if form.is_bound else HTTPStatus.OK
    tables = list(penalties.tables_of_player(penalty.registration).values())
    context = {
        "form": form,
        "penalty": penalty,
        "effect": penalties.effect_of_withdrawal(penalty, tables),
    }
    return render_desk_page(request, "tournaments/judging/penalty_withdraw.html", context, status)


@staff_page(event_permissions.can_judge)
def player_conduct(request: EventRequest, number: int) -> HttpResponse:
    rows = request.event.registrations.select_related("player", "tournament")
    place = get_object_or_404(rows, number=number)
    context = {"place": place, "conduct": pages.player_conduct(place)}
    return render_desk_page(request, "tournaments/judging/penalty_history.html", context)


# Infraction guide


@require_safe
@polled_page
def event_guide(request: EventRequest) -> HttpResponse:
    context = {"guide": pages.event_guide(request.event)}
    return render_event_page(request, "tournaments/judging/guide.html", "event", context)


@staff_page(event_permissions.can_judge)
def guide_desk(request: EventRequest) -> HttpResponse:
    context = {"guide": pages.event_guide(request.event)}
    return render_desk_page(request, "tournaments/judging/infractions.html", context)


@staff_page(event_permissions.can_head_judge, READ + WRITE)
def infraction_new(request: EventRequest) -> HttpResponse:
    form = OwnInfractionForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        code = pages.new_infraction_code(
            pages.event_guide(request.event), form.cleaned_data["name"]
        )
        if _change_guide(request, code, form):
            return _back_to_guide(request.event, code)
    return _infraction_page(request, form, None)


@staff_page(event_permissions.can_head_judge, READ + WRITE)
def infraction_change(request: EventRequest, infraction: str) -> HttpResponse:
    line = _infraction_or_404(request.event, infraction)
    form_class = OwnInfractionForm if line.is_own else LadderForm
    form = form_class(request.POST if request.method == "POST" else None, line.infraction)
    if not form.is_bound:
        form.fields["is_off"].initial = line.is_off
    if form.is_bound and form.is_valid() and _change_guide(request, infraction, form):
        return _back_to_guide(request.event, infraction)
    return _infraction_page(request, form, line)


@staff_page(event_permissions.can_head_judge, WRITE)
def infraction_reset(request: EventRequest, infraction: str) -> HttpResponse:
    line = _infraction_or_404(request.event, infraction)
    with show_refusals(request):
        penalties.reset_infraction(request.event, request.actor, infraction)
        name = line.infraction.name
        messages.success(
            request,
            _("%(name)s was deleted.") % {"name": name}
            if line.is_own
            else _("%(name)s follows the guide again.") % {"name": name},
        )
    return _back_to_guide(request.event, "" if line.is_own else infraction)


def _infraction_or_404(tournament: Tournament, code: str) -> GuideLine:
    line = pages.event_guide(tournament).line(code)
    if line is None:
        raise Http404("This infraction does not exist.")
    return line


def _change_guide(request: EventRequest, code: str, form: LadderForm) -> bool:
    cleaned = form.cleaned_data
    with show_refusals(request):
        penalties.change_infraction(
            request.event,
            request.actor,
            code,
            name=cleaned.get("name", ""),
            description=cleaned.get("description", ""),
            ladder=form.ladder,
            is_off=cleaned.get("is_off", False),
        )
        messages.success(request, _("Saved. The guide of this event shows the change."))
        return True
    return False


def _infraction_page(
    request: EventRequest, form: LadderForm, line: GuideLine | None
) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    context: dict[str, Any] = {"form": form, "line": line}
    return render_desk_page(request, "tournaments/judging/infraction_change.html", context, status)


def _back_to_guide(tournament: Tournament, code: str) -> HttpResponse:
    page = reverse("tournaments:guide_desk", args=[tournament.slug])
    return redirect(f"{page}#{code}" if code else page)


# Judge calls


TOO_LONG = gettext_lazy("Use at most 200 characters.")
CALLS_PER_PAGE = 50


@staff_page(event_permissions.can_open_desk)
def call_list(request: EventRequest) -> HttpResponse:
    """List open calls with their age; 304 to a poll if unchanged."""
    return _queue_page(request, StaffCallForm())


def _queue_etag(request: EventRequest) -> str:
    """Return an ETag that changes with every call, and every minute: the page shows ages."""
    user = request.actor.user
    newest = request.event.log.newest_id(event_log.JUDGE_CALL_ACTIONS)
    role = request.event.role_of(user) if user else ""
    minute = int(timezone.now().timestamp()) // 60
    return f'"{newest}-{minute}-{role}-{get_language()}"'


def _queue_page(request: EventRequest, form: StaffCallForm, status: int = 200) -> HttpResponse:
    etag = _queue_etag(request)
    is_poll = request.method != "POST" and is_fragment(request)
    if is_poll and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    queue = pages.call_queue(request.event, request.actor, timezone.now())
    context = {"calls": queue, "form": form, "etag": etag}
    part = "#live" if is_fragment(request) else ""
    response = render_desk_page(request, f"tournaments/judging/calls.html{part}", context, status)
    response["ETag"] = etag
    return response


@staff_page(event_permissions.can_open_desk, WRITE)
def call_new(request: EventRequest) -> HttpResponse:
    form, pairing = StaffCallForm(request.POST), None
    if form.is_valid():
        pairing = request.event.table_in_play(form.cleaned_data["table"])
        if pairing is None:
            form.add_error("table", _("No match is being played at this table."))
    if pairing is None:
        return _queue_page(request, form, status=422)
    with show_refusals(request):
        calls.raise_call(pairing, request.actor, form.cleaned_data["about"])
        messages.success(
            request,
            _("A judge has been called to table %(table_number)s.")
            % {"table_number": pairing.table_number},
        )
    return redirect("tournaments:calls", request.event.slug)


@staff_page(event_permissions.can_judge, WRITE)
def call_take(request: EventRequest, pk: int) -> HttpResponse:
    call = call_or_404(request.event, pk).call
    with show_refusals(request):
        calls.take(request.event, call, request.actor)
        messages.success(
            request,
            _("You have taken the call from table %(table_number)s.")
            % {"table_number": _table_number(call)},
        )
    return redirect("tournaments:calls", request.event.slug)


@staff_page(event_permissions.can_judge, WRITE)
def call_give_back(request: EventRequest, pk: int) -> HttpResponse:
    call = call_or_404(request.event, pk).call
    with show_refusals(request):
        calls.give_back(request.event, call, request.actor)
        messages.success(
            request,
            _("The call from table %(table_number)s is back in the queue.")
            % {"table_number": _table_number(call)},
        )
    return redirect("tournaments:calls", request.event.slug)


@staff_page(event_permissions.can_judge, WRITE)
def call_escalate(request: EventRequest, pk: int) -> HttpResponse:
    event = request.event
    call, form = call_or_404(event, pk).call, EscalateForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", event.slug, pk)
    with show_refusals(request):
        calls.escalate(event, call, request.actor, form.cleaned_data["reason"])
        messages.success(
            request,
            _("The head judge has been called to table %(table_number)s.")
            % {"table_number": _table_number(call)},
        )
    return redirect("tournaments:calls", event.slug)


@staff_page(event_permissions.can_judge, WRITE)
def call_appeal(request: EventRequest, pk: int) -> HttpResponse:
    event = request.event
    call, form = call_or_404(event, pk).call, CallForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", event.slug, pk)
    with show_refusals(request):
        calls.appeal(event, call, request.actor, form.cleaned_data["about"])
        messages.success(
            request,
            _("The head judge has been called to table %(table_number)s.")
            % {"table_number": _table_number(call)},
        )
    return redirect("tournaments:calls", event.slug)


def call_or_404(tournament: Tournament, pk: int) -> TableCall:
    table_call = queries.find_call(tournament, pk)
    if table_call is None:
        raise Http404("This call does not exist.")
    return table_call


def _table_number(call: JudgeCall) -> int | None:
    return queries.pairing_of_match(call.match).table_number


@idempotent
@staff_page(event_permissions.can_judge, READ + WRITE)
def call_detail(request: EventRequest, pk: int) -> HttpResponse:
    table_call = call_or_404(request.event, pk)
    if request.method == "POST":
        return _answer_call(request, table_call)
    form = CallAnswerForm(call=table_call.call, initial={"rulings": request.GET.get("rulings", "")})
    return _call_page(request, table_call, form, CallPenaltyForm(request.event, table_call.pairing))


def _answer_call(request: EventRequest, table_call: TableCall) -> HttpResponse:
    event = request.event
    form = CallAnswerForm(request.POST, call=table_call.call)
    limit_citable_rulings(form, visibility.rulings_for(request.actor))
    part = CallPenaltyForm(event, table_call.pairing, request.POST)
    if not all([form.is_valid(), part.is_valid()]):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _call_page(request, table_call, form, part, status)
    # All or nothing: a refused clock change or penalty leaves the call open.
    with show_refusals(request) as outcome, transaction.atomic():
        calls.answer(event, table_call.call, request.actor, form.answer())
        next_ = _give_penalty_with_answer(request, form, part)
    if outcome.refusal is not None:
        reloaded = call_or_404(event, table_call.call.pk)
        return _call_page(request, reloaded, form, part, HTTPStatus.CONFLICT)
    messages.success(
        request,
        _("The call from table %(table_number)s has been answered.")
        % {"table_number": table_call.pairing.table_number},
    )
    return redirect(next_ or reverse("tournaments:calls", args=[event.slug]))


def _give_penalty_with_answer(
    request: EventRequest, form: CallAnswerForm, part: CallPenaltyForm
) -> str:
    """Give the chosen penalty, or return the URL to review a severe penalty first."""
    chosen = part.chosen_penalty
    if chosen is None:
        return ""
    code = chosen.infraction.code
    if part.needs_preview(penalties.expected_kind(request.event, chosen.place, code)):
        return part.review_url()
    answer = form.answer()
    penalties.give(
        request.event,
        chosen.place,
        request.actor,
        infraction=code,
        kind=chosen.kind,
        pairing=part.pairing,
        text=answer.text,
        cited=answer.cited,
    )
    return ""


def _call_page(
    request: EventRequest,
    table_call: TableCall,
    form: CallAnswerForm,
    part: CallPenaltyForm,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    pairing = table_call.pairing
    address = reverse("tournaments:call", args=[request.event.slug, table_call.call.pk])
    label = _("the call from table %(table)s in round %(round)s") % {
        "table": pairing.table_number,
        "round": pairing.round.number,
    }
    request.session["citing"] = {"label": label, "url": address}
    context = {
        "page": pages.call_page(request.event, table_call, request.actor, timezone.now()),
        "call": table_call.call,
        "pairing": pairing,
        "form": form,
        "part": part,
        "appeal_form": CallForm(),
        "escalate_form": EscalateForm(),
    }
    return render_desk_page(request, "tournaments/judging/call.html", context, status=status)


@never_cache
@require_POST
@idempotent
@table_view
def call_judge(request: TableRequest) -> HttpResponse:
    with show_refusals(request):
        cleaned = get_cleaned_data(CallForm(request.POST), str(TOO_LONG))
        calls.raise_call(request.table.pairing, request.actor, cleaned["about"])
        messages.success(
            request, _("A judge has been called. Stay at your table and stop playing.")
        )
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@idempotent
@table_view
def withdraw_call(request: TableRequest) -> HttpResponse:
    with show_refusals(request):
        calls.withdraw(request.table.pairing, request.actor)
        messages.success(request, _("Call cancelled."))
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@idempotent
@table_view
def appeal_answer(request: TableRequest, pk: int) -> HttpResponse:
    at_table = JudgeCall.objects.filter(match=request.table.match)
    answered = get_object_or_404(at_table.select_related("match"), pk=pk)
    with show_refusals(request):
        cleaned = get_cleaned_data(CallForm(request.POST), str(TOO_LONG))
        calls.appeal(request.event, answered, request.actor, cleaned["about"])
        messages.success(
            request, _("The head judge has been called. Stay at your table and stop playing.")
        )
    return redirect("tournaments:my_event", request.event.slug)


@staff_page(event_permissions.can_judge)
def calls_past(request: EventRequest) -> HttpResponse:
    rounds = queries.rounds_with_calls(request.event)
    judges = queries.judges_of_calls(request.event)
    form = PastCallsForm(request.GET, rounds=rounds, judges=judges)
    past = queries.past_calls(request.event, **form.filters)
    page = Paginator(past, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_used": any(form.filters.values())}
    return render_desk_page(request, "tournaments/judging/calls_past.html", context)


@staff_page(event_permissions.can_head_judge)
def judge_statistics(request: EventRequest) -> HttpResponse:
    """Show statistics on calls, waits and appeals; head judge only."""
    context = {"figures": pages.call_figures_of_event(request.event)}
    return render_desk_page(request, "tournaments/judging/judge_statistics.html", context)
