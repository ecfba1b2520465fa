"""Staff pages of the roster: its rows, corrections of entries, links, and pasted lists."""

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.files import form_status
from core.form_fields import whole_number
from core.languages import in_words
from core.rate_limits import limit_player_lists
from players.sessions import claim_url
from tournaments.event import permissions as event_permissions
from tournaments.models import (
    LogAction,
    Registration,
    RegistrationState,
    Tournament,
    event_log,
)
from tournaments.models.events import PaymentCount
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
from tournaments.registration.pages import known_names, roster_view
from tournaments.registration.pasted_roster import (
    LineAction,
    PlannedEntry,
    known_spellings,
    plan_entries,
)
from tournaments.registration.roster_changes import MAX_REASON_LENGTH, NewEntry
from tournaments.web.access import EventRequest, PermissionCheck
from tournaments.web.idempotency import SecretResponse, idempotent
from tournaments.web.polling import is_fragment
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    RefusalOutcome,
    desk_context,
    get_cleaned_data,
    is_htmx,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
    use_time_zone,
)


@dataclass(frozen=True)
class ChangeReport:
    """A success message, and the log actions of which the newest can be undone."""

    text: str
    actions: Sequence[LogAction]
    # The message if nothing was logged.
    unchanged: str = ""


RowChange = Callable[[EventRequest, Registration], ChangeReport | None]
# The htmx target of forms in the side sheet.
SHEET_TARGET = "sheet-message"
NO_SUCH_PLAYER = gettext_lazy("No player has this number.")


@staff_page(event_permissions.can_open_desk)
def roster_page(request: EventRequest) -> HttpResponse:
    """Show the whole roster; `q` and `state` hide rows, which a script does without a request.

    Polling returns its rows and counts, or 304 if nothing has changed.
    """
    etag = roster_etag(request)
    if not is_fragment(request):
        return _roster_page(request, AddPlayerForm(tournament=request.event), etag=etag)
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    context = {"roster": roster_view(request.event, request.actor), "base": ""}
    response = render_desk_page(request, "tournaments/registration/_roster_fresh.html", context)
    response["ETag"] = etag
    return response


def roster_etag(request: EventRequest) -> str:
    """Return an ETag that changes with every entry of the log: every change is logged."""
    state = request.actor.user, request.event.log.newest_id()
    return f'"{sha256(repr(state).encode()).hexdigest()}"'


def _roster_page(
    request: EventRequest, form: AddPlayerForm, status: int = 200, etag: str = ""
) -> HttpResponse:
    typed = request.GET.get("q", "").strip()
    roster = roster_view(
        request.event, request.actor, typed=typed, state=request.GET.get("state", "")
    )
    is_asked = "add" in request.GET or "added" in request.GET
    context = {
        "roster": roster,
        "typed": typed,
        "form": form,
        "is_adding": form.is_bound or is_asked or not roster.rows,
        # Addresses of rows are relative; a refused form is shown below the roster.
        "base": "../" if form.is_bound else "",
        "etag": etag,
    }
    return render_desk_page(request, "tournaments/registration/roster.html", context, status)


def payment_counts(request: EventRequest) -> PaymentCount | None:
    may_mark = event_permissions.can_mark_paid(request.actor, request.event)
    return request.event.payment_count() if may_mark else None


@idempotent
@staff_page(event_permissions.can_run, WRITE)
def add_player(request: EventRequest) -> HttpResponse:
    """Add a player by name. Once round 1 is paired, a late entry is also checked in."""
    event, actor = request.event, request.actor
    form = AddPlayerForm(request.POST, tournament=event)
    added: Registration | None = None
    if form.is_valid():
        with show_refusals(request):
            (added,) = roster_changes.add_entries(
                event,
                [form.entry],
                actor,
                late_reason=form.cleaned_data["late_reason"],
                is_here=event.rounds.exists(),
            )
            added.refresh_from_db(fields=["state", "joined_in_round"])
            messages.success(request, _added_in_words(added))
    if is_htmx(request):
        return _added_response(request, form, added)
    if added is not None:
        # Without a fragment: browsers do not apply autofocus on a page opened at an anchor.
        return redirect(f"{reverse('tournaments:roster', args=[event.slug])}?added")
    return _roster_page(request, form, 409 if form.is_valid() else 422)


