"""Rulings with the data for their pages: lists, standing, codes, notes, cards and booklets."""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Window
from django.utils import timezone

from decks import games
from decks.games import GAMES, GameDefinition
from decks.models import Card, Catalogue, Side
from matches.models import Match
from rulings.models import (
    DocumentKind,
    JudgeNote,
    LinkKind,
    NoteCitation,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingSection,
    RulingStamp,
    RulingVersion,
    card_url,
    subject_url,
)
from rulings.parsing.records import RulingSource

PUBLISHED = ~Q(document__kind=DocumentKind.LOCAL) | Q(adopted_at__isnull=False)


@dataclass(frozen=True)
class RulingSubject:
    section: str
    name: str
    rulings: int
    url: str


def published_rulings() -> QuerySet[Ruling]:
    """Return all rulings except local ones that this site has not adopted."""
    return Ruling.objects.filter(PUBLISHED)


def rulings_in_full(among: QuerySet[Ruling] | None = None) -> QuerySet[Ruling]:
    """Prefetch the data for pages of rulings in a fixed number of queries."""
    superseding = Ruling.objects.select_related("document").prefetch_related("versions")
    rulings = published_rulings() if among is None else among
    return rulings.select_related("card", "document").prefetch_related(
        "versions__citations__about_card",
        "links__card",
        Prefetch("superseded_by", superseding),
        "supersedes",
    )


def index_rulings(game: str = "") -> QuerySet[Ruling]:
    # Sections of the rules have their own pages; local rulings are listed with their documents.
    elsewhere = DocumentKind.REFERENCE, DocumentKind.LOCAL
    rulings = Ruling.objects.exclude(document__kind__in=elsewhere)
    return rulings.filter(document__game=game) if game else rulings


def subjects_of(among: QuerySet[Ruling]) -> list[RulingSubject]:
    rows = (
        among.order_by()
        .values("document__game", "section", "subject_slug")
        .annotate(
            rulings=Count("pk"),
            first=Min("number"),
            name=Min("subject"),
            # Two spellings of a card are one subject; a card without a page has no slug.
            on_card=Min("card__slug"),
        )
        .order_by("first", "subject_slug")
    )
    subjects = []
    for row in rows:
        game, slug, card = row["document__game"], row["subject_slug"], row["on_card"]
        url = card_url(game, card) if card else subject_url(game, slug)
        subjects.append(RulingSubject(row["section"], row["name"], row["rulings"], url))
    return subjects


def counts_by_kind(among: QuerySet[Ruling]) -> dict[str, int]:
    rows = among.order_by().values_list("kind")
    counts = dict(rows.annotate(count=Count("pk")))
    return {kind: counts[kind] for kind in RulingKind.values if kind in counts}


def counts_by_game() -> dict[str, int]:
    rows = index_rulings().order_by().values_list("document__game")
    return dict(rows.annotate(count=Count("pk")))


def documents_of_game(game: str) -> list[RulingDocument]:
    """Return the documents of a game with `count` of rulings: lists first, local ones last."""
    found = RulingDocument.objects.filter(game=game).exclude(kind=DocumentKind.REFERENCE)
    counted = found.annotate(count=count_of_published()).filter(count__gt=0)
    kinds = list(DocumentKind.values)
    return sorted(counted.order_by("title"), key=lambda document: kinds.index(document.kind))


def count_of_published() -> Count:
    is_for_all = ~Q(kind=DocumentKind.LOCAL) | Q(rulings__adopted_at__isnull=False)
    return Count("rulings", filter=is_for_all)


def rulings_on_subject(slug: str, game: str) -> list[Ruling]:
    about = RulingLink.objects.filter(kind=LinkKind.ABOUT, subject_slug=slug)
    named = Q(subject_slug=slug) | Q(pk__in=about.values("ruling"))
    return list(rulings_in_full().filter(named, document__game=game))


def rulings_linking_to(slug: str, game: str) -> list[Ruling]:
    """Return the rulings on other subjects that link to this subject."""
    sending = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, subject_slug=slug)
    rulings = rulings_in_full().filter(document__game=game)
    return list(rulings.filter(pk__in=sending.values("ruling")))


def cross_reference_targets(ruling: Ruling) -> list[Ruling]:
    links = [link for link in ruling.links.all() if link.kind == LinkKind.SEE_ALSO]
    if not links:
        return []
    return list(rulings_behind_links(links, ruling.document.game).exclude(pk=ruling.pk))


