"""Penalties with a preview of their effect, and changes of an event's infraction guide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import transaction
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy

from core.errors import ReasonMissing, Refusal
from matches import records as matches_records
from matches import services as matches_services
from matches.scoring.results import GameEnd, GameResult, MatchResult, Points, Role
from matches.scoring.rules import ScoringRule, scoring_rule
from rulings import services as rulings_services
from rulings.guide import Infraction, PenaltyKind, is_code, ladder_errors, shipped_guide
from rulings.models import NoteKind, RulingVersion
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.event.penalties_on_results import penalty_in_log, settle_table
from tournaments.event.permissions import Actor
from tournaments.event.services import request_standings
from tournaments.models import (
    DroppedBy,
    InfractionChange,
    LogAction,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.models.rounds import SEATS
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services

TIMES = (
    gettext_lazy("First time at this event: %(penalty)s."),
    gettext_lazy("Second time at this event: %(penalty)s."),
    gettext_lazy("Third time at this event: %(penalty)s."),
    gettext_lazy("Fourth time at this event: %(penalty)s."),
    gettext_lazy("Fifth time at this event: %(penalty)s."),
    gettext_lazy("Sixth time at this event: %(penalty)s."),
)
RETURN_TO_ROSTER = event_services.StateChange(
    RegistrationState.REGISTERED, LogAction.PLAYER_RETURNED
)


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


class BadChange(Refusal):
    """The change makes no valid infraction; `details["errors"]` lists the reasons."""


@dataclass(frozen=True)
class Expectation:
    """The guide's penalty for a player with `earlier` penalties for it at this event."""

    infraction: Infraction
    earlier: int
    kind: PenaltyKind

    @property
    def time(self) -> int:
        return self.earlier + 1

    @property
    def words(self) -> str:
        """A sentence, such as "Second time at this event: warning." after a single penalty."""
        text = gettext("%(ordinal)s time at this event: %(penalty)s.")
        if self.time <= len(TIMES):
            text = str(TIMES[self.earlier])
        return text % {
            "ordinal": ordinal(self.time),
            "penalty": gettext(self.kind.label).lower(),
        }


@dataclass(frozen=True)
class PenaltyEffect:
    """The effect of a penalty in sentences; `mark` identifies them."""

    sentences: tuple[str, ...]

    @property
    def mark(self) -> str:
        """Hash of the sentences, to detect that the effect changed since it was shown."""
        return sha256("\n".join(self.sentences).encode()).hexdigest()[:16]


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
    PenaltyEffect that the judge confirmed.

    Raises UnknownInfraction, NotForThisJudge, NoPlaceHere, ReasonMissing, WrongTable, GameMissing,
    EffectChanged, CannotApply, PlayerRemoved.
    """
    tournament = history.lock_unfinished(tournament)
    history.reload_registration(place, "state")
    offence = _find_infraction(tournament, infraction)
    expected = offence.penalty(place.count_penalties(infraction))
    kind = PenaltyKind(kind or expected)
    _refuse_unless_head(tournament, actor, kind)
    if place.state == RegistrationState.WAITING:
        raise NoPlaceHere(
            gettext("%(player)s is on the waiting list and has no place here yet.")
            % {"player": place.player}
        )
    if kind is not expected and not text.strip():
        raise ReasonMissing(
            gettext("The guide says %(penalty)s. Give a reason for another penalty.")
            % {"penalty": expected.label.lower()}
        )
    table = _find_table(tournament, place, kind, pairing)
    lost = validate_lost_game(table, game) if kind is PenaltyKind.GAME_LOSS else None
    if seen is not None and effect_of_penalty(place, kind, table, lost).mark != seen:
        raise EffectChanged(gettext("Something has changed. Check again, then give the penalty."))
    note = rulings_services.write_note(
        None, actor.user, text, cited, NoteKind.PENALTY, practice=tournament.is_practice
    )
    round_ = table.round if table else tournament.rounds.published().last()
    penalty = Penalty.objects.create(
        tournament=tournament,
        registration=place,
        pairing=table,
        round_number=round_.number if round_ else None,
        infraction=offence.code,
        infraction_name=offence.name,
        kind=kind,
        expected=expected,
        game=lost,
        note=note,
    )
    _apply_penalty(tournament, penalty, actor)
    return penalty


def expected_kind(tournament: Tournament, place: Registration, infraction: str) -> PenaltyKind:
    """Return the guide's penalty for the player's next offence. Raises UnknownInfraction."""
    offence = _find_infraction(tournament, infraction)
    return offence.penalty(place.count_penalties(infraction))


def _find_infraction(tournament: Tournament, code: str) -> Infraction:
    infraction = tournament.infraction_guide().infractions.get(code)
    if infraction is None:
        raise UnknownInfraction(
            gettext('This event\'s guide has no infraction "%(code)s". Choose one from the guide.')
            % {"code": code}
        )
    return infraction


def _find_table(
    tournament: Tournament, place: Registration, kind: PenaltyKind, named: Pairing | None
) -> Pairing | None:
    """Return the table named by the judge, by default the player's current table."""
    if named is not None:
        return _named_table(tournament, place, named)
    latest = tournament.latest_round()
    if latest is None or not latest.is_played:
        return None
    table = latest.pairing_of(place.player)
    if table is None or table.match is None:
        return None
    # A disqualification does not change a finished match.
    if kind is PenaltyKind.DISQUALIFICATION and table.match.is_settled:
        return None
    table.round = latest
    return table


