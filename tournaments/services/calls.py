"""Judge calls at an event: the call itself is made by rulings; here it is logged."""

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from rulings import services as ruling_services
from rulings.models import JudgeCall
from tournaments import history, queries
from tournaments.actors import Actor
from tournaments.models import Pairing, Tournament


class NoCallNow(Refusal):
    """Nobody plays at this table now."""

    code = "no_call_now"


class NotYourCall(Refusal):
    """The other player raised it, or a judge is on the way."""

    code = "not_your_call"


@transaction.atomic
def raise_call(pairing: Pairing, actor: Actor, about: str = "") -> JudgeCall:
    """A judge is wanted at this table; a second call while one is open is the same call.

    `about` says in a few words what for. A player of the table raises it, or the staff type it.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NoCallNow("This table was made anew meanwhile. Look where you sit now.")
    pairing.round.refresh_from_db(fields=["state"])
    if pairing.match is None or pairing.round.is_draft or pairing.round.is_closed:
        raise NoCallNow("Nobody plays at this table now. Come to the desk.")
    by_player = queries.seat_of(pairing.match, actor.player) is not None
    call, is_new = ruling_services.raise_call(
        pairing.match,
        player=actor.player if by_player else None,
        user=None if by_player else actor.user,
        about=about,
    )
    if is_new:
        _log(tournament, actor, "judge called", pairing, call.about)
    return call


@transaction.atomic
def withdraw(pairing: Pairing, actor: Actor) -> None:
    """The table has settled it by itself. Only who raised the call takes it back."""
    tournament = history.lock(pairing.round.stage.tournament)
    call = queries.open_call(_match_of(pairing))
    if call is None:
        return
    if call.player_id is None or actor.player is None or call.player_id != actor.player.pk:
        raise NotYourCall("Only who called the judge can take the call back. Tell the judge.")
    ruling_services.withdraw(call)
    _log(tournament, actor, "judge call withdrawn", pairing)


@transaction.atomic
def take(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """A judge is on the way; the table sees who. Raises CallIsTaken, CallIsOver."""
    assert actor.user is not None
    locked = history.lock(tournament)
    taken_before = call.taken_by_id
    call = ruling_services.take(call, actor.user)
    if call.taken_by_id != taken_before:
        _log(locked, actor, "judge call taken", queries.table_of(call.match))


@transaction.atomic
def answer(tournament: Tournament, call: JudgeCall, actor: Actor, text: str = "") -> None:
    """The call is dealt with. Raises CallIsOver."""
    assert actor.user is not None
    locked = history.lock(tournament)
    call = ruling_services.answer(call, actor.user, text)
    _log(locked, actor, "judge call answered", queries.table_of(call.match), call.answer)


def _match_of(pairing: Pairing) -> Match:
    if pairing.match is None:
        raise NoCallNow("A bye has no table to call a judge to.")
    return pairing.match


def _log(
    tournament: Tournament, actor: Actor, action: str, pairing: Pairing, reason: str = ""
) -> None:
    # What happens between a table and the judges is no news for the public pages.
    history.record(tournament, actor, action, pairing, reason=reason, public=False)
