"""Period in which an unchanged list is legal in a format."""

import datetime
from itertools import takewhile

from decks.legality.anr import influence, pinned
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import FormatFacts, SnapshotFacts
from decks.legality.verdict import LegalSpan

ONE_DAY = datetime.timedelta(days=1)


def legal_span(deck: AnrDeck, format_: FormatFacts, date: datetime.date) -> LegalSpan | None:
    """Return the days around `date` on which lists and pools of the format allow the deck.

    `first` is the start of the run of legal snapshots. `last` is the day before the first later
    snapshot that breaks the deck, or None if there is none. Returns None if the deck is not legal
    on `date`. The construction rules are not checked, because they are the same on every day.
    """
    # Calculate influence once for all lists that do not change it.
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
