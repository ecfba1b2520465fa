"""Pages for standings, brackets, and results by players and staff."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from http import HTTPStatus
from operator import itemgetter
from typing import Any, TypeAlias

from django.contrib import messages
from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import StaleVersion
from core.form_fields import whole_number
from core.numbers import mixed_number
from matches import records as matches_records
from matches import services as matches_services
from matches.models import Match, MatchState, ResultReport
from matches.scoring.codes import all_result_codes, code_marks, codes_to_offer, result_codes
from matches.scoring.rules import ScoringRule, scoring_rule
from matches.services import AlreadySettled
from rulings import queries as rulings_queries
from rulings import services as rulings_services
from rulings.forms import CiteForm, limit_citable_rulings
from rulings.models import JudgeNote, NoteKind
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.pages import identities_beside_names
from tournaments.models import Pairing, Round, StandingSnapshot, Tournament
from tournaments.results import services
from tournaments.results.bracket_pages import (
    bracket_drawing,
    get_bracket_notes,
    get_cut_table,
    get_schedule,
    match_length_in_words,
)
from tournaments.results.entry_pages import (
    ResultCard,
    claim_sentence,
    get_entry_texts,
    get_result_card,
    get_result_cards,
    make_entry_form,
)
from tournaments.results.forms import (
    FactionsForm,
    ReportAnswerForm,
    ReportForm,
    ResultDecisionForm,
    ResultEntryForm,
)
from tournaments.results.pages import (
    confirmation_in_words,
    find_open_report,
    get_dispute,
    get_latest_result,
    get_outcomes,
    judged_games,
    report_in_words,
    result_in_words,
    usual_results,
)
from tournaments.results.queries import (
    can_other_players_confirm,
    get_faction_draft,
    get_impact,
    get_newest_result_entry,
)
from tournaments.results.result_reader import get_filled_fields
from tournaments.results.standings_pages import (
    CutLineDraw,
    get_tie_breakers,
    made_cut_draw,
    placing_lines,
    planned_cut_draw,
    standings_grid,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages
from tournaments.web.access import (
    EventRequest,
    TableRequest,
    round_or_404,
    table_or_404,
    table_view,
)
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import get_round_news, is_fragment, polled_page, render_event_page
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    RefusalOutcome,
    desk_context,
    is_htmx,
    render_desk_page,
    show_refusals,
    staff_page,
    submitted_fields,
    use_time_zone,
)

# Large columns of a round that these pages do not show.
LARGE_ROUND_COLUMNS = "certificate", "relaxations"
NO_STANDINGS = gettext_lazy("No standings after this round.")


@require_safe
@partial(polled_page, reads=("round",))
def standings(request: EventRequest) -> HttpResponse:
    """Show live standings during a round, else the newest, or with ?round=n those after round n."""
    event, actor = request.event, request.actor
    rounds = event.rounds.published().select_related("stage").defer(*LARGE_ROUND_COLUMNS)
    visible = list(rounds.annotate(has_bracket=Exists(event.stages.public_cuts())))
    grid = standings_grid(event, visible, _requested_round(request))
    if grid is None and "round" in request.GET:
        raise Http404(NO_STANDINGS)
    place = event.registration_of(actor.player)
    has_cut = any(round_.is_in_cut for round_ in visible)
    counted = [round_ for round_ in visible if not round_.is_in_cut]
    is_newest = grid is not None and not grid.live and grid.after == grid.stored
    shown = grid.tie_breakers if grid else ()
    has_bracket = visible[0].has_bracket if visible else False  # type: ignore[attr-defined]
    placings = get_cut_placings(request) if has_cut else {}
    if grid and placings:
        grid = grid.with_made_cut(placings["cut"])
    elif grid and not (has_bracket or event.is_finished):
        grid = grid.with_planned_cut(event)
    context = {
        "grid": grid.for_reader(place.number) if grid and place else grid,
        "is_playing": place is not None,
        "has_bracket": has_bracket,
        "has_cut": has_cut,
        "news": get_round_news(event, actor.player, visible[-1:]),
        "identities": identities_beside_names(event, actor.player),
        "closed": [round_ for round_ in counted if round_.is_closed],
        "current": next((round_ for round_ in counted if not round_.is_closed), None),
        "rule": scoring_rule(event.scoring_rule),
        # Most events set no seeds.
        "tie_breakers": [
            breaker
            for breaker in get_tie_breakers(event)
            if breaker.id != "manual_seed" or breaker.id in shown
        ],
        "draw": _cut_draw(event, visible) if is_newest else None,
        **placings,
    }
    return render_event_page(request, "tournaments/results/standings.html", "standings", context)


def _cut_draw(tournament: Tournament, visible: Sequence[Any]) -> CutLineDraw | None:
    if not visible[0].has_bracket:
        return planned_cut_draw(tournament)
    stage = tournament.get_cut()
    return made_cut_draw(stage) if stage is not None else None


def _requested_round(request: HttpRequest) -> int | None:
    """Return the number of ?round=n, 0 if it is invalid; None without the parameter."""
    text = request.GET.get("round", "")
    return whole_number(text, 4) or 0 if text else None


def get_cut_placings(request: EventRequest) -> dict[str, Any]:
    """Return the places of the cut for the page; empty with ?round=n, which shows the Swiss."""
    stage = request.event.get_cut()
    if "round" in request.GET or stage is None or not stage.has_published_round():
        return {}
    cut = rounds_cut.get_cut(stage)
    placings = placing_lines(request.event, cut, request.actor.player)
    own = next((line for line in placings if line.is_me), None)
    return {"cut": cut, "placings": placings, "own_placing": own}


def get_requested_snapshot(request: EventRequest) -> StandingSnapshot | None:
    """Return the snapshot of ?round=n, else the newest; Http404 for a round without standings."""
    number = _requested_round(request)
    snapshot = request.event.snapshots.newest(number)
    if snapshot is None and number is not None:
        raise Http404(NO_STANDINGS)
    return snapshot


@require_safe
@polled_page
def bracket(request: EventRequest) -> HttpResponse:
    stage = request.event.get_cut()
    context: dict[str, Any] = {}
    if stage is not None and stage.is_public_cut():
        cut = rounds_cut.get_cut(stage)
        placings = placing_lines(request.event, cut, request.actor.player)[: len(cut.entries)]
        context = {
            "stage": stage,
            "cut": cut,
            "identities": identities_beside_names(request.event, request.actor.player),
            "bracket": bracket_drawing(cut, request.actor.player),
            "best_of": match_length_in_words(stage),
            "notes": get_bracket_notes(cut),
            "changes": stage.tournament.log.cut_changes(),
            "placings": placings,
            "has_places": any(line.name for line in placings),
        }
    return render_event_page(request, "tournaments/results/bracket.html", "bracket", context)


@require_safe
@polled_page
def schedule(request: EventRequest) -> HttpResponse:
    stage = request.event.get_round_robin()
    context = {
        "is_round_robin": request.event.has_round_robin(),
        "schedule": get_schedule(stage, request.actor.player) if stage is not None else None,
    }
    return render_event_page(request, "tournaments/results/schedule.html", "schedule", context)


# A player's own table.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@idempotent
@table_view
def report_result(request: TableRequest) -> HttpResponse:
    pairing, match, seat = request.table
    if "agree" in request.POST:
        return _agree_with_report(request)
    # Start from the player's own report: correcting it is faster than entering it again. The
    # report of an opponent is not preselected: one tap would agree with what the player denied.
    report = None
    if not request.POST and match.state != MatchState.OPEN:
        report = find_open_report(match)
        if report is not None and report.seat_id != seat.pk:
            report = None
    form = ReportForm(
        request.POST or None,
        match=match,
        me=seat,
        is_cut=pairing.round.is_in_cut,
        initial_result=matches_records.result_from_document(report.result) if report else None,
        code=request.GET.get("code"),
    )
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        with show_refusals(request, as_message=False) as outcome:
            match = services.report_result(pairing, seat, form.result, request.actor)
            _add_report_message(request, match)
            return redirect("tournaments:my_event", request.event.slug)
        if isinstance(outcome.refusal, AlreadySettled):
            return _too_late_page(request)
        messages.error(request, str(outcome.refusal))
        status = 409
    elif match.is_settled and request.method == "POST":
        return _too_late_page(request)
    elif match.is_settled:
        messages.info(
            request,
            _("The result of this table is already in. If it is wrong, tell the staff."),
        )
        place = request.event.slug, pairing.round.number, pairing.table_number
        return redirect("tournaments:table", *place)
    context = {"form": form, "confirmation": confirmation_in_words(request.event, match, seat)}
    return _own_table_page(request, "tournaments/results/report.html", context, status)


def _agree_with_report(request: TableRequest) -> HttpResponse:
    """Report the same result as the opponent's report `agree`, with one tap."""
    with show_refusals(request):
        report_id = whole_number(request.POST["agree"], 18) or 0
        match = services.agree_with_report(
            request.table.pairing, request.table.seat, report_id, request.actor
        )
        _add_report_message(request, match)
    return redirect("tournaments:my_event", request.event.slug)


