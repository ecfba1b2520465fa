"""The roster: search, add, check in, drop, return, seed and remove players."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.forms.models import model_to_dict
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from core.confusables import alike
from core.errors import StaleVersion
from core.form_fields import whole_number
from core.text import counted
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.registration.forms import AddForm, NumbersForm, SeedForm, SignUpsForm, WishesForm
from tournaments.registration.services import registrations, rosters, seeding, waiting_list
from tournaments.registration.services.rosters import LONGEST_REASON
from tournaments.rounds.services import late_entries
from tournaments.web.views.access import Ability, EventRequest
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    abilities,
    cleaned,
    desk_page,
    in_zone,
    is_htmx,
    row_cache,
    staff_page,
)

Change = Callable[[Registration], object]
Tap = Callable[[Registration, Actor], None]
UNPAID = "unpaid"
EXPECTED = (
    registrations.AlreadyPlayed,
    registrations.CannotReturn,
    registrations.OrderIsFixed,
    late_entries.TooLate,
    waiting_list.NotWaiting,
    StaleVersion,
)


@staff_page(permissions.can_open_desk)
def roster(request: EventRequest) -> HttpResponse:
    """Show the roster, filtered by search text and state."""
    context = _context(request, AddForm(tournament=request.event))
    return desk_page(request, "tournaments/registration/roster.html", context)


def _context(request: EventRequest, form: AddForm) -> dict[str, Any]:
    typed, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    event, actor = request.event, request.actor
    paid = paid_of(request)
    everybody = queries.everybody_on_roster(event)
    found = queries.found_on_roster(event, typed, state)
    if paid and state == UNPAID:
        found = queries.unpaid(found)
    is_too_late, is_full = form.is_too_late, queries.is_full(event)
    rounds = rounds_seen(request)
    return {
        "rows": _rows(found, everybody),
        "row_says": (
            event.slug,
            rounds,
            is_too_late,
            is_full,
            permissions.can_run(actor, event),
            permissions.can_judge(actor, event),
            paid is not None,
        ),
        **row_cache(request),
        "typed": typed,
        "state": state,
        "state_choices": [*RegistrationState.choices, *([(UNPAID, "not paid")] if paid else [])],
        "paid": paid,
        "form": form,
        "is_adding": form.is_bound or "added" in request.GET,
        "is_too_late": is_too_late,
        "is_full": is_full,
        **counts(Counter(one.state for one in everybody)),
        **rounds,
    }


def _rows(
    found: Iterable[Registration], everybody: Sequence[queries.OnRoster]
) -> list[tuple[Registration, queries.OnRoster | None, tuple[object, ...]]]:
    """Rows as (registration, player with a similar name, cache key of the row)."""
    taken_for = looks_like(everybody)
    others = ((entry, taken_for.get(entry.number)) for entry in found)
    return [(entry, other, (*_says(entry), other)) for entry, other in others]


def _says(entry: Registration) -> tuple[object, ...]:
    """Everything the row shows, as part of its cache key."""
    decks = [
        (deck.side, deck.locked_at, deck.version.is_legal) for deck in entry.deck_submissions.all()
    ]
    player = entry.player
    return entry.pk, player.erased_at, model_to_dict(player), decks, model_to_dict(entry)


def paid_of(request: EventRequest) -> queries.Paid | None:
    """Payment counts for staff who may mark payments, else None."""
    may_mark = permissions.can_mark_paid(request.actor, request.event)
    return queries.paid(request.event) if may_mark else None


def looks_like(everybody: Sequence[queries.OnRoster]) -> dict[int, queries.OnRoster]:
    """Map player numbers to a player with a confusingly similar name."""
    players = {one.number: one for one in everybody}
    others = alike({one.number: one.name for one in everybody})
    return {number: players[other] for number, other in others.items()}


def rounds_seen(request: EventRequest) -> dict[str, int | bool]:
    """Context on round 1 and the next round; drafts hidden from the actor do not count."""
    if visibility.can_see_drafts(request.actor, request.event):
        count = queries.rounds(request.event).count()
    else:
        count = queries.visible_rounds(request.event).count()
    return {"has_round_one": count > 0, "next_round": count + 1}


def counts(states: Mapping[str, int]) -> dict[str, int]:
    """The figures above the table, from the number of players in each state."""
    return {
        "player_count": sum(states.values()) - states[RegistrationState.WAITING],
        "checked_in_count": states[RegistrationState.CHECKED_IN],
        "to_come_count": states[RegistrationState.REGISTERED],
        "waiting_count": states[RegistrationState.WAITING],
        "dropped_count": states[RegistrationState.DROPPED],
    }


@once
@staff_page(permissions.can_run, WRITE)
def add(request: EventRequest) -> HttpResponse:
    """Add a player by name; the form is ready for the next name."""
    event, actor = request.event, request.actor
    form = AddForm(request.POST, tournament=event)
    if form.is_valid():
        with RefusalsShown(request, registrations.OrderIsFixed, late_entries.TooLate):
            (added,) = rosters.add_entries(
                event, [form.entry], actor, late_reason=form.cleaned_data["late_reason"]
            )
            messages.success(request, _welcome(added))
            # Without a fragment: browsers do not apply autofocus on a page opened at an anchor.
            return redirect(f"{reverse('tournaments:roster', args=[event.slug])}?added")
    status = 409 if form.is_valid() else 422
    context = _context(request, form)
    return desk_page(request, "tournaments/registration/roster.html", context, status)


def _welcome(added: Registration) -> str:
    if added.joined_in_round > 1:
        return f"{added.player} is on the roster, and can play from round {added.joined_in_round}."
    return f"{added.player} is on the roster."


@staff_page(permissions.can_run, WRITE)
def check_in_all(request: EventRequest) -> HttpResponse:
    """Check in all registered players; `next` selects the page to return to."""
    waiting = queries.to_check_in(request.event)
    with RefusalsShown(request, registrations.OrderIsFixed, late_entries.TooLate):
        moved = registrations.check_in(list(waiting.select_related("tournament")), request.actor)
        messages.success(request, f"Checked in: {moved}.")
    page = "desk" if request.POST.get("next") == "desk" else "roster"
    return redirect(f"tournaments:{page}", slug=request.event.slug)


def entry_or_404(tournament: Tournament, number: int) -> Registration:
    """Get a registration with the data of its roster row, or raise Http404."""
    entry = queries.roster_entry(tournament, number)
    if entry is None:
        raise Http404("No player has this number.")
    return entry


def _answer(request: EventRequest, number: int, change: Change) -> HttpResponse:
    """Change a player, then return the row to htmx or redirect to the roster.

    With `next` set to desk, redirect to the desk.
    """
    event = request.event
    with RefusalsShown(request, *EXPECTED) as outcome:
        change(entry_or_404(event, number))
    if request.POST.get("next") == "desk":
        return redirect("tournaments:desk", slug=event.slug)
    if not is_htmx(request):
        # A refusal is shown at the top of the page.
        row = "" if outcome.refusal else f"#player-{number}"
        return redirect(f"{reverse('tournaments:roster', args=[event.slug])}{row}")
    everybody = queries.everybody_on_roster(event)
    context = {
        **abilities(request),
        **counts(Counter(one.state for one in everybody)),
        **rounds_seen(request),
        "entry": entry_or_404(event, number),
        "looks_like": looks_like(everybody).get(number),
        "is_too_late": queries.is_too_late(event),
        "is_full": queries.is_full(event),
        "paid": paid_of(request),
        "with_counts": True,
    }
    status = 200 if outcome.refusal is None else 409
    return render(request, "tournaments/registration/_roster_row.html", context, status=status)


def _tap(ability: Ability) -> Callable[[Tap], Callable[..., HttpResponse]]:
    """Decorate a row button that needs no input but the player."""

    def decorate(change: Tap) -> Callable[..., HttpResponse]:
        @staff_page(ability, WRITE)
        @wraps(change)
        def view(request: EventRequest, number: int) -> HttpResponse:
            return _answer(request, number, lambda entry: change(entry, request.actor))

        return view

    return decorate


@_tap(permissions.can_open_desk)
def check_in(entry: Registration, actor: Actor) -> None:
    registrations.check_in([entry], actor)


@_tap(permissions.can_open_desk)
def undo_check_in(entry: Registration, actor: Actor) -> None:
    """Undo an accidental check-in."""
    registrations.undo_check_in(entry, actor)


@_tap(permissions.can_run)
def drop(entry: Registration, actor: Actor) -> None:
    registrations.drop(entry, actor)


@_tap(permissions.can_run)
def return_(entry: Registration, actor: Actor) -> None:
    registrations.return_(entry, actor)


@staff_page(permissions.can_run, WRITE)
def move_up(request: EventRequest, number: int) -> HttpResponse:
    """Move a player from the waiting list to the roster; a full event requires a `reason`."""
    reason = request.POST.get("reason", "").strip()[:LONGEST_REASON]
    change = partial(waiting_list.move_up, actor=request.actor, reason=reason)
    return _answer(request, number, change)


@staff_page(permissions.can_run, WRITE)
def move_on_list(request: EventRequest, number: int) -> HttpResponse:
    """Move a player to a different `place` on the waiting list, with a `reason`."""
    place = whole_number(request.POST.get("place", ""), 5) or 0
    reason = request.POST.get("reason", "").strip()[:LONGEST_REASON]
    change = partial(waiting_list.move, actor=request.actor, place=place, reason=reason)
    return _answer(request, number, change)


@staff_page(permissions.can_run, WRITE)
def let_in(request: EventRequest, number: int) -> HttpResponse:
    """Check in a player after the last round for late entries, with a `reason`."""
    reason = request.POST.get("reason", "").strip()[:LONGEST_REASON]
    change = partial(_let_in, actor=request.actor, reason=reason)
    return _answer(request, number, change)


def _let_in(entry: Registration, actor: Actor, reason: str) -> None:
    registrations.check_in([entry], actor, late_reason=reason)


@staff_page(permissions.can_run, WRITE)
def first_round_bye(request: EventRequest, number: int) -> HttpResponse:
    """Give or take away the bye in round 1, with `bye` set to yes or no."""
    has_bye = request.POST.get("bye") == "yes"
    change = partial(rosters.set_first_round_bye, actor=request.actor, has_bye=has_bye)
    return _answer(request, number, change)


@staff_page(permissions.can_mark_paid, WRITE)
def set_paid(request: EventRequest, number: int) -> HttpResponse:
    """Set whether the player has paid, with `paid` set to yes or no."""
    has_paid = request.POST.get("paid") == "yes"

    def change(entry: Registration) -> None:
        rosters.set_paid(request.event, [entry], request.actor, has_paid=has_paid)

    return _answer(request, number, change)


@staff_page(permissions.can_run, WRITE)
def seed(request: EventRequest, number: int) -> HttpResponse:
    """Set or clear a player's seed and avoid group."""
    form = SeedForm(request.POST)

    def change(entry: Registration) -> None:
        said = cleaned(form, form.words)
        rosters.set_seed_and_group(
            entry,
            actor=request.actor,
            seed=said["seed"],
            avoid_group=said["avoid_group"],
            seen=form.seen,
        )

    return _answer(request, number, change)


