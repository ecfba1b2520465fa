"""Pods: tables of two to five, seated by score with few repeats (docs/rules.md)."""

from engine.pairing.pods.costs import RULES, Pod, PodRound, Search, draft_order, pod_sizes
from engine.pairing.pods.engine import seat_pods
from engine.pairing.pods.search import MOST_PLAYERS
