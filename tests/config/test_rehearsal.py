"""Rehearsal of deploy: its commands run a site behind nginx, as local processes."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from urllib.parse import urljoin

import pytest
from client import Client

from tests.api.live.visitor import Visitor, with_token
from tests.live_site import fresh_database
from tests.rehearsed_site import DEPLOY, MISSING, Place, of_compose, of_systemd, served
from tests.waiting import wait_until
from tournaments.web.polling import TIME_HEADER


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A folder, a database and ports for the commands of a file."""
    if MISSING:
        pytest.skip(f"The rehearsal needs {', '.join(MISSING)}.")
    folder = tmp_path_factory.mktemp("rehearsal")
    with fresh_database(os.environ["DATABASE_URL"]) as database:
        yield Place.on_free_ports(folder, database)


def headers_of(address: str, **headers: str) -> Message:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        response_headers: Message = answer.headers
    return response_headers


def cache_status(address: str, **headers: str) -> str:
    """Return the cache status of nginx: HIT, MISS or BYPASS."""
    return str(headers_of(address, **headers)["X-Cache-Status"])


def first_version(page: str) -> str:
    """Return the first version from the stream that the page names."""
    stream_address = headers_of(page, **{"X-Fragment": "1"})["Datafort-Live"]
    assert stream_address, "the page names no stream"
    with urllib.request.urlopen(urljoin(page, stream_address), timeout=30) as stream:
        for line in stream:
            if line.strip() == b"event: version":
                return str(next(stream).decode().removeprefix("data:"))
    raise AssertionError("the stream ended without a version")


def kill_a_child(parent: int) -> None:
    """Kill a worker process, as the out-of-memory killer does."""
    child = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[-1]
    os.kill(int(child), signal.SIGKILL)
    wait_until(lambda: not Path("/proc", child).exists(), "the end of a worker")


def test_compose_is_a_compose_file():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]

    subprocess.run([*command, str(DEPLOY / "compose.yaml")], check=True)


@pytest.mark.parametrize("commands", [of_systemd(), of_compose()], ids=["systemd", "compose"])
def test_deployed_site_serves_an_event_and_survives_its_workers(commands, site: Place, request):
    name = request.node.callspec.id
    with served(commands, site) as processes:
        api = Client(site.address, with_token(site.address, name)[1])
        desk = Visitor(site.address)
        desk.submit("/account/login/", {"login": name, "password": "a few words to keep"})
        path = draft_event(api, name)
        page = f"{site.address}/{path}pairings/"
        assert "Player A" in desk.page(page)
        # The stream has read the event, and beat has queued the job for clinch scenarios.
        assert int(first_version(page)) > 0
        wait_until(lambda: api.get(f"{path}needs/")["rows"], "what is asked for by the time of day")
        assert_cached_for_strangers_only(page, desk)

        for service in ("web", "worker"):
            kill_a_child(processes[service])
        new_page = f"{site.address}/{draft_event(api, f'{name} again')}pairings/"
        assert "Player A" in Visitor(site.address).page(new_page)


def draft_event(api: Client, name: str) -> str:
    """Return the path of an event of four players with a drafted first round."""
    settings = {"starts_on": "2026-12-03", "game": "onr", "planned_rounds": 1}
    event = api.post("events/", {"name": name, **settings})
    path = f"events/{event['slug']}/"
    names = [{"name": f"Player {letter}"} for letter in "ABCD"]
    api.post(f"{path}registrations/", {"players": names})
    api.post(f"{path}registrations/check-in/", {"numbers": [1, 2, 3, 4]})
    round_data = api.post(f"{path}rounds/")
    job = f"{path}jobs/{round_data['job']['id']}/"
    wait_until(lambda: api.get(job)["state"] == "done", "a draft by the worker")
    api.post(f"{path}rounds/{round_data['number']}/publish/")
    return path


def assert_cached_for_strangers_only(page: str, desk: Visitor) -> None:
    wait_until(lambda: cache_status(page) == "HIT", "a page that nginx keeps")
    cookie_header = "; ".join(f"{cookie.name}={cookie.value}" for cookie in desk.cookies)

    assert {cache_status(page, Cookie=cookie_header) for _ in range(3)} == {"BYPASS"}
    assert cache_status(page, Authorization="Token none") == "BYPASS"
    # nginx passes a 304 on to a poll with the current ETag.
    poll_headers = {
        "Cookie": cookie_header,
        "If-None-Match": headers_of(page, Cookie=cookie_header)["ETag"],
    }
    with pytest.raises(urllib.error.HTTPError) as unchanged:
        headers_of(page, **poll_headers)
    assert unchanged.value.code == 304
    # A cached page would show the time of a second ago.
    assert [TIME_HEADER in headers_of(address) for address in (page, urljoin(page, "/time/"))] == [
        False,
        True,
    ]
