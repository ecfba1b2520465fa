"""Judges write notes, and cite the rulings they rest on."""

from collections.abc import Sequence

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from players.models import User
from rulings.models import JudgeNote, NoteCitation, NoteKind, RulingVersion


class EmptyNote(Refusal):
    """A note with neither words nor a ruling."""


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
    """Keep what was said, and which versions of which rulings it rests on, in their order.

    A version never changes, so what was cited stays as it was read. A plain note refuses with
    EmptyNote when it holds nothing; an answer or a penalty may go without words. What is cited in
    `practice` counts nowhere. Who may write notes is for the caller to ask.
    """
    words = text.strip()
    if kind is NoteKind.NOTE and not words and not cited:
        raise EmptyNote("Write a note, or name the ruling it rests on.")
    note = JudgeNote.objects.create(
        match=match, author=author, text=words, kind=kind, is_practice=practice
    )
    once = dict.fromkeys(version.pk for version in cited)
    NoteCitation.objects.bulk_create(
        NoteCitation(note=note, version_id=pk, position=position)
        for position, pk in enumerate(once, start=1)
    )
    return note