def _named_table(tournament: Tournament, place: Registration, named: Pairing) -> Pairing:
    tables = Pairing.objects.of_event(tournament)
    table = tables.select_related("round__stage__tournament", "match").filter(pk=named.pk).first()
    if table is None or table.match is None or table.round.is_draft:
        raise WrongTable(
            gettext("This table has been re-paired. Check who sits where, then try again.")
        )
    if table.match.seat_of(place.player) is None:
        raise WrongTable(
            gettext("%(player)s does not sit at %(table)s in %(round)s.")
            % {"player": place.player, "table": table, "round": table.round}
        )
    return table


def validate_lost_game(table: Pairing | None, game: int | None) -> int | None:
    """Validate the number of the lost game; None without a table. Raises GameMissing."""
    # A penalty that waits for a table costs the first game there.
    if table is None or table.match is None:
        return None
    games = table.match.rule.games_per_match
    if games == 1 and game is None:
        return 1
    if game is None or not 1 <= game <= games:
        known = get_text_list([str(number) for number in range(1, games + 1)], gettext("or"))
        raise GameMissing(
            gettext("Choose the game of the match that is lost: %(known)s.") % {"known": known}
        )
    return game


@transaction.atomic
def withdraw(penalty: Penalty, actor: Actor, reason: str) -> Penalty:
    """Withdraw the penalty: restore the reported result, and return a player it dropped.

    A player dropped for a different reason stays out. Raises AlreadyWithdrawn, ReasonMissing,
    NotForThisJudge, CannotApply, and the refusals of returning the player.
    """
    tournament, penalty = _lock_penalty(penalty, actor)
    if not penalty.is_in_force:
        raise AlreadyWithdrawn(gettext("This penalty has already been withdrawn."))
    if not reason.strip():
        raise ReasonMissing(gettext("Give a reason for withdrawing the penalty."))
    penalty.withdrawn_at, penalty.withdrawn_by = timezone.now(), actor.user
    penalty.withdrawn_reason = reason.strip()
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    _apply_and_log(tournament, penalty, actor, LogAction.PENALTY_WITHDRAWN, reason.strip())
    _return_player(tournament, penalty, actor)
    return penalty


@transaction.atomic
def reinstate(penalty: Penalty, actor: Actor, reason: str) -> Penalty:
    """Undo a withdrawal and apply the penalty again.

    Raises AlreadyWithdrawn, NotForThisJudge and CannotApply.
    """
    tournament, penalty = _lock_penalty(penalty, actor)
    if penalty.is_in_force:
        raise AlreadyWithdrawn(gettext("This penalty is already in force."))
    penalty.withdrawn_at = penalty.withdrawn_by = None
    penalty.withdrawn_reason = ""
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    _apply_penalty(tournament, penalty, actor, reason)
    return penalty