def rulings_behind_links(
    links: Iterable[RulingLink], game: str, subjects: Iterable[str] = ()
) -> QuerySet[Ruling]:
    """Return the rulings on the cards and subjects of the links, and on further subjects."""
    slugs, cards = set(subjects), set()
    for link in links:
        slugs.add(link.subject_slug)
        cards.add(link.card_id)
    named = Q(subject_slug__in=slugs - {""}) | Q(card__in=cards - {None})
    return rulings_in_full().filter(named, document__game=game)


def rulings_referring_to(ruling: Ruling) -> list[Ruling]:
    """Return the rulings on other subjects that name or link to this subject."""
    is_linked = Q(links__subject_slug=ruling.subject_slug)
    if ruling.card_id is not None:
        is_linked |= Q(links__card=ruling.card_id)
    others = published_rulings().filter(is_linked, document__game=ruling.document.game)
    others = others.exclude(subject_slug=ruling.subject_slug)
    return list(others.distinct().prefetch_related("versions"))


def neighbouring_rulings(ruling: Ruling) -> tuple[Ruling | None, Ruling | None]:
    beside = published_rulings().filter(
        document=ruling.document_id, number__in=(ruling.number - 1, ruling.number + 1)
    )
    by_number = {other.number: other for other in beside}
    return by_number.get(ruling.number - 1), by_number.get(ruling.number + 1)


def rulings_in_order(ids: Iterable[int], rulings: QuerySet[Ruling] | None = None) -> list[Ruling]:
    """Return the rulings in this order, from `rulings` or by default in full."""
    keys = list(ids)
    found = (rulings_in_full() if rulings is None else rulings).in_bulk(keys)
    return [found[key] for key in keys if key in found]


def version_sources(version: RulingVersion) -> tuple[RulingSource, ...]:
    return tuple(
        RulingSource(
            citation.authority, citation.via, citation.venue, citation.date, citation.about
        )
        for citation in version.citations.all()
    )


def rulings_stamp() -> str:
    """Return a string that changes with any ruling, version, link, document or card.

    It covers committed changes only; concurrent transactions count as two changes.
    """
    newest = RulingStamp.objects.order_by("-pk").annotate(count=Window(Count("pk")))
    ruled = newest.values_list("count", "pk", "value").first()
    cards = Catalogue.objects.order_by("pk").values_list("stamp", flat=True)
    return " ".join(map(str, (*(ruled or ()), *cards)))


# The rules reference.


def rules_pages() -> list[tuple[GameDefinition, list[RulingDocument]]]:
    """Return the games with their pages in order of code; pages have `sections`, their number."""
    documents = (
        RulingDocument.objects.filter(kind=DocumentKind.REFERENCE)
        .annotate(
            sections=Count("rulings", filter=Q(rulings__withdrawn_on=None)),
            first=Min("rulings__short_code"),
        )
        .order_by("first")
    )
    pages: dict[str, list[RulingDocument]] = {
        id_: [row for row in documents if row.game == id_] for id_ in GAMES
    }
    return [(GAMES[id_], documents) for id_, documents in pages.items() if documents]


def sections_of(document: RulingDocument) -> QuerySet[Ruling]:
    return rulings_in_full().filter(document=document)


# Standing: the only definition of which version is in force on a day.


class RulingState(StrEnum):
    NOT_YET = "not_yet"
    IN_FORCE = "in_force"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class RulingStanding:
    """Status of a ruling on a day.

    `version` is the version in force, or the last that was; None before the first. `since` is the
    start of this state (for NOT_YET: the day it takes effect). `by` are the rulings that supersede
    it by then.
    """

    state: RulingState
    version: RulingVersion | None
    since: date | None
    by: tuple[Ruling, ...] = ()

    @property
    def is_in_force(self) -> bool:
        return self.state is RulingState.IN_FORCE

    @property
    def has_ended(self) -> bool:
        return self.state in (RulingState.SUPERSEDED, RulingState.WITHDRAWN)


def effective_from(version: RulingVersion) -> date:
    return version.in_force_from or version.ruling.document.published_on


def version_on(ruling: Ruling, day: date) -> RulingVersion | None:
    """Return the newest version that took effect by then, even if the ruling has ended since."""
    begun = (version for version in ruling.versions.all() if effective_from(version) <= day)
    return max(begun, key=lambda version: version.number, default=None)


