"""Undo rules for drafts, clocks, results, judge calls and penalties of a round."""

from django.db.models import Q

from core.text import counted
from matches import records
from matches import services as matches
from matches.models import SETTLED, ReportState, ResultReport
from rulings.models import JudgeCall
from tournaments.desk.services.undo_kinds import (
    CannotUndo,
    Kind,
    of_event,
    on_same,
    pairing_of,
    place_of,
    round_of,
)
from tournaments.event import history, permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.services import request_ratings, request_standings
from tournaments.judging import queries as judging_queries
from tournaments.judging.services import calls, penalties
from tournaments.models import LogAction, LogEntry, Pairing, Penalty, log_actions
from tournaments.registration.services import no_shows
from tournaments.results.queries.impact import Impact, impact
from tournaments.results.services import cuts, results
from tournaments.rounds.services import clock, drafting, rounds

_run, _judge = permissions.can_run, permissions.can_judge
_seen = on_same("round", LogAction.ROUND_PUBLISHED, LogAction.ROUND_TAKEN_BACK)
_open = on_same(
    "round", LogAction.ROUND_CLOSED, LogAction.ROUND_CLOSED_BY_FORCE, LogAction.ROUND_REOPENED
)
_of_clock = on_same("round", LogAction.CLOCK_PAUSED, LogAction.CLOCK_RESUMED)
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


def _swap_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    numbers = entry.after.get("players", [])
    two = list(entry.tournament.registrations.select_related("player").filter(number__in=numbers))
    if len(two) != 2:
        raise CannotUndo("One of the two players is not on the roster any more.")
    round_ = round_of(entry)
    drafting.swap_seats(round_, two[0], two[1], actor)
    # Restore the engine's explanations of the original seating.
    for key, account in entry.before.get("accounts", {}).items():
        Pairing.objects.filter(pk=int(key), round=round_).update(**account)


def _later_draft(entry: LogEntry) -> Q:
    """Match all changes to the seating of the same draft."""
    changes = (
        LogAction.SEATS_SWAPPED,
        LogAction.PAIRED_BY_HAND,
        LogAction.ROUND_DRAFTED,
        LogAction.REST_PAIRED_ANEW,
    )
    return Q(action__in=changes, round=entry.round_id)


def _says_lock(entry: LogEntry) -> str:
    will = "be free" if entry.action == LogAction.LOCKED else "stay"
    return f"{entry.subject.capitalize()} will {will} when the rest is re-paired."


def _publish(entry: LogEntry, actor: Actor, _reason: str) -> None:
    round_ = round_of(entry)
    rounds.publish(round_, actor, again=entry)
    if "clock" in entry.before:
        rounds.restore_clocks(round_, entry.before["clock"])


def _says_published(entry: LogEntry) -> str:
    has_run = entry.before.get("clock", {}).get("started_at")
    return _says_round(f"will be published again{', with its clock' if has_run else ''}.", entry)


def _says_round(words: str, entry: LogEntry) -> str:
    return f"Round {round_of(entry).number} {words}"


def _minutes(entry: LogEntry) -> int:
    """Minutes added by the change; negative if minutes were removed."""
    given: int = entry.after["extra_minutes"] - entry.before["extra_minutes"]
    return given


def _says_time(entry: LogEntry) -> str:
    given = _minutes(entry)
    more = "less" if given > 0 else "more"
    return f"{entry.subject.capitalize()} will have {counted(abs(given), 'minute')} {more}."


_locking = Kind(
    _run,
    _says_lock,
    lambda entry, actor, _: drafting.set_lock(
        pairing_of(entry), actor, locked=entry.action == LogAction.UNLOCKED
    ),
    on_same("pairing", LogAction.LOCKED, LogAction.UNLOCKED),
)


_reopening = Kind(
    _run,
    lambda entry: _says_round(
        "will be open again: results can be reported, its standings wait.", entry
    ),
    lambda entry, actor, reason: rounds.reopen(round_of(entry), actor, reason),
    _open,
)


_adding = Kind(
    _run,
    _says_time,
    lambda entry, actor, _: clock.add(round_of(entry), -_minutes(entry), actor),
    on_same("round", LogAction.MINUTES_ADDED, LogAction.MINUTES_TAKEN),
)


