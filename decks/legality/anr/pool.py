"""Card pool checks: cards outside the pool, and copies beyond the contents of a box."""

from collections.abc import Iterator

from decks.legality import wording
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.formats import PoolFacts, SnapshotFacts
from decks.legality.records import Breach, CardFacts

ONE_BOX_FORMAT = "system_gateway"
# DECK_RULES 10: legal only in the System Gateway format, although the set is in many pools.
TEACHING_IDENTITIES = frozenset(
    {"the_catalyst_convention_breaker", "the_syndicate_profit_over_principle"}
)
TEACHING_RULE = "The teaching decks of System Gateway are for the System Gateway format only"


def breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Check every title, including the identity, against the pool and the size of its box."""
    for copies in deck.titles():
        yield from _outside(copies, snapshot)
    if snapshot.format_id == ONE_BOX_FORMAT:
        for copies in deck.copies.values():
            yield from _more_than_a_box(copies, snapshot)


def is_in(card: CardFacts, pool: PoolFacts) -> bool:
    """True if any printing of the card is in a set of the pool, so reprints count."""
    return any(printing.set_id in pool.set_ids for printing in card.printings)


def allows(card: CardFacts, snapshot: SnapshotFacts) -> bool:
    """True if the card is in the snapshot's pool. Teaching identities belong to one format only."""
    if card.card_id in TEACHING_IDENTITIES and snapshot.format_id != ONE_BOX_FORMAT:
        return False
    return is_in(card, snapshot.pool)


def _outside(copies: Copies, snapshot: SnapshotFacts) -> Iterator[Breach]:
    card = copies.card
    if allows(card, snapshot):
        return
    message = f"{card.title} is not in the card pool {snapshot.pool.name}."
    rule = pool_rule(snapshot)
    if is_in(card, snapshot.pool):
        message = f"{card.title} is an identity of the teaching decks of System Gateway."
        rule = f"{TEACHING_RULE}; {rule}"
    yield Breach("not_in_pool", message, _remedy(copies), copies.line, card.title, rule)


def _more_than_a_box(copies: Copies, snapshot: SnapshotFacts) -> Iterator[Breach]:
    card = copies.card
    sets = snapshot.pool.set_ids
    in_the_box = sum(one.quantity for one in card.printings if one.set_id in sets)
    # A card with no copy in the box is already reported as outside the pool.
    if not 0 < in_the_box < copies.quantity:
        return
    message = (
        f"{wording.copies(copies.quantity)} of {card.title}; one box holds"
        f" {wording.copies(in_the_box)}."
    )
    remedy = f"Take out {copies.quantity - in_the_box} of them."
    rule = f"System Gateway: no more copies than one box holds; {pool_rule(snapshot)}"
    yield Breach("too_many_for_the_box", message, remedy, copies.line, card.title, rule)


def _remedy(copies: Copies) -> str:
    if copies.card.is_identity:
        return "Choose an identity of the card pool, or another format."
    return f"Take out {wording.all_copies(copies.quantity)}, or choose another format."


def pool_rule(snapshot: SnapshotFacts) -> str:
    day = wording.day(snapshot.effective_from)
    return f"Card pool {snapshot.pool.name}, as of {day}"
