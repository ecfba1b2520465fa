"""Factions chosen at a table: in turn by the players, in any order by the staff."""

from collections.abc import Mapping

from django.db import transaction

from core.errors import Refusal
from matches import services as matches
from matches.models import Seat
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Pairing, Round, Tournament
from tournaments.rounds.faction_drafts import FactionDraft, faction_draft


class NotYourTurn(Refusal):
    """Somebody else chooses now, or nobody any more."""


class NoFactionsNow(Refusal):
    """The table takes no factions now."""


@transaction.atomic
def choose(pairing: Pairing, seat: Seat, faction: str, actor: Actor) -> None:
    """A player takes a faction when it is their turn. Taken twice, it changes nothing.

    Raises NotYourTurn, NoFactionsNow, FactionRefused.
    """
    tournament, pairing, draft = _open_draft(pairing)
    mine = next(pick for pick in draft.picks if pick.seat == seat)
    if mine.faction is not None and mine.faction.id == faction:
        return
    if mine.faction is not None:
        raise NotYourTurn(
            f"You have {mine.faction.name} already. Ask the staff if that was a mistake."
        )
    if draft.next != mine:
        assert draft.next is not None
        raise NotYourTurn(f"{draft.next.seat.player} chooses before you.")
    if faction not in {one.id for one in draft.offered}:
        raise matches.FactionRefused(
            "This faction, or one of its colour, is taken. Choose another."
        )
    _set(tournament, pairing, {seat.position: faction}, actor)


@transaction.atomic
def set_by_staff(pairing: Pairing, chosen: Mapping[int, str], actor: Actor) -> None:
    """Staff say who has which faction, by position; empty for nobody's choice yet.

    Raises NoFactionsNow, FactionRefused.
    """
    tournament, pairing, draft = _open_draft(pairing)
    had = {pick.seat.position: pick.faction.id if pick.faction else "" for pick in draft.picks}
    changed = {place: id_ for place, id_ in chosen.items() if had.get(place) != id_}
    if changed:
        _set(tournament, pairing, changed, actor)


def _open_draft(pairing: Pairing) -> tuple[Tournament, Pairing, FactionDraft]:
    """The event, locked, and the table as it stands now."""
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    round_ = Round.objects.select_related("stage__tournament").get(pk=pairing.round_id)
    if not round_.is_played:
        raise NoFactionsNow("Factions are chosen while the round is played.")
    now = queries.pairings_by_table(round_).get(pk=pairing.pk)
    now.round = round_
    draft = faction_draft(now.match, round_)
    if draft is None:
        raise NoFactionsNow("At this table no factions are chosen, or a result is told already.")
    return tournament, now, draft


def _set(tournament: Tournament, pairing: Pairing, chosen: Mapping[int, str], actor: Actor) -> None:
    assert pairing.match is not None
    matches.set_factions(pairing.match, chosen)
    names = {seat.position: str(seat.player) for seat in pairing.match.seats.all()}
    after = {names[position]: id_ for position, id_ in chosen.items()}
    history.record(tournament, actor, LogAction.FACTION_CHOSEN, pairing, after=after)
