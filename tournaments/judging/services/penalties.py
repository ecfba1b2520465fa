"""Give, withdraw and restore penalties.

A penalty may also change a result and drop its player.
"""

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
    """The guide of this event does not include the infraction."""


class EffectChanged(Refusal):
    """The penalty would no longer have the effect shown to the judge."""


class NotForThisJudge(Refusal):
    """Only the head judge may do this."""


class NoPlaceHere(Refusal):
    """A player on the waiting list cannot be penalised."""


class GameMissing(Refusal):
    """The lost game is missing or invalid for the match."""


class WrongTable(Refusal):
    """The player is not seated at this table, or its round is a draft."""


class CannotApply(Refusal):
    """The result of the table does not allow the penalty or its withdrawal."""


class AlreadyWithdrawn(Refusal):
    """The penalty was already withdrawn, is in force, or no longer exists."""


def expected(tournament: Tournament, place: Registration, infraction: str) -> PenaltyKind:
    """The guide's penalty for the player's next offence. Raises UnknownInfraction."""
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
    """Give the player a penalty; without `kind` the guide decides by their history here.

    The penalty applies to the table `pairing`, or to the player's current table. A game or match
    loss changes the table's result immediately, including a later one. Without a table it applies
    in the next round. `game` is required if the match has several games. A disqualification costs
    the match at an unfinished table, and drops the player. `seen` is the mark of the
    `penalty_effects.effect` shown before.

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
    """Apply and log a penalty in force. Raises CannotApply."""
    kind, moved = PenaltyKind(penalty.kind), False
    if kind.costs_games and penalty.pairing is not None:
        moved = _put_on_result(tournament, penalty.pairing)
    _log(tournament, actor, action, penalty, moved=moved, reason=reason)
    if kind is PenaltyKind.DISQUALIFICATION:
        _drop(tournament, penalty, actor)


def _refuse_unless_head(tournament: Tournament, actor: Actor, kind: PenaltyKind) -> None:
    """Let only the head judge give or withdraw a disqualification. Raises NotForThisJudge."""
    if kind is PenaltyKind.DISQUALIFICATION and not permissions.can_head_judge(actor, tournament):
        raise NotForThisJudge("Only the head judge disqualifies. Ask them to decide this.")


def _refuse(tournament: Tournament, place: Registration, actor: Actor, kind: PenaltyKind) -> None:
    _refuse_unless_head(tournament, actor, kind)
    if place.state == RegistrationState.WAITING:
        raise NoPlaceHere(f"{place.player} is on the waiting list and has no place here yet.")


def _table(
    tournament: Tournament, place: Registration, kind: PenaltyKind, wanted: Pairing | None
) -> Pairing | None:
    """Find the table of the penalty: the given table, or the player's current table."""
    if wanted is not None:
        return _named_table(tournament, place, wanted)
    latest = event_queries.latest_round(tournament)
    if latest is None or not latest.is_played:
        return None
    found = event_queries.pairing_of(latest, place.player)
    if found is None or found.match is None:
        return None
    # A disqualification does not change a finished match.
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
    """Validate the number of the lost game; None if there is no table yet.

    A penalty that waits for a table costs the first game there. Raises GameMissing if the match has
    several games and `game` is not valid.
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
    """Settle the table by its penalties in force, and recompute the standings if needed.

    Returns True if the public result changed. Raises CannotApply.
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
    """Log the change for judges, and refresh the pages of the affected players."""
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
    """Drop the player, and store in the penalty whether it was the cause."""
    place = _under_lock(penalty)
    penalty.dropped = place.state != RegistrationState.DROPPED
    penalty.save(update_fields=["dropped"])
    if penalty.dropped:
        attendance.move(tournament, [place], actor, attendance.leaving(DroppedBy.STAFF))
        waiting_list.fill_places(tournament)


def _bring_back(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """Return the player if this penalty dropped them and no other disqualification is in force."""
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
    """Withdraw the penalty: restore the reported result, and return a player it dropped.

    A player dropped for a different reason stays out. Raises AlreadyWithdrawn, ReasonMissing,
    NotForThisJudge, CannotApply, and the refusals of returning the player.
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
    """Undo a withdrawal and apply the penalty again.

    Raises AlreadyWithdrawn, NotForThisJudge and CannotApply.
    """
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