def _added_in_words(added: Registration) -> str:
    words = {"player": added.player, "round": added.joined_in_round}
    if added.is_active:
        return _("%(player)s is checked in and plays from round %(round)s.") % words
    return _("%(player)s is on the roster.") % words


def _added_response(
    request: EventRequest, form: AddPlayerForm, added: Registration | None
) -> HttpResponse:
    """Return the new row and a message beside the field, or the form with its errors."""
    context: dict[str, Any] = {
        **desk_context(request),
        "roster": roster_view(request.event, request.actor),
        "form": form,
        "added": added,
    }
    if added is not None:
        context["row"] = context["roster"].row(added.number)
        context["form"] = AddPlayerForm(tournament=request.event)
    status = 200 if added is not None else 409 if form.is_valid() else 422
    return render(request, "tournaments/registration/_roster_added.html", context, status=status)


@staff_page(event_permissions.can_run, WRITE)
def check_in_all(request: EventRequest) -> HttpResponse:
    waiting = request.event.registrations_to_check_in()
    with show_refusals(request):
        moved = services.check_in(list(waiting.select_related("tournament")), request.actor)
        text = ngettext("%(count)s player checked in.", "%(count)s players checked in.", moved)
        messages.success(request, text % {"count": moved})
    page = "desk" if request.POST.get("next") == "desk" else "roster"
    return redirect(f"tournaments:{page}", slug=request.event.slug)


def entry_or_404(tournament: Tournament, number: int) -> Registration:
    entry = tournament.registrations.select_related("player").filter(number=number).first()
    if entry is None:
        raise Http404(NO_SUCH_PLAYER)
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
                entry = entry_or_404(request.event, number)
                before = request.event.log.newest_id()
                report = change(request, entry)
                if report is not None:
                    _show_report(request, report, entry, after=before)
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
    roster = roster_view(event, request.actor)
    context = {
        **desk_context(request),
        "roster": roster,
        "row": roster.row(number),
        "is_in_sheet": request.headers.get("HX-Target") == SHEET_TARGET,
        "is_refused": outcome.refusal is not None,
    }
    status = 200 if outcome.refusal is None else 409
    return render(request, "tournaments/registration/_roster_changed.html", context, status=status)


def _show_report(
    request: EventRequest, report: ChangeReport, entry: Registration | None, *, after: int
) -> None:
    """Show a success with a link to undo the newest of its actions, about `entry` if given.

    `after` is the newest log entry before the change. Without a later entry show `unchanged`, or
    that nothing was changed.
    """
    logged = request.event.log.filter(action__in=report.actions, pk__gt=after)
    if entry is not None:
        logged = logged.filter(registration=entry)
    newest = logged.order_by("-pk").values_list("pk", flat=True).first()
    if newest is None:
        messages.info(request, report.unchanged or _("Nothing was changed."))
        return
    undo = reverse("tournaments:log_undo", args=[request.event.slug, newest])
    messages.success(request, report.text, extra_tags=undo)


@row_action(event_permissions.can_open_desk)
def check_in(request: EventRequest, entry: Registration) -> None:
    services.check_in([entry], request.actor)
    _warn_if_changed_meanwhile(request, entry)


@row_action(event_permissions.can_open_desk)
def undo_check_in(request: EventRequest, entry: Registration) -> None:
    services.undo_check_in(entry, request.actor)
    _warn_if_changed_meanwhile(request, entry)


