"""Generate plausible legal lists for demonstrations and tests."""

import itertools
import random
from collections.abc import Iterable, Iterator

from decks.legality import anr_formats
from decks.legality.onr import BANNED_KEYS, agenda_minimum
from decks.legality.records import CardFacts, OnrRules, SnapshotFacts

ONR_SIZE = 45
ICEBREAKERS = 9
RUNNER_PLAN = {"program": 8, "prep": 14, "resource": 7, "hardware": 7}
CORP_PLAN = {"ice": 18, "operation": 8, "node": 6}
SampleSlots = list[tuple[CardFacts, int]]


# Netrunner (1996)


def sample_onr_deck(side: str, rng: random.Random, cards: Iterable[CardFacts]) -> str:
    """Return a list of 45 cards without banned cards, which is legal under every setting."""
    pool = [card for card in cards if card.side == side and card.title_key not in BANNED_KEYS]
    pool.sort(key=lambda card: card.title_key)
    rng.shuffle(pool)
    lines = []
    for heading, slots in _onr_sections(side, rng, pool):
        lines.append(f"{heading.capitalize()} ({_count_copies([slots])})")
        lines += [f"{copies} {card.title}" for card, copies in slots]
        lines.append("")
    return "\n".join(lines)


def _onr_sections(
    side: str, rng: random.Random, pool: list[CardFacts]
) -> Iterator[tuple[str, SampleSlots]]:
    if side == "corp":
        agendas = _draw_onr_agendas(rng, [card for card in pool if card.type == "agenda"])
        yield "agenda", agendas
        for type_, copies in CORP_PLAN.items():
            yield type_, _draw_exact(rng, [card for card in pool if card.type == type_], copies)
        rest = ONR_SIZE - _count_copies([agendas]) - sum(CORP_PLAN.values())
        yield "upgrade", _draw_exact(rng, [card for card in pool if card.type == "upgrade"], rest)
        return
    breakers = [card for card in pool if "Icebreaker" in card.subtypes]
    yield "icebreakers", _draw_exact(rng, breakers, ICEBREAKERS)
    others = [card for card in pool if "Icebreaker" not in card.subtypes]
    for type_, copies in RUNNER_PLAN.items():
        yield type_, _draw_exact(rng, [card for card in others if card.type == type_], copies)


def _draw_exact(rng: random.Random, cards: Iterable[CardFacts], copies: int) -> SampleSlots:
    slots = _draw_up_to(rng, cards, copies, fewest=1)
    if _count_copies([slots]) < copies:
        raise ValueError("The card table is too small for a sample deck.")
    return slots


