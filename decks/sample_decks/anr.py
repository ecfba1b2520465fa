"""Legal `anr` lists, mostly from one faction and neutral cards."""

import itertools
import random
from collections.abc import Iterable, Iterator

from decks.legality.anr import standing
from decks.legality.formats import SnapshotFacts
from decks.legality.records import CardFacts

PLANS = {
    "corp": {"ice": 17, "operation": 8, "asset": 7, "upgrade": 3},
    "runner": {"program": 14, "event": 14, "hardware": 7, "resource": 10},
}
Slots = list[tuple[CardFacts, int]]


def sample_deck(
    side: str, rng: random.Random, cards: Iterable[CardFacts], snapshot: SnapshotFacts | None
) -> str:
    """Return a list of the minimum size that spends influence only if necessary.

    Cards on the ban list of the snapshot are never used. Raises ValueError if no identity has
    enough cards.
    """
    pool = sorted(_pool(side, cards, snapshot), key=lambda card: card.title_key)
    rng.shuffle(pool)
    # Identities without an influence limit belong to drafts, teaching and singleton decks.
    identities = [one for one in pool if one.is_identity and one.influence_limit is not None]
    # Small pools need every copy; otherwise prefer few copies of many cards for variety.
    for fewest, identity in itertools.product((1, 3), identities):
        if sections := _sections(rng, identity, pool, fewest):
            return "\n".join(_lines(identity, sections))
    raise ValueError("The card table is too small for a sample deck.")


def _pool(
    side: str, cards: Iterable[CardFacts], snapshot: SnapshotFacts | None
) -> Iterator[CardFacts]:
    for card in cards:
        if card.side != side:
            continue
        if snapshot is None or standing.saying(card, snapshot).status == "legal":
            yield card


def _sections(
    rng: random.Random, identity: CardFacts, pool: list[CardFacts], fewest: int
) -> dict[str, Slots] | None:
    free = [card for card in pool if _is_free(card, identity)]
    size = identity.minimum_deck_size or 45
    sections: dict[str, Slots] = {}
    if identity.side == "corp":
        agendas = _agendas(rng, [card for card in free if card.type == "agenda"], size)
        if agendas is None:
            return None
        sections["agenda"] = agendas
    for type_, most in PLANS[identity.side].items():
        missing = size - _copies(sections.values())
        of_type = (card for card in free if card.type == type_)
        sections[type_] = _draw(rng, of_type, min(most, missing), fewest)
    used = {card for slots in sections.values() for card, _ in slots}
    rest = [card for card in pool if card not in used and card.type in PLANS[identity.side]]
    for card, copies in _fill(identity, rest, size - _copies(sections.values())):
        sections[card.type].append((card, copies))
    return sections if _copies(sections.values()) == size else None


def _fill(
    identity: CardFacts, cards: list[CardFacts], missing: int
) -> Iterator[tuple[CardFacts, int]]:
    """Yield up to `missing` copies: free cards first, then others within the influence limit."""
    influence = identity.influence_limit or 0
    for card in sorted(cards, key=lambda card: not _is_free(card, identity)):
        cost = 0 if _is_free(card, identity) else card.influence_cost
        if missing == 0 or cost is None or cost > influence:
            continue
        affordable = influence // cost if cost else missing
        number = min(_most_copies(card), missing, affordable)
        missing -= number
        influence -= number * cost
        yield card, number


def _is_free(card: CardFacts, identity: CardFacts) -> bool:
    if card.is_identity:
        return False
    if card.faction == identity.faction:
        return True
    return card.faction == f"neutral_{card.side}" and not card.influence_cost


def _most_copies(card: CardFacts) -> int:
    """Return the copy limit, but not more than the copies in a box."""
    in_a_box = max((one.quantity for one in card.printings), default=3)
    return min(3, card.deck_limit or 3, in_a_box)


def _agendas(rng: random.Random, agendas: list[CardFacts], size: int) -> Slots | None:
    """Draw agendas with the required points for the deck size, or one point more."""
    least = 2 * (size // 5) + 2
    missing, slots = least, []
    for card in agendas:
        if not card.agenda_points:
            continue
        most = min(_most_copies(card), (missing + 1) // card.agenda_points)
        if most > 0:
            number = rng.randint(1, most)
            slots.append((card, number))
            missing -= number * card.agenda_points
        if missing <= 0:
            return slots
    return None


def _draw(rng: random.Random, cards: Iterable[CardFacts], most: int, fewest: int) -> Slots:
    """Draw up to `most` copies in total, and at least `fewest` of each card if legal."""
    slots: Slots = []
    for card in cards:
        if most <= 0:
            break
        copies = _most_copies(card)
        number = min(rng.randint(min(fewest, copies), copies), most)
        slots.append((card, number))
        most -= number
    return slots


def _copies(sections: Iterable[Slots]) -> int:
    return sum(number for slots in sections for _, number in slots)


def _lines(identity: CardFacts, sections: dict[str, Slots]) -> Iterator[str]:
    yield identity.title
    for type_, slots in sections.items():
        if slots:
            yield ""
            yield f"{type_.capitalize()} ({_copies([slots])})"
            yield from (f"{number} {card.title}" for card, number in slots)
    yield ""
