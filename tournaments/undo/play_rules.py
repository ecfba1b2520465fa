"""Undo rules of drafts, clocks, the cut, results, judge calls and penalties."""

from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy, ngettext

from matches import records as matches_records
from matches import services as matches_services
from matches.models import SETTLED_STATES, ReportState, ResultReport
from rulings.models import JudgeCall
from tournaments.event import history
from tournaments.event.permissions import (
    Actor,
    can_enter_results,
    can_judge,
    can_open_desk,
    can_run,
)
from tournaments.event.services import request_ratings, request_standings
from tournaments.judging import calls, penalties
from tournaments.judging import queries as judging_queries
from tournaments.models import LogAction, LogEntry, Pairing, Penalty, event_log
from tournaments.registration import no_shows
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.results.queries import Impact, get_impact
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.undo.undo_rules import (
    CannotUndo,
    UndoRule,
    pairing_of,
    registration_of,
    round_of,
    with_actions,
    with_same,
)

# Drafts, clocks and the cut


_same_publication = with_same("round", LogAction.ROUND_PUBLISHED, LogAction.ROUND_TAKEN_BACK)
_same_closing = with_same(
    "round", LogAction.ROUND_CLOSED, LogAction.ROUND_CLOSED_BY_FORCE, LogAction.ROUND_REOPENED
)
_same_clock_pause = with_same("round", LogAction.CLOCK_PAUSED, LogAction.CLOCK_RESUMED)


def _swap_seats_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    numbers = entry.after.get("players", [])
    two = list(entry.tournament.registrations.select_related("player").filter(number__in=numbers))
    if len(two) != 2:
        raise CannotUndo(gettext("One of the two players is no longer on the roster."))
    round_ = round_of(entry)
    draft_changes.swap_seats(round_, two[0], two[1], actor)
    # Restore the engine's explanations of the original seating.
    for key, account in entry.before.get("accounts", {}).items():
        Pairing.objects.filter(pk=int(key), round=round_).update(**account)


def _same_draft(entry: LogEntry) -> Q:
    changes = (
        LogAction.SEATS_SWAPPED,
        LogAction.PAIRED_BY_HAND,
        LogAction.ROUND_DRAFTED,
        LogAction.REST_PAIRED_ANEW,
    )
    return Q(action__in=changes, round=entry.round_id)


def _republish_round(entry: LogEntry, actor: Actor, _reason: str) -> None:
    round_ = round_of(entry)
    rounds_services.publish_round(round_, actor, again=entry)
    if "clock" in entry.before:
        rounds_services.restore_clocks(round_, entry.before["clock"])


def _describe_publishing(entry: LogEntry) -> str:
    has_run = entry.before.get("clock", {}).get("started_at")
    message = (
        gettext("Round %(number)s will be published again, with its clock.")
        if has_run
        else gettext("Round %(number)s will be published again.")
    )
    return _about_round(message, entry)


def _about_round(message: str, entry: LogEntry) -> str:
    return message % {"number": round_of(entry).number}


def _minutes_added(entry: LogEntry) -> int:
    """Return the minutes that the change added; negative if it removed minutes."""
    added: int = entry.after["extra_minutes"] - entry.before["extra_minutes"]
    return added


def _describe_minutes(entry: LogEntry) -> str:
    added = _minutes_added(entry)
    text = (
        ngettext(
            "%(subject)s will have %(minutes)s minute less.",
            "%(subject)s will have %(minutes)s minutes less.",
            added,
        )
        if added > 0
        else ngettext(
            "%(subject)s will have %(minutes)s minute more.",
            "%(subject)s will have %(minutes)s minutes more.",
            -added,
        )
    )
    return text % {"subject": entry.subject.capitalize(), "minutes": abs(added)}


_LOCK_RULE = UndoRule(
    can_run,
    lambda entry: (
        (
            gettext("%(subject)s can change when the rest is re-paired.")
            if entry.action == LogAction.LOCKED
            else gettext("%(subject)s will stay as it is when the rest is re-paired.")
        )
        % {"subject": entry.subject.capitalize()}
    ),
    lambda entry, actor, _: draft_changes.set_lock(
        pairing_of(entry), actor, locked=entry.action == LogAction.UNLOCKED
    ),
    with_same("pairing", LogAction.LOCKED, LogAction.UNLOCKED),
)


