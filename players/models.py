"""Accounts, and players with or without an account."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy

from core.model_fields import HashedField
from core.text import clean, comparison_key, sort_key

# In place of a name, in lists over several events.
NAME_HIDDEN = "Name hidden"


class User(AbstractUser):
    """A login. It plays through a Player, and runs events through its staff roles."""

    # If empty, pages are in the language of the browser.
    language = models.CharField(
        gettext_lazy("language"), max_length=10, blank=True, default="", db_default=""
    )

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def public_name(self) -> str:
        """Name of the player, else the full name, else empty; never the username."""
        # For many accounts, use `select_related("player")`.
        player: Player | None = getattr(self, "player", None)
        return player.public_name if player is not None else self.get_full_name()

    @property
    def staff_name(self) -> str:
        return self.public_name or self.username


class Player(models.Model):
    """A person who plays, with or without an account. Guests use a claim link."""

    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    # In NFC.
    name = models.CharField(max_length=100)
    # For comparison: NFKC and casefolded.
    name_key = models.CharField(max_length=200, db_index=True, editable=False)
    # For sorting: without accents.
    sort_key = models.CharField(max_length=400, db_index=True, editable=False)
    pronouns = models.CharField(max_length=30, blank=True)
    # The name on pages over several events: the player's page, ratings, series, statistics and
    # winners. Pages of an event show `name`, which opponents call out.
    shown_name = models.CharField(max_length=100, blank=True, default="", db_default="")
    # No page of the player, and no name in lists over several events.
    hides_history = models.BooleanField(default=False, db_default=False)
    # Never at a filmed table, and not named on overlays.
    hides_from_streams = models.BooleanField(default=False, db_default=False)
    # A merged record is empty; it is stored so that the merge can be undone.
    merged_into = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    # The SHA-256 of an unused claim secret, never the secret.
    claim_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)
    claim_expires_at = models.DateTimeField(null=True, blank=True)
    # Number of links issued: a new link ends the sessions that older links opened.
    claim_generation = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Stored only so that erasing finds these names wherever they were written.
    former_names = models.JSONField(default=list, blank=True, editable=False)
    # When the person last asked not to be forgotten for inactivity.
    stays_from = models.DateTimeField(null=True, blank=True, editable=False)
    # The player is called "Player 17" from then on.
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["sort_key", "pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="player_has_a_name")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def public_name(self) -> str:
        return self.shown_name or self.name

    @property
    def listed_name(self) -> str:
        return NAME_HIDDEN if self.hides_history else self.public_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.set_name(self.name)
        super().save(*args, **kwargs)

    def set_name(self, name: str) -> None:
        # The keys must always match the name.
        self.name = clean(name)
        self.name_key, self.sort_key = comparison_key(self.name), sort_key(self.name)


class Session(AbstractBaseSession):
    """A session. Its key is only in the cookie; the table stores a hash."""

    session_key = HashedField(max_length=64, primary_key=True)
    # The logged-in account. No constraint: it may be deleted during a request of the session.
    user = models.ForeignKey(User, models.CASCADE, null=True, db_constraint=False, related_name="+")
    # The guest whose personal link was opened.
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, db_constraint=False, related_name="+"
    )
    address = models.GenericIPAddressField(null=True)
    user_agent = models.CharField(max_length=200, blank=True)
    logged_in_at = models.DateTimeField(null=True)

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


class IncidentKind(models.TextChoices):
    WRONG_PASSWORD = "wrong_password", gettext_lazy("Wrong name or password")
    TOO_MANY_TRIES = "too_many_tries", gettext_lazy("Too many attempts")
    WRONG_CODE = "wrong_code", gettext_lazy("Wrong two-factor code")
    UNSENT_EMAIL = "unsent_email", gettext_lazy("Email not accepted by the mail server")
    FAILED_BACKUP = "failed_backup", gettext_lazy("Backup failed")


REFUSED_LOGINS = (
    IncidentKind.WRONG_PASSWORD,
    IncidentKind.TOO_MANY_TRIES,
    IncidentKind.WRONG_CODE,
)


class IncidentCount(models.Model):
    hour = models.DateTimeField()
    kind = models.CharField(max_length=20, choices=IncidentKind.choices)
    # The network address of a refused login, the purpose of an email; never a name of an account.
    subject = models.CharField(max_length=64, blank=True)
    # The error of the last incident.
    detail = models.CharField(max_length=200, blank=True)
    count = models.PositiveIntegerField(default=1)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["-last_at"]
        constraints = [
            models.UniqueConstraint(fields=["hour", "kind", "subject"], name="one_incident_count")
        ]

    def __str__(self) -> str:
        return f"{self.count} x {self.kind} {self.subject}".rstrip()
