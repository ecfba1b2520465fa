"""Apply penalties to results of tables, and remove them.

The penalties in force are authoritative; Match.losses is derived from them.
"""

from collections.abc import Iterable

from matches import services as matches_services
from matches.models import Match
from matches.scoring.imposed_losses import ImposedLoss
from rulings.guide import PenaltyKind
from tournaments.event import history, webhooks
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import LogAction, Outlook, Pairing, Penalty, Round, Tournament


def losses_of_table(pairing: Pairing) -> list[ImposedLoss]:
    assert pairing.match is not None
    seats = dict(pairing.match.seats.values_list("player", "position"))
    return [
        ImposedLoss(seats[penalty.registration.player_id], penalty.game)
        for penalty in pairing.penalties.costing_games()
        if penalty.registration.player_id in seats
    ]


def settle_table(pairing: Pairing) -> bool:
    """Apply the penalties in force to the result; return True if the public result changed.

    Requires a locked event. Raises LossRefused.
    """
    assert pairing.match is not None
    before = Match.objects.get(pk=pairing.match.pk)
    after = matches_services.set_losses(before, losses_of_table(pairing))
    pairing.match = after
    if after.version == before.version:
        return False
    tournament = pairing.round.stage.tournament
    history.bump_player_versions(tournament, pairing.players)
    # A game that is lost changes the scenarios. The penalty is private, so no public version is.
    Outlook.objects.filter(round=pairing.round).update(version=0)
    is_public = before.is_settled or after.is_settled
    if is_public:
        webhooks.notify_result(tournament, pairing, was_settled=before.is_settled)
    return is_public


def apply_waiting_penalties(round_: Round, actor: Actor = NOBODY) -> None:
    """Apply waiting penalties to the tables of this round. With a bye they keep waiting.

    A game loss applies to the first game not lost already. It waits for the next round if all games
    are lost or the result is reported. A disqualified player also loses a bracket table they are
    seated at. Requires a locked event and a published round.
    """
    tournament = round_.stage.tournament
    for penalty in tournament.penalties.without_table():
        pairing = round_.pairing_of(penalty.registration.player)
        if pairing is None or pairing.match is None or pairing.is_reported:
            continue
        game = _free_game(pairing, penalty)
        if game is None:
            continue
        penalty.pairing, penalty.round_number = pairing, round_.number
        penalty.game = game or None
        penalty.save(update_fields=["pairing", "round_number", "game"])
        settle_table(pairing)
        _log_penalty(tournament, actor, LogAction.PENALTY_TOOK_EFFECT, penalty)


def _free_game(pairing: Pairing, penalty: Penalty) -> int | None:
    """First game the player has not lost to a penalty; 0 for the whole match, None for none."""
    assert pairing.match is not None
    earlier = pairing.penalties.costing_games().filter(registration=penalty.registration)
    lost = set(earlier.values_list("game", flat=True))
    games = range(1, pairing.match.rule.games_per_match + 1)
    free = [number for number in games if number not in lost]
    if None in lost or not free:
        return None
    return free[0] if penalty.kind == PenaltyKind.GAME_LOSS else 0


def lift_penalties(round_: Round) -> list[Penalty]:
    """Remove the penalties from the tables of a round that becomes a draft: they wait again.

    Requires a locked event. Returns them, for `log_lifted_penalties`.
    """
    penalties = Penalty.objects.costing_games().filter(pairing__round=round_)
    lifted = list(penalties.select_related("registration__player", "pairing__match"))
    for penalty in lifted:
        pairing, penalty.pairing, penalty.game = penalty.pairing, None, None
        penalty.save(update_fields=["pairing", "game"])
        if pairing is not None:
            settle_table(pairing)
    return lifted


def log_lifted_penalties(tournament: Tournament, actor: Actor, lifted: Iterable[Penalty]) -> None:
    for penalty in lifted:
        _log_penalty(tournament, actor, LogAction.PENALTY_WAITS_AGAIN, penalty)


def _log_penalty(tournament: Tournament, actor: Actor, action: LogAction, penalty: Penalty) -> None:
    history.bump_player_versions(tournament, [penalty.registration.player_id])
    history.record(tournament, actor, action, penalty.registration, after=penalty_in_log(penalty))


def penalty_in_log(penalty: Penalty) -> dict[str, object]:
    entry: dict[str, object] = {
        "penalty": penalty.pk,
        "infraction": penalty.infraction_name,
        "cost": penalty.get_kind_display(),
    }
    if penalty.pairing is not None:
        entry["table"] = f"round {penalty.pairing.round.number}, {penalty.pairing}"
    return entry | ({"game": penalty.game} if penalty.game else {})
