"""Deck rules of Netrunner (1996); breaches are in arbitrary order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from core.text import comparison_key
from decks.legality.check_texts import check_text
from decks.legality.records import Breach, CardFacts, CardSlot, OnrRules, agenda_points_of, size_of

CONSTRUCTED_MINIMUM = 45
BANNED_TITLES = ("Tycho Extension", "Enterprise, Inc., Shields")
BANNED_KEYS = frozenset(comparison_key(title) for title in BANNED_TITLES)


def agenda_minimum(size: int, rules: OnrRules) -> int:
    """2 for every 5 cards or part of 5 (45: 18, 46 to 50: 20), or exactly two fifths (46: 19)."""
    if rules.exact_ratio:
        return -(-2 * size // 5)
    return 2 * -(-size // 5)


def onr_breaches(
    side: str, slots: Sequence[CardSlot], rules: OnrRules, unread: int = 0
) -> Iterator[Breach]:
    """`unread` copies, on lines without a known card, do not count."""
    yield from size_breaches(side, slots, rules, unread)
    if side == "corp":
        yield from agenda_breaches(slots, rules)
    yield from side_breaches(side, slots)
    if rules.ban_list:
        yield from ban_breaches(slots)


def size_breaches(
    side: str, slots: Sequence[CardSlot], rules: OnrRules, unread: int = 0
) -> Iterator[Breach]:
    """Check the minimum: 45 (Corp: rulebook; Runner: rulings v1.62) unless the event sets it."""
    size, minimum = size_of(slots), rules.minimum(side)
    if size >= minimum:
        return
    problem = [check_text("side_deck_size", size=size, side=side, minimum=minimum)]
    if unread:
        problem.append(check_text("unread_copies", copies=unread))
    remedies = [check_text("add_cards", cards=minimum - size)]
    if side == "corp":
        points = agenda_minimum(minimum, rules)
        remedies.append(check_text("size_needs_points", minimum=minimum, points=points))
    rule = "rulings_size_rule" if side == "runner" else "rulebook_size_rule"
    if minimum != CONSTRUCTED_MINIMUM:
        rule = "event_size_rule"
    yield Breach("deck_size", tuple(problem), tuple(remedies), check_text(rule, minimum=minimum))


def agenda_breaches(slots: Sequence[CardSlot], rules: OnrRules) -> Iterator[Breach]:
    """Rulebook: 2 for every 5 cards or part of 5; `exact_ratio` is a setting of the event."""
    size, points = size_of(slots), agenda_points_of(slots)
    minimum = agenda_minimum(size, rules)
    if points >= minimum:
        return
    problem = check_text("agenda_points_minimum", points=points, size=size, minimum=minimum)
    remedy = check_text("swap_minimum_in", points=minimum - points)
    # The largest deck size for which these agenda points are enough.
    largest = 5 * points // 2 if rules.exact_ratio else 5 * (points // 2)
    if rules.corp_minimum <= largest < size:
        remedy = check_text(
            "swap_minimum_in_or_shrink", points=minimum - points, cards=size - largest
        )
    rule = "event_agenda_points_rule" if rules.exact_ratio else "rulebook_agenda_points_rule"
    yield Breach("agenda_points", (problem,), (remedy,), check_text(rule))


def side_breaches(side: str, slots: Sequence[CardSlot]) -> Iterator[Breach]:
    """Report each card of the wrong side once, at its first line. Rulebook: a deck has one side."""
    for card, (copies, line) in _by_card(slots).items():
        if card.side != side:
            problem = check_text(
                "card_of_other_side", card=card.title, side=card.side, deck_side=side
            )
            remedy = check_text("take_out_or_other_deck", copies=copies, side=card.side)
            rule = check_text("rulebook_side_rule")
            yield Breach("wrong_side", (problem,), (remedy,), rule, line, card.title)


def ban_breaches(slots: Sequence[CardSlot]) -> Iterator[Breach]:
    """Report each banned card once, at its first line: list of the Top Runners' Conference."""
    for card, (copies, line) in _by_card(slots).items():
        if card.title_key in BANNED_KEYS:
            problem = check_text("banned_at_event", card=card.title, copies=copies)
            remedy = check_text("take_out", copies=copies)
            rule = check_text("conference_list_rule")
            yield Breach("banned_card", (problem,), (remedy,), rule, line, card.title)


def _by_card(slots: Iterable[CardSlot]) -> dict[CardFacts, tuple[int, int | None]]:
    copies: dict[CardFacts, int] = defaultdict(int)
    first: dict[CardFacts, int | None] = {}
    for slot in slots:
        copies[slot.card] += slot.quantity
        first.setdefault(slot.card, slot.line)
    return {card: (copies[card], first[card]) for card in copies}
