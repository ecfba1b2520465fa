"""Pages for judges to list, give and withdraw penalties.

Giving a penalty takes up to three pages without JavaScript: player and infraction, penalty, and a
preview of the effect. Cautions and warnings skip the preview.
"""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from core.errors import ReasonMissing
from core.form_fields import whole_number
from rulings.forms import cite_among
from rulings.guide import PenaltyKind
from tournaments.event import permissions, visibility
from tournaments.event.queries import penalties as penalty_queries
from tournaments.event.queries.rounds import pairings_by_table, visible_rounds
from tournaments.judging import penalty_effects
from tournaments.judging.forms.penalties import (
    NOWHERE,
    GiveForm,
    PenaltyFilter,
    WhomForm,
    WithdrawForm,
)
from tournaments.judging.pages import penalties as pages
from tournaments.judging.services import penalties
from tournaments.models import Pairing, Tournament
from tournaments.registration.services.registrations import OrderIsFixed
from tournaments.web.views.access import EventRequest
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    staff_page,
    typed_before,
)

# POST fields: the effect shown, confirmation of a disqualification, and return to the form.
MARK, SURE, BACK = "effect", "sure", "back"
PENALTY_REFUSALS = (
    ReasonMissing,
    penalties.CannotApply,
    penalties.EffectChanged,
    penalties.GameMissing,
    penalties.NoPlaceHere,
    penalties.NotForThisJudge,
    penalties.UnknownInfraction,
    penalties.WrongTable,
)
WITHDRAWAL_REFUSALS = (
    OrderIsFixed,
    ReasonMissing,
    penalties.AlreadyWithdrawn,
    penalties.CannotApply,
    penalties.NotForThisJudge,
)


@once
@staff_page(permissions.can_judge, READ + WRITE)
def penalty_new(request: EventRequest) -> HttpResponse:
    """Give a penalty; the query parameters named like fields prefill the form."""
    sent = request.POST if request.method == "POST" else request.GET
    pairing = _table_asked_for(request.event, sent)
    _remember(request, sent)
    is_chosen = bool(sent.get("player") and sent.get("infraction"))
    whom = WhomForm(
        sent if is_chosen or request.method == "POST" else None,
        tournament=request.event,
        guide=penalty_queries.guide_of(request.event),
        pairing=pairing,
        initial=sent.dict(),
    )
    if not whom.is_bound or not whom.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
        context = {"form": whom, "pairing": pairing}
        return desk_page(request, "tournaments/judging/penalty_whom.html", context, status)
    if request.method == "POST":
        return _give(request, whom)
    return _second_step(request, whom, _give_form(request, whom, None))


def _table_asked_for(tournament: Tournament, sent: QueryDict) -> Pairing | None:
    """Find the `table` of the request in its `round`, by default the newest."""
    table = whole_number(sent.get("table", ""), 5)
    if table is None:
        return None
    rounds = visible_rounds(tournament)
    number = whole_number(sent.get("round", ""), 5)
    round_ = (rounds if number is None else rounds.filter(number=number)).last()
    return pairings_by_table(round_).filter(table_number=table).first() if round_ else None


def _remember(request: EventRequest, sent: QueryDict) -> None:
    """Store the form's URL in the session, so that a ruling can be cited from its page."""
    wanted = ("table", "round", "player", "infraction", "kind", "game", "call")
    fields = QueryDict(mutable=True)
    fields.update({name: str(sent[name]) for name in wanted if sent.get(name)})
    page = reverse("tournaments:penalty_new", args=[request.event.slug])
    url = f"{page}?{fields.urlencode()}" if fields else page
    request.session["citing"] = {"label": "the penalty you are giving", "url": url}


def _give_form(request: EventRequest, whom: WhomForm, data: QueryDict | None) -> GiveForm:
    event, place, sent = request.event, whom.place, request.GET
    tables = penalty_effects.tables_of(place)
    expected = penalties.expected(event, place, whom.done.code)
    on = _usual_table(whom.pairing, tables)
    form = GiveForm(
        data,
        expected=expected,
        tables=tables,
        games=penalty_effects.games_of(event, tables.get(on)),
        may_disqualify=permissions.can_head_judge(request.actor, event),
        initial={
            "kind": sent.get("kind") or expected.value,
            "on": on,
            "game": sent.get("game"),
            "rulings": sent.get("rulings", ""),
        },
    )
    cite_among(form, visibility.rulings_for(request.actor))
    return form


def _usual_table(asked_for: Pairing | None, tables: dict[str, Pairing]) -> str:
    """Choose the default table: the given table, the player's open table, or the next round."""
    if asked_for is not None and str(asked_for.pk) in tables:
        return str(asked_for.pk)
    newest = next(iter(tables.items()), None)
    return newest[0] if newest and not newest[1].round.is_closed else NOWHERE


