"""Publish, start and close rounds, undo each of these, and run their clocks."""

from typing import Any, TypeAlias

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from engine.timing import Clock, ClockState, paused_clock, reopened_clock, resumed_clock
from matches.models import Seat
from tournaments.event import history, penalties_on_results
from tournaments.event import services as event_services
from tournaments.event.permissions import Actor
from tournaments.event.services import request_standings, restart_standings
from tournaments.models import (
    Absence,
    LogAction,
    LogEntry,
    Pairing,
    ProgramReason,
    Registration,
    Round,
    RoundState,
    Tournament,
)
from tournaments.ops import services as operation_services
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import late_entries
from tournaments.rounds.drafting import RoundStillOpen

CLOCK_FIELDS = ("started_at", "paused_at", "paused_seconds")
RosterChanges: TypeAlias = dict[str, list[int]]
# The largest number of changes that a refusal names.
MAX_CHANGES_IN_REFUSAL = 3
CLOCK_MOMENTS = ("started_at", "paused_at")
CLOCK_COUNTS = ("paused_seconds", "extra_minutes")
StoredClocks = dict[str, Any]


class NotADraft(Refusal):
    """The round is published or its draft was discarded."""


class WrongState(Refusal):
    pass


class ResultsAreIn(Refusal):
    """Players have reported results, so the round cannot become a draft again."""


class ResultsMissing(Refusal):
    pass


class DraftIsOld(Refusal):
    """Players, earlier results or the bracket have changed since the draft was made."""


class DraftHasChanged(Refusal):
    pass


# The refusals of each action that the API declares; pages show any refusal.
STEP_REFUSALS = (history.EventIsFinished, NotADraft, WrongState)
PUBLISH_REFUSALS = (history.EventIsFinished, NotADraft, DraftHasChanged, DraftIsOld)
UNPUBLISH_REFUSALS = (*STEP_REFUSALS, ResultsAreIn)
CLOSE_REFUSALS = (*STEP_REFUSALS, ResultsMissing)
REOPEN_REFUSALS = (history.EventIsFinished, NotADraft, RoundStillOpen)


@transaction.atomic
def publish_round(
    round_: Round,
    actor: Actor,
    *,
    leave_out_latecomers: bool = False,
    again: LogEntry | None = None,
    seen: int | None = None,
) -> None:
    """Publish the pairings. Publishing twice changes nothing.

    `seen` is the `log.newest_draft_change()` of the page. `again` is the log entry of an unpublish
    that this call undoes: registration stays as it is, and players who came or left while the round
    was public do not block it.
    """
    tournament, round_ = lock_round(round_)
    if not round_.is_draft:
        return
    refuse_unseen_changes(tournament, seen)
    refuse_outdated_draft(round_, leave_out_latecomers=leave_out_latecomers, again=again)
    round_.state, round_.published_at = RoundState.PUBLISHED, timezone.now()
    round_.save(update_fields=["state", "published_at"])
    after = {"pairings": round_.pairings_for_log()}
    history.record(tournament, actor, LogAction.ROUND_PUBLISHED, round_, after=after)
    if round_.number == 1 and tournament.registration_is_open and again is None:
        # From round 1 the staff add players, or open registration again by hand.
        tournament.registration_is_open = False
        tournament.save(update_fields=["registration_is_open"])
        history.record(
            tournament, actor, LogAction.REGISTRATION_CLOSED, reason=ProgramReason.ROUND_1_PUBLISHED
        )
    event_services.drop_absent_players(round_)
    penalties_on_results.apply_waiting_penalties(round_, actor)
    event_services.notify_round_published(round_)


@transaction.atomic
def unpublish_round(round_: Round, actor: Actor, reason: str) -> None:
    """Make a published round a draft again. Refused once a result is reported.

    The log stores the clock for an undo. Penalties on its results wait until it is published again.
    """
    tournament, round_ = lock_round(round_)
    if round_.is_draft:
        return
    if round_.is_closed:
        raise WrongState(_("This round is closed. Reopen it first."))
    lifted = penalties_on_results.lift_penalties(round_)
    reported = [table for table in round_.pairings.with_players() if table.is_reported]
    if reported:
        raise ResultsAreIn(
            _(
                "A result has been reported at %(table)s, so the round stays public. You can "
                "re-pair the other tables."
            )
            % {"table": reported[0]}
        )
    # Only a round that an older release reopened still has such rows.
    late_entries.delete_missed_round_credits(round_)
    before = {"clock": get_stored_clocks(round_), "moved": get_roster_changes(round_)}
    # The seats may differ when it is published again, so reset what belongs to them.
    round_.state, round_.published_at = RoundState.DRAFT, None
    round_.started_at = round_.paused_at = None
    round_.paused_seconds = round_.extra_minutes = 0
    round_.save(update_fields=["state", "published_at", *CLOCK_FIELDS, "extra_minutes"])
    round_.pairings.update(extra_minutes=0)
    Absence.objects.filter(pairing__round=round_).delete()
    history.record(
        tournament, actor, LogAction.ROUND_TAKEN_BACK, round_, before=before, reason=reason
    )
    penalties_on_results.log_lifted_penalties(tournament, actor, lifted)


