"""docs/deploy, rehearsed: what its files name runs a site behind nginx, as local processes."""

import configparser
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
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
OURS = re.compile(r"DJANGO_|DATAFORT_|DATABASE_|REDIS_|SECRET_|PROMETHEUS_|TEST_")
VARIABLE = re.compile(r"\$\{(\w+):([-?])(.*?)\}")
PASSWORD = "letters0and1digits"


@dataclass(frozen=True)
class Started:
    """What a file starts: the words of a command, and the environment the file gives it.

    `settings` is the line that names the file of settings, "" where none does.
    """

    words: list[str]
    environment: dict[str, str]
    settings: str


Commands = dict[str, Started]


@dataclass(frozen=True)
class Place:
    """Where a rehearsed site has its files and ports, instead of those of the files."""

    folder: Path
    database: str
    web: str
    live: str
    public: str
    code: Path = ROOT

    @property
    def address(self) -> str:
        """Where people reach it."""
        return f"https://localhost:{self.public}"

    @property
    def settings(self) -> dict[str, str]:
        """What the files leave to whoever runs the site: what is secret or local."""
        return {
            "SECRET_KEY": "only for the rehearsal, and as long as a key has to be: 0123456789",
            "POSTGRES_PASSWORD": PASSWORD,
            "DATAFORT_PUBLIC_URL": self.address,
            "DATAFORT_PROXIES": "1",
            "DATAFORT_LIVE_URL": "/live",
        }

    def environment_of(self, started: Started) -> dict[str, str]:
        """What the process finds there: the lines of its file, and no setting of this test.

        The settings of a unit are stronger than its lines, and name the servers too; of compose the
        lines are.
        """
        outside = {name: text for name, text in os.environ.items() if not OURS.match(name)}
        said = {name: self.here(text) for name, text in started.environment.items()}
        servers = {"DATABASE_URL": self.database, "REDIS_URL": os.environ["REDIS_URL"]}
        given = {
            "EnvironmentFile": {**said, **self.settings, **servers},
            "env_file": {**self.settings, **said},
        }.get(started.settings, said)
        local = {
            "DATAFORT_REDIS_PREFIX": f"rehearsal-{self.public}",
            "PATH": f"{BIN}:{os.environ['PATH']}",
        }
        return {**outside, **given, **local}

    def _filled_in(self, variable: re.Match[str]) -> str:
        name, sign, otherwise = variable.groups()
        return self.settings[name] if sign == "?" else self.settings.get(name) or otherwise

    def here(self, text: str) -> str:
        """A line of a file of docs/deploy, with paths and ports of this machine."""
        text = VARIABLE.sub(self._filled_in, text)
        for there, here in (
            ("/opt/datafort", str(self.code)),
            ("/var/lib/datafort", str(self.folder)),
            ("/var/backups/datafort", str(self.folder / "backups")),
            ("/run/datafort-web", str(self.folder / "run")),
            ("/run/datafort", str(self.folder / "run")),
            ("/tmp/beat", str(self.folder / "beat")),  # noqa: S108 - in a container
            (f"postgres://datafort:{PASSWORD}@db:5432/datafort", self.database),
            ("redis://redis:6379/0", os.environ["REDIS_URL"]),
        ):
            text = text.replace(there, here)
        return re.sub(r"\b8001\b", self.live, re.sub(r"\b8000\b", self.web, text))


def of_systemd() -> Commands:
    """What each unit starts; set_up is what comes before the web server."""
    commands: Commands = {}
    for path in DEPLOY.glob("systemd/*.service"):
        unit = configparser.RawConfigParser(strict=False)
        unit.read_string(path.read_text())
        # The parser keeps the last line of a name alone.
        environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", path.read_text(), re.MULTILINE))
        settings = "EnvironmentFile" if "EnvironmentFile" in unit["Service"] else ""
        words = {
            path.stem.removeprefix("datafort-"): unit["Service"]["ExecStart"],
            "set_up": unit["Service"].get("ExecStartPre"),
        }
        commands |= {
            name: Started(line.split(), environment, settings)
            for name, line in words.items()
            if line
        }
    return commands


