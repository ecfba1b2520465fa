"""W1: public pages of a running site relative to a view of the same site that returns a constant.

W1n: the same pages through the nginx of deploy/ relative to a file with the same bytes. Requests
are sent by `wrk`, which is faster than the site; without it, these figures are left out with a
message.
"""

import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from tests.behind_nginx import NGINX, behind_nginx
from tests.live_site import Site, free_port, running_site
from tools import scaled
from tools.bench.figures import Figure
from tools.load.__main__ import make_scene

PLAYERS, SECONDS, TURNS = 256, 3, 3
GOAL, GOAL_SCALED, GOAL_BEHIND_NGINX = 0.5, 0.4, 0.7
PAGES = ("pairings", "standings")
FILES = """server {{
    listen 127.0.0.1:{1} ssl;
    ssl_certificate {0}/site.pem;
    ssl_certificate_key {0}/site.key;
    location / {{ root {0}; default_type text/html; add_header Content-Encoding gzip; }}
}}"""
"""The nginx server for the files of a folder."""


def figures() -> Iterator[Figure]:
    """Both pages in full and as 304, on SQLite and, with two processes, on PostgreSQL and Redis."""
    if shutil.which("wrk") is None:
        yield Figure("W1", "public pages against a constant view", "wrk is not installed")
        return
    yield from _figures_on("SQLite", {}, GOAL)
    if not scaled.missing():
        servers = {"DATABASE_URL": scaled.DATABASE_URL, "REDIS_URL": scaled.REDIS_URL}
        yield from _figures_on("PostgreSQL and Redis", servers, GOAL_SCALED)
    if NGINX is None:
        yield Figure("W1n", "public pages behind nginx", "nginx is not installed")
    else:
        yield from _behind_nginx()


def _figures_on(kind: str, servers: dict[str, str], goal: float) -> Iterator[Figure]:
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, servers),
        # Processes as in docs/admin/systemd.md.
        running_site(
            Path(folder),
            workers=2 if servers else 1,
            DJANGO_SETTINGS_MODULE="tools.bench.constant_site",
            DATAFORT_LOG_LEVEL="ERROR",
        ) as site,
    ):
        slug = make_scene(site, PLAYERS)["slug"]
        for page in PAGES:
            yield from _against_constant(site, kind, f"/events/{slug}/{page}/", goal)


def _against_constant(site: Site, kind: str, path: str, goal: float) -> Iterator[Figure]:
    address, page = f"{site.address}{path}", path.split("/")[3]
    etag = _settled_etag(address)
    for answer, header in (("whole", {}), ("304", {"If-None-Match": etag})):
        name = f"{page} of {PLAYERS} players ({answer}) on {kind}, against a constant view"
        yield _compared("W1", name, goal, (address, header), f"{site.address}/constant/")


def _behind_nginx() -> Iterator[Figure]:
    port, files = str(free_port()), str(free_port())
    with (
        tempfile.TemporaryDirectory() as name,
        running_site(Path(name), DATAFORT_PROXIES="1", DATAFORT_LOG_LEVEL="ERROR") as site,
    ):
        folder = Path(name)
        slug = make_scene(site, PLAYERS)["slug"]
        web, file_server = site.address.rpartition(":")[2], FILES.format(folder, files)
        with behind_nginx(folder, port, web=web, more=file_server) as address:
            for page in PAGES:
                yield _against_a_file(site, address, folder, files, f"events/{slug}/{page}/")


def _against_a_file(site: Site, address: str, folder: Path, files: str, path: str) -> Figure:
    request = urllib.request.Request(f"{site.address}/{path}", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        (folder / "page").write_bytes(answer.read())
    page = path.split("/")[2]
    name = f"{page} of {PLAYERS} players through nginx, against a file with its bytes"
    file_address = f"https://localhost:{files}/page"
    return _compared("W1n", name, GOAL_BEHIND_NGINX, (f"{address}/{path}", {}), file_address)


def _compared(
    row: str, name: str, goal: float, our_address: tuple[str, dict[str, str]], other_address: str
) -> Figure:
    """The rate of our address with its headers relative to that of another address.

    They take turns, so that a busy moment affects both.
    """
    pairs = [(_rate(*our_address), _rate(other_address, {})) for _ in range(TURNS)]
    rate, max_ratio = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    measured = f"{rate / max_ratio:.2f} of its rate ({rate:,.0f} and {max_ratio:,.0f} a second)"
    return Figure(row, name, measured, f">= {goal}", rate / max_ratio >= goal)


def _settled_etag(address: str) -> str:
    """The ETag of a page that has been requested before."""
    for _ in range(3):
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            etag = str(answer.headers["ETag"])
    return etag


def _rate(address: str, headers: dict[str, str]) -> float:
    """Requests per second; raises if one of them fails."""
    lines = [f"{name}: {value}" for name, value in ({"Accept-Encoding": "gzip"} | headers).items()]
    header_options = [option for line in lines for option in ("-H", line)]
    command = ["wrk", "-t1", "-c8", f"-d{SECONDS}s", *header_options, address]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report:
        raise RuntimeError(f"{address} refuses: {report}")
    match = re.search(r"Requests/sec:\s+([\d.]+)", report)
    if match is None:
        raise RuntimeError(f"wrk prints no rate: {report}")
    return float(match.group(1))
