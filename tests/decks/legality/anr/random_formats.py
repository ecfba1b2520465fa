"""Random decks under the snapshots of the shipped formats."""

import csv
import datetime
import json
from collections import defaultdict
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from decks.games import FORMATS_ANR, PRINTINGS_ANR
from decks.legality.records import SnapshotFacts
from tests.decks.legality.anr.random_decks import Document, Line, cards, deck_documents
from tests.factories.decks import shipped_formats

LATEST_STARTUP, STARTUP_TO_COME = "startup_7", "startup_to_come"
TO_COME = datetime.date(2026, 5, 15)


@st.composite
def pinned_documents(draw: st.DrawFn) -> Document:
    """A random deck and a snapshot, with some cards its rules mention; often all from its pool."""
    snapshot = draw(some_snapshot())
    document = draw(deck_documents())
    lines = document["cards"] + draw(noted_lines(snapshot["id"], document["side"]))
    if draw(st.booleans()):
        lines = [line for line in lines if set(sets_of(line[1])) & set(snapshot["sets"])]
    lines = [(copies, with_printings(row)) for copies, row in lines]
    return {**document, "cards": lines, "snapshot": snapshot, "list": snapshot["list"]}


@cache
def some_snapshot() -> st.SearchStrategy[Document]:
    """Any snapshot; each format is equally likely, and so is the upcoming list."""
    by_format: dict[str, list[Document]] = defaultdict(list)
    for snapshot in snapshots():
        by_format[
            snapshot["id"] if snapshot["id"] == STARTUP_TO_COME else snapshot["format"]
        ].append(snapshot)
    return st.one_of([st.sampled_from(candidates) for candidates in by_format.values()])


@cache
def noted_lines(snapshot_id: str, side: str) -> st.SearchStrategy[list[Line]]:
    """A few cards that the rules of the snapshot mention, or any cards."""
    (snapshot,) = (snapshot for snapshot in snapshots() if snapshot["id"] == snapshot_id)
    rules = (is_single, is_big, is_banned, is_of_a_banned_subtype, is_restricted, is_pointed)
    noted = [[row for row in cards(side) if rule(row, snapshot)] for rule in rules]
    rows = st.one_of(
        [st.sampled_from(candidates) for candidates in noted if candidates] or [some_of(side)]
    )
    lines = st.tuples(st.integers(1, 3), rows)
    # Many at once as well: one card alone is never over a limit of points.
    return st.lists(lines, max_size=5) | st.lists(lines, min_size=6, max_size=12)


def some_of(side: str) -> st.SearchStrategy[Document]:
    return st.sampled_from(cards(side))


def is_single(row: Document, snapshot: Document) -> bool:
    """Match a card with one copy in the box of the format."""
    one_box = snapshot["format"] == "system_gateway"
    return one_box and ("system_gateway", 1) in _printings()[row["card_id"]]


def is_big(row: Document, snapshot: Document) -> bool:
    to_come = snapshot["id"] == STARTUP_TO_COME and row["agenda_points"] == "3"
    return to_come and bool(set(sets_of(row)) & set(snapshot["sets"]))


def is_banned(row: Document, snapshot: Document) -> bool:
    return row["card_id"] in (snapshot["list"] or {}).get("banned", ())


def is_of_a_banned_subtype(row: Document, snapshot: Document) -> bool:
    return row["subtypes"].lower() in (snapshot["list"] or {}).get("banned_subtypes", ())


def is_restricted(row: Document, snapshot: Document) -> bool:
    return row["card_id"] in (snapshot["list"] or {}).get("restricted", ())


def is_pointed(row: Document, snapshot: Document) -> bool:
    pointed = (snapshot["list"] or {}).get("points", {})
    return any(row["card_id"] in titles for titles in pointed.values())


def sets_of(row: Document) -> list[str]:
    return list(row["card_sets"].split(";"))


def with_printings(row: Document) -> Document:
    return {**row, "printings": _printings()[row["card_id"]]}


@cache
def _printings() -> dict[str, list[tuple[str, int]]]:
    printings: dict[str, list[tuple[str, int]]] = defaultdict(list)
    with PRINTINGS_ANR.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            printings[row["card_id"]].append((row["card_set_id"], int(row["quantity"])))
    return printings


@cache
def snapshots() -> list[Document]:
    """Every snapshot of the source with its pool and list, and an upcoming one of Startup."""
    source = json.loads(FORMATS_ANR.read_text(encoding="utf-8"))
    pools = {pool["id"]: pool["card_set_ids"] for pool in source["card_pools"]}
    lists = {restriction["id"]: restriction for restriction in source["restrictions"]}
    all_snapshots = []
    for format_ in source["formats"]:
        for snapshot in format_["snapshots"]:
            ban_list = lists.get(snapshot["restriction_id"])
            start = ban_list["date_start"] if ban_list else None
            common = {"format": format_["id"], "id": snapshot["id"], "list": ban_list}
            all_snapshots.append(
                {**common, "sets": pools[snapshot["card_pool_id"]], "list_from": start}
            )
    latest = next(snapshot for snapshot in all_snapshots if snapshot["id"] == LATEST_STARTUP)
    return [*all_snapshots, {**latest, "id": STARTUP_TO_COME, "list_from": TO_COME.isoformat()}]


@cache
def snapshot_facts() -> dict[str, SnapshotFacts]:
    facts = {
        snapshot.id: snapshot for format_ in shipped_formats() for snapshot in format_.snapshots
    }
    latest = facts[LATEST_STARTUP]
    assert latest.restriction is not None
    to_come = replace(latest, restriction=replace(latest.restriction, effective_from=TO_COME))
    return {**facts, STARTUP_TO_COME: to_come}
