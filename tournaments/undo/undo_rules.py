"""Undo rules by log action: rounds, results, judging, roster, event and decks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import Field, Q

from core.errors import Refusal
from core.text import count_phrase
from matches import records as matches_records
from matches import services as matches_services
from matches.models import SETTLED_STATES, ReportState, ResultReport
from players.models import User
from rulings.models import JudgeCall
from tournaments.decklists import queries as deck_queries
from tournaments.decklists import services as decklists_services
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import (
    Actor,
    can_enter_results,
    can_judge,
    can_mark_paid,
    can_open_desk,
    can_own,
    can_run,
)
from tournaments.event.services import request_ratings, request_standings
from tournaments.judging import calls, penalties
from tournaments.judging import queries as judging_queries
from tournaments.models import (
    DeckSubmission,
    DroppedBy,
    LogAction,
    LogEntry,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Round,
    StaffRole,
    Stage,
    Tournament,
    event_log,
)
from tournaments.registration import guests, no_shows, roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.results.queries import Impact, get_impact
from tournaments.rounds import draft_changes, late_entries
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

PermissionCheck = Callable[[Actor, Tournament], bool]


class CannotUndo(Refusal):
    """A later change depends on this change, or its subject no longer exists."""


@dataclass(frozen=True)
class UndoRule:
    """Undo rule for a kind of change.

    `can` is the permission the change itself requires. `describe` returns the effect of the undo as
    text. `act` (entry, actor, reason) performs it through the services and logs at least one
    change. `track` selects log entries on the same subject; a later entry in force blocks the undo.
    `impact` returns the impact on standings, if any.
    """

    can: PermissionCheck
    describe: Callable[[LogEntry], str]
    act: Callable[[LogEntry, Actor, str], Any]
    track: Callable[[LogEntry], Q]
    impact: Callable[[LogEntry], Impact | None] = lambda _: None


def round_of(entry: LogEntry) -> Round:
    """The round of the entry. Raises CannotUndo if it no longer exists."""
    if entry.round is None:
        raise CannotUndo("This round was discarded, so there is nothing to undo.")
    return entry.round


def pairing_of(entry: LogEntry) -> Pairing:
    """The table of the entry. Raises CannotUndo if it no longer exists."""
    if entry.pairing is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return entry.pairing


def registration_of(entry: LogEntry) -> Registration:
    """The registration of the entry. Raises CannotUndo if it no longer exists."""
    if entry.registration is None:
        raise CannotUndo("This player is not on the roster any more.")
    return entry.registration


def with_same(about: str, *actions: str) -> Callable[[LogEntry], Q]:
    """Match entries of these actions with the same "round", "pairing" or "registration"."""
    return lambda entry: Q(action__in=actions, **{about: getattr(entry, f"{about}_id")})


def with_actions(*actions: str) -> Callable[[LogEntry], Q]:
    return lambda _entry: Q(action__in=actions)


# Drafts, clocks and the cut.


_same_publication = with_same("round", LogAction.ROUND_PUBLISHED, LogAction.ROUND_TAKEN_BACK)
_same_closing = with_same(
    "round", LogAction.ROUND_CLOSED, LogAction.ROUND_CLOSED_BY_FORCE, LogAction.ROUND_REOPENED
)
_same_clock_pause = with_same("round", LogAction.CLOCK_PAUSED, LogAction.CLOCK_RESUMED)


def _swap_seats_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    numbers = entry.after.get("players", [])
    two = list(entry.tournament.registrations.select_related("player").filter(number__in=numbers))
    if len(two) != 2:
        raise CannotUndo("One of the two players is not on the roster any more.")
    round_ = round_of(entry)
    draft_changes.swap_seats(round_, two[0], two[1], actor)
    # Restore the engine's explanations of the original seating.
    for key, account in entry.before.get("accounts", {}).items():
        Pairing.objects.filter(pk=int(key), round=round_).update(**account)


def _same_draft(entry: LogEntry) -> Q:
    """Match all changes to the seating of the same draft."""
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
    return _describe_round(
        f"will be published again{', with its clock' if has_run else ''}.", entry
    )


def _describe_round(words: str, entry: LogEntry) -> str:
    return f"Round {round_of(entry).number} {words}"


def _minutes_added(entry: LogEntry) -> int:
    """Minutes added by the change; negative if minutes were removed."""
    added: int = entry.after["extra_minutes"] - entry.before["extra_minutes"]
    return added


def _describe_minutes(entry: LogEntry) -> str:
    added = _minutes_added(entry)
    more = "less" if added > 0 else "more"
    return f"{entry.subject.capitalize()} will have {count_phrase(abs(added), 'minute')} {more}."


_LOCK_RULE = UndoRule(
    can_run,
    lambda entry: (
        f"{entry.subject.capitalize()} will "
        f"{'be free' if entry.action == LogAction.LOCKED else 'stay'} when the rest is re-paired."
    ),
    lambda entry, actor, _: draft_changes.set_lock(
        pairing_of(entry), actor, locked=entry.action == LogAction.UNLOCKED
    ),
    with_same("pairing", LogAction.LOCKED, LogAction.UNLOCKED),
)


_REOPEN_RULE = UndoRule(
    can_run,
    lambda entry: _describe_round(
        "will be open again: results can be reported, its standings wait.", entry
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
        lambda entry: f"{entry.subject} will change seats again in the draft of {entry.round}.",
        _swap_seats_back,
        _same_draft,
    ),
    LogAction.LOCKED: _LOCK_RULE,
    LogAction.UNLOCKED: _LOCK_RULE,
    LogAction.ROUND_PUBLISHED: UndoRule(
        can_run,
        lambda entry: _describe_round(
            "will be a draft again: players see no pairings of it.", entry
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
        lambda entry: _describe_round("will be closed again.", entry),
        lambda entry, actor, _: rounds_services.close_round(round_of(entry), actor),
        _same_closing,
    ),
    LogAction.CLOCK_PAUSED: UndoRule(
        can_run,
        lambda _: "The clock will run again.",
        lambda entry, actor, _: rounds_services.resume_clock(round_of(entry), actor),
        _same_clock_pause,
    ),
    LogAction.CLOCK_RESUMED: UndoRule(
        can_run,
        lambda _: "The clock will be paused.",
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
    kept = entry.before.get("cut")
    if kept is None:
        raise CannotUndo("The log does not hold what this cut was before. Change it on its page.")
    cuts.restore_cut(entry.tournament, kept, actor, reason)


ROUND_RULES |= dict.fromkeys(
    event_log.CUT_CHANGES,
    UndoRule(
        can_run,
        lambda _: "The cut will have the players and seeds it had before.",
        _restore_cut,
        with_actions(*event_log.CUT_CHANGES, LogAction.CUT_MADE, LogAction.CUT_UNDONE),
    ),
)


# Results.


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


def _describe_result(entry: LogEntry) -> str:
    memory = entry.before["match"]
    pairing = pairing_of(entry)
    where = f"{str(pairing).capitalize()} of {entry.round}"
    if pairing.match is not None and pairing.match.losses != memory.get("losses", []):
        return f"{where} will have what was reported before, as a judge has decided since."
    if memory["state"] in SETTLED_STATES:
        names = [seat.player.name for seat in pairing.seats]
        points = ", ".join(
            f"{name} {seat['points']}" for name, seat in zip(names, memory["seats"], strict=False)
        )
        return f"{where} will say again: {points}."
    state = {
        "proposed": "the report of one player that the other has not answered",
        "disputed": "a dispute the staff decide",
    }
    return f"{where} will have {state.get(memory['state'], 'no result')} again."


def _impact_on_standings(entry: LogEntry) -> Impact | None:
    """Impact on the standings of a closed round; None for a round still being played."""
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
    memory = entry.before.get("match")
    if memory is None or pairing.match is None:
        raise CannotUndo("The log does not hold what this table was before.")
    round_ = pairing.round
    if round_.is_draft:
        raise CannotUndo("This round is a draft again.")
    if round_.is_closed:
        _refuse_for_closed_round(entry, memory["state"])
    pairing.match.refresh_from_db()
    if pairing.match.state != entry.after.get("state"):
        raise CannotUndo("The result was changed again since. Change it at its table instead.")
    held = matches_services.locked_match(pairing.match)
    had, before = matches_records.settled_result(held), matches_services.take_snapshot(held)
    match = matches_services.restore_match(
        pairing.match, memory, seen_version=pairing.match.version
    )
    if round_.is_closed:
        # A penalty behind the result may have been withdrawn since.
        _refuse_for_closed_round(entry, match.state)
    now = matches_records.settled_result(match)
    results_services.log_result(
        tournament,
        pairing,
        actor,
        LogAction.RESULT_TAKEN_BACK,
        match,
        before,
        now,
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
            f"Round {number + 1} was paired from this result. Change the result instead."
        )
    if state not in SETTLED_STATES:
        raise CannotUndo(
            f"Round {number} is closed and needs all its results. Open it again first, or change "
            "the result."
        )


_RESULT_RULE = UndoRule(
    can_enter_results,
    _describe_result,
    _restore_result,
    with_same("pairing", *RESULT_ACTIONS),
    _impact_on_standings,
)


RESULT_RULES: dict[str, UndoRule] = dict.fromkeys(RESULT_ACTIONS, _RESULT_RULE)


# Judge calls, penalties and missing players.


def _judge_call_of(entry: LogEntry) -> JudgeCall:
    """The judge call of the entry. Raises CannotUndo if it no longer exists."""
    event_calls = judging_queries.calls_of_event(entry.tournament)
    call = event_calls.filter(pk=entry.after.get("call") or 0).first()
    if call is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return call


def _same_call(entry: LogEntry) -> Q:
    return Q(action__in=event_log.JUDGE_CALL_ACTIONS, after__call=entry.after.get("call"))


def _penalty_of(entry: LogEntry) -> Penalty:
    rows = Penalty.objects.select_related("registration__player", "tournament")
    found = rows.filter(pk=entry.after["penalty"], tournament=entry.tournament_id).first()
    if found is None:
        raise CannotUndo("This penalty is not there any more.")
    return found


def _describe_penalty(words: str, entry: LogEntry) -> str:
    penalty = _penalty_of(entry)
    return f"{penalty} of {penalty.registration.player} will {words}"


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
            f"{place.player} is not marked missing any more, or the table was decided."
        )
    no_shows.mark_present(absence.pairing, place, actor)


JUDGING_RULES: dict[str, UndoRule] = {
    LogAction.JUDGE_CALL_TAKEN: UndoRule(
        can_judge,
        lambda entry: f"The call of {entry.subject} will be free again.",
        lambda entry, actor, _: calls.give_back(entry.tournament, _judge_call_of(entry), actor),
        _same_call,
    ),
    LogAction.JUDGE_CALL_ANSWERED: UndoRule(
        can_judge,
        lambda entry: (
            f"The call of {entry.subject} will wait for an answer again. Minutes and penalties "
            "that were given with it stay."
        ),
        lambda entry, actor, reason: calls.reopen(
            entry.tournament, _judge_call_of(entry), actor, reason
        ),
        _same_call,
    ),
    LogAction.PENALTY_GIVEN: UndoRule(
        can_judge,
        lambda entry: _describe_penalty(
            "be withdrawn, and the result and the place in the event will be what they were.",
            entry,
        ),
        lambda entry, actor, reason: penalties.withdraw(_penalty_of(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PENALTY_WITHDRAWN: UndoRule(
        can_judge,
        lambda entry: _describe_penalty("stand again, with its effect.", entry),
        lambda entry, actor, reason: penalties.reinstate(_penalty_of(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PLAYER_MISSED: UndoRule(
        can_open_desk,
        lambda entry: f"{registration_of(entry).player} will not be marked missing any more.",
        _mark_present,
        with_same("registration", LogAction.PLAYER_MISSED, LogAction.MISSED_PLAYER_CAME),
    ),
}


# The roster.


ATTENDANCE_ACTIONS = (
    LogAction.PLAYER_CHECKED_IN,
    LogAction.CHECK_IN_TAKEN_BACK,
    LogAction.PLAYER_DROPPED,
    LogAction.PLAYER_RETURNED,
)
STATES_IN_WORDS = {
    RegistrationState.CHECKED_IN: "will be checked in and play from the next draft on",
    RegistrationState.REGISTERED: "will be on the roster, not checked in",
    RegistrationState.DROPPED: "will be out: no further pairings, all rounds played stay",
    RegistrationState.WAITING: "will be on the waiting list",
}


def _restore_attendance(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place = registration_of(entry)
    place.tournament = tournament = history.lock_unfinished(entry.tournament)
    if place.state != entry.after.get("state"):
        raise CannotUndo(f"{place.player} is {place.get_state_display()} by now.")
    state = RegistrationState(entry.before["state"])
    if state is RegistrationState.CHECKED_IN:
        registration_services.return_player(place, actor, is_here=False)
    elif state is RegistrationState.DROPPED:
        by = DroppedBy(entry.before.get("dropped_by") or DroppedBy.STAFF)
        event_services.change_states(
            tournament, [place], actor, event_services.state_change_to_dropped(by)
        )
        if _has_credited_missed_rounds(entry):
            late_entries.undo_late_entry(tournament, place, actor)
    elif state is RegistrationState.REGISTERED:
        registration_services.put_back_on_roster(place, actor)
    else:
        registration_services.return_to_waiting_list(place, actor)


def _has_credited_missed_rounds(entry: LogEntry) -> bool:
    # A player who returns as a late entry is credited with the missed rounds in the next entry.
    after = entry.tournament.log.filter(pk__gt=entry.pk).order_by("pk").first()
    return (
        after is not None
        and after.action == LogAction.MISSED_ROUNDS_CREDITED
        and after.registration_id == entry.registration_id
    )


def _describe_seed(entry: LogEntry) -> str:
    seed, group = entry.before["seed"], entry.before["avoid_group"]
    seeded = f"seed {seed}" if seed else "no seed"
    grouped = f"the group {group}" if group else "no group"
    return f"{registration_of(entry).player} will have {seeded} and {grouped}."


def _previous_seeds(entry: LogEntry) -> dict[int, int | None]:
    return {int(number): seed for number, seed in entry.before["seeds"].items()}


def _describe_seeds(entry: LogEntry) -> str:
    seeds = _previous_seeds(entry).values()
    unseeded = sum(seed is None for seed in seeds)
    if unseeded == len(seeds):
        return f"{count_phrase(unseeded, 'player')} will have no seed."
    return (
        f"{count_phrase(len(seeds), 'player')} will have the seeds they had, {unseeded} of them "
        "none."
    )


def _describe_table_wish(entry: LogEntry) -> str:
    wish, name = entry.before, registration_of(entry).player
    if "avoids_stream" in wish:
        return f"{name} will {'avoid' if wish['avoids_stream'] else 'not mind'} the stream."
    table = wish["fixed_table"]
    return f"{name} will have {f'table {table}' if table else 'no table of their own'}."


def _restore_table_wish(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, wish = registration_of(entry), entry.before
    if "avoids_stream" in wish:
        roster_changes.set_avoids_stream(place, actor, avoids=wish["avoids_stream"])
    else:
        roster_changes.set_fixed_table(place, actor, wish["fixed_table"])


def _same_table_wish(entry: LogEntry) -> Q:
    same = Q(action=LogAction.TABLE_WISH_SET, registration=entry.registration_id)
    return same & Q(after__has_any_keys=list(entry.before))


def _describe_name(entry: LogEntry) -> str:
    if entry.before == entry.after:
        raise CannotUndo("Only the pronouns were changed, and the log does not keep those.")
    return f"{registration_of(entry).player} will be {entry.before['name']} again."


def _describe_unmerge(entry: LogEntry) -> str:
    number, kept = entry.before["number"], registration_of(entry).player
    back = f"{kept} gives back what came with number {number}."
    if entry.before["merged"]["state"] == RegistrationState.DROPPED:
        return f"Number {number} will be on the roster again, dropped as before. {back}"
    return (
        f"Number {number} will be on the roster, not checked in, or on the waiting list where all "
        f"places are taken. {back}"
    )


_ATTENDANCE_RULE = UndoRule(
    can_run,
    lambda entry: (
        f"{registration_of(entry).player} "
        f"{STATES_IN_WORDS[RegistrationState(entry.before['state'])]}."
    ),
    _restore_attendance,
    with_same("registration", *ATTENDANCE_ACTIONS),
)


_BYE_RULE = UndoRule(
    can_run,
    lambda entry: (
        f"{registration_of(entry).player} will have "
        f"{'no' if entry.action == LogAction.FIRST_ROUND_BYE_GIVEN else 'a'} bye in round 1."
    ),
    lambda entry, actor, _: roster_changes.set_first_round_bye(
        registration_of(entry), actor, has_bye=entry.action == LogAction.FIRST_ROUND_BYE_TAKEN
    ),
    with_same("registration", LogAction.FIRST_ROUND_BYE_GIVEN, LogAction.FIRST_ROUND_BYE_TAKEN),
)


def _is_paid_mark(entry: LogEntry) -> bool:
    return entry.action == LogAction.MARKED_AS_PAID


_PAYMENT_RULE = UndoRule(
    can_mark_paid,
    lambda entry: (
        f"{registration_of(entry).player} will {'not ' if _is_paid_mark(entry) else ''}be marked "
        "as paid."
    ),
    lambda entry, actor, _: roster_changes.set_paid(
        entry.tournament, [registration_of(entry)], actor, has_paid=not _is_paid_mark(entry)
    ),
    with_same("registration", *event_log.PAID_MARKS),
)


def _restore_day_two_mark(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO:
        registration_services.undo_check_in(registration_of(entry), actor)
    else:
        registration_services.check_in([registration_of(entry)], actor)


def _restore_day_two_opening(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED:
        registration_services.close_day_two_check_in(entry.tournament, actor)
    else:
        registration_services.open_day_two_check_in(entry.tournament, actor)


_DAY_TWO_MARK_RULE = UndoRule(
    can_open_desk,
    lambda entry: (
        f"{registration_of(entry).player} will "
        f"{'not ' if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO else ''}be checked in for "
        "day 2."
    ),
    _restore_day_two_mark,
    with_same("registration", *event_log.DAY_TWO_MARKS, LogAction.PLAYER_DROPPED),
)
_DAY_TWO_OPENING_RULE = UndoRule(
    can_run,
    lambda entry: (
        "Nobody has to check in again for day 2."
        if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED
        else "Players check in again for day 2, from the beginning."
    ),
    _restore_day_two_opening,
    with_actions(*event_log.DAY_TWO_OPENINGS),
)


ROSTER_RULES: dict[str, UndoRule] = {
    **dict.fromkeys(ATTENDANCE_ACTIONS, _ATTENDANCE_RULE),
    LogAction.FIRST_ROUND_BYE_GIVEN: _BYE_RULE,
    LogAction.FIRST_ROUND_BYE_TAKEN: _BYE_RULE,
    LogAction.SEED_AND_GROUP_SET: UndoRule(
        can_run,
        _describe_seed,
        lambda entry, actor, _: roster_changes.set_seed_and_group(
            registration_of(entry), actor, **entry.before
        ),
        lambda entry: (
            Q(action=LogAction.SEED_AND_GROUP_SET, registration=entry.registration_id)
            | Q(action=LogAction.SEEDED_BY_RATING)
        ),
    ),
    LogAction.SEEDED_BY_RATING: UndoRule(
        can_run,
        _describe_seeds,
        lambda entry, actor, _: roster_changes.set_seeds(
            entry.tournament, actor, _previous_seeds(entry), entry.subject
        ),
        with_actions(LogAction.SEEDED_BY_RATING, LogAction.SEED_AND_GROUP_SET),
    ),
    **dict.fromkeys(event_log.PAID_MARKS, _PAYMENT_RULE),
    **dict.fromkeys(event_log.DAY_TWO_MARKS, _DAY_TWO_MARK_RULE),
    **dict.fromkeys(event_log.DAY_TWO_OPENINGS, _DAY_TWO_OPENING_RULE),
    LogAction.MOVED_ON_THE_WAITING_LIST: UndoRule(
        can_run,
        lambda entry: (
            f"{registration_of(entry).player} will be {ordinal(entry.before['place'])} on the "
            "waiting list again."
        ),
        lambda entry, actor, reason: registration_services.move_on_waiting_list(
            registration_of(entry), actor, place=entry.before["place"], reason=reason
        ),
        with_actions(LogAction.MOVED_ON_THE_WAITING_LIST),
    ),
    LogAction.TABLE_WISH_SET: UndoRule(
        can_run, _describe_table_wish, _restore_table_wish, _same_table_wish
    ),
    LogAction.PLAYER_RENAMED: UndoRule(
        can_run,
        _describe_name,
        lambda entry, actor, _: guests.rename_guest(
            registration_of(entry), actor, entry.before["name"]
        ),
        with_same("registration", LogAction.PLAYER_RENAMED),
    ),
    LogAction.ENTRIES_MERGED: UndoRule(
        can_run,
        _describe_unmerge,
        lambda entry, actor, _: roster_changes.undo_entry_merge(
            registration_of(entry),
            entry.before["number"],
            entry.before["merged"],
            entry.after["merged"],
            actor,
        ),
        with_same("registration", LogAction.ENTRIES_MERGED),
    ),
}


# Settings and staff roles.


_same_registration_switch = with_actions(
    LogAction.REGISTRATION_OPENED, LogAction.REGISTRATION_CLOSED
)
_same_event_end = with_actions(LogAction.EVENT_FINISHED, LogAction.EVENT_REOPENED)


def _restore_settings(entry: LogEntry, actor: Actor, _reason: str) -> None:
    values = {}
    for key, logged in entry.before.items():
        field = (Stage if key == "system" else Tournament)._meta.get_field(key)
        assert isinstance(field, Field)
        values[key] = field.to_python(logged)
    settings_services.change_settings(entry.tournament, actor, **values)


def _describe_settings(entry: LogEntry) -> str:
    settings = []
    for key, value in entry.before.items():
        if value is None or value == "":
            words = "nothing"
        elif isinstance(value, bool):
            words = "yes" if value else "no"
        else:
            words = ", ".join(map(str, value)) if isinstance(value, list | dict) else str(value)
        settings.append(f"{key.replace('_', ' ')}: {words}")
    return f"Will be again: {'; '.join(settings)}."


def _account_of(entry: LogEntry) -> User:
    key: int = {**entry.before, **entry.after}.get("account", 0)
    user = User.objects.filter(pk=key).first()
    if user is None:
        raise CannotUndo("This account does not exist any more.")
    return user


def _describe_role(entry: LogEntry) -> str:
    role = entry.before.get("role")
    will = f"will be {StaffRole(role).label}" if role else "will have no role"
    return f"{_account_of(entry)} {will} at this event."


def _restore_role(entry: LogEntry, actor: Actor, _reason: str) -> None:
    user, role = _account_of(entry), entry.before.get("role")
    if role:
        settings_services.give_role(entry.tournament, actor, user, role)
        return
    held = entry.tournament.staff.filter(user=user).first()
    if held is None:
        raise CannotUndo(f"{user} has no role at this event any more.")
    settings_services.remove_role(entry.tournament, actor, held)


def _same_account(entry: LogEntry) -> Q:
    key = _account_of(entry).pk
    return Q(action__in=(LogAction.ROLE_GIVEN, LogAction.ROLE_TAKEN)) & (
        Q(after__account=key) | Q(before__account=key)
    )


_ROLE_RULE = UndoRule(can_own, _describe_role, _restore_role, _same_account)


EVENT_RULES: dict[str, UndoRule] = {
    LogAction.SETTINGS_CHANGED: UndoRule(
        can_run,
        _describe_settings,
        _restore_settings,
        lambda entry: Q(
            action__in=event_log.SETTING_CHANGES, after__has_any_keys=list(entry.before)
        ),
    ),
    LogAction.REGISTRATION_OPENED: UndoRule(
        can_run,
        lambda _: "Players cannot join by themselves any more.",
        lambda entry, actor, _: settings_services.set_registration(
            entry.tournament, actor, is_open=False
        ),
        _same_registration_switch,
    ),
    LogAction.REGISTRATION_CLOSED: UndoRule(
        can_run,
        lambda _: "Players can join by themselves again.",
        lambda entry, actor, _: settings_services.set_registration(
            entry.tournament, actor, is_open=True
        ),
        _same_registration_switch,
    ),
    LogAction.ROLE_GIVEN: _ROLE_RULE,
    LogAction.ROLE_TAKEN: _ROLE_RULE,
    LogAction.EVENT_FINISHED: UndoRule(
        can_own,
        lambda _: "The event will be open again.",
        lambda entry, actor, reason: settings_services.reopen_event(
            entry.tournament, actor, reason
        ),
        _same_event_end,
    ),
    LogAction.EVENT_REOPENED: UndoRule(
        can_run,
        lambda _: "The event will be finished again.",
        lambda entry, actor, _: settings_services.finish_event(entry.tournament, actor),
        _same_event_end,
    ),
}


# Decks.


DECK_LOCK_ACTIONS = (LogAction.DECK_LOCKED, LogAction.DECK_LOCKED_BY_STAFF)
DECK_UNLOCK_ACTION = LogAction.DECK_UNLOCKED
_same_lock_of_all = with_actions(LogAction.ALL_DECKS_LOCKED, LogAction.ALL_DECKS_OPENED)
_same_deck_reveal = with_actions(LogAction.DECKS_REVEALED, LogAction.DECKS_HIDDEN)


def _deck_of(entry: LogEntry) -> DeckSubmission:
    place = registration_of(entry)
    found = place.deck_submissions.filter(side=entry.after["side"]).first()
    if found is None:
        raise CannotUndo(f"{place.player} has no such deck here any more.")
    found.registration = place
    return found


def _same_deck(entry: LogEntry) -> Q:
    return Q(
        action__in=(*DECK_LOCK_ACTIONS, DECK_UNLOCK_ACTION),
        registration=entry.registration_id,
        after__side=entry.after["side"],
    )


def _describe_deck(words: str, entry: LogEntry) -> str:
    return (
        f"The {_deck_of(entry).get_side_display()} deck of {registration_of(entry).player} {words}"
    )


_UNLOCK_RULE = UndoRule(
    can_judge,
    lambda entry: _describe_deck("can be changed by its player again.", entry),
    lambda entry, actor, reason: decklists_services.unlock_deck(_deck_of(entry), actor, reason),
    _same_deck,
)


def _same_waiver(entry: LogEntry) -> Q:
    return Q(action__in=deck_queries.WAIVER_CHANGES, registration=entry.registration_id)


DECK_RULES: dict[str, UndoRule] = {
    LogAction.DECK_PROBLEM_WAIVED: UndoRule(
        can_judge,
        lambda entry: f"The deck problems of {registration_of(entry).player} will be listed again.",
        lambda entry, actor, reason: decklists_services.withdraw_waiver(
            registration_of(entry), actor, reason
        ),
        _same_waiver,
    ),
    LogAction.DECK_WAIVER_WITHDRAWN: UndoRule(
        can_judge,
        lambda entry: f"The deck problems of {registration_of(entry).player} will be waived again.",
        lambda entry, actor, _: decklists_services.restore_waiver(
            registration_of(entry), actor, **entry.before
        ),
        _same_waiver,
    ),
    LogAction.ALL_DECKS_LOCKED: UndoRule(
        can_run,
        lambda _: "Players can change their lists again.",
        lambda entry, actor, reason: decklists_services.reopen_all_decks(
            entry.tournament, actor, reason
        ),
        _same_lock_of_all,
    ),
    LogAction.ALL_DECKS_OPENED: UndoRule(
        can_run,
        lambda _: "No player can change a list any more.",
        lambda entry, actor, _: decklists_services.lock_all_decks(entry.tournament, actor),
        _same_lock_of_all,
    ),
    LogAction.DECKS_REVEALED: UndoRule(
        can_run,
        lambda _: "Decks are seen as the stages say again.",
        lambda entry, actor, _: decklists_services.set_decks_revealed(
            entry.tournament, actor, revealed=False
        ),
        _same_deck_reveal,
    ),
    LogAction.DECKS_HIDDEN: UndoRule(
        can_run,
        lambda _: "Everybody will see all decks again.",
        lambda entry, actor, _: decklists_services.set_decks_revealed(
            entry.tournament, actor, revealed=True
        ),
        _same_deck_reveal,
    ),
    **dict.fromkeys(DECK_LOCK_ACTIONS, _UNLOCK_RULE),
    DECK_UNLOCK_ACTION: UndoRule(
        can_judge,
        lambda entry: _describe_deck("will be locked again.", entry),
        lambda entry, actor, _: decklists_services.lock_deck_by_staff(_deck_of(entry), actor),
        _same_deck,
    ),
}
