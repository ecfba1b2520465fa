"""Notices about changes for a deck between today and the day of the event."""

import datetime
from collections.abc import Iterator
from itertools import pairwise

from decks.legality import wording
from decks.legality.anr import pinned, pool, restrictions
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import FormatFacts, RestrictionFacts, SnapshotFacts
from decks.legality.records import CardFacts
from decks.legality.verdict import Notice

NO_LIST = RestrictionFacts("", "no list", datetime.date.min)


def notices(
    deck: AnrDeck, format_: FormatFacts, *, today: datetime.date, date: datetime.date
) -> Iterator[Notice]:
    """Yield notices for ban lists and pools that take effect after today and by `date`.

    Each affected card of the deck is named. A final notice is added if the verdict on the day of
    the event differs from today's. Changes after the event are ignored.
    """
    for before, after in pairwise(format_.timeline):
        if today < after.effective_from <= date:
            for copies in deck.titles():
                yield from _card_notices(copies.card, before, after, date)
    yield from _verdict_notice(deck, format_, today, date)


def _verdict_notice(
    deck: AnrDeck, format_: FormatFacts, today: datetime.date, date: datetime.date
) -> Iterator[Notice]:
    now, then = format_.on(today), format_.on(date)
    if today >= date or now is None or then is None or now is then:
        return
    legal_now, legal_then = pinned.allows(deck, now), pinned.allows(deck, then)
    if legal_now == legal_then:
        return
    words = ("legal", "not legal") if legal_now else ("not legal", "legal")
    yield Notice(
        "verdict_changes",
        f"By the lists of {format_.name} this deck is {words[0]} today, {wording.day(today)},"
        f" and {words[1]} on {wording.day(date)}.",
    )


def _card_notices(
    card: CardFacts, before: SnapshotFacts, after: SnapshotFacts, date: datetime.date
) -> Iterator[Notice]:
    listed = list(_list_changes(card, before.restriction or NO_LIST, after.restriction or NO_LIST))
    pooled = list(_pool_changes(card, before, after))
    list_name = after.restriction.name if after.restriction else "Play without a ban list"
    for name, changes in ((list_name, listed), (f"Card pool {after.pool.name}", pooled)):
        if changes:
            beginning = _beginning(name, after.effective_from, date)
            yield Notice(
                "list_takes_effect",
                f"{beginning}: {card.title} {wording.listing(changes)}.",
                card.title,
                beginning,
            )


def _beginning(name: str, begins: datetime.date, date: datetime.date) -> str:
    if begins == date:
        return f"{name} takes effect on {wording.day(begins)}, the day of the event"
    return f"{name} takes effect on {wording.day(begins)}, before the event on {wording.day(date)}"


def _pool_changes(card: CardFacts, before: SnapshotFacts, after: SnapshotFacts) -> Iterator[str]:
    was, is_ = pool.allows(card, before), pool.allows(card, after)
    if was != is_:
        yield "will be in the pool" if is_ else "will no longer be in the pool"


def _list_changes(
    card: CardFacts, before: RestrictionFacts, after: RestrictionFacts
) -> Iterator[str]:
    """Describe the changes for the card from one list to the next, as sentence endings."""
    was, is_ = restrictions.is_banned(card, before), restrictions.is_banned(card, after)
    if was != is_:
        yield "will be banned" if is_ else "will no longer be banned"
    was, is_ = card.card_id in before.restricted, card.card_id in after.restricted
    if was != is_:
        yield "will be restricted" if is_ else "will no longer be restricted"
    for measure, then, now in (
        ("cost {} points", before.points, after.points),
        ("cost {} more influence a copy", before.universal_influence, after.universal_influence),
        ("lower the influence limit by {} a copy", before.global_penalty, after.global_penalty),
    ):
        old, new = then.get(card.card_id, 0), now.get(card.card_id, 0)
        if old != new:
            yield f"will {measure.format(new)} instead of {old}"
