"""Independent check of decks by a format: pool, ban list and box. Documents are as in `decks`.

A row has its "printings", [[set id, copies in a box], ...], a deck its "snapshot": {"format": id,
"sets": [set ids of the pool], "list_from": first day of the list or None}.
"""

from typing import Any

from tests.checker.decks import Complaint, Document, name, titles

TEACHING = ["The Catalyst: Convention Breaker", "The Syndicate: Profit over Principle"]


def judge_by_format(deck: Document) -> list[Complaint]:
    """Return the sorted complaints of a snapshot, without influence."""
    complaints = outside(deck) + more_than_a_box(deck) + banned(deck)
    return sorted(complaints + restricted(deck) + pointed(deck) + big_agendas(deck))


def all_titles(deck: Document) -> dict[str, list[Any]]:
    """Return copies and row of each title, including the identity."""
    identity = deck["identity"]
    return ({name(identity): [1, identity]} if identity else {}) | titles(deck)


def outside(deck: Document) -> list[Complaint]:
    snapshot = deck["snapshot"]
    return [
        ("not_in_pool", title)
        for title, (_, row) in all_titles(deck).items()
        if not set(row["card_sets"].split(";")) & set(snapshot["sets"])
        or (title in TEACHING and snapshot["format"] != "system_gateway")
    ]


def more_than_a_box(deck: Document) -> list[Complaint]:
    if deck["snapshot"]["format"] != "system_gateway":
        return []
    return [
        ("too_many_for_the_box", title)
        for title, (copies, row) in titles(deck).items()
        if 0 < in_the_box(row) < copies
    ]


def in_the_box(row: Document) -> int:
    return sum(copies for card_set, copies in row["printings"] if card_set == "system_gateway")


def banned(deck: Document) -> list[Complaint]:
    complaints = []
    for title, (_, row) in all_titles(deck).items():
        if row["card_id"] in listed(deck, "banned"):
            complaints.append(("banned_card", title))
        elif set(row["subtypes"].lower().split(" - ")) & set(listed(deck, "banned_subtypes")):
            complaints.append(("banned_subtype", title))
    return complaints


def restricted(deck: Document) -> list[Complaint]:
    cards = [row for _, row in all_titles(deck).values()]
    rows = [row for row in cards if row["card_id"] in listed(deck, "restricted")]
    return [("restricted", "")] if len(rows) > 1 else []


def pointed(deck: Document) -> list[Complaint]:
    limit = (deck["list"] or {}).get("point_limit")
    cards = [row["card_id"] for _, row in all_titles(deck).values()]
    total = 0
    for points, ids in ((deck["list"] or {}).get("points") or {}).items():
        total += int(points) * len([card for card in cards if card in ids])
    return [("points", "")] if limit is not None and total > limit else []


def big_agendas(deck: Document) -> list[Complaint]:
    snapshot = deck["snapshot"]
    if snapshot["format"] != "startup" or (snapshot["list_from"] or "") < "2026-05-01":
        return []
    copies = sum(n for n, row in titles(deck).values() if int(row["agenda_points"] or 0) >= 3)
    return [("big_agendas", "")] if copies > 4 else []


def listed(deck: Document, key: str) -> list[str]:
    return (deck["list"] or {}).get(key) or []
