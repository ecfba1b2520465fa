"""The lists received for one deck, and what changed between two of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from decks.legality.difference import Difference, ListFacts, difference
from decks.models import DecklistVersion
from tournaments.models import DeckReceipt


@dataclass(frozen=True)
class Comparison:
    """Two receipts of one deck, and how their lists differ."""

    older: DeckReceipt
    newer: DeckReceipt
    difference: Difference


def compared(older: DeckReceipt, newer: DeckReceipt) -> Comparison:
    """How the list of one receipt became that of the other."""
    return Comparison(older, newer, difference(_facts(older.version), _facts(newer.version)))


def two_of(
    receipts: Sequence[DeckReceipt], older: int | None, newer: int | None
) -> Comparison | None:
    """The receipts of these numbers compared; by default the newest with the one before it.

    None while there are not two lists, or for a number that is not there.
    """
    by_number = {receipt.number: receipt for receipt in receipts}
    last = max(by_number, default=0) if newer is None else newer
    first = last - 1 if older is None else older
    if first not in by_number or last not in by_number:
        return None
    return compared(by_number[first], by_number[last])


def _facts(version: DecklistVersion) -> ListFacts:
    copies: Counter[str] = Counter()
    for title, quantity in version.slots.values_list("card__title", "quantity"):
        copies[title] += quantity
    return ListFacts(
        seal=version.seal,
        copies=copies,
        identity=version.identity.title if version.identity else "",
        lines=tuple(version.text.splitlines()),
    )