def first_day_of(ruling: Ruling) -> date | None:
    return min(map(effective_from, ruling.versions.all()), default=None)


def standing_on(ruling: Ruling, day: date | None = None) -> RulingStanding:
    """Return the status on that day (default: today); no queries after `rulings_in_full`."""
    day = day or timezone.localdate()
    first = first_day_of(ruling)
    if first is None or first > day:
        return RulingStanding(RulingState.NOT_YET, None, first)
    by = sorted(
        (
            (begun, other)
            for other in ruling.superseded_by.all()
            if (begun := first_day_of(other)) is not None and begun <= day
        ),
        key=lambda row: (row[0], row[1].pk),
    )
    ends = [(begun, RulingState.SUPERSEDED) for begun, _ in by]
    if ruling.withdrawn_on and ruling.withdrawn_on <= day:
        ends.append((ruling.withdrawn_on, RulingState.WITHDRAWN))
    if not ends:
        version = version_on(ruling, day)
        return RulingStanding(
            RulingState.IN_FORCE, version, effective_from(version) if version else None
        )
    end, state = min(ends)
    last = version_on(ruling, max(end, first))
    return RulingStanding(state, last, end, tuple(other for _, other in by))


def in_force_on(rulings: QuerySet[Ruling], day: date) -> QuerySet[Ruling]:
    """Filter for rulings in force on that day; must match `standing_on`."""
    superseding = Ruling.objects.filter(_has_begun(day), supersedes=OuterRef("pk"))
    stays = Q(withdrawn_on=None) | Q(withdrawn_on__gt=day)
    return rulings.filter(_has_begun(day), stays, ~Exists(superseding))


def _has_begun(day: date) -> Exists:
    own = Q(in_force_from__lte=day)
    of_document = Q(in_force_from=None, ruling__document__published_on__lte=day)
    return Exists(RulingVersion.objects.filter(own | of_document, ruling=OuterRef("pk")))


# Codes, typed, pasted or spoken.

LAST_RESERVED_NUMBER = 1000
# Alphabet and length of local codes: 40 bits, without the ambiguous 0, 1, I and O.
LOCAL_CODE_LETTERS, LOCAL_CODE_LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 8
# A typed or pasted code: "lockjaw-1", "R-0231 v2", or the URL of its page.
TYPED_CODE = re.compile(
    r"(?:\S*/)?(?P<code>[a-z0-9]+(?:-[a-z0-9]+)*-[0-9]+)(?:[\s/]+v?(?P<version>[0-9]{1,4}))?/?",
    re.IGNORECASE,
)
# A spoken short code: "r231", "R 231 v2".
SPOKEN_CODE = re.compile(
    r"(?P<letter>[rsl])[\s-]*(?P<serial>[0-9]{1,6})(?:[\s/]+v?(?P<version>[0-9]{1,4}))?",
    re.IGNORECASE | re.ASCII,
)
# The code of a local ruling: "L-7K3MQ2XA v2".
LOCAL_CODE = re.compile(
    rf"l[\s-]*(?P<signs>[{LOCAL_CODE_LETTERS}]{{{LOCAL_CODE_LENGTH}}})(?:[\s/]+v?(?P<version>[0-9]{{1,4}}))?",
    re.IGNORECASE | re.ASCII,
)


def find_by_code(code: str, among: QuerySet[Ruling] | None = None) -> Ruling | None:
    """Find a ruling by a typed or pasted code: "Lockjaw-1", "r231", or the URL of its page."""
    if found := _split_code(code):
        return _searched_rulings(among).filter(_has_code(found[0])).first()
    return None


def version_by_code(code: str, among: QuerySet[Ruling] | None = None) -> RulingVersion | None:
    """Find the version named by a code ("R-0231 v2"), or the newest version."""
    found = _split_code(code)
    if found is None:
        return None
    versions = RulingVersion.objects.filter(
        ruling__in=_searched_rulings(among).filter(_has_code(found[0]))
    )
    if found[1]:
        versions = versions.filter(number=int(found[1]))
    return versions.select_related("ruling__document").order_by("-number").first()


def has_version_number(code: str) -> bool:
    found = _split_code(code)
    return bool(found and found[1])


def next_short_codes(count: int) -> list[str]:
    """Return the next `count` short codes of imported rulings, such as "R-1001".

    The caller must hold the lock of the document. Numbers up to LAST_RESERVED_NUMBER are for the
    shipped lists, so that they are the same on every site.
    """
    taken = Ruling.objects.filter(short_code__startswith="R-").values_list("short_code", flat=True)
    first = max([LAST_RESERVED_NUMBER, *(int(code[2:]) for code in taken)]) + 1
    return [f"R-{serial:04d}" for serial in range(first, first + count)]


