"""Who is in the hall: phones that look, players who report, the staff."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import perf_counter

from tests.hall.connection import Answer, Browser
from tests.hall.measures import Measures

EVERY = 5.0  # seconds between two looks
SPREAD = 0.1
SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}


@dataclass
class Published:
    """The round that is awaited, and since when; the phones that have it are noted."""

    number: int = 0
    at: float = 0.0


@dataclass
class Phone:
    """Looks at one page as static/js/poll.js does; a projector is one as well."""

    browser: Browser
    path: str
    measures: Measures
    awaited: Published
    chance: Random
    etag: str = ""
    _has_round: int = 0

    async def look_for_ever(self) -> None:
        await asyncio.sleep(self.chance.random() * EVERY)
        whole = await self.browser.get(self.path)
        self.measures.first.note(whole, expected=(200,))
        self._follow(whole.text)
        while True:
            await asyncio.sleep(EVERY * (1 + self.chance.uniform(-SPREAD, SPREAD)))
            await self.look()

    async def look(self) -> None:
        headers = {"X-Fragment": "1", **({"If-None-Match": self.etag} if self.etag else {})}
        answer = await self.browser.get(self.path, **headers)
        self.measures.polls.note(answer, expected=(200, 304))
        if answer.status == 304:
            self.measures.unchanged_bytes.append(answer.wire_bytes)
        elif answer.status == 200:
            self.etag = answer.headers["etag"]
            self._note_the_round(answer)

    def _follow(self, html: str) -> None:
        found = re.search(r'data-poll-etag="([^"]*)"', html)
        self.etag = found[1].replace("&quot;", '"') if found else ""

    def _note_the_round(self, answer: Answer) -> None:
        number = self.awaited.number
        if number > self._has_round and re.search(rf"Round\s+{number}\b", answer.text):
            self._has_round = number
            self.measures.seen_after.append(perf_counter() - self.awaited.at)


@dataclass
class Player:
    """Opens the form of the own table, and tells a result."""

    browser: Browser
    home: str
    measures: Measures
    form: str = ""

    async def open_form(self) -> None:
        own = await self.browser.get(self.home)
        self.measures.forms.note(own, expected=(200,))
        found = re.search(r'"(/[^"]*/tables/\d+/report/)"', own.text)
        self.form = found[1] if found else ""
        if self.form:
            self.measures.forms.note(await self.browser.get(self.form), expected=(200,))

    async def report(self) -> None:
        """Both players of a table tell the same, so the second one settles it."""
        if not self.form:
            return  # A bye.
        answer = await self.browser.post(self.form, SWEEP)
        self.measures.results.note(answer, expected=(302,))
        self.measures.reported += 1
        self.measures.accepted += answer.status == 302


@dataclass
class Staff:
    """Closes, pairs, publishes and starts as the pages offer it."""

    browser: Browser
    event: str
    measures: Measures
    awaited: Published

    async def close(self, number: int) -> None:
        await self._press("desk/", f"rounds/{number}/close/")

    async def pair(self) -> None:
        await self._press("desk/", "pair/")

    async def publish(self, number: int) -> None:
        """Waits for the draft, looks at it and presses; from then on the phones are timed."""
        await self._until_there(f"rounds/{number}/draft/")
        action = f"{self.event}rounds/{number}/publish/"
        fields = await self.browser.form(f"{self.event}rounds/{number}/draft/", action)
        self.awaited.number, self.awaited.at = number, perf_counter()
        self.measures.staff.note(await self.browser.post(action, fields), expected=(302,))
        self.measures.rounds_published += 1

    async def start(self, number: int) -> None:
        await self._press("desk/", f"rounds/{number}/start/")

    async def _press(self, page: str, action: str) -> None:
        answer = await self.browser.submit(self.event + page, self.event + action)
        self.measures.staff.note(answer, expected=(302,))

    async def _until_there(self, page: str) -> None:
        for _ in range(120):
            answer = await self.browser.get(self.event + page)
            if answer.status == 200:
                return
            await asyncio.sleep(0.25)
        raise LookupError(f"{page} is not there after 30 seconds: {answer.status}")


@dataclass
class Desk:
    """A page of the staff that asks for itself; where `path` is the desk of the event."""

    browser: Browser
    path: str
    measures: Measures

    async def look_for_ever(self) -> None:
        etag = ""
        while True:
            headers = {"X-Fragment": "1", **({"If-None-Match": etag} if etag else {})}
            answer = await self.browser.get(self.path, **headers)
            self.measures.staff.note(answer, expected=(200, 304))
            etag = answer.headers.get("etag", etag)
            await asyncio.sleep(EVERY)


def spread_over(seconds: float, people: int, chance: Random) -> Iterator[float]:
    """A moment for each, at random within so many seconds."""
    return (chance.random() * seconds for _ in range(people))


async def all_of(*tasks: asyncio.Task[None]) -> None:
    """End tasks that never end by themselves; what broke one of them surfaces."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