ROUNDS: dict[str, Kind] = {
    LogAction.SEATS_SWAPPED: Kind(
        _run,
        lambda entry: f"{entry.subject} will change seats again in the draft of {entry.round}.",
        _swap_back,
        _later_draft,
    ),
    LogAction.LOCKED: _locking,
    LogAction.UNLOCKED: _locking,
    LogAction.ROUND_PUBLISHED: Kind(
        _run,
        lambda entry: _says_round("will be a draft again: players see no pairings of it.", entry),
        lambda entry, actor, reason: rounds.unpublish(round_of(entry), actor, reason),
        _seen,
    ),
    LogAction.ROUND_TAKEN_BACK: Kind(_run, _says_published, _publish, _seen),
    LogAction.ROUND_CLOSED: _reopening,
    LogAction.ROUND_CLOSED_BY_FORCE: _reopening,
    LogAction.ROUND_REOPENED: Kind(
        _run,
        lambda entry: _says_round("will be closed again.", entry),
        lambda entry, actor, _: rounds.close(round_of(entry), actor),
        _open,
    ),
    LogAction.CLOCK_PAUSED: Kind(
        _run,
        lambda _: "The clock will run again.",
        lambda entry, actor, _: clock.resume(round_of(entry), actor),
        _of_clock,
    ),
    LogAction.CLOCK_RESUMED: Kind(
        _run,
        lambda _: "The clock will be paused.",
        lambda entry, actor, _: clock.pause(round_of(entry), actor),
        _of_clock,
    ),
    LogAction.MINUTES_ADDED: _adding,
    LogAction.MINUTES_TAKEN: _adding,
    LogAction.TABLE_GIVEN_TIME: Kind(
        permissions.can_judge,
        _says_time,
        lambda entry, actor, reason: clock.add_to_table(
            pairing_of(entry), -_minutes(entry), actor, reason
        ),
        on_same("pairing", LogAction.TABLE_GIVEN_TIME),
    ),
}


def _cut_back(entry: LogEntry, actor: Actor, reason: str) -> None:
    kept = entry.before.get("cut")
    if kept is None:
        raise CannotUndo("The log does not hold what this cut was before. Change it on its page.")
    cuts.put_back(entry.tournament, kept, actor, reason)


ROUNDS |= dict.fromkeys(
    log_actions.CUT_CHANGES,
    Kind(
        _run,
        lambda _: "The cut will have the players and seeds it had before.",
        _cut_back,
        of_event(*log_actions.CUT_CHANGES, LogAction.CUT_MADE, LogAction.CUT_UNDONE),
    ),
)


def _says_result(entry: LogEntry) -> str:
    memory = entry.before["match"]
    pairing = pairing_of(entry)
    where = f"{str(pairing).capitalize()} of {entry.round}"
    if pairing.match is not None and pairing.match.losses != memory.get("losses", []):
        return f"{where} will have what was reported before, as a judge has decided since."
    if memory["state"] in SETTLED:
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


def _touched_standings(entry: LogEntry) -> Impact | None:
    """Impact on the standings of a closed round; None for a round still being played."""
    pairing = pairing_of(entry)
    if not pairing.round.is_closed:
        return None
    reports = entry.before["match"]["reports"]
    # The last confirmed report. A result made by a judge alone has none.
    confirmed = [int(key) for key, state in reports.items() if state == ReportState.CONFIRMED]
    if not confirmed:
        return impact(pairing, records.NOTHING_REPORTED)
    report = ResultReport.objects.get(pk=max(confirmed))
    return impact(pairing, records.from_document(report.result))


