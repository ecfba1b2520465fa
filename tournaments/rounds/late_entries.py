"""Late entries: their deadline, and the credit for rounds they missed.

A missed round counts nothing (no row at all), the points of a bye, or half of them, rounded down.
The credit is stored as a bye in that round while it is closed. Standings, pairing, exports and
checker therefore treat it as a bye: its points and its round count for the player's average, and
it adds no opponent.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Refusal
from engine.pairing.records import PairingReason
from tournaments.event import history
from tournaments.event.permissions import NOBODY, Actor
from tournaments.event.services import request_standings
from tournaments.models import (
    LateEntry,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Tournament,
)
from tournaments.models.rounds import MISSED_ROUND
from tournaments.rounds.reasons import stored_reasons


class RegistrationClosed(Refusal):
    pass


class TooLate(RegistrationClosed):
    """The event accepts no new players after the deadline for late entries."""

    code = "too_late_to_join"


def refuse_too_late(tournament: Tournament, reason: str = "") -> None:
    """Raise TooLate if late entry is over. The staff may make an exception with a reason."""
    if reason.strip() or not tournament.is_too_late_to_join():
        return
    if tournament.current_stage().is_cut:
        raise TooLate(
            _(
                "No late entries once the cut is made. Only the staff can make an exception, with "
                "a reason."
            )
        )
    last = 1 if tournament.late_entry == LateEntry.NOBODY else tournament.late_entry_until
    raise TooLate(
        _(
            "No late entries after round %(round)s. Only the staff can make an exception, with a "
            "reason."
        )
        % {"round": max(1, last or 1)}
    )


def record_late_entry_override(
    tournament: Tournament, actor: Actor, let_in: Sequence[Registration], reason: str
) -> None:
    names = ", ".join(str(entry.player) for entry in let_in)
    about = let_in[0] if len(let_in) == 1 else None
    history.record(tournament, actor, LogAction.LET_IN_LATE, names, reason=reason, about=about)


def admit_late_entries(tournament: Tournament, arriving: Sequence[Registration]) -> None:
    """Set the first round of players who arrive after round 1, and credit the missed rounds."""
    joined = tournament.first_round_for_new_player()
    keys = [entry.pk for entry in arriving]
    Registration.objects.filter(pk__in=keys).update(joined_in_round=joined)
    # Late entries could not have played in a cut.
    closed = tournament.rounds.closed().select_related("stage")
    missed = [round_ for round_ in closed if not round_.is_in_cut]
    if credited := _credit_rounds(tournament, arriving, missed):
        request_standings(tournament, credited[0])


def find_late_entries(
    tournament: Tournament, arriving: Collection[Registration]
) -> list[Registration]:
    """Return the players among them who arrive after a round was published."""
    if not arriving or not tournament.rounds.published().exists():
        return []
    new = set(tournament.unpaired_players().values_list("pk", flat=True))
    return [entry for entry in arriving if entry.pk in new]


def credit_missed_round(round_: Round) -> None:
    """Credit a closing round to present players who have not been in any round yet.

    Players credited before the round was reopened get the same points again, even if they have left
    since. Call this before requesting the standings.
    """
    tournament = round_.stage.tournament
    if not round_.is_in_cut:
        earlier = _points_before_reopening(round_)
        present = Q(state=RegistrationState.CHECKED_IN)
        left = Q(state=RegistrationState.DROPPED, number__in=earlier, checked_in_at__isnull=False)
        missed = tournament.unpaired_players().filter(present | left)
        _credit_rounds(tournament, list(missed.select_related("player")), [round_], earlier)


def delete_missed_round_credits(round_: Round) -> list[tuple[int, int | None]]:
    """Delete the credits of a reopened round; return the number and points of each player."""
    rows = round_.pairings.filter(cost__has_key=MISSED_ROUND).order_by("bye__number")
    deleted = list(rows.values_list("bye__number", "bye_points"))
    rows.delete()
    return deleted


def _points_before_reopening(round_: Round) -> dict[int, int | None]:
    """Return the points that `delete_missed_round_credits` deleted, by number.

    Empty if the round was a draft since, except for an unpublish that was undone.
    """
    log = round_.stage.tournament.log.filter(round=round_).order_by("pk")
    was_drafted = Q(action=LogAction.ROUND_PUBLISHED, undoes=None)
    newest = log.filter(was_drafted | Q(action=LogAction.ROUND_REOPENED)).last()
    return dict(newest.before.get("late_entries", ())) if newest else {}


def _credit_rounds(
    tournament: Tournament,
    newcomers: Sequence[Registration],
    rounds: Sequence[Round],
    earlier_points: Mapping[int, int | None] = MappingProxyType({}),
) -> list[int]:
    """Store the missing credits for these rounds; return the round numbers.

    `earlier_points` by number apply to players whose credit differs from the current setting.
    """
    usual = get_missed_round_points(tournament)
    points_of = {entry: earlier_points.get(entry.number, usual) for entry in newcomers}
    credited = {entry: points for entry, points in points_of.items() if points is not None}
    if not credited:
        return []
    byes = Pairing.objects.filter(round__in=rounds, bye__in=credited)
    stored = set(byes.values_list("round", "bye"))
    rows = []
    numbers: dict[tuple[Registration, int], list[int]] = defaultdict(list)
    for round_ in rounds:
        for entry, points in credited.items():
            if (round_.pk, entry.pk) in stored:
                continue
            reason = PairingReason(
                MISSED_ROUND, (entry.number,), "missed_round", {"points": points}
            )
            rows.append(
                Pairing(
                    round=round_,
                    bye=entry,
                    bye_points=points,
                    cost={MISSED_ROUND: 1},
                    reasons=stored_reasons([reason]),
                )
            )
            numbers[entry, points].append(round_.number)
    Pairing.objects.bulk_create(rows)
    changes = [
        history.LoggedChange(entry, after={"rounds": missed, "points": points})
        for (entry, points), missed in numbers.items()
    ]
    history.record_all(tournament, NOBODY, LogAction.MISSED_ROUNDS_CREDITED, changes)
    return sorted({row.round.number for row in rows})


def get_missed_round_points(tournament: Tournament) -> int | None:
    """Return the match points for each missed round; None if it gets no row."""
    if tournament.late_entry == LateEntry.BYES:
        return tournament.bye_points
    return tournament.bye_points // 2 if tournament.late_entry == LateEntry.HALF else None


def undo_late_entry(tournament: Tournament, registration: Registration, actor: Actor) -> None:
    """Delete the credits of a player who is no longer checked in."""
    rows = list(registration.byes.for_missed_rounds())
    if not rows:
        return
    numbers = sorted(row.round.number for row in rows)
    Pairing.objects.filter(pk__in=[row.pk for row in rows]).delete()
    before = {"rounds": numbers}
    history.record(
        tournament, actor, LogAction.MISSED_ROUNDS_TAKEN_BACK, registration, before=before
    )
    request_standings(tournament, numbers[0])