def of_compose() -> Commands:
    """What each service of ours runs; the web server is the command of the image."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    image = (DEPLOY / "Dockerfile").read_text()
    command = re.search(r"^CMD (.*)$", image, re.MULTILINE)
    assert command
    always = dict(re.findall(r"^(?:ENV|   ) (\w+)=(\S+)", image, re.MULTILINE))
    del services["web_spare"]
    ours = {name: service for name, service in services.items() if service["image"] == "datafort"}
    return {
        name: Started(
            one.get("command") or json.loads(command[1]),
            {**always, **one["environment"]},
            "env_file" if "env_file" in one else "",
        )
        for name, one in ours.items()
    }


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
    here = {
        name: ([place.here(word) for word in one.words], place.environment_of(one))
        for name, one in commands.items()
    }
    words, environment = here.pop("set_up")
    subprocess.run(words, cwd=ROOT, env=environment, check=True)
    with ExitStack() as stack:
        processes = {name: stack.enter_context(process(*started)) for name, started in here.items()}
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


def first_version(page: str) -> str:
    """The first version that the stream tells which the page names to its poll."""
    named = headers_of(page, **{"X-Fragment": "1"})["Datafort-Live"]
    assert named, "the page names no stream"
    with urllib.request.urlopen(urljoin(page, named), timeout=30) as stream:
        for line in stream:
            if line.strip() == b"event: version":
                return str(next(stream).decode().removeprefix("data:"))
    raise AssertionError("the stream ended without a version")


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
    commands, site: Place, request
):
    name = request.node.callspec.id
    with served(commands, site) as processes:
        api = Client(site.address, with_token(site.address, name)[1])
        desk = Visitor(site.address)
        desk.submit("/account/login/", {"login": name, "password": "a few words to keep"})
        path = paired(api, name)
        page = f"{site.address}/{path}pairings/"
        assert "Player A" in desk.page(page)
        # The stream has read the event, and beat has asked for what players need.
        assert int(first_version(page)) > 0
        wait_until(lambda: api.get(f"{path}needs/")["rows"], "what is asked for by the time of day")
        assert_kept_for_strangers_alone(page, desk)

        for part in ("web", "worker"):
            kill_a_child(processes[part])
        again = f"{site.address}/{paired(api, f'{name} again')}pairings/"
        assert "Player A" in Visitor(site.address).page(again)


def paired(api: Client, name: str) -> str:
    """The path of an event of four whose first round a worker drafted."""
    settings = {"starts_on": "2026-12-03", "game": "onr", "planned_rounds": 1}
    event = api.post("events/", {"name": name, **settings})
    path = f"events/{event['slug']}/"
    names = [{"name": f"Player {letter}"} for letter in "ABCD"]
    api.post(f"{path}registrations/", {"players": names})
    api.post(f"{path}registrations/check-in/", {"numbers": [1, 2, 3, 4]})
    asked = api.post(f"{path}rounds/")
    job = f"{path}jobs/{asked['job']['id']}/"
    wait_until(lambda: api.get(job)["state"] == "done", "a draft by the worker")
    api.post(f"{path}rounds/{asked['number']}/publish/")
    return path


def assert_kept_for_strangers_alone(page: str, desk: Visitor) -> None:
    wait_until(lambda: kept(page) == "HIT", "a page that nginx keeps")
    known = "; ".join(f"{one.name}={one.value}" for one in desk.cookies)

    assert {kept(page, Cookie=known) for _ in range(3)} == {"BYPASS"}
    assert kept(page, Authorization="Token none") == "BYPASS"
    # To a poll with the ETag it has, nginx passes on that nothing has changed.
    seen = {"Cookie": known, "If-None-Match": headers_of(page, Cookie=known)["ETag"]}
    with pytest.raises(urllib.error.HTTPError) as unchanged:
        headers_of(page, **seen)
    assert unchanged.value.code == 304
    # What was kept would show the time of a second ago.
    assert [NOW in headers_of(one) for one in (page, urljoin(page, "/time/"))] == [False, True]