def _draw_onr_agendas(rng: random.Random, agendas: Iterable[CardFacts]) -> SampleSlots:
    """Draw agendas of 2 and 3 points, the usual choice, until the deck has enough."""
    slots: SampleSlots = []
    missing = agenda_minimum(ONR_SIZE, OnrRules())
    for card in agendas:
        if card.agenda_points not in {2, 3}:
            continue
        number = min(rng.randint(1, 3), -(-missing // card.agenda_points))
        slots.append((card, number))
        missing -= number * card.agenda_points
        if missing <= 0:
            return slots
    raise ValueError("The card table has too few agendas for a sample deck.")


# Android: Netrunner, mostly from one faction and neutral cards


ANR_PLANS = {
    "corp": {"ice": 17, "operation": 8, "asset": 7, "upgrade": 3},
    "runner": {"program": 14, "event": 14, "hardware": 7, "resource": 10},
}


def sample_anr_deck(
    side: str, rng: random.Random, cards: Iterable[CardFacts], snapshot: SnapshotFacts | None
) -> str:
    """Return a list of the minimum size that spends influence only if necessary."""
    pool = [
        card
        for card in cards
        if card.side == side
        and (snapshot is None or anr_formats.card_status(card, snapshot).status == "legal")
    ]
    pool.sort(key=lambda card: card.title_key)
    rng.shuffle(pool)
    # Identities without an influence limit belong to drafts, teaching and singleton decks.
    identities = [card for card in pool if card.is_identity and card.influence_limit is not None]
    # Small pools need every copy; otherwise prefer few copies of many cards for variety.
    for fewest, identity in itertools.product((1, 3), identities):
        if sections := _anr_sections(rng, identity, pool, fewest):
            lines = [identity.title]
            for type_, slots in sections.items():
                if slots:
                    lines += ["", f"{type_.capitalize()} ({_count_copies([slots])})"]
                    lines += [f"{copies} {card.title}" for card, copies in slots]
            return "\n".join([*lines, ""])
    raise ValueError("The card table is too small for a sample deck.")


def _anr_sections(
    rng: random.Random, identity: CardFacts, pool: list[CardFacts], fewest: int
) -> dict[str, SampleSlots] | None:
    free = [card for card in pool if _costs_no_influence(card, identity)]
    size = identity.minimum_deck_size or 45
    sections: dict[str, SampleSlots] = {}
    if identity.side == "corp":
        agendas = _draw_anr_agendas(rng, [card for card in free if card.type == "agenda"], size)
        if agendas is None:
            return None
        sections["agenda"] = agendas
    for type_, most in ANR_PLANS[identity.side].items():
        missing = size - _count_copies(sections.values())
        of_type = (card for card in free if card.type == type_)
        sections[type_] = _draw_up_to(rng, of_type, min(most, missing), fewest)
    used = {card for slots in sections.values() for card, _ in slots}
    rest = [card for card in pool if card not in used and card.type in ANR_PLANS[identity.side]]
    for card, copies in _fill_up(identity, rest, size - _count_copies(sections.values())):
        sections[card.type].append((card, copies))
    return sections if _count_copies(sections.values()) == size else None


def _fill_up(
    identity: CardFacts, cards: list[CardFacts], missing: int
) -> Iterator[tuple[CardFacts, int]]:
    """Yield up to `missing` copies: free cards first, then others within the influence limit."""
    influence = identity.influence_limit or 0
    for card in sorted(cards, key=lambda card: not _costs_no_influence(card, identity)):
        cost = 0 if _costs_no_influence(card, identity) else card.influence_cost
        if missing == 0 or cost is None or cost > influence:
            continue
        affordable = influence // cost if cost else missing
        number = min(_max_copies(card), missing, affordable)
        missing -= number
        influence -= number * cost
        yield card, number


def _costs_no_influence(card: CardFacts, identity: CardFacts) -> bool:
    if card.is_identity:
        return False
    if card.faction == identity.faction:
        return True
    return card.faction == f"neutral_{card.side}" and not card.influence_cost


def _max_copies(card: CardFacts) -> int:
    """Return the copy limit, but not more than the copies in a box."""
    in_a_box = max((printing.quantity for printing in card.printings), default=3)
    return min(3, card.deck_limit or 3, in_a_box)


def _draw_anr_agendas(
    rng: random.Random, agendas: list[CardFacts], size: int
) -> SampleSlots | None:
    """Draw agendas with the required points for the deck size, or one point more."""
    least = 2 * (size // 5) + 2
    missing, slots = least, []
    for card in agendas:
        if not card.agenda_points:
            continue
        most = min(_max_copies(card), (missing + 1) // card.agenda_points)
        if most > 0:
            number = rng.randint(1, most)
            slots.append((card, number))
            missing -= number * card.agenda_points
        if missing <= 0:
            return slots
    return None


def _draw_up_to(
    rng: random.Random, cards: Iterable[CardFacts], most: int, fewest: int
) -> SampleSlots:
    """Draw up to `most` copies in total, and at least `fewest` of each card if legal."""
    slots: SampleSlots = []
    for card in cards:
        if most <= 0:
            break
        copies = _max_copies(card)
        number = min(rng.randint(min(fewest, copies), copies), most)
        slots.append((card, number))
        most -= number
    return slots


def _count_copies(sections: Iterable[SampleSlots]) -> int:
    return sum(number for slots in sections for _, number in slots)


def sample_deck(
    side: str,
    rng: random.Random,
    cards: Iterable[CardFacts],
    snapshot: SnapshotFacts | None = None,
) -> str:
    """Return a legal list, in pasted form. Raises ValueError for too few cards.

    The same seed produces the same list, in any order of the cards. An `anr` list is legal by the
    basic rules, and under `snapshot` if given.
    """
    cards = tuple(cards)
    if any(card.is_identity for card in cards):
        return sample_anr_deck(side, rng, cards, snapshot)
    return sample_onr_deck(side, rng, cards)