def _lock_penalty(penalty: Penalty, actor: Actor) -> tuple[Tournament, Penalty]:
    tournament = history.lock_unfinished(penalty.tournament)
    rows = Penalty.objects.select_related(
        "registration__player", "pairing__round__stage__tournament", "pairing__match", "note"
    )
    reloaded = rows.filter(pk=penalty.pk).first()
    if reloaded is None:
        raise AlreadyWithdrawn(gettext("This penalty no longer exists."))
    _refuse_unless_head(tournament, actor, PenaltyKind(reloaded.kind))
    return tournament, reloaded


def _refuse_unless_head(tournament: Tournament, actor: Actor, kind: PenaltyKind) -> None:
    """Let only the head judge give or withdraw a disqualification. Raises NotForThisJudge."""
    if kind is PenaltyKind.DISQUALIFICATION and not event_permissions.can_head_judge(
        actor, tournament
    ):
        raise NotForThisJudge(
            gettext("Only the head judge can disqualify. Ask them to decide this.")
        )


def _apply_penalty(
    tournament: Tournament, penalty: Penalty, actor: Actor, reason: str = ""
) -> None:
    """Apply and log a penalty that has come into force. Raises CannotApply."""
    _apply_and_log(tournament, penalty, actor, LogAction.PENALTY_GIVEN, reason)
    if penalty.kind == PenaltyKind.DISQUALIFICATION:
        _drop_player(tournament, penalty, actor)


def _apply_and_log(
    tournament: Tournament, penalty: Penalty, actor: Actor, action: LogAction, reason: str
) -> None:
    """Update the result of the table, and log the change for judges. Raises CannotApply."""
    moved = False
    if PenaltyKind(penalty.kind).costs_games and penalty.pairing is not None:
        moved = _update_result(tournament, penalty.pairing)
    history.bump_player_versions(tournament, [penalty.registration.player_id])
    history.record(
        tournament,
        actor,
        action,
        penalty.registration,
        after=penalty_in_log(penalty),
        reason=reason,
        public=moved,
        players=results_services.get_players_with_changed_pages(penalty.pairing)
        if moved and penalty.pairing
        else [],
    )


def _update_result(tournament: Tournament, pairing: Pairing) -> bool:
    """Settle the table by its penalties in force, and recompute the standings if needed.

    Returns True if the public result changed. Raises CannotApply.
    """
    try:
        moved = settle_table(pairing)
        results_services.refuse_unless_bracket_fits(pairing.round)
    except (matches_services.LossRefused, results_services.NotPlayable) as refusal:
        raise CannotApply(str(refusal)) from refusal
    assert pairing.match is not None
    if not pairing.round.is_closed:
        return moved
    if not pairing.match.is_settled:
        raise CannotApply(
            gettext(
                "Round %(round)s is closed and needs all its results. Enter what was played "
                "at this table first."
            )
            % {"round": pairing.round.number}
        )
    if moved:
        request_standings(tournament, pairing.round.number)
    return moved


