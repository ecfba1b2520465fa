"""A database that is locked, full or gone: a form gets a 503 and can be sent again."""

import pytest
from django.db import connection

from tests.faults.browsers import Page
from tests.faults.done import assert_all_done_once, fingerprint
from tests.faults.forms import Fields
from tests.faults.organiser import FaultEvents, Organiser
from tests.faults.troubled import TroubledForms
from tests.faults.troubles import TROUBLES

pytestmark = [pytest.mark.check(36, 32), pytest.mark.goal("G12")]


class InTrouble(TroubledForms):
    """Sends forms while the database fails, and again after its recovery."""

    def __init__(self, organiser: Organiser, trouble: str) -> None:
        super().__init__(organiser)
        self.trouble = TROUBLES[trouble]

    def _send_in_trouble(self, path: str, fields: Fields) -> Page:
        before = fingerprint()
        with self.trouble():
            page = self.wire.ask(path, fields)
        assert page.status == 503, (path, page.status)
        assert int(page.headers["retry-after"]) >= 5
        assert page.headers["cache-control"] == "no-store"
        assert fingerprint() == before, path
        return page


@pytest.mark.parametrize(
    "trouble",
    [name if name == "locked" else pytest.param(name, marks=pytest.mark.slow) for name in TROUBLES],
)
def test_unsaved_form_is_reported_and_can_be_resent(events: FaultEvents, trouble: str, figure):
    refusals = InTrouble(events.organiser, trouble).run_all(events)

    assert refusals == len(events.actions()) - 1, "all but the one that only looks"
    assert_all_done_once(events)
    figure(
        f"{connection.vendor} {trouble}: {refusals} of 12 actions 503 with nothing changed, "
        "then done"
    )
