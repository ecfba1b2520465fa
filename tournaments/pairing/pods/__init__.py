"""Pods: tables of two to five, seated by score with as few repeats as can be (DESIGN 4.4)."""

from tournaments.pairing.pods.costs import RULES
from tournaments.pairing.pods.drafting import draft_order
from tournaments.pairing.pods.engine import seat_pods
from tournaments.pairing.pods.exhaustive import MOST_PLAYERS
from tournaments.pairing.pods.records import (
    Pod,
    PodCertificate,
    PodRound,
    Search,
)
from tournaments.pairing.pods.sizes import LARGEST_POD, SMALLEST_POD, pod_sizes
