"""Write, supersede and adopt rulings, and write notes. Callers check permissions.

Versions are immutable, so citations stay accurate.
"""

import secrets
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import ReasonMissing, Refusal
from core.text import comparison_key, plain_newlines
from decks import games
from decks.models import Card, CardAlias
from matches.models import Match
from players.models import User
from rulings import importer, queries
from rulings.house_rulings import LONGEST_SLUG, SECTION_OF_SIDE, plain_slug
from rulings.models import (
    Citation,
    DocumentKind,
    JudgeNote,
    NoteCitation,
    NoteKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingSection,
    RulingVersion,
)
from rulings.parsing.records import RulingSource

LONGEST_STEM = 72  # leaves room for the number in a code of 80
LOCAL_CODE_DIGITS = 11  # and one more, in the code of a local ruling: 43 bits


class NoWords(Refusal):
    pass


class NothingChanged(Refusal):
    pass


class NotYet(Refusal):
    """The date is in the future, so the rule until then would be unclear."""


class WrittenMeanwhile(Refusal):
    """A newer version exists than the writer has seen; `details` contain both numbers."""


def get_local_document(game: str) -> RulingDocument:
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
    sources: Sequence[RulingSource],
    in_force_from: date | None,
    by: User | None,
    reason: str,
    kind: str = "",
) -> RulingVersion:
    """Write the next version of a ruling; `seen` is the newest version the writer has read.

    `in_force_from` None means today. `kind` "" leaves the kind unchanged; the kind of a section of
    the rules never changes. Raises NoWords, ReasonMissing, NotYet, WrittenMeanwhile or
    NothingChanged.
    """
    text = plain_newlines(text).strip()
    document = _lock_document(ruling.document)
    if document.kind == DocumentKind.REFERENCE:
        kind = ""
    newest = ruling.versions.order_by("-number").first()
    _refuse_stale(newest, seen)
    day = in_force_from or timezone.localdate()
    _refuse_unusable(text, reason, day)
    if _is_unchanged(newest, text, sources, day) and kind in ("", ruling.kind):
        raise NothingChanged(gettext("Nothing has changed. Change the text or a source."))
    # A rephrased version keeps the original wording; another decision does not.
    is_rephrased = newest is not None and queries.version_sources(newest) == tuple(sources)
    original_text = newest.original_text if newest and is_rephrased else ""
    version = RulingVersion.objects.create(
        ruling=ruling,
        number=(newest.number if newest else 0) + 1,
        text=text,
        original_text=original_text,
        in_force_from=day,
        written_by=by,
        reason=reason.strip(),
    )
    _write_sources(version, sources, document.game)
    if kind and kind != ruling.kind:
        Ruling.objects.filter(pk=ruling.pk).update(kind=kind)
    importer.update_search_entries(document)
    return version


