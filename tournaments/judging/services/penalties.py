"""Penalties: given by what the guide says and the player's history, and taken back.

One does more than stand in a list: it works on a result, and on a place in the event."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from core.errors import ReasonMissing, Refusal
from matches import services as matches
from rulings import services as ruling_services
from rulings.guide import Infraction, PenaltyKind
from rulings.models import NoteKind, RulingVersion
from tournaments.event import attendance, history, permissions
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.event.penalising import in_log, settle_table
from tournaments.event.queries import penalties as penalty_queries
from tournaments.event.services import request_standings
from tournaments.judging import penalty_effects
from tournaments.models import (
    DroppedBy,
    LogAction,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.registration.services import registrations, waiting_list
from tournaments.results.services import results

BACK_ON_THE_ROSTER = attendance.Move(RegistrationState.REGISTERED, LogAction.PLAYER_RETURNED)


class UnknownInfraction(Refusal):
    """The guide of this event has no such infraction."""


class EffectChanged(Refusal):
    """The penalty would do something else than what was looked at."""


class NotForThisJudge(Refusal):
    """This is left to the head judge."""


class NoPlaceHere(Refusal):
    """Somebody who waits for a place is no player yet."""


class GameMissing(Refusal):
    """A lost game of a match has to be named, and to be there."""


class WrongTable(Refusal):
    """The player does not sit there, or nobody does yet."""


class CannotApply(Refusal):
    """The result of the table, or what stands on it, does not take the penalty."""


class AlreadyWithdrawn(Refusal):
    """It was taken back already, or stands already."""


def expected(tournament: Tournament, place: Registration, infraction: str) -> PenaltyKind:
    """What the event's guide says it costs this player now. Raises UnknownInfraction."""
    found = _infraction(tournament, infraction)
    return found.penalty(penalty_queries.times_penalised(place, infraction))


def _infraction(tournament: Tournament, code: str) -> Infraction:
    found = penalty_queries.guide_of(tournament).infractions.get(code)
    if found is None:
        raise UnknownInfraction(
            f'The guide of this event has no infraction "{code}". Choose one of its list.'
        )
    return found


@transaction.atomic
def give(
    tournament: Tournament,
    place: Registration,
    actor: Actor,
    *,
    infraction: str,
    kind: PenaltyKind | None = None,
    pairing: Pairing | None = None,
    game: int | None = None,
    text: str = "",
    cited: Sequence[RulingVersion] = (),
    seen: str | None = None,
) -> Penalty:
    """Give the player a penalty; without `kind` what the guide says by the history here.

    It is about the table `pairing`, or the one the player has now. A lost game or match works on
    its result at once, also on one that comes later; without a table it waits for the next round.
    A lost game of several is named. Who is disqualified loses the match at the table that is not
    finished and is out of the event. `seen` is the mark of the `penalty_effects.effect` that was
    looked at before.

    Raises UnknownInfraction, NotForThisJudge, NoPlaceHere, ReasonMissing, WrongTable, GameMissing,
    EffectChanged, CannotApply, PlayerRemoved.
    """
    tournament = history.lock_unfinished(tournament)
    history.read_again(place, "state")
    found = _infraction(tournament, infraction)
    says = found.penalty(penalty_queries.times_penalised(place, infraction))
    kind = PenaltyKind(kind or says)
    _refuse(tournament, place, actor, kind)
    if kind is not says and not text.strip():
        raise ReasonMissing(f"The guide says {says.label.lower()}. Say why it is another penalty.")
    table = _table(tournament, place, kind, pairing)
    lost = lost_game(table, game) if kind is PenaltyKind.GAME_LOSS else None
    if seen is not None and penalty_effects.effect(place, kind, table, lost).mark != seen:
        raise EffectChanged("Something has changed. Check again, then give the penalty.")
    note = ruling_services.write_note(
        None, actor.user, text, cited, NoteKind.PENALTY, practice=tournament.is_practice
    )
    penalty = Penalty.objects.create(
        tournament=tournament,
        registration=place,
        pairing=table,
        round_number=table.round.number if table else _round_number(tournament),
        infraction=found.code,
        infraction_name=found.name,
        kind=kind,
        expected=says,
        game=lost,
        note=note,
    )
    _work(tournament, penalty, actor, LogAction.PENALTY_GIVEN)
    return penalty


