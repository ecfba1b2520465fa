"""No-shows: players reported missing, and tables decided by staff or by the clock.

The policy follows the round clock, so it does nothing before the clock starts or while it is
paused. A player reported missing always gets ANSWER_TIME to report their presence.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import Refusal
from engine.timing import ClockState
from matches import records as matches_records
from matches import services as matches_services
from matches.models import Match, MatchState
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    Absence,
    DroppedBy,
    LogAction,
    Pairing,
    ProgramReason,
    Registration,
    RegistrationState,
    RoundState,
    Tournament,
)

# Real time that a player reported missing has to report their presence.
ANSWER_TIME = timedelta(minutes=2)


class NotMissed(Refusal):
    """No player, or not this player, can be reported missing at this table."""


@transaction.atomic
def mark_missing(pairing: Pairing, missing: Registration, actor: Actor) -> Absence:
    """Report the player missing from the table. Idempotent.

    Raises NotMissed once a result was reported, and unless the round is being played.
    """
    tournament, pairing = _lock_open_table(pairing)
    assert pairing.match is not None
    if pairing.match.state != MatchState.OPEN:
        raise NotMissed(
            gettext("A result has been reported at %(pairing)s, so nobody is absent.")
            % {"pairing": pairing}
        )
    if not pairing.match.seats.filter(player=missing.player_id).exists():
        raise NotMissed(
            gettext("%(player)s does not sit at %(pairing)s.")
            % {"player": missing.player, "pairing": pairing}
        )
    known = pairing.absences.filter(registration=missing)
    if open_ := known.filter(applied_at=None).first():
        return open_
    # Delete an earlier absence whose decision was undone.
    known.delete()
    after = {"table": pairing.table_number}
    history.record(tournament, actor, LogAction.PLAYER_MISSED, missing, after=after)
    return pairing.absences.create(registration=missing, user=actor.user, player=actor.player)


@transaction.atomic
def mark_present(pairing: Pairing, missing: Registration, actor: Actor) -> None:
    tournament, pairing = _lock_open_table(pairing)
    deleted, _ = pairing.absences.filter(registration=missing, applied_at=None).delete()
    if deleted:
        history.record(tournament, actor, LogAction.MISSED_PLAYER_CAME, missing)


@transaction.atomic
def decide_no_show(pairing: Pairing, actor: Actor) -> None:
    """Decide the table now, as the policy of the event would. Raises NotMissed."""
    tournament, pairing = _lock_open_table(pairing)
    missing = pairing.open_absences()
    if not missing:
        raise NotMissed(
            gettext("Nobody is marked as missing at %(pairing)s any more. Check the table again.")
            % {"pairing": pairing}
        )
    decide_for_present_players(tournament, pairing, missing, actor, ProgramReason.STAFF_DECISION)


def _lock_open_table(pairing: Pairing) -> tuple[Tournament, Pairing]:
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    rows = Pairing.objects.select_related("match", "round__stage__tournament")
    reloaded = rows.filter(pk=pairing.pk).exclude(match=None).first()
    if reloaded is None or not reloaded.round.is_played:
        raise NotMissed(gettext("This table is not being played now. Check the pairings."))
    return tournament, reloaded


def decide_no_shows(tournament: Tournament) -> None:
    for pairing in _overdue_tables(tournament):
        _decide_if_overdue(tournament, pairing)


@transaction.atomic
def _decide_if_overdue(tournament: Tournament, pairing: Pairing) -> None:
    locked = history.lock(tournament)
    # Check again under the lock: the player may have arrived, or a result was reported.
    if locked.is_finished or pairing not in _overdue_tables(locked):
        return
    decide_for_present_players(
        locked, pairing, pairing.open_absences(), NOBODY, ProgramReason.NO_SHOW
    )


def _overdue_tables(tournament: Tournament) -> list[Pairing]:
    """Return the tables where all missing players have been missing for long enough."""
    latest = tournament.latest_round()
    if tournament.no_show_minutes is None or latest is None or latest.state != RoundState.RUNNING:
        return []
    latest.stage.tournament = tournament
    now, clock = timezone.now(), latest.clock()
    if clock.state is not ClockState.RUNNING:
        return []
    played = timedelta(minutes=clock.minutes) - clock.left(now)
    if played < timedelta(minutes=tournament.no_show_minutes):
        return []
    missed: dict[Pairing, list[Absence]] = {}
    for absence in latest.open_absences():
        missed.setdefault(absence.pairing, []).append(absence)
    return [
        pairing
        for pairing, missing in missed.items()
        if all(absence.told_at + ANSWER_TIME <= now for absence in missing)
    ]


def decide_for_present_players(
    tournament: Tournament,
    pairing: Pairing,
    missing: Collection[Absence],
    actor: Actor,
    reason: str,
) -> None:
    """Decide the table for the players present, and drop the missing players.

    Requires a locked event. A pod with two or more players present still plays its game.
    """
    assert pairing.match is not None
    already_dropped = pairing.absences.filter(
        applied_at__isnull=False, registration__state=RegistrationState.DROPPED
    )
    absent = {
        *(absence.registration.player_id for absence in missing),
        *already_dropped.values_list("registration__player", flat=True),
    }
    match = matches_services.locked_match(pairing.match)
    before = matches_services.take_snapshot(match)
    decided = _decide_match(match, absent, actor)
    Absence.objects.filter(pk__in=[absence.pk for absence in missing]).update(
        applied_at=timezone.now()
    )
    action = LogAction.MISSED_PLAYER_COUNTED_OUT
    logged_before = {}
    after = {"missing": ", ".join(str(absence.registration.player) for absence in missing)}
    if decided is not None:
        action = LogAction.NO_SHOW_DECIDED
        logged_before = {"match": before}
        result = matches_records.settled_result(decided)
        after["result"] = matches_records.result_summary(result)
        after |= matches_records.match_state_for_log(decided)
    history.record(
        tournament, actor, action, pairing, before=logged_before, after=after, reason=reason
    )
    # In a cut the bracket eliminates them.
    if not pairing.round.is_in_cut:
        leaving = [absence.registration for absence in missing if absence.registration.is_active]
        change = event_services.state_change_to_dropped(DroppedBy.NO_SHOW)
        event_services.change_states(tournament, leaving, actor, change)


def _decide_match(match: Match, absent: Collection[int], actor: Actor) -> Match | None:
    """Decide the locked match without the absent players; None if the table must play it."""
    seats = {seat.position: seat.player_id not in absent for seat in match.seats.all()}
    result = result_without(match, seats)
    if result is None:
        return None
    note = gettext("Did not come to the table.")
    return matches_services.decide_result(
        match, result, actor.user, seen_version=match.version, note=note
    )


def result_without(match: Match, seats: dict[int, bool]) -> MatchResult | None:
    """Return the result of a table when only some players came; `seats` maps position to presence.

    A single present player wins every game. Without players there are no points. Returns
    None for a pod with two or more players present, or none; staff decide the latter.
    """
    present = [position for position, is_present in seats.items() if is_present]
    if not match.rule.has_roles:
        if len(present) != 1:
            return None
        return MatchResult(victory_points=tuple(map(int, seats.values())))
    winner = present[0] if present else None
    games = (
        _forfeited_game(match, number, corp, winner)
        for number, corp in matches_records.corps_by_game(match).items()
    )
    return match.rule.with_implied_values(MatchResult(tuple(games)))


def _forfeited_game(match: Match, number: int, corp: int, winner: int | None) -> GameResult:
    if winner is None:
        both_lost = GameEnd.DOUBLE_LOSS in match.rule.ends
        end, role = GameEnd.DOUBLE_LOSS if both_lost else GameEnd.JUDGE, None
    else:
        end, role = GameEnd.NO_SHOW, Role.CORP if winner == corp else Role.RUNNER
    return GameResult(number, corp, role, end)
