"""Independent check of Android: Netrunner decks, from plain documents.

A deck is a document: {"side": "corp", "identity": ROW or None, "cards": [[copies, ROW], ...],
"list": LIST or None}. A ROW is a row of the card table as it is read from CSV, all texts; a LIST
is a ban list with its "universal_influence" and "global_penalty", {"3": [card ids]}. Every formula
is as plain as possible, from the rules alone.
"""

from math import floor
from typing import Any

Document = dict[str, Any]
# A code, and a title, a faction or "".
Complaint = tuple[str, str]

FREE_WITH_SIX_OF_ITS_FACTION = [
    "Heritage Committee",
    "Raman Rai",
    "Product Recall",
    "Jeeves Model Bioroids",
    "Salem's Hospitality",
    "Ibrahim Salem",
    "Executive Search Firm",
    "Consulting Visit",
]
AMPERE = "Ampere: Cybernetics For Anyone"
NOVA = "Nova Initiumia: Catalyst & Impetus"
PROFESSOR = "The Professor: Keeper of Knowledge"
CUSTOM_BIOTICS = "Custom Biotics: Engineered for Success"


def judge(deck: Document) -> Document:
    """Return sorted complaints, and size, points, band, spent influence and its limit."""
    complaints = wrong_sides(deck) + too_many(deck) + too_small(deck)
    complaints += wrong_agendas(deck) + too_dear(deck) + forbidden(deck)
    return {
        "complaints": sorted(complaints),
        "size": size(deck),
        "points": points(deck),
        "band": band(deck),
        "spent": spent(deck),
        "limit": limit(deck),
    }


def name(row: Document) -> str:
    return str(row["stripped_title"])


def titles(deck: Document) -> dict[str, list[Any]]:
    """Return copies and row of each title over all lines."""
    by_title: dict[str, list[Any]] = {}
    for copies, row in deck["cards"]:
        by_title.setdefault(name(row), [0, row])[0] += copies
    return by_title


def leader(deck: Document) -> Document | None:
    """Return the identity, if it fits this side."""
    row = deck["identity"]
    return row if row and row["side"] == deck["side"] else None


def leads(deck: Document, *names: str) -> bool:
    row = leader(deck)
    return row is not None and name(row) in names


def is_draft(deck: Document) -> bool:
    row = leader(deck)
    return row is not None and "draft" in row["card_sets"].split(";")


def size(deck: Document) -> int:
    return sum(copies for copies, _ in deck["cards"])


def points(deck: Document) -> int:
    return sum(copies * int(row["agenda_points"] or 0) for copies, row in deck["cards"])


def band(deck: Document) -> list[int] | None:
    row = leader(deck)
    if row is None or deck["side"] == "runner":
        return None
    n = max(size(deck), int(row["minimum_deck_size"]))
    return [2 * floor(n / 5) + 2, 2 * floor(n / 5) + 3]


def wrong_sides(deck: Document) -> list[Complaint]:
    complaints = [
        ("wrong_side", title) for title, (_, row) in titles(deck).items() if foreign(deck, row)
    ]
    if deck["identity"] and foreign(deck, deck["identity"]):
        complaints.append(("wrong_side", name(deck["identity"])))
    return complaints


def foreign(deck: Document, row: Document) -> bool:
    return bool(row["side"] != deck["side"])


def too_small(deck: Document) -> list[Complaint]:
    row = leader(deck)
    return [("deck_size", "")] if row and size(deck) < int(row["minimum_deck_size"]) else []


def too_many(deck: Document) -> list[Complaint]:
    if is_draft(deck):
        return []
    if leads(deck, AMPERE, NOVA):
        return [("singleton", title) for title, (copies, _) in titles(deck).items() if copies > 1]
    return [
        ("too_many_copies", title)
        for title, (copies, row) in titles(deck).items()
        if copies > int(row["deck_limit"])
    ]


def wrong_agendas(deck: Document) -> list[Complaint]:
    row = leader(deck)
    if row is None or deck["side"] == "runner":
        return []
    minimum, maximum = band(deck) or [0, 0]
    complaints = [] if minimum <= points(deck) <= maximum else [("agenda_points", "")]
    if is_draft(deck):
        return complaints
    foreign_agendas = [
        (title, card["faction"])
        for title, (_, card) in titles(deck).items()
        if card["type"] == "agenda" and card["faction"] not in ("neutral_corp", row["faction"])
    ]
    if not leads(deck, AMPERE):
        return complaints + [("agenda_faction", title) for title, _ in foreign_agendas]
    factions = [faction for _, faction in foreign_agendas]
    return complaints + [
        ("agenda_faction", card) for card in set(factions) if factions.count(card) > 2
    ]


def forbidden(deck: Document) -> list[Complaint]:
    if not leads(deck, CUSTOM_BIOTICS):
        return []
    cards = titles(deck).items()
    return [
        ("forbidden_faction", title) for title, (_, row) in cards if row["faction"] == "jinteki"
    ]


def too_dear(deck: Document) -> list[Complaint]:
    limit_ = limit(deck)
    return [("influence", "")] if limit_ is not None and spent(deck) > limit_ else []


def limit(deck: Document) -> int | None:
    row = leader(deck)
    if row is None or row["influence_limit"] == "":
        return None
    printed, penalty = int(row["influence_limit"]), charged_by_list(deck, "global_penalty")
    return max(1, printed - penalty)


def spent(deck: Document) -> int:
    row = leader(deck)
    if row is None:
        return 0
    total = charged_by_list(deck, "universal_influence")
    for copies, card in titles(deck).values():
        if foreign(deck, card) or is_free(deck, card):
            continue
        cost = int(card["influence_cost"] or 0)
        if card["faction"] == row["faction"] and "neutral" not in card["faction"]:
            cost = 0
        if leads(deck, PROFESSOR) and card["type"] == "program":
            copies -= 1
        total += copies * cost
    return total


def charged_by_list(deck: Document, measure: str) -> int:
    """Add up a measure of the ban list over all copies of the deck's side."""
    total = 0
    for figure, cards in (deck["list"] or {}).get(measure, {}).items():
        for copies, row in deck["cards"]:
            if row["card_id"] in cards and not foreign(deck, row):
                total += int(figure) * copies
    return total


def is_free(deck: Document, row: Document) -> bool:
    """Return True for an alliance card whose condition is met."""
    title = name(row)
    if title in FREE_WITH_SIX_OF_ITS_FACTION:
        return amount(deck, faction=row["faction"]) - alliances(deck, row["faction"]) >= 6
    if title == "Mumba Temple":
        return amount(deck, type="ice") <= 15
    if title == "Museum of History":
        return size(deck) >= 50
    if title == "PAD Factory":
        return amount(deck, stripped_title="PAD Campaign") == 3
    return title == "Mumbad Virtual Tour" and amount(deck, type="asset") >= 7


def amount(deck: Document, **column: str) -> int:
    """Count the copies whose row has this value in the column."""
    ((key, value),) = column.items()
    return sum(copies for copies, row in deck["cards"] if row[key] == value)


def alliances(deck: Document, faction: str) -> int:
    return sum(
        copies
        for copies, row in deck["cards"]
        if row["faction"] == faction and "Alliance" in row["subtypes"]
    )
