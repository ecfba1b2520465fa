"""The hall over some minutes: everybody looks, results rush in, the next round is published."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.hall.connection import Browser
from tests.hall.measures import Measures, processor_seconds
from tests.hall.people import Desk, Phone, Player, Published, Staff, all_of, spread_over
from tests.live_site import ROOT, Site

OWN_PAGE = 0.4
"""The share of phones on the page of their player; the others look at the pairings."""

RUSH = 2.0  # seconds in which half of the players report
ROUND = 600.0  # seconds that stand for a round
OPENED = 10.0  # seconds until everybody has opened their page


@dataclass(frozen=True)
class Day:
    """So many phones for so many seconds."""

    phones: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """What was measured, over how many seconds, and the seconds of a core the server took."""

    measures: Measures
    seconds: float
    processor: float


def make_scene(site: Site, players: int) -> dict[str, Any]:
    """The event and the sessions of everybody in it, from inside the site."""
    command = [sys.executable, "-m", "tests.hall.scene", str(players)]
    # What goes wrong there is told beside what goes wrong here.
    made = subprocess.run(
        command, cwd=ROOT, env=site.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    scene: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
    return scene


async def run(site: Site, scene: dict[str, Any], day: Day) -> Outcome:
    """The same people do the same on every database; only the server differs."""
    hall = Hall(site, scene, day)
    loop = asyncio.get_running_loop()
    began, used = loop.time(), processor_seconds(site.pids)
    looking = [asyncio.create_task(coroutine) for coroutine in hall.lookers()]
    try:
        await _in_time(hall.rounds(), looking)
    finally:
        await all_of(*looking)
    seconds = loop.time() - began
    return Outcome(hall.measures, seconds, processor_seconds(site.pids) - used)


async def _in_time(rounds: Coroutine[Any, Any, None], looking: list[asyncio.Task[None]]) -> None:
    """Until the rounds are over; a phone that breaks ends everything at once."""
    playing = asyncio.create_task(rounds)
    done, _ = await asyncio.wait([playing, *looking], return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()
    for task in done:
        task.result()


class Hall:
    """Everybody in it, and what they do."""

    def __init__(self, site: Site, scene: dict[str, Any], day: Day) -> None:
        self.site, self.scene, self.day = site, scene, day
        self.measures, self.awaited, self.chance = Measures(), Published(), Random(5)
        self.event = f"/events/{scene['slug']}/"

    def lookers(self) -> Iterable[Coroutine[Any, Any, None]]:
        """Phones, one projector, two desks: they look until they are stopped."""
        own = int(self.day.phones * OWN_PAGE)
        for session in self.scene["players"][:own]:
            yield self._phone("me/", session).look_for_ever()
        for _ in range(self.day.phones - own):
            yield self._phone("pairings/").look_for_ever()
        yield self._phone("projector/").look_for_ever()
        for role in ("owner", "scorekeeper"):
            browser = self._browser(self.scene[role])
            yield Desk(browser, f"{self.event}desk/", self.measures).look_for_ever()

    async def rounds(self) -> None:
        """Round after round while there is time: start, play, report, close, pair, publish."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.day.seconds
        number = self.scene["round"]
        staff = Staff(self._browser(self.scene["owner"]), self.event, self.measures, self.awaited)
        each = min(ROUND, self.day.seconds)
        await asyncio.sleep(min(OPENED, each / 4))
        while True:
            await staff.start(number)
            await self._play(each / 2, each / 4)
            await staff.close(number)
            await staff.pair()
            number += 1
            await staff.publish(number)
            await asyncio.sleep(max(8.0, each / 8))
            if loop.time() + each > end:
                break
        await asyncio.sleep(max(0.0, end - loop.time()))

    async def _play(self, opening: float, answering: float) -> None:
        """Forms are opened in so many seconds, half of the results come at once, then the rest."""
        players = [
            Player(self._browser(session), f"{self.event}me/", self.measures)
            for session in self.scene["players"]
        ]
        await self._each(opening, [player.open_form() for player in players])
        # One of each table reports in the rush, the other one after it.
        by_table: dict[str, list[Player]] = {}
        for player in players:
            by_table.setdefault(player.form, []).append(player)
        seated = [pair for form, pair in by_table.items() if form]
        await self._each(RUSH, [pair[0].report() for pair in seated])
        await self._each(answering, [other.report() for pair in seated for other in pair[1:]])
        await asyncio.gather(*(player.browser.close() for player in players))

    async def _each(self, seconds: float, acts: list[Coroutine[Any, Any, None]]) -> None:
        async def later(moment: float, act: Coroutine[Any, Any, None]) -> None:
            await asyncio.sleep(moment)
            await act

        moments = spread_over(seconds, len(acts), self.chance)
        await asyncio.gather(*(later(*pair) for pair in zip(moments, acts, strict=True)))

    def _phone(self, page: str, session: str = "") -> Phone:
        browser = self._browser(session)
        return Phone(browser, self.event + page, self.measures, self.awaited, self.chance)

    def _browser(self, session: str = "") -> Browser:
        return Browser(self.site.address, {"sessionid": session} if session else {})