def _work(
    tournament: Tournament, penalty: Penalty, actor: Actor, action: LogAction, reason: str = ""
) -> None:
    """Let a penalty that stands have its effect, and log it. Raises CannotApply."""
    kind, moved = PenaltyKind(penalty.kind), False
    if kind.costs_games and penalty.pairing is not None:
        moved = _put_on_result(tournament, penalty.pairing)
    _log(tournament, actor, action, penalty, moved=moved, reason=reason)
    if kind is PenaltyKind.DISQUALIFICATION:
        _drop(tournament, penalty, actor)


def _refuse_unless_head(tournament: Tournament, actor: Actor, kind: PenaltyKind) -> None:
    """Raise NotForThisJudge where a disqualification is given or withdrawn by another judge."""
    if kind is PenaltyKind.DISQUALIFICATION and not permissions.can_head_judge(actor, tournament):
        raise NotForThisJudge("Only the head judge disqualifies. Ask them to decide this.")


def _refuse(tournament: Tournament, place: Registration, actor: Actor, kind: PenaltyKind) -> None:
    _refuse_unless_head(tournament, actor, kind)
    if place.state == RegistrationState.WAITING:
        raise NoPlaceHere(f"{place.player} is on the waiting list and has no place here yet.")


def _table(
    tournament: Tournament, place: Registration, kind: PenaltyKind, wanted: Pairing | None
) -> Pairing | None:
    """The table it is about: the one that is named, or where the player sits now."""
    if wanted is not None:
        return _named_table(tournament, place, wanted)
    latest = event_queries.latest_round(tournament)
    if latest is None or not latest.is_played:
        return None
    found = event_queries.pairing_of(latest, place.player)
    if found is None or found.match is None:
        return None
    # Who is out keeps what was played to its end before.
    if kind is PenaltyKind.DISQUALIFICATION and found.match.is_settled:
        return None
    found.round = latest
    return found


def _named_table(tournament: Tournament, place: Registration, wanted: Pairing) -> Pairing:
    rows = Pairing.objects.select_related("round__stage__tournament", "match")
    found = rows.filter(pk=wanted.pk, round__stage__tournament=tournament).first()
    if found is None or found.match is None or found.round.is_draft:
        raise WrongTable("This table was re-paired. Check who sits where, then try again.")
    if event_queries.seat_of(found.match, place.player) is None:
        raise WrongTable(f"{place.player} does not sit at {found} of {found.round}.")
    return found


def lost_game(table: Pairing | None, game: int | None) -> int | None:
    """The game that is lost. One that waits for a table takes the first game there.

    Raises GameMissing where a match has several games and none of them is named.
    """
    if table is None or table.match is None:
        return None
    games = table.match.rule.games_per_match
    if games == 1 and game is None:
        return 1
    if game is None or not 1 <= game <= games:
        known = " or ".join(str(number) for number in range(1, games + 1))
        raise GameMissing(f"Say which game of the match is lost: {known}.")
    return game


def _round_number(tournament: Tournament) -> int | None:
    latest = event_queries.visible_rounds(tournament).last()
    return latest.number if latest else None


def _put_on_result(tournament: Tournament, pairing: Pairing) -> bool:
    """Settle the table by the penalties that stand now, and what was made from its result.

    Answers whether the public sees another result. Raises CannotApply.
    """
    try:
        moved = settle_table(pairing)
        results.refuse_unless_it_fits(pairing.round)
    except (matches.LossRefused, results.NotPlayable) as refusal:
        raise CannotApply(str(refusal)) from refusal
    assert pairing.match is not None
    if not pairing.round.is_closed:
        return moved
    if not pairing.match.is_settled:
        raise CannotApply(
            f"Round {pairing.round.number} is closed and needs all its results. Enter what was "
            "played at this table first."
        )
    if moved:
        request_standings(tournament, pairing.round.number)
    return moved