def _too_late_page(request: TableRequest) -> HttpResponse:
    """Say that the report was not recorded, and which result counts instead."""
    match = Match.objects.get(pk=request.table.match.pk)
    matches_services.prefetch_result_rows(match)
    context = {
        "settled": result_in_words(match, matches_records.settled_result(match)),
        "by_staff": match.state == MatchState.DECIDED,
    }
    return _own_table_page(request, "tournaments/results/report_too_late.html", context, 409)


def _add_report_message(request: TableRequest, match: Match) -> None:
    # Call only after the report is recorded.
    is_pod = match.rule.max_seats > 2
    if match.state == MatchState.DECIDED:
        messages.success(request, _("The staff have already entered the same result."))
    elif match.state == MatchState.PROPOSED and not can_other_players_confirm(
        request.event, match, request.table.seat
    ):
        messages.success(request, _("Recorded. The staff will confirm it."))
    elif match.state == MatchState.PROPOSED:
        pod = _("Recorded. Another player at your table has been asked to confirm it.")
        two = _("Recorded. Your opponent has been asked to confirm it.")
        messages.success(request, pod if is_pod else two)
    elif match.state == MatchState.DISPUTED:
        pod = _("Recorded. The table does not agree, so the staff will decide.")
        two = _("Recorded. Your opponent does not agree, so the staff will decide.")
        messages.warning(request, pod if is_pod else two)
    else:
        pod = _("Recorded. Two of you reported the same result, so it is confirmed.")
        two = _("Recorded. You both reported the same result, so it is confirmed.")
        messages.success(request, pod if is_pod else two)


