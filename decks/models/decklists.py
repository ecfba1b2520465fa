"""The deck lists of players."""

from django.db import models

from decks import games
from decks.formats.deck_text import ListForm
from decks.models.cards import Card, Side
from players.models import Player


class Decklist(models.Model):
    """A player's deck of one side; what is in it stands in its versions.

    The title names the deck: handed in again under it, a list is its next
    version. Untitled lists of one side are one deck.
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


MOST_PROBLEMS = 50
"""Breaches, and notices, that are stored with a list."""


class DecklistVersion(models.Model):
    """The list as it was handed in at one moment; never changed afterwards.

    `text` is the list in the form it came in, named by `form`. `seal` is the SHA-256 of the
    canonical list (see decks.formats). `breaches` keeps the verdict of that moment as the
    documents of `check_deck` give it, judged for `judged_on` by the snapshot of a format
    (`format_id`, `snapshot_id`; empty for the basic rules and for games without formats), and
    `notices` what was to be known besides.
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
        """Return True if the list had as many breaches as are stored, or more."""
        return len(self.breaches) >= MOST_PROBLEMS


class DeckSlot(models.Model):
    """So many copies of one card in a version; the identity is not among them.

    `position` counts the entries of the list from 1, in its order. `printing` is the code of
    the printing the list chose, empty where it named the title alone.
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
