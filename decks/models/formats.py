"""Formats with their card pools and ban lists over time."""

from django.db import models

from decks import games
from decks.models.cards import Card, CardSet


class Format(models.Model):
    """A deck format such as Standard; its snapshots define the legal cards over time."""

    game = models.CharField(max_length=20, choices=games.choices(), default=games.ANR.id)
    format_id = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["game", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["game", "format_id"], name="one_format_an_id")
        ]

    def __str__(self) -> str:
        return self.name


class CardPool(models.Model):
    """A set of card sets. A card is in the pool if any of its printings is."""

    format = models.ForeignKey(Format, models.PROTECT, related_name="pools")
    pool_id = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=100)
    sets = models.ManyToManyField(CardSet, related_name="+")

    class Meta:
        ordering = ["format", "pool_id"]

    def __str__(self) -> str:
        return self.name


class Restriction(models.Model):
    """A ban list: bans and charges of a format from `effective_from` on.

    `banned_subtypes` are in lower case. `point_limit` is null if no card costs points.
    """

    format = models.ForeignKey(Format, models.PROTECT, related_name="restrictions")
    restriction_id = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=100)
    effective_from = models.DateField()
    banned_subtypes = models.JSONField(default=list, blank=True)
    point_limit = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["format", "effective_from", "restriction_id"]

    def __str__(self) -> str:
        return self.name


class RestrictionKind(models.TextChoices):
    BANNED = "banned", "banned"
    RESTRICTED = "restricted", "restricted: one title of these"
    POINTS = "points", "costs points"
    UNIVERSAL_INFLUENCE = "universal_influence", "each copy costs more influence"
    GLOBAL_PENALTY = "global_penalty", "each copy lowers the influence limit"


class RestrictionEntry(models.Model):
    """Ban list entry for a card; `value` is the points or the influence, otherwise null."""

    restriction = models.ForeignKey(Restriction, models.CASCADE, related_name="entries")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=RestrictionKind.choices)
    value = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["restriction", "kind", "card"]
        constraints = [
            models.UniqueConstraint(
                fields=["restriction", "card", "kind"], name="one_entry_for_a_card"
            )
        ]

    def __str__(self) -> str:
        return f"{self.card}: {self.get_kind_display()} in {self.restriction}"


class Snapshot(models.Model):
    """Pool of a format from `effective_from` on, with an optional ban list."""

    format = models.ForeignKey(Format, models.PROTECT, related_name="snapshots")
    snapshot_id = models.CharField(max_length=60, unique=True)
    position = models.PositiveSmallIntegerField()
    effective_from = models.DateField()
    pool = models.ForeignKey(CardPool, models.PROTECT, related_name="+")
    restriction = models.ForeignKey(
        Restriction, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["format", "position"]
        constraints = [
            models.UniqueConstraint(fields=["format", "position"], name="one_snapshot_a_position")
        ]

    def __str__(self) -> str:
        return f"{self.format} from {self.effective_from}"
