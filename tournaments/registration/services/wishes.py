"""What a player needs of the room: a fixed table, and not to be filmed."""

from django.db import transaction

from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Registration


@transaction.atomic
def set_fixed_table(registration: Registration, actor: Actor, table: int | None) -> None:
    """All tables of this player from the next draft on; None takes it away."""
    _set(registration, actor, fixed_table=table)


@transaction.atomic
def set_avoids_stream(registration: Registration, actor: Actor, *, avoids: bool) -> None:
    """Never at a feature table from the next draft on, or again like everybody."""
    _set(registration, actor, avoids_stream=avoids)


def _set(registration: Registration, actor: Actor, **wish: int | bool | None) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    registration.refresh_from_db(fields=list(wish))
    before = {key: getattr(registration, key) for key in wish}
    if before == wish:
        return
    for key, value in wish.items():
        setattr(registration, key, value)
    registration.save(update_fields=list(wish))
    # Why somebody needs a table is nobody else's business, so the public pages stay as they are;
    # but the page of the stream lets go of who does not want to be on it.
    history.record(
        tournament,
        actor,
        LogAction.TABLE_WISH_SET,
        registration,
        before=before,
        after=wish,
        public="avoids_stream" in wish,
    )
