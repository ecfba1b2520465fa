"""Submitted decks, their receipts, and deck checks."""

from django.db import models
from django.utils.translation import gettext_lazy

from decks.models import DecklistVersion, Side
from players.models import User
from tournaments.models.registrations import Registration


class LockedBy(models.TextChoices):
    PLAYER = "player", gettext_lazy("by the player")
    DEADLINE = "deadline", gettext_lazy("by the deadline")
    STAFF = "staff", gettext_lazy("by the staff")


class DeckSubmission(models.Model):
    """A player's deck for one side. It is a draft until `locked_at`.

    Players can lock legal decks only. The deadline and the staff lock any deck, and the desk lists
    its problems.
    """

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="deck_submissions")
    side = models.CharField(max_length=10, choices=Side.choices)
    version = models.ForeignKey(DecklistVersion, models.PROTECT, related_name="+")
    received_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True, blank=True)
    locked_by = models.CharField(max_length=10, choices=LockedBy.choices, blank=True)

    class Meta:
        ordering = ["registration", "side"]
        constraints = [
            models.UniqueConstraint(fields=["registration", "side"], name="one_deck_a_side"),
            models.CheckConstraint(
                condition=models.Q(locked_at__isnull=True) ^ ~models.Q(locked_by=""),
                name="locked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_side_display()} deck of {self.registration}"


class DeckReceipt(models.Model):
    """A receipt for one submitted version of a deck. Rows never change."""

    submission = models.ForeignKey(DeckSubmission, models.CASCADE, related_name="receipts")
    # Counts the receipts of the submission from 1.
    number = models.PositiveSmallIntegerField()
    version = models.ForeignKey(DecklistVersion, models.PROTECT, related_name="+")
    received_at = models.DateTimeField()
    # The staff account that submitted the deck for the player; null for the player.
    received_from = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["submission", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "number"], name="one_receipt_a_number")
        ]

    def __str__(self) -> str:
        return f"receipt {self.number} of {self.submission}"


class DeckCheckDraw(models.Model):
    """Tables selected for a deck check. It stays if its round is unpublished and paired again.

    The draw is random, reproducible from its seed, and puts players without a check first.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="deck_check_draws"
    )
    round_number = models.PositiveSmallIntegerField()
    # Counts the draws of the event from 1.
    number = models.PositiveSmallIntegerField()
    # Null if a judge picked the table.
    seed = models.PositiveBigIntegerField(null=True, blank=True)
    drawn_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    drawn_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_draw_a_number")
        ]

    def __str__(self) -> str:
        return f"deck check {self.number}, round {self.round_number} of {self.tournament}"


class DeckCheckOutcome(models.TextChoices):
    OPEN = "", gettext_lazy("not checked yet")
    FINE = "fine", gettext_lazy("no problems")
    MENDED = "mended", gettext_lazy("problem fixed on the spot")
    WRONG = "wrong", gettext_lazy("deck does not match the list")
    ILLEGAL = "illegal", gettext_lazy("illegal decklist")


class DeckCheck(models.Model):
    """The check of one deck at a drawn table. Open until `checked_at`."""

    draw = models.ForeignKey(DeckCheckDraw, models.CASCADE, related_name="checks")
    table_number = models.PositiveSmallIntegerField()
    submission = models.ForeignKey(DeckSubmission, models.PROTECT, related_name="checks")
    version = models.ForeignKey(DecklistVersion, models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=10, choices=DeckCheckOutcome.choices, blank=True)
    note = models.CharField(max_length=500, blank=True)
    checked_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["draw", "table_number", "submission"]
        constraints = [
            models.UniqueConstraint(fields=["draw", "submission"], name="one_check_of_a_deck"),
            models.CheckConstraint(
                condition=models.Q(checked_at__isnull=True) ^ ~models.Q(outcome=""),
                name="checked_with_an_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission}: {self.get_outcome_display()}"
