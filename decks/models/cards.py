"""Cards, printings, sets and cycles."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.urls import reverse

from core.text import comparison_key
from decks import games
from decks.titles import folded_title


class Side(models.TextChoices):
    CORP = "corp", "Corp"
    RUNNER = "runner", "Runner"


class Catalogue(models.Model):
    """The card data of one game: its source and its stamp.

    Any change to cards, sets or formats must set a new `stamp` in the same transaction; it
    invalidates the in-memory tables of all processes.
    """

    game = models.CharField(max_length=20, choices=games.choices(), primary_key=True)
    stamp = models.UUIDField(default=uuid4)
    source = models.CharField(max_length=200, blank=True)
    source_date = models.DateField(null=True, blank=True)
    imported_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.get_game_display()}: {self.source}"


class CardFaction(models.Model):
    """A faction; `faction_id` is its id in other programs, such as "haas_bioroid"."""

    game = models.CharField(max_length=20, choices=games.choices())
    faction_id = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    side = models.CharField(max_length=10, choices=Side.choices)
    is_mini = models.BooleanField(default=False)

    class Meta:
        ordering = ["game", "side", "name"]
        constraints = [
            models.UniqueConstraint(fields=["game", "faction_id"], name="one_faction_an_id")
        ]

    def __str__(self) -> str:
        return self.name


class CardCycle(models.Model):
    """A series of sets; `position` is the chronological order."""

    game = models.CharField(max_length=20, choices=games.choices())
    cycle_id = models.CharField(max_length=60)
    name = models.CharField(max_length=80)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["game", "position", "cycle_id"]
        constraints = [models.UniqueConstraint(fields=["game", "cycle_id"], name="one_cycle_an_id")]

    def __str__(self) -> str:
        return self.name


class CardSet(models.Model):
    """A box or pack of cards; `type` is core, deluxe, data_pack, draft and so on."""

    game = models.CharField(max_length=20, choices=games.choices())
    set_id = models.CharField(max_length=60)
    name = models.CharField(max_length=80)
    cycle = models.ForeignKey(CardCycle, models.PROTECT, null=True, blank=True, related_name="sets")
    type = models.CharField(max_length=20, blank=True)
    released_on = models.DateField(null=True, blank=True)
    size = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["game", "released_on", "pk"]
        constraints = [models.UniqueConstraint(fields=["game", "set_id"], name="one_set_an_id")]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """A card title of one game: facts only, without the card text.

    Numbers are null and figures empty if they do not apply to the type of card. `cost`, `strength`,
    `difficulty` (of an agenda) and similar figures are text, because some cards print "X".
    `card_id` is the id in other programs, or empty. `title_key` is the unique key; `folded_title`
    is for searches. `set_name` is the set of the latest printing. `influence_limit` null on an
    identity means no limit; `deck_limit` null means any number of copies.
    """

    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    card_id = models.CharField(max_length=140, blank=True)
    title = models.CharField(max_length=120)
    title_key = models.CharField(max_length=160, editable=False)
    folded_title = models.CharField(max_length=160, editable=False)
    slug = models.SlugField(max_length=140)
    side = models.CharField(max_length=10, choices=Side.choices)
    type = models.CharField(max_length=20)
    faction = models.CharField(max_length=40, blank=True)
    set_name = models.CharField(max_length=80, blank=True)
    rarity = models.CharField(max_length=20, blank=True)
    subtypes = models.CharField(max_length=120, blank=True)
    difficulty = models.CharField(max_length=4, blank=True)
    agenda_points = models.SmallIntegerField(null=True, blank=True)
    cost = models.CharField(max_length=4, blank=True)
    strength = models.CharField(max_length=4, blank=True)
    memory = models.CharField(max_length=4, blank=True)
    trash_cost = models.CharField(max_length=4, blank=True)
    influence_cost = models.PositiveSmallIntegerField(null=True, blank=True)
    minimum_deck_size = models.PositiveSmallIntegerField(null=True, blank=True)
    influence_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    deck_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    is_unique = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title_key"]
        constraints = [
            models.UniqueConstraint(fields=["game", "title_key"], name="one_card_for_a_title"),
            models.UniqueConstraint(fields=["game", "slug"], name="one_card_for_an_address"),
            models.UniqueConstraint(
                fields=["game", "card_id"],
                condition=~models.Q(card_id=""),
                name="one_card_for_an_id",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        # The keys are derived from the title and must always match it.
        self.title_key = comparison_key(self.title)
        self.folded_title = folded_title(self.title)
        super().save(*args, **kwargs)

    @property
    def game_played(self) -> games.Game:
        return games.GAMES[self.game]

    def get_absolute_url(self) -> str:
        return reverse("decks:card", kwargs={"game": self.game, "slug": self.slug})


class Printing(models.Model):
    """A card in a set. `code` is its number in other programs, a text such as "01004".

    `quantity` is the number of copies in one box of the set.
    """

    card = models.ForeignKey(Card, models.CASCADE, related_name="printings")
    card_set = models.ForeignKey(CardSet, models.PROTECT, related_name="printings")
    code = models.CharField(max_length=10, unique=True)
    position = models.PositiveSmallIntegerField()
    quantity = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["card", "card_set__released_on", "code"]

    def __str__(self) -> str:
        return f"{self.code} {self.card}"


class CardAlias(models.Model):
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
