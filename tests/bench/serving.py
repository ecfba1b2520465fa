"""W1: public pages from a running site, against a site that does nothing under the same server.

Asked by `wrk`, which is faster than any of both; without it W1 is left out, with a word.
"""

import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figures import Figure
from tests.live_site import BIN, Site, free_port, process, running_site, wait_for
from tests.load.__main__ import make_scene

PLAYERS, SECONDS, TURNS = 256, 3, 3
GOALS = {"granian": 0.5, "gunicorn": 0.6}
PAGES = ("pairings", "standings")
SITE, NOTHING = "config.wsgi:application", "tests.bench.nothing:application"


def figures() -> Iterator[Figure]:
    """Both pages whole and as 304, under both servers, on one process of one machine."""
    if shutil.which("wrk") is None:
        yield Figure("W1", "public pages against a site that does nothing", "wrk is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        with running_site(Path(folder), DATAFORT_LOG_LEVEL="ERROR") as site:
            slug = make_scene(site, PLAYERS)["slug"]
        for server in GOALS:
            yield from _under(server, site, slug)


def _under(server: str, site: Site, slug: str) -> Iterator[Figure]:
    with _served(server, NOTHING, site) as nothing, _served(server, SITE, site) as ours:
        for page in PAGES:
            address = f"{ours}/events/{slug}/{page}/"
            etag = _settled_etag(address)
            for kind, header in (("packed", {}), ("304", {"If-None-Match": etag})):
                # In turns, so that a busy moment meets both.
                pairs = [
                    (_rate(address, header), _rate(f"{nothing}/", header)) for _ in range(TURNS)
                ]
                mine, most = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
                yield Figure(
                    "W1",
                    f"{page} of {PLAYERS} players ({kind}) under {server}, "
                    "against a site that does nothing",
                    f"{mine / most:.2f} of its rate ({mine:,.0f} and {most:,.0f} a second)",
                    f">= {GOALS[server]}",
                    mine / most >= GOALS[server],
                )


@contextmanager
def _served(server: str, application: str, site: Site) -> Iterator[str]:
    """The address of an application under this server, one process."""
    port = str(free_port())
    commands = {
        "granian": ["--interface", "wsgi", "--port", port, "--blocking-threads", "4"],
        "gunicorn": ["--bind", f"127.0.0.1:{port}", "--workers", "1"],
    }
    command = [str(BIN / server), *commands[server], "--log-level", "warning", application]
    with process(command, site.environment):
        address = f"http://127.0.0.1:{port}"
        wait_for(address)
        yield address


def _settled_etag(address: str) -> str:
    """The ETag of a page that has been asked for before."""
    for _ in range(3):
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            etag = str(answer.headers["ETag"])
    return etag


def _rate(address: str, headers: dict[str, str]) -> float:
    """How many requests a second are answered; raises when one of them fails."""
    told = [f"{name}: {value}" for name, value in ({"Accept-Encoding": "gzip"} | headers).items()]
    asked = [part for header in told for part in ("-H", header)]
    command = ["wrk", "-t1", "-c8", f"-d{SECONDS}s", *asked, address]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report:
        raise RuntimeError(f"{address} refuses: {report}")
    found = re.search(r"Requests/sec:\s+([\d.]+)", report)
    if found is None:
        raise RuntimeError(f"wrk tells no rate: {report}")
    return float(found.group(1))