def _result_back(entry: LogEntry, actor: Actor, reason: str) -> None:
    pairing = pairing_of(entry)
    tournament = history.lock_unfinished(entry.tournament)
    memory = entry.before.get("match")
    if memory is None or pairing.match is None:
        raise CannotUndo("The log does not hold what this table was before.")
    round_ = pairing.round
    if round_.is_draft:
        raise CannotUndo("This round is a draft again.")
    if round_.is_closed:
        _refuse_in_closed_round(entry, memory["state"])
    pairing.match.refresh_from_db()
    if pairing.match.state != entry.after.get("state"):
        raise CannotUndo("The result was changed again since. Change it at its table instead.")
    held = matches.held(pairing.match)
    had, before = records.settled_result(held), matches.remembered(held)
    match = matches.restore(pairing.match, memory, seen_version=pairing.match.version)
    if round_.is_closed:
        # A penalty behind the result may have been withdrawn since.
        _refuse_in_closed_round(entry, match.state)
    now = records.settled_result(match)
    results.log_result(
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
    results.refuse_unless_it_fits(round_)
    if round_.is_closed:
        request_standings(tournament, round_.number)


def _refuse_in_closed_round(entry: LogEntry, state: str) -> None:
    assert entry.round is not None
    number = entry.round.number
    if queries.rounds(entry.tournament).filter(number__gt=number).exists():
        raise CannotUndo(
            f"Round {number + 1} was paired from this result. Change the result instead."
        )
    if state not in SETTLED:
        raise CannotUndo(
            f"Round {number} is closed and needs all its results. Open it again first, or change "
            "the result."
        )


_RESULT = Kind(
    permissions.can_enter_results,
    _says_result,
    _result_back,
    on_same("pairing", *RESULT_ACTIONS),
    _touched_standings,
)


RESULTS: dict[str, Kind] = dict.fromkeys(RESULT_ACTIONS, _RESULT)


def _call(entry: LogEntry) -> JudgeCall:
    """The judge call of the entry. Raises CannotUndo if it no longer exists."""
    found = (
        judging_queries.calls_of(entry.tournament).filter(pk=entry.after.get("call") or 0).first()
    )
    if found is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return found


def _of_the_call(entry: LogEntry) -> Q:
    return Q(action__in=log_actions.JUDGE_CALLS, after__call=entry.after.get("call"))


def _penalty(entry: LogEntry) -> Penalty:
    rows = Penalty.objects.select_related("registration__player", "tournament")
    found = rows.filter(pk=entry.after["penalty"], tournament=entry.tournament_id).first()
    if found is None:
        raise CannotUndo("This penalty is not there any more.")
    return found


def _says_penalty(words: str, entry: LogEntry) -> str:
    penalty = _penalty(entry)
    return f"{penalty} of {penalty.registration.player} will {words}"


def _same_penalty(entry: LogEntry) -> Q:
    return Q(
        action__in=(LogAction.PENALTY_GIVEN, LogAction.PENALTY_WITHDRAWN),
        after__penalty=entry.after["penalty"],
    )


def _miss_no_more(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, latest = place_of(entry), queries.latest_round(entry.tournament)
    absence = queries.open_absences(latest).filter(registration=place).first() if latest else None
    if absence is None:
        raise CannotUndo(
            f"{place.player} is not marked missing any more, or the table was decided."
        )
    no_shows.mark_present(absence.pairing, place, actor)


JUDGING: dict[str, Kind] = {
    LogAction.JUDGE_CALL_TAKEN: Kind(
        _judge,
        lambda entry: f"The call of {entry.subject} will be free again.",
        lambda entry, actor, _: calls.give_back(entry.tournament, _call(entry), actor),
        _of_the_call,
    ),
    LogAction.JUDGE_CALL_ANSWERED: Kind(
        _judge,
        lambda entry: (
            f"The call of {entry.subject} will wait for an answer again. Minutes and penalties "
            "that were given with it stay."
        ),
        lambda entry, actor, reason: calls.reopen(entry.tournament, _call(entry), actor, reason),
        _of_the_call,
    ),
    LogAction.PENALTY_GIVEN: Kind(
        _judge,
        lambda entry: _says_penalty(
            "be withdrawn, and the result and the place in the event will be what they were.",
            entry,
        ),
        lambda entry, actor, reason: penalties.withdraw(_penalty(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PENALTY_WITHDRAWN: Kind(
        _judge,
        lambda entry: _says_penalty("stand again, with its effect.", entry),
        lambda entry, actor, reason: penalties.give_again(_penalty(entry), actor, reason),
        _same_penalty,
    ),
    LogAction.PLAYER_MISSED: Kind(
        permissions.can_open_desk,
        lambda entry: f"{place_of(entry).player} will not be marked missing any more.",
        _miss_no_more,
        on_same("registration", LogAction.PLAYER_MISSED, LogAction.MISSED_PLAYER_CAME),
    ),
}
