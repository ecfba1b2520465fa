"""An organiser of a running site that fails whenever a form is sent."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from tests.faults.browsers import OverTheWire, Page
from tests.faults.forms import Fields, forms_in
from tests.faults.organiser import CREATE, PREVIEW, FaultEvents, Organiser
from tests.live_site import Site


def sign_up_organiser(site: Site) -> Organiser:
    organiser = Organiser(OverTheWire(site.address))
    organiser.sign_up()
    return organiser


class TroubledForms(ABC):
    """The browser of an organiser whose forms fail; `refused` counts the 503 responses."""

    def __init__(self, organiser: Organiser) -> None:
        self.organiser, self.wire = organiser, organiser.browser
        self.refused = 0

    def run_all(self, events: FaultEvents) -> int:
        """Run the twelve actions, repeating refused forms; return the number of refused forms."""
        for name, act in events.actions().items():
            page = self._act(act)
            if name == CREATE:
                events.note_new(page)
        return self.refused

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        """Let every form except previews fail."""
        if fields is None or path.endswith(PREVIEW):
            return self.wire.ask(path, fields)
        page = self._send_in_trouble(path, fields)
        self.refused += page.status == 503
        return page

    @abstractmethod
    def _send_in_trouble(self, path: str, fields: Fields) -> Page:
        """Send the form during a failure, and return the response."""

    def _act(self, act: Callable[[], Page]) -> Page:
        """Run the action, send its returned form again, and return the last page."""
        self.organiser.browser = self
        try:
            page = act()
        finally:
            self.organiser.browser = self.wire
        if page.status == 503:
            page = self.organiser.send(forms_in(page.text)[0])
        assert page.status == 200, (page.path, page.status)
        return page