_REOPEN_RULE = UndoRule(
    can_run,
    lambda entry: _about_round(
        gettext(
            "Round %(number)s will be open again. Its standings are recomputed when you close it."
        ),
        entry,
    ),
    lambda entry, actor, reason: rounds_services.reopen_round(round_of(entry), actor, reason),
    _same_closing,
)


_MINUTES_RULE = UndoRule(
    can_run,
    _describe_minutes,
    lambda entry, actor, _: rounds_services.add_minutes(
        round_of(entry), -_minutes_added(entry), actor
    ),
    with_same("round", LogAction.MINUTES_ADDED, LogAction.MINUTES_TAKEN),
)


ROUND_RULES: dict[str, UndoRule] = {
    LogAction.SEATS_SWAPPED: UndoRule(
        can_run,
        lambda entry: (
            gettext("The swap of %(subject)s in the draft of %(round)s will be undone.")
            % {"subject": entry.subject, "round": entry.round}
        ),
        _swap_seats_back,
        _same_draft,
    ),
    LogAction.LOCKED: _LOCK_RULE,
    LogAction.UNLOCKED: _LOCK_RULE,
    LogAction.ROUND_PUBLISHED: UndoRule(
        can_run,
        lambda entry: _about_round(
            gettext("Round %(number)s will be a draft again, hidden from players."), entry
        ),
        lambda entry, actor, reason: rounds_services.unpublish_round(
            round_of(entry), actor, reason
        ),
        _same_publication,
    ),
    LogAction.ROUND_TAKEN_BACK: UndoRule(
        can_run, _describe_publishing, _republish_round, _same_publication
    ),
    LogAction.ROUND_CLOSED: _REOPEN_RULE,
    LogAction.ROUND_CLOSED_BY_FORCE: _REOPEN_RULE,
    LogAction.ROUND_REOPENED: UndoRule(
        can_run,
        lambda entry: _about_round(gettext("Round %(number)s will be closed again."), entry),
        lambda entry, actor, _: rounds_services.close_round(round_of(entry), actor),
        _same_closing,
    ),
    LogAction.CLOCK_PAUSED: UndoRule(
        can_run,
        lambda _: gettext("The clock will run again."),
        lambda entry, actor, _: rounds_services.resume_clock(round_of(entry), actor),
        _same_clock_pause,
    ),
    LogAction.CLOCK_RESUMED: UndoRule(
        can_run,
        lambda _: gettext("The clock will be paused."),
        lambda entry, actor, _: rounds_services.pause_clock(round_of(entry), actor),
        _same_clock_pause,
    ),
    LogAction.MINUTES_ADDED: _MINUTES_RULE,
    LogAction.MINUTES_TAKEN: _MINUTES_RULE,
    LogAction.TABLE_GIVEN_TIME: UndoRule(
        can_judge,
        _describe_minutes,
        lambda entry, actor, reason: rounds_services.add_table_minutes(
            pairing_of(entry), -_minutes_added(entry), actor, reason
        ),
        with_same("pairing", LogAction.TABLE_GIVEN_TIME),
    ),
}


def _restore_cut(entry: LogEntry, actor: Actor, reason: str) -> None:
    cut = entry.before.get("cut")
    if cut is None:
        raise CannotUndo(
            gettext("The log has no earlier version of this cut. Change the cut on its page.")
        )
    cuts.restore_cut(entry.tournament, cut, actor, reason)


ROUND_RULES |= dict.fromkeys(
    event_log.CUT_CHANGES,
    UndoRule(
        can_run,
        lambda _: gettext("The cut will have its previous players and seeds again."),
        _restore_cut,
        with_actions(*event_log.CUT_CHANGES, LogAction.CUT_MADE, LogAction.CUT_UNDONE),
    ),
)


# Results


