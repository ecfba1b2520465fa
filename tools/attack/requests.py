"""Attacks by requests that strangers, guests and new accounts may send.

Each case prints the slowest public page and the slowest staff write during 40 connections, and
their times without the attack:

    python -m tools.attack.requests [--scaled] [words of a name, or hall]

With --scaled, the site is that of deploy/: nginx, granian, PostgreSQL, Redis and the Celery
workers. TEST_DATABASE_URL and TEST_REDIS_URL name the servers.
"""

import json
import os
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache, partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit

from tests.api.live.visitor import Visitor, with_token
from tests.factories.large_events import large_document
from tests.live_site import (
    Site,
    fresh_database,
    kept_database,
    kept_site,
    running_site,
)
from tests.rehearsed_site import Place, of_systemd, served
from tools import scaled
from tools.attack.measuring import (
    JSON,
    PAGE,
    WRITE,
    Attack,
    Event,
    Waits,
    attacked,
    new_event,
    request,
    slowest,
    waits_at,
)

CONNECTIONS, ACCOUNTS, CHECKS = 40, 14, 15
LARGE = 400, 25
"""Players and rounds of the largest event that an account may import."""
ANYTHING = "ANYTHING"
"""Replaced by a new word in each request."""


class Sent(NamedTuple):
    """A request; headers may contain ANYTHING too."""

    method: str
    path: str
    body: str = ""
    headers: dict[str, str] = {}


Requests = tuple[Sent, ...]


class Case(NamedTuple):
    """An attack on an event; `prepare` creates the accounts and events that it needs."""

    name: str
    prepare: Callable[[Event], Requests | Attack]
    page_seconds: float = PAGE
    write_seconds: float = WRITE


SLIPS = "\n".join(f"3 Shoor Gambel Nomber {number} of Aksess" for number in range(400))
CHECK = json.dumps({"text": SLIPS, "game": "anr", "side": "runner"})
DECK = "\n".join(f"3 Shoor Gambel Nomber {number}" for number in range(600))
FOLDS = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 118_000
"""354 KB that compatibility folding makes six times as long."""
CSRF = "x" * 32
FORM = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Cookie": f"csrftoken={CSRF}; __Host-csrf={CSRF}",
}
SESSION = {"Cookie": f"sessionid={CSRF}; __Host-session={CSRF}"}
"""A session id unknown to the site."""
CHECK_DECK = Sent("POST", "/api/v1/decks/check/", CHECK, JSON)
IMPORTS = "/api/v1/imports/"


def costly_answers(event: Event) -> Requests:
    """All slow responses that strangers may request."""
    log_in = f"csrfmiddlewaretoken={CSRF}&password=wrong&login={ANYTHING}"
    return (
        CHECK_DECK,
        Sent("GET", "/api/schema/"),
        # After five wrong passwords, a username is refused without checking the password.
        Sent("POST", "/account/login/", log_in, {**FORM, "Referer": event.site}),
        Sent("GET", "/rulings/booklet/onr/"),
        Sent("GET", f"/rulings/search/?q={ANYTHING}"),
    )


def new_searches(event: Event) -> Requests:
    """Public pages of the event, always at addresses that no cache has stored."""
    page = f"/events/{event.slug}"
    return (
        Sent("GET", f"{page}/pairings/?q={ANYTHING}"),
        Sent("GET", f"{page}/pairings/?by={ANYTHING}"),
        Sent("GET", f"{page}/overlay/standings/?x={ANYTHING}"),
    )


def public_lists(event: Event) -> Requests:
    """Home page, events and rulings, plain and with made-up parameters."""
    pages = ("/", "/events/", "/archive/", "/rulings/")
    return tuple(Sent("GET", f"{page}{end}") for page in pages for end in ("", f"?x={ANYTHING}"))


def pages_of_players(event: Event) -> Requests:
    """Pages of all players of a large event, more than the cache holds."""
    players, _ = LARGE
    slug = _large_event(event.site)[1]
    return tuple(
        Sent("GET", f"/events/{slug}/players/{number}/") for number in range(1, players + 1)
    )


