"""Answer `engine verify`: replay an answer and report the first difference."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import zip_longest

from engine.documents.brackets import bracket
from engine.documents.commands import Answering
from engine.documents.events import check_version
from engine.documents.json_text import DocumentRefused, Json, step
from engine.documents.nodes import Node
from engine.documents.pairing import pair
from engine.documents.ranking import rank
from engine.pairing import REPLAYABLE_VERSIONS

KEYS = ("datafort", "document", "answer")
# The command that answers with such a key.
REPLAYS: Mapping[str, Answering] = {
    "certificate": pair,
    "pairings": pair,
    "standings": rank,
    "games": bracket,
    "placings": bracket,
}

Difference = tuple[str, Json, Json]


def verify(document: Json) -> Json:
    """Return {"ok": true}, or {"ok": false, "difference": {"path", "expected", "found"}}.

    `document` is {"document", "answer"}: an engine's input and its claimed answer. Top-level keys
    missing from the answer are not compared. A round is paired with the engine version of its
    certificate. Raise DocumentRefused if there is nothing to replay. Faults in the inner document
    have a path under "$.document".
    """
    node = Node(document)
    check_version(node, needed=False)
    node.object_of(KEYS, needed=("document", "answer"))
    expected = _replayed(_replay_for(node.under("answer")), node)
    found = document["answer"]
    # Check the certificate first: another input or engine explains all other differences.
    keys = sorted(found.keys() | expected.keys(), key=lambda key: (key != "certificate", key))
    for key in keys:
        if key not in found:
            continue
        path = step("$.answer", key)
        for place, wanted, given in _differences(path, expected.get(key), found[key]):
            difference = {"path": place, "expected": wanted, "found": given}
            return {"ok": False, "difference": difference}
    return {"ok": True}


def _replay_for(node: Node) -> Answering:
    if isinstance(node.value, dict):
        for key, answering in REPLAYS.items():
            if key in node.value:
                return _pair_as_certified(node) if answering is pair else answering
    raise node.refusal(f"An answer to be replayed has one of: {', '.join(REPLAYS)}.")


def _pair_as_certified(node: Node) -> Answering:
    """Return `pair` with the stated version. An unknown version shows up as a difference."""
    certificate = node.value.get("certificate")
    stated = certificate.get("engine_version") if isinstance(certificate, dict) else None
    return partial(pair, engine_version=stated) if stated in REPLAYABLE_VERSIONS else pair


def _replayed(answering: Answering, node: Node) -> Json:
    try:
        return answering(node.value["document"])
    except DocumentRefused as refusal:
        path = refusal.path.replace("$", "$.document", 1)
        raise DocumentRefused(str(refusal), path) from refusal


def _differences(path: str, expected: Json, found: Json) -> Iterator[Difference]:
    """Yield all differences in document order."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in dict.fromkeys((*expected, *found)):
            yield from _differences(step(path, key), expected.get(key), found.get(key))
    elif isinstance(expected, list) and isinstance(found, list):
        for place, (wanted, given) in enumerate(zip_longest(expected, found)):
            yield from _differences(step(path, place), wanted, given)
        # A missing element compared with null is only a difference in length.
        if len(expected) != len(found):
            yield path, expected, found
    elif not _same(expected, found):
        yield path, expected, found


def _same(expected: Json, found: Json) -> bool:
    if _is_number(expected) and _is_number(found):
        return Decimal(expected) == Decimal(found)
    # Strings compare as usual, but True must not equal 1.
    same_kind = isinstance(expected, bool) is isinstance(found, bool)
    return same_kind and bool(expected == found)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)