@transaction.atomic
def start_round(round_: Round, actor: Actor) -> None:
    tournament, round_ = lock_round(round_)
    if round_.state == RoundState.RUNNING:
        return
    if round_.state != RoundState.PUBLISHED:
        raise WrongState(_("Publish the round before you start its clock."))
    round_.state, round_.started_at = RoundState.RUNNING, timezone.now()
    round_.save(update_fields=["state", "started_at"])
    history.record(tournament, actor, LogAction.ROUND_STARTED, round_)


@transaction.atomic
def close_round(round_: Round, actor: Actor) -> None:
    """Close the round, so that the next one can be paired. Closing twice changes nothing."""
    tournament, round_ = lock_round(round_)
    if round_.is_closed:
        return
    if round_.is_draft:
        raise WrongState(_("Publish this draft, or discard it."))
    if waiting := round_.open_tables().count():
        raise ResultsMissing(
            _("Tables without a settled result: %(waiting)s.") % {"waiting": waiting}
        )
    if tied := rounds_cut.undecided_tables(round_):
        raise ResultsMissing(
            _("Choose who advances at %(table)s: the match is tied.") % {"table": tied[0]}
        )
    _close(tournament, round_, actor, LogAction.ROUND_CLOSED)


def close_round_by_force(tournament: Tournament, number: int, actor: Actor, reason: str) -> None:
    """Close the round before `number` despite missing results. Raises ResultsMissing in a cut."""
    latest = tournament.latest_round()
    if latest is None or latest.number != number - 1 or latest.is_draft or latest.is_closed:
        return
    if latest.is_in_cut:
        raise ResultsMissing(
            _("A round of a cut requires every result: the bracket needs to know who advances.")
        )
    waiting = [str(pairing) for pairing in latest.open_tables()]
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
    history.record(tournament, actor, action, round_, reason=reason, after=after)
    late_entries.credit_missed_round(round_)
    request_standings(tournament, round_.number)
    operation_services.request_backup(tournament, round_.number)


@transaction.atomic
def reopen_round(round_: Round, actor: Actor, reason: str) -> None:
    """Reopen the last round if no later round is drafted and no cut is made.

    The time it was closed counts as a pause of its clock. Credits of late entries for this missed
    round are deleted until it is closed again; the log stores them.
    """
    tournament, round_ = lock_round(round_)
    if not round_.is_closed:
        return
    later = tournament.rounds.filter(number__gt=round_.number).first()
    if later is not None and later.is_draft:
        raise RoundStillOpen(
            _("The next round is already drafted. Discard its draft before you reopen this round.")
        )
    if later is not None:
        raise RoundStillOpen(_("A later round exists. Change the results of this one instead."))
    if tournament.current_stage() != round_.stage:
        raise RoundStillOpen(_("A cut is made from this round. Undo the cut first."))
    clock = reopened_clock(round_.clock(), timezone.now())
    round_.state = RoundState.RUNNING if round_.started_at else RoundState.PUBLISHED
    round_.closed_at, round_.paused_seconds = None, clock.paused_seconds
    round_.save(update_fields=["state", "closed_at", "paused_seconds"])
    missed = late_entries.delete_missed_round_credits(round_)
    restart_standings(tournament)
    before = {"late_entries": missed} if missed else None
    history.record(
        tournament, actor, LogAction.ROUND_REOPENED, round_, before=before, reason=reason
    )


def lock_round(round_: Round) -> tuple[Tournament, Round]:
    """Raise EventIsFinished, or NotADraft for a discarded draft."""
    # The lock order everywhere: first the event, then the round.
    tournament = history.lock_unfinished(round_.stage.tournament)
    rows = Round.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    locked = rows.filter(pk=round_.pk).first()
    if locked is None:
        raise NotADraft(_("This draft was discarded. Pair the round again."))
    return tournament, locked


def refuse_unless_draft(round_: Round) -> None:
    if not round_.is_draft:
        raise NotADraft(_("This round is published; players have seen their tables."))


