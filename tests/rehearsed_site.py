"""The site of deploy/ as local processes behind its nginx."""

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
    """A command of a file, and the environment that the file sets for it.

    `settings` is the directive that names the settings file, or "".
    """

    words: list[str]
    environment: dict[str, str]
    settings: str


Commands = dict[str, Started]


@dataclass(frozen=True)
class Place:
    """Folder, database and ports of a rehearsed site, in place of those in the files."""

    folder: Path
    database: str
    web: str
    live: str
    public: str
    code: Path = ROOT

    @classmethod
    def on_free_ports(cls, folder: Path, database: str, code: Path = ROOT) -> Self:
        """Choose the ports, and create the folder for the files of running processes."""
        (folder / "run").mkdir()
        web, live, public = (str(free_port()) for _ in range(3))
        return cls(folder, database, web, live, public, code)

    @property
    def address(self) -> str:
        """The public address of the site."""
        return f"https://localhost:{self.public}"

    @property
    def settings(self) -> dict[str, str]:
        """Settings that the files leave to the operator: secrets and local values."""
        return {
            "SECRET_KEY": "only for the rehearsal, and as long as a key has to be: 0123456789",
            "POSTGRES_PASSWORD": PASSWORD,
            "DATAFORT_PUBLIC_URL": self.address,
            "DATAFORT_PROXIES": "1",
            "DATAFORT_LIVE_URL": "/live",
        }

    def environment_of(self, started: Started) -> dict[str, str]:
        """Return the environment that a file sets for its process, without this run's settings.

        The settings of a unit override its own lines and also name the servers; in compose, the
        lines of the service win.
        """
        inherited = {name: text for name, text in os.environ.items() if not OURS.match(name)}
        own_lines = {name: self.here(text) for name, text in started.environment.items()}
        servers = {"DATABASE_URL": self.database, "REDIS_URL": os.environ["REDIS_URL"]}
        effective = {
            "EnvironmentFile": {**own_lines, **self.settings, **servers},
            "env_file": {**self.settings, **own_lines},
        }.get(started.settings, own_lines)
        local = {
            "DATAFORT_REDIS_PREFIX": f"rehearsal-{self.public}",
            "PATH": f"{BIN}:{os.environ['PATH']}",
        }
        return {**inherited, **effective, **local}

    def _filled_in(self, variable: re.Match[str]) -> str:
        name, sign, otherwise = variable.groups()
        return self.settings[name] if sign == "?" else self.settings.get(name) or otherwise

    def here(self, text: str) -> str:
        """Replace paths and ports of deploy/ by those of this machine."""
        text = VARIABLE.sub(self._filled_in, text)
        for shipped_text, local_text in (
            ("/opt/datafort", str(self.code)),
            ("/var/lib/datafort", str(self.folder)),
            ("/var/backups/datafort", str(self.folder / "backups")),
            ("/run/datafort-web", str(self.folder / "run")),
            ("/run/datafort", str(self.folder / "run")),
            ("/tmp/beat", str(self.folder / "beat")),  # noqa: S108 - in a container
            (f"postgres://datafort:{PASSWORD}@db:5432/datafort", self.database),
            ("redis://redis:6379/0", os.environ["REDIS_URL"]),
        ):
            text = text.replace(shipped_text, local_text)
        return re.sub(r"\b8001\b", self.live, re.sub(r"\b8000\b", self.web, text))


def of_systemd() -> Commands:
    """Return the command of each unit; set_up runs before the web server."""
    commands: Commands = {}
    for path in DEPLOY.glob("systemd/*.service"):
        unit = configparser.RawConfigParser(strict=False)
        unit.read_string(path.read_text())
        # The parser only keeps the last line of a repeated name.
        environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", path.read_text(), re.MULTILINE))
        settings = "EnvironmentFile" if "EnvironmentFile" in unit["Service"] else ""
        lines = {
            path.stem.removeprefix("datafort-"): unit["Service"]["ExecStart"],
            "set_up": unit["Service"].get("ExecStartPre"),
        }
        commands |= {
            name: Started(line.split(), environment, settings)
            for name, line in lines.items()
            if line
        }
    return commands


def of_compose() -> Commands:
    """Return the command of each service of ours; that of the web server is in the image."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    image = (DEPLOY / "Dockerfile").read_text()
    command = re.search(r"^CMD (.*)$", image, re.MULTILINE)
    assert command
    image_environment = dict(re.findall(r"^(?:ENV|   ) (\w+)=(\S+)", image, re.MULTILINE))
    del services["web_spare"]
    own_services = {
        name: service for name, service in services.items() if service["image"] == "datafort"
    }
    return {
        name: Started(
            service_.get("command") or json.loads(command[1]),
            {**image_environment, **service_["environment"]},
            "env_file" if "env_file" in service_ else "",
        )
        for name, service_ in own_services.items()
    }


@contextmanager
def served(commands: Commands, place: Place) -> Iterator[dict[str, int]]:
    """Run all processes behind nginx; yields their process ids by name."""
    processes_to_run = {
        name: (
            [place.here(argument) for argument in started_.words],
            place.environment_of(started_),
        )
        for name, started_ in commands.items()
    }
    command, environment = processes_to_run.pop("set_up")
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    with ExitStack() as stack:
        processes = {
            name: stack.enter_context(process(*started))
            for name, started in processes_to_run.items()
        }
        wait_for(f"http://127.0.0.1:{place.web}/livez", seconds=300)
        ports = {"web": place.web, "live": place.live}
        stack.enter_context(behind_nginx(place.folder, place.public, **ports))
        yield processes
