"""The games of a match a judge has decided before anybody told its result, in words."""

from matches import records
from matches.models import Match


def judged_games(match: Match) -> list[str]:
    """A sentence a game, or a player of a pod; none once the match has its result.

    Says what a judge decided and not why: players of the table and the staff may read it. Wants
    `match.seats` with their players.
    """
    if match.is_settled or not match.losses:
        return []
    losses, rule = records.losses_of(match), match.rule
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    if not rule.has_roles:
        return [f"{names[loss.seat]} comes last here: a judge has decided it." for loss in losses]
    lost = {
        number: {loss.seat for loss in losses if loss.game in (None, number)}
        for number in range(1, rule.games_per_match + 1)
    }
    return [_sentence(number, names, losers) for number, losers in lost.items() if losers]


def _sentence(number: int, names: dict[int, str], losers: set[int]) -> str:
    winner = next((name for seat, name in names.items() if seat not in losers), None)
    won = f"{winner} wins it" if winner else "nobody wins it"
    return f"A judge has decided game {number}: {won}."
