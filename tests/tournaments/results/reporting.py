"""Helpers for results entered at a table."""

from typing import Any

from tests.factories.tournaments import sweep
from tournaments.event.permissions import Actor
from tournaments.models import Pairing
from tournaments.results import services


def result_fields(pairing: Pairing, prefix: str = "", **changes: Any) -> dict[str, Any]:
    """Return form data: seat 1 wins both games, seat 2 has 3 agenda points in each."""
    pairing.match.refresh_from_db()
    fields = {
        "seen": pairing.match.version,
        "corp": "1",
        "game_1_winner": "1",
        "game_1_points_2": "3",
        "game_2_winner": "1",
        "game_2_points_2": "3",
    }
    return {f"{prefix}{name}": value for name, value in {**fields, **changes}.items()}


def points(pairing: Pairing) -> list[int | None]:
    return list(pairing.match.seats.order_by("position").values_list("points", flat=True))


def dispute(pairing: Pairing) -> None:
    ada, bo = pairing.match.seats.order_by("position")
    services.report_result(pairing, ada, sweep(1, 3), Actor(player=ada.player))
    services.report_result(pairing, bo, sweep(1, 4), Actor(player=bo.player))
