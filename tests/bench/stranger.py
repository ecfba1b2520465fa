"""W7: forty connections of a stranger who requests expensive pages, and everybody else.

Alone: python -m tests.bench.stranger
"""

import json
import secrets
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import urlsplit

from tests.attack.measuring import JSON, PAGE, TURNS, WRITE, new_event, request, waits_at
from tests.bench.figures import Figure
from tests.live_site import manage, running_site

Sent = tuple[str, str, str, dict[str, str]]
"""Method, path, body and headers of a request."""
Requests = tuple[Sent, ...]
CONNECTIONS = 40
SLIPS = "\n".join(f"3 Shoor Gambel Nomber {number} of Aksess" for number in range(400))
CHECK = json.dumps({"text": SLIPS, "game": "anr", "side": "runner"})
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
"""Pages that are not limited, by an address that no cache has stored."""


def figures() -> Iterator[Figure]:
    """The slowest page of a reader and the slowest write of staff beside each attack."""
    with TemporaryDirectory() as name, running_site(Path(name), DATAFORT_LOG_LEVEL="ERROR") as site:
        manage(site, "import_cards")
        manage(site, "import_rulings")
        event = new_event(site.address)
        # Cards are loaded once: a site has been up for a while.
        request(f"{site.address}{COSTLY[0][1]}", JSON, json.loads(CHECK))
        own = tuple((how, path.format(event.slug), body, head) for how, path, body, head in PAGES)
        for requests, of_what in ((COSTLY, "costly answers"), (own, "uncached pages")):
            waits = waits_at(event, partial(send_for_ever, requests=requests))
            yield _figure("a public page", of_what, waits.page_seconds, PAGE)
            yield _figure("a write of the staff", of_what, waits.write_seconds, WRITE)


def _figure(what: str, of_what: str, worst: float, goal: float) -> Figure:
    words = (
        f"slowest of {TURNS} answers to {what} beside {CONNECTIONS} connections of a stranger who "
        f"asks for {of_what}"
    )
    return Figure("W7", words, f"{worst:.2f} s", f"<= {goal:.0f} s", worst <= goal)


def send_for_ever(address: str, requests: Requests) -> None:
    """Forty connections, each with the next request as soon as the last one is answered."""
    threads = [
        Thread(target=_send_for_ever, args=(address, requests[place % len(requests)]))
        for place in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _send_for_ever(address: str, sent: Sent) -> None:
    method, path, body, headers = sent
    while True:
        connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
        with suppress(OSError, HTTPException):
            while True:
                # After five wrong passwords a user name is refused without a check.
                new_path, new_body = (
                    text.replace("NOBODY", secrets.token_hex(8)) for text in (path, body)
                )
                connection.request(method, new_path, new_body, headers)
                connection.getresponse().read()
        connection.close()


if __name__ == "__main__":
    for figure in figures():
        print(*figure.cells, sep=" | ", flush=True)
