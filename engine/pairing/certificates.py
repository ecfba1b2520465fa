"""Proof of what a round was made from, so that it can be made again and compared."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engine.pairing.records import Certificate, Cost, Entrant, Locked, LockedPod
from engine.standings.lots import id_order

ENGINE_VERSION = "2"
"""Goes up whenever the same document and seed may give another round."""


def certificate(
    entrants: Sequence[Entrant],
    locked: Sequence[Locked | LockedPod],
    round_number: int,
    *,
    planned_rounds: int | None = None,
    profile: str,
    seed: int,
    cost: Cost,
) -> Certificate:
    """The certificate of a round; the order in which entrants and locks are given is nothing."""
    document = _sha256(
        {
            "profile": profile,
            "round": round_number,
            "planned_rounds": planned_rounds,
            "entrants": [asdict(one) for one in sorted(entrants, key=lambda one: id_order(one.id))],
            "locked": sorted((asdict(lock) for lock in locked), key=_canonical),
        }
    )
    fields = {"document": document, "seed": seed, "engine_version": ENGINE_VERSION, "cost": cost}
    return Certificate(document, seed, ENGINE_VERSION, cost, digest=_sha256(fields))


def _sha256(document: Any) -> str:
    return hashlib.sha256(_canonical(document).encode()).hexdigest()


def _canonical(document: Any) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
