"""The database locked, full or gone in the middle of a form: 503, and sent again it counts."""

import pytest
from django.db import connection

from tests.faults.browsers import Page
from tests.faults.done import assert_all_is_done, fingerprint
from tests.faults.forms import Fields
from tests.faults.organiser import Evening, Organiser
from tests.faults.troubled import TroubledForms
from tests.faults.troubles import TROUBLES

pytestmark = [pytest.mark.check(36, 32), pytest.mark.goal("G12")]


class InTrouble(TroubledForms):
    """Sends forms while the database is in trouble, and again when it is well."""

    def __init__(self, organiser: Organiser, what: str) -> None:
        super().__init__(organiser)
        self.trouble = TROUBLES[what]

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
    "what",
    [one if one == "locked" else pytest.param(one, marks=pytest.mark.slow) for one in TROUBLES],
)
def test_what_is_not_saved_is_said_and_the_kept_form_saves_it(night: Evening, what: str, figure):
    refused = InTrouble(night.organiser, what).act_all(night)

    assert refused == len(night.actions()) - 1, "all but the one that only looks"
    assert_all_is_done(night)
    figure(
        f"{connection.vendor} {what}: {refused} of 12 actions 503 with nothing changed, then done"
    )
