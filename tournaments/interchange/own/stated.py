"""The standings that stand in a document, as far as they can be compared."""

from decimal import Decimal
from typing import Any

from tournaments.documents.json_text import Json
from tournaments.documents.nodes import MOST_LETTERS, Node
from tournaments.documents.refusals import DocumentRefused
from tournaments.interchange.own.fields import finite, text
from tournaments.interchange.records import FileRefused

MOST_LINES = 10_000


def stated_lines(value: Json) -> list[dict[str, Any]]:
    """The lines with numbers as they are printed. Raise FileRefused for what are none."""
    node = Node(value, Node({"standings": value}), "standings")
    try:
        return [_line(inner) for inner in node.items(most=MOST_LINES)]
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal


def _line(node: Node) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise node.refusal(f"Here an object is needed, not {node.told()}.")
    node.under("id").player_id()
    return {key: _told(node.under(key)) for key in node.value}


def _told(node: Node) -> Any:
    if isinstance(node.value, dict | list | bool):
        raise node.refusal(f"Here a number is needed, not {node.told()}.")
    if isinstance(node.value, str):
        return text(MOST_LETTERS)(node)
    return finite(node) if isinstance(node.value, Decimal) else node.value
