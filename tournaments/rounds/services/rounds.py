"""Rounds: published, started, closed, and each of these taken back."""

from typing import Any, TypeAlias

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from core.errors import Refusal
from core.pause_points import pause_point
from engine.clock import reopened
from matches.models import Seat
from tournaments.event import attendance, history, penalising, queries
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings, restart_standings
from tournaments.models import (
    Absence,
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    Round,
    RoundState,
    Tournament,
)
from tournaments.operations import services as operation_services
from tournaments.rounds import elimination
from tournaments.rounds.drafts.making import RoundStillOpen
from tournaments.rounds.services import late_entries

CLOCK_FIELDS = ("started_at", "paused_at", "paused_seconds")
Moved: TypeAlias = dict[str, list[int]]
MOST_NAMED = 3
"""So many changes are named one by one."""
CLOCK_MOMENTS = ("started_at", "paused_at")
CLOCK_COUNTS = ("paused_seconds", "extra_minutes")
KeptClocks = dict[str, Any]


class NotADraft(Refusal):
    """Published pairings stay: players have seen them."""


class WrongState(Refusal):
    """The round is not where this step begins."""


class ResultsAreIn(Refusal):
    """Players have reported results, so the round cannot be a draft again."""


class ResultsMissing(Refusal):
    """Tables without a settled result keep a round open."""


class DraftIsOld(Refusal):
    """The field has changed since the draft was made."""


class DraftHasChanged(Refusal):
    """Somebody else changed the draft meanwhile."""


@transaction.atomic
def publish(
    round_: Round,
    actor: Actor,
    *,
    leave_out_latecomers: bool = False,
    again: LogEntry | None = None,
    seen: int | None = None,
) -> None:
    """Everybody sees the pairings. Published twice, nothing changes.

    With round 1 registration closes, and who is absent is out where the event wants it so. `seen`
    is `queries.newest_draft_change` when the page was made. `again` is the entry of taking the
    round back, which this takes back: registration was closed by the first time, and who came or
    left while it was public does not hold it up.

    Raises NotADraft, DraftHasChanged when somebody changed the draft since it was seen, and
    DraftIsOld when an earlier result was changed or players came or went since it was made;
    those who came may be left out until the next round.
    """
    tournament, round_ = lock_round(round_)
    pause_point("publish:locked")
    if not round_.is_draft:
        return
    refuse_unseen(tournament, seen)
    refuse_old(round_, leave_out_latecomers=leave_out_latecomers, again=again)
    round_.state, round_.published_at = RoundState.PUBLISHED, timezone.now()
    round_.save(update_fields=["state", "published_at"])
    pause_point("publish:saved")
    after = {"pairings": queries.logged_pairings(round_)}
    history.record(tournament, actor, LogAction.ROUND_PUBLISHED, round_, after=after)
    pause_point("publish:recorded")
    if round_.number == 1 and tournament.registration_is_open and again is None:
        _close_registration(tournament, actor)
    attendance.drop_absent(round_)
    penalising.take_effect(round_, actor)
    event_services.round_published(round_)
    pause_point("publish:done")


def _close_registration(tournament: Tournament, actor: Actor) -> None:
    """From round 1 on the staff let people in, or open registration again by hand."""
    tournament.registration_is_open = False
    tournament.save(update_fields=["registration_is_open"])
    history.record(
        tournament, actor, LogAction.REGISTRATION_CLOSED, reason="Round 1 was published."
    )


@transaction.atomic
def unpublish(round_: Round, actor: Actor, reason: str) -> None:
    """Take back `publish`: the round is a draft again. Refused once a result has come in.

    Its clock is forgotten but for the log, the time that was given and who was missed: who sits
    where may be another thing when it is published again. For the same reason penalties on its
    results wait for it.
    """
    tournament, round_ = lock_round(round_)
    if round_.is_draft:
        return
    if round_.is_closed:
        raise WrongState("This round is closed; open it again first.")
    lifted = penalising.lift(round_)
    reported = [one for one in queries.pairings_by_table(round_) if queries.is_reported(one)]
    if reported:
        raise ResultsAreIn(
            f"A result has come in at {reported[0]}, so the round stays public. You can "
            "re-pair the other tables."
        )
    # Only a round that was opened again by an older release still has such rows.
    late_entries.forget_missed_round(round_)
    before = {
        "clock": kept_clocks(round_),
        "moved": moved_since_draft(round_),
    }
    round_.state, round_.published_at = RoundState.DRAFT, None
    round_.started_at = round_.paused_at = None
    round_.paused_seconds = round_.extra_minutes = 0
    round_.save(update_fields=["state", "published_at", *CLOCK_FIELDS, "extra_minutes"])
    round_.pairings.update(extra_minutes=0)
    Absence.objects.filter(pairing__round=round_).delete()
    history.record(
        tournament, actor, LogAction.ROUND_TAKEN_BACK, round_, before=before, reason=reason
    )
    penalising.log_waiting(tournament, actor, lifted)