def _warn_if_changed_meanwhile(request: EventRequest, entry: Registration) -> None:
    """Warn about a tap on a row that shows an earlier state; the services change nothing then."""
    words = {"player": entry.player}
    if entry.state == RegistrationState.DROPPED:
        messages.warning(request, _("%(player)s has dropped. Nothing was changed.") % words)
    elif entry.state == RegistrationState.WAITING:
        text = _("%(player)s is on the waiting list. Nothing was changed.")
        messages.warning(request, text % words)


@row_action(event_permissions.can_run)
def drop_player(request: EventRequest, entry: Registration) -> ChangeReport:
    services.drop_player(entry, request.actor)
    text = _("%(player)s was dropped.") % {"player": entry.player}
    return ChangeReport(text, [LogAction.PLAYER_DROPPED])


@row_action(event_permissions.can_run)
def return_player(request: EventRequest, entry: Registration) -> ChangeReport:
    services.return_player(entry, request.actor)
    text = _("%(player)s is back and will play from the next round.") % {"player": entry.player}
    return ChangeReport(text, [LogAction.PLAYER_RETURNED])


@row_action(event_permissions.can_run)
def move_up(request: EventRequest, entry: Registration) -> None:
    """Move a player from the waiting list to the roster; a full event requires a `reason`."""
    services.give_place_to_waiting(entry, request.actor, reason=_posted_reason(request))
    messages.success(request, _("%(player)s moved up and has a place.") % {"player": entry.player})


@row_action(event_permissions.can_run)
def move_on_waiting_list(request: EventRequest, entry: Registration) -> ChangeReport:
    """Move a player to a different `place` on the waiting list, with a `reason`."""
    place = whole_number(request.POST.get("place", ""), 5) or 0
    services.move_on_waiting_list(entry, request.actor, place=place, reason=_posted_reason(request))
    text = _("%(player)s has a new place on the waiting list.") % {"player": entry.player}
    return ChangeReport(text, [LogAction.MOVED_ON_THE_WAITING_LIST])


@row_action(event_permissions.can_run)
def let_in_late(request: EventRequest, entry: Registration) -> None:
    """Check in a player after the last round for late entries, with a `reason`."""
    services.check_in([entry], request.actor, late_reason=_posted_reason(request))
    messages.success(request, _("%(player)s is checked in.") % {"player": entry.player})


def _posted_reason(request: HttpRequest, field: str = "reason") -> str:
    return request.POST.get(field, "").strip()[:MAX_REASON_LENGTH]


@row_action(event_permissions.can_run)
def set_first_round_bye(request: EventRequest, entry: Registration) -> ChangeReport:
    has_bye = request.POST.get("bye") == "yes"
    roster_changes.set_first_round_bye(entry, request.actor, has_bye=has_bye)
    text = _("%(player)s has a bye in round 1.") if has_bye else _("%(player)s plays in round 1.")
    actions = LogAction.FIRST_ROUND_BYE_GIVEN, LogAction.FIRST_ROUND_BYE_TAKEN
    return ChangeReport(text % {"player": entry.player}, actions)


@row_action(event_permissions.can_mark_paid)
def set_paid(request: EventRequest, entry: Registration) -> None:
    has_paid = request.POST.get("paid") == "yes"
    roster_changes.set_paid(request.event, [entry], request.actor, has_paid=has_paid)


@row_action(event_permissions.can_run)
def set_seed(request: EventRequest, entry: Registration) -> ChangeReport:
    form = SeedForm(request.POST)
    cleaned = get_cleaned_data(form, form.error_text)
    roster_changes.set_seed_and_group(
        entry,
        request.actor,
        seed=cleaned["seed"],
        avoid_group=cleaned["avoid_group"],
        seen=form.seen,
    )
    text = _("Seed and group of %(player)s are saved.") % {"player": entry.player}
    return ChangeReport(text, [LogAction.SEED_AND_GROUP_SET])


