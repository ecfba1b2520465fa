"""Resolve the cards, topics and rulings named in a file, with suggestions for unknown names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.text import slugify

from core.text import LONGEST_COMPARED, comparison_key
from decks.models import Card
from decks.titles import TitleIndex
from rulings.importer.links import Names, everything_named
from rulings.models import DocumentKind, Ruling, RulingDocument, Section
from rulings.parsing.document import fingerprint
from rulings.parsing.faults import Fault
from rulings.parsing.filed import FiledDocument, FiledRuling

LONGEST_SLUG = 80
SECTIONS = {"corp": Section.CORP, "runner": Section.RUNNER}


@dataclass(frozen=True)
class Resolved:
    """A ruling of a file with resolved names; `supersedes` are codes of rulings."""

    filed: FiledRuling
    subject: str
    subject_slug: str
    section: str
    supersedes: tuple[str, ...]

    @property
    def key(self) -> str:
        return comparison_key(self.subject)


@dataclass
class Resolver:
    """Name resolution for one document, including rulings of the same file."""

    document: RulingDocument
    filed: FiledDocument
    faults: list[Fault] = field(default_factory=list)
    unknown_cards: dict[str, None] = field(default_factory=dict)
    _titles: TitleIndex | None = None

    def __post_init__(self) -> None:
        game = self.document.game
        self.slugs = topics_of(game)
        for ruling in self.filed.rulings:
            if ruling.sort == "topic":
                slug = plain_slug(ruling.subject) or f"topic-{fingerprint(ruling.subject)[:8]}"
                self.slugs.setdefault(comparison_key(ruling.subject), slug)
        rows = Card.objects.filter(game=game).values_list("pk", "card_id", "title", "side", "slug")
        self.cards = {pk: (title, side, slug) for pk, _, title, side, slug in rows}
        self.by_card_id = {card_id: pk for pk, card_id, _, _, _ in rows if card_id}
        self.names: Names = everything_named(game, self.slugs)
        self.known = self._known_codes()

    def resolved(self, *, skips_unknown: bool) -> Iterator[Resolved]:
        """Yield the rulings with a known subject; record the others as faults or unknown cards."""
        for ruling in self.filed.rulings:
            card = self._card_of(ruling)
            key = comparison_key(ruling.subject)
            if card is not None:
                title, side, slug = self.cards[card]
                slug = self.slugs.get(comparison_key(title), slug)
                yield self._with_names(ruling, title, slug, SECTIONS[side])
            elif skips_unknown:
                self.unknown_cards[ruling.subject] = None
            elif ruling.sort != "card" and key in self.slugs:
                yield self._with_names(ruling, ruling.subject, self.slugs[key], Section.GENERAL)
            else:
                self._fault(ruling, self._unknown_subject(ruling))

    def check_ids(self) -> None:
        """Record a fault for each id that belongs to a ruling in another document."""
        ids = {ruling.id: ruling for ruling in self.filed.rulings if ruling.id}
        taken = Ruling.objects.filter(code__in=ids).exclude(document_id=self.document.pk)
        for code, title in taken.values_list("code", "document__title"):
            self._fault(ids[code], f"the id {code} is that of a ruling in {title}. Choose another")

    def _with_names(self, ruling: FiledRuling, subject: str, slug: str, section: str) -> Resolved:
        for name in ruling.cards:
            if self.names.card_id(name) is None:
                self._fault(ruling, f'there is no card "{name}". {self._nearest(name)}')
        for name in ruling.topics:
            if comparison_key(name) not in self.slugs:
                reason = f'there is no topic "{name}". Begin one with "## Topic: {name}"'
                self._fault(ruling, reason)
        codes = [code for code in map(self._code, ruling.supersedes) if code]
        for typed in ruling.supersedes:
            if not self._code(typed):
                self._fault(ruling, f"there is no ruling {typed}. Look its code up on its page")
        if ruling.id and ruling.id in codes:
            self._fault(ruling, "it stands in its own place. Take its id out of supersedes")
        return Resolved(ruling, subject, slug[:LONGEST_SLUG], section, tuple(dict.fromkeys(codes)))

    def _code(self, typed: str) -> str:
        return self.known.get(typed.lower(), "")

    def _known_codes(self) -> Mapping[str, str]:
        wanted = {code.lower() for ruling in self.filed.rulings for code in ruling.supersedes}
        if not wanted:
            return {}
        rows = Ruling.objects.filter(document__game=self.document.game)
        known = {ruling.id: ruling.id for ruling in self.filed.rulings if ruling.id}
        for code, short_code in rows.values_list("code", "short_code"):
            known[code] = known[short_code.lower()] = code
        return known

    def _card_of(self, ruling: FiledRuling) -> int | None:
        if ruling.sort == "topic":
            return None
        if ruling.sort == "card_id":
            return self.by_card_id.get(ruling.subject)
        return self.names.card_id(ruling.subject)

    def _unknown_subject(self, ruling: FiledRuling) -> str:
        if not self.cards:
            return "no card of this game is known. Import the cards first"
        if ruling.sort == "card":
            return f'there is no card "{ruling.subject}". {self._nearest(ruling.subject)}'
        return (
            f'"{ruling.subject}" is neither a card nor a known topic. '
            f'{self._nearest(ruling.subject)} For a new topic write "Topic: {ruling.subject}"'
        )

    def _nearest(self, name: str) -> str:
        if self._titles is None:
            self._titles = TitleIndex(title for title, _, _ in self.cards.values())
        near = [f'"{title}"' for title in self._titles.nearest(name)]
        return f"Nearest titles: {', '.join(near)}." if near else "No title is near."

    def _fault(self, ruling: FiledRuling, reason: str) -> None:
        self.faults.append(Fault(ruling.line, reason))


def topics_of(game: str) -> dict[str, str]:
    """Return the slugs of all subjects with rulings in a game, by comparison key."""
    rulings = Ruling.objects.filter(document__game=game)
    rulings = rulings.exclude(document__kind=DocumentKind.REFERENCE).order_by("pk")
    return dict(rulings.values_list("subject_key", "subject_slug"))


def fresh_codes(
    document: RulingDocument, entries: Sequence[Resolved], taken: Iterable[str]
) -> list[str]:
    """Return a code for each new ruling: document, subject, and an unused number.

    `taken` are codes that are about to be written.
    """
    first = document.slug[:30].strip("-")
    written = Ruling.objects.filter(code__startswith=f"{first}-").values_list("code", flat=True)
    highest: dict[str, int] = {}
    for code in [*written, *filter(None, taken)]:
        stem, _, number = code.rpartition("-")
        highest[stem] = max(highest.get(stem, 0), int(number))
    codes = []
    for entry in entries:
        stem = f"{first}-{entry.subject_slug[:40].strip('-')}"
        highest[stem] = highest.get(stem, 0) + 1
        codes.append(f"{stem}-{highest[stem]}")
    return codes


def plain_slug(text: str) -> str:
    """Slug of lower-case letters and digits with single hyphens; may be empty.

    >>> plain_slug("Dice_roll - again")
    'dice-roll-again'
    """
    return re.sub(r"[-_]+", "-", slugify(text[:LONGEST_COMPARED])).strip("-")
