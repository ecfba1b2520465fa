"""A judged deck as pages show it."""

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
    """What `decks/_deck.html` lays out.

    `text` is the deck to copy, typed as by hand. `faction` and `format_name` are names for
    people and `span` says from when until when the deck is legal, empty where there is none;
    `influence` is spent on which factions, by name.
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
    """The deck taken apart, with the addresses of its cards; a constant number of queries."""
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