def random_short_code() -> str:
    """Return an unused code for a local ruling that nobody can guess: "L-7K3MQ2XA"."""
    code = "L-" + "".join(secrets.choice(LOCAL_CODE_LETTERS) for _ in range(LOCAL_CODE_LENGTH))
    return random_short_code() if Ruling.objects.filter(short_code=code).exists() else code


def nearest_codes(code: str) -> list[str]:
    from rapidfuzz import process  # imported lazily: most codes are valid
    from rapidfuzz.distance import Indel

    codes = list(published_rulings().order_by("number").values_list("code", flat=True))
    typed = code.strip().lower()[:80]
    found = process.extract(
        typed, codes, scorer=Indel.normalized_similarity, limit=3, score_cutoff=0.5
    )
    return [near for near, _, _ in found]


def _split_code(typed: str) -> tuple[str, str] | None:
    """Split a text into (code, version number or ""); None if there is no code."""
    if spoken := SPOKEN_CODE.fullmatch(typed.strip()):
        code = f"{spoken['letter']}-{int(spoken['serial']):04d}"
        return code, spoken["version"] or ""
    if local := LOCAL_CODE.fullmatch(typed.strip()):
        return f"L-{local['signs']}", local["version"] or ""
    if found := TYPED_CODE.fullmatch(typed.strip()):
        return found["code"], found["version"] or ""
    return None


def _searched_rulings(among: QuerySet[Ruling] | None) -> QuerySet[Ruling]:
    return published_rulings() if among is None else among


def _has_code(code: str) -> Q:
    return Q(code=code.lower()) | Q(short_code=code.upper())


# Notes of judges, and statistics on cited rulings.


@dataclass(frozen=True)
class CitedRuling:
    ruling: Ruling
    times: int
    last_at: datetime


def notes_of(match: Match) -> QuerySet[JudgeNote]:
    return with_citations(JudgeNote.objects.filter(match=match).order_by("pk"))


def with_citations(notes: QuerySet[JudgeNote]) -> QuerySet[JudgeNote]:
    return notes.select_related("author__player").prefetch_related(
        Prefetch("citations", cited_versions())
    )


def cited_versions() -> QuerySet[NoteCitation]:
    """Return citations with versions; `newest` is the number of the ruling's newest version."""
    cited = NoteCitation.objects.annotate(newest=Max("version__ruling__versions__number"))
    return cited.select_related("version__ruling__document").order_by("note", "position")


def times_cited(ruling: Ruling) -> int:
    return _counted_citations().filter(version__ruling=ruling).count()


def citation_counts(game: str = "") -> QuerySet[Any, Any]:
    """Return rows of `ruling_id`, `times` and `last_at` for all cited rulings, most cited first.

    Local rulings are excluded, because they apply only to their event.
    """
    cited = _counted_citations().exclude(version__ruling__document__kind=DocumentKind.LOCAL)
    if game:
        cited = cited.filter(version__ruling__document__game=game)
    rows = cited.order_by().values(ruling_id=F("version__ruling"))
    counted = rows.annotate(times=Count("pk"), last_at=Max("note__created_at"))
    return counted.order_by("-times", "-last_at", "ruling_id")


def load_cited_rulings(rows: Iterable[dict[str, Any]]) -> list[CitedRuling]:
    counted = {row["ruling_id"]: row for row in rows}
    return [
        CitedRuling(ruling, counted[ruling.pk]["times"], counted[ruling.pk]["last_at"])
        for ruling in rulings_in_order(counted)
    ]


def _counted_citations() -> QuerySet[NoteCitation]:
    return NoteCitation.objects.filter(note__is_practice=False)


# Rulings on a card.

ERRATA_KINDS = (RulingKind.ERRATA, RulingKind.UNOFFICIAL_ERRATA)


@dataclass(frozen=True)
class InheritedRulings:
    """Rulings on another subject that apply to the card too.

    Either a cross-reference of the card points to the subject, or the card has the keyword of the
    subject. `keyword` is then a name such as "Virus programs", otherwise "".
    """

    name: str
    slug: str
    url: str
    keyword: str
    rulings: list[Ruling]


