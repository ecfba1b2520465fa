"""A checked deck for display on a page."""

from dataclasses import dataclass

from decks import queries
from decks.catalogue import format_table
from decks.composition import Composition, composition
from decks.formats import writers
from decks.formats.writers import ExportForm
from decks.legality.verdict import Verdict
from decks.services.exporting import restriction_of, written_deck


@dataclass(frozen=True)
class ShownDeck:
    """Context of `decks/_deck.html`.

    `text` is the deck as plain text to copy. `faction` and `format_name` are display names and
    `span` describes the legal period; all are empty if not applicable. `influence` is the influence
    spent by faction name.
    """

    verdict: Verdict
    composition: Composition
    title: str
    text: str
    faction: str
    format_name: str
    span: str
    influence: tuple[tuple[str, int], ...]


def shown_deck(verdict: Verdict, title: str = "") -> ShownDeck:
    """Build the context, including card URLs, in a constant number of queries."""
    cards = {slot.card.id for slot in verdict.slots}
    if verdict.identity:
        cards.add(verdict.identity.id)
    parts = composition(verdict, restriction_of(verdict), queries.addresses_of(cards))
    deck = written_deck(verdict, title)
    factions = queries.faction_names(verdict.game)
    spent = parts.influence.by_faction if parts.influence else ()
    return ShownDeck(
        verdict=verdict,
        composition=parts,
        title=deck.name,
        text=writers.write(ExportForm.PLAIN_TEXT, deck),
        faction=factions.get(verdict.identity.faction, "") if verdict.identity else "",
        format_name=_format_name(verdict),
        span=verdict.span.in_words() if verdict.span else "",
        influence=tuple((factions.get(faction, faction), cost) for faction, cost in spent),
    )


def _format_name(verdict: Verdict) -> str:
    found = format_table(verdict.game).find(verdict.format_id) if verdict.format_id else None
    return found.name if found else ""
