"""Keys with which programs act for an account."""

import uuid

from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken

from players.models import User
from tournaments.models.events import Tournament


class TokenScope(models.TextChoices):
    """What a token is good for; each may do what the ones before it may."""

    READ = "read", "read what you may read"
    RESULTS = "results", "also report, confirm and enter results"
    MANAGE = "manage", "also everything else you may do"


class ApiToken(AbstractAuthToken):
    """A token acts as its account, within its scope, at one event or at all of the account's.

    Its secret is shown once; only a hash of it is kept. It ends when it is revoked or expires.
    `public_id` names it on pages.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=10, choices=TokenScope.choices)
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, null=True, blank=True, related_name="+"
    )
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = models.Manager["ApiToken"]()

    class Meta:
        ordering = ["-created", "digest"]

    def __str__(self) -> str:
        return f"token {self.name} of {self.user}"

    @property
    def is_live(self) -> bool:
        """Whether it still opens anything."""
        return self.revoked_at is None and (self.expiry is None or self.expiry > timezone.now())

    @property
    def is_bound(self) -> bool:
        """Whether it is for one event only."""
        return self.tournament_id is not None

    def covers(self, scope: str) -> bool:
        """Whether it is good for what needs this scope."""
        order = TokenScope.values
        return order.index(self.scope) >= order.index(scope)
