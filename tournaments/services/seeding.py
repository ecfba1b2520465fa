"""Seeds and groups: what orders the field, and whom it keeps apart."""

from django.db import transaction

from tournaments import history, queries
from tournaments.actors import Actor
from tournaments.models import Registration
from tournaments.services.standings import request_standings


@transaction.atomic
def set_seed_and_group(
    registration: Registration, actor: Actor, *, seed: int | None, avoid_group: str
) -> None:
    """Give a player a seed, 1 best, and a group that is kept apart; None and "" take them away.

    Standings that stand already are computed anew: a seed orders players with equal points.
    """
    tournament = history.lock_unfinished(registration.tournament)
    before = {"seed": registration.seed, "avoid_group": registration.avoid_group}
    after = {"seed": seed, "avoid_group": avoid_group}
    if before == after:
        return
    registration.seed, registration.avoid_group = seed, avoid_group
    registration.save(update_fields=["seed", "avoid_group"])
    history.record(
        tournament, actor, "seed and group set", registration.player, before=before, after=after
    )
    if before["seed"] != seed and queries.newest_snapshot(tournament) is not None:
        request_standings(tournament, from_round=1)
