"""Where an event came from that was played, or written down, somewhere else."""

from django.db import models

from decks.models import Card, Side
from players.models import User
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration


class ImportedFile(models.Model):
    """The file an event was made of, and what it says that our own figures do not.

    `dialect` is one of tournaments.interchange.formats.records.Dialect; `digest` the SHA-256 of the
    file in hexadecimal digits. `notices` are sentences on what was read otherwise than it stands
    there, `differences` are [{"id", "field", "file", "computed"}] as the command prints them, with
    the "number" of the player here.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="imported_file")
    dialect = models.CharField(max_length=20)
    file_name = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, db_index=True)
    notices = models.JSONField(default=list)
    differences = models.JSONField(default=list)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"file of {self.tournament}"


class StatedIdentity(models.Model):
    """The identity a file names for a player who has handed in no deck here.

    `card` is the identity it means; null where nobody knows one of that title, which stays as it
    was written.
    """

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="stated_identities")
    side = models.CharField(max_length=10, choices=Side.choices)
    title = models.CharField(max_length=200)
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
