"""A site as it is served, with servers of its own that break and come back by themselves."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.browsers import Page
from tests.faults.forms import Fields
from tests.faults.organiser import Organiser, evening
from tests.faults.servers import OwnPostgresql, OwnRedis, own_postgresql
from tests.faults.tables import assert_all_is_done_at, jobs_left
from tests.faults.troubled import TroubledForms, organiser_of
from tests.live_site import Site, running_site
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.goal("G12"), pytest.mark.django_db]

SOON = 60.0
"""Seconds within which every job is done once all is well again (G12)."""


@pytest.fixture
def scaled_site(tmp_path: Path, own_redis_server: OwnRedis) -> Iterator[Site]:
    """A site with a worker, on the database of this run and a Redis of its own."""
    # A worker whose Redis dies while it has a job in hand ends by itself (kombu 5.7).
    with running_site(
        tmp_path / "site", worker_kept_up=True, REDIS_URL=own_redis_server.url
    ) as site:
        yield site


@pytest.mark.check(35)
def test_redis_breaks_in_three_ways_and_comes_back(
    scaled_site: Site, own_redis_server: OwnRedis, figure
):
    ways: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
        "gone": (own_redis_server.kill, own_redis_server.start),
        "hanging": (own_redis_server.hang, own_redis_server.go_on),
        "full": (own_redis_server.fill, own_redis_server.make_room),
    }
    organiser = organiser_of(scaled_site)
    for way, (break_it, mend_it) in ways.items():
        night = evening(organiser)
        well = slowest(organiser)
        break_it()
        night.act_all()
        ill = slowest(organiser)
        assert jobs_left(scaled_site), "some work waits for Redis"
        mend_it()
        done = wait_until(lambda: not jobs_left(scaled_site), "the jobs are done", SOON)
        assert_all_is_done_at(scaled_site, night)
        figure(
            f"Redis {way}: 12 actions, 0 pages with 5xx, the slowest {ill:.1f} s "
            f"(with Redis {well:.1f} s); all jobs done once {done:.0f} s after it came back"
        )


def slowest(organiser: Organiser) -> float:
    """Seconds of the slowest page since this was asked last."""
    seconds = max(page.seconds for page in organiser.seen)
    organiser.seen.clear()
    return seconds


@pytest.fixture
def postgresql() -> Iterator[OwnPostgresql]:
    """A PostgreSQL of this test alone."""
    with own_postgresql() as server:
        yield server


@pytest.mark.check(36)
def test_postgresql_stops_and_comes_back(
    tmp_path: Path, postgresql: OwnPostgresql, own_redis_server: OwnRedis, figure
):
    with running_site(
        tmp_path / "site", DATABASE_URL=postgresql.url, REDIS_URL=own_redis_server.url
    ) as site:
        organiser = organiser_of(site)
        night = evening(organiser)
        standings, api = f"{night.played.path}standings/", f"/api/v1{night.played.path}standings/"
        refused = Interrupted(organiser, postgresql).act_all(night)
        postgresql.stop()
        assert [organiser.browser.ask(path).status for path in (standings, api)] == [503, 503]
        postgresql.start()
        assert [organiser.browser.ask(path).status for path in (standings, api)] == [200, 200]
        done = wait_until(lambda: not jobs_left(site), "the jobs are done", SOON)
        assert_all_is_done_at(site, night)
        figure(
            f"PostgreSQL restarted in each of 12 actions: {refused} forms 503 and sent again, "
            f"nothing lost or done twice; all jobs done once within {done:.0f} s"
        )


class Interrupted(TroubledForms):
    """Sends forms while PostgreSQL is away, and again when it is back."""

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
