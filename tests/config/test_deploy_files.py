"""The files in deploy/ refer only to existing files, commands and settings."""

import configparser
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from config import live
from core import celery

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
ADDRESS = re.compile(r"https?://[^\s'\"]+")
SETTING = re.compile(r"\b(DATAFORT_[A-Z_]+|DATABASE_URL|REDIS_URL|SECRET_KEY)\b")
READ = "\n".join(path.read_text() for path in (ROOT / "config" / "settings").glob("*.py"))
PYTHON = "/opt/datafort/.venv/bin/python"
EXECUTABLES = {"granian", "celery", "python"}
OURS = ("web", "worker", "worker_slow", "beat", "live")
# The service of compose that runs during an upgrade.
SPARE = "web_spare"
# Seconds until docker and systemd kill a process that does not stop.
GRACE, GRACE_OF_SYSTEMD = 10, 90
NGINX = DEPLOY / "nginx.conf"


def command_exists(command: list[str]) -> bool:
    program, *arguments = command
    if (
        Path(program).name not in EXECUTABLES
        or not (ROOT / ".venv/bin" / Path(program).name).exists()
    ):
        return False
    if arguments[:1] == ["manage.py"]:
        return arguments[1] in get_commands()
    if Path(program).name == "python" and arguments[:2] != ["-m", "granian"]:
        return False
    if Path(program).name == "celery":
        return arguments[:3] == ["-A", "config", "--quiet"] and arguments[3] in ("worker", "beat")
    module, _, name = arguments[-1].removeprefix("/opt/datafort/").partition(":")
    path = module.removesuffix(".py").replace(".", "/")
    return name == "application" and (ROOT / f"{path}.py").exists()


def is_granian(command: list[str]) -> bool:
    return "granian" in [Path(argument).name for argument in command[:3]]


def dockerfile() -> list[tuple[str, str]]:
    """Return its instructions in order: the word and the rest of the line."""
    text = (DEPLOY / "Dockerfile").read_text()
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines if line]


