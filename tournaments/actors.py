"""Who asks, who acts: an account, a player, both, or nobody."""

from dataclasses import dataclass

from players.models import Player, User


@dataclass(frozen=True)
class Actor:
    """The person behind a request. Both None: Datafort itself, or a stranger."""

    user: User | None = None
    player: Player | None = None

    def __str__(self) -> str:
        return str(self.player or self.user or "Datafort")


NOBODY = Actor()
