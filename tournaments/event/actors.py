"""Who asks, who acts: an account, a player, both, or nobody."""

from dataclasses import dataclass
from datetime import datetime

from players.models import Player, User


@dataclass(frozen=True)
class Actor:
    """The person behind a request. Both None: Datafort itself, or a stranger.

    `token_made_at` is when the token was made by which a program acts for them, `token_event` the
    only event, by primary key, in which it has a role.
    """

    user: User | None = None
    player: Player | None = None
    token_made_at: datetime | None = None
    token_event: int | None = None

    def __str__(self) -> str:
        return str(self.player or self.user or "Datafort")

    @property
    def counted(self) -> str:
        """What limits count: the account, else the guest; "" for a stranger."""
        if self.user is not None:
            return f"user-{self.user.pk}"
        return f"guest-{self.player.pk}" if self.player is not None else ""


NOBODY = Actor()
