"""Late entries: whether somebody may still come in, and what the rounds they missed bring.

A missed round brings nothing (no row at all), the points of a bye, or half of them, rounded
down. What it brings is written as a bye in that round while it is closed, so that the standings,
the pairing, the exported documents and the checker all see one and the same thing: a bye. Its
points count, its round counts for the player's average, it brings no opponent, and it is a bye
already had: the next one goes to somebody else while anybody is without.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from django.db.models import Q

from core.errors import Refusal
from tournaments.event import history, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.event.queries.rounds import MISSED_ROUND
from tournaments.event.services import request_standings
from tournaments.models import (
    LateEntry,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Tournament,
)


class RegistrationClosed(Refusal):
    """Players cannot register themselves now."""


class TooLate(RegistrationClosed):
    """The event takes nobody new after so many rounds; staff can with a reason."""

    code = "too_late_to_join"


def refuse_too_late(tournament: Tournament, reason: str = "") -> None:
    """Raise TooLate when the event takes nobody new; staff may with a reason."""
    if reason.strip() or not queries.is_too_late(tournament):
        return
    raise TooLate(
        f"{_rule(tournament)} at this event. Only the staff can make an exception, with a reason."
    )


def _rule(tournament: Tournament) -> str:
    if queries.current_stage(tournament).way.is_elimination:
        return "Nobody comes in once the cut is made"
    last = 1 if tournament.late_entry == LateEntry.NOBODY else tournament.late_entry_until
    return f"Nobody comes in after round {max(1, last or 1)}"


def record_override(
    tournament: Tournament, actor: Actor, let_in: Sequence[Registration], reason: str
) -> None:
    """The log keeps why somebody came in after the last round for it."""
    names = ", ".join(str(one.player) for one in let_in)
    about = let_in[0] if len(let_in) == 1 else None
    history.record(tournament, actor, LogAction.LET_IN_LATE, names, reason=reason, about=about)


def come_in(tournament: Tournament, arriving: Sequence[Registration]) -> None:
    """Players who are here for the first time after round 1: from when they play, what they get."""
    joined = queries.round_to_come_in(tournament)
    Registration.objects.filter(pk__in=[one.pk for one in arriving]).update(joined_in_round=joined)
    credited = _credit(tournament, arriving, _rounds_that_count(tournament))
    if credited:
        request_standings(tournament, credited[0])


def newcomers_among(
    tournament: Tournament, arriving: Collection[Registration]
) -> list[Registration]:
    """Those of them who come late: a round is public, and they were in none."""
    if not arriving or not queries.visible_rounds(tournament).exists():
        return []
    new = set(queries.newcomers(tournament).values_list("pk", flat=True))
    return [one for one in arriving if one.pk in new]


def credit_missed_round(round_: Round) -> None:
    """The round is closed: who is here and has been in no round yet missed this one too.

    Whoever had it before the round was opened again has it again, as many points as then, also
    when they have left since. Call it before the standings are asked for.
    """
    tournament = round_.stage.tournament
    if not round_.stage.way.is_elimination:
        had = _had_when_reopened(round_)
        here = Q(state=RegistrationState.CHECKED_IN)
        left = Q(state=RegistrationState.DROPPED, number__in=had, checked_in_at__isnull=False)
        missed = queries.newcomers(tournament).filter(here | left)
        _credit(tournament, list(missed.select_related("player")), [round_], had)


def forget_missed_round(round_: Round) -> list[tuple[int, int | None]]:
    """The round is open again, so nobody has missed it yet; number and points of those who had."""
    rows = round_.pairings.filter(cost__has_key=MISSED_ROUND).order_by("bye__number")
    had = list(rows.values_list("bye__number", "bye_points"))
    rows.delete()
    return had


def _had_when_reopened(round_: Round) -> dict[int, int | None]:
    """What `forget_missed_round` found, points by number, if the round was no draft since.

    A round that was a draft by mistake, until that was taken back, counts as none.
    """
    log = round_.stage.tournament.log.filter(round=round_).order_by("pk")
    was_drafted = Q(action=LogAction.ROUND_PUBLISHED, undoes=None)
    newest = log.filter(was_drafted | Q(action=LogAction.ROUND_REOPENED)).last()
    return dict(newest.before.get("late_entries", ())) if newest else {}


def _credit(
    tournament: Tournament,
    newcomers: Sequence[Registration],
    rounds: Sequence[Round],
    had: Mapping[int, int | None] = MappingProxyType({}),
) -> list[int]:
    """Write what missed rounds bring, where it is not written yet; the numbers of these rounds.

    `had` are points by number, for those to whom it does not bring what the event says now.
    """
    usual = points_of_a_missed_round(tournament)
    points_of = {one: had.get(one.number, usual) for one in newcomers}
    brings = {one: points for one, points in points_of.items() if points is not None}
    if not brings:
        return []
    byes = Pairing.objects.filter(round__in=rounds, bye__in=brings)
    written = set(byes.values_list("round", "bye"))
    rows = [
        _row(round_, registration, points)
        for round_ in rounds
        for registration, points in brings.items()
        if (round_.pk, registration.pk) not in written
    ]
    Pairing.objects.bulk_create(rows)
    _record_credit(tournament, rows)
    return sorted({row.round.number for row in rows})


def _row(round_: Round, registration: Registration, points: int) -> Pairing:
    text = f"Came in later: this missed round brings {points} points."
    reason = {"kind": MISSED_ROUND, "players": [registration.number], "text": text}
    return Pairing(
        round=round_,
        bye=registration,
        bye_points=points,
        cost={MISSED_ROUND: 1},
        reasons=[reason],
    )


def _record_credit(tournament: Tournament, rows: Sequence[Pairing]) -> None:
    rounds: dict[tuple[Registration, int], list[int]] = defaultdict(list)
    for row in rows:
        assert row.bye is not None
        assert row.bye_points is not None
        rounds[row.bye, row.bye_points].append(row.round.number)
    changes = [
        history.Change(one, after={"rounds": numbers, "points": points})
        for (one, points), numbers in rounds.items()
    ]
    history.record_all(tournament, NOBODY, LogAction.MISSED_ROUNDS_CREDITED, changes)


def points_of_a_missed_round(tournament: Tournament) -> int | None:
    """Match points for each round a late entry missed; None where it leaves no row."""
    if tournament.late_entry == LateEntry.BYES:
        return tournament.bye_points
    return tournament.bye_points // 2 if tournament.late_entry == LateEntry.HALF else None


def take_back(tournament: Tournament, registration: Registration, actor: Actor) -> None:
    """The player is not here after all: what missed rounds brought is gone again."""
    rows = list(queries.missed_rounds(registration))
    if not rows:
        return
    numbers = sorted(row.round.number for row in rows)
    Pairing.objects.filter(pk__in=[row.pk for row in rows]).delete()
    before = {"rounds": numbers}
    history.record(
        tournament, actor, LogAction.MISSED_ROUNDS_TAKEN_BACK, registration, before=before
    )
    request_standings(tournament, numbers[0])


def _rounds_that_count(tournament: Tournament) -> list[Round]:
    """Closed rounds that players without a table could have played; a cut is for its own."""
    closed = queries.rounds(tournament).filter(state=RoundState.CLOSED).select_related("stage")
    return [round_ for round_ in closed if not round_.stage.way.is_elimination]