def _log(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    penalty: Penalty,
    *,
    moved: bool,
    reason: str = "",
) -> None:
    """Log it for the judges, and renew the player's own page and those with another result."""
    history.move_own_pages(tournament, [penalty.registration.player_id])
    history.record(
        tournament,
        actor,
        action,
        penalty.registration,
        after=in_log(penalty),
        reason=reason,
        public=moved,
        players=results.players_shown(penalty.pairing) if moved and penalty.pairing else [],
    )


def _drop(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """The player is out; the penalty knows whether it was the one to do it."""
    place = _under_lock(penalty)
    penalty.dropped = place.state != RegistrationState.DROPPED
    penalty.save(update_fields=["dropped"])
    if penalty.dropped:
        attendance.move(tournament, [place], actor, attendance.leaving(DroppedBy.STAFF))
        waiting_list.fill_places(tournament)


def _bring_back(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """The player is back if this penalty took them out, and no other one keeps them out."""
    if not penalty.dropped:
        return
    penalty.dropped = False
    penalty.save(update_fields=["dropped"])
    other = tournament.penalties.filter(
        registration=penalty.registration_id, kind=penalty.kind, withdrawn_at=None
    ).first()
    if other is not None:
        other.dropped = True
        other.save(update_fields=["dropped"])
        return
    place = _under_lock(penalty)
    if place.state != RegistrationState.DROPPED:
        return
    if place.checked_in_at is not None:
        registrations.return_(place, actor)
    else:
        attendance.move(tournament, [place], actor, BACK_ON_THE_ROSTER)


def _under_lock(penalty: Penalty) -> Registration:
    rows = Registration.objects.select_related("player", "tournament")
    return rows.get(pk=penalty.registration_id)


@transaction.atomic
def withdraw(penalty: Penalty, actor: Actor, reason: str) -> Penalty:
    """Take the penalty back: the result is as reported, and who was out by it is in again.

    The player stays out where something else put them out. Raises AlreadyWithdrawn,
    ReasonMissing, NotForThisJudge, CannotApply, and what the way back into the event refuses.
    """
    tournament, penalty = _locked(penalty, actor)
    if not penalty.stands:
        raise AlreadyWithdrawn("This penalty was withdrawn already.")
    if not reason.strip():
        raise ReasonMissing("Say why the penalty is withdrawn.")
    penalty.withdrawn_at, penalty.withdrawn_by = timezone.now(), actor.user
    penalty.withdrawn_reason = reason.strip()
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    moved = False
    if PenaltyKind(penalty.kind).costs_games and penalty.pairing is not None:
        moved = _put_on_result(tournament, penalty.pairing)
    _log(
        tournament, actor, LogAction.PENALTY_WITHDRAWN, penalty, moved=moved, reason=reason.strip()
    )
    _bring_back(tournament, penalty, actor)
    return penalty


@transaction.atomic
def give_again(penalty: Penalty, actor: Actor, reason: str = "") -> Penalty:
    """Undo a withdrawal: the penalty stands, and works again. Raises as `withdraw` does."""
    tournament, penalty = _locked(penalty, actor)
    if penalty.stands:
        raise AlreadyWithdrawn("This penalty is already in force.")
    penalty.withdrawn_at = penalty.withdrawn_by = None
    penalty.withdrawn_reason = ""
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    _work(tournament, penalty, actor, LogAction.PENALTY_GIVEN, reason)
    return penalty


def _locked(penalty: Penalty, actor: Actor) -> tuple[Tournament, Penalty]:
    tournament = history.lock_unfinished(penalty.tournament)
    rows = Penalty.objects.select_related(
        "registration__player", "pairing__round__stage__tournament", "pairing__match", "note"
    )
    found = rows.filter(pk=penalty.pk).first()
    if found is None:
        raise AlreadyWithdrawn("This penalty no longer exists.")
    _refuse_unless_head(tournament, actor, PenaltyKind(found.kind))
    return tournament, found
