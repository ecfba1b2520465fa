"""What may be played: cards, and the deck lists of players."""

from typing import Any

from django.db import models
from django.urls import reverse

from core.text import comparison_key
from decks.games import GameSystem
from decks.titles import folded_title
from players.models import Player


class Side(models.TextChoices):
    CORP = "corp", "Corp"
    RUNNER = "runner", "Runner"


class Card(models.Model):
    """One title of one game; bare facts, no card text.

    Numbers are null where they do not apply to the type of card. `strength`
    and `cost` are text, because some cards say "X". `title_key` tells cards
    apart; `folded_title` is what a search looks into.
    """

    game = models.CharField(max_length=20, choices=GameSystem.choices, default=GameSystem.ONR)
    title = models.CharField(max_length=120)
    title_key = models.CharField(max_length=160, editable=False)
    folded_title = models.CharField(max_length=160, editable=False)
    slug = models.SlugField(max_length=140)
    side = models.CharField(max_length=10, choices=Side.choices)
    type = models.CharField(max_length=20)
    set_name = models.CharField(max_length=40, blank=True)
    rarity = models.CharField(max_length=20, blank=True)
    subtypes = models.CharField(max_length=120, blank=True)
    difficulty = models.PositiveSmallIntegerField(null=True, blank=True)
    agenda_points = models.SmallIntegerField(null=True, blank=True)
    cost = models.CharField(max_length=4, blank=True)
    strength = models.CharField(max_length=4, blank=True)
    memory = models.CharField(max_length=4, blank=True)
    trash_cost = models.CharField(max_length=4, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title_key"]
        constraints = [
            models.UniqueConstraint(fields=["game", "title_key"], name="one_card_for_a_title"),
            models.UniqueConstraint(fields=["game", "slug"], name="one_card_for_an_address"),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        # The keys are functions of the title, not rules: they may never differ.
        self.title_key = comparison_key(self.title)
        self.folded_title = folded_title(self.title)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("decks:card", kwargs={"game": self.game, "slug": self.slug})


class CardAlias(models.Model):
    """Another spelling under which a card is found."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="aliases")
    alias = models.CharField(max_length=120)
    alias_key = models.CharField(max_length=160, db_index=True, editable=False)
    folded_alias = models.CharField(max_length=160, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "alias_key"], name="one_alias_for_a_spelling")
        ]

    def __str__(self) -> str:
        return f"{self.alias} = {self.card}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.alias_key = comparison_key(self.alias)
        self.folded_alias = folded_title(self.alias)
        super().save(*args, **kwargs)


class Decklist(models.Model):
    """A player's deck of one side; what is in it stands in its versions.

    The title names the deck: handed in again under it, a list is its next
    version. Untitled lists of one side are one deck.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.CharField(max_length=20, choices=GameSystem.choices, default=GameSystem.ONR)
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


class DecklistVersion(models.Model):
    """The list as it was handed in at one moment; never changed afterwards.

    `seal` is the SHA-256 of the canonical list (see decks.formats). `breaches`
    keeps the verdict of that moment as the documents of `check_deck` give it.
    """

    decklist = models.ForeignKey(Decklist, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    size = models.PositiveIntegerField()
    agenda_points = models.IntegerField(default=0)
    is_legal = models.BooleanField()
    breaches = models.JSONField(default=list)
    seal = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["decklist", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["decklist", "number"], name="one_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.decklist} v{self.number}"


class DeckSlot(models.Model):
    """So many copies of one card in a version."""

    version = models.ForeignKey(DecklistVersion, models.CASCADE, related_name="slots")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    quantity = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "card"], name="one_slot_for_a_card"),
            models.CheckConstraint(condition=models.Q(quantity__gt=0), name="slot_has_copies"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} {self.card}"
