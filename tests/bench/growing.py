"""What each part of a grown site costs: `python -m tests.bench.growing`, on PostgreSQL and Redis.

Prints Markdown for docs/operations.md: memory of each process, public pages a second from one
web process, connections to PostgreSQL. Wants DATABASE_URL, REDIS_URL and a quiet machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from tests.live_site import Site, another_server, another_worker, running_site
from tests.load.__main__ import make_scene

PLAYERS, SECONDS, HANDS = 64, 4, 8
WEB, WORKER, SECOND_WEB, SECOND_WORKER = (
    *("web server, first", "worker with beat"),
    *("web server, second", "worker, second"),
)


def main() -> int:
    """Starts the parts one after the other, and measures when all run."""
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        print("Set DATABASE_URL and REDIS_URL: a site of one machine costs what `make hall` says.")
        return 1
    if shutil.which("wrk") is None:
        print("Install wrk, which asks faster than any server answers.")
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), DATAFORT_LOG_LEVEL="ERROR") as first,
        another_server(first) as second,
        another_worker(first, "second@here") as worker,
    ):
        scene = make_scene(first, PLAYERS)
        page = f"/events/{scene['slug']}/standings/"
        rates = {
            "standings, one web process": _rate([first], page),
            "standings, two web processes": _rate([first, second], page),
            "standings for somebody logged in, one process": _rate([first], page, scene["owner"]),
        }
        pids = {
            WEB: first.pids[0],
            WORKER: first.pids[1],
            SECOND_WEB: second.pids[0],
            SECOND_WORKER: worker,
        }
        _print(rates, {name: _memory(pid) for name, pid in pids.items()}, _connections(first))
    return 0


def _print(rates: dict[str, float], memory: dict[str, float], connections: int) -> None:
    print("| Part | Measured |", "|---|---|", sep="\n")
    for name, megabytes in memory.items():
        print(f"| {name} | {megabytes:.0f} MB |")
    for name, rate in rates.items():
        print(f"| {name}, {PLAYERS} players | {rate:,.0f} a second |")
    print(f"| connections to PostgreSQL, all parts | {connections} |")


def _rate(sites: list[Site], path: str, session: str = "") -> float:
    """Answers a second of all these servers, each asked over connections that stay open."""
    with ThreadPoolExecutor(len(sites)) as hands:
        return sum(hands.map(lambda site: _asked(f"{site.address}{path}", session), sites))


def _asked(address: str, session: str) -> float:
    """As `wrk` counts; raises when an answer is none."""
    headers = ["-H", "Accept-Encoding: gzip"]
    if session:
        headers += ["-H", f"Cookie: sessionid={session}"]
    command = ["wrk", "-t1", f"-c{HANDS}", f"-d{SECONDS}s", *headers, address]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report:
        raise RuntimeError(f"{address} refuses: {report}")
    return float(report.split("Requests/sec:")[1].split()[0])


def _memory(pid: int) -> float:
    """Megabytes that this process and its children hold for themselves, shared ones in part."""
    total = 0.0
    for one in (pid, *_children(pid)):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) / 1024
    return total


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def _connections(site: Site) -> int:
    url = site.environment["DATABASE_URL"]
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        ).fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    sys.exit(main())
