"""Who is it? Accounts, and players with or without one."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy

from core.model_fields import HashedField
from core.text import clean, comparison_key, sort_key

NAME_HIDDEN = "Name hidden"
"""In place of a name, in lists of several events."""


class User(AbstractUser):
    """An account. Plays through a Player, runs events through its staff roles."""

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def public_name(self) -> str:
        """The name for players and the public: of the player, else the full name, else empty.

        Never the login name. Fetch `player` along with many accounts.
        """
        player: Player | None = getattr(self, "player", None)
        return player.public_name if player is not None else self.get_full_name()

    @property
    def staff_name(self) -> str:
        """The name for the staff of an event; the login name only where there is no other."""
        return self.public_name or self.username


class Player(models.Model):
    """A person at the table. Needs no account: a claim link is enough.

    `name` is stored in NFC; `name_key` is what is compared (NFKC, casefold) and
    `sort_key` what is sorted by (accents aside).
    `claim_hash` is the SHA-256 of an unused claim secret, never the secret;
    `claim_generation` counts the links given out, so a new link ends the
    sessions opened by older ones.

    `shown_name` stands wherever a page gathers several events: the player's own page, ratings,
    series, statistics, winners in lists of events. Inside an event it is `name`, which opponents
    call out. Who `hides_history` has no such page and is in none of those lists by name; who
    `hides_from_streams` is at no event at a table that is filmed, nor named on an overlay.

    Who was `merged_into` another record has nothing left, and is kept to be taken apart again.

    `former_names` are kept only so that erasing finds them wherever they were written down.
    `stays_from` is when the person last asked not to be forgotten for being away. Who was
    `erased_at` is "Player 17" for good.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    name = models.CharField(max_length=100)
    name_key = models.CharField(max_length=200, db_index=True, editable=False)
    sort_key = models.CharField(max_length=400, db_index=True, editable=False)
    pronouns = models.CharField(max_length=30, blank=True)
    shown_name = models.CharField(max_length=100, blank=True, default="", db_default="")
    hides_history = models.BooleanField(default=False, db_default=False)
    hides_from_streams = models.BooleanField(default=False, db_default=False)
    merged_into = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    claim_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)
    claim_expires_at = models.DateTimeField(null=True, blank=True)
    claim_generation = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    former_names = models.JSONField(default=list, blank=True, editable=False)
    stays_from = models.DateTimeField(null=True, blank=True, editable=False)
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
        """The name on pages that gather several events."""
        return self.shown_name or self.name

    @property
    def listed_name(self) -> str:
        """The same where a place of several events needs somebody; who hides is not named."""
        return NAME_HIDDEN if self.hides_history else self.public_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.set_name(self.name)
        super().save(*args, **kwargs)

    def set_name(self, name: str) -> None:
        """The keys are functions of the name, not rules: they may never differ."""
        self.name = clean(name)
        self.name_key, self.sort_key = comparison_key(self.name), sort_key(self.name)


class Session(AbstractBaseSession):
    """A browser the site knows; its key is in the cookie alone, here is a hash of it.

    `user` is who is logged in, at this `address` and with this browser; `player` the guest whose
    personal link was opened.
    """

    session_key = HashedField(max_length=64, primary_key=True)
    # Without a constraint: a request may end after somebody deleted the account it began with.
    user = models.ForeignKey(User, models.CASCADE, null=True, db_constraint=False, related_name="+")
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, db_constraint=False, related_name="+"
    )
    address = models.GenericIPAddressField(null=True)
    user_agent = models.CharField(max_length=200, blank=True)
    logged_in_at = models.DateTimeField(null=True)

    @classmethod
    def get_session_store_class(cls) -> Any:
        """How Django reads what is in it."""
        return import_module(settings.SESSION_ENGINE).SessionStore


class IncidentKind(models.TextChoices):
    """An incident that administrators of the site see on the operations page."""

    WRONG_PASSWORD = "wrong_password", gettext_lazy("Wrong name or password")
    TOO_MANY_TRIES = "too_many_tries", gettext_lazy("Too many tries")
    WRONG_CODE = "wrong_code", gettext_lazy("Wrong second-factor code")
    UNSENT_EMAIL = "unsent_email", gettext_lazy("Email not accepted by the mail server")
    FAILED_BACKUP = "failed_backup", gettext_lazy("Backup failed")


REFUSED_LOGINS = (
    IncidentKind.WRONG_PASSWORD,
    IncidentKind.TOO_MANY_TRIES,
    IncidentKind.WRONG_CODE,
)


class IncidentCount(models.Model):
    """The number of incidents of one kind and subject in one hour."""

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
