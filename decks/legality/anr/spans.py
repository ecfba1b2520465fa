"""From when until when the same list is legal in a format."""

import datetime
from itertools import takewhile

from decks.legality.anr import influence, pinned
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import FormatFacts, SnapshotFacts
from decks.legality.verdict import LegalSpan

ONE_DAY = datetime.timedelta(days=1)


def legal_span(deck: AnrDeck, format_: FormatFacts, date: datetime.date) -> LegalSpan | None:
    """The days around `date` on which no list or pool of the format breaks the deck.

    `first` is the day the run of legal snapshots began; `last` the day before the first later
    one that breaks the deck, None while none is known. None if `date` itself is not legal.
    The rules of construction are not asked: they are the same on every day.
    """
    # Count influence once for all lists that change nothing about it.
    fits_printed = influence.excess(deck) <= 0

    def allows(snapshot: SnapshotFacts) -> bool:
        listed = snapshot.restriction
        if listed and listed.changes_influence:
            return pinned.allows(deck, snapshot)
        return fits_printed and next(pinned.breaches(deck, snapshot), None) is None

    begun = [one for one in format_.timeline if one.effective_from <= date]
    coming = format_.timeline[len(begun) :]
    legal = list(takewhile(allows, reversed(begun)))
    if not legal:
        return None
    breaking = (one for one in coming if not allows(one))
    end = next(breaking, None)
    return LegalSpan(legal[-1].effective_from, end.effective_from - ONE_DAY if end else None)