@transaction.atomic
def create_local_ruling(
    document: RulingDocument,
    *,
    text: str,
    subject: str = "",
    card: Card | None = None,
    sources: Sequence[RulingSource] = (),
    by: User | None = None,
    reason: str = "",
) -> Ruling:
    """Create a local ruling, in force from today. Raises NoWords.

    The default subject is the title of the card.
    """
    text = plain_newlines(text).strip()
    subject = subject.strip() or (card.title if card else "")
    day = timezone.localdate()
    _refuse_unusable(text, reason or "new", day)
    slug = plain_slug(subject)[:LONGEST_SLUG].strip("-") or "ruling"
    if not subject:
        raise NoWords(gettext("Name the card or topic that the ruling is about."))
    document = _lock_document(document)
    stem = f"local-{slug}"[: LONGEST_STEM - LOCAL_CODE_DIGITS].strip("-")
    section = RulingSection.GENERAL
    if card:
        section = SECTION_OF_SIDE.get(card.side, RulingSection.GENERAL)
    ruling = Ruling.objects.create(
        document=document,
        # No import uses this code, and nobody can enumerate such codes.
        code=f"{stem}-{secrets.randbelow(9 * 10**LOCAL_CODE_DIGITS) + 10**LOCAL_CODE_DIGITS}",
        short_code=queries.random_short_code(),
        number=(document.rulings.aggregate(last=Max("number"))["last"] or 0) + 1,
        section=section,
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
    importer.update_search_entries(document)
    return ruling


def _lock_document(document: RulingDocument) -> RulingDocument:
    # Concurrent writers must not use the same number.
    return RulingDocument.objects.select_for_update().get(pk=document.pk)


def _refuse_stale(newest: RulingVersion | None, seen: int) -> None:
    number = newest.number if newest else 0
    if number != seen:
        raise WrittenMeanwhile(
            gettext(
                "Someone saved version %(number)s while you were editing. Read it below, then "
                "save yours."
            )
            % {"number": number},
            seen=seen,
            now=number,
        )


def _refuse_unusable(text: str, reason: str, day: date) -> None:
    if not text:
        raise NoWords(gettext("Write the text of the ruling."))
    if not reason.strip():
        raise ReasonMissing(gettext("Give a reason for people who have cited the earlier version."))
    if day > timezone.localdate():
        raise NotYet(
            gettext("This day is in the future. Write the version on the day it takes effect.")
        )


def _is_unchanged(
    newest: RulingVersion | None, text: str, sources: Sequence[RulingSource], day: date
) -> bool:
    return (
        newest is not None
        and newest.text == text
        and queries.version_sources(newest) == tuple(sources)
        and queries.effective_from(newest) == day
    )


def _write_sources(version: RulingVersion, sources: Sequence[RulingSource], game: str) -> None:
    cards = {source.about: _find_card(source.about, game) for source in sources if source.about}
    Citation.objects.bulk_create(importer.new_citations(version, sources, cards))


def _find_card(name: str, game: str) -> Card | None:
    key = comparison_key(name)
    card = Card.objects.filter(game=game, title_key=key).first()
    alias = CardAlias.objects.filter(card__game=game, alias_key=key).select_related("card")
    return card or next((row.card for row in alias), None)


# Superseding, withdrawing and adopting.


class CannotSupersede(Refusal):
    """Rulings would supersede each other, or a local ruling a published one."""


@transaction.atomic
def set_superseded(ruling: Ruling, others: Iterable[Ruling]) -> None:
    """Set the rulings that this ruling supersedes, replacing any others. Raises CannotSupersede."""
    # Serialise all changes in this game, because together they could create a cycle.
    of_game = RulingDocument.objects.filter(game=ruling.document.game)
    list(of_game.select_for_update().order_by("pk"))
    superseded = list(others)
    above = _rulings_above(ruling)
    for other in superseded:
        if reason := _objection(ruling, other, above):
            raise CannotSupersede(reason)
    ruling.supersedes.set(superseded)


@transaction.atomic
def set_superseded_and_withdrawn(
    ruling: Ruling, others: Iterable[Ruling], withdrawn_on: date | None
) -> None:
    set_superseded(ruling, others)
    withdraw_ruling(ruling, withdrawn_on)


def withdraw_ruling(ruling: Ruling, day: date | None) -> None:
    """Withdraw the ruling from that day on; None reinstates it."""
    ruling.withdrawn_on = day
    ruling.save(update_fields=["withdrawn_on"])


def adopt_ruling(ruling: Ruling, at: datetime | None) -> None:
    """Publish a local ruling; None limits it to the readers of its event again."""
    ruling.adopted_at = at
    ruling.save(update_fields=["adopted_at"])


def _objection(ruling: Ruling, other: Ruling, above: set[int]) -> str:
    if other.pk == ruling.pk:
        return gettext("A ruling cannot supersede itself. Write a new version of it instead.")
    if other.pk in above:
        return gettext("%(other)s already supersedes %(ruling)s.") % {
            "other": other.short_code,
            "ruling": ruling.short_code,
        }
    if other.document.game != ruling.document.game:
        return gettext("%(short_code)s is a ruling for another game.") % {
            "short_code": other.short_code
        }
    if ruling.document.is_local and not other.document.is_local:
        return gettext(
            "%(short_code)s applies everywhere, but a local ruling applies only at its event."
        ) % {"short_code": other.short_code}
    return ""


def _rulings_above(ruling: Ruling) -> set[int]:
    found: set[int] = set()
    step = {ruling.pk}
    while step:
        above = Ruling.objects.filter(supersedes__in=step).values_list("pk", flat=True)
        step = set(above) - found
        found |= step
    return found


# Notes of judges.


class EmptyNote(Refusal):
    pass


@transaction.atomic
def write_note(
    match: Match | None,
    author: User | None,
    text: str = "",
    cited: Sequence[RulingVersion] = (),
    kind: NoteKind = NoteKind.NOTE,
    *,
    practice: bool = False,
) -> JudgeNote:
    """Store a note and the ruling versions it cites, in order.

    Raises EmptyNote for a plain note without content; answers and penalties may have no text.
    Citations in `practice` are not counted.
    """
    words = text.strip()
    if kind is NoteKind.NOTE and not words and not cited:
        raise EmptyNote(gettext("Write a note or cite a ruling."))
    note = JudgeNote.objects.create(
        match=match, author=author, text=words, kind=kind, is_practice=practice
    )
    once = dict.fromkeys(version.pk for version in cited)
    NoteCitation.objects.bulk_create(
        NoteCitation(note=note, version_id=pk, position=position)
        for position, pk in enumerate(once, start=1)
    )
    return note
