"""The roster: who is on it, one added by typing, all checked in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from core.confusables import alike
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.registration.forms import AddForm
from tournaments.registration.services import registrations
from tournaments.web.views.staff_pages import WRITE, desk_page, row_cache, staff_page, told


@staff_page(permissions.can_open_desk)
def roster(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody, or those a search or a state leaves."""
    context = _context(request, tournament, actor, AddForm(tournament=tournament))
    return desk_page(request, tournament, actor, "tournaments/registration/roster.html", context)


def _context(
    request: HttpRequest, tournament: Tournament, actor: Actor, form: AddForm
) -> dict[str, Any]:
    typed, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    everybody = queries.everybody_on_roster(tournament)
    taken_for = looks_like(everybody)
    found = queries.found_on_roster(tournament, typed, state)
    is_too_late, is_full = queries.is_too_late(tournament), queries.is_full(tournament)
    rounds = rounds_seen(tournament, actor)
    return {
        "rows": [
            (entry, other, (*_says(entry), other))
            for entry in found
            for other in [taken_for.get(entry.number)]
        ],
        "row_says": (
            tournament.slug,
            rounds,
            is_too_late,
            is_full,
            permissions.can_run(actor, tournament),
            permissions.can_judge(actor, tournament),
        ),
        **row_cache(request),
        "typed": typed,
        "state": state,
        "state_choices": RegistrationState.choices,
        "form": form,
        "add_again": "added" in request.GET,
        "is_too_late": is_too_late,
        "is_full": is_full,
        **counts(Counter(one.state for one in everybody)),
        **rounds,
    }


def _says(entry: Registration) -> tuple[object, ...]:
    """All that is shown of this player: the row is rendered again when it changes."""
    decks = [
        (deck.side, deck.locked_at, deck.version.is_legal) for deck in entry.deck_submissions.all()
    ]
    player = entry.player
    known = player.user_id, player.claimed_at, player.erased_at
    return entry.pk, player.name, player.pronouns, known, decks, model_to_dict(entry)


def looks_like(everybody: Sequence[queries.OnRoster]) -> dict[int, queries.OnRoster]:
    """For each number whose name is taken for another's: that other player."""
    players = {one.number: one for one in everybody}
    others = alike({one.number: one.name for one in everybody})
    return {number: players[other] for number, other in others.items()}


def rounds_seen(tournament: Tournament, actor: Actor) -> dict[str, int | bool]:
    """Whether round 1 is there, and which is next; a draft only for those who may see it."""
    if visibility.can_see_drafts(actor, tournament):
        count = queries.rounds(tournament).count()
    else:
        count = queries.visible_rounds(tournament).count()
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


@staff_page(permissions.can_run, WRITE)
def add(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """One name typed; the next one can be typed at once."""
    form = AddForm(request.POST, tournament=tournament)
    if form.is_valid():
        with told(request, registrations.OrderIsFixed, registrations.TooLate):
            (added,) = registrations.add_entries(
                tournament, [form.entry], actor, late_reason=form.cleaned_data["late_reason"]
            )
            messages.success(request, _welcome(added))
        return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}?added#add")
    context = _context(request, tournament, actor, form)
    return desk_page(
        request, tournament, actor, "tournaments/registration/roster.html", context, status=422
    )


def _welcome(added: Registration) -> str:
    if added.joined_in_round > 1:
        return f"{added.player} is on the roster, and can play from round {added.joined_in_round}."
    return f"{added.player} is on the roster."


@staff_page(permissions.can_run, WRITE)
def check_in_all(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody who waits is here; those who dropped stay away. `next` says where it leads."""
    waiting = tournament.registrations.filter(state=RegistrationState.REGISTERED)
    with told(request, registrations.OrderIsFixed, registrations.TooLate):
        moved = registrations.check_in(list(waiting.select_related("tournament")), actor)
        messages.success(request, f"Checked in: {moved}.")
    page = "desk" if request.POST.get("next") == "desk" else "roster"
    return redirect(f"tournaments:{page}", slug=tournament.slug)