def pages_with_made_up_sessions(event: Event) -> Requests:
    """Public pages of a large event with a made-up session, which are never cached."""
    slug = _large_event(event.site)[1]
    pages = ("", "pairings/", "standings/", "rounds/3/", "players/7/", "projector/")
    return tuple(Sent("GET", f"/events/{slug}/{page}", "", SESSION) for page in pages)


def answers_of_the_api(event: Event) -> Requests:
    """API responses of a large event, computed for each reader."""
    slug = _large_event(event.site)[1]
    paths = ("rounds/3/", "rounds/3/pairings/", "standings/", "standings/7/", "overlay/standings/")
    return tuple(Sent("GET", f"/api/v1/events/{slug}/{path}") for path in paths)


def checks_by_fresh_accounts(event: Event) -> Requests:
    """Deck checks by 14 accounts created for the attack, each with its own event."""
    return tuple(CHECK_DECK._replace(headers=_organiser(event)[0]) for _ in range(ACCOUNTS))


def roster_previews(event: Event) -> Requests:
    """Lists of players that take long to fold, by a new account."""
    headers, slug = _organiser(event)
    path = f"/api/v1/events/{slug}/registrations/lists/?preview=true"
    return (Sent("POST", path, json.dumps({"text": FOLDS}), headers),)


def deck_saves(event: Event) -> Requests:
    """Large decklists, always different, saved by a guest with the public join code."""
    guest = _guest(event)
    body = json.dumps({"text": f"{DECK}\n1 {ANYTHING}"})
    path = f"/api/v1/events/{event.slug}/me/decks/runner/"
    return (Sent("PUT", path, body, guest),)


def imports(event: Event) -> Requests:
    """The largest file that a new account may import, always with a new name."""
    headers, _ = _organiser(event)
    return (Sent("POST", IMPORTS, json.dumps(large_document(*LARGE, name=ANYTHING)), headers),)


def corrections(event: Event) -> Attack:
    """New results in round 1 of a large event, by the account that imported it."""
    headers, slug = _large_event(event.site)
    return partial(correct_for_ever, headers=headers, slug=slug)


def reopened_rounds(event: Event) -> Requests:
    """The last round of an event, reopened and closed; each close makes a backup."""
    headers, slug = _imported(event.site, 8, 1)
    path = f"/api/v1/events/{slug}/rounds/1"
    return (
        Sent("POST", f"{path}/reopen/", json.dumps({"reason": "Another result"}), headers),
        Sent("POST", f"{path}/close/", "{}", headers),
    )


def exports_for_hosts(event: Event) -> Requests:
    """The whole event as an HTML file, always for a new Host."""
    host = {"Host": f"{ANYTHING}.example"}
    return (Sent("GET", f"/events/{event.slug}/exports/html/", "", host),)


def pages_for_hosts(event: Event) -> Requests:
    """Public pages, always for a new Host or a new value of a header."""
    headers = {"Host": f"{ANYTHING}.example"}, {"HX-Request": ANYTHING}, {"X-Fragment": ANYTHING}
    return tuple(
        Sent("GET", page, "", header)
        for page in ("/", "/rulings/", f"/events/{event.slug}/pairings/")
        for header in headers
    )


CASES = (
    Case("costly answers for a stranger", costly_answers),
    Case("new searches of a stranger", new_searches),
    Case("home and lists for a stranger", public_lists),
    Case("pages of players for a stranger", pages_of_players),
    Case("pages with made-up sessions", pages_with_made_up_sessions),
    Case("answers of the API for a stranger", answers_of_the_api),
    Case("deck checks by 14 fresh accounts", checks_by_fresh_accounts),
    Case("roster previews by a fresh account", roster_previews),
    Case("deck saves by a guest", deck_saves),
    Case("imports of large events by a fresh account", imports),
    Case("corrections in a large event", corrections),
    Case("rounds reopened and closed by a fresh account", reopened_rounds),
    Case("HTML exports for made-up hosts", exports_for_hosts),
    Case("pages for made-up hosts and headers", pages_for_hosts),
)