@staff_page(permissions.can_run, WRITE)
def seed_by_rating(request: EventRequest) -> HttpResponse:
    """Seed all players by rating before round 1, and report the outcome."""
    with RefusalsShown(request, registrations.AlreadyPlayed):
        done = seeding.seed_by_rating(request.event, request.actor)
        messages.success(request, _seeded(done))
    return redirect("tournaments:roster", slug=request.event.slug)


def _seeded(done: seeding.Seeded) -> str:
    if not done.rated:
        return "Nobody here has a rating yet, so all players share one seed."
    last = f" {counted(done.unrated, 'player')} without a rating came last." if done.unrated else ""
    again = "Seed again if somebody joins; the log can undo it."
    return f"Seeded {counted(done.rated, 'player')} by rating, the strongest first.{last} {again}"


@staff_page(permissions.can_run, WRITE)
def remove(request: EventRequest, number: int) -> HttpResponse:
    """Remove a player who was never paired from the roster."""
    entry = entry_or_404(request.event, number)
    with RefusalsShown(request, registrations.AlreadyPlayed):
        rosters.remove(entry, request.actor)
        messages.success(request, f"{entry.player} is off the roster.")
    return redirect("tournaments:roster", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def set_wishes(request: EventRequest, number: int) -> HttpResponse:
    """Set the table preferences of a player as staff."""
    form = WishesForm(request.POST)

    @transaction.atomic
    def change(entry: Registration) -> None:
        said = cleaned(form, "A table is a number from 1 to 9999. Leave it empty for none.")
        rosters.set_fixed_table(entry, request.actor, said["fixed_table"])
        rosters.set_avoids_stream(entry, request.actor, avoids=said["avoids_stream"])
        messages.success(request, f"Saved for {entry.player}; it counts from the next draft.")

    return _answer(request, number, change)


@staff_page(permissions.can_run, READ + WRITE)
def roster_sign_ups(request: EventRequest) -> HttpResponse:
    """Preview the removal of sign-ups between `since` and `until`; POST removes them by number."""
    if request.method == "POST":
        return _removed(request)
    with in_zone(request.event.time_zone):
        form = SignUpsForm(request.GET or None)
        is_asked = bool(request.GET) and form.is_valid()
        sign_ups = queries.removable_sign_ups(request.event, *form.stretch()) if is_asked else []
        context = {"form": form, "is_asked": is_asked, "sign_ups": sign_ups}
        status = 422 if form.errors else 200
        return desk_page(request, "tournaments/registration/roster_sign_ups.html", context, status)


def _removed(request: EventRequest) -> HttpResponse:
    form = NumbersForm(request.POST)
    numbers = form.cleaned_data["numbers"] if form.is_valid() else []
    with RefusalsShown(request):
        gone = rosters.remove_sign_ups(request.event, numbers, request.actor)
        messages.success(request, f"Off the roster: {len(gone)}.")
    return redirect("tournaments:roster", slug=request.event.slug)