def refuse_unseen_changes(tournament: Tournament, seen: int | None) -> None:
    """Raise DraftHasChanged if the draft was changed since it was seen; None skips the check."""
    if seen is None or seen == tournament.log.newest_draft_change():
        return
    changes = [str(entry) for entry in tournament.log.draft_changes_since(seen)]
    named = "; ".join(changes[:MAX_CHANGES_IN_REFUSAL])
    more = len(changes) - MAX_CHANGES_IN_REFUSAL
    text = (
        _(
            "This draft was changed while you had it open: %(changes)s and %(more)s more. Review "
            "the changes, then try again."
        )
        if more > 0
        else _(
            "This draft was changed while you had it open: %(changes)s. Review the changes, then "
            "try again."
        )
    )
    raise DraftHasChanged(text % {"changes": named, "more": more})


def refuse_outdated_draft(
    round_: Round, *, leave_out_latecomers: bool, again: LogEntry | None
) -> None:
    """Raise DraftIsOld if results, bracket or players have changed since the draft was made.

    With `again`, the log entry of an unpublish that is undone, changes of results and players while
    the round was public are ignored.
    """
    if round_.results_changed_since_draft(again.at if again else None):
        raise DraftIsOld(
            _(
                "A result of an earlier round was changed since this draft was made. "
                "Pair the round again."
            )
        )
    if round_.is_in_cut and not rounds_cut.is_draft_current(round_):
        raise DraftIsOld(
            _("The bracket has changed since this draft was made. Pair the round again.")
        )
    known: RosterChanges = again.before.get("moved", {}) if again else {}
    gone, arrived = round_.changes_since_draft()
    if left := [entry for entry in gone if entry.number not in known.get("gone", ())]:
        raise DraftIsOld(
            _("%(players)s dropped after this draft was made. Pair the round again.")
            % {"players": _player_names(left)}
        )
    came = [entry for entry in arrived if entry.number not in known.get("arrived", ())]
    if came and not leave_out_latecomers:
        raise DraftIsOld(
            _(
                "%(players)s checked in after this draft was made. Pair the round "
                "again, or publish without them; they will play from the next round."
            )
            % {"players": _player_names(came)}
        )


def get_roster_changes(round_: Round) -> RosterChanges:
    gone, arrived = round_.changes_since_draft()
    return {
        "gone": [entry.number for entry in gone],
        "arrived": [entry.number for entry in arrived],
    }


def _player_names(registrations: list[Registration]) -> str:
    return ", ".join(str(registration.player) for registration in registrations)


def get_stored_clocks(round_: Round) -> StoredClocks:
    moments = {name: getattr(round_, name) for name in CLOCK_MOMENTS}
    tables = round_.pairings.exclude(extra_minutes=0).exclude(match=None)
    return {
        "state": str(round_.state),
        **{name: moment and moment.isoformat() for name, moment in moments.items()},
        **{name: getattr(round_, name) for name in CLOCK_COUNTS},
        "tables": [[table.pk, table.extra_minutes, _player_ids_at(table)] for table in tables],
    }


def restore_clocks(round_: Round, clocks: StoredClocks) -> None:
    """Restore stored clocks, for tables with unchanged players. Time has passed since."""
    moments = {name: clocks[name] and parse_datetime(clocks[name]) for name in CLOCK_MOMENTS}
    counts = {name: clocks[name] for name in CLOCK_COUNTS}
    Round.objects.filter(pk=round_.pk).update(state=clocks["state"], **moments, **counts)
    extra = {pk: (minutes, seated) for pk, minutes, seated in clocks["tables"]}
    for table in Pairing.objects.filter(pk__in=extra, round=round_).exclude(match=None):
        minutes, seated = extra[table.pk]
        if _player_ids_at(table) == seated:
            Pairing.objects.filter(pk=table.pk).update(extra_minutes=minutes)


def _player_ids_at(table: Pairing) -> list[int]:
    # Extra minutes belong to the players, not to the table.
    seats = Seat.objects.filter(match=table.match_id)
    return sorted(seats.values_list("player", flat=True))


# The clock of a running round.

MAX_ROUND_MINUTES = 600
MAX_TABLE_MINUTES = 60
PAUSE_FIELDS = ("paused_at", "paused_seconds")


class ClockMoved(Refusal):
    """Another user changed the clock since the page was made."""


class OutOfMeasure(Refusal):
    """The minutes are outside the limits of a round or a table."""


RESUME_REFUSALS = (*STEP_REFUSALS, ClockMoved)
MINUTES_REFUSALS = (*STEP_REFUSALS, ClockMoved, OutOfMeasure)


