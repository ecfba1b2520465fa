"""The actor behind a request: an account, a player, both or neither."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from players.models import Player, User
from players.queries import current_player
from tournaments.models import ApiToken


@dataclass(frozen=True)
class Actor:
    """The person behind a request. Without user and player: Datafort itself, or a stranger."""

    user: User | None = None
    player: Player | None = None
    # When the API token of the request was created.
    token_made_at: datetime | None = None
    # Primary key of the only event in which the token has a role.
    token_event: int | None = None

    def __str__(self) -> str:
        return str(self.player or self.user or "Datafort")

    @property
    def counted(self) -> str:
        """The key for rate limits: the account, else the guest; "" for a stranger."""
        if self.user is not None:
            return f"user-{self.user.pk}"
        return f"guest-{self.player.pk}" if self.player is not None else ""

    @property
    def sender(self) -> str:
        """The owner of idempotency keys: the player, else the account; "" for a stranger."""
        if self.player is not None:
            return f"player:{self.player.pk}"
        return f"user:{self.user.pk}" if self.user is not None else ""


NOBODY = Actor()


def actor_of(request: HttpRequest) -> Actor:
    """The actor of the session, or of the API token."""
    user = request.user if request.user.is_authenticated else None
    player, token = current_player(request), getattr(request, "auth", None)
    if not isinstance(token, ApiToken):
        return Actor(user, player)
    return Actor(user, player, token_made_at=token.created, token_event=token.tournament_id)