def _drop_player(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """Drop the player, and store in the penalty whether it was the cause."""
    place = _reload_registration(penalty)
    penalty.dropped = place.state != RegistrationState.DROPPED
    penalty.save(update_fields=["dropped"])
    if penalty.dropped:
        event_services.change_states(
            tournament, [place], actor, event_services.state_change_to_dropped(DroppedBy.STAFF)
        )
        registration_services.fill_places(tournament)


def _return_player(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """Return the player if this penalty dropped them and no other disqualification is in force."""
    if not penalty.dropped:
        return
    penalty.dropped = False
    penalty.save(update_fields=["dropped"])
    in_force = tournament.penalties.in_force()
    second = in_force.filter(registration=penalty.registration_id, kind=penalty.kind).first()
    if second is not None:
        second.dropped = True
        second.save(update_fields=["dropped"])
        return
    place = _reload_registration(penalty)
    if place.state != RegistrationState.DROPPED:
        return
    if place.checked_in_at is not None:
        registration_services.return_player(place, actor)
    else:
        event_services.change_states(tournament, [place], actor, RETURN_TO_ROSTER)


def _reload_registration(penalty: Penalty) -> Registration:
    rows = Registration.objects.select_related("player", "tournament")
    return rows.get(pk=penalty.registration_id)


def sorted_penalties(penalties: Iterable[Penalty]) -> list[Penalty]:
    return sorted(penalties, key=lambda penalty: (not penalty.is_in_force, -penalty.pk))


def tables_of_player(place: Registration) -> dict[str, Pairing]:
    tables = (
        Pairing.objects.published()
        .filter(round__stage__tournament=place.tournament_id, match__seats__player=place.player_id)
        .select_related("match", "round__stage")
        .prefetch_related(SEATS)
        .order_by("-round__stage__number", "-round__number")
    )
    return {str(pairing.pk): pairing for pairing in tables}


def games_per_match(tournament: Tournament, pairing: Pairing | None) -> int:
    if pairing is not None and pairing.match is not None:
        return pairing.match.rule.games_per_match
    return scoring_rule(tournament.current_stage().scoring_rule).games_per_match


# Effects in words


def effect_of_penalty(
    place: Registration, kind: PenaltyKind, pairing: Pairing | None, game: int | None
) -> PenaltyEffect:
    name = place.player.name
    if not kind.costs_games:
        return PenaltyEffect(
            (
                format_html(
                    gettext("Recorded for <bdi>{}</bdi> at this event. No result changes."), name
                ),
            )
        )
    loss = _describe_loss(place, kind, pairing, game)
    if kind is PenaltyKind.DISQUALIFICATION:
        gone = format_html(gettext("<bdi>{}</bdi> is dropped and will not be paired again."), name)
        return PenaltyEffect((*loss, gone))
    return PenaltyEffect(loss)


def _describe_loss(
    place: Registration, kind: PenaltyKind, pairing: Pairing | None, game: int | None
) -> tuple[str, ...]:
    name = place.player.name
    if pairing is None or pairing.match is None:
        if kind is PenaltyKind.DISQUALIFICATION:
            return ()
        text = gettext("<bdi>{}</bdi> loses their next match. A bye does not use up the penalty.")
        if kind is PenaltyKind.GAME_LOSS:
            text = gettext(
                "<bdi>{}</bdi> loses the first game of their next match. A bye does not use up "
                "the penalty."
            )
        return (format_html(text, name),)
    rule, table = pairing.match.rule, pairing.table_number
    if not rule.has_roles:
        text = gettext("<bdi>{}</bdi> keeps no victory points and comes last at table {}.")
        return (format_html(text, name, table), _round_state(pairing))
    points = points_for_win(rule)
    text = gettext("The game of table {table} goes to <bdi>{opponent}</bdi>: {points} points.")
    if rule.games_per_match > 1 and kind is PenaltyKind.GAME_LOSS:
        text = gettext(
            "Game {game} of table {table} goes to <bdi>{opponent}</bdi>: {points} points."
        )
    elif rule.games_per_match > 1:
        text = gettext("Both games of table {table} go to <bdi>{opponent}</bdi>: {points} points.")
        points *= rule.games_per_match
    # Rules with sides have two seats.
    opponent = next(seat.player.name for seat in pairing.seats if seat.player_id != place.player_id)
    loss = format_html(text, game=game, table=table, opponent=opponent, points=points)
    return (loss, _round_state(pairing))


def points_for_win(rule: ScoringRule) -> Points:
    won = GameResult(1, 1, Role.CORP, GameEnd.JUDGE, 0, 0)
    return rule.match_points(MatchResult((won,)))[1]


def effect_of_withdrawal(penalty: Penalty, tables: Sequence[Pairing]) -> PenaltyEffect:
    kind = PenaltyKind(penalty.kind)
    name = penalty.registration.player.name
    if not kind.costs_games:
        sentence = gettext(
            "It no longer counts towards later penalties for <bdi>{}</bdi>. No result changes."
        )
        return PenaltyEffect((format_html(sentence, name),))
    sentences: list[str] = []
    table = next((table for table in tables if table.pk == penalty.pairing_id), None)
    if table is not None:
        sentences.append(
            gettext("Table %(table)s of round %(round)s gets its reported result back.")
            % {"table": table.table_number, "round": table.round.number}
        )
        sentences.append(_round_state(table))
        sentences += [
            gettext(
                "Game %(number)s was not reported: it stays as decided until you enter what was "
                "played."
            )
            % {"number": number}
            for number in _unreported_games(penalty, table)
        ]
    elif penalty.is_waiting:
        sentences.append(gettext("It has not taken effect yet, and will not."))
    if kind is PenaltyKind.DISQUALIFICATION:
        sentences.append(format_html(gettext("<bdi>{}</bdi> can be paired again."), name))
    return PenaltyEffect(tuple(sentences))


def _unreported_games(penalty: Penalty, table: Pairing) -> list[int]:
    """Games lost to the penalty for which the table's report has only a judge's decision."""
    report = matches_records.confirmed_report(table.match) if table.match else None
    if report is None:
        return []
    decided = (GameEnd.JUDGE, GameEnd.DOUBLE_LOSS)
    games = matches_records.result_from_document(report.result).games
    return [
        game.number for game in games if game.end in decided and penalty.game in (None, game.number)
    ]


def _round_state(pairing: Pairing) -> str:
    number = pairing.round.number
    if pairing.round.is_closed:
        return gettext("Round %(number)s is closed, so its standings will be recomputed.") % {
            "number": number
        }
    return gettext("Round %(number)s is still open.") % {"number": number}


# The infraction guide


@transaction.atomic
def change_infraction(
    tournament: Tournament,
    actor: Actor,
    code: str,
    *,
    name: str = "",
    description: str = "",
    ladder: Sequence[str] = (),
    is_off: bool = False,
) -> InfractionChange:
    """Change the ladder of an infraction, disable it, or define a new infraction.

    Empty name, description or ladder default to the guide. Penalties already given do not change.
    Raises NotForThisJudge and BadChange.
    """
    tournament = _lock_for_guide_change(tournament, actor)
    known = shipped_guide().infractions.get(code)
    errors = _infraction_errors(known is not None, name, ladder, is_off=is_off)
    if errors or not is_code(code):
        errors = errors or [gettext('"%(code)s" is not an infraction code.') % {"code": code}]
        raise BadChange(" ".join(error[0].upper() + error[1:] for error in errors), errors=errors)
    values = {
        "name": name.strip(),
        "description": description.strip(),
        "ladder": [str(step) for step in ladder],
        "is_off": is_off,
    }
    row, _ = InfractionChange.objects.update_or_create(
        tournament=tournament, code=code, defaults=values
    )
    title = row.name or (known.name if known else code)
    after = {"ladder": row.ladder, "off": is_off}
    history.record(tournament, actor, LogAction.INFRACTION_CHANGED, title, after=after)
    return row


@transaction.atomic
def reset_infraction(tournament: Tournament, actor: Actor, code: str) -> None:
    """Revert an infraction to the guide, or delete the event's own. Idempotent."""
    tournament = _lock_for_guide_change(tournament, actor)
    row = tournament.infraction_changes.filter(code=code).first()
    if row is None:
        return
    known = shipped_guide().infractions.get(code)
    row.delete()
    title = row.name or (known.name if known else code)
    history.record(tournament, actor, LogAction.INFRACTION_AS_IN_THE_GUIDE, title)


def _lock_for_guide_change(tournament: Tournament, actor: Actor) -> Tournament:
    locked = history.lock_unfinished(tournament)
    if not event_permissions.can_head_judge(actor, locked):
        raise NotForThisJudge(gettext("Only the head judge can change the guide of an event."))
    return locked


def _infraction_errors(
    is_known: bool, name: str, ladder: Sequence[str], *, is_off: bool
) -> list[str]:
    errors: list[str] = []
    if not is_known and not name.strip():
        errors.append("an infraction of the event's own needs a name.")
    if ladder or (not is_known and not is_off):
        errors += ladder_errors([str(step) for step in ladder])
    return errors