@staff_page(event_permissions.can_run, WRITE)
def seed_by_rating(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        before = request.event.log.newest_id()
        done = roster_changes.seed_by_rating(request.event, request.actor)
        text = _seeding_in_words(done)
        report = ChangeReport(text, [LogAction.SEEDED_BY_RATING], unchanged=text)
        _show_report(request, report, None, after=before)
    return redirect("tournaments:roster", slug=request.event.slug)


def _seeding_in_words(done: roster_changes.SeedingCounts) -> str:
    if not done.rated:
        return _("No player has a rating yet, so all players share one seed.")
    seeded = ngettext(
        "Seeded %(count)s player by rating.",
        "Seeded %(count)s players by rating, the strongest first.",
        done.rated,
    ) % {"count": done.rated}
    unrated = ngettext(
        "%(count)s player without a rating came last.",
        "%(count)s players without a rating came last.",
        done.unrated,
    ) % {"count": done.unrated}
    again = _("Seed again if more players join.")
    return " ".join([seeded, unrated, again] if done.unrated else [seeded, again])


@staff_page(event_permissions.can_run, WRITE)
def remove_player(request: EventRequest, number: int) -> HttpResponse:
    entry = entry_or_404(request.event, number)
    with show_refusals(request) as outcome:
        roster_changes.remove_player(entry, request.actor)
        text = _("%(player)s was removed from the roster.") % {"player": entry.player}
        messages.success(request, text)
    if not is_htmx(request):
        return redirect("tournaments:roster", slug=request.event.slug)
    if outcome.refusal is not None:
        return _row_response(request, number, outcome)
    context = {
        **desk_context(request),
        "roster": roster_view(request.event, request.actor),
        "removed_number": number,
    }
    return render(request, "tournaments/registration/_roster_changed.html", context)


@row_action(event_permissions.can_run)
def set_table_preferences(request: EventRequest, entry: Registration) -> None:
    form = TablePreferencesForm(request.POST)
    cleaned = get_cleaned_data(
        form, _("Enter a table number from 1 to 9999, or leave the field blank for none.")
    )
    roster_changes.set_table_preferences(
        entry,
        request.actor,
        fixed_table=cleaned["fixed_table"],
        avoids_stream=cleaned["avoids_stream"],
        seen=form.seen,
    )
    text = _("Saved for %(player)s. This applies from the next draft.") % {"player": entry.player}
    messages.success(request, text)


@staff_page(event_permissions.can_run, READ + WRITE)
def remove_sign_ups(request: EventRequest) -> HttpResponse:
    """Preview the removal of sign-ups between `since` and `until`; POST removes them by number."""
    if request.method == "POST":
        chosen = NumbersForm(request.POST)
        numbers = chosen.cleaned_data["numbers"] if chosen.is_valid() else []
        with show_refusals(request):
            removed = len(roster_changes.remove_sign_ups(request.event, numbers, request.actor))
            text = ngettext("%(count)s player removed.", "%(count)s players removed.", removed)
            messages.success(request, text % {"count": removed})
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


LINKS_MADE_BEFORE = gettext_lazy(
    "These links were already made, and they are shown only once. "
    "If you have lost the sheet, make new links for all."
)


@staff_page(event_permissions.can_run, READ + WRITE)
def edit_entry(request: EventRequest, number: int) -> HttpResponse:
    """Show everything about a player that is not in the row; POST saves name and pronouns."""
    entry = entry_or_404(request.event, number)
    if request.method != "POST":
        return _entry_page(request, entry)
    form = PlayerNameForm(request.POST, auto_id=ENTRY_ID)
    with show_refusals(request) as outcome:
        if form.is_valid() or is_htmx(request):
            faults = " ".join(str(fault) for errors in form.errors.values() for fault in errors)
            cleaned = get_cleaned_data(form, faults)
            name, pronouns = cleaned["name"], cleaned["pronouns"]
            before = request.event.log.newest_id()
            guests.rename_guest(entry, request.actor, name, pronouns)
            text = _("Saved: number %(number)s is %(name)s.") % {"number": number, "name": name}
            report = ChangeReport(text, [LogAction.PLAYER_RENAMED])
            _show_report(request, report, entry, after=before)
    if is_htmx(request) or (form.is_valid() and outcome.refusal is None):
        return _row_response(request, number, outcome)
    return _entry_page(request, entry, form)


@staff_page(event_permissions.can_run, WRITE)
def merge_entries(request: EventRequest, number: int) -> HttpResponse:
    entry = entry_or_404(request.event, number)
    form = MergeEntriesForm(request.POST, others=_merge_candidates(entry))
    if form.is_valid():
        duplicate = entry_or_404(request.event, form.cleaned_data["other"])
        with show_refusals(request):
            reason = form.cleaned_data["reason"]
            before = request.event.log.newest_id()
            roster_changes.merge_entries(entry, duplicate, request.actor, reason)
            text = _("Merged: number %(duplicate)s is now number %(number)s.")
            words = {"duplicate": duplicate.number, "number": number}
            report = ChangeReport(text % words, [LogAction.ENTRIES_MERGED])
            _show_report(request, report, entry, after=before)
            roster = reverse("tournaments:roster", args=[request.event.slug])
            return redirect(f"{roster}#player-{number}")
    return _entry_page(request, entry, merge_form=form)


# Not the ids of the form that adds players, which is on the same page as the sheet.
ENTRY_ID = "entry_%s"


def _entry_page(
    request: EventRequest,
    entry: Registration,
    form: PlayerNameForm | None = None,
    merge_form: MergeEntriesForm | None = None,
) -> HttpResponse:
    player = entry.player
    roster = roster_view(request.event, request.actor)
    row = roster.row(entry.number)
    if row is None:
        raise Http404(NO_SUCH_PLAYER)
    context = {
        "entry": entry,
        "roster": roster,
        "row": row,
        "form": form
        or PlayerNameForm(
            initial={"name": player.name, "pronouns": player.pronouns}, auto_id=ENTRY_ID
        ),
        "merge_form": merge_form or MergeEntriesForm(others=_merge_candidates(entry)),
    }
    sent = form or merge_form
    status = 200 if sent is None else 409 if sent.is_valid() else 422
    return render_desk_page(request, "tournaments/registration/roster_entry.html", context, status)


def _merge_candidates(entry: Registration) -> list[Registration]:
    others = entry.tournament.registrations.exclude(pk=entry.pk)
    return list(others.select_related("player"))


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
        response = SecretResponse(response, again, str(LINKS_MADE_BEFORE))
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
    # The name that replaces the name in the list; None if the form did not have the field.
    typed_name: str | None
    # The similar name of a player who has played here before, or "".
    known_name: str = ""

    @property
    def is_question(self) -> bool:
        asks = self.entry.action in (LineAction.SIMILAR, LineAction.INVALID)
        return asks or bool(self.known_name)


def _known_spellings(request: EventRequest, plan: Iterable[PlannedEntry]) -> dict[str, str]:
    """Return similar names of players known on this site, by the name in the list."""
    new = [entry.line.name for entry in plan if entry.action == LineAction.ADD]
    return known_spellings(new, known_names(request.event, request.actor)) if new else {}


def _preview_page(
    request: EventRequest,
    form: RosterListForm,
    taken: Container[object] | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    event = request.event
    roster, plan, names = form.cleaned_data["roster"], _plan_of_form(event, form), form.typed_names
    known = _known_spellings(request, plan)
    actions = [entry.action for entry in plan]
    lines = [
        RosterPreviewLine(
            entry,
            entry.action == LineAction.ADD if taken is None else entry.line.line in taken,
            request.POST.get(f"similar-{entry.line.line}", ""),
            names.get(entry.line.line),
            known.get(entry.line.name, "") if entry.action == LineAction.ADD else "",
        )
        for entry in plan
    ]
    questions = sum(line.is_question for line in lines)
    context: dict[str, Any] = {
        # Questions first: a long list has few of them.
        "lines": sorted(lines, key=lambda line: not line.is_question),
        "kind": form.cleaned_data["kind"],
        "text": form.cleaned_data["text"],
        "layout": roster.layout,
        "layouts": LAYOUT_LABELS,
        "columns": roster.columns,
        "uses": USE_LABELS.items(),
        "notices": roster.notices,
        "adding": actions.count(LineAction.ADD) - len(known),
        "questions": questions,
        "duplicates": sum(action.is_duplicate for action in actions),
        "payers": sum(entry.marks_paid(()) for entry in plan),
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
    # Lines with a newly typed or chosen name had no checkbox and are always added.
    taken |= {
        entry.line.line
        for entry in plan
        if entry.action == LineAction.ADD and form.typed_names.get(entry.line.line)
    }
    # The choice to leave out a name like that of a known player is an empty name.
    taken -= {line for line, name in form.typed_names.items() if not name}
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
        messages.error(request, _("No line is ticked. Tick the players to add."))
        return _preview_page(request, form, taken, status=422)
    # A repeated click adds no duplicates: the roster has changed, so the preview is shown again.
    with show_refusals(request):
        roster_changes.add_entries(
            request.event,
            [NewEntry.of_line(line) for line in new],
            request.actor,
            seen=seen_log_entry(request) or 0,
            payers=payers,
            late_reason=_posted_reason(request, "late_reason"),
        )
        added = {line.line for line in new}
        messages.success(request, _import_in_words(plan, added))
        return redirect("tournaments:roster", slug=request.event.slug)
    return _preview_page(request, form, taken)


def _import_in_words(plan: Iterable[PlannedEntry], added: Collection[int]) -> str:
    skipped = [entry.action for entry in plan if entry.line.line not in added]
    duplicates = sum(action.is_duplicate or action == LineAction.SIMILAR for action in skipped)
    # Headings are no players, so nobody misses them.
    lines = len(skipped) - duplicates - skipped.count(LineAction.HEADING)
    words = {
        "added": ngettext("%(count)s player added", "%(count)s players added", len(added))
        % {"count": len(added)},
        "duplicates": ngettext(
            "%(count)s duplicate skipped", "%(count)s duplicates skipped", duplicates
        )
        % {"count": duplicates},
        "lines": ngettext("%(count)s line skipped", "%(count)s lines skipped", lines)
        % {"count": lines},
    }
    if duplicates and lines:
        return _("%(added)s, %(duplicates)s, %(lines)s.") % words
    if duplicates:
        return _("%(added)s, %(duplicates)s.") % words
    return (_("%(added)s, %(lines)s.") if lines else _("%(added)s.")) % words


def _open_question(
    request: EventRequest, plan: Sequence[PlannedEntry], form: RosterListForm
) -> str:
    known = _known_spellings(request, plan)
    for entry in plan:
        number, line = entry.line.line, entry.line
        words = {"line": number, "name": line.name}
        is_left_out = entry.action == LineAction.INVALID or (
            entry.action.is_duplicate and f"take-{number}" not in request.POST
        )
        if entry.action == LineAction.SIMILAR and f"similar-{number}" not in request.POST:
            return _("Line %(line)s: is %(name)s a different person? Choose an answer.") % words
        is_unsure = entry.action == LineAction.ADD and line.name in known
        if is_unsure and f"name-{number}" not in request.POST:
            return _("Line %(line)s: how is %(name)s spelt? Choose an answer.") % words
        # Never skip a newly typed name silently.
        if is_left_out and form.typed_names.get(number):
            reasons = " ".join(map(in_words, entry.reasons))
            return _("Line %(line)s: %(reason)s") % {"line": number, "reason": reasons}
    return ""
