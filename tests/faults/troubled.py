"""An organiser at a site that runs beside the test, and trouble whenever they send a form."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from tests.faults.browsers import OverTheWire, Page
from tests.faults.forms import Fields, forms_in
from tests.faults.organiser import CREATE, PREVIEW, Evening, Organiser
from tests.live_site import Site


def organiser_of(site: Site) -> Organiser:
    """A new account at this site."""
    somebody = Organiser(OverTheWire(site.address))
    somebody.sign_up()
    return somebody


class TroubledForms(ABC):
    """The browser of an organiser whose forms meet with trouble; `refused` counts the 503."""

    def __init__(self, organiser: Organiser) -> None:
        self.organiser, self.wire = organiser, organiser.browser
        self.refused = 0

    def act_all(self, night: Evening) -> int:
        """The twelve actions, each sent again where it was refused; how many forms were."""
        for name, act in night.actions().items():
            page = self._act(act)
            if name == CREATE:
                night.note_new(page)
        return self.refused

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        """Every form but a preview finds trouble."""
        if fields is None or path.endswith(PREVIEW):
            return self.wire.ask(path, fields)
        page = self._send_in_trouble(path, fields)
        self.refused += page.status == 503
        return page

    @abstractmethod
    def _send_in_trouble(self, path: str, fields: Fields) -> Page:
        """Make the trouble, send the form, end the trouble; the answer."""

    def _act(self, act: Callable[[], Page]) -> Page:
        """The action, and its kept form once more; the last page."""
        self.organiser.browser = self
        try:
            page = act()
        finally:
            self.organiser.browser = self.wire
        if page.status == 503:
            page = self.organiser.send(forms_in(page.text)[0])
        assert page.status == 200, (page.path, page.status)
        return page
