"""Shared steps of tests with a draft."""

from tests.factories.tournaments import (
    get_round,
    owner_of,
    player_number,
)
from tournaments import tasks
from tournaments.models import Pairing, Registration, Round, Tournament
from tournaments.rounds import draft_changes


def seats(pairing: Pairing) -> list[str]:
    """Return the players of a table by seat, or the player with the bye."""
    if pairing.match is None:
        return [str(pairing.bye.player)]
    return [seat.player.name for seat in pairing.match.seats.order_by("position")]


def players_of(round_: Round) -> list[str]:
    return sorted(name for pairing in round_.pairings.all() for name in seats(pairing))


def redraw(round_: Round, *, reason: str = "", keep: list[int] | None = None) -> Round:
    """Re-pair the open tables and run the job."""
    tournament = round_.stage.tournament
    job = draft_changes.pair_the_rest(round_, owner_of(tournament), reason=reason, keep=keep)
    tasks.pair_round(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return get_round(tournament, round_.number)


def lock(pairing: Pairing) -> None:
    draft_changes.set_lock(pairing, owner_of(pairing.round.stage.tournament), locked=True)


def entries(event: Tournament, *numbers: int) -> tuple[Registration, ...]:
    return tuple(player_number(event, number) for number in numbers)
