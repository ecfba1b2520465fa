"""Cards and printings, formats over time, and decklists of players."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from core.text import comparison_key
from decks import games
from decks.formats.deck_text import DeckTextFormat
from decks.legality.records import Breach
from decks.legality.verdicts import DeckNotice
from decks.titles import folded_title
from players.models import Player


class Side(models.TextChoices):
    CORP = "corp", gettext_lazy("Corp")
    RUNNER = "runner", gettext_lazy("Runner")


class Catalogue(models.Model):
    game = models.CharField(max_length=20, choices=games.choices(), primary_key=True)
    # Any change to cards, sets or formats must set a new stamp in the same transaction; it
    # invalidates the in-memory tables of all processes.
    stamp = models.UUIDField(default=uuid4)
    source = models.CharField(max_length=200, blank=True)
    source_date = models.DateField(null=True, blank=True)
    imported_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.get_game_display()}: {self.source}"


class CardFaction(models.Model):
    game = models.CharField(max_length=20, choices=games.choices())
    # Id in other programs, such as "haas_bioroid".
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
    game = models.CharField(max_length=20, choices=games.choices())
    cycle_id = models.CharField(max_length=60)
    name = models.CharField(max_length=80)
    # Chronological order.
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["game", "position", "cycle_id"]
        constraints = [models.UniqueConstraint(fields=["game", "cycle_id"], name="one_cycle_an_id")]

    def __str__(self) -> str:
        return self.name


class CardSet(models.Model):
    """A box or pack of cards."""

    game = models.CharField(max_length=20, choices=games.choices())
    set_id = models.CharField(max_length=60)
    name = models.CharField(max_length=80)
    cycle = models.ForeignKey(CardCycle, models.PROTECT, null=True, blank=True, related_name="sets")
    # core, deluxe, data_pack, draft and so on.
    type = models.CharField(max_length=20, blank=True)
    released_on = models.DateField(null=True, blank=True)
    size = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["game", "released_on", "pk"]
        constraints = [models.UniqueConstraint(fields=["game", "set_id"], name="one_set_an_id")]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """Facts only, without the card text. Numbers are null and figures empty if not applicable."""

    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    # Id in other programs.
    card_id = models.CharField(max_length=140, blank=True)
    title = models.CharField(max_length=120)
    title_key = models.CharField(max_length=160, editable=False)
    # For searches.
    folded_title = models.CharField(max_length=160, editable=False)
    slug = models.SlugField(max_length=140)
    side = models.CharField(max_length=10, choices=Side.choices)
    type = models.CharField(max_length=20)
    faction = models.CharField(max_length=40, blank=True)
    # Set of the latest printing.
    set_name = models.CharField(max_length=80, blank=True)
    rarity = models.CharField(max_length=20, blank=True)
    subtypes = models.CharField(max_length=120, blank=True)
    # Figures are text, because some cards print "X". The difficulty is that of an agenda.
    difficulty = models.CharField(max_length=4, blank=True)
    agenda_points = models.SmallIntegerField(null=True, blank=True)
    cost = models.CharField(max_length=4, blank=True)
    strength = models.CharField(max_length=4, blank=True)
    memory = models.CharField(max_length=4, blank=True)
    trash_cost = models.CharField(max_length=4, blank=True)
    influence_cost = models.PositiveSmallIntegerField(null=True, blank=True)
    minimum_deck_size = models.PositiveSmallIntegerField(null=True, blank=True)
    # Null on an identity: no limit.
    influence_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    # Null: any number of copies.
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
    def game_played(self) -> games.GameDefinition:
        return games.GAMES[self.game]

    def get_absolute_url(self) -> str:
        return reverse("decks:card", kwargs={"game": self.game, "slug": self.slug})


class Printing(models.Model):
    card = models.ForeignKey(Card, models.CASCADE, related_name="printings")
    card_set = models.ForeignKey(CardSet, models.PROTECT, related_name="printings")
    # Number in other programs, such as "01004".
    code = models.CharField(max_length=10, unique=True)
    position = models.PositiveSmallIntegerField()
    # Copies in one box of the set.
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
    """A ban list: bans and charges of a format from `effective_from` on."""

    format = models.ForeignKey(Format, models.PROTECT, related_name="restrictions")
    restriction_id = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=100)
    effective_from = models.DateField()
    # In lower case.
    banned_subtypes = models.JSONField(default=list, blank=True)
    # Null if no card costs points.
    point_limit = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["format", "effective_from", "restriction_id"]

    def __str__(self) -> str:
        return self.name


class RestrictionKind(models.TextChoices):
    BANNED = "banned", gettext_lazy("banned")
    RESTRICTED = "restricted", gettext_lazy("restricted: one title of these")
    POINTS = "points", gettext_lazy("costs points")
    UNIVERSAL_INFLUENCE = "universal_influence", gettext_lazy("each copy costs more influence")
    GLOBAL_PENALTY = "global_penalty", gettext_lazy("each copy lowers the influence limit")


class RestrictionEntry(models.Model):
    restriction = models.ForeignKey(Restriction, models.CASCADE, related_name="entries")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=RestrictionKind.choices)
    # Points or influence.
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


class Decklist(models.Model):
    """A player's deck of one side; its contents are in its versions."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    side = models.CharField(max_length=10, choices=Side.choices)
    # A list with an existing title adds a version to that deck; untitled lists share a deck.
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
MAX_PROBLEMS = 50


class DecklistVersion(models.Model):
    """A submitted list and the verdict on it; immutable."""

    decklist = models.ForeignKey(Decklist, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    # The original list, in the format `form`.
    text = models.TextField()
    form = models.CharField(
        max_length=20,
        choices=[(form.value, form.label) for form in DeckTextFormat],
        default="plain_text",
    )
    identity = models.ForeignKey(Card, models.PROTECT, null=True, blank=True, related_name="+")
    size = models.PositiveIntegerField()
    agenda_points = models.IntegerField(default=0)
    is_legal = models.BooleanField()
    # For the day `judged_on`, as codes and params (`Breach.as_stored`).
    breaches = models.JSONField(default=list)
    # Only those that do not depend on the date (`DeckNotice.as_stored`).
    notices = models.JSONField(default=list)
    # Empty for the basic rules and for games without formats.
    format_id = models.CharField(max_length=40, blank=True)
    snapshot_id = models.CharField(max_length=60, blank=True)
    judged_on = models.DateField(null=True, blank=True)
    # SHA-256 of the canonical list (decks.formats.deck_text).
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
    def stored_breaches(self) -> list[Breach]:
        return [*map(Breach.from_stored, self.breaches)]

    @property
    def stored_notices(self) -> list[DeckNotice]:
        return [*map(DeckNotice.from_stored, self.notices)]

    @property
    def may_have_more_problems(self) -> bool:
        """The number of breaches reached the storage limit."""
        return len(self.breaches) >= MAX_PROBLEMS


class DeckSlot(models.Model):
    """Copies of one card in a version, excluding the identity."""

    version = models.ForeignKey(DecklistVersion, models.CASCADE, related_name="slots")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    # Code of the printing the list chose; empty if it has only the title.
    printing = models.CharField(max_length=10, blank=True)
    # Place in the list, from 1.
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