@transaction.atomic
def start(round_: Round, actor: Actor) -> None:
    """The clock runs. Started twice, it keeps its first start."""
    tournament, round_ = lock_round(round_)
    if round_.state == RoundState.RUNNING:
        return
    if round_.state != RoundState.PUBLISHED:
        raise WrongState("Publish the round before you start its clock.")
    round_.state, round_.started_at = RoundState.RUNNING, timezone.now()
    round_.save(update_fields=["state", "started_at"])
    history.record(tournament, actor, LogAction.ROUND_STARTED, round_)


@transaction.atomic
def close(round_: Round, actor: Actor) -> None:
    """Fix the results, so that the next round can be paired. Closed twice, nothing changes."""
    tournament, round_ = lock_round(round_)
    pause_point("close:locked")
    if round_.is_closed:
        return
    if round_.is_draft:
        raise WrongState("Publish this draft, or discard it.")
    if waiting := queries.open_matches(round_).count():
        raise ResultsMissing(f"Tables without a settled result: {waiting}.")
    if level := elimination.undecided_tables(round_):
        raise ResultsMissing(f"Say who goes on at {level[0]}: the match ended level.")
    _close(tournament, round_, actor, LogAction.ROUND_CLOSED)


def close_by_force(tournament: Tournament, number: int, actor: Actor, reason: str) -> None:
    """Close the round before `number` without the results it lacks. Raises ResultsMissing."""
    latest = queries.latest_round(tournament)
    if latest is None or latest.number != number - 1 or latest.is_draft or latest.is_closed:
        return
    if latest.stage.way.is_elimination:
        raise ResultsMissing("A round of a cut needs every result: the bracket asks who goes on.")
    waiting = [str(pairing) for pairing in queries.open_tables(latest)]
    _close(
        tournament,
        latest,
        actor,
        LogAction.ROUND_CLOSED_BY_FORCE,
        reason,
        {"without_result": waiting},
    )


def _close(
    tournament: Tournament,
    round_: Round,
    actor: Actor,
    action: LogAction,
    reason: str = "",
    after: dict[str, Any] | None = None,
) -> None:
    round_.state, round_.closed_at = RoundState.CLOSED, timezone.now()
    round_.save(update_fields=["state", "closed_at"])
    pause_point("close:saved")
    history.record(tournament, actor, action, round_, reason=reason, after=after)
    pause_point("close:recorded")
    late_entries.credit_missed_round(round_)
    request_standings(tournament, round_.number)
    operation_services.request_backup(tournament, round_.number)
    pause_point("close:done")


@transaction.atomic
def reopen(round_: Round, actor: Actor, reason: str) -> None:
    """Take back `close` of the last round, while no later one is drafted and no cut is made.

    The time it was closed counts as a pause of its clock. What the round brought to those who
    came too late for it is gone until it is closed again; the log keeps who they were.
    """
    tournament, round_ = lock_round(round_)
    if not round_.is_closed:
        return
    if queries.rounds(tournament).filter(number__gt=round_.number).exists():
        raise RoundStillOpen("A later round exists. Change the results of this one instead.")
    if queries.current_stage(tournament) != round_.stage:
        raise RoundStillOpen("A cut is made from this round. Undo the cut first.")
    clock = reopened(queries.clock_of(round_), timezone.now())
    round_.state = RoundState.RUNNING if round_.started_at else RoundState.PUBLISHED
    round_.closed_at, round_.paused_seconds = None, clock.paused_seconds
    round_.save(update_fields=["state", "closed_at", "paused_seconds"])
    missed = late_entries.forget_missed_round(round_)
    restart_standings(tournament)
    before = {"late_entries": missed} if missed else None
    history.record(
        tournament, actor, LogAction.ROUND_REOPENED, round_, before=before, reason=reason
    )