@never_cache
@require_POST
@idempotent
@table_view
def confirm_report(request: TableRequest) -> HttpResponse:
    return _answer_report(request, confirms=True)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@idempotent
@table_view
def dispute_report(request: TableRequest) -> HttpResponse:
    if request.method == "POST":
        return _answer_report(request, confirms=False)
    return _dispute_page(request)


def _dispute_page(request: TableRequest, form: ReportAnswerForm | None = None) -> HttpResponse:
    pairing, match, seat = request.table
    report = find_open_report(match)
    if report is None or report.seat_id == seat.pk:
        return redirect("tournaments:my_event", request.event.slug)
    context = {
        "report": report,
        "reported": report_in_words(match, report),
        "judged": judged_games(match),
        "usual": usual_results(match, seat, is_cut=pairing.round.is_in_cut),
        "form": form or ReportAnswerForm(initial={"report": report.pk}),
    }
    return _own_table_page(request, "tournaments/results/dispute.html", context)


def _answer_report(request: TableRequest, *, confirms: bool) -> HttpResponse:
    form = ReportAnswerForm(request.POST)
    if not form.is_valid():
        return _dispute_page(request, form)
    pairing, seat = request.table.pairing, request.table.seat
    report_id = form.cleaned_data["report"]
    with show_refusals(request):
        if confirms:
            services.confirm_report(pairing, seat, report_id, request.actor)
            messages.success(request, _("Result confirmed."))
        else:
            note = form.cleaned_data["note"]
            services.dispute_report(pairing, seat, report_id, request.actor, note)
            messages.warning(request, _("Disputed. The staff see it and will come to your table."))
    return redirect("tournaments:my_event", request.event.slug)


