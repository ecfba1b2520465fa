"""Redis gone, hanging or full makes pages slightly slower, and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import pytest

from config.settings.base import REDIS_CACHE
from core.redis_cache import breaker
from tests.faults.browsers import Browser, Page
from tests.faults.done import assert_all_done_once
from tests.faults.forms import Fields
from tests.faults.organiser import FaultEvents
from tests.faults.servers import HangingServer, OwnRedis
from tests.live_site import free_port

pytestmark = [pytest.mark.check(35), pytest.mark.goal("G12")]

CacheAt = Callable[[str], None]


@dataclass
class CountingBrowser:
    """A browser that counts how often each page waits for the hanging server."""

    browser: Browser
    server: HangingServer
    waits: list[int] = field(default_factory=list)

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        before = self.server.taken
        page = self.browser.ask(path, fields)
        self.waits.append(self.server.taken - before)
        return page


def test_organiser_can_work_while_redis_hangs_and_few_pages_wait(
    events: FaultEvents, hanging: HangingServer, cached_at: CacheAt, figure
):
    cached_at(f"redis://127.0.0.1:{hanging.port}/0")
    counting = CountingBrowser(events.organiser.browser, hanging)
    events.organiser.browser = counting
    started = monotonic()

    events.run_all()

    assert_all_done_once(events)
    assert hanging.taken >= 1
    assert max(counting.waits) == 1
    assert sum(counting.waits) <= 1 + (monotonic() - started) / breaker.reset_timeout
    patience: dict[str, Any] = REDIS_CACHE["OPTIONS"]
    assert max(patience["SOCKET_TIMEOUT"], patience["SOCKET_CONNECT_TIMEOUT"]) <= 0.3
    figure(
        f"Redis hanging: 12 actions, {len(counting.waits)} pages, 0 of them 5xx; "
        f"{sum(counting.waits)} waited for {patience['SOCKET_TIMEOUT']} s, the others not"
    )


def test_organiser_can_work_without_redis(events: FaultEvents, cached_at: CacheAt, figure):
    cached_at(f"redis://127.0.0.1:{free_port()}/0")

    events.run_all()

    assert_all_done_once(events)
    figure("Redis down: 12 actions, 0 pages with 5xx")


def test_organiser_can_work_while_redis_is_full(
    events: FaultEvents, own_redis_server: OwnRedis, cached_at: CacheAt, figure
):
    own_redis_server.fill()
    cached_at(own_redis_server.url)

    events.run_all()

    assert_all_done_once(events)
    figure("Redis full: 12 actions, 0 pages with 5xx")
