"""The source of imported events."""

from django.db import models

from decks.models import Card, Side
from players.models import User
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration


class ImportedFile(models.Model):
    """The file an event was imported from, with data that is not computed here."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="imported_file")
    # A value of tournaments.interchange.formats.records.Dialect.
    dialect = models.CharField(max_length=20)
    file_name = models.CharField(max_length=200, blank=True)
    # SHA-256 of the file, in hexadecimal digits.
    digest = models.CharField(max_length=64, db_index=True)
    # Sentences about values that were read differently from the file.
    notices = models.JSONField(default=list)
    # [{"id", "field", "file", "computed", "number"}]; `number` is the player's number here.
    differences = models.JSONField(default=list)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"file of {self.tournament}"


class StatedIdentity(models.Model):
    """The identity stated in a file for a player without a deck here."""

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="stated_identities")
    side = models.CharField(max_length=10, choices=Side.choices)
    title = models.CharField(max_length=200)
    # Null if no known identity has this title.
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "stated identities"
        ordering = ["registration", "side"]
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "side"], name="one_stated_identity_a_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.registration}"
