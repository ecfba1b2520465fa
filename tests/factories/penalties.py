"""Penalties for tests, given through the service."""

from typing import Any

from rulings.guide import PenaltyKind
from tests.factories.tournaments import fresh, owner_of
from tournaments.judging import penalties
from tournaments.models import Penalty, Registration


def penalise(
    registration: Registration,
    kind: PenaltyKind | None = None,
    *,
    infraction: str = "late",
    **fields: Any,
) -> Penalty:
    """Give the player this penalty as the owner of the event; by default that of the guide."""
    tournament = fresh(registration.tournament)
    fields.setdefault("text", "Given by a test.")
    return penalties.give(
        tournament, registration, owner_of(tournament), infraction=infraction, kind=kind, **fields
    )


def take_back(penalty: Penalty) -> Penalty:
    """Withdraw the penalty as the owner of the event."""
    return penalties.withdraw(penalty, owner_of(penalty.tournament), "A mistake.")
