"""Fetching a deck from NetrunnerDB by its address."""

import json

from core import outgoing
from core.json_guard import NotJson
from core.outgoing import OutgoingRefused
from decks import netrunnerdb
from decks.formats.plain_text import MAX_BYTES
from decks.netrunnerdb import GetJson

INSTEAD = "Paste the list instead, or choose its file."


class DeckNotFetched(OutgoingRefused):
    """NetrunnerDB gave no deck; the text says why and what to do instead."""

    code = "deck_not_fetched"


def fetch_deck(address: str, get: GetJson = outgoing.get_json) -> str:
    """The deck of a NetrunnerDB address, id or UUID as JSON text, ready to be read like a paste.

    Raises netrunnerdb.NotADeckAddress, DeckNotThere and StrangeAnswer, and DeckNotFetched.
    """
    wanted = netrunnerdb.deck_address(address)
    try:
        deck = netrunnerdb.deck(wanted, get)
    except outgoing.Unreachable as error:
        reason = "NetrunnerDB cannot be reached from here"
        raise DeckNotFetched(f"{reason}: there may be no internet. {INSTEAD}") from error
    except outgoing.TooSlow as error:
        raise DeckNotFetched(f"NetrunnerDB takes too long to answer. {INSTEAD}") from error
    except (OutgoingRefused, NotJson) as error:
        reason = str(error).rstrip(".")
        raise DeckNotFetched(f"NetrunnerDB gave no deck: {reason}. {INSTEAD}") from error
    return _as_text(dict(deck))


def _as_text(deck: dict[str, object]) -> str:
    """The deck in its envelope; without its story where that would make it too long to read."""
    text = _written(deck)
    if len(text.encode()) > MAX_BYTES:
        text = _written({key: value for key, value in deck.items() if key != "description"})
    return text


def _written(deck: dict[str, object]) -> str:
    envelope = {"data": [deck], "total": 1, "success": True, "version_number": "2.0"}
    return json.dumps(envelope, ensure_ascii=False, indent=1)
