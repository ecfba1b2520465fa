"""Staff cite rulings in the notes of a match."""

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from players.models import User
from rulings.models import MatchNote, RulingVersion


class EmptyNote(Refusal):
    """A note with neither words nor a ruling."""

    code = "empty_note"


@transaction.atomic
def attach(
    match: Match, author: User | None, version: RulingVersion | None, text: str = ""
) -> MatchNote:
    """Note on a match what was said, and which version of which ruling it rests on.

    A version never changes, so what was cited stays as it was read. Refuses
    with EmptyNote. Who may write notes is for the caller to ask.
    """
    words = text.strip()
    if not words and version is None:
        raise EmptyNote("Write a note, or name the ruling it rests on.")
    return MatchNote.objects.create(match=match, author=author, text=words, cited=version)
