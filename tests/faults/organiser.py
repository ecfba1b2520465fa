"""The twelve core actions of an organiser, through pages and forms."""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Event
from time import monotonic
from urllib.parse import urljoin

from tests.faults.browsers import PATIENCE, Browser, Page, follow_redirects
from tests.faults.forms import Form, forms_in

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
PASSWORD = "correct horse battery staple"
CREATE = "create the event"
"""The first of the twelve actions; the next three depend on it."""
CREATED = "desk/created/"
"""Path below a new event of the page shown after its creation."""
PREVIEW = "/roster/paste/"
"""A form that only shows a preview."""


class FormNotOffered(LookupError):  # noqa: N818 - said by a page, not by the site
    """The page does not offer the form for an action."""


@dataclass
class Organiser:
    """A user with a browser; `seen` lists every page they were shown."""

    browser: Browser
    seen: list[Page] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Load a page."""
        return self._follow(self.browser.ask(path))

    def send(self, form: Form, **typed: str) -> Page:
        """Send a form with typed values, and return the page it leads to."""
        names = {name.replace("__", "-"): text for name, text in typed.items()}
        return self._follow(self.browser.ask(form.action, form.filled(**names)))

    def sign_up(self) -> None:
        page = "/account/signup/"
        self.send(self.form(page, page), username=f"o-{token_hex(4)}", password1=PASSWORD)

    def form(self, page: str, action: str) -> Form:
        """Return the form of a page that is sent to `action`; the default action is the page.

        Raise FormNotOffered if there is none.
        """
        current_page = self.open(page)
        for form in forms_in(current_page.text):
            form.action = urljoin(current_page.path, form.action)
            if form.action == action:
                return form
        raise FormNotOffered(
            f"{current_page.path} ({current_page.status}) has no form for {action}"
        )

    def _follow(self, page: Page) -> Page:
        pages = follow_redirects(self.browser, page)
        self.seen += pages
        return pages[-1]


@dataclass
class Desk:
    organiser: Organiser
    path: str
    """Path of the event, such as /events/spring-run/."""

    def add_players(self, names: tuple[str, ...] = NAMES) -> Page:
        """Paste names, view the preview and add the players."""
        paste, apply = f"{self.path}roster/paste/", f"{self.path}roster/apply/"
        form = self.organiser.form(paste, paste)
        preview = self.organiser.send(form, text="\n".join(names))
        apply_forms = [form for form in forms_in(preview.text) if form.action == apply]
        return self.organiser.send(apply_forms[0]) if apply_forms else preview

    def check_in(self) -> Page:
        return self._press("roster/", "roster/check-in/")

    def pair(self) -> Page:
        return self._press("desk/", "pair/")

    def publish(self, number: int) -> Page:
        return self._press(f"rounds/{number}/draft/", f"rounds/{number}/publish/")

    def start(self, number: int) -> Page:
        return self._press("desk/", f"rounds/{number}/start/")

    def enter(self, number: int, table: int, stolen: int = 3) -> Page:
        """Enter a win of the first player in both games."""
        page = f"rounds/{number}/results/?edit={table}"
        form = self._form(page, f"rounds/{number}/tables/{table}/enter/")
        games = {f"t{table}__game_{game}_winner": "1" for game in (1, 2)}
        points = {f"t{table}__game_{game}_points_2": str(stolen) for game in (1, 2)}
        return self.organiser.send(form, **games, **points)

    def correct(self, number: int, table: int) -> Page:
        """Enter the result again with other agenda points."""
        return self.enter(number, table, stolen=1)

    def drop(self, player: int) -> Page:
        return self._press(f"roster/{player}/entry/", f"roster/{player}/drop/")

    def close(self, number: int) -> Page:
        return self._press("desk/", f"rounds/{number}/close/")

    def standings(self) -> Page:
        return self.organiser.open(f"{self.path}standings/")

    def cut(self) -> Page:
        """Make a top cut of four; the page selects its players."""
        return self._press("desk/cut/?size=4", "desk/cut/")

    def has(self, page: str, action: str) -> bool:
        """Return True if the page offers this action."""
        try:
            self._form(page, action)
        except FormNotOffered:
            return False
        return True

    def wait_for(self, page: str, action: str) -> None:
        """Wait until the page offers this action, because a job has finished."""
        deadline, pause = monotonic() + PATIENCE, Event()
        while not self.has(page, action):
            assert monotonic() < deadline, f"{page} never offered {action}"
            pause.wait(0.2)

    def draft(self, number: int) -> None:
        """Pair the round, and wait for its draft."""
        self.pair()
        self.wait_for(f"rounds/{number}/draft/", f"rounds/{number}/publish/")

    def play(self, number: int) -> None:
        """Play the round from its draft to its last result."""
        self.publish(number)
        self.start(number)
        for table in range(1, len(NAMES) // 2 + 1):
            self.enter(number, table)

    def _press(self, page: str, action: str) -> Page:
        return self.organiser.send(self._form(page, action))

    def _form(self, page: str, action: str) -> Form:
        return self.organiser.form(f"{self.path}{page}", f"{self.path}{action}")


def send_new_event(organiser: Organiser) -> Page:
    """Send the form of a new event; on success, return the page with its join code."""
    form = organiser.form("/events/new/", "/events/new/")
    return organiser.send(form, name=f"Fault Open {token_hex(3)}")


def create_event(organiser: Organiser) -> Desk:
    return Desk(organiser, send_new_event(organiser).path.removesuffix(CREATED))


@dataclass
class FaultEvents:
    """Four events of an organiser, so that no action waits for the job of another.

    One is new, one has a draft, one has all results, and one has a closed round.
    """

    organiser: Organiser
    drafted: Desk
    playing: Desk
    played: Desk
    fresh: Desk | None = None

    @property
    def new(self) -> Desk:
        assert self.fresh is not None, "the event was not created"
        return self.fresh

    def create(self) -> Page:
        """Create an event for the next actions."""
        page = send_new_event(self.organiser)
        self.note_new(page)
        return page

    def note_new(self, page: Page) -> None:
        """Remember the new event if the page is its first page."""
        if page.path.endswith(f"/{CREATED}"):
            self.fresh = Desk(self.organiser, page.path.removesuffix(CREATED))

    def actions(self) -> dict[str, Callable[[], Page]]:
        """The twelve actions by name, in the order of an event; each returns its last page."""
        return {
            CREATE: self.create,
            "add players": lambda: self.new.add_players(),
            "check in": lambda: self.new.check_in(),
            "pair": lambda: self.new.pair(),
            "publish": lambda: self.drafted.publish(1),
            "start the clock": lambda: self.drafted.start(1),
            "enter a result": lambda: self.drafted.enter(1, 1),
            "drop a player": lambda: self.drafted.drop(1),
            "correct a result": lambda: self.playing.correct(1, 1),
            "close the round": lambda: self.playing.close(1),
            "look at the standings": self.playing.standings,
            "make the cut": self.played.cut,
        }

    def run_all(self) -> None:
        """Run all twelve actions; none may fail."""
        for name, act in self.actions().items():
            act()
            answers = [(page.path, page.status) for page in self.organiser.seen]
            assert all(status in (200, 302) for _, status in answers), (name, answers)


def prepare_events(organiser: Organiser) -> FaultEvents:
    """Prepare the three existing events while nothing is broken."""
    drafted, playing, played = (create_event(organiser) for _ in range(3))
    for desk in (drafted, playing, played):
        desk.add_players()
        desk.check_in()
        desk.draft(1)
    playing.play(1)
    played.play(1)
    played.close(1)
    played.wait_for("desk/cut/?size=4", "desk/cut/")
    return FaultEvents(organiser, drafted, playing, played)
