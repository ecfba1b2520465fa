"""Somebody did not come to the table: told, taken back, and the table decided for it."""

from django.db import transaction

from core.errors import Refusal
from matches.models import MatchState
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import Absence, LogAction, Pairing, Registration, Tournament
from tournaments.registration import timers


class NotMissed(Refusal):
    """Nobody can be missed at this table, or not this player."""


@transaction.atomic
def tell(pairing: Pairing, missing: Registration, actor: Actor) -> Absence:
    """This player is not at the table. Told twice, it stays as it was told first.

    Raises NotMissed once somebody told a result, and outside of a round that is played.
    """
    tournament, pairing = _open_table(pairing)
    assert pairing.match is not None
    if pairing.match.state != MatchState.OPEN:
        raise NotMissed(f"A result is told at {pairing}, so everybody was there.")
    if not pairing.match.seats.filter(player=missing.player_id).exists():
        raise NotMissed(f"{missing.player} does not sit at {pairing}.")
    told = pairing.absences.filter(registration=missing)
    if present := told.filter(applied_at=None).first():
        return present
    # The table was decided for it before, and that was taken back.
    told.delete()
    after = {"table": pairing.table_number}
    history.record(tournament, actor, LogAction.PLAYER_MISSED, missing, after=after)
    return pairing.absences.create(registration=missing, user=actor.user, player=actor.player)


@transaction.atomic
def take_back(pairing: Pairing, missing: Registration, actor: Actor) -> None:
    """They have come. Taken back twice, or after the table is decided, it changes nothing."""
    tournament, pairing = _open_table(pairing)
    gone, _ = pairing.absences.filter(registration=missing, applied_at=None).delete()
    if gone:
        history.record(tournament, actor, LogAction.MISSED_PLAYER_CAME, missing)


@transaction.atomic
def decide(pairing: Pairing, actor: Actor) -> None:
    """Staff do not wait any longer: as the policy of the event would, and at once.

    Raises NotMissed when nobody is missed there any more.
    """
    tournament, pairing = _open_table(pairing)
    missing = queries.absences_at(pairing)
    if not missing:
        raise NotMissed(f"Nobody is missed at {pairing} any more. Look at the table again.")
    timers.count_out(tournament, pairing, missing, actor, "Decided by the staff.")


def _open_table(pairing: Pairing) -> tuple[Tournament, Pairing]:
    """The event locked, and the table as it stands under the lock."""
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    rows = Pairing.objects.select_related("match", "round__stage__tournament")
    found = rows.filter(pk=pairing.pk).exclude(match=None).first()
    if found is None or not found.round.is_played:
        raise NotMissed("This table is not played now. Look who sits where.")
    return tournament, found
