"""JSON that is too deep, too long or ambiguous, sent to every operation that accepts JSON."""

from collections.abc import Callable, Iterable
from typing import cast

import pytest
from django.urls import reverse

from core.api_requests import MAX_BODY_ITEMS
from tests.api.matrix.scene import make_scene
from tests.api.matrix.table import DECLARED, EXPECTED, parts
from tests.tournaments.matrix.scene import checksums

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(15),
    pytest.mark.goal("G15"),
]
SMALL_NUMBER = '{"datafort": 1e-3000000000}'
BOMBS: list[str | bytes] = [
    "[" * 5000 + "]" * 5000,
    '{"a":' * 20_000 + "1" + "}" * 20_000,
    "[" * 100_000 + "]" * 100_000,
    '{"name": "a", "name": "b"}',
    '{"name": NaN}',
    '{"name": -Infinity}',
    '{"number": ' + "9" * 5000 + "}",
    '{"number": 1e99999}',
    SMALL_NUMBER,
    '{"name": "\\ud800"}',
    "[" + "1," * (2 * MAX_BODY_ITEMS) + "1]",
    "[" + "1," * 400_000 + "1]",
    '{"name": "a',
    b'{"name": "\xff"}',
]
WRITING = [
    operation
    for operation in DECLARED
    if parts(operation)[0] in ("POST", "PUT", "PATCH") and EXPECTED[operation].body
]
"""Operations with a request body."""


def count_refused(requests: Iterable[tuple[str, str | bytes]]) -> int:
    """Send all bodies; none may be accepted or change anything. Return their number."""
    scene = make_scene()
    organiser, player = scene.client("organiser"), scene.client("player")
    addresses = {operation: scene.address(operation) for operation in WRITING}
    before, statuses = checksums(), []
    for operation, bomb in requests:
        client = organiser if "organiser" in EXPECTED[operation].may else player
        method, address = parts(operation)[0], addresses[operation]
        answer = client.generic(method, address, cast("str", bomb), content_type="application/json")
        statuses.append((operation, bomb[:20], answer.status_code))

    assert [status for status in statuses if status[2] not in (400, 413)] == []
    assert checksums() == before
    return len(statuses)


def test_no_operation_reads_a_json_bomb(figure: Callable[[str], None]):
    pairs = enumerate(WRITING)
    count = count_refused((operation, BOMBS[index % len(BOMBS)]) for index, operation in pairs)

    figure(f"{count} bodies to {len(WRITING)} operations of the API, all refused")


def test_number_with_a_huge_exponent_is_not_expanded():
    client = make_scene().client("organiser")

    answer = client.generic(
        "POST", reverse("api:imports"), SMALL_NUMBER, content_type="application/json"
    )

    assert answer.status_code == 400
    assert "1E-3000000000" in answer.content.decode()


@pytest.mark.slow
def test_no_operation_reads_any_json_bomb(figure: Callable[[str], None]):
    count = count_refused((operation, bomb) for operation in WRITING for bomb in BOMBS)

    figure(f"{count} bodies to {len(WRITING)} operations of the API, all refused")
