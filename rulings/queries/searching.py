"""What a search comes to, on the page and in the API: own cards, slips, and how far it reached."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import QuerySet

from rulings.models import Ruling
from rulings.queries import names
from rulings.search import Found, Reach, search
from rulings.words import folded_words


@dataclass(frozen=True)
class Answer:
    """What a search came to: keys, best first, and the words they were found by."""

    found: Found
    words: str
    is_corrected: bool = False


def best_matches(typed: str, among: QuerySet[Ruling], cards: Collection[int] = ()) -> Answer:
    """Rulings with the words; where none has them all, those with the words that were meant.

    `cards` are primary keys of cards whose rulings go first, beside those that are typed.
    """
    titles = names.titles()
    found = search(typed, among, {*cards, *titles.named_in(typed)})
    if found.ids and found.reach is not Reach.ANY:
        return Answer(found, typed)
    words = titles.corrected(typed) or names.vocabulary().mended(folded_words(typed))
    meant = search(words, among, {*cards, *titles.named_in(words)}) if words else Found([])
    if meant.ids and meant.reach is not Reach.ANY:
        return Answer(meant, words, is_corrected=True)
    return Answer(found, typed)
