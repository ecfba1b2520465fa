"""Choose the identity to check a list with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.text import ended
from decks.legality import lines as deck_lines
from decks.legality.card_table import CardTable
from decks.legality.line_faults import IDENTITY
from decks.legality.lines import ResolvedLine
from decks.legality.records import Breach, CardFacts


@dataclass(frozen=True)
class ChosenIdentity:
    """The identity of the list or the one given separately, with its breaches."""

    card: CardFacts | None
    line: int | None
    breaches: tuple[Breach, ...]


def choose(lines: Sequence[ResolvedLine], table: CardTable, asked: str) -> ChosenIdentity:
    """Return the identity given by title, card id or printing, otherwise that of the list.

    Nothing is guessed: an unknown identity, or a contradiction with the list, is a breach.
    """
    listed = deck_lines.identity_of(lines)
    breaches = list(deck_lines.identity_breaches(lines))
    if not asked.strip():
        card, line = (listed.card, listed.line.number) if listed else (None, None)
        return ChosenIdentity(card, line, tuple(breaches))
    given = _find(asked, table)
    # The given identity replaces the missing one.
    breaches = [one for one in breaches if one.code != "no_identity"]
    if given is None or not given.is_identity:
        breaches.append(_unknown(asked, given, table))
        given = listed.card if listed else None
    breaches.extend(_another(listed, given))
    line = listed.line.number if listed and listed.card == given else None
    return ChosenIdentity(given, line, tuple(breaches))


def _find(asked: str, table: CardTable) -> CardFacts | None:
    name = asked.strip()
    return table.find(name) or table.by_card_id(name) or table.by_code(name)


def _unknown(asked: str, found: CardFacts | None, table: CardTable) -> Breach:
    message = f'No identity is called "{asked.strip()}".'
    nearest = "; ".join(table.nearest_identities(asked))
    remedy = f"{ended(f'Nearest titles: {nearest}')} Give the full title."
    if found:
        message = f"{found.title} is not an identity; its type is {found.type}."
        remedy = "Give the full title of the identity."
    return Breach("unknown_identity", message, remedy, card=asked.strip(), rule=IDENTITY)


def _another(listed: ResolvedLine | None, given: CardFacts | None) -> Iterator[Breach]:
    if listed and listed.card and given and listed.card != given:
        yield Breach(
            "other_identity",
            ended(f"The list names {listed.card.title}, but it was handed in with {given.title}"),
            "Choose one of them; the list is judged with the one it was handed in with.",
            listed.line.number,
            listed.card.title,
            IDENTITY,
        )
