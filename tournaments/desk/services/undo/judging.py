"""Judges at the tables: calls taken and answered, penalties, players who were missed."""

from django.db.models import Q

from rulings.models import JudgeCall
from tournaments.desk.services.undo.kinds import CannotUndo, Kind, on_same, place_of
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.judging import queries as judging_queries
from tournaments.judging.services import calls, penalties
from tournaments.models import LogAction, LogEntry, Penalty, log_actions
from tournaments.registration.services import arrivals


def _call(entry: LogEntry) -> JudgeCall:
    """The call it is about. Raises CannotUndo when that is gone."""
    found = (
        judging_queries.calls_of(entry.tournament).filter(pk=entry.after.get("call") or 0).first()
    )
    if found is None:
        raise CannotUndo("This table was made anew meanwhile, so there is nothing to take back.")
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
        raise CannotUndo(f"{place.player} is not missed any more, or the table was decided.")
    arrivals.mark_present(absence.pairing, place, actor)


_judge = permissions.can_judge
KINDS: dict[str, Kind] = {
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
        lambda entry: f"{place_of(entry).player} will not be missed any more.",
        _miss_no_more,
        on_same("registration", LogAction.PLAYER_MISSED, LogAction.MISSED_PLAYER_CAME),
    ),
}
