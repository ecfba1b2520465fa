"""Rulings with their versions, citations and links."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from decks import games
from decks.models import Card
from matches.models import Match
from players.models import Player, User


def card_url(game: str, slug: str) -> str:
    # Cards of the default game have the short URL.
    if game == games.DEFAULT.id:
        return reverse("rulings:card", args=[slug])
    return reverse("rulings:game_card", args=[game, slug])


def subject_url(game: str, slug: str) -> str:
    if game == games.DEFAULT.id:
        return reverse("rulings:subject", args=[slug])
    return reverse("rulings:game_subject", args=[game, slug])


class DocumentKind(models.TextChoices):
    LIST = "list", gettext_lazy("list of rulings")
    REFERENCE = "reference", gettext_lazy("rules reference")
    HOUSE = "house", gettext_lazy("house rulings")
    NETRUNNERDB = "netrunnerdb", gettext_lazy("NetrunnerDB")
    LOCAL = "local", gettext_lazy("local rulings")


class RulingDocument(models.Model):
    """A published list of rulings, such as "Netrunner Rulings v1.62", or a page of rules.

    Each game has one document for the local rulings of head judges.
    """

    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    kind = models.CharField(max_length=12, choices=DocumentKind.choices, default=DocumentKind.LIST)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=120)
    edition = models.CharField(max_length=20, blank=True)
    published_on = models.DateField()
    # Text that the document's terms require next to its wording; empty until that is imported.
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


class RulingSection(models.TextChoices):
    GENERAL = "general", gettext_lazy("General")
    CORP = "corp", gettext_lazy("Corp cards")
    RUNNER = "runner", gettext_lazy("Runner cards")


class RulingKind(models.TextChoices):
    RULING = "ruling", gettext_lazy("ruling")
    ERRATA = "errata", gettext_lazy("erratum")
    UNOFFICIAL_ERRATA = "unofficial-errata", gettext_lazy("unofficial erratum")
    CROSS_REFERENCE = "cross-reference", gettext_lazy("cross-reference")
    REFERENCE = "reference", gettext_lazy("section of the rules")


CODE_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*-[0-9]+$"
SHORT_CODE_PATTERN = r"^(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})$"


class Ruling(models.Model):
    document = models.ForeignKey(RulingDocument, models.PROTECT, related_name="rulings")
    # The permanent name ("lockjaw-1"); the number at its end prevents conflicts with other URLs.
    code = models.SlugField(max_length=80, unique=True)
    # For speech and typing ("R-0231"), never reused: R for lists, S for sections of the rules, and
    # L for local rulings, which are random, so that they cannot be enumerated.
    short_code = models.CharField(max_length=12, unique=True)
    # The position in the document.
    number = models.PositiveIntegerField()
    # The printed number of a section of the rules ("2.1"), with its heading.
    place = models.CharField(max_length=12, blank=True)
    heading = models.CharField(max_length=160, blank=True)
    section = models.CharField(max_length=10, choices=RulingSection.choices)
    subject = models.CharField(max_length=120)
    subject_key = models.CharField(max_length=160, db_index=True)
    subject_slug = models.SlugField(max_length=80)
    kind = models.CharField(max_length=20, choices=RulingKind.choices)
    reverses = models.BooleanField(default=False)
    # The card in the subject, null for a topic; further cards are links of kind "about".
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")
    # In force until this ruling is.
    supersedes = models.ManyToManyField(
        "self", symmetrical=False, blank=True, related_name="superseded_by"
    )
    # A decision that this ruling overturns and that is not stored.
    overturned = models.CharField(max_length=200, blank=True)
    # The day on which the document dropped the ruling.
    withdrawn_on = models.DateField(null=True, blank=True)
    # Until then only readers of its event see a local ruling.
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
        """Title among rulings on a subject: "2.1 Setup (Turns and timing)", "Tracing (3)"."""
        if self.heading:
            return f"{self.place} {self.heading} ({self.subject})"
        return f"{self.subject} ({self.code.rpartition('-')[2]})"

    @property
    def short_url(self) -> str:
        return reverse("ruling_short", args=[self.short_code])

    @property
    def subject_url(self) -> str:
        return subject_url(self.document.game, self.subject_slug)

    @property
    def is_for_readers_of_its_event(self) -> bool:
        return self.document.is_local and self.adopted_at is None

    @property
    def current(self) -> "RulingVersion | None":
        """The newest version; causes no query if `versions` are prefetched."""
        return next(iter(self.versions.all()), None)


class RulingVersion(models.Model):
    """The text of a ruling from a day on; immutable, enforced by the database."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    # Our restatement.
    text = models.TextField()
    # The wording of the source, filled in once when it is imported.
    original_text = models.TextField(blank=True)
    # The day of the latest citation, or of the document without citations.
    in_force_from = models.DateField(null=True, blank=True)
    written_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    # Why the previous version was replaced.
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
        return reverse("ruling_short_version", args=[self.ruling.short_code, self.number])


