"""No-shows: players reported missing, and tables decided by staff or by the clock.

The policy follows the round clock, so it does nothing before the clock starts or while it is
paused. A player reported missing always gets TIME_TO_ANSWER to report their presence.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from core.text import counted
from engine.clock import Clock, ClockState
from matches import records
from matches import services as matches
from matches.models import Match, MatchState
from matches.scoring import GameEnd, GameResult, MatchResult, Role
from tournaments.event import attendance, history, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import (
    Absence,
    DroppedBy,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    RoundState,
    Tournament,
)

# Real time that a player reported missing has to report their presence.
TIME_TO_ANSWER = timedelta(minutes=2)


class NotMissed(Refusal):
    """No player, or not this player, can be reported missing at this table."""


@transaction.atomic
def mark_missing(pairing: Pairing, missing: Registration, actor: Actor) -> Absence:
    """Report the player missing from the table. Idempotent.

    Raises NotMissed once a result was reported, and unless the round is being played.
    """
    tournament, pairing = _open_table(pairing)
    assert pairing.match is not None
    if pairing.match.state != MatchState.OPEN:
        raise NotMissed(f"A result is reported at {pairing}, so nobody is absent.")
    if not pairing.match.seats.filter(player=missing.player_id).exists():
        raise NotMissed(f"{missing.player} does not sit at {pairing}.")
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
    """Withdraw the report that the player is missing. Idempotent."""
    tournament, pairing = _open_table(pairing)
    gone, _ = pairing.absences.filter(registration=missing, applied_at=None).delete()
    if gone:
        history.record(tournament, actor, LogAction.MISSED_PLAYER_CAME, missing)


@transaction.atomic
def decide_no_show(pairing: Pairing, actor: Actor) -> None:
    """Decide the table now, like the policy of the event would.

    Raises NotMissed if no player is reported missing there any more.
    """
    tournament, pairing = _open_table(pairing)
    missing = queries.absences_at(pairing)
    if not missing:
        raise NotMissed(f"Nobody is marked absent at {pairing} any more. Check the table again.")
    count_out(tournament, pairing, missing, actor, "Decided by the staff.")


def _open_table(pairing: Pairing) -> tuple[Tournament, Pairing]:
    """Lock the event and reload the table."""
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    rows = Pairing.objects.select_related("match", "round__stage__tournament")
    found = rows.filter(pk=pairing.pk).exclude(match=None).first()
    if found is None or not found.round.is_played:
        raise NotMissed("This table is not played now. Look who sits where.")
    return tournament, found


def decide_no_shows(tournament: Tournament) -> None:
    """Decide the tables where a player has been missing for long enough."""
    for pairing in _overdue_tables(tournament):
        _decide(tournament, pairing)


@transaction.atomic
def _decide(tournament: Tournament, pairing: Pairing) -> None:
    locked = history.lock(tournament)
    # Check again under the lock: the player may have arrived, or a result was reported.
    if locked.is_finished or pairing not in _overdue_tables(locked):
        return
    reason = f"The clock had run for {counted(locked.no_show_minutes or 0, 'minute')}."
    count_out(locked, pairing, queries.absences_at(pairing), NOBODY, reason)


def _overdue_tables(tournament: Tournament) -> list[Pairing]:
    """Tables where all missing players have been missing for long enough, in order."""
    latest = queries.latest_round(tournament)
    if tournament.no_show_minutes is None or latest is None or latest.state != RoundState.RUNNING:
        return []
    latest.stage.tournament = tournament
    now, played = timezone.now(), _minutes_played(queries.clock_of(latest), timezone.now())
    if played < timedelta(minutes=tournament.no_show_minutes):
        return []
    missed: dict[Pairing, list[Absence]] = {}
    for absence in queries.open_absences(latest):
        missed.setdefault(absence.pairing, []).append(absence)
    return [pairing for pairing, missing in missed.items() if _had_time(missing, now)]


def _had_time(missing: Iterable[Absence], now: datetime) -> bool:
    return all(absence.told_at + TIME_TO_ANSWER <= now for absence in missing)


def _minutes_played(clock: Clock, now: datetime) -> timedelta:
    """Time the clock has run; zero unless it is running."""
    if clock.state is not ClockState.RUNNING:
        return timedelta()
    return timedelta(minutes=clock.minutes) - clock.left(now)


def count_out(
    tournament: Tournament,
    pairing: Pairing,
    missing: Collection[Absence],
    actor: Actor,
    reason: str,
) -> None:
    """Decide the table for the players present, and drop the missing players.

    Requires a locked event. A pod with two or more players present still plays its game. In a cut
    no player is dropped, because the bracket eliminates them.
    """
    assert pairing.match is not None
    names = ", ".join(str(one.registration.player) for one in missing)
    held = matches.held(pairing.match)
    before = matches.remembered(held)
    match = _settled(held, _absent(pairing, missing), actor)
    Absence.objects.filter(pk__in=[one.pk for one in missing]).update(applied_at=timezone.now())
    if match is None:
        history.record(
            tournament,
            actor,
            LogAction.MISSED_PLAYER_COUNTED_OUT,
            pairing,
            after={"missing": names},
            reason=reason,
        )
    else:
        after = {
            "missing": names,
            "result": records.summary(records.settled_result(match)),
            **records.standing_of(match),
        }
        history.record(
            tournament,
            actor,
            LogAction.NO_SHOW_DECIDED,
            pairing,
            before={"match": before},
            after=after,
            reason=reason,
        )
    _drop(tournament, pairing, missing, actor)


def _drop(
    tournament: Tournament, pairing: Pairing, missing: Iterable[Absence], actor: Actor
) -> None:
    gone = [one.registration for one in missing if one.registration.is_active]
    if not pairing.round.stage.way.is_elimination:
        attendance.move(tournament, gone, actor, attendance.leaving(DroppedBy.NO_SHOW))


def _absent(pairing: Pairing, missing: Iterable[Absence]) -> set[int]:
    """Players absent from the table: missing now, or dropped there earlier."""
    before = pairing.absences.filter(
        applied_at__isnull=False, registration__state=RegistrationState.DROPPED
    )
    earlier = before.values_list("registration__player", flat=True)
    return {*(one.registration.player_id for one in missing), *earlier}


def _settled(match: Match, absent: Collection[int], actor: Actor) -> Match | None:
    """Decide the held match without the absent players; None if the table is to play it."""
    seats = {seat.position: seat.player_id not in absent for seat in match.seats.all()}
    result = result_without(match, seats)
    if result is None:
        return None
    note = "Did not come to the table."
    return matches.decide(match, result, actor.user, seen_version=match.version, note=note)


def result_without(match: Match, seats: dict[int, bool]) -> MatchResult | None:
    """Result of a table when only some players came; `seats` maps position to presence.

    A single present player wins every game. Without players there are no points. Returns
    None for a pod with two or more players present, or none; staff decide the latter.
    """
    here = [position for position, is_here in seats.items() if is_here]
    if not match.rule.has_roles:
        alone = len(here) == 1
        return MatchResult(victory_points=tuple(map(int, seats.values()))) if alone else None
    winner = here[0] if here else None
    games = (_forfeit(match, number, corp, winner) for number, corp in records.corps(match).items())
    return match.rule.completed(MatchResult(tuple(games)))


def _forfeit(match: Match, number: int, corp: int, winner: int | None) -> GameResult:
    if winner is None:
        both_lost = GameEnd.DOUBLE_LOSS in match.rule.ends
        end, role = GameEnd.DOUBLE_LOSS if both_lost else GameEnd.JUDGE, None
    else:
        end, role = GameEnd.NO_SHOW, Role.CORP if winner == corp else Role.RUNNER
    return GameResult(number, corp, role, end)
