"""Seeds and groups: what orders the field, and whom it keeps apart."""

from django.db import transaction

from core.errors import StaleVersion
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings
from tournaments.models import LogAction, Registration


@transaction.atomic
def set_seed_and_group(
    registration: Registration,
    actor: Actor,
    *,
    seed: int | None,
    avoid_group: str,
    seen: tuple[int | None, str] | None = None,
) -> None:
    """Give a player a seed, 1 best, and a group that is kept apart; None and "" take them away.

    Standings that stand already are computed anew: a seed orders players with equal points.
    `seen` are seed and group when the form was made. Raise StaleVersion when somebody else gave
    the player others since.
    """
    tournament = history.lock_unfinished(registration.tournament)
    registration.refresh_from_db(fields=["seed", "avoid_group"])
    if seen not in (None, (registration.seed, registration.avoid_group)):
        raise StaleVersion(
            f"Somebody else set the seed and group of {registration.player} meanwhile. Now "
            f"recorded: {_in_words(registration.seed, registration.avoid_group)}. You entered: "
            f"{_in_words(seed, avoid_group)}. Look at them as they are now, then save again.",
            recorded={"seed": registration.seed, "avoid_group": registration.avoid_group},
            entered={"seed": seed, "avoid_group": avoid_group},
        )
    before = {"seed": registration.seed, "avoid_group": registration.avoid_group}
    after = {"seed": seed, "avoid_group": avoid_group}
    if before == after:
        return
    registration.seed, registration.avoid_group = seed, avoid_group
    registration.save(update_fields=["seed", "avoid_group"])
    history.record(
        tournament, actor, LogAction.SEED_AND_GROUP_SET, registration, before=before, after=after
    )
    if before["seed"] != seed and queries.newest_snapshot(tournament) is not None:
        request_standings(tournament, from_round=1)


def _in_words(seed: int | None, group: str) -> str:
    return f"{f'seed {seed}' if seed else 'no seed'}, {f'group {group}' if group else 'no group'}"
