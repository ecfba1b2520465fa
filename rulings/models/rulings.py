"""What do rulebook and judges say? Rulings with versions, citations and links."""

from django.db import models
from django.urls import reverse

from decks import games
from decks.models import Card
from players.models import User


def card_url(game: str, slug: str) -> str:
    """The rulings on a card; the cards of Netrunner have the short address."""
    if game == games.DEFAULT.id:
        return reverse("rulings:card", args=[slug])
    return reverse("rulings:game_card", args=[game, slug])


def subject_url(game: str, slug: str) -> str:
    """The rulings on a subject of a game."""
    if game == games.DEFAULT.id:
        return reverse("rulings:subject", args=[slug])
    return reverse("rulings:game_subject", args=[game, slug])


class DocumentKind(models.TextChoices):
    """Where the rulings of a document come from."""

    LIST = "list", "list of rulings"
    REFERENCE = "reference", "rules reference"
    HOUSE = "house", "house rulings"
    NETRUNNERDB = "netrunnerdb", "NetrunnerDB"
    LOCAL = "local", "local rulings"


class RulingDocument(models.Model):
    """A list of rulings as it was published, e.g. "Netrunner Rulings v1.62", or a page of rules.

    `notice` is what its own terms ask to be shown with its wording, whole; "" until that wording
    is imported. A game has one document of local rulings, those of its head judges at events.
    """

    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    kind = models.CharField(max_length=12, choices=DocumentKind.choices, default=DocumentKind.LIST)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=120)
    edition = models.CharField(max_length=20, blank=True)
    published_on = models.DateField()
    notice = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "title", "edition"], name="one_document_an_edition"
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.edition}".strip()

    def get_absolute_url(self) -> str:
        page = "rules_page" if self.kind == DocumentKind.REFERENCE else "document"
        return reverse(f"rulings:{page}", args=[self.slug])

    @property
    def is_local(self) -> bool:
        return self.kind == DocumentKind.LOCAL


class Section(models.TextChoices):
    GENERAL = "general", "General"
    CORP = "corp", "Corp cards"
    RUNNER = "runner", "Runner cards"


class RulingKind(models.TextChoices):
    RULING = "ruling", "ruling"
    ERRATA = "errata", "erratum"
    UNOFFICIAL_ERRATA = "unofficial-errata", "unofficial erratum"
    CROSS_REFERENCE = "cross-reference", "cross-reference"
    REFERENCE = "reference", "section of the rules"


CODE_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*-[0-9]+$"
SHORT_CODE_PATTERN = r"^(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})$"


class Ruling(models.Model):
    """One ruling under a permanent address; its words stand in its versions.

    `code` is the permanent name ("lockjaw-1"); it ends in a number, so that it never takes the
    address of another page. `short_code` ("R-0231") is what people say and type: R for lists, S
    for sections of the rules, L for local rulings; none is ever given to another ruling. Those of
    local rulings are random, so that nobody finds one by counting. A local ruling is for the
    readers of its event until it is `adopted_at` some moment for the pages of everybody.
    `number` is the place in its document, `place` the number a section of the rules prints
    ("2.1"), with its `heading`. `card` is the card the subject names, null for a topic; further
    cards it is about are links of the kind "about". What it `supersedes` is in force until this
    one is; what it `overturned` is said in words where that is no ruling here. A ruling that its
    document has dropped is `withdrawn_on` that day.
    """

    document = models.ForeignKey(RulingDocument, models.PROTECT, related_name="rulings")
    code = models.SlugField(max_length=80, unique=True)
    short_code = models.CharField(max_length=12, unique=True)
    number = models.PositiveIntegerField()
    place = models.CharField(max_length=12, blank=True)
    heading = models.CharField(max_length=160, blank=True)
    section = models.CharField(max_length=10, choices=Section.choices)
    subject = models.CharField(max_length=120)
    subject_key = models.CharField(max_length=160, db_index=True)
    subject_slug = models.SlugField(max_length=80)
    kind = models.CharField(max_length=20, choices=RulingKind.choices)
    reverses = models.BooleanField(default=False)
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")
    supersedes = models.ManyToManyField(
        "self", symmetrical=False, blank=True, related_name="superseded_by"
    )
    overturned = models.CharField(max_length=200, blank=True)
    withdrawn_on = models.DateField(null=True, blank=True)
    adopted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["document", "number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="one_ruling_a_number"),
            models.CheckConstraint(
                condition=models.Q(short_code__regex=SHORT_CODE_PATTERN),
                name="a_short_code_is_a_letter_and_digits",
            ),
            models.CheckConstraint(
                condition=models.Q(code__regex=CODE_PATTERN), name="ruling_code_ends_in_a_number"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("rulings:ruling", args=[self.code])

    @property
    def title(self) -> str:
        """Its name among rulings on one subject: "2.1 Setup (Turns and timing)", "Tracing (3)"."""
        if self.heading:
            return f"{self.place} {self.heading} ({self.subject})"
        return f"{self.subject} ({self.code.rpartition('-')[2]})"

    @property
    def short_url(self) -> str:
        """The address that fits into a QR code and is quickly typed; leads to the page."""
        return reverse("ruling_short", args=[self.short_code])

    @property
    def subject_url(self) -> str:
        """All rulings on its subject."""
        return subject_url(self.document.game, self.subject_slug)

    @property
    def is_for_readers_of_its_event(self) -> bool:
        """Whether it is left out of the pages that everybody reads."""
        return self.document.is_local and self.adopted_at is None

    @property
    def current(self) -> "RulingVersion | None":
        """The newest version; free of queries where `versions` are prefetched."""
        return next(iter(self.versions.all()), None)


class RulingVersion(models.Model):
    """The words of a ruling from one day on; never changed once written.

    The database itself refuses a change. `text` is our restatement; `original_text` the wording
    of the source, which is filled in once, where it has been imported beside it. `in_force_from`
    is the day of the latest citation, or of the document where a ruling cites nobody. `reason`
    says why the version before was not good enough.
    """

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    original_text = models.TextField(blank=True)
    in_force_from = models.DateField(null=True, blank=True)
    written_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
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

    @property
    def short_url(self) -> str:
        """The short address of exactly these words."""
        return reverse("ruling_short_version", args=[self.ruling.short_code, self.number])


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

    @property
    def about_url(self) -> str:
        """The rulings on the card it was said about, or nowhere ("")."""
        return card_url(self.about_card.game, self.about_card.slug) if self.about_card else ""


class LinkKind(models.TextChoices):
    SEE_ALSO = "see_also", "see also"
    MENTIONS = "mentions", "mentions"
    ABOUT = "about", "is about"


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
            return card_url(self.card.game, self.card.slug)
        if self.subject_slug:
            return subject_url(self.ruling.document.game, self.subject_slug)
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
