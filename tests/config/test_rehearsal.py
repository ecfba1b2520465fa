"""docs/deploy, rehearsed: what its files name runs a site behind nginx, as local processes."""

import configparser
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import urljoin

import pytest
import yaml
from client import Client

from tests.api.live.visitor import Visitor, with_token
from tests.behind_nginx import NGINX, behind_nginx
from tests.live_site import BIN, ROOT, free_port, fresh_database, process, wait_for
from tests.waiting import wait_until
from tournaments.web.views.polling import NOW

DEPLOY = ROOT / "docs" / "deploy"
NEEDED = {
    "nginx": NGINX,
    "PostgreSQL (DATABASE_URL)": os.environ.get("DATABASE_URL"),
    "Redis (REDIS_URL)": os.environ.get("REDIS_URL"),
}
MISSING = [name for name, there in NEEDED.items() if not there]
Commands = dict[str, list[str]]


@dataclass(frozen=True)
class Place:
    """Where a rehearsed site has its files and ports, instead of those of the files."""

    folder: Path
    database: str
    web: str
    live: str
    public: str

    @property
    def address(self) -> str:
        """Where people reach it."""
        return f"https://localhost:{self.public}"

    @property
    def environment(self) -> dict[str, str]:
        """What the environment file of systemd and .env of compose say."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": "only for the rehearsal, and as long as a key has to be: 0123456789",
            "DATAFORT_PUBLIC_URL": self.address,
            "DATAFORT_PROXIES": "1",
            "DATAFORT_LIVE_URL": "/live",
            "DATAFORT_VAR": str(self.folder),
            "DATAFORT_BACKUPS": str(self.folder / "backups"),
            "DATAFORT_REDIS_PREFIX": f"rehearsal-{self.public}",
            "PROMETHEUS_MULTIPROC_DIR": str(self.folder / "run"),
            "DATABASE_URL": self.database,
            "PATH": f"{BIN}:{os.environ['PATH']}",
        }

    def here(self, text: str) -> str:
        """A line of a file of docs/deploy, with paths and ports of this machine."""
        for there, here in (
            ("/opt/datafort/.venv/bin", str(BIN)),
            ("/var/lib/datafort", str(self.folder)),
            ("/var/backups/datafort", str(self.folder / "backups")),
            ("/run/datafort-web", str(self.folder / "run")),
            ("/run/datafort", str(self.folder / "run")),
            ("/tmp/beat", str(self.folder / "beat")),  # noqa: S108 - in a container
        ):
            text = text.replace(there, here)
        return re.sub(r"\b8001\b", self.live, re.sub(r"\b8000\b", self.web, text))


def of_systemd() -> Commands:
    """What each unit starts; set_up is what comes before the web server."""
    units = {path.stem.removeprefix("datafort-"): path for path in DEPLOY.glob("systemd/*.service")}
    commands = {}
    for name, path in units.items():
        unit = configparser.RawConfigParser(strict=False)
        unit.read_string(path.read_text())
        commands[name] = unit["Service"]["ExecStart"].split()
        if before := unit["Service"].get("ExecStartPre"):
            commands["set_up"] = before.split()
    return commands


def of_compose() -> Commands:
    """What each service of ours runs; the web server is the command of the image."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    image = re.search(r"^CMD (.*)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert image
    ours = {name: service for name, service in services.items() if service["image"] == "datafort"}
    return {name: one.get("command") or json.loads(image[1]) for name, one in ours.items()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A folder, a database and ports for the commands of a file."""
    if MISSING:
        pytest.skip(f"The rehearsal needs {', '.join(MISSING)}.")
    folder = tmp_path_factory.mktemp("rehearsal")
    (folder / "run").mkdir()
    with fresh_database(os.environ["DATABASE_URL"]) as database:
        yield Place(folder, database, str(free_port()), str(free_port()), str(free_port()))


@contextmanager
def served(commands: Commands, place: Place) -> Iterator[dict[str, int]]:
    """Everything runs, nginx before it; the processes by their names."""
    here = {name: [place.here(word) for word in words] for name, words in commands.items()}
    environment = place.environment
    subprocess.run(here.pop("set_up"), cwd=ROOT, env=environment, check=True)
    with ExitStack() as stack:
        processes = {
            name: stack.enter_context(process(words, environment)) for name, words in here.items()
        }
        wait_for(f"http://127.0.0.1:{place.web}/livez")
        ports = {"web": place.web, "live": place.live}
        stack.enter_context(behind_nginx(place.folder, place.public, **ports))
        yield processes


def headers_of(address: str, **headers: str) -> Message:
    """The headers of the answer."""
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        said: Message = answer.headers
    return said


def kept(address: str, **headers: str) -> str:
    """What nginx says of the page: HIT, MISS, BYPASS."""
    return str(headers_of(address, **headers)["X-Cache-Status"])


def kill_a_child(parent: int) -> None:
    """The end of one worker process, as when it runs out of memory."""
    child = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[-1]
    os.kill(int(child), signal.SIGKILL)
    wait_until(lambda: not Path("/proc", child).exists(), "the end of a worker")


def test_compose_is_a_compose_file():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]

    subprocess.run([*command, str(DEPLOY / "compose.yaml")], check=True)


@pytest.mark.parametrize("commands", [of_systemd(), of_compose()], ids=["systemd", "compose"])
def test_what_the_files_start_serves_an_event_and_outlives_its_workers(
    commands, site: Place, monkeypatch, request
):
    monkeypatch.setenv("SSL_CERT_FILE", str(site.folder / "site.pem"))
    name = request.node.callspec.id
    with served(commands, site) as processes:
        api = Client(site.address, with_token(site.address, name)[1])
        desk = Visitor(site.address)
        desk.submit("/account/login/", {"login": name, "password": "a few words to keep"})
        page = f"{site.address}/{paired(api, name)}pairings/"
        assert "Player A" in desk.page(page)
        assert_kept_for_strangers_alone(page, desk)

        for part in ("web", "worker"):
            kill_a_child(processes[part])
        again = f"{site.address}/{paired(api, f'{name} again')}pairings/"
        assert "Player A" in Visitor(site.address).page(again)


def paired(api: Client, name: str) -> str:
    """The path of an event of four whose first round a worker drafted."""
    event = api.post("events/", {"name": name, "starts_on": "2026-12-03", "game": "onr"})
    path = f"events/{event['slug']}/"
    names = [{"name": f"Player {letter}"} for letter in "ABCD"]
    api.post(f"{path}registrations/", {"players": names})
    api.post(f"{path}registrations/check-in/", {"numbers": [1, 2, 3, 4]})
    asked = api.post(f"{path}rounds/")
    api.job_done(f"{path}jobs/{asked['job']['id']}/")
    api.post(f"{path}rounds/{asked['number']}/publish/")
    return path


def assert_kept_for_strangers_alone(page: str, desk: Visitor) -> None:
    wait_until(lambda: kept(page) == "HIT", "a page that nginx keeps")
    known = "; ".join(f"{one.name}={one.value}" for one in desk.cookies)

    assert {kept(page, Cookie=known) for _ in range(3)} == {"BYPASS"}
    assert kept(page, Authorization="Token none") == "BYPASS"
    # What was kept would show the time of a second ago.
    assert [NOW in headers_of(one) for one in (page, urljoin(page, "/time/"))] == [False, True]
