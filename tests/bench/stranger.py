"""W7: what forty connections of a stranger, asking for what costs most, do to everybody else.

Alone: python -m tests.bench.stranger
"""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tests.api.live.visitor import with_token
from tests.bench.figures import Figure
from tests.live_site import manage, running_site

Asked = tuple[str, str, str, dict[str, str]]
"""Method, address, body and headers."""
Requests = tuple[Asked, ...]
CONNECTIONS, TURNS, PLAYERS = 40, 12, 100
PAGE, WRITE = 1.0, 2.0
"""Seconds that the slowest answer may take."""
SLIPS = "\n".join(f"3 Shoor Gambel Nomber {number} of Aksess" for number in range(400))
CHECK = json.dumps({"text": SLIPS, "game": "anr", "side": "runner"})
JSON = {"Content-Type": "application/json"}
TOKEN = "x" * 32
FORM = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Cookie": f"csrftoken={TOKEN}",
}
LOG_IN = f"csrfmiddlewaretoken={TOKEN}&password=wrong&login=NOBODY"
COSTLY: Requests = (
    ("POST", "/api/v1/decks/check/", CHECK, JSON),
    ("GET", "/api/schema/", "", JSON),
    ("POST", "/account/login/", LOG_IN, FORM),
    ("GET", "/rulings/booklet/onr/", "", {}),
    ("GET", "/rulings/search/?q=NOBODY", "", {}),
)
PAGES: Requests = (("GET", "/events/{}/pairings/?q=NOBODY", "", {}),)
"""What nobody is refused, by an address that no cache has kept."""


def figures() -> Iterator[Figure]:
    """The slowest page of a reader and the slowest write of the staff meanwhile."""
    with TemporaryDirectory() as name, running_site(Path(name), DATAFORT_LOG_LEVEL="ERROR") as site:
        manage(site, "import_cards")
        manage(site, "import_rulings")
        headers = {**JSON, "Authorization": f"Token {with_token(site.address, 'organiser')[1]}"}
        new = {"name": "Evening", "starts_on": "2026-05-02", "late_entry": "losses"}
        slug = json.loads(_asked(f"{site.address}/api/v1/events/", headers, new))["slug"]
        players = f"{site.address}/api/v1/events/{slug}/registrations/"

        def add(*names: str) -> None:
            _asked(players, headers, {"players": [{"name": name} for name in names]})

        add(*(f"Player {number}" for number in range(PLAYERS)))
        # What is read once is read: a site has been up for a while.
        _asked(f"{site.address}{COSTLY[0][1]}", JSON, json.loads(CHECK))
        _asked(f"{site.address}/events/{slug}/")
        own = tuple((one, path.format(slug), body, headers) for one, path, body, headers in PAGES)
        for asked, of_what in ((COSTLY, "costly answers"), (own, "uncached pages")):
            pages: list[float] = []
            writes: list[float] = []
            with _attacked(site.address, asked):
                for number in range(TURNS):
                    pages.append(_seconds(lambda: _asked(f"{site.address}/events/{slug}/")))
                    writes.append(_seconds(add, f"{of_what} {number}"))
            yield _figure("a public page", of_what, pages, PAGE)
            yield _figure("a write of the staff", of_what, writes, WRITE)


def _figure(what: str, of_what: str, seconds: list[float], goal: float) -> Figure:
    words = (
        f"slowest of {TURNS} answers to {what} beside {CONNECTIONS} connections of a stranger who "
        f"asks for {of_what}"
    )
    worst = max(seconds)
    return Figure("W7", words, f"{worst:.2f} s", f"<= {goal:.0f} s", worst <= goal)


def _seconds(act: Callable[..., Any], *about: Any) -> float:
    began = time.perf_counter()
    act(*about)
    return time.perf_counter() - began


def _asked(address: str, headers: dict[str, str] | None = None, body: Any = None) -> str:
    sent = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, sent, headers or {}), timeout=120) as answer:
        return str(answer.read().decode())


@contextmanager
def _attacked(address: str, asked: Requests) -> Iterator[None]:
    """In a process of its own, so that it takes no turn of those who measure."""
    attacker = get_context("spawn").Process(target=_attack, args=(address, asked), daemon=True)
    attacker.start()
    time.sleep(3)
    try:
        yield
    finally:
        attacker.terminate()
        attacker.join()


def _attack(address: str, asked: Requests) -> None:
    threads = [
        Thread(target=_ask_for_ever, args=(address, asked[place % len(asked)]))
        for place in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()


def _ask_for_ever(address: str, asked: Asked) -> None:
    """One connection: the next question as soon as the last one is answered."""
    method, path, body, headers = asked
    while True:
        connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
        with suppress(OSError, HTTPException):
            while True:
                # A name whose password was wrong five times is not looked at any more.
                here, said = (text.replace("NOBODY", secrets.token_hex(8)) for text in (path, body))
                connection.request(method, here, said, headers)
                connection.getresponse().read()
        connection.close()


if __name__ == "__main__":
    for figure in figures():
        print(*figure.cells, sep=" | ", flush=True)
