"""Pods: tables of two to five, seated by score with as few repeats as can be (DESIGN 4.4)."""

from tournaments.pairing.pods.costs import RULES
from tournaments.pairing.pods.engine import seat_pods
from tournaments.pairing.pods.records import (
    Pod,
    PodRound,
    Search,
    draft_order,
    pod_sizes,
)
from tournaments.pairing.pods.search import MOST_PLAYERS
