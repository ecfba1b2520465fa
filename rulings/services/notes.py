"""Write judge notes with the rulings they cite."""

from collections.abc import Sequence

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from players.models import User
from rulings.models import JudgeNote, NoteCitation, NoteKind, RulingVersion


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
    Citations in `practice` are not counted. Callers check permissions.
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
