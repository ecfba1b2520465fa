"""Time a public page and a staff write while a stranger attacks the site."""

import json
import math
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Event as Signal
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.api.live.visitor import with_token
from tests.live_site import Site, processor_seconds

PAGE, WRITE = 1.0, 2.0
"""Goals of W7: seconds of the slowest page of a reader, and of the slowest write of staff."""
TURNS, PLAYERS = 12, 100
LEAD = 3
"""Seconds between the start of the attack and the first measurement, and after the attack."""
PATIENCE = 30
"""Seconds after which a missing response counts as infinite."""
JSON = {"Content-Type": "application/json"}

Attack = Callable[[str], None]
"""A module-level function that attacks the site at an address until its process is terminated."""


class Waits(NamedTuple):
    """The slowest responses in seconds.

    `page_load` and `write_load` are the processor seconds that the site used, at most: the waiting
    times on an otherwise idle machine.
    """

    page_seconds: float
    write_seconds: float
    page_load: float
    write_load: float

    def __str__(self) -> str:
        return (
            f"page {self.page_seconds:.2f} s (load {self.page_load:.2f} s), "
            f"staff write {self.write_seconds:.2f} s (load {self.write_load:.2f} s)"
        )


@dataclass(frozen=True)
class Event:
    """An event with players, public to read, and changed by an organiser with a token."""

    site: str
    slug: str
    headers: dict[str, str]
    pids: tuple[int, ...] = ()
    """The processes of the site."""

    def add_players(self, *names: str) -> None:
        """Add players as staff would."""
        body = {"players": [{"name": name} for name in names]}
        request(f"{self.site}/api/v1/events/{self.slug}/registrations/", self.headers, body)

    def read(self) -> None:
        """Read the public page of the event."""
        request(f"{self.site}/events/{self.slug}/")


def beside(site: Site, attack: Attack, *, turns: int = TURNS) -> Waits:
    """Measure a new event of the site during the attack.

    Raise HTTPError if the site refuses the reader or staff.
    """
    return waits_at(new_event(site), attack, turns=turns)


def waits_at(event: Event, attack: Attack, *, turns: int = TURNS) -> Waits:
    """The slowest of `turns` pages and writes at this event during the attack."""
    with attacked(event.site, attack):
        return slowest(event, turns)


def slowest(event: Event, turns: int = TURNS) -> Waits:
    """The slowest of `turns` pages and writes at this event."""
    pages: list[tuple[float, float]] = []
    writes: list[tuple[float, float]] = []
    for _ in range(turns):
        pages.append(_cost(event, event.read))
        writes.append(_cost(event, event.add_players, f"Late {secrets.token_hex(6)}"))
        if math.inf in (*pages[-1], *writes[-1]):
            break
    return Waits(
        max(seconds for seconds, _ in pages),
        max(seconds for seconds, _ in writes),
        max(load for _, load in pages),
        max(load for _, load in writes),
    )


def new_event(site: Site) -> Event:
    """An event of 100 players at this site, whose pages have been loaded once."""
    address = site.address
    _, token = with_token(address, f"organiser-{secrets.token_hex(4)}")
    headers = {**JSON, "Authorization": f"Token {token}"}
    body = {"name": "Evening", "starts_on": "2026-05-02", "late_entry": "losses"}
    slug = json.loads(request(f"{address}/api/v1/events/", headers, body))["slug"]
    event = Event(address, slug, headers, site.pids)
    event.add_players(*(f"Player {number}" for number in range(PLAYERS)))
    event.read()
    return event


def request(
    address: str,
    headers: dict[str, str] | None = None,
    body: Any = None,
    method: str | None = None,
    patience: float = PATIENCE,
) -> str:
    """The text of the response. A body is sent as JSON, by default with POST."""
    data = None if body is None else json.dumps(body).encode()
    request_ = Request(address, data, headers or {}, method=method)
    with urlopen(request_, timeout=patience) as answer:
        return str(answer.read().decode())


def _cost(event: Event, act: Callable[..., Any], *about: Any) -> tuple[float, float]:
    """The seconds of a response, and the processor seconds that the site uses for it."""
    used, began = processor_seconds(event.pids), time.perf_counter()
    try:
        act(*about)
    except HTTPError:
        raise
    except OSError:
        return math.inf, processor_seconds(event.pids) - used
    return time.perf_counter() - began, processor_seconds(event.pids) - used


@contextmanager
def attacked(address: str, attack: Attack) -> Iterator[None]:
    """Run the attack in a separate process, so that it takes no time of the measuring process.

    Raise RuntimeError if the attack did not start or ended too early, because then nothing was
    measured.
    """
    processes = get_context("spawn")
    has_begun = processes.Event()
    attacker = processes.Process(target=_attack, args=(attack, address, has_begun), daemon=True)
    attacker.start()
    try:
        if not has_begun.wait(PATIENCE):
            raise RuntimeError("The attack has not begun.")
        time.sleep(LEAD)
        yield
        if not attacker.is_alive():
            raise RuntimeError("The attack ended before the measurement.")
    finally:
        attacker.terminate()
        attacker.join()
        # The site still responds to requests sent before.
        time.sleep(LEAD)


def _attack(attack: Attack, address: str, has_begun: Signal) -> None:
    has_begun.set()
    attack(address)
