"""Decklists of players."""

from django.db import models

from decks import games
from decks.formats.deck_text import ListForm
from decks.models.cards import Card, Side
from players.models import Player


class Decklist(models.Model):
    """A player's deck of one side; its contents are in its versions.

    Submitting a list with an existing title adds a version to that deck. All untitled lists of one
    side belong to the same deck.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    side = models.CharField(max_length=10, choices=Side.choices)
    title = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "side", "title"], name="one_deck_for_a_title"
            )
        ]

    def __str__(self) -> str:
        return self.title or f"{self.get_side_display()} deck"


# Limit on stored breaches, and on stored notices, per version.
MOST_PROBLEMS = 50


class DecklistVersion(models.Model):
    """A submitted list; immutable.

    `text` is the original list, in the format `form`. `seal` is the SHA-256 of the canonical list
    (see decks.formats). `breaches` stores the verdict at submission, as returned by `check_deck`.
    It applies to the day `judged_on` and to the snapshot `snapshot_id` of the format `format_id`.
    Both are empty for the basic rules and for games without formats. `notices` are the notices that
    do not depend on the date.
    """

    decklist = models.ForeignKey(Decklist, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    form = models.CharField(
        max_length=20, choices=[(form.value, form.label) for form in ListForm], default="plain_text"
    )
    identity = models.ForeignKey(Card, models.PROTECT, null=True, blank=True, related_name="+")
    size = models.PositiveIntegerField()
    agenda_points = models.IntegerField(default=0)
    is_legal = models.BooleanField()
    breaches = models.JSONField(default=list)
    notices = models.JSONField(default=list)
    format_id = models.CharField(max_length=40, blank=True)
    snapshot_id = models.CharField(max_length=60, blank=True)
    judged_on = models.DateField(null=True, blank=True)
    seal = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["decklist", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["decklist", "number"], name="one_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.decklist} v{self.number}"

    @property
    def may_have_more_problems(self) -> bool:
        """Return True if the number of breaches reached the storage limit."""
        return len(self.breaches) >= MOST_PROBLEMS


class DeckSlot(models.Model):
    """Copies of one card in a version, excluding the identity.

    `position` counts the entries of the list from 1. `printing` is the code of the printing the
    list chose, or empty if it has only the title.
    """

    version = models.ForeignKey(DecklistVersion, models.CASCADE, related_name="slots")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    printing = models.CharField(max_length=10, blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    quantity = models.PositiveIntegerField()

    class Meta:
        ordering = ["version", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "card", "printing"], name="one_slot_for_a_card"
            ),
            models.CheckConstraint(condition=models.Q(quantity__gt=0), name="slot_has_copies"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} {self.card}"
