"""Write rulings and new versions by hand.

Versions are immutable, so citations stay accurate. Callers check permissions.
"""

import secrets
from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from core.errors import ReasonMissing, Refusal
from core.text import comparison_key, plain_newlines
from decks import games
from decks.models import Card, CardAlias
from players.models import User
from rulings import queries
from rulings.importer import index
from rulings.importer.resolving import plain_slug
from rulings.models import (
    Citation,
    DocumentKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingVersion,
    Section,
)
from rulings.parsing.records import Source

LONGEST_SLUG = 80  # letters of a subject in an address
LONGEST_STEM = 72  # leaves room for the number in a code of 80
DIGITS = 11  # and one more, in the code of a local ruling: 43 bits
SECTION_OF_SIDE = {"corp": Section.CORP, "runner": Section.RUNNER}


class NoWords(Refusal):
    """The text or the subject is missing."""


class NothingChanged(Refusal):
    pass


class NotYet(Refusal):
    """The date is in the future, so the rule until then would be unclear."""


class WrittenMeanwhile(Refusal):
    """A newer version exists than the writer has seen; `details` contain both numbers."""


def local_document(game: str) -> RulingDocument:
    label = games.GAMES[game].name
    document, _ = RulingDocument.objects.get_or_create(
        slug=plain_slug(f"local rulings {game}"),
        defaults={
            "game": game,
            "kind": DocumentKind.LOCAL,
            "title": f"Local rulings: {label}",
            "published_on": timezone.localdate(),
        },
    )
    return document


@transaction.atomic
def write_version(
    ruling: Ruling,
    *,
    seen: int,
    text: str,
    sources: Sequence[Source],
    in_force_from: date | None,
    by: User | None,
    reason: str,
    kind: str = "",
) -> RulingVersion:
    """Write the next version of a ruling; `seen` is the newest version the writer has read.

    `in_force_from` None means today. `kind` "" leaves the kind unchanged; the kind of a section of
    the rules never changes. The original wording is copied if the sources are the same. Raises
    NoWords, ReasonMissing, NotYet, WrittenMeanwhile or NothingChanged.
    """
    text = plain_newlines(text).strip()
    document = _locked(ruling.document)
    if document.kind == DocumentKind.REFERENCE:
        kind = ""
    newest = ruling.versions.order_by("-number").first()
    _refuse_stale(newest, seen)
    day = in_force_from or timezone.localdate()
    _refuse_unfit(text, reason, day)
    if _says_the_same(newest, text, sources, day) and kind in ("", ruling.kind):
        raise NothingChanged("This is what the ruling says already. Change the text or a source.")
    version = RulingVersion.objects.create(
        ruling=ruling,
        number=(newest.number if newest else 0) + 1,
        text=text,
        original_text=_original_of(newest, sources),
        in_force_from=day,
        written_by=by,
        reason=reason.strip(),
    )
    _write_sources(version, sources, document.game)
    if kind and kind != ruling.kind:
        Ruling.objects.filter(pk=ruling.pk).update(kind=kind)
    index.update(document)
    return version


@transaction.atomic
def new_ruling(
    document: RulingDocument,
    *,
    text: str,
    subject: str = "",
    card: Card | None = None,
    sources: Sequence[Source] = (),
    by: User | None = None,
    reason: str = "",
) -> Ruling:
    """Create a local ruling, in force from today.

    The default subject is the title of the card. Raises NoWords.
    """
    text = plain_newlines(text).strip()
    subject = subject.strip() or (card.title if card else "")
    day = timezone.localdate()
    _refuse_unfit(text, reason or "new", day)
    slug = plain_slug(subject)[:LONGEST_SLUG].strip("-") or "ruling"
    if not subject:
        raise NoWords("Name the card or the topic it is about.")
    document = _locked(document)
    ruling = Ruling.objects.create(
        document=document,
        code=_fresh_code(slug),
        short_code=queries.random_short_code(),
        number=(document.rulings.aggregate(last=Max("number"))["last"] or 0) + 1,
        section=SECTION_OF_SIDE.get(card.side, Section.GENERAL) if card else Section.GENERAL,
        subject=subject,
        subject_key=comparison_key(subject),
        subject_slug=slug,
        kind=RulingKind.RULING,
        card=card,
    )
    version = RulingVersion.objects.create(
        ruling=ruling,
        number=1,
        text=text,
        in_force_from=day,
        written_by=by,
        reason=reason.strip(),
    )
    _write_sources(version, sources, document.game)
    index.update(document)
    return ruling


def _locked(document: RulingDocument) -> RulingDocument:
    """Lock the document, so that concurrent writers do not use the same number."""
    return RulingDocument.objects.select_for_update().get(pk=document.pk)


def _refuse_stale(newest: RulingVersion | None, seen: int) -> None:
    number = newest.number if newest else 0
    if number != seen:
        raise WrittenMeanwhile(
            f"Version {number} was written meanwhile. Read it below, then write yours.",
            seen=seen,
            now=number,
        )


def _refuse_unfit(text: str, reason: str, day: date) -> None:
    if not text:
        raise NoWords("Write what the ruling says.")
    if not reason.strip():
        raise ReasonMissing("Give a reason, for those who cited the earlier version.")
    if day > timezone.localdate():
        raise NotYet("That day is still to come. Write the version on the day it takes effect.")


def _says_the_same(
    newest: RulingVersion | None, text: str, sources: Sequence[Source], day: date
) -> bool:
    return (
        newest is not None
        and newest.text == text
        and queries.sources_of(newest) == list(sources)
        and queries.effective_from(newest) == day
    )


def _original_of(newest: RulingVersion | None, sources: Sequence[Source]) -> str:
    """Copy the original wording to a rephrased version, but not to a different decision."""
    is_the_same = newest is not None and queries.sources_of(newest) == list(sources)
    return newest.original_text if newest and is_the_same else ""


def _write_sources(version: RulingVersion, sources: Sequence[Source], game: str) -> None:
    cards = {source.about: _card_named(source.about, game) for source in sources if source.about}
    Citation.objects.bulk_create(
        Citation(
            version=version,
            position=position,
            authority=source.authority,
            via=source.via,
            venue=source.venue,
            date=source.date,
            about=source.about,
            about_card=cards.get(source.about),
        )
        for position, source in enumerate(sources, start=1)
    )


def _card_named(name: str, game: str) -> Card | None:
    key = comparison_key(name)
    card = Card.objects.filter(game=game, title_key=key).first()
    alias = CardAlias.objects.filter(card__game=game, alias_key=key).select_related("card")
    return card or next((one.card for one in alias), None)


def _fresh_code(slug: str) -> str:
    """Return a random code that no import uses and that cannot be enumerated."""
    stem = f"local-{slug}"[: LONGEST_STEM - DIGITS].strip("-")
    return f"{stem}-{secrets.randbelow(9 * 10**DIGITS) + 10**DIGITS}"
