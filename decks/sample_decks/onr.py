"""Legal `onr` lists of 45 cards."""

import random
from collections.abc import Iterable, Iterator

from decks.legality.onr import BANNED_KEYS, agenda_minimum
from decks.legality.records import CardFacts, OnrRules

SIZE = 45
ICEBREAKERS = 9
RUNNER_PLAN = {"program": 8, "prep": 14, "resource": 7, "hardware": 7}
CORP_PLAN = {"ice": 18, "operation": 8, "node": 6}
Slots = list[tuple[CardFacts, int]]


def sample_deck(side: str, rng: random.Random, cards: Iterable[CardFacts]) -> str:
    """Return a legal list of 45 cards, in pasted form.

    `cards` is the whole card table, in any order; the same seed produces the same list. Banned
    cards are excluded, so the list is legal under every setting. Raises ValueError if the table is
    too small.
    """
    pool = [card for card in cards if card.side == side and card.title_key not in BANNED_KEYS]
    pool.sort(key=lambda card: card.title_key)
    rng.shuffle(pool)
    sections = _corp_sections(rng, pool) if side == "corp" else _runner_sections(rng, pool)
    return "\n".join(line for heading, slots in sections for line in _section(heading, slots))


def _runner_sections(rng: random.Random, pool: list[CardFacts]) -> Iterator[tuple[str, Slots]]:
    breakers = [card for card in pool if "Icebreaker" in card.subtypes]
    yield "icebreakers", _draw(rng, breakers, ICEBREAKERS)
    others = [card for card in pool if "Icebreaker" not in card.subtypes]
    for type_, copies in RUNNER_PLAN.items():
        yield type_, _draw(rng, [card for card in others if card.type == type_], copies)


def _corp_sections(rng: random.Random, pool: list[CardFacts]) -> Iterator[tuple[str, Slots]]:
    agendas = _draw_agendas(rng, [card for card in pool if card.type == "agenda"])
    yield "agenda", agendas
    for type_, copies in CORP_PLAN.items():
        yield type_, _draw(rng, [card for card in pool if card.type == type_], copies)
    rest = SIZE - sum(copies for _, copies in agendas) - sum(CORP_PLAN.values())
    yield "upgrade", _draw(rng, [card for card in pool if card.type == "upgrade"], rest)


def _draw(rng: random.Random, cards: Iterable[CardFacts], copies: int) -> Slots:
    slots: Slots = []
    for card in cards:
        if copies == 0:
            return slots
        number = min(rng.randint(1, 3), copies)
        slots.append((card, number))
        copies -= number
    if copies:
        raise ValueError("The card table is too small for a sample deck.")
    return slots


def _draw_agendas(rng: random.Random, agendas: Iterable[CardFacts]) -> Slots:
    """Draw agendas of 2 and 3 points, the usual choice, until the deck has enough."""
    slots: Slots = []
    missing = agenda_minimum(SIZE, OnrRules())
    for card in agendas:
        if card.agenda_points not in {2, 3}:
            continue
        number = min(rng.randint(1, 3), -(-missing // card.agenda_points))
        slots.append((card, number))
        missing -= number * card.agenda_points
        if missing <= 0:
            return slots
    raise ValueError("The card table has too few agendas for a sample deck.")


def _section(heading: str, slots: Slots) -> Iterator[str]:
    yield f"{heading.capitalize()} ({sum(copies for _, copies in slots)})"
    yield from (f"{copies} {card.title}" for card, copies in slots)
    yield ""
