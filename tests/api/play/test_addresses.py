"""Huge numbers in addresses and bodies."""

from typing import Any

import pytest

from tests.api.clients import client
from tests.api.matrix.scene import fill_in
from tests.api.matrix.table import methods_of
from tests.api.play.conftest import EVENT
from tournaments.models import Tournament
from tournaments.my_event import urls as my_event
from tournaments.registration import urls as registration
from tournaments.results import urls as results
from tournaments.rounds import urls as rounds
from tournaments.undo import urls as undo

HUGE = 10**40
SLICES = (my_event, undo, registration, results, rounds)
TEMPLATES = {
    str(route.name): str(route.pattern) for slice_ in SLICES for route in slice_.api_urlpatterns
}
BODY: dict[str, Any] = {"data": {}, "format": "json"}
NUMBERED = {name: template for name, template in TEMPLATES.items() if "<int:" in template}
SLOW = [pytest.param(number, marks=pytest.mark.slow) for number in (0, 2**15, 2**31, 2**63)]


@pytest.mark.parametrize("number", [HUGE, *SLOW])
def test_huge_number_in_an_address_is_a_404(playing: Tournament, number: int):
    staff = client(playing)
    values = {"slug": "spring-run", "number": number, "table": number, "pk": number}

    for name, template in NUMBERED.items():
        address = f"/api/v1/{fill_in(template, values)}"
        for method in methods_of(name):
            send = getattr(staff, method.lower())
            answer = send(address, **({} if method == "GET" else BODY))
            assert answer.status_code == 404, (method, template)


def test_huge_number_in_a_body_is_refused(playing: Tournament):
    staff = client(playing)
    table = f"{EVENT}rounds/1/tables/1/"
    bodies: dict[str, Any] = {
        f"{EVENT}rounds/": {"number": HUGE},
        f"{EVENT}rounds/1/draft/rest/": {"keep_tables": [HUGE], "reason": "x"},
        f"{EVENT}rounds/1/draft/lock/": {"bye": HUGE, "locked": True},
        f"{EVENT}rounds/1/clock/resume/": {"version": HUGE},
        f"{EVENT}cut/": {"players": [HUGE], "system": "single_elimination"},
        f"{EVENT}cut/decline/": {"number": HUGE, "reason": "ill"},
        f"{table}role/": {"corp": HUGE, "previous_corp": HUGE},
        f"{table}advance/": {"player": HUGE},
        f"{table}confirm/": {"report": HUGE},
    }
    for address, body in bodies.items():
        answer = staff.post(address, body, format="json")
        assert 400 <= answer.status_code < 500, address
    answer = staff.put(f"{table}result/", {"result": {}, "version": HUGE}, format="json")
    assert answer.status_code == 400
