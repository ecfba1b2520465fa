"""Pairing the rest anew: what is kept stays, everybody else meets somebody new."""

from collections.abc import Sequence

from django.utils import timezone

from core.errors import Refusal
from engine.pairing import LockedBye, LockedPod
from tournaments.event import history, penalising, queries
from tournaments.event.actors import NOBODY
from tournaments.models import LogAction, Pairing, Registration, Round
from tournaments.rounds.drafts import ways
from tournaments.rounds.drafts.records import Kept, Wanted
from tournaments.rounds.drafts.table_numbers import numbered
from tournaments.rounds.drafts.writing import clear_pairings, stored_reasons, write_pairings


class LockedPlayerLeft(Refusal):
    """A locked table holds a player who is not in the event any more."""


def is_kept(pairing: Pairing) -> bool:
    """Whether this table or bye stays when the rest is paired anew.

    A table somebody has reported a result of stays as well: results are never lost.
    """
    return pairing.is_locked or queries.is_reported(pairing)


def pair_the_rest(round_: Round, seed: int) -> None:
    """Pair everybody anew who is at no kept table; the round keeps its state.

    Raise LockedPlayerLeft, or what the system of the stage refuses.
    """
    tournament = round_.stage.tournament
    pairings = list(queries.pairings_by_table(round_))
    kept = [pairing for pairing in pairings if is_kept(pairing)]
    wanted = _wanted(round_, seed, kept)
    drafted = numbered(wanted, ways.make(wanted))
    clear_pairings([pairing for pairing in pairings if not is_kept(pairing)])
    write_pairings(round_, drafted, {entry.number: entry for entry in wanted.registrations})
    round_.seed, round_.certificate = seed, dict(drafted.certificate)
    round_.relaxations = stored_reasons(drafted.relaxations)
    # What was changed before this moment has been taken into account.
    round_.created_at = timezone.now()
    round_.save(update_fields=["seed", "certificate", "relaxations", "created_at"])
    stay = sorted(pairing.table_number for pairing in kept if pairing.table_number)
    after = {"kept_tables": stay, "pairings": queries.logged_pairings(round_)}
    public = not round_.is_draft
    history.record(
        tournament, NOBODY, LogAction.REST_PAIRED_ANEW, round_, after=after, public=public
    )
    if public:
        penalising.take_effect(round_)


def _wanted(round_: Round, seed: int, kept: Sequence[Pairing]) -> Wanted:
    tournament = round_.stage.tournament
    everybody = {entry.player_id: entry for entry in queries.roster(tournament)}
    wanted = {entry.number: entry for entry in queries.players_of(round_.stage)}
    wanted |= {entry.number: entry for pairing in kept for entry in _seated(pairing, everybody)}
    return Wanted(
        stage=round_.stage,
        number=round_.number,
        seed=seed,
        registrations=tuple(wanted[number] for number in sorted(wanted)),
        kept=tuple(_as_kept(pairing, everybody) for pairing in kept),
    )


def _seated(pairing: Pairing, everybody: dict[int, Registration]) -> list[Registration]:
    """Who sits here. A table that is only locked needs players who are still in the event."""
    players = [everybody[player] for player in pairing.players]
    gone = [entry for entry in players if not queries.is_reported(pairing) and not entry.is_active]
    if gone:
        raise LockedPlayerLeft(
            f"{gone[0].player} has left the event, but {pairing} is locked. Unlock it first."
        )
    return players


def _as_kept(pairing: Pairing, everybody: dict[int, Registration]) -> Kept:
    numbers = tuple(entry.number for entry in _seated(pairing, everybody))
    if pairing.table_number is None:
        return LockedBye(numbers[0])
    return LockedPod(pairing.table_number, numbers)