def _second_step(
    request: EventRequest, whom: WhomForm, form: GiveForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    earlier = penalty_queries.times_penalised(whom.place, whom.done.code)
    context = {
        "pairing": whom.pairing,
        "whom": whom,
        "place": whom.place,
        "form": form,
        "expectation": penalty_effects.Expectation(whom.done, earlier, form.expected),
        "needs_head_judge": form.expected is PenaltyKind.DISQUALIFICATION
        and not permissions.can_head_judge(request.actor, request.event),
    }
    return desk_page(request, "tournaments/judging/penalty_give.html", context, status)


def _give(request: EventRequest, whom: WhomForm) -> HttpResponse:
    form = _give_form(request, whom, request.POST)
    if not form.is_valid():
        return _second_step(request, whom, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    if BACK in request.POST:
        return _second_step(request, whom, form)
    if preview := _unseen(request, whom, form):
        return preview
    with RefusalsShown(request, *PENALTY_REFUSALS):
        given = penalties.give(
            request.event,
            whom.place,
            request.actor,
            infraction=whom.done.code,
            kind=form.penalty,
            pairing=form.pairing,
            game=form.lost_game,
            text=form.cleaned_data["text"],
            cited=form.cleaned_data["rulings"],
            seen=request.POST.get(MARK) if form.penalty.costs_games else None,
        )
        messages.success(request, f"{given.get_kind_display()}: {whom.place.player.name}.")
        return _afterwards(request.event, whom, given.pk)
    return _second_step(request, whom, form, HTTPStatus.CONFLICT)


def _afterwards(tournament: Tournament, whom: WhomForm, pk: int) -> HttpResponse:
    if whom.cleaned_data["call"]:
        return redirect("tournaments:calls", tournament.slug)
    page = reverse("tournaments:penalties", args=[tournament.slug])
    return redirect(f"{page}#penalty-{pk}")


def _unseen(request: EventRequest, whom: WhomForm, form: GiveForm) -> HttpResponse | None:
    """Render the preview of the effect, or return None if it was seen or is not needed.

    A disqualification also requires a ticked confirmation.
    """
    if not form.penalty.costs_games:
        return None
    sent, place = request.POST, whom.place
    effect = penalty_effects.effect(place, form.penalty, form.pairing, form.lost_game)
    is_harsh = form.penalty is PenaltyKind.DISQUALIFICATION
    is_seen, is_sure = sent.get(MARK) == effect.mark, SURE in sent or not is_harsh
    if is_seen and is_sure:
        return None
    if MARK in sent and not is_seen:
        messages.warning(request, "Something has changed. Check again, then give the penalty.")
    context = {
        "whom": whom,
        "place": place,
        "penalty": form.penalty,
        "effect": effect,
        "is_harsh": is_harsh,
        "is_missing": is_seen and not is_sure,
        "text": form.cleaned_data["text"],
        "cited": form.cleaned_data["rulings"],
        "kept": typed_before(sent, MARK, SURE),
    }
    status = HTTPStatus.CONFLICT if MARK in sent else HTTPStatus.OK
    return desk_page(request, "tournaments/judging/penalty_look.html", context, status)


@staff_page(permissions.can_judge)
def penalty_list(request: EventRequest) -> HttpResponse:
    """List penalties, those in force first, with filters."""
    given = list(penalty_queries.of_event(request.event))
    form = PenaltyFilter(request.GET, given)
    context = {
        "form": form,
        "penalties": penalty_effects.in_order(form.chosen()),
        "given": len(given),
        "waiting": [one for one in given if one.waits],
    }
    return desk_page(request, "tournaments/judging/penalties.html", context)


@once
@staff_page(permissions.can_judge, READ + WRITE)
def penalty_withdraw(request: EventRequest, pk: int) -> HttpResponse:
    """Preview a withdrawal, then withdraw the penalty with a reason."""
    penalty = get_object_or_404(penalty_queries.of_event(request.event), pk=pk)
    form = WithdrawForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, *WITHDRAWAL_REFUSALS):
            penalties.withdraw(penalty, request.actor, form.cleaned_data["reason"])
            messages.success(request, f"Withdrawn: {penalty}.")
            page = reverse("tournaments:penalties", args=[request.event.slug])
            return redirect(f"{page}#penalty-{penalty.pk}")
        # Reload: it may have been withdrawn concurrently.
        penalty = get_object_or_404(penalty_queries.of_event(request.event), pk=pk)
    refused = HTTPStatus.CONFLICT if form.is_valid() else HTTPStatus.UNPROCESSABLE_ENTITY
    status = refused if form.is_bound else HTTPStatus.OK
    tables = list(penalty_effects.tables_of(penalty.registration).values())
    context = {
        "form": form,
        "penalty": penalty,
        "effect": penalty_effects.effect_of_withdrawal(penalty, tables),
    }
    return desk_page(request, "tournaments/judging/penalty_withdraw.html", context, status)


@staff_page(permissions.can_judge)
def conduct(request: EventRequest, number: int) -> HttpResponse:
    """Show penalties, calls, notes and deck checks of a player."""
    rows = request.event.registrations.select_related("player", "tournament")
    place = get_object_or_404(rows, number=number)
    context = {"place": place, "conduct": pages.conduct(place)}
    return desk_page(request, "tournaments/judging/penalty_history.html", context)
