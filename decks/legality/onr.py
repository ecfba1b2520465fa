"""Deck rules of Netrunner (1996); breaches are in arbitrary order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from core.text import comparison_key
from decks.legality import wording
from decks.legality.records import Breach, CardFacts, CardSlot, OnrRules, agenda_points_of, size_of

CONSTRUCTED_MINIMUM = 45
RULEBOOK = "Netrunner rulebook (1996), deck construction"
ONE_SIDE_RULE = f"{RULEBOOK}: the cards of a deck are of one side"
RULINGS = "Netrunner rulings v1.62, Deck Construction (Wendy Wallace, 29 April 1996)"
EVENT_RULES = "Deck rules of this event"
CONFERENCE_LIST = "Top Runners' Conference ban list"

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
    message = f"{wording.cards(size)}; a {wording.SIDE_NAMES[side]} deck has at least {minimum}."
    if unread:
        message += f" {unread} more on lines that name no known card do not count."
    remedy = f"Add {wording.cards(minimum - size)}."
    if side == "corp":
        remedy += f" A deck of {minimum} needs {agenda_minimum(minimum, rules)} agenda points."
    source = RULINGS if side == "runner" else RULEBOOK
    if minimum != CONSTRUCTED_MINIMUM:
        source = EVENT_RULES
    yield Breach("deck_size", message, remedy, rule=f"{source}: at least {minimum} cards")


def agenda_breaches(slots: Sequence[CardSlot], rules: OnrRules) -> Iterator[Breach]:
    """Rulebook: 2 for every 5 cards or part of 5; `exact_ratio` is a setting of the event."""
    size, points = size_of(slots), agenda_points_of(slots)
    minimum = agenda_minimum(size, rules)
    if points >= minimum:
        return
    message = f"{wording.points(points)} in {wording.cards(size)}; {minimum} are needed."
    remedy = f"Add {wording.points(minimum - points)} in place of other cards."
    # The largest deck size for which these agenda points are enough.
    largest = 5 * points // 2 if rules.exact_ratio else 5 * (points // 2)
    if rules.corp_minimum <= largest < size:
        remedy = f"{remedy[:-1]}, or take out {wording.cards(size - largest)} other than agendas."
    rule = f"{RULEBOOK}: 2 agenda points for every 5 cards or part of 5"
    if rules.exact_ratio:
        rule = f"{EVENT_RULES}: 2 agenda points in 5 cards, rounded up"
    yield Breach("agenda_points", message, remedy, rule=rule)


def side_breaches(side: str, slots: Sequence[CardSlot]) -> Iterator[Breach]:
    """Report each card of the wrong side once, at its first line. Rulebook: a deck has one side."""
    for card, (copies, line) in _by_card(slots).items():
        if card.side != side:
            wrong, right = wording.SIDE_NAMES[card.side], wording.SIDE_NAMES[side]
            message = f"{card.title} is a {wrong} card; this is a {right} deck."
            remedy = f"Take out {wording.all_copies(copies)}, or hand it in with the {wrong} deck."
            yield Breach("wrong_side", message, remedy, line, card.title, ONE_SIDE_RULE)


def ban_breaches(slots: Sequence[CardSlot]) -> Iterator[Breach]:
    """Report each banned card once, at its first line: list of the Top Runners' Conference."""
    for card, (copies, line) in _by_card(slots).items():
        if card.title_key in BANNED_KEYS:
            message = f"{card.title} is banned at this event; the list has {copies}."
            remedy = f"Take out {wording.all_copies(copies)}."
            yield Breach("banned_card", message, remedy, line, card.title, CONFERENCE_LIST)


def _by_card(slots: Iterable[CardSlot]) -> dict[CardFacts, tuple[int, int | None]]:
    copies: dict[CardFacts, int] = defaultdict(int)
    first: dict[CardFacts, int | None] = {}
    for slot in slots:
        copies[slot.card] += slot.quantity
        first.setdefault(slot.card, slot.line)
    return {card: (copies[card], first[card]) for card in copies}