@contextmanager
def attacked_site() -> Iterator[Site]:
    """A site with cards and rulings that has been running for a while."""
    with TemporaryDirectory() as name, running_site(Path(name), DATAFORT_LOG_LEVEL="ERROR") as site:
        request(f"{site.address}{CHECK_DECK.path}", JSON, json.loads(CHECK))
        yield site


@contextmanager
def attacked_scaled_site() -> Iterator[Site]:
    """The same site as deploy/ runs it: the commands of its units behind its nginx."""
    url = os.environ["DATABASE_URL"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    site_folder = kept_site(environment)
    template = kept_database(url, {**environment, "DATAFORT_VAR": str(site_folder)})
    with (
        TemporaryDirectory() as name,
        fresh_database(url, template) as database,
    ):
        rehearsed_place = Place.on_free_ports(Path(name), database)
        with served(of_systemd(), rehearsed_place) as processes:
            request(f"{rehearsed_place.address}{CHECK_DECK.path}", JSON, json.loads(CHECK))
            yield Site(rehearsed_place.address, {}, tuple(processes.values()))


def measure(case: Case, event: Event, **turns: int) -> tuple[Waits, Waits]:
    """The slowest responses without and during the attack.

    Raise HTTPError if staff is refused.
    """
    prepared = case.prepare(event)
    attack = prepared if callable(prepared) else partial(send_for_ever, requests=prepared)
    return slowest(event, **turns), waits_at(event, attack, **turns)


def refusals_of_players(event: Event, connections: int) -> int:
    """Count the refusals among 15 deck checks by a guest during an attack.

    All requests come from one address, as in a hall. The event takes place today.
    """
    guest = _guest(event)
    attack = partial(send_for_ever, requests=(CHECK_DECK,), connections=connections)
    refusals = 0
    with attacked(event.site, attack):
        for _ in range(CHECKS):
            try:
                request(f"{event.site}{CHECK_DECK.path}", guest, {"text": "3 Fang", "game": "anr"})
            except HTTPError as error:
                refusals += error.code == 429
    return refusals


def event_today(site: Site) -> Event:
    event = new_event(site)
    body = {"starts_on": datetime.now(UTC).date().isoformat()}
    request(
        f"{event.site}/api/v1/events/{event.slug}/settings/", event.headers, body, method="PATCH"
    )
    return event


def _account(site: str) -> dict[str, str]:
    """Headers of a new account."""
    _, token = with_token(site, f"fresh-{secrets.token_hex(4)}")
    return {**JSON, "Authorization": f"Token {token}"}


def _imported(site: str, players: int, rounds: int) -> tuple[dict[str, str], str]:
    """Headers of a new account, and the event of closed rounds that it imported."""
    headers, document = _account(site), large_document(players, rounds)
    while True:
        try:
            answer = json.loads(request(f"{site}{IMPORTS}", headers, document, patience=600))
        except HTTPError as error:
            if error.code not in (HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS):
                raise
            # Imports of the previous case are still running or counted.
            time.sleep(5)
        else:
            return headers, str(answer["url"]).rstrip("/").rpartition("/")[2]


@cache
def _large_event(site: str) -> tuple[dict[str, str], str]:
    return _imported(site, *LARGE)


def _organiser(event: Event) -> tuple[dict[str, str], str]:
    """Headers of a new account, and an event of its own."""
    headers = _account(event.site)
    body = {"name": "Own event", "starts_on": datetime.now(UTC).date().isoformat()}
    answer = json.loads(request(f"{event.site}/api/v1/events/", headers, body))
    return headers, str(answer["slug"])


def _guest(event: Event) -> dict[str, str]:
    """Headers of a guest who joined with the code of the event."""
    joining = f"{event.site}/api/v1/events/{event.slug}/joining/"
    code = json.loads(request(joining, event.headers))["join_code"]
    guest = Visitor(event.site)
    guest.page("/join/")
    name = f"Guest {secrets.token_hex(4)}"
    status, answer = guest.api("POST", "join/", {"code": code, "name": name})
    if status != 201:
        raise RuntimeError(f"A guest could not join: {answer}")
    # The page with the form sets the CSRF token of the new session.
    guest.page("/join/")
    cookies = {cookie.name: cookie.value or "" for cookie in guest.cookies}
    return {
        **JSON,
        "Referer": event.site,
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-CSRFToken": next(value for name, value in cookies.items() if "csrf" in name),
    }


def send_for_ever(address: str, requests: Requests, connections: int = CONNECTIONS) -> None:
    """Send requests on each of these connections, one after another."""
    _on_connections(connections, partial(_send_for_ever, address, requests))


def correct_for_ever(address: str, headers: dict[str, str], slug: str) -> None:
    """Change the results of 40 tables of round 1, each on its own connection."""
    path = f"{address}/api/v1/events/{slug}/rounds/1/tables"
    _on_connections(CONNECTIONS, partial(_correct_for_ever, path, headers))


def _on_connections(connections: int, send: Callable[[int], None]) -> None:
    threads = [Thread(target=send, args=(index,)) for index in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _correct_for_ever(path: str, headers: dict[str, str], index: int) -> None:
    table = f"{path}/{index + 1}/result/"
    loser_points = 0
    while True:
        # Refused if the standings have changed since the impact was shown: try again.
        with suppress(OSError):
            loser_points = (loser_points + 1) % 7
            _correct(table, headers, _split(loser_points))


def _correct(table: str, headers: dict[str, str], result: Any) -> None:
    """Enter the result in a closed round: first get the impact, then confirm it with a reason."""
    version = json.loads(request(table, headers, patience=120))["version"]
    body = {"result": result, "version": version, "note": "The slip says so."}
    try:
        request(table, headers, body, "PUT", patience=120)
    except HTTPError as error:
        impact = json.loads(error.read())["errors"].get("impact")
        if impact is None:
            raise
        request(table, headers, {**body, "seen_impact": impact["mark"]}, "PUT", patience=120)


def _split(loser_points: int) -> dict[str, Any]:
    """Each player wins as the Corp; the loser has this many agenda points."""
    points = {"winner": "corp", "corp_agenda_points": 7, "runner_agenda_points": loser_points}
    return {"games": [{"number": number, **points} for number in (1, 2)]}


def _send_for_ever(address: str, requests: Requests, index: int) -> None:
    scheme, host, *_ = urlsplit(address)
    connect = HTTPSConnection if scheme == "https" else HTTPConnection
    while True:
        connection = connect(host, timeout=120)
        with suppress(OSError, HTTPException):
            while True:
                next_request = requests[index % len(requests)]
                index += CONNECTIONS
                random_word = secrets.token_hex(8)
                connection.request(
                    next_request.method,
                    next_request.path.replace(ANYTHING, random_word),
                    next_request.body.replace(ANYTHING, random_word).encode(),
                    {
                        name: text.replace(ANYTHING, random_word)
                        for name, text in next_request.headers.items()
                    },
                )
                connection.getresponse().read()
        connection.close()


def main() -> None:
    """Measure the cases whose names contain these words, by default all cases."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--scaled", action="store_true", help="the site of deploy/")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    name_parts = options.words
    if options.scaled:
        os.environ |= {"DATABASE_URL": scaled.DATABASE_URL, "REDIS_URL": scaled.REDIS_URL}
    with attacked_scaled_site() if options.scaled else attacked_site() as site:
        for case in CASES:
            if all(name_part in case.name for name_part in name_parts):
                alone, during_attack = measure(case, new_event(site))
                print(f"{case.name}: {during_attack}; alone: {alone}", flush=True)
        for connections in (4, CONNECTIONS) if not name_parts or "hall" in name_parts else ():
            refusals = refusals_of_players(event_today(site), connections)
            print(
                f"deck checks of a stranger on {connections} connections: {refusals} of {CHECKS} "
                "checks by a guest of the event behind the same address refused",
                flush=True,
            )


if __name__ == "__main__":
    main()
