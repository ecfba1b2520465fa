"""The load of a large event, as users of Locust: `make hall` starts the site and runs this file.

Two of five phones show the page of their player, the others the pairings, each polling every five
seconds like static/js/poll.js. Half of the players report within LOAD_RUSH seconds, their opponents
after them; then the staff close the round, pair and publish the next. LOAD_SCENE names the file
written by tools.load.scene, LOAD_ANSWERS the file for the figures, LOAD_ORIGIN the site's own
address.
"""

import json
import os
import re
from itertools import count
from pathlib import Path
from random import uniform
from time import monotonic
from typing import Any

import gevent
from locust import events, task
from locust.contrib.fasthttp import FastHttpUser
from locust.env import Environment
from locust.exception import StopUser

from tools.load.forms import hidden_fields

SCENE: dict[str, Any] = json.loads(Path(os.environ["LOAD_SCENE"]).read_text())
EVENT = f"/events/{SCENE['slug']}/"
SECONDS, RUSH = float(os.environ["LOAD_SECONDS"]), float(os.environ["LOAD_RUSH"])
ORIGIN = os.environ["LOAD_ORIGIN"]
PHONES = len(SCENE["players"])
OWN_PAGES = PHONES * 2 // 5
POLL_SECONDS, SPREAD = 5.0, 0.5
OPENED_BY, REPORTS_FROM = 0.25 * SECONDS, 0.3 * SECONDS
CLOSED_AT = 0.7 * SECONDS
"""Moments of the event: forms are open, results begin, the round is closed."""
CSRF_TOKEN = "a" * 32
TWO_WINS = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}
STARTED = monotonic()
published: dict[int, float] = {}
"""Publishing time of each round, by its number."""


def sleep_until(second: float) -> None:
    """Wait for a moment of the event, in seconds from its start."""
    gevent.sleep(max(0.0, STARTED + second - monotonic()))


def note(name: str, milliseconds: float, error: Exception | None = None) -> None:
    """Count an event that is no response of the site."""
    events.request.fire(
        request_type="SEEN",
        name=name,
        response_time=milliseconds,
        response_length=0,
        exception=error,
        context={},
    )


def etag_in(page: str) -> str:
    """The ETag that a page polls with, or ""."""
    match = re.search(r'data-poll-etag="([^"]*)"', page)
    return match[1].replace("&quot;", '"') if match else ""


class Visitor(FastHttpUser):
    """A user with a session, or a stranger without."""

    abstract = True
    session = ""

    @property
    def cookies(self) -> dict[str, str]:
        session_cookie = f"; sessionid={self.session}" if self.session else ""
        return {"Cookie": f"csrftoken={CSRF_TOKEN}{session_cookie}"}

    def ask(self, path: str, name: str, **headers: str) -> Any:
        return self.client.get(path, name=name, headers={**self.cookies, **headers})

    def poll_page(self, page: str, name: str, etag: str) -> Any:
        """Changes of a page since the version with this ETag."""
        etag_header = {"If-None-Match": etag} if etag else {}
        return self.ask(EVENT + page, name, **{"X-Fragment": "1"}, **etag_header)

    def send(self, path: str, name: str, fields: dict[str, str], *, again: bool = True) -> None:
        """Send a form; anything but the redirect after a change is a failure.

        Without a response it is sent once more, like static/js/outbox.js: the site may close a
        connection that was silent for a minute just when something is sent on it.
        """
        headers = {**self.cookies, "X-CSRFToken": CSRF_TOKEN, "Origin": ORIGIN}
        with self.client.post(
            path, fields, name=name, headers=headers, allow_redirects=False, catch_response=True
        ) as answer:
            unheard = again and answer.status_code == 0
            if unheard:
                answer.request_meta["name"] = "sent again"
                answer.success()
            elif answer.status_code != 302:
                answer.failure(f"{path} answers {answer.status_code}")
        if unheard:
            self.send(path, name, fields, again=False)


class Phone(Visitor):
    """Polls a page, and notes when it shows a new round."""

    abstract = True
    page = "pairings/"

    @task
    def poll(self) -> None:
        gevent.sleep(uniform(0, POLL_SECONDS))
        etag = etag_in(self.ask(EVENT + self.page, "first visit").text or "")
        newest_round = 0
        while True:
            gevent.sleep(POLL_SECONDS + uniform(-SPREAD, SPREAD))
            answer = self.poll_page(self.page, "poll", etag)
            if answer.status_code == 200:
                etag = answer.headers.get("ETag", "")
                newest_round = self.note_new_round(answer.text or "", newest_round)

    def note_new_round(self, text: str, newest_round: int) -> int:
        """The newest round this phone has shown so far."""
        newest = max(published, default=0)
        if newest > newest_round and re.search(rf"Round\s+{newest}\b", text):
            note("published round", (monotonic() - published[newest]) * 1000)
            return newest
        return newest_round


