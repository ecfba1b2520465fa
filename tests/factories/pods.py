"""Events of Free Radicals for tests."""

from typing import Any

from matches.scoring.results import MatchResult
from tests.factories.tournaments import make_event
from tournaments.models import Pairing, Tournament
from tournaments.results.queries import FactionDraft, get_faction_draft

VICTORY_POINTS = (31, 27, 20, 14, 9)


def make_pods(players: int = 9, **settings: Any) -> Tournament:
    """An event in pods with checked-in guests."""
    settings.setdefault("game", "free_radicals")
    return make_event(
        players, system="pods", scoring_rule="free_radicals", decks_required=False, **settings
    )


def places(pairing: Pairing) -> MatchResult:
    """The first seat wins, the last seat comes last."""
    return MatchResult(victory_points=VICTORY_POINTS[: pairing.match.seats.count()])


def draft_at(pairing: Pairing) -> FactionDraft:
    """The draft of factions at this table, which must be open."""
    fresh = Pairing.objects.select_related("match", "round__stage__tournament").get(pk=pairing.pk)
    draft = get_faction_draft(fresh.match, fresh.round)
    assert draft is not None
    return draft
