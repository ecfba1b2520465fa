"""The database locked, full or gone in the middle of a form: 503, and sent again it counts."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pytest
from django.db import connection

from tests.faults.browsers import Browser, Page
from tests.faults.done import assert_all_is_done, fingerprint
from tests.faults.forms import Fields, forms_in
from tests.faults.organiser import CREATE, LOOK, PREVIEW, Evening
from tests.faults.troubles import TROUBLES

pytestmark = [pytest.mark.check(36, 32), pytest.mark.goal("G12")]


@dataclass
class Troubled:
    """A browser whose forms meet with trouble for as long as there is some."""

    browser: Browser
    trouble: Callable[[], AbstractContextManager[None]] | None = None

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        if self.trouble is None or fields is None or path.endswith(PREVIEW):
            return self.browser.ask(path, fields)
        with self.trouble():
            return self.browser.ask(path, fields)


@pytest.mark.parametrize("what", TROUBLES)
def test_what_is_not_saved_is_said_and_the_kept_form_saves_it(night: Evening, what: str, figure):
    browser = Troubled(night.organiser.browser)
    night.organiser.browser = browser
    refused = 0

    for name, act in night.actions().items():
        before = fingerprint()
        browser.trouble = TROUBLES[what]
        page = act()
        browser.trouble = None
        if name == LOOK:
            assert page.status == 200
            continue
        assert page.status == 503, (name, page.path, page.status)
        assert int(page.headers["retry-after"]) >= 5
        assert page.headers["cache-control"] == "no-store"
        assert fingerprint() == before, name
        again = night.organiser.send(forms_in(page.text)[0])
        assert again.status == 200, (name, again.path, again.status)
        if name == CREATE:
            night.note_new(again)
        refused += 1

    assert_all_is_done(night)
    figure(
        f"{connection.vendor} {what}: {refused} of 12 actions 503 with nothing changed, then done"
    )
