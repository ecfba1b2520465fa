"""What do rulebook and judges say? Rulings with versions, citations and links."""

from django.db import models
from django.urls import reverse

from decks.games import GameSystem
from decks.models import Card


class RulingDocument(models.Model):
    """A list of rulings as it was published, e.g. "Netrunner Rulings v1.62"."""

    game = models.CharField(max_length=20, choices=GameSystem.choices, default=GameSystem.ONR)
    title = models.CharField(max_length=120)
    edition = models.CharField(max_length=20)
    published_on = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["title", "edition"], name="one_document_an_edition")
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.edition}"


class Section(models.TextChoices):
    GENERAL = "general", "General"
    CORP = "corp", "Corp cards"
    RUNNER = "runner", "Runner cards"


class RulingKind(models.TextChoices):
    RULING = "ruling", "ruling"
    ERRATA = "errata", "erratum"
    UNOFFICIAL_ERRATA = "unofficial-errata", "unofficial erratum"
    CROSS_REFERENCE = "cross-reference", "cross-reference"


CODE_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*-[0-9]+$"


class Ruling(models.Model):
    """One ruling under a permanent address; its words stand in its versions.

    `code` is the permanent short code ("lockjaw-1"); it ends in a number, so
    that it never takes the address of another page. `number` is the place in
    its document; `card` is the card the subject names, null for a topic.
    """

    document = models.ForeignKey(RulingDocument, models.PROTECT, related_name="rulings")
    code = models.SlugField(max_length=80, unique=True)
    number = models.PositiveIntegerField()
    section = models.CharField(max_length=10, choices=Section.choices)
    subject = models.CharField(max_length=120)
    subject_key = models.CharField(max_length=160, db_index=True)
    subject_slug = models.SlugField(max_length=80)
    kind = models.CharField(max_length=20, choices=RulingKind.choices)
    reverses = models.BooleanField(default=False)
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["document", "number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="one_ruling_a_number"),
            models.CheckConstraint(
                condition=models.Q(code__regex=CODE_PATTERN), name="ruling_code_ends_in_a_number"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("rulings:ruling", args=[self.code])

    @property
    def current(self) -> "RulingVersion | None":
        """The newest version; free of queries where `versions` are prefetched."""
        return next(iter(self.versions.all()), None)


class RulingVersion(models.Model):
    """The words of a ruling from one day on; never changed once written.

    `text` is our restatement; `original_text` the wording of the source
    where it has been imported beside it. `in_force_from` is the day of the
    latest citation, or of the document where a ruling cites nobody.
    """

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    original_text = models.TextField(blank=True)
    in_force_from = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["ruling", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["ruling", "number"], name="one_ruling_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.ruling} v{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("rulings:version", args=[self.ruling.code, self.number])


class Citation(models.Model):
    """Who said it, where and when. `about` names the card it was said about.

    `via` is who passed it on. `about_card` is that card, once cards are known.
    """

    version = models.ForeignKey(RulingVersion, models.CASCADE, related_name="citations")
    position = models.PositiveSmallIntegerField()
    authority = models.CharField(max_length=80)
    via = models.CharField(max_length=80, blank=True)
    venue = models.CharField(max_length=80, blank=True)
    date = models.DateField(null=True, blank=True)
    about = models.CharField(max_length=120, blank=True)
    about_card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["version", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "position"], name="citations_in_order")
        ]

    def __str__(self) -> str:
        return ", ".join(str(part) for part in (self.authority, self.venue, self.date) if part)


class LinkKind(models.TextChoices):
    SEE_ALSO = "see_also", "see also"
    MENTIONS = "mentions", "mentions"


class RulingLink(models.Model):
    """From a ruling to what it names: a card, a subject of the list, or both.

    `subject_slug` is empty for a card without rulings of its own.
    """

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="links")
    kind = models.CharField(max_length=10, choices=LinkKind.choices)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)
    subject_slug = models.SlugField(max_length=80, blank=True)
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["ruling", "kind", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["ruling", "kind", "position"], name="ruling_links_in_order"
            )
        ]

    def __str__(self) -> str:
        return f"{self.ruling} {self.get_kind_display()} {self.name}"

    @property
    def url(self) -> str:
        """Where it leads: the rulings of the card, else of the subject, else nowhere ("")."""
        if self.card:
            return reverse("rulings:card", args=[self.card.slug])
        if self.subject_slug:
            return reverse("rulings:subject", args=[self.subject_slug])
        return ""


class SearchEntry(models.Model):
    """What a search reads of a ruling: plain folded words with single spaces.

    The database keeps its own full-text index of this table (see the search
    migration), so an entry that is written is an entry that is found.
    """

    ruling = models.OneToOneField(
        Ruling, models.CASCADE, primary_key=True, related_name="search_entry"
    )
    heading = models.TextField()
    body = models.TextField()
    source = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "search entries"

    def __str__(self) -> str:
        return f"search entry of {self.ruling}"
