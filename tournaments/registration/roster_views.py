"""Staff pages of the roster: its rows, corrections of entries, links, and pasted lists."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any

import segno
from django.contrib import messages
from django.db import transaction
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from core.files import form_status
from core.form_fields import whole_number
from core.rate_limits import limit_player_lists
from core.text import count_phrase, find_lookalikes
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.models import Registration, RegistrationState, Tournament, event_log
from tournaments.models.events import PaymentCount
from tournaments.models.registrations import RosterSummary
from tournaments.registration import guests, roster_changes, services
from tournaments.registration.forms import (
    LAYOUT_LABELS,
    NAMES_KIND,
    USE_LABELS,
    AddPlayerForm,
    MergeEntriesForm,
    NumbersForm,
    PlayerNameForm,
    RosterListForm,
    SeedForm,
    SignUpsForm,
    TablePreferencesForm,
)
from tournaments.registration.guests import claim_url
from tournaments.registration.pasted_roster import LineAction, PlannedEntry, plan_entries
from tournaments.registration.roster_changes import MAX_REASON_LENGTH, NewEntry
from tournaments.web.access import EventRequest, PermissionCheck
from tournaments.web.idempotency import SecretResponse, idempotent
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    RefusalOutcome,
    desk_context,
    get_cleaned_data,
    is_htmx,
    render_desk_page,
    row_cache_context,
    seen_log_entry,
    show_refusals,
    staff_page,
    use_time_zone,
)

RowChange = Callable[[EventRequest, Registration], object]
UNPAID_FILTER = "unpaid"


@staff_page(event_permissions.can_open_desk)
def roster_page(request: EventRequest) -> HttpResponse:
    context = _roster_context(request, AddPlayerForm(tournament=request.event))
    return render_desk_page(request, "tournaments/registration/roster.html", context)


def _roster_context(request: EventRequest, form: AddPlayerForm) -> dict[str, Any]:
    typed, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    event, actor = request.event, request.actor
    paid = payment_counts(request)
    everybody = event.registrations.summaries()
    entries = event.search_roster(typed, state)
    if paid and state == UNPAID_FILTER:
        entries = entries.unpaid()
    is_too_late, is_full = form.is_too_late, event.is_full()
    rounds = rounds_context(request)
    lookalikes = similar_players(everybody)
    return {
        "rows": [
            (entry, lookalike, _row_cache_key(entry, lookalike))
            for entry, lookalike in ((entry, lookalikes.get(entry.number)) for entry in entries)
        ],
        "row_context": (
            event.slug,
            rounds,
            is_too_late,
            is_full,
            event_permissions.can_run(actor, event),
            event_permissions.can_judge(actor, event),
            paid is not None,
        ),
        **row_cache_context(request),
        "typed": typed,
        "state": state,
        "state_choices": [
            *RegistrationState.choices,
            *([(UNPAID_FILTER, "not paid")] if paid else []),
        ],
        "paid": paid,
        "form": form,
        "is_adding": form.is_bound or "added" in request.GET,
        "is_too_late": is_too_late,
        "is_full": is_full,
        **counts_context(Counter(player.state for player in everybody)),
        **rounds,
    }


def _row_cache_key(entry: Registration, lookalike: RosterSummary | None) -> tuple[object, ...]:
    """Everything the row shows, as part of its cache key."""
    decks = [
        (deck.side, deck.locked_at, deck.version.is_legal) for deck in entry.deck_submissions.all()
    ]
    player, fields = model_to_dict(entry.player), model_to_dict(entry)
    return entry.pk, entry.player.erased_at, player, decks, fields, lookalike


def payment_counts(request: EventRequest) -> PaymentCount | None:
    may_mark = event_permissions.can_mark_paid(request.actor, request.event)
    return request.event.payment_count() if may_mark else None


def similar_players(everybody: Sequence[RosterSummary]) -> dict[int, RosterSummary]:
    players = {player.number: player for player in everybody}
    lookalikes = find_lookalikes({player.number: player.name for player in everybody})
    return {number: players[lookalike] for number, lookalike in lookalikes.items()}


def rounds_context(request: EventRequest) -> dict[str, int | bool]:
    """Context on round 1 and the next round; drafts hidden from the actor do not count."""
    if visibility.can_see_drafts(request.actor, request.event):
        count = request.event.rounds.count()
    else:
        count = request.event.rounds.published().count()
    return {"has_round_one": count > 0, "next_round": count + 1}


def counts_context(states: Mapping[str, int]) -> dict[str, int]:
    return {
        "player_count": sum(states.values()) - states[RegistrationState.WAITING],
        "checked_in_count": states[RegistrationState.CHECKED_IN],
        "to_come_count": states[RegistrationState.REGISTERED],
        "waiting_count": states[RegistrationState.WAITING],
        "dropped_count": states[RegistrationState.DROPPED],
    }


@idempotent
@staff_page(event_permissions.can_run, WRITE)
def add_player(request: EventRequest) -> HttpResponse:
    event, actor = request.event, request.actor
    form = AddPlayerForm(request.POST, tournament=event)
    if form.is_valid():
        with show_refusals(request):
            (added,) = roster_changes.add_entries(
                event, [form.entry], actor, late_reason=form.cleaned_data["late_reason"]
            )
            from_round = f", and can play from round {added.joined_in_round}"
            later = from_round if added.joined_in_round > 1 else ""
            messages.success(request, f"{added.player} is on the roster{later}.")
            # Without a fragment: browsers do not apply autofocus on a page opened at an anchor.
            return redirect(f"{reverse('tournaments:roster', args=[event.slug])}?added")
    status = 409 if form.is_valid() else 422
    context = _roster_context(request, form)
    return render_desk_page(request, "tournaments/registration/roster.html", context, status)


@staff_page(event_permissions.can_run, WRITE)
def check_in_all(request: EventRequest) -> HttpResponse:
    waiting = request.event.registrations_to_check_in()
    with show_refusals(request):
        moved = services.check_in(list(waiting.select_related("tournament")), request.actor)
        messages.success(request, f"{count_phrase(moved, 'player')} checked in.")
    page = "desk" if request.POST.get("next") == "desk" else "roster"
    return redirect(f"tournaments:{page}", slug=request.event.slug)


def entry_or_404(tournament: Tournament, number: int) -> Registration:
    entry = tournament.roster_entry(number)
    if entry is None:
        raise Http404("No player has this number.")
    return entry


def row_action(ability: PermissionCheck) -> Callable[[RowChange], Callable[..., HttpResponse]]:
    """Turn the change of a player into a view.

    It returns the row to htmx, or redirects to the roster or to `next`.
    """

    def decorate(change: RowChange) -> Callable[..., HttpResponse]:
        @staff_page(ability, WRITE)
        @wraps(change)
        def view(request: EventRequest, number: int) -> HttpResponse:
            with show_refusals(request) as outcome:
                change(request, entry_or_404(request.event, number))
            return _row_response(request, number, outcome)

        return view

    return decorate


def _row_response(request: EventRequest, number: int, outcome: RefusalOutcome) -> HttpResponse:
    event = request.event
    if request.POST.get("next") == "desk":
        return redirect("tournaments:desk", slug=event.slug)
    if not is_htmx(request):
        # A refusal is shown at the top of the page.
        row = "" if outcome.refusal else f"#player-{number}"
        return redirect(f"{reverse('tournaments:roster', args=[event.slug])}{row}")
    players = event.registrations.summaries()
    context = {
        **desk_context(request),
        **counts_context(Counter(player.state for player in players)),
        **rounds_context(request),
        "entry": entry_or_404(event, number),
        "looks_like": similar_players(players).get(number),
        "is_too_late": event.is_too_late_to_join(),
        "is_full": event.is_full(),
        "paid": payment_counts(request),
        "with_counts": True,
    }
    status = 200 if outcome.refusal is None else 409
    return render(request, "tournaments/registration/_roster_row.html", context, status=status)


@row_action(event_permissions.can_open_desk)
def check_in(request: EventRequest, entry: Registration) -> None:
    services.check_in([entry], request.actor)


@row_action(event_permissions.can_open_desk)
def undo_check_in(request: EventRequest, entry: Registration) -> None:
    services.undo_check_in(entry, request.actor)


@row_action(event_permissions.can_run)
def drop_player(request: EventRequest, entry: Registration) -> None:
    services.drop_player(entry, request.actor)


@row_action(event_permissions.can_run)
def return_player(request: EventRequest, entry: Registration) -> None:
    services.return_player(entry, request.actor)


@row_action(event_permissions.can_run)
def move_up(request: EventRequest, entry: Registration) -> None:
    """Move a player from the waiting list to the roster; a full event requires a `reason`."""
    services.give_place_to_waiting(entry, request.actor, reason=_posted_reason(request))


@row_action(event_permissions.can_run)
def move_on_waiting_list(request: EventRequest, entry: Registration) -> None:
    """Move a player to a different `place` on the waiting list, with a `reason`."""
    place = whole_number(request.POST.get("place", ""), 5) or 0
    services.move_on_waiting_list(entry, request.actor, place=place, reason=_posted_reason(request))


@row_action(event_permissions.can_run)
def let_in_late(request: EventRequest, entry: Registration) -> None:
    """Check in a player after the last round for late entries, with a `reason`."""
    services.check_in([entry], request.actor, late_reason=_posted_reason(request))


def _posted_reason(request: HttpRequest, field: str = "reason") -> str:
    return request.POST.get(field, "").strip()[:MAX_REASON_LENGTH]


@row_action(event_permissions.can_run)
def set_first_round_bye(request: EventRequest, entry: Registration) -> None:
    has_bye = request.POST.get("bye") == "yes"
    roster_changes.set_first_round_bye(entry, request.actor, has_bye=has_bye)


@row_action(event_permissions.can_mark_paid)
def set_paid(request: EventRequest, entry: Registration) -> None:
    has_paid = request.POST.get("paid") == "yes"
    roster_changes.set_paid(request.event, [entry], request.actor, has_paid=has_paid)


@row_action(event_permissions.can_run)
def set_seed(request: EventRequest, entry: Registration) -> None:
    form = SeedForm(request.POST)
    cleaned = get_cleaned_data(form, form.error_text)
    roster_changes.set_seed_and_group(
        entry,
        request.actor,
        seed=cleaned["seed"],
        avoid_group=cleaned["avoid_group"],
        seen=form.seen,
    )


@staff_page(event_permissions.can_run, WRITE)
def seed_by_rating(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        done = roster_changes.seed_by_rating(request.event, request.actor)
        messages.success(request, _seeding_in_words(done))
    return redirect("tournaments:roster", slug=request.event.slug)


def _seeding_in_words(done: roster_changes.SeedingCounts) -> str:
    if not done.rated:
        return "No player has a rating yet, so all players share one seed."
    sentences = [f"Seeded {count_phrase(done.rated, 'player')} by rating, the strongest first."]
    if done.unrated:
        sentences.append(f"{count_phrase(done.unrated, 'player')} without a rating came last.")
    sentences.append("Seed again if players join. You can undo this in the log.")
    return " ".join(sentences)


@staff_page(event_permissions.can_run, WRITE)
def remove_player(request: EventRequest, number: int) -> HttpResponse:
    entry = entry_or_404(request.event, number)
    with show_refusals(request):
        roster_changes.remove_player(entry, request.actor)
        messages.success(request, f"{entry.player} was removed from the roster.")
    return redirect("tournaments:roster", slug=request.event.slug)


@row_action(event_permissions.can_run)
@transaction.atomic
def set_table_preferences(request: EventRequest, entry: Registration) -> None:
    cleaned = get_cleaned_data(
        TablePreferencesForm(request.POST),
        "A table is a number from 1 to 9999. Leave it empty for none.",
    )
    roster_changes.set_fixed_table(entry, request.actor, cleaned["fixed_table"])
    roster_changes.set_avoids_stream(entry, request.actor, avoids=cleaned["avoids_stream"])
    messages.success(request, f"Saved for {entry.player}. This applies from the next draft.")


@staff_page(event_permissions.can_run, READ + WRITE)
def remove_sign_ups(request: EventRequest) -> HttpResponse:
    """Preview the removal of sign-ups between `since` and `until`; POST removes them by number."""
    if request.method == "POST":
        chosen = NumbersForm(request.POST)
        numbers = chosen.cleaned_data["numbers"] if chosen.is_valid() else []
        with show_refusals(request):
            removed = roster_changes.remove_sign_ups(request.event, numbers, request.actor)
            messages.success(request, f"{count_phrase(len(removed), 'player')} removed.")
        return redirect("tournaments:roster", slug=request.event.slug)
    with use_time_zone(request.event.time_zone):
        form = SignUpsForm(request.GET or None)
        is_submitted = bool(request.GET) and form.is_valid()
        sign_ups = request.event.removable_sign_ups(*form.period) if is_submitted else []
        context = {"form": form, "is_submitted": is_submitted, "sign_ups": sign_ups}
        status = 422 if form.errors else 200
        return render_desk_page(
            request, "tournaments/registration/roster_sign_ups.html", context, status
        )


# Corrections of entries, and personal links


LINKS_MADE_BEFORE = (
    "These links were already made, and they are shown only once. "
    "If you have lost the sheet, make new links for all."
)


@staff_page(event_permissions.can_run, READ + WRITE)
def edit_entry(request: EventRequest, number: int) -> HttpResponse:
    entry = entry_or_404(request.event, number)
    player = entry.player
    form = PlayerNameForm(
        request.POST or None, initial={"name": player.name, "pronouns": player.pronouns}
    )
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with show_refusals(request):
            name, pronouns = form.cleaned_data["name"], form.cleaned_data["pronouns"]
            guests.rename_guest(entry, request.actor, name, pronouns)
            messages.success(request, f"Saved: number {number} is {name}.")
            return _redirect_to_row(request.event, number)
        status = 409
    return _entry_page(request, entry, form, status)


@staff_page(event_permissions.can_run, WRITE)
def merge_entries(request: EventRequest, number: int) -> HttpResponse:
    entry = entry_or_404(request.event, number)
    form = MergeEntriesForm(request.POST, others=_merge_candidates(entry))
    status = 422
    if form.is_valid():
        duplicate = entry_or_404(request.event, form.cleaned_data["other"])
        with show_refusals(request):
            reason = form.cleaned_data["reason"]
            roster_changes.merge_entries(entry, duplicate, request.actor, reason)
            messages.success(request, f"Merged: number {duplicate.number} is now number {number}.")
            return _redirect_to_row(request.event, number)
        status = 409
    return _entry_page(request, entry, None, status, form)


def _entry_page(
    request: EventRequest,
    entry: Registration,
    form: PlayerNameForm | None,
    status: int,
    merge_form: MergeEntriesForm | None = None,
) -> HttpResponse:
    player = entry.player
    context = {
        "entry": entry,
        "form": form or PlayerNameForm(initial={"name": player.name, "pronouns": player.pronouns}),
        "merge_form": merge_form or MergeEntriesForm(others=_merge_candidates(entry)),
    }
    return render_desk_page(request, "tournaments/registration/roster_entry.html", context, status)


def _merge_candidates(entry: Registration) -> list[Registration]:
    return [candidate for candidate in entry.tournament.roster() if candidate.pk != entry.pk]


def _redirect_to_row(tournament: Tournament, number: int) -> HttpResponse:
    return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}#player-{number}")


@staff_page(event_permissions.can_run, READ + WRITE)
def issue_claim_link(request: EventRequest, number: int) -> HttpResponse:
    """Issue a personal link, shown once; GET shows a form, as it ends the previous link."""
    entry = entry_or_404(request.event, number)
    context: dict[str, object] = {"entry": entry}
    if request.method == "POST":
        with show_refusals(request):
            secret = guests.issue_claim_link(entry, request.actor)
            link = claim_url(request, secret)
            context |= {"link": link, "qr": segno.make(link, error="m").svg_data_uri(border=2)}
    response = render_desk_page(request, "tournaments/registration/claim_link.html", context)
    if "link" in context:
        # Not on the confirmation page: a form sent from there would lose its Origin header.
        response["Referrer-Policy"] = "no-referrer"
    return response


@idempotent
@staff_page(event_permissions.can_run, READ + WRITE)
def issue_claim_links(request: EventRequest) -> HttpResponse:
    """Issue personal links for all without one, or new links for all; GET shows a form."""
    event, actor = request.event, request.actor
    template = "tournaments/registration/claim_links.html"
    if request.method != "POST":
        context: dict[str, object] = {
            "waiting": guests.registrations_without_link(event, actor).count(),
            "all": guests.linkable_registrations(event, actor).count(),
        }
        return render_desk_page(request, template, context)
    issued = guests.issue_claim_links(event, actor, replace_valid="anew" in request.POST)
    links = [(link.registration, claim_url(request, link.secret)) for link in issued]
    context = {
        "sheet": [
            (entry, link, segno.make(link, error="m").svg_data_uri(border=2, light="#fff"))
            for entry, link in links
        ],
        "is_made": True,
    }
    response = render_desk_page(request, template, context)
    if links:
        again = reverse("tournaments:claim_links", args=[event.slug])
        response = SecretResponse(response, again, LINKS_MADE_BEFORE)
    response["Referrer-Policy"] = "no-referrer"
    return response


# Pasted and uploaded lists


@limit_player_lists
@staff_page(event_permissions.can_run, READ + WRITE)
def enter_roster_list(request: EventRequest, kind: str) -> HttpResponse:
    # `edit` returns the text of a preview to the form.
    form = RosterListForm(request.POST or None, request.FILES or None, initial={"kind": kind})
    status = HTTPStatus.OK
    if "edit" in request.POST:
        form = RosterListForm(initial={"kind": kind, "text": request.POST.get("text", "")})
    elif request.method == "POST":
        if form.is_valid():
            return _preview_page(request, form)
        status = form_status(form)
    context = {"form": form, "kind": kind}
    return render_desk_page(
        request, "tournaments/registration/roster_list.html", context, status=status
    )


def _plan_of_form(tournament: Tournament, form: RosterListForm) -> list[PlannedEntry]:
    existing = tournament.registrations.values_list("number", "player__name")
    return plan_entries(form.cleaned_data["roster"], existing)


@dataclass(frozen=True)
class RosterPreviewLine:
    entry: PlannedEntry
    is_ticked: bool
    # The choice for a similar name: "add" for a different player, "skip", or "" if open.
    answer: str
    typed_name: str


def _preview_page(
    request: EventRequest,
    form: RosterListForm,
    taken: Container[object] | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    event = request.event
    roster, plan, names = form.cleaned_data["roster"], _plan_of_form(event, form), form.typed_names
    actions = [entry.action for entry in plan]
    lines = [
        RosterPreviewLine(
            entry,
            entry.action == LineAction.ADD if taken is None else entry.line.line in taken,
            request.POST.get(f"similar-{entry.line.line}", ""),
            names.get(entry.line.line, ""),
        )
        for entry in plan
    ]
    context: dict[str, Any] = {
        "lines": lines,
        "kind": form.cleaned_data["kind"],
        "text": form.cleaned_data["text"],
        "layout": roster.layout,
        "layouts": LAYOUT_LABELS,
        "columns": roster.columns,
        "uses": USE_LABELS.items(),
        "notices": roster.notices,
        "adding": actions.count(LineAction.ADD),
        "similar": actions.count(LineAction.SIMILAR),
        "duplicates": sum(action.is_duplicate for action in actions),
        "payers": sum(entry.marks_paid(()) for entry in plan),
        "unusable": actions.count(LineAction.INVALID) + actions.count(LineAction.HEADING),
        "seen": event.log.newest_id(event_log.ROSTER_CHANGES),
        "next_round": event.next_round_number(),
        "is_too_late": event.is_too_late_to_join(),
    }
    return render_desk_page(
        request, "tournaments/registration/roster_preview.html", context, status
    )


@limit_player_lists
@staff_page(event_permissions.can_run, WRITE)
def apply_roster_list(request: EventRequest) -> HttpResponse:
    """Add the ticked lines of the preview, and similar names marked as different players."""
    form = RosterListForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "kind": request.POST.get("kind", NAMES_KIND)}
        return render_desk_page(
            request, "tournaments/registration/roster_list.html", context, status=422
        )
    plan = _plan_of_form(request.event, form)
    taken = {entry.line.line for entry in plan if f"take-{entry.line.line}" in request.POST}
    # Lines with a newly typed name had no checkbox and are always added.
    taken |= {
        entry.line.line
        for entry in plan
        if entry.action == LineAction.ADD and form.typed_names.get(entry.line.line)
    }
    if problem := _open_question(request, plan, form):
        messages.error(request, problem)
        return _preview_page(request, form, taken, status=422)
    taken |= {
        entry.line.line
        for entry in plan
        if entry.action == LineAction.SIMILAR
        and request.POST[f"similar-{entry.line.line}"] == "add"
    }
    untaken = {entry.line.line for entry in plan} - taken
    new = [entry.line for entry in plan if entry.is_added(taken, untaken)]
    payers = [entry.existing_id or 0 for entry in plan if entry.marks_paid(taken)]
    if not new and not payers:
        messages.error(request, "No line is ticked. Tick the players to add.")
        return _preview_page(request, form, taken, status=422)
    # A repeated click adds no duplicates: the roster has changed, so the preview is shown again.
    with show_refusals(request):
        added = roster_changes.add_entries(
            request.event,
            [NewEntry.of_line(line) for line in new],
            request.actor,
            seen=seen_log_entry(request) or 0,
            payers=payers,
            late_reason=_posted_reason(request, "late_reason"),
        )
        skipped = len(plan) - len(added)
        rest = f", {count_phrase(skipped, 'line')} skipped" if skipped else ""
        messages.success(request, f"{count_phrase(len(added), 'player')} added{rest}.")
        return redirect("tournaments:roster", slug=request.event.slug)
    return _preview_page(request, form, taken)


def _open_question(request: HttpRequest, plan: Iterable[PlannedEntry], form: RosterListForm) -> str:
    for entry in plan:
        number, line = entry.line.line, entry.line
        is_left_out = entry.action == LineAction.INVALID or (
            entry.action.is_duplicate and f"take-{number}" not in request.POST
        )
        if entry.action == LineAction.SIMILAR and f"similar-{number}" not in request.POST:
            return f"Line {number}: is {line.name} a different person? Choose an answer."
        # Never skip a newly typed name silently.
        if is_left_out and form.typed_names.get(number):
            return f"Line {number}: {entry.reason}"
    return ""