@dataclass(frozen=True)
class CardRulings:
    """All rulings that concern a card, each once, the closest first."""

    # On the card itself.
    errata: list[Ruling]
    own: list[Ruling]
    # Through its cross-references or keywords.
    inherited: list[InheritedRulings]
    # Linked from its other rulings.
    followed: list[Ruling]
    # They name the card, or were given about it.
    mentioning: list[Ruling]
    # They link to the card.
    referring: list[Ruling]

    def __len__(self) -> int:
        groups = (self.errata, self.own, self.followed, self.mentioning, self.referring)
        return sum(map(len, groups)) + sum(len(inherited.rulings) for inherited in self.inherited)


def card_rulings(card: Card) -> CardRulings:
    links = _links_to(card)
    about = Q(card=card) | Q(pk__in=links.filter(kind=LinkKind.ABOUT).values("ruling"))
    on_it = list(rulings_in_full().filter(about))
    seen = {ruling.pk for ruling in on_it}
    see_also = _see_also_links(on_it)
    keywords = {family.subject_slug: family.name for family in families_of(card)}
    targets = _without_duplicates(rulings_behind_links(see_also, card.game, keywords), seen)
    inherited = _inherited_rulings(on_it, targets, keywords)
    inherited_keys = {ruling.pk for group in inherited for ruling in group.rulings}
    names_card = Q(pk__in=links.filter(kind=LinkKind.MENTIONS).values("ruling"))
    is_cited_about = Q(versions__citations__about_card=card)
    mentioning = rulings_in_full().filter(names_card | is_cited_about).distinct()
    links_to_card = Q(pk__in=links.filter(kind=LinkKind.SEE_ALSO).values("ruling"))
    return CardRulings(
        errata=[ruling for ruling in on_it if ruling.kind in ERRATA_KINDS],
        own=[ruling for ruling in on_it if ruling.kind not in ERRATA_KINDS],
        inherited=inherited,
        followed=[
            ruling
            for ruling in targets
            if ruling.pk not in inherited_keys
            and any(_is_link_to(link, ruling) for link in see_also)
        ],
        mentioning=_without_duplicates(mentioning, seen),
        referring=_without_duplicates(rulings_in_full().filter(links_to_card), seen),
    )


def _links_to(card: Card) -> QuerySet[RulingLink]:
    slugs = published_rulings().filter(card=card).values("subject_slug")
    by_subject = Q(subject_slug__in=slugs, ruling__document__game=card.game)
    return RulingLink.objects.filter(Q(card=card) | by_subject)


def _see_also_links(rulings: Iterable[Ruling]) -> list[RulingLink]:
    links = (link for ruling in rulings for link in ruling.links.all())
    return [link for link in links if link.kind == LinkKind.SEE_ALSO]


def _inherited_rulings(
    on_it: Iterable[Ruling], targets: Sequence[Ruling], keywords: Mapping[str, str]
) -> list[InheritedRulings]:
    # Grouped by subject. Errata apply only to their own card.
    references = _see_also_links(
        ruling for ruling in on_it if ruling.kind == RulingKind.CROSS_REFERENCE
    )
    groups: dict[str, list[Ruling]] = {}
    for ruling in targets:
        is_meant = ruling.subject_slug in keywords or any(
            _is_link_to(link, ruling) for link in references
        )
        if is_meant and ruling.kind == RulingKind.RULING:
            groups.setdefault(ruling.subject_slug, []).append(ruling)
    return [
        InheritedRulings(
            of_it[0].subject, slug, of_it[0].subject_url, keywords.get(slug, ""), of_it
        )
        for slug, of_it in groups.items()
    ]


def _is_link_to(link: RulingLink, ruling: Ruling) -> bool:
    of_card = link.card_id is not None and link.card_id == ruling.card_id
    return of_card or (bool(link.subject_slug) and link.subject_slug == ruling.subject_slug)


def _without_duplicates(rulings: QuerySet[Ruling], seen: set[int]) -> list[Ruling]:
    fresh = [ruling for ruling in rulings if ruling.pk not in seen]
    seen.update(ruling.pk for ruling in fresh)
    return fresh


@dataclass(frozen=True)
class CardFamily:
    """Runner cards of 1996 with a keyword, and the subject with the rulings on them."""

    name: str
    subject_slug: str
    subtype: str
    types: frozenset[str]

    def contains(self, card: Card) -> bool:
        # Virus cards of the Corp are not Virus programs.
        if (card.game, card.side) != (games.DEFAULT.id, Side.RUNNER) or card.type not in self.types:
            return False
        return self.subtype in [subtype.strip() for subtype in card.subtypes.split(" - ")]