@transaction.atomic
def pause_clock(round_: Round, actor: Actor) -> None:
    """Pause the clock. Pausing twice keeps the first moment."""
    tournament, round_ = lock_round(round_)
    clock = round_.clock()
    if clock.state is ClockState.PAUSED:
        return
    if clock.state is not ClockState.RUNNING:
        raise WrongState(
            _("The clock of round %(round)s is not running.") % {"round": round_.number}
        )
    _save_pause(round_, paused_clock(clock, timezone.now()))
    history.record(tournament, actor, LogAction.CLOCK_PAUSED, round_)


@transaction.atomic
def resume_clock(round_: Round, actor: Actor, seen: int | None = None) -> None:
    """Resume a paused clock. `seen` is the `pause_mark` of the page: a later pause is not ended."""
    tournament, round_ = lock_round(round_)
    clock = round_.clock()
    if clock.state is ClockState.RUNNING:
        return
    if clock.state is not ClockState.PAUSED:
        raise WrongState(
            _("The clock of round %(round)s is not paused.") % {"round": round_.number}
        )
    if seen is not None and seen != round_.pause_mark:
        raise ClockMoved(_("The clock was paused again. Check it, then resume."))
    _save_pause(round_, resumed_clock(clock, timezone.now()))
    history.record(tournament, actor, LogAction.CLOCK_RESUMED, round_)


def _save_pause(round_: Round, clock: Clock) -> None:
    round_.paused_at, round_.paused_seconds = clock.paused_at, clock.paused_seconds
    round_.save(update_fields=PAUSE_FIELDS)


@transaction.atomic
def add_minutes(round_: Round, minutes: int, actor: Actor, seen: int | None = None) -> None:
    """Add minutes for the whole room; a negative number takes minutes away.

    `seen` are the minutes added when the page was made. A repeated request changes nothing.
    """
    tournament, round_ = lock_round(round_)
    _refuse_without_clock(round_)
    had = round_.extra_minutes
    if _is_resent(seen, minutes, had):
        return
    total = tournament.round_minutes + had + minutes
    if not 1 <= total <= MAX_ROUND_MINUTES:
        raise OutOfMeasure(
            ngettext(
                "Round %(round)s would last %(total)s minute. It can last 1 to %(most)s.",
                "Round %(round)s would last %(total)s minutes. It can last 1 to %(most)s.",
                total,
            )
            % {"round": round_.number, "total": total, "most": MAX_ROUND_MINUTES}
        )
    round_.extra_minutes = had + minutes
    round_.save(update_fields=["extra_minutes"])
    action = LogAction.MINUTES_ADDED if minutes > 0 else LogAction.MINUTES_TAKEN
    history.record(tournament, actor, action, round_, **_logged_minutes(had, round_))


@transaction.atomic
def add_table_minutes(
    pairing: Pairing, minutes: int, actor: Actor, reason: str = "", seen: int | None = None
) -> None:
    """Add minutes for one table, on top of those of the room. `seen` as in `add_minutes`."""
    tournament, round_ = lock_round(pairing.round)
    _refuse_without_clock(round_)
    tables = Pairing.objects.select_for_update(of=("self",))
    locked = tables.filter(pk=pairing.pk, bye=None).first()
    if locked is None:
        raise WrongState(_("This table was re-paired. Check who sits where now."))
    locked.round = round_
    had = locked.extra_minutes
    if _is_resent(seen, minutes, had):
        return
    if not 0 <= had + minutes <= MAX_TABLE_MINUTES:
        raise OutOfMeasure(
            _(
                "Table %(table)s would have %(minutes)s more minutes than the room. It can have 0 "
                "to %(most)s."
            )
            % {"table": locked.table_number, "minutes": had + minutes, "most": MAX_TABLE_MINUTES}
        )
    locked.extra_minutes = had + minutes
    locked.save(update_fields=["extra_minutes"])
    values = _logged_minutes(had, locked)
    history.record(tournament, actor, LogAction.TABLE_GIVEN_TIME, locked, reason=reason, **values)


def _refuse_without_clock(round_: Round) -> None:
    if not round_.is_played:
        text = (
            _("Round %(round)s is a draft, so it has no clock.")
            if round_.is_draft
            else _("Round %(round)s is closed, so it has no clock.")
        )
        raise WrongState(text % {"round": round_.number})


def _is_resent(seen: int | None, minutes: int, had: int) -> bool:
    """Return True if this change is made already. Raises ClockMoved after a different change."""
    if seen is None or seen == had:
        return False
    if had == seen + minutes:
        return True
    raise ClockMoved(_("The time has changed. Check it, then try again."))


def _logged_minutes(had: int, subject: Round | Pairing) -> dict[str, Any]:
    return {
        "before": {"extra_minutes": had},
        "after": {"extra_minutes": subject.extra_minutes},
    }
