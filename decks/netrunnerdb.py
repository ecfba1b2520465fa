"""NetrunnerDB client with fixed hosts: fetches decks by id, and the card data."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlencode

from core import http
from core.errors import Refusal
from core.http import Policy
from core.json_guard import Json
from decks.card_data.readers import ApiKind

HOST = "netrunnerdb.com"
DATA_HOST = "api.netrunnerdb.com"
DATA_ADDRESS = f"https://{DATA_HOST}/api/v3/public"
DECK_POLICY = Policy(frozenset({HOST}))
# The import is a manual command, so it may take longer and download more than a page.
DATA_POLICY = Policy(frozenset({DATA_HOST}), time_out=20.0, max_bytes=2 * 1024 * 1024)
LONGEST_ADDRESS = 300
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
DECK_ID = rf"(?P<id>[0-9]{{1,9}}|{UUID})"
PAGE_OF_A_DECK = re.compile(
    rf"(?:https?://)?(?:www\.)?netrunnerdb\.com(?:/[a-z]{{2}})?"
    rf"/(?P<kind>decklist|deck)(?:/view|/edit)?/{DECK_ID}(?:[/?#].*)?",
    re.IGNORECASE | re.ASCII,
)
ANSWER_OF_A_DECK = re.compile(
    rf"(?:https?://)?(?:www\.)?netrunnerdb\.com"
    rf"/api/2\.[01]/public/(?P<kind>decklist|deck)/{DECK_ID}/?(?:[?#].*)?",
    re.IGNORECASE | re.ASCII,
)
BARE_ID = re.compile(DECK_ID, re.IGNORECASE | re.ASCII)

PAGE_SIZES: Mapping[str, int] = {"card_pools": 5, "snapshots": 5, "card_sets": 10}
PAGE_SIZE = 100
MAX_PAGES = 200

PASTE_REMEDY = "Try again later, or paste the list instead."

GetJson: TypeAlias = Callable[[str, Policy], Json]


class NotADeckAddress(Refusal):
    pass


class DeckNotThere(Refusal):
    pass


class StrangeAnswer(Refusal):
    pass


@dataclass(frozen=True)
class DeckAddress:
    # "decklist" (published) or "deck" (a player's own); empty for a bare id.
    kind: str
    id: str


def parse_deck_address(typed: str) -> DeckAddress:
    """Parse a page URL, an id or a UUID of a deck. Raises NotADeckAddress."""
    text = typed.strip()
    if len(text) <= LONGEST_ADDRESS:
        if match := PAGE_OF_A_DECK.fullmatch(text) or ANSWER_OF_A_DECK.fullmatch(text):
            return DeckAddress(match["kind"].lower(), match["id"].lower())
        if match := BARE_ID.fullmatch(text):
            return DeckAddress("", match["id"].lower())
    raise NotADeckAddress(
        "This is not the address of a deck on NetrunnerDB. Copy it from the deck's page; it looks"
        " like https://netrunnerdb.com/en/decklist/12345/name or"
        " https://netrunnerdb.com/en/deck/view/12345."
    )


def get_deck(address: DeckAddress, get: GetJson = http.get_json) -> Mapping[str, Json]:
    """Fetch a deck. Raises DeckNotThere, StrangeAnswer, OutgoingRefused, NotJson."""
    for kind in (address.kind,) if address.kind else ("decklist", "deck"):
        if (deck := _request_deck(kind, address.id, get)) is not None:
            return deck
    if address.kind == "decklist":
        raise DeckNotThere(
            f"NetrunnerDB has no published decklist {address.id}. Check the address; a deck that"
            " is not published has an address with /deck/view/ in it."
        )
    raise DeckNotThere(
        f"NetrunnerDB shows no deck {address.id} to us. If it is yours, tick"
        ' "Share your decks" in your profile there, or publish it, and try again.'
    )


def _request_deck(kind: str, deck_id: str, get: GetJson) -> Mapping[str, Json] | None:
    """Return None if the deck does not exist or is private."""
    try:
        answer = get(f"https://{HOST}/api/2.0/public/{kind}/{deck_id}", DECK_POLICY)
    except http.WrongStatus as error:
        if error.details["status"] in (401, 403, 404):
            return None
        raise
    if not isinstance(answer, dict):
        raise _strange_answer("deck", PASTE_REMEDY)
    # Some failures have status 200.
    if answer.get("success") is False:
        return None
    data = answer.get("data")
    if not isinstance(data, list) or len(data) != 1 or not isinstance(data[0], dict):
        raise _strange_answer("deck", PASTE_REMEDY)
    return data[0]


def _strange_answer(expected: str, remedy: str = "Try again later.") -> StrangeAnswer:
    return StrangeAnswer(f"NetrunnerDB's answer is not a {expected}. {remedy}")


def get_pages(kind: ApiKind, get: GetJson = http.get_json) -> Iterator[list[dict[str, Any]]]:
    """Yield {"id", "type", "attributes", ...} of the API v3, page by page.

    Raises OutgoingRefused, NotJson, StrangeAnswer.
    """
    size, count = PAGE_SIZES.get(kind, PAGE_SIZE), 0
    # Page numbers are counted here; links in a response are not followed.
    for number in range(1, MAX_PAGES + 1):
        params = {"page[number]": str(number), "page[size]": str(size)}
        answer = get(f"{DATA_ADDRESS}/{kind}?{urlencode(params)}", DATA_POLICY)
        records = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(records, list) or not all(map(_is_record, records)):
            raise _strange_answer(f"list of {kind}")
        yield records
        count += len(records)
        total: Json = answer
        for step in ("meta", "stats", "total", "count"):
            total = total.get(step) if isinstance(total, dict) else None
        # Pages may be shorter than requested, so prefer the total count.
        if (count >= total) if type(total) is int else (len(records) < size):
            return
        if not records:
            break
    raise _strange_answer(f"list of {kind} with an end")


def _is_record(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and isinstance(value.get("attributes"), dict)
    )