RUNNER_TYPES = frozenset({"program", "hardware", "resource", "prep"})
PROGRAM_TYPES = frozenset({"program"})
CARD_FAMILIES = (
    CardFamily("Virus programs", "boardwalk", "Virus", PROGRAM_TYPES),
    CardFamily("Daemons", "afreet", "Daemon", PROGRAM_TYPES),
    CardFamily("Noisy cards", "hammer", "Noisy", RUNNER_TYPES),
    CardFamily("Stealth cards", "cloak", "Stealth", RUNNER_TYPES),
    CardFamily("base links", "access-through-alpha", "Base Link", RUNNER_TYPES),
)


def families_of(card: Card) -> tuple[CardFamily, ...]:
    return tuple(family for family in CARD_FAMILIES if family.contains(card))


class CardRelation(StrEnum):
    OWN = "own"
    INHERITED = "inherited"
    FOLLOWED = "followed"
    MENTIONS = "mentions"
    REFERS = "refers"


def relations_to(card: Card) -> Iterator[tuple[int, CardRelation]]:
    """Yield (ruling pk, relation) in the order of the card's page, each ruling once."""
    shown = card_rulings(card)
    inherited = [ruling for group in shown.inherited for ruling in group.rulings]
    groups: tuple[tuple[CardRelation, Iterable[Ruling]], ...] = (
        (CardRelation.OWN, [*shown.errata, *shown.own]),
        (CardRelation.INHERITED, inherited),
        (CardRelation.FOLLOWED, shown.followed),
        (CardRelation.MENTIONS, shown.mentioning),
        (CardRelation.REFERS, shown.referring),
    )
    for relation, rulings in groups:
        for ruling in rulings:
            yield ruling.pk, relation


# Booklets.

KIND_ORDER = {RulingKind.ERRATA.value: 0, RulingKind.UNOFFICIAL_ERRATA.value: 1}
BOOKLET_RELATIONS = ("versions__citations", "versions__ruling__document")
KINDS_NOT_PRINTED = (DocumentKind.LOCAL, DocumentKind.REFERENCE)


@dataclass(frozen=True)
class PrintedRuling:
    ruling: Ruling
    version: RulingVersion
    original: str = ""


@dataclass(frozen=True)
class PrintedSubject:
    name: str
    lines: list[PrintedRuling]


@dataclass(frozen=True)
class PrintedSection:
    name: str
    subjects: list[PrintedSubject]


@dataclass(frozen=True)
class Booklet:
    """The sections, the number of rulings, and the required notices as (title, text)."""

    sections: list[PrintedSection]
    rulings: int
    notices: list[tuple[str, str]]


def get_booklet(game: str, day: date, *, with_originals: bool = False) -> Booklet:
    rulings = Ruling.objects.filter(document__game=game).exclude(
        document__kind__in=KINDS_NOT_PRINTED
    )
    in_force = (
        in_force_on(rulings, day).select_related("document").prefetch_related(*BOOKLET_RELATIONS)
    )
    lines = []
    for ruling in in_force:
        version = version_on(ruling, day)
        assert version is not None, "in_force_on keeps rulings that have begun"
        original = version.original_text if with_originals else ""
        lines.append(PrintedRuling(ruling, version, original))
    quoted = {line.ruling.document for line in lines if line.original}
    return Booklet(
        sections=list(_printed_sections(lines)),
        rulings=len(lines),
        notices=sorted((str(document), document.notice) for document in quoted if document.notice),
    )


def _printed_sections(lines: Iterable[PrintedRuling]) -> Iterator[PrintedSection]:
    places = {section.value: place for place, section in enumerate(RulingSection)}

    def place(line: PrintedRuling) -> tuple[object, ...]:
        ruling = line.ruling
        first = KIND_ORDER.get(ruling.kind, 2)
        return places[ruling.section], ruling.subject_key, first, ruling.document_id, ruling.number

    ordered = sorted(lines, key=place)
    for section, inside in groupby(ordered, key=attrgetter("ruling.section")):
        subjects = groupby(inside, key=attrgetter("ruling.subject_key"))
        found = [list(group) for _, group in subjects]
        printed = [PrintedSubject(group[0].ruling.subject, group) for group in found]
        yield PrintedSection(str(RulingSection(section).label), printed)