RESULT_ACTIONS = (
    LogAction.RESULT_REPORTED,
    LogAction.RESULT_CONFIRMED,
    LogAction.RESULT_CONFIRMED_BY_TIME,
    LogAction.RESULT_DISPUTED,
    LogAction.NO_SHOW_DECIDED,
    LogAction.RESULT_ENTERED,
    LogAction.RESULT_CHANGED,
    LogAction.RESULT_TAKEN_BACK,
)


STATES_IN_WORDS = {
    "proposed": gettext_lazy("%(table)s will have an unanswered report again."),
    "disputed": gettext_lazy("%(table)s will have a disputed report again."),
}
NO_RESULT_AGAIN = gettext_lazy("%(table)s will have no result again.")


def _describe_result(entry: LogEntry) -> str:
    snapshot = entry.before["match"]
    pairing = pairing_of(entry)
    table = f"{str(pairing).capitalize()} of {entry.round}"
    if pairing.match is not None and pairing.match.losses != snapshot.get("losses", []):
        return gettext(
            "%(table)s will have its earlier report again. A ruling has changed the result since."
        ) % {"table": table}
    if snapshot["state"] in SETTLED_STATES:
        seats = zip(pairing.seats, snapshot["seats"], strict=False)
        points = ", ".join(f"{seat.player.name} {before['points']}" for seat, before in seats)
        return gettext("%(table)s will have this result again: %(points)s.") % {
            "table": table,
            "points": points,
        }
    return STATES_IN_WORDS.get(snapshot["state"], NO_RESULT_AGAIN) % {"table": table}


def _impact_on_standings(entry: LogEntry) -> Impact | None:
    """Return the impact on the standings of a closed round; None while the round is played."""
    pairing = pairing_of(entry)
    if not pairing.round.is_closed:
        return None
    reports = entry.before["match"]["reports"]
    # The last confirmed report. A result made by a judge alone has none.
    confirmed = [int(key) for key, state in reports.items() if state == ReportState.CONFIRMED]
    if not confirmed:
        return get_impact(pairing, matches_records.NO_RESULT)
    report = ResultReport.objects.get(pk=max(confirmed))
    return get_impact(pairing, matches_records.result_from_document(report.result))


def _restore_result(entry: LogEntry, actor: Actor, reason: str) -> None:
    pairing = pairing_of(entry)
    tournament = history.lock_unfinished(entry.tournament)
    snapshot = entry.before.get("match")
    if snapshot is None or pairing.match is None:
        raise CannotUndo(gettext("The log has no earlier result of this table."))
    round_ = pairing.round
    if round_.is_draft:
        raise CannotUndo(gettext("This round is a draft again."))
    if round_.is_closed:
        _refuse_for_closed_round(entry, snapshot["state"])
    pairing.match.refresh_from_db()
    if pairing.match.state != entry.after.get("state"):
        raise CannotUndo(
            gettext("The result has changed again since then. Change it at its table instead.")
        )
    locked = matches_services.locked_match(pairing.match)
    had, before = matches_records.settled_result(locked), matches_services.take_snapshot(locked)
    match = matches_services.restore_match(
        pairing.match, snapshot, seen_version=pairing.match.version
    )
    if round_.is_closed:
        # A penalty behind the result may have been withdrawn since.
        _refuse_for_closed_round(entry, match.state)
    results_services.log_result(
        tournament,
        pairing,
        actor,
        LogAction.RESULT_TAKEN_BACK,
        match,
        before,
        matches_records.settled_result(match),
        had=had,
        reason=reason,
    )
    if tournament.is_finished:
        request_ratings(tournament)
    results_services.refuse_unless_bracket_fits(round_)
    if round_.is_closed:
        request_standings(tournament, round_.number)


def _refuse_for_closed_round(entry: LogEntry, state: str) -> None:
    assert entry.round is not None
    number = entry.round.number
    if entry.tournament.rounds.filter(number__gt=number).exists():
        raise CannotUndo(
            gettext("Round %(number)s was paired from this result. Change the result instead.")
            % {"number": number + 1}
        )
    if state not in SETTLED_STATES:
        raise CannotUndo(
            gettext(
                "Round %(number)s is closed and needs all its results. Reopen it first, or "
                "change the result."
            )
            % {"number": number}
        )


