"""The SQLite file: locked by another program for a while, or on a full disk."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.faults.browsers import Page
from tests.faults.forms import Fields, forms_in
from tests.faults.organiser import Organiser, create_event, prepare_events
from tests.faults.tables import assert_site_did_all_once, rows, unfinished_jobs
from tests.faults.troubled import TroubledForms, sign_up_organiser
from tests.live_site import Site, running_site
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.check(36),
    pytest.mark.goal("G12"),
    pytest.mark.django_db,
    pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="is about SQLite"),
]

COUNT = "select count(*) from tournaments_logentry"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator["Disk"]:
    """A disk of 64 MB, or a stand-in where mounting is not allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    is_own = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield Disk(folder, is_own)
    finally:
        if is_own:
            unmount = ["umount", "--lazy", str(folder)]
            subprocess.run(unmount, check=True)


class Disk:
    """A disk that can be filled; the stand-in forbids the site to write."""

    def __init__(self, folder: Path, is_own: bool) -> None:
        self.folder, self.is_own = folder, is_own
        self._filler = folder / "filler"

    @contextmanager
    def full(self, site: Site) -> Iterator[None]:
        """Allow no further byte during the block."""
        pids = () if self.is_own else _with_children(site.pids)
        if self.is_own:
            self._fill()
        for pid in pids:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            self._filler.unlink(missing_ok=True)
            for pid in pids:
                unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
                resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)

    def _fill(self) -> None:
        with self._filler.open("wb", buffering=0) as filler:
            for size in (1024 * 1024, 4096, 1):
                try:
                    while filler.write(b"x" * size) == size:
                        pass
                except OSError:
                    continue  # Full for blocks of this size.


def _with_children(pids: tuple[int, ...]) -> tuple[int, ...]:
    all_pids = list(pids)
    for pid in all_pids:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        all_pids += [int(child) for child in children]
    return tuple(all_pids)


def test_full_disk_is_reported_and_with_space_all_is_done_once(disk: Disk, figure):
    with running_site(disk.folder / "var", REDIS_URL="") as site:
        organiser = sign_up_organiser(site)
        events = prepare_events(organiser)
        refusals = OnFullDisk(organiser, disk, site).run_all(events)
        assert refusals >= 1
        # Timers of the site may be running.
        wait_until(lambda: not unfinished_jobs(site), "the jobs are done")
        assert_site_did_all_once(site, events)
        kind = "full tmpfs" if disk.is_own else "no file may grow"
        figure(
            f"SQLite, {kind}: {refusals} of 11 forms 503 with nothing saved, the others saved; "
            "with room again all done once, nothing restarted"
        )


class OnFullDisk(TroubledForms):
    """Sends forms while the disk is full, and again when there is space."""

    def __init__(self, organiser: Organiser, disk: Disk, site: Site) -> None:
        super().__init__(organiser)
        self.disk, self.site = disk, site

    def _send_in_trouble(self, path: str, fields: Fields) -> Page:
        """Check that a page reports success if, and only if, something was saved."""
        before = rows(self.site, COUNT)
        with self.disk.full(self.site):
            page = self.wire.ask(path, fields)
        assert page.status in (302, 503), (path, page.status)
        assert (rows(self.site, COUNT) == before) is (page.status == 503), path
        return page


@contextmanager
def locked(site: Site, seconds: float) -> Iterator[None]:
    """Lock the file as another program for this long, or until the block ends."""
    file = Path(site.environment["DATAFORT_VAR"]) / "datafort.sqlite3"
    has_begun, is_over = Event(), Event()

    def hold() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            has_begun.set()
            is_over.wait(seconds)
            database.execute("ROLLBACK")

    holder = Thread(target=hold)
    holder.start()
    assert has_begun.wait(30)
    try:
        yield
    finally:
        is_over.set()
        holder.join()


def test_site_waits_for_a_short_lock_and_reports_a_long_lock(tmp_path: Path, figure):
    with running_site(tmp_path / "site", REDIS_URL="") as site:
        organiser = sign_up_organiser(site)
        desk = create_event(organiser)
        with locked(site, 3):
            desk.add_players(("Ada", "Bo", "Cy", "Di"))
        assert organiser.seen[-1].status == 200
        waited = max(page.seconds for page in organiser.seen)

        with locked(site, 10):
            looked = desk.standings()
            page = desk.check_in()
        assert looked.status == 200
        assert (page.status, page.headers["retry-after"]) == (503, "5")
        assert organiser.send(forms_in(page.text)[0]).status == 200
        figure(
            f"SQLite locked for 3 s: saved after {waited:.1f} s; for 10 s: 503 after "
            f"{page.seconds:.1f} s, pages that only read answer after {looked.seconds:.1f} s"
        )