class Spectator(Phone):
    """A phone that shows the pairings."""

    fixed_count = PHONES - OWN_PAGES


class Projector(Phone):
    fixed_count = 1
    page = "projector/"


class OwnPage(Phone):
    """A phone that shows the page of its player."""

    fixed_count = OWN_PAGES
    page = "me/"
    numbers = count()

    def on_start(self) -> None:
        self.session = SCENE["players"][next(self.numbers)]


class Reporter(Visitor):
    """A player who opens the report form and reports; the opponent reports the same."""

    fixed_count = PHONES
    numbers = count()
    tables: dict[str, int] = {}

    def on_start(self) -> None:
        self.session = SCENE["players"][next(self.numbers)]

    @task
    def play(self) -> None:
        sleep_until(uniform(0.05 * SECONDS, OPENED_BY))
        page = self.ask(f"{EVENT}me/", "player's page").text or ""
        if match := re.search(r'"(/[^"]*/tables/\d+/report/)[?"]', page):
            self.report(match[1])
        raise StopUser

    def report(self, form: str) -> None:
        is_first = self.tables.setdefault(form, id(self)) == id(self)
        fields = hidden_fields(self.ask(form, "player's page").text or "", form)
        start = REPORTS_FROM if is_first else REPORTS_FROM + RUSH
        sleep_until(start + uniform(0, RUSH if is_first else CLOSED_AT - 5 - start))
        self.send(form, "result", {**fields, **TWO_WINS})


class Organiser(Visitor):
    """Starts the round, closes it, pairs and publishes the next, through the desk."""

    fixed_count = 1
    session = SCENE["owner"]

    @task
    def lead_once(self) -> None:
        try:
            self.lead_round()
        except LookupError as error:
            note("staff", 0, error)
        raise StopUser

    def lead_round(self) -> None:
        number = int(SCENE["round"])
        self.press("desk/", f"rounds/{number}/start/")
        sleep_until(CLOSED_AT)
        self.press("desk/", f"rounds/{number}/close-and-pair/")
        draft = f"rounds/{number + 1}/draft/"
        while not self.is_there(EVENT + draft):
            gevent.sleep(0.25)
        fields = self.fields(draft, f"rounds/{number + 1}/publish/")
        published[number + 1] = monotonic()
        self.send(f"{EVENT}rounds/{number + 1}/publish/", "staff", fields)

    def is_there(self, path: str) -> bool:
        """Return True if the result of a job exists; its absence is no failure."""
        with self.client.get(
            path, headers=self.cookies, name="draft", catch_response=True
        ) as answer:
            if answer.status_code == 404:
                answer.success()
            return bool(answer.status_code == 200)

    def press(self, page: str, action: str) -> None:
        self.send(EVENT + action, "staff", self.fields(page, action))

    def fields(self, page: str, action: str) -> dict[str, str]:
        return hidden_fields(self.ask(EVENT + page, "desk").text or "", EVENT + action)


class Desk(Visitor):
    """The scorekeeper's desk, which polls like the phones."""

    fixed_count = 1
    session = SCENE["scorekeeper"]

    @task
    def poll(self) -> None:
        etag = etag_in(self.ask(f"{EVENT}desk/", "desk").text or "")
        while True:
            gevent.sleep(POLL_SECONDS)
            answer = self.poll_page("desk/", "desk", etag)
            etag = answer.headers.get("ETag", etag)


@events.quitting.add_listener
def write_answers(environment: Environment, **_: Any) -> None:
    """Number of each kind, number of failures, and milliseconds at each percentile."""
    figures = {
        entry.name: {
            "count": entry.num_requests,
            "failed": entry.num_failures,
            **{
                str(percentile): entry.get_response_time_percentile(percentile)
                for percentile in (0.5, 0.95, 0.99, 1.0)
            },
        }
        for entry in environment.stats.entries.values()
    }
    errors = [f"{error.occurrences} x {error.error}" for error in environment.stats.errors.values()]
    answers = {"figures": figures, "errors": errors}
    Path(os.environ["LOAD_ANSWERS"]).write_text(json.dumps(answers))