def _own_table_page(
    request: TableRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    pairing, match, me = request.table
    shared = {
        "tournament": request.event,
        "here": "me",
        "is_playing": True,
        "round": pairing.round,
        "table": pairing.table_number,
        "rule": match.rule,
        "is_pod": match.seats.count() > 2,
        "me": me,
        "others": [seat for seat in match.seats.all() if seat.pk != me.pk],
        "own_losses": request.event.penalties.costing_games_at(pairing, me.player_id)
        if match.losses
        else (),
    }
    return render(request, template, {**shared, **context}, status=status)


@never_cache
@require_POST
@idempotent
@table_view
def choose_faction(request: TableRequest) -> HttpResponse:
    """Choose `faction`, then redirect to `next` or the player's own page."""
    pairing, seat = request.table.pairing, request.table.seat
    with show_refusals(request):
        services.choose_faction(pairing, seat, request.POST.get("faction", ""), request.actor)
        messages.success(request, _("Your faction is recorded."))
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("tournaments:my_event", args=[request.event.slug])
    # Not `redirect`: it would try to reverse a value without a slash.
    return HttpResponseRedirect(back)


@staff_page(event_permissions.can_enter_results, READ + WRITE)
def set_factions(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = table_or_404(round_or_404(request, number), table)
    draft = get_faction_draft(pairing.match, pairing.round)
    if draft is None:
        messages.info(request, _("No factions can be chosen at this table now."))
        return redirect("tournaments:table", request.event.slug, number, table)
    form = FactionsForm(request.POST or None, draft=draft)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with show_refusals(request):
            services.set_factions(pairing, form.chosen, request.actor)
            messages.success(request, _("The factions are recorded."))
            return redirect("tournaments:table", request.event.slug, number, table)
        status = 409
    context = {"round": pairing.round, "pairing": pairing, "form": form}
    return render_desk_page(request, "tournaments/results/factions.html", context, status=status)


# Staff enter results table by table; a closed round first shows the effects of a change.

CARD_TEMPLATE = "tournaments/results/_result_card.html"
ROUND_CLOSED_MESSAGE = gettext_lazy(
    "The round is closed now. Save again to see what the change affects."
)
# Form field with the mark of the impact that the user saw.
IMPACT_MARK_FIELD = "impact"
IMPACT_CHANGED_MESSAGE = gettext_lazy(
    'Something else has changed. Review the change again, then select "Apply this result".'
)
REASON_MISSING_MESSAGE = gettext_lazy(
    'Give the reason for the change, then select "Apply this result".'
)


@staff_page(event_permissions.can_enter_results)
def result_entry(request: EventRequest, number: int) -> HttpResponse:
    """Show all tables of the round.

    `?edit=` opens a table with all its fields, `?table=` closes it; htmx gets this table alone. A
    poll gets the tables alone, or 304 while nothing has changed.
    """
    round_ = round_or_404(request, number)
    edited = whole_number(request.GET.get("edit", ""), 4)
    closed = whole_number(request.GET.get("table", ""), 4)
    if round_.is_draft:
        return redirect("tournaments:draft", slug=request.event.slug, number=round_.number)
    if edited is not None:
        card = get_result_card(table_or_404(round_, edited))
        card = replace(card, form=make_entry_form(card.pairing))
        if is_htmx(request):
            return render_card_or_page(request, card, 200)
        return _entry_page(request, round_, card)
    if closed is not None and is_htmx(request):
        return render_card_or_page(request, get_result_card(table_or_404(round_, closed)), 200)
    if not is_fragment(request):
        return _entry_page(request, round_)
    etag = f'"{request.event.log.newest_id()}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    context = {"cards": get_result_cards(round_), **_card_context(round_)}
    response = render_desk_page(request, "tournaments/results/_result_cards.html", context)
    response["ETag"] = etag
    return response


def _entry_page(
    request: EventRequest, round_: Round, opened: ResultCard | None = None, status: int = 200
) -> HttpResponse:
    """Render the page with the `opened` card in place of that of its table."""
    cards = [
        opened if opened is not None and card.pairing == opened.pairing else card
        for card in get_result_cards(round_)
    ]
    rule = scoring_rule(round_.stage.scoring_rule)
    is_cut = round_.is_in_cut
    other_rounds = list(
        request.event.rounds.published().exclude(pk=round_.pk).select_related("stage")
    )
    Round.prefetch_names(other_rounds)
    states = Counter(card.match.state for card in cards)
    tied = sum(card.is_undecided for card in cards)
    context = {
        "clock": timing_pages.get_clock_face(round_),
        "cards": cards,
        "page_url": reverse("tournaments:results", args=[request.event.slug, round_.number]),
        "missing": states[MatchState.OPEN],
        "reported": states[MatchState.PROPOSED],
        "disputed": states[MatchState.DISPUTED],
        "other_rounds": other_rounds,
        "cut_notes": rounds_pages.cut_round_notes(round_, [card.pairing for card in cards]),
        "tied": tied,
        "all_in": not tied and all(card.match.is_settled for card in cards),
        # Result codes that can be typed, and the fields that each requires.
        "codes": codes_to_offer(result_codes(rule), is_cut=is_cut),
        "code_example": next(
            (outcome for outcome in get_outcomes(rule, is_cut=is_cut) if outcome.numbers), None
        ),
        "marks": code_marks(rule),
        "code_fields": _code_fields(rule, is_cut=is_cut),
        "entry_texts": get_entry_texts(),
        **_card_context(round_),
    }
    if request.method == "GET":
        # Short addresses: the page repeats them for every table.
        context |= {"results_url": "", "tables_url": "../tables/"}
    return render_desk_page(request, "tournaments/results/results.html", context, status=status)


def _code_fields(
    rule: ScoringRule, *, is_cut: bool
) -> dict[str, tuple[str, Sequence[str], Sequence[int]]]:
    """Return the words of each result code, the fields it requires, and its drawn games.

    Codes with draws are left out in a cut.
    """
    codes, filled = all_result_codes(rule), get_filled_fields(rule)
    offered = [code.keys for code in codes_to_offer(codes.values(), is_cut=is_cut)]
    return {keys: (filled[keys].words, filled[keys].asks, filled[keys].drawn) for keys in offered}


def _card_context(round_: Round) -> dict[str, Any]:
    event = round_.stage.tournament
    first_table = reverse("tournaments:table", args=[event.slug, round_.number, 1])
    return {
        "round": round_,
        "rule": scoring_rule(round_.stage.scoring_rule),
        "results_url": reverse("tournaments:results", args=[event.slug, round_.number]),
        "tables_url": first_table.removesuffix("1/"),
    }


@staff_page(event_permissions.can_enter_results, WRITE)
def enter_result(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Save the result of one table; a refused card is shown again with its input."""
    round_ = round_or_404(request, number)
    pairing = table_or_404(round_, table)
    data: QueryDict = request.POST
    form = make_entry_form(pairing, data)
    if not form.is_valid():
        return _refuse(request, pairing, form, form.contradictions, 422)
    if round_.is_closed and is_htmx(request):
        return _refuse(request, pairing, form, [str(ROUND_CLOSED_MESSAGE)], 409)
    try:
        if preview := render_impact_page(request, pairing, form):
            return preview
        saved = record_decision(request, pairing, form)
    except services.DECISION_REFUSALS as refusal:
        pairing = table_or_404(round_, table)
        assert pairing.match is not None
        is_stale = isinstance(refusal, StaleVersion)
        if is_stale:
            # With the new version, saving again works.
            data = data.copy()
            data[f"t{table}-seen"] = str(pairing.match.version)
        form = make_entry_form(pairing, data)
        return _refuse(request, pairing, form, [str(refusal)], 409, is_stale=is_stale)
    if not is_htmx(request):
        messages.success(request, saved)
    fresh = get_result_card(table_or_404(round_, table))
    return render_card_or_page(request, replace(fresh, saved=saved), 200)


def _refuse(
    request: EventRequest,
    pairing: Pairing,
    form: ResultEntryForm,
    refusals: Iterable[str],
    status: int,
    *,
    is_stale: bool = False,
) -> HttpResponse:
    card = replace(get_result_card(pairing), form=form, refusals=tuple(refusals), is_stale=is_stale)
    return render_card_or_page(request, card, status)


@staff_page(event_permissions.can_enter_results, WRITE)
def accept_report(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Settle the `report` of a player that no opponent has answered."""
    pairing = table_or_404(round_or_404(request, number), table)
    report_id = whole_number(request.POST.get("report", ""), 18) or 0
    undo = ""
    with show_refusals(request, as_message=not is_htmx(request)) as outcome:
        services.accept_report(pairing, report_id, request.actor)
        if entry := get_newest_result_entry(pairing):
            undo = reverse("tournaments:log_undo", args=[request.event.slug, entry.pk])
    text = _("You accepted the report of table %(table)d.") % {"table": table}
    if is_htmx(request):
        return render_changed_card(request, number, table, outcome, saved=text)
    if not outcome.refusal:
        messages.success(request, text, extra_tags=undo)
    if request.POST.get("page") == "results":
        return redirect("tournaments:results", request.event.slug, number)
    return redirect("tournaments:desk", slug=request.event.slug)


def record_decision(request: EventRequest, pairing: Pairing, form: ResultEntryForm) -> str:
    assert pairing.match is not None
    before = matches_records.settled_result(pairing.match)
    pairing.match = services.decide_result(
        pairing,
        form.result,
        request.actor,
        seen_version=form.cleaned_data["seen"],
        note=form.cleaned_data["note"],
        force=form.force,
        # While the round is still played, the user has seen no impact.
        seen_impact=request.POST.get(IMPACT_MARK_FIELD, "") if pairing.round.is_closed else None,
        cited=form.cleaned_data.get("cited", ()),
    )
    is_changed = before not in (matches_records.NO_RESULT, form.result)
    return _points_sentence(pairing, is_changed=is_changed)


def _points_sentence(pairing: Pairing, *, is_changed: bool = False) -> str:
    assert pairing.match is not None
    seats = pairing.match.seats.select_related("player")
    points = ", ".join(f"{seat.player.name} {mixed_number(seat.points)}" for seat in seats)
    sentence = _("Table %(table)d: %(points)s.")
    if pairing.round.is_in_cut and rounds_cut.is_undecided(pairing):
        sentence = _("Table %(table)d: %(points)s. Tied: choose who advances.")
    elif is_changed:
        sentence = _("Table %(table)d changed: %(points)s.")
    return sentence % {"table": pairing.table_number, "points": points}


def render_changed_card(
    request: EventRequest, number: int, table: int, outcome: RefusalOutcome, *, saved: str = ""
) -> HttpResponse:
    """Render the current card of the table, with the refusal or else with `saved`."""
    card = get_result_card(table_or_404(round_or_404(request, number), table))
    if outcome.refusal:
        refused = replace(card, refusals=(str(outcome.refusal),))
        return render_card_or_page(request, refused, HTTPStatus.CONFLICT)
    return render_card_or_page(request, replace(card, saved=saved), HTTPStatus.OK)


def render_card_or_page(request: EventRequest, card: ResultCard, status: int) -> HttpResponse:
    """Render the card alone for htmx; else the page, or a redirect to it after success."""
    round_ = round_or_404(request, card.pairing.round.number)
    if is_htmx(request):
        context = {**desk_context(request), "card": card, **_card_context(round_)}
        with use_time_zone(request.event.time_zone):
            return render(request, CARD_TEMPLATE, context, status=status)
    if status == 200:
        page = reverse("tournaments:results", args=[request.event.slug, round_.number])
        return redirect(f"{page}#table-{card.table}")
    return _entry_page(request, round_, card, status)


def render_impact_page(
    request: EventRequest, pairing: Pairing, form: ResultEntryForm
) -> HttpResponse | None:
    """Return the page with the impact of the valid form; None once the user has seen it."""
    match = form.match
    # The service refuses a stale version.
    if not pairing.round.is_closed or form.cleaned_data["seen"] != match.version:
        return None
    impact, seen = get_impact(pairing, form.result), request.POST.get(IMPACT_MARK_FIELD)
    recorded = matches_records.settled_result(match)
    needs_reason = services.is_reason_required(pairing, recorded, form.result)
    note = form.reason() if needs_reason else form["note"]
    lacks_reason = needs_reason and not form.cleaned_data["note"]
    if seen == impact.mark and not lacks_reason:
        return None
    if seen is not None:
        messages.warning(
            request, REASON_MISSING_MESSAGE if seen == impact.mark else IMPACT_CHANGED_MESSAGE
        )
    context = {
        "pairing": pairing,
        "match": match,
        "impact": impact,
        "note": note,
        "before": result_in_words(match, recorded),
        "after": result_in_words(match, matches_records.result_with_losses(match, form.result)),
        "submitted": submitted_fields(request.POST, IMPACT_MARK_FIELD, note.html_name),
    }
    status = HTTPStatus.OK if seen is None else HTTPStatus.CONFLICT
    return render_desk_page(request, "tournaments/results/impact.html", context, status=status)


# The staff page of one table: reports, decision and judge notes.

# Staff enter the games as played, including those decided by a penalty.
AS_PLAYED_PARAMETER = "played"
# Time; a report and its text; or the note of a decision that cites rulings.
MatchHistoryLine: TypeAlias = tuple[datetime, ResultReport | None, str, JudgeNote | None]


@staff_page(event_permissions.can_open_desk, READ + WRITE)
def decide_result(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Show the reports and settle the result.

    A posted `report` is recorded as the result; `?report=` fills the form with it. Staff without
    the right to enter results may read; judges may write notes.
    """
    pairing, match = _get_table(request, number, table)
    if request.method == "POST":
        if "report" in request.POST:
            return _record_report(request, pairing)
        return _save_decision(request, pairing)
    chosen = request.GET.get("report", "")
    report = next((report for report in match.reports.all() if str(report.pk) == chosen), None)
    form = _make_decision_form(
        request,
        pairing,
        initial_result=(
            matches_records.result_from_document(report.result)
            if report
            else get_latest_result(match)
        ),
        is_locked=_is_locked(request),
    )
    return _decision_page(request, pairing, form)


def _get_table(request: EventRequest, number: int, table: int) -> tuple[Pairing, Match]:
    pairing = table_or_404(round_or_404(request, number), table)
    assert pairing.match is not None
    return pairing, pairing.match


def _decision_url(request: EventRequest, pairing: Pairing) -> str:
    places = [request.event.slug, pairing.round.number, pairing.table_number]
    return reverse("tournaments:decide", args=places)


def _make_decision_form(
    request: EventRequest, pairing: Pairing, data: QueryDict | None = None, **options: Any
) -> ResultEntryForm:
    assert pairing.match is not None
    # Only judges see notes, so only they may cite rulings.
    is_judge = event_permissions.can_judge(request.actor, request.event)
    form_class = ResultDecisionForm if is_judge else ResultEntryForm
    is_cut = pairing.round.is_in_cut
    return form_class(data, match=pairing.match, is_cut=is_cut, **options)


def _is_locked(request: HttpRequest) -> bool:
    """Return False if staff enter the result as `played`, ignoring penalties."""
    return AS_PLAYED_PARAMETER not in request.GET and AS_PLAYED_PARAMETER not in request.POST


def _record_report(request: EventRequest, pairing: Pairing) -> HttpResponse:
    """Settle an open dispute with the `report` of a player."""
    if not event_permissions.can_enter_results(request.actor, request.event):
        return _refuse_decision(request, pairing)
    report = whole_number(request.POST["report"], 18) or 0
    seen = whole_number(request.POST.get("seen", ""), 9) or 0
    if pairing.round.is_closed:
        # The page was loaded before; a closed round shows the effects of a result first.
        messages.error(request, ROUND_CLOSED_MESSAGE)
        return redirect(f"{_decision_url(request, pairing)}?report={report}#decision")
    with show_refusals(request):
        pairing.match = services.record_report(pairing, report, request.actor, seen_version=seen)
        return _redirect_after_decision(request, pairing, _points_sentence(pairing))
    return redirect(_decision_url(request, pairing))


def _refuse_decision(request: EventRequest, pairing: Pairing) -> HttpResponse:
    messages.error(request, _("You may write notes here, but not enter results."))
    return redirect(_decision_url(request, pairing))


def _redirect_after_decision(request: EventRequest, pairing: Pairing, text: str) -> HttpResponse:
    entry = get_newest_result_entry(pairing)
    undo = reverse("tournaments:log_undo", args=[request.event.slug, entry.pk]) if entry else ""
    messages.success(request, text, extra_tags=undo)
    return redirect("tournaments:desk", slug=request.event.slug)


def _save_decision(request: EventRequest, pairing: Pairing) -> HttpResponse:
    if not event_permissions.can_enter_results(request.actor, request.event):
        return _refuse_decision(request, pairing)
    locked = _is_locked(request)
    form = _make_decision_form(request, pairing, request.POST, is_locked=locked)
    limit_citable_rulings(form, visibility.rulings_for(request.actor))
    if not form.is_valid():
        return _decision_page(request, pairing, form, status=422)
    with show_refusals(request):
        if preview := render_impact_page(request, pairing, form):
            return preview
        saved = record_decision(request, pairing, form)
        return _redirect_after_decision(request, pairing, saved)
    pairing, match = _get_table(request, pairing.round.number, pairing.table_number or 0)
    typed = request.POST.copy()
    typed["seen"] = str(match.version)
    again = _make_decision_form(request, pairing, typed, is_locked=locked)
    limit_citable_rulings(again, visibility.rulings_for(request.actor))
    return _decision_page(request, pairing, again, status=409)


def _decision_page(
    request: EventRequest,
    pairing: Pairing,
    form: ResultEntryForm,
    note_form: CiteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    match = form.match
    if event_permissions.can_judge(request.actor, request.event):
        values = {"table": pairing.table_number, "round": pairing.round.name}
        label = _("table %(table)d, %(round)s") % values
        url = f"{_decision_url(request, pairing)}#notes"
        request.session["citing"] = {"label": label, "url": url}
    sees_notes = visibility.can_see_notes(request.actor, request.event)
    notes = rulings_queries.notes_of(match) if sees_notes else ()
    dispute = get_dispute(match)
    context = {
        "pairing": pairing,
        "match": match,
        "form": form,
        # Only the usual results are shown until one of them, or "Other", is chosen.
        "is_unchosen": not form.is_bound and not form.initial_result and not match.losses,
        "seats": get_result_card(pairing).seats,
        "cut_table": get_cut_table(pairing),
        "dispute": dispute,
        "claims": [
            (report, claim_sentence(match, report, report.seat.player.name))
            for report in dispute.reports
            if report.seat is not None
        ],
        "settled": result_in_words(match, matches_records.settled_result(match)),
        "history": _history_lines(match, notes),
        "notes": notes,
        "note_form": note_form or CiteForm(initial={"rulings": request.GET.get("rulings", "")}),
    }
    return render_desk_page(request, "tournaments/results/decide.html", context, status=status)


def _history_lines(match: Match, notes: Iterable[JudgeNote]) -> list[MatchHistoryLine]:
    reported: list[MatchHistoryLine] = [
        (
            report.created_at,
            report,
            matches_records.result_summary(matches_records.result_from_document(report.result)),
            None,
        )
        for report in match.reports.select_related("seat__player", "user__player")
    ]
    decided: list[MatchHistoryLine] = [
        (note.created_at, None, "", note) for note in notes if note.kind == NoteKind.RESULT
    ]
    return sorted([*reported, *decided], key=itemgetter(0))


@staff_page(event_permissions.can_judge, WRITE)
def add_note(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing, match = _get_table(request, number, table)
    form = CiteForm(request.POST, among=visibility.rulings_for(request.actor))
    if not form.is_valid():
        entry = _make_decision_form(request, pairing, initial_result=get_latest_result(match))
        return _decision_page(request, pairing, entry, form, status=422)
    with show_refusals(request):
        rulings_services.write_note(
            match,
            request.actor.user,
            form.cleaned_data["text"],
            form.cleaned_data["rulings"],
            practice=request.event.practice_of_id is not None,
        )
        messages.success(request, _("The note is saved."))
    return redirect(f"{_decision_url(request, pairing)}#notes")
