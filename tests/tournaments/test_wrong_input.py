"""Odd values in any field never cause a server error."""

from itertools import cycle, product

import pytest

from tests.tournaments.cast import browser_of
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.matrix.scene import Scene
from tests.tournaments.matrix.test_route_matrix import request_and_roll_back, scene

pytestmark = pytest.mark.check(18)

__all__ = ["scene"]

ODD_VALUES = (
    *("", "abc", "-1", "0", "9" * 30, "1e9", "\u0661", "nan", "x" * 5000, "[]", "null"),
    *("<script>alert(1)</script>", "2026-13-45", "\u202e", "%s", "a\r\nb", "1 here"),
)
FIELDS = (
    *("again", "avoids", "by", "choice", "code", "confirm_after_minutes", "ends_at", "entry"),
    *("faction", "feature_tables", "fixed_table", "game_1_points_1", "game_1_winner", "kind"),
    *("late_entry", "meeting_seats", "minutes", "names", "next", "no_show_minutes", "note"),
    *("number", "outcome", "overtime_minutes", "pairing", "player", "q", "reason", "report"),
    *("role", "round", "seats", "seed", "seen", "show", "side", "size", "table", "table_numbers"),
    *("tables", "text", "tick", "turn", "typed", "username", "wanted", "webhook", "what", "words"),
    *("about", "call", "cited", "description", "effect", "game", "infraction", "is_off", "judge"),
    *("name", "on", "overturned", "page", "penalty-game", "penalty-infraction", "penalty-kind"),
    *("penalty-player", "rulings", "step_1", "step_2", "subject", "sure"),
)
PENALTY_FIELDS = (
    "call",
    "effect",
    "game",
    "kind",
    "on",
    "round",
    "rulings",
    "sure",
    "table",
    "text",
)


@pytest.mark.parametrize(
    ("actor", "shift", "step"),
    [
        ("owner", 0, 4),
        *(
            pytest.param(*more, 1, marks=pytest.mark.slow)
            for more in (("owner", 0), ("owner", 5), ("player", 0), ("player", 5))
        ),
    ],
)
def test_odd_values_in_any_field_are_no_error(actor: str, shift: int, step: int, scene: Scene):
    browser = browser_of(actor, scene.event, scene.player)
    values = cycle(ODD_VALUES)
    for _ in range(shift):
        next(values)

    requests = [(name, method) for name, row in EXPECTED.items() for method in row.methods]
    for name, method in requests[::step]:
        fields = dict(zip(FIELDS, values, strict=False))
        answer = request_and_roll_back(browser, method, scene.address(name), fields)
        assert answer.status_code < 500, (name, method, fields)


@pytest.mark.parametrize(
    ("method", "step"),
    [("POST", 5), *(pytest.param(method, 1, marks=pytest.mark.slow) for method in ("GET", "POST"))],
)
def test_odd_values_in_the_penalty_form_are_no_error(method: str, step: int, scene: Scene):
    browser, address = browser_of("owner", scene.event, scene.player), scene.address("penalty_new")
    chosen = {"player": str(scene.player.number), "infraction": "slow-play"}
    lost = {**chosen, "kind": "game_loss", "on": "next", "text": "Slow"}

    for field, value in list(product(PENALTY_FIELDS, ODD_VALUES))[::step]:
        answer = request_and_roll_back(browser, method, address, {**lost, field: value})
        assert answer.status_code < 500, (field, value)
