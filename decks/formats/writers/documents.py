"""JSON exports: NetrunnerDB v2 and v3, and meteor.

Source: INTEROP sections 4, 5 and 7.
"""

import html
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from decks.formats.writers.records import WrittenCard, WrittenDeck
from decks.titles import folded_title


def netrunnerdb_v2(deck: WrittenDeck) -> str:
    """Render the response of the v2 API: copies by printing code, including the identity."""
    cards = [*([deck.identity] if deck.identity else []), *deck.cards]
    decklist = {
        "name": deck.name,
        # NetrunnerDB stores HTML in this field.
        "description": html.escape(deck.notes, quote=False),
        "mwl_code": None,
        "cards": _copies(cards, lambda card: card.code),
    }
    answer = {"data": [decklist], "total": 1, "success": True, "version_number": "2.0"}
    return _document(answer)


def netrunnerdb_v3(deck: WrittenDeck) -> str:
    """Render the response of the v3 API: copies by card id, without printings."""
    identity = deck.identity
    attributes = {
        "name": deck.name,
        "notes": deck.notes,
        "side_id": deck.side,
        "identity_card_id": identity.card_id if identity else None,
        "faction_id": identity.faction if identity else None,
        "card_slots": _copies(deck.cards, lambda card: card.card_id),
        "num_cards": deck.size,
        "influence_spent": deck.totals.influence_spent,
    }
    return _document({"data": {"type": "decklists", "attributes": attributes}})


def meteor(deck: WrittenDeck) -> str:
    """Render the format of jinteki.net's predecessor: copies by slug."""
    entry = {
        "name": deck.name,
        "identity": _slug(deck.identity) if deck.identity else None,
        "entries": _copies(deck.cards, _slug),
    }
    return _document({"decks": [entry]})


def _copies(cards: Iterable[WrittenCard], key: Callable[[WrittenCard], str]) -> dict[str, int]:
    copies: dict[str, int] = defaultdict(int)
    for card in cards:
        copies[key(card)] += card.quantity
    return dict(copies)


def _slug(card: WrittenCard) -> str:
    name = card.card_id.replace("_", " ") or folded_title(card.title)
    return name.replace(" ", "-")


def _document(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"
