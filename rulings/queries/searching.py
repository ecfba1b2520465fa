"""Full search for page and API: boosts named cards, corrects typos, reports the match level."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import QuerySet

from rulings.models import Ruling
from rulings.queries import names
from rulings.search import Found, Reach, search
from rulings.words import folded_words


@dataclass(frozen=True)
class Answer:
    """Search result: keys, best first, and the search words used."""

    found: Found
    words: str
    is_corrected: bool = False


def best_matches(typed: str, among: QuerySet[Ruling], cards: Collection[int] = ()) -> Answer:
    """Search for the words; if no ruling has them all, retry with corrected spelling.

    `cards` are primary keys of cards whose rulings rank first, like those named in the text.
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
