"""Random decks of shipped cards, near the limits of every rule.

They exist both as documents for the independent checker and as decks for the rules.
"""

import csv
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from decks.games import CARDS_ANR, FORMATS_ANR
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardFacts, CardSlot, RestrictionFacts
from tests.factories.decks import shipped_formats, shipped_table

Document = dict[str, Any]
Line = tuple[int, Document]

SIDES = ("corp", "runner")
OTHER_SIDE = {"corp": "runner", "runner": "corp"}
TERMS_OF_THEIR_OWN = ("ampere_", "nova_", "custom_biotics_", "the_professor_")
ONE_IN_TEN = st.sampled_from((*9 * (False,), True))


@st.composite
def deck_documents(draw: st.DrawFn) -> Document:
    """A deck mostly of one faction, near its minimum size and near its band of agenda points."""
    side = draw(st.sampled_from(SIDES))
    identity = draw(some_identity(side))
    lines = draw(some_lines(side))
    if draw(ONE_IN_TEN):
        lines.append((1, draw(st.sampled_from(cards(OTHER_SIDE[side])))))
    size = int(identity["minimum_deck_size"]) + draw(st.integers(-1, 6))
    start, max_copies = draw(st.integers(0, 400)), draw(st.sampled_from((1, 3)))
    if side == "corp":
        points = 2 * (size // 5) + 2 + draw(st.integers(-1, 2))
        lines += fill_up(agendas(identity["faction"]), start, points - worth(lines), max_copies)
    missing = size - sum(copies for copies, _ in lines)
    lines += fill_up(padding(side, identity["faction"]), start, missing, max_copies)
    if draw(ONE_IN_TEN):
        identity = draw(st.sampled_from((None, *identities(OTHER_SIDE[side])[:5])))
    return {"side": side, "identity": identity, "cards": lines, "list": draw(ban_lists())}


@cache
def some_identity(side: str) -> st.SearchStrategy[Document]:
    """Any identity; as often one with rules of its own."""
    return st.sampled_from(identities(side)) | st.sampled_from(special_identities(side))


@cache
def some_lines(side: str) -> st.SearchStrategy[list[Line]]:
    """Any cards of the side; as often cards with rules of their own; rarely too many copies."""
    rows = st.sampled_from(cards(side)) | st.sampled_from(special_cards(side))
    lines = st.builds(line, rows, st.integers(0, 5), ONE_IN_TEN)
    return st.lists(lines, max_size=5)


def line(row: Document, copies: int, too_many: bool) -> Line:
    limit = int(row["deck_limit"])
    return (limit + 1 + copies, row) if too_many else (1 + copies % limit, row)


@cache
def ban_lists() -> st.SearchStrategy[Document | None]:
    """No list, a list that charges influence, or any list."""
    charging = [
        list_ for list_ in lists() if list_["universal_influence"] or list_["global_penalty"]
    ]
    return st.sampled_from((None, *charging, *charging, *lists()[::5]))


def fill_up(rows: list[Document], start: int, missing: int, max_copies: int) -> Iterator[Line]:
    """Lines from a starting row on, up to a number of copies or agenda points."""
    for row in rows[start % len(rows) :] + rows[: start % len(rows)]:
        points = int(row["agenda_points"] or 1)
        copies = min(max_copies, missing // points)
        if copies > 0:
            yield copies, row
            missing -= copies * points


def worth(lines: list[Line]) -> int:
    return sum(copies * int(row["agenda_points"] or 0) for copies, row in lines)


@cache
def identities(side: str) -> list[Document]:
    return [row for row in rows() if row["side"] == side and row["type"] == "identity"]


@cache
def special_identities(side: str) -> list[Document]:
    """Identities without a limit, and as often those with rules of their own."""
    unlimited = [row for row in identities(side) if row["influence_limit"] == ""]
    own_terms = [row for row in identities(side) if row["card_id"].startswith(TERMS_OF_THEIR_OWN)]
    return unlimited + 3 * own_terms


@cache
def cards(side: str) -> list[Document]:
    return [row for row in rows() if row["side"] == side and row["type"] != "identity"]


@cache
def special_cards(side: str) -> list[Document]:
    """Alliances, listed cards, unusual copy limits, and neutral cards with an influence cost."""
    return [row for row in cards(side) if is_special(row)]


def is_special(row: Document) -> bool:
    return (
        "Alliance" in row["subtypes"]
        or row["card_id"] == "pad_campaign"
        or row["card_id"] in charged()
        or row["deck_limit"] != "3"
        or ("neutral" in row["faction"] and row["influence_cost"] not in ("", "0"))
    )


@cache
def charged() -> frozenset[str]:
    """Cards for which a list charges influence or lowers the limit."""
    measures = [
        list_[key] for list_ in lists() for key in ("universal_influence", "global_penalty")
    ]
    return frozenset(id_ for measure in measures for ids in measure.values() for id_ in ids)


@cache
def agendas(faction: str) -> list[Document]:
    """Agendas of the faction and neutral agendas; 1-point agendas come last, to fill gaps."""
    agendas = [row for row in cards("corp") if row["agenda_points"] in ("1", "2", "3")]
    allowed = [row for row in agendas if row["faction"] in (faction, "neutral_corp")]
    return sorted(allowed, key=lambda row: str(row["agenda_points"]), reverse=True)


@cache
def padding(side: str, faction: str) -> list[Document]:
    """Cards of the faction, including those that alliances count, and neutral cards."""
    allowed = (faction, f"neutral_{side}", "jinteki", "nbn")
    return [row for row in cards(side) if row["faction"] in allowed and row["type"] != "agenda"]


@cache
def rows() -> list[Document]:
    with CARDS_ANR.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


@cache
def lists() -> list[Document]:
    """Ban lists of the source that belong to a snapshot."""
    document = json.loads(FORMATS_ANR.read_text(encoding="utf-8"))
    return [
        restriction
        for restriction in document["restrictions"]
        if restriction["id"] in restriction_facts()
    ]


@cache
def restriction_facts() -> dict[str, RestrictionFacts]:
    facts = (
        snapshot.restriction for format_ in shipped_formats() for snapshot in format_.snapshots
    )
    return {fact.id: fact for fact in facts if fact is not None}


@cache
def card_facts() -> dict[str, CardFacts]:
    return {card.card_id: card for card in shipped_table("anr").cards}


def deck_of(document: Document) -> AnrDeck:
    """The deck for the rules; its cards are on lines 2 and up."""
    identity = document["identity"]
    slots = (
        CardSlot(card_facts()[row["card_id"]], copies, line)
        for line, (copies, row) in enumerate(document["cards"], start=2)
    )
    leader = card_facts()[identity["card_id"]] if identity else None
    return AnrDeck(document["side"], leader, tuple(slots), identity_line=1)


def restriction_of(document: Document) -> RestrictionFacts | None:
    return restriction_facts()[document["list"]["id"]] if document["list"] else None
