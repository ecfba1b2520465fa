"""What every document says of itself: its version, its system and its seed."""

from tournaments.documents.nodes import Node
from tournaments.systems import SYSTEMS, System

VERSION = 1
LARGEST_SEED = 2**63 - 1


def check_version(node: Node, *, needed: bool = True) -> None:
    """Refuse what is no object, and a document that is not of version 1."""
    if not isinstance(node.value, dict):
        raise node.refusal(f"A document is an object, not {node.told()}.")
    version = node.under("datafort")
    if not version.is_set():
        if needed:
            raise version.refusal(f'The version is missing. Add "datafort": {VERSION}.')
    elif version.integer(1, LARGEST_SEED) > VERSION:
        raise version.refusal(
            f"This document was made by a later version ({version.value}); {VERSION} is the "
            "newest known here. Update Datafort."
        )


def read_system(node: Node) -> System:
    """The system that "system" names."""
    return SYSTEMS[node.under("system").one_of(SYSTEMS)]


def read_seed(node: Node) -> int:
    """The seed of all lots; left out it is 0."""
    seed = node.under("seed")
    return seed.integer(0, LARGEST_SEED) if seed.is_set() else 0
