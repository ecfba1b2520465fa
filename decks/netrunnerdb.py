"""What NetrunnerDB is asked, always at one fixed host: a deck by its id, and the card data."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlencode

from core import outgoing_requests
from core.errors import Refusal
from core.json_guard import Json
from core.outgoing_requests import Policy
from decks.card_data.api_v3 import Kind

HOST = "netrunnerdb.com"
DATA_HOST = "api.netrunnerdb.com"
DATA_ADDRESS = f"https://{DATA_HOST}/api/v3/public"
DECKS = Policy(frozenset({HOST}))
# The importer runs by hand, in a command: it may wait longer than a page, and take more.
DATA = Policy(frozenset({DATA_HOST}), time_out=20.0, most_bytes=2 * 1024 * 1024)
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
MOST_PAGES = 200

PASTE = "Try again later, or paste the list instead."

GetJson: TypeAlias = Callable[[str, Policy], Json]


class NotADeckAddress(Refusal):
    """What was typed names no deck of NetrunnerDB."""


class DeckNotThere(Refusal):
    """NetrunnerDB has no such deck that everybody may read."""


class StrangeAnswer(Refusal):
    """NetrunnerDB answered something else than its description says."""


@dataclass(frozen=True)
class DeckAddress:
    """A deck of NetrunnerDB: `kind` is "decklist" (published) or "deck" (a player's own).

    A bare id does not tell the kind: it is empty.
    """

    kind: str
    id: str

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.kind,) if self.kind else ("decklist", "deck")


def deck_address(typed: str) -> DeckAddress:
    """The deck that an address of its page, or its id or UUID, names. Raises NotADeckAddress.

    Only the id is taken from what was typed; where to ask never is.
    """
    text = typed.strip()
    if len(text) <= LONGEST_ADDRESS:
        if found := PAGE_OF_A_DECK.fullmatch(text) or ANSWER_OF_A_DECK.fullmatch(text):
            return DeckAddress(found["kind"].lower(), found["id"].lower())
        if found := BARE_ID.fullmatch(text):
            return DeckAddress("", found["id"].lower())
    raise NotADeckAddress(
        "This is not the address of a deck on NetrunnerDB. Copy it from the deck's page; it looks"
        " like https://netrunnerdb.com/en/decklist/12345/name or"
        " https://netrunnerdb.com/en/deck/view/12345."
    )


def deck(address: DeckAddress, get: GetJson = outgoing_requests.get_json) -> Mapping[str, Json]:
    """The deck as NetrunnerDB (API 2.0) writes it, without the envelope.

    Raises DeckNotThere, StrangeAnswer, OutgoingRefused, NotJson.
    """
    for kind in address.kinds:
        if (found := _asked(kind, address.id, get)) is not None:
            return found
    raise DeckNotThere(_not_there(address))


def _asked(kind: str, deck_id: str, get: GetJson) -> Mapping[str, Json] | None:
    """The deck, or None when there is no such deck for us."""
    try:
        answer = get(f"https://{HOST}/api/2.0/public/{kind}/{deck_id}", DECKS)
    except outgoing_requests.WrongStatus as error:
        if error.details["status"] in (401, 403, 404):
            return None
        raise
    if not isinstance(answer, dict):
        raise _strange("deck", PASTE)
    # It tells failures with status 200 as well.
    if answer.get("success") is False:
        return None
    data = answer.get("data")
    if not isinstance(data, list) or len(data) != 1 or not isinstance(data[0], dict):
        raise _strange("deck", PASTE)
    return data[0]


def _strange(wanted: str, remedy: str = "Try again later.") -> StrangeAnswer:
    return StrangeAnswer(f"NetrunnerDB's answer is not a {wanted}. {remedy}")


def _not_there(address: DeckAddress) -> str:
    if address.kind == "decklist":
        return (
            f"NetrunnerDB has no published decklist {address.id}. Check the address; a deck that"
            " is not published has an address with /deck/view/ in it."
        )
    return (
        f"NetrunnerDB shows no deck {address.id} to us. If it is yours, tick"
        ' "Share your decks" in your profile there, or publish it, and try again.'
    )


def pages(kind: Kind, get: GetJson = outgoing_requests.get_json) -> Iterator[list[dict[str, Any]]]:
    """The records of a kind in the card data (API v3), page by page.

    A record is {"id": text, "type": text, "attributes": {...}, ...} as JSON:API writes it.
    Which page is next is counted here; links in an answer are not followed. Raises
    OutgoingRefused, NotJson, StrangeAnswer.
    """
    size, seen = PAGE_SIZES.get(kind, PAGE_SIZE), 0
    for number in range(1, MOST_PAGES + 1):
        params = {"page[number]": str(number), "page[size]": str(size)}
        answer = get(f"{DATA_ADDRESS}/{kind}?{urlencode(params)}", DATA)
        records = _records(kind, answer)
        yield records
        seen += len(records)
        total = _total(answer)
        # A site may answer shorter pages than it was asked for: what it counts decides.
        if (len(records) < size) if total is None else (seen >= total):
            return
        if not records:
            break
    raise _strange(f"list of {kind} with an end")


def _total(answer: Mapping[str, Json]) -> int | None:
    """How many records there are in all, where the answer says it."""
    found: Json = answer
    for step in ("meta", "stats", "total", "count"):
        found = found.get(step) if isinstance(found, dict) else None
    return found if type(found) is int else None


def _records(kind: str, answer: Json) -> list[dict[str, Any]]:
    records = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(records, list) or not all(map(_is_record, records)):
        raise _strange(f"list of {kind}")
    return records


def _is_record(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and isinstance(value.get("attributes"), dict)
    )
