"""The site of deploy/, as local processes behind its nginx."""

import configparser
import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import yaml

from tests.behind_nginx import NGINX, behind_nginx
from tests.live_site import BIN, ROOT, free_port, process, wait_for

DEPLOY = ROOT / "deploy"
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
    """A command of a file in words, and the environment that the file sets for it.

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

    @classmethod
    def on_free_ports(cls, folder: Path, database: str, code: Path = ROOT) -> Self:
        """Choose the ports, and make the folder for the files of running processes."""
        (folder / "run").mkdir()
        web, live, public = (str(free_port()) for _ in range(3))
        return cls(folder, database, web, live, public, code)

    @property
    def address(self) -> str:
        """Where people reach it."""
        return f"https://localhost:{self.public}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings that files leave to the operator: secret or local ones."""
        return {
            "SECRET_KEY": "only for the rehearsal, and as long as a key has to be: 0123456789",
            "POSTGRES_PASSWORD": PASSWORD,
            "DATAFORT_PUBLIC_URL": self.address,
            "DATAFORT_PROXIES": "1",
            "DATAFORT_LIVE_URL": "/live",
        }

    def environment_of(self, started: Started) -> dict[str, str]:
        """Return the environment of the process: the lines of its file, no setting of this test.

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
        """A line of a file of deploy/, with paths and ports of this machine."""
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
    """Return the command of each unit; set_up runs before the web server."""
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
    """Return the command of each service of ours; the image has that of the web server."""
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
        wait_for(f"http://127.0.0.1:{place.web}/livez", seconds=300)
        ports = {"web": place.web, "live": place.live}
        stack.enter_context(behind_nginx(place.folder, place.public, **ports))
        yield processes
