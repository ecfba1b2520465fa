"""Check a list of Netrunner (1996)."""

from decks.formats import deck_text
from decks.legality import line_faults, onr
from decks.legality import lines as deck_lines
from decks.legality.records import OnrRules, agenda_points_of, size_of
from decks.legality.verdict import Verdict, in_order, line_verdicts
from decks.models import Side
from decks.services.sides import ReadList, side_of_most


def verdict(listed: ReadList, rules: OnrRules) -> Verdict:
    """Check the list against the deck rules of the event. Raises SideUnclear."""
    deck, lines = listed.deck, listed.lines
    slots = deck_lines.slots_of(lines)
    side = listed.side or side_of_most(listed, slots)
    size = size_of(slots)
    unread = deck_lines.unread_copies(lines)
    of_rules = (
        onr.breaches(side, slots, rules, unread) if side else [line_faults.side_unclear(size // 2)]
    )
    breaches = tuple(of_rules)
    return Verdict(
        game=listed.game,
        side=side,
        date=listed.date,
        text=deck.text,
        seal=deck_text.seal(listed.game, side, deck_lines.canonical_entries(lines)),
        size=size,
        agenda_points=agenda_points_of(slots),
        agenda_minimum=onr.agenda_minimum(size, rules) if side == Side.CORP else None,
        slots=slots,
        lines=line_verdicts(lines, breaches),
        breaches=in_order([*deck_lines.breaches(deck, lines), *breaches]),
        form=deck.form,
        name=deck_lines.deck_name(deck, lines),
        notes=deck.notes,
        resolved=lines,
    )
