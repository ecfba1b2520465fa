"""A served site whose own Redis or PostgreSQL fails and recovers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.browsers import Page
from tests.faults.forms import Fields
from tests.faults.organiser import Organiser, prepare_events
from tests.faults.servers import OwnPostgresql, OwnRedis, own_postgresql
from tests.faults.tables import assert_site_did_all_once, unfinished_jobs
from tests.faults.troubled import TroubledForms, sign_up_organiser
from tests.live_site import Site, running_site
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.goal("G12"), pytest.mark.django_db]

SOON = 60.0
"""Seconds within which every job is done after the recovery (G12)."""


@pytest.fixture
def scaled_site(tmp_path: Path, own_redis_server: OwnRedis) -> Iterator[Site]:
    """A site with a worker, the database of this run, and its own Redis."""
    # A worker exits if its Redis dies while it holds a job (kombu 5.7).
    with running_site(
        tmp_path / "site", worker_kept_up=True, REDIS_URL=own_redis_server.url
    ) as site:
        yield site


@pytest.mark.check(35)
def test_redis_breaks_in_three_ways_and_comes_back(
    scaled_site: Site, own_redis_server: OwnRedis, figure
):
    failures: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
        "gone": (own_redis_server.kill, own_redis_server.start),
        "hanging": (own_redis_server.hang, own_redis_server.resume),
        "full": (own_redis_server.fill, own_redis_server.make_room),
    }
    organiser = sign_up_organiser(scaled_site)
    for failure, (break_redis, repair_redis) in failures.items():
        events = prepare_events(organiser)
        usual = slowest(organiser)
        break_redis()
        events.run_all()
        slow = slowest(organiser)
        assert unfinished_jobs(scaled_site), "some work waits for Redis"
        repair_redis()
        seconds = wait_until(lambda: not unfinished_jobs(scaled_site), "the jobs are done", SOON)
        assert_site_did_all_once(scaled_site, events)
        figure(
            f"Redis {failure}: 12 actions, 0 pages with 5xx, the slowest {slow:.1f} s "
            f"(with Redis {usual:.1f} s); all jobs done once {seconds:.0f} s after it came back"
        )


def slowest(organiser: Organiser) -> float:
    """Seconds of the slowest page since the last call."""
    seconds = max(page.seconds for page in organiser.seen)
    organiser.seen.clear()
    return seconds


@pytest.fixture
def postgresql() -> Iterator[OwnPostgresql]:
    with own_postgresql() as server:
        yield server


@pytest.mark.check(36)
def test_postgresql_stops_and_comes_back(
    tmp_path: Path, postgresql: OwnPostgresql, own_redis_server: OwnRedis, figure
):
    with running_site(
        tmp_path / "site", DATABASE_URL=postgresql.url, REDIS_URL=own_redis_server.url
    ) as site:
        organiser = sign_up_organiser(site)
        events = prepare_events(organiser)
        standings, api = f"{events.played.path}standings/", f"/api/v1{events.played.path}standings/"
        refusals = Interrupted(organiser, postgresql).run_all(events)
        postgresql.stop()
        assert [organiser.browser.ask(path).status for path in (standings, api)] == [503, 503]
        postgresql.start()
        assert [organiser.browser.ask(path).status for path in (standings, api)] == [200, 200]
        seconds = wait_until(lambda: not unfinished_jobs(site), "the jobs are done", SOON)
        assert_site_did_all_once(site, events)
        figure(
            f"PostgreSQL restarted in each of 12 actions: {refusals} forms 503 and sent again, "
            f"nothing lost or done twice; all jobs done once within {seconds:.0f} s"
        )


class Interrupted(TroubledForms):
    """Sends forms while PostgreSQL is down, and again after its restart."""

    def __init__(self, organiser: Organiser, server: OwnPostgresql) -> None:
        super().__init__(organiser)
        self.server = server

    def _send_in_trouble(self, path: str, fields: Fields) -> Page:
        self.server.stop()
        try:
            page = self.wire.ask(path, fields)
        finally:
            self.server.start()
        assert page.status == 503, (path, page.status)
        return page
