"""Fetch a deck from NetrunnerDB by its address."""

import json
from collections.abc import Mapping
from functools import partial

from core import outgoing_requests, outside_transaction, rate_limits
from core.json_guard import Json, NotJson
from core.outgoing_requests import OutgoingRefused
from decks import netrunnerdb
from decks.formats.plain_text import MAX_BYTES
from decks.netrunnerdb import DeckAddress, GetJson

INSTEAD = "Paste the list instead, or choose its file."


class DeckNotFetched(OutgoingRefused):
    """NetrunnerDB returned no deck; the message explains why and suggests an alternative."""


def fetch_deck(address: str, get: GetJson = outgoing_requests.get_json) -> str:
    """Fetch a deck by URL, id or UUID and return it as JSON text that the parsers accept.

    Runs outside the surrounding transaction (core.outside_transaction). Raises
    netrunnerdb.NotADeckAddress, DeckNotThere and StrangeAnswer, and DeckNotFetched.
    """
    wanted = netrunnerdb.deck_address(address)
    return outside_transaction.answer(wanted, partial(_fetched, wanted, get))


def _fetched(wanted: DeckAddress, get: GetJson) -> str:
    # Limit concurrency: each request blocks a thread for seconds.
    with rate_limits.at_once("fetch", "netrunnerdb") as is_free:
        if not is_free:
            reason = "Others are fetching decks at this moment"
            raise DeckNotFetched(f"{reason}. Try again in a few seconds. {INSTEAD}")
        return _as_text(dict(_asked(wanted, get)))


def _asked(wanted: DeckAddress, get: GetJson) -> Mapping[str, Json]:
    """Fetch the deck; turn errors into DeckNotFetched with a suggested alternative."""
    try:
        return netrunnerdb.deck(wanted, get)
    except outgoing_requests.Unreachable as error:
        reason = "NetrunnerDB cannot be reached from here"
        raise DeckNotFetched(f"{reason}: there may be no internet. {INSTEAD}") from error
    except outgoing_requests.TooSlow as error:
        raise DeckNotFetched(f"NetrunnerDB takes too long to answer. {INSTEAD}") from error
    except (OutgoingRefused, NotJson) as error:
        reason = str(error).rstrip(".")
        raise DeckNotFetched(f"NetrunnerDB gave no deck: {reason}. {INSTEAD}") from error


def _as_text(deck: dict[str, Json]) -> str:
    """Wrap the deck in its envelope; omit the description if the text would be too long."""
    text = _written(deck)
    if len(text.encode()) > MAX_BYTES:
        text = _written({key: value for key, value in deck.items() if key != "description"})
    return text


def _written(deck: dict[str, Json]) -> str:
    envelope = {"data": [deck], "total": 1, "success": True, "version_number": "2.0"}
    return json.dumps(envelope, ensure_ascii=False, indent=1)