_RESULT_RULE = UndoRule(
    can_enter_results,
    _describe_result,
    _restore_result,
    with_same("pairing", *RESULT_ACTIONS),
    _impact_on_standings,
)


RESULT_RULES: dict[str, UndoRule] = dict.fromkeys(RESULT_ACTIONS, _RESULT_RULE)


# Judge calls, penalties and missing players


def _judge_call_of(entry: LogEntry) -> JudgeCall:
    event_calls = judging_queries.calls_of_event(entry.tournament)
    call = event_calls.filter(pk=entry.after.get("call") or 0).first()
    if call is None:
        raise CannotUndo(
            gettext("This table has been re-paired since, so there is nothing to undo.")
        )
    return call


def _same_call(entry: LogEntry) -> Q:
    return Q(action__in=event_log.JUDGE_CALL_ACTIONS, after__call=entry.after.get("call"))


def _penalty_of(entry: LogEntry) -> Penalty:
    rows = Penalty.objects.select_related("registration__player", "tournament")
    penalty = rows.filter(pk=entry.after["penalty"], tournament=entry.tournament_id).first()
    if penalty is None:
        raise CannotUndo(gettext("This penalty no longer exists."))
    return penalty


def _about_penalty(message: str, entry: LogEntry) -> str:
    penalty = _penalty_of(entry)
    return message % {"penalty": penalty, "player": penalty.registration.player}


def _same_penalty(entry: LogEntry) -> Q:
    return Q(
        action__in=(LogAction.PENALTY_GIVEN, LogAction.PENALTY_WITHDRAWN),
        after__penalty=entry.after["penalty"],
    )


def _mark_present(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, latest = registration_of(entry), entry.tournament.latest_round()
    absence = latest.open_absences().filter(registration=place).first() if latest else None
    if absence is None:
        raise CannotUndo(
            gettext("%(player)s is no longer marked missing, or the table has been decided.")
            % {"player": place.player}
        )
    no_shows.mark_present(absence.pairing, place, actor)


JUDGING_RULES: dict[str, UndoRule] = {
    LogAction.JUDGE_CALL_TAKEN: UndoRule(
        can_judge,
        lambda entry: (
            gettext("The call from %(table)s will wait for a judge again.")
            % {"table": entry.subject}
        ),
        lambda entry, actor, _: calls.give_back(entry.tournament, _judge_call_of(entry), actor),
        _same_call,
    ),
    LogAction.JUDGE_CALL_ANSWERED: UndoRule(
        can_judge,
        lambda entry: (
            gettext(
                "The call from %(table)s will wait for an answer again. Its extra minutes and "
                "penalties remain."
            )
            % {"table": entry.subject}
        ),
        lambda entry, actor, reason: calls.reopen(
            entry.tournament, _judge_call_of(entry), actor, reason
        ),
        _same_call,
    ),
    LogAction.PENALTY_GIVEN: UndoRule(
        can_judge,
        lambda entry: _about_penalty(
            gettext(
                "%(penalty)s of %(player)s will be withdrawn. The result and the player's place in "
                "the event will be as before."
            ),
            entry,
        ),
        lambda entry, actor, reason: penalties.withdraw(_penalty_of(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PENALTY_WITHDRAWN: UndoRule(
        can_judge,
        lambda entry: _about_penalty(
            gettext("%(penalty)s of %(player)s will apply again, with its effect."), entry
        ),
        lambda entry, actor, reason: penalties.reinstate(_penalty_of(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PLAYER_MISSED: UndoRule(
        can_open_desk,
        lambda entry: (
            gettext("%(player)s will no longer be marked missing.")
            % {"player": registration_of(entry).player}
        ),
        _mark_present,
        with_same("registration", LogAction.PLAYER_MISSED, LogAction.MISSED_PLAYER_CAME),
    ),
}