def lock_round(round_: Round) -> tuple[Tournament, Round]:
    """Tournament first, then the round: one lock order everywhere.

    Raise EventIsFinished, or NotADraft for one that was thrown away.
    """
    tournament = history.lock_unfinished(round_.stage.tournament)
    rows = Round.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    locked = rows.filter(pk=round_.pk).first()
    if locked is None:
        raise NotADraft("Somebody has discarded this draft. Pair the round again.")
    return tournament, locked


def refuse_unless_draft(round_: Round) -> None:
    if not round_.is_draft:
        raise NotADraft("This round is published; players have seen their tables.")


def refuse_unseen(tournament: Tournament, seen: int | None) -> None:
    """Raise DraftHasChanged, with what changed, when the draft is not the one that was seen.

    `seen` is `queries.newest_draft_change` when the page was made; None asks nothing.
    """
    if seen is None or seen == queries.newest_draft_change(tournament):
        return
    changes = [str(entry) for entry in queries.draft_changes_since(tournament, seen)]
    named = "; ".join(changes[:MOST_NAMED])
    more = f" and {len(changes) - MOST_NAMED} more" if len(changes) > MOST_NAMED else ""
    raise DraftHasChanged(
        f"Somebody changed this draft while you had it open: {named}{more}. "
        "Check it as it is now, then try again."
    )


def refuse_old(
    round_: Round, *, leave_out_latecomers: bool = False, again: LogEntry | None = None
) -> None:
    """Raise DraftIsOld when results, the bracket or the players are not those it was made from.

    `again` is the entry of taking the round back: results that had changed while it was public,
    and players who had come or left, are no news.
    """
    if queries.results_changed_since_draft(round_, again.at if again else None):
        raise DraftIsOld(
            "A result of an earlier round was changed since this draft was made. "
            "Pair the round again."
        )
    if round_.stage.way.is_elimination and not elimination.is_draft_of_now(round_):
        raise DraftIsOld("The bracket has changed since this draft was made. Pair the round again.")
    known: Moved = again.before.get("moved", {}) if again else {}
    gone, arrived = queries.changes_since_draft(round_)
    if left := [one for one in gone if one.number not in known.get("gone", ())]:
        raise DraftIsOld(f"{_names(left)} left since this draft was made. Pair the round again.")
    came = [one for one in arrived if one.number not in known.get("arrived", ())]
    if came and not leave_out_latecomers:
        raise DraftIsOld(
            f"{_names(came)} checked in since this draft was made. Pair the round again, or "
            "publish without them; they will play from the next round."
        )


def moved_since_draft(round_: Round) -> Moved:
    """The numbers of those who left and of those who arrived, as `refuse_old` looks for them."""
    gone, arrived = queries.changes_since_draft(round_)
    return {"gone": [one.number for one in gone], "arrived": [one.number for one in arrived]}


def _names(registrations: list[Registration]) -> str:
    return ", ".join(str(registration.player) for registration in registrations)


def kept_clocks(round_: Round) -> KeptClocks:
    """What the round and its tables have of their clocks, as plain JSON."""
    moments = {name: getattr(round_, name) for name in CLOCK_MOMENTS}
    given = round_.pairings.exclude(extra_minutes=0).exclude(match=None)
    return {
        "state": str(round_.state),
        **{name: moment and moment.isoformat() for name, moment in moments.items()},
        **{name: getattr(round_, name) for name in CLOCK_COUNTS},
        "tables": [[one.pk, one.extra_minutes, _players_at(one)] for one in given],
    }


def restore_clocks(round_: Round, clocks: KeptClocks) -> None:
    """The clocks as they were kept, of tables where the same sit. Time went on meanwhile."""
    moments = {name: clocks[name] and parse_datetime(clocks[name]) for name in CLOCK_MOMENTS}
    counts = {name: clocks[name] for name in CLOCK_COUNTS}
    Round.objects.filter(pk=round_.pk).update(state=clocks["state"], **moments, **counts)
    given = {pk: (minutes, seated) for pk, minutes, seated in clocks["tables"]}
    for table in Pairing.objects.filter(pk__in=given, round=round_).exclude(match=None):
        minutes, seated = given[table.pk]
        if _players_at(table) == seated:
            Pairing.objects.filter(pk=table.pk).update(extra_minutes=minutes)


def _players_at(table: Pairing) -> list[int]:
    """Who sits there, by key: the minutes are theirs."""
    seats = Seat.objects.filter(match=table.match_id)
    return sorted(seats.values_list("player", flat=True))