def service_of(path: Path) -> configparser.SectionProxy:
    """Return the [Service] section of a systemd unit."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(path.read_text())
    return unit["Service"]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return document


def test_image_uses_existing_files_and_an_unprivileged_account():
    instructions = dockerfile()

    instructions_used = {"FROM", "COPY", "RUN", "WORKDIR", "ENV", "USER", "EXPOSE", "CMD"}
    assert {instruction for instruction, _ in instructions} == instructions_used
    copied = [
        argument_text.split()
        for instruction, argument_text in instructions
        if instruction == "COPY"
    ]
    sources = [arguments[0] for arguments in copied if not arguments[0].startswith("--from=")]
    assert not [source for source in sources if not (ROOT / source).exists()]
    users = [
        index
        for index, (instruction, argument_text) in enumerate(instructions)
        if instruction == "USER"
    ]
    assert instructions[users[-1]][1] == "datafort"
    assert not [
        instruction
        for instruction, _ in instructions[users[-1] :]
        if instruction in ("RUN", "COPY")
    ]
    assert command_exists(json.loads(dict(instructions)["CMD"]))


def test_every_app_is_in_the_image():
    copied = " ".join(arguments for instruction, arguments in dockerfile() if instruction == "COPY")
    apps = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools"}

    assert not {app for app in apps if f"{app} /opt/datafort/{app}" not in copied}
    described = settings.API_DESCRIPTION.relative_to(settings.BASE_DIR)
    assert f"{described} /opt/datafort/{described.parent}/" in copied


def test_dockerignore_keeps_files_the_image_needs():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    copied = [
        arguments.split()[0] for instruction, arguments in dockerfile() if instruction == "COPY"
    ]

    assert "**" in ignored
    assert {f"!{path}" for path in copied if not path.startswith("--")} <= set(ignored)


def test_no_file_names_an_index_or_holds_a_secret():
    for path in (path for path in DEPLOY.rglob("*") if path.is_file()):
        text = path.read_text()
        addresses = [address for address in ADDRESS.findall(text) if "//127.0.0.1" not in address]
        allowed = {"https://play.example", "https://$host$request_uri;", "http://datafort;"}
        assert set(addresses) <= allowed, path
        assert not re.search(r"index-url|extra-index|trusted-host|--proxy", text), path
        assert not re.search(r"(SECRET_KEY|PASSWORD|TOKEN)\s*[=:]\s*[\w-]{8,}", text), path


def test_every_setting_that_is_set_is_read(compose):
    texts = [path.read_text() for path in DEPLOY.rglob("*") if path.is_file()]
    settings = {name for text in texts for name in SETTING.findall(text)}

    assert not {name for name in settings if f'"{name}"' not in READ}


def test_compose_services_depend_on_each_other(compose):
    services = compose["services"]

    assert set(services) == {"set_up", "db", "redis", SPARE, *OURS}
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        assert "image" in service, name
        used = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert used <= set(compose["volumes"]), name
    assert services["live"]["profiles"] == ["live"]
    assert (DEPLOY / services["set_up"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["set_up"]["build"]["dockerfile"]).exists()


def test_services_run_existing_commands_with_few_privileges(compose):
    for name in ("set_up", SPARE, *OURS):
        service = compose["services"][name]
        assert "command" not in service or command_exists(service["command"]), name
        assert service["env_file"] == ".env", name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        open_ports = [
            port for port in service.get("ports", []) if not port.startswith("127.0.0.1:")
        ]
        assert not open_ports, name


def test_backup_client_is_as_new_as_the_server(compose):
    (server,) = re.findall(r"postgres:(\d+)", compose["services"]["db"]["image"])
    (client,) = re.findall(r"postgresql-client-(\d+)", (DEPLOY / "Dockerfile").read_text())

    assert int(client) >= int(server)


def test_units_run_existing_commands_with_few_privileges():
    assert {path.stem for path in UNITS} == {f"datafort-{name.replace('_', '-')}" for name in OURS}
    for path in UNITS:
        service = service_of(path)
        assert command_exists(service["ExecStart"].split()), path
        assert "ExecStartPre" not in service or command_exists(service["ExecStartPre"].split())
        assert service["User"] == "datafort", path
        assert service["NoNewPrivileges"] == "yes", path
        assert service["ProtectSystem"] == "strict", path


def test_each_queue_has_a_worker_in_units_and_compose(compose):
    started = {
        "units": [service_of(path)["ExecStart"].split() for path in UNITS],
        "compose": [service.get("command", []) for service in compose["services"].values()],
    }
    for source, commands in started.items():
        queues = [
            command[command.index("--queues") + 1] for command in commands if "--queues" in command
        ]
        assert sorted(queues) == sorted(celery.app.amqp.queues) == ["default", "slow"], source


def test_manage_script_has_the_environment_of_the_units():
    command = shlex.split(
        (DEPLOY / "systemd" / "manage").read_text().replace("\\\n", " "), comments=True
    )
    options = dict(
        argument.removeprefix("--property=").removeprefix("--setenv=").split("=", 1)
        for argument in command
        if argument.startswith(("--property=", "--setenv="))
    )

    assert command_exists([*command[command.index(PYTHON) :][:2], "backup"])
    variables = {"DJANGO_SETTINGS_MODULE", "DATAFORT_VAR", "DATAFORT_BACKUPS"}
    assert variables <= options.keys()
    for path in UNITS:
        lines = set(path.read_text().splitlines())
        for name, value in options.items():
            prefix = "Environment=" if name in variables else ""
            assert f"{prefix}{name}={value}" in lines


def test_hanging_web_worker_is_killed_before_its_server(compose):
    # A worker that is still loading does not receive the request to stop.
    in_containers = [
        json.loads(dict(dockerfile())["CMD"]),
        *(service.get("command", []) for service in compose["services"].values()),
    ]
    units = [service_of(path) for path in UNITS]
    started = [(command, GRACE) for command in in_containers]
    started += [
        (unit["ExecStart"].split(), int(unit.get("TimeoutStopSec", GRACE_OF_SYSTEMD)))
        for unit in units
    ]
    servers = [(kill_timeout(command), grace) for command, grace in started if is_granian(command)]

    assert len(servers) == 4
    for seconds, grace in servers:
        assert 0 < seconds < grace


def test_reload_leaves_old_workers_the_time_out_of_nginx():
    # A killed worker loses the requests it has accepted, and nginx does not send a form twice.
    (time_out,) = re.findall(r"^    proxy_read_timeout (\d+)s;", NGINX.read_text(), re.MULTILINE)
    command = service_of(DEPLOY / "systemd" / "datafort-web.service")["ExecStart"].split()

    assert kill_timeout(command) >= int(time_out)


def kill_timeout(command: Sequence[str]) -> int:
    return int(command[command.index("--workers-kill-timeout") + 1])


def test_reload_runs_the_set_up_before_workers_load_the_new_release():
    lines = (DEPLOY / "systemd" / "datafort-web.service").read_text().splitlines()
    steps = [line.partition("=")[2] for line in lines if line.startswith("ExecReload=")]

    assert [command_exists(step.split()) for step in steps[:-1]] == [True]
    assert steps[0].split()[1:3] == ["manage.py", "set_up"]
    assert steps[-1] == "/bin/kill -HUP $MAINPID"


def test_stream_refuses_browsers_before_its_server_is_full(compose):
    # granian accepts no connection beyond its backpressure: browsers would wait.
    commands = [
        service_of(DEPLOY / "systemd" / "datafort-live.service")["ExecStart"].split(),
        compose["services"]["live"]["command"],
    ]
    for command in commands:
        for option in ("--backlog", "--backpressure"):
            assert int(command[command.index(option) + 1]) > live.MAX_STREAMS, command


def test_page_during_a_restart_loads_no_files_and_has_a_dark_theme():
    page = (DEPLOY / "away.html").read_text()

    assert not re.findall(r"""(?:src|href|action)=|url\(|<script""", page)
    assert "prefers-color-scheme: dark" in page
    assert "tries again" in page


def test_nginx_shows_the_restart_page_for_outages_only():
    text = NGINX.read_text()

    (status,) = re.findall(r"limit_conn_status (\d+);", text)
    (statuses,) = re.findall(r"error_page ([\d ]+) /away.html;", text)
    assert status not in statuses.split()


ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(not ANALYZE, reason="systemd is not installed")
def test_systemd_accepts_the_units_as_secure(tmp_path):
    for path in UNITS:
        # The programs of the units are not installed on this machine.
        unit_file = path.read_text().replace("/opt/datafort", str(ROOT))
        (tmp_path / path.name).write_text(unit_file)
    units = [str(tmp_path / path.name) for path in UNITS]

    verified = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", *units], capture_output=True, text=True
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    for unit in units:
        rated = subprocess.run(
            [str(ANALYZE), "security", "--offline=yes", "--threshold=20", unit],
            capture_output=True,
            text=True,
        )
        assert rated.returncode == 0, rated.stdout[-200:]