class Citation(models.Model):
    version = models.ForeignKey(RulingVersion, models.CASCADE, related_name="citations")
    position = models.PositiveSmallIntegerField()
    authority = models.CharField(max_length=80)
    # The person who passed the answer on.
    via = models.CharField(max_length=80, blank=True)
    venue = models.CharField(max_length=80, blank=True)
    date = models.DateField(null=True, blank=True)
    # The card in question, and its row if known.
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
        return card_url(self.about_card.game, self.about_card.slug) if self.about_card else ""


class LinkKind(models.TextChoices):
    SEE_ALSO = "see_also", gettext_lazy("see also")
    MENTIONS = "mentions", gettext_lazy("mentions")
    ABOUT = "about", gettext_lazy("is about")


class RulingLink(models.Model):
    """Link from a ruling to a card, a subject of the list, or both."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="links")
    kind = models.CharField(max_length=10, choices=LinkKind.choices)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)
    # Empty for a card without rulings of its own.
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
        if self.card:
            return card_url(self.card.game, self.card.slug)
        if self.subject_slug:
            return subject_url(self.ruling.document.game, self.subject_slug)
        return ""


class SearchEntry(models.Model):
    """Search text of a ruling: plain folded words with single spaces.

    A trigger keeps the full-text index of this table up to date.
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


# Judge notes and calls.


class NoteKind(models.TextChoices):
    NOTE = "note", gettext_lazy("note")
    ANSWER = "answer", gettext_lazy("answer to a call")
    RESULT = "result", gettext_lazy("decision on a result")
    PENALTY = "penalty", gettext_lazy("penalty")


class JudgeNote(models.Model):
    # None for notes on local rulings, and on penalties, which store their table.
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=NoteKind.choices, default=NoteKind.NOTE)
    author = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(blank=True)
    # In a practice copy of an event; citations there are not counted.
    is_practice = models.BooleanField(default=False)
    cited = models.ManyToManyField(RulingVersion, through="NoteCitation", related_name="notes")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} on {self.match or 'no table'}"


class NoteCitation(models.Model):
    """A note cites a version of a ruling, independent of later versions."""

    note = models.ForeignKey(JudgeNote, models.CASCADE, related_name="citations")
    version = models.ForeignKey(RulingVersion, models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["note", "position"]
        constraints = [
            models.UniqueConstraint(fields=["note", "position"], name="cited_in_order"),
            models.UniqueConstraint(fields=["note", "version"], name="cited_once_a_note"),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.note}"


class JudgeCall(models.Model):
    """A request for a judge at a table: raised, taken, then answered or withdrawn.

    A table has at most one open call. A player who disagrees with an answer raises another call
    that appeals it, for the head judge.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    # The player who raised it on a phone, or the staff member who entered it.
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    about = models.CharField(max_length=200, blank=True)
    raised_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    taken_at = models.DateTimeField(null=True, blank=True)
    for_head_judge = models.BooleanField(default=False)
    escalated_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    escalated_at = models.DateTimeField(null=True, blank=True)
    appeals = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="appeal"
    )
    answered_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    # The answer.
    note = models.OneToOneField(
        JudgeNote, models.SET_NULL, null=True, blank=True, related_name="call"
    )
    # Extra time.
    minutes = models.PositiveSmallIntegerField(default=0)
    # Set with the answer to an appeal: true if the first answer was wrong.
    overturned = models.BooleanField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(answered_at=None, withdrawn_at=None),
                name="one_open_call_a_table",
            ),
            models.CheckConstraint(
                condition=models.Q(answered_at=None) | models.Q(withdrawn_at=None),
                name="answered_or_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"judge call on {self.match}"

    @property
    def is_open(self) -> bool:
        return self.answered_at is None and self.withdrawn_at is None

    @property
    def state(self) -> str:
        if self.is_open:
            return "open"
        return "answered" if self.answered_at else "withdrawn"

    @property
    def answer(self) -> str:
        return self.note.text if self.note else ""


class RulingStamp(models.Model):
    """Written by the database whenever a ruling, its text or its links change."""

    value = models.CharField(max_length=40)

    def __str__(self) -> str:
        return self.value
