"""The wheel contains the whole site, which runs in an empty folder."""

import json
import os
import re
import socket
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from engine.documents.commands import pair
from engine.documents.json_text import write_json
from tests.engine.documents.builders import bye, event, table
from tests.live_site import ROOT, free_port
from tests.waiting import wait_until

EVENT = event([table(1, (1, 20), (2, 4)), bye(3, 20)], players=3)
DATA = ("decks/data", "rulings/data")
CHOSEN = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATAFORT_VAR", "PYTHONPATH")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))
    return Path(str(built))


@pytest.fixture(scope="module")
def datafort(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment with this wheel and the dependencies of the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    return folder / "bin" / "datafort"


@pytest.fixture
def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in CHOSEN}


def test_wheel_contains_templates_static_files_and_data(wheel):
    expected = {f"config/files/{path}" for path in files("templates", "static")}
    packed = set(ZipFile(wheel).namelist())

    assert not (expected | set(files(*DATA)) | {"config/files/docs/openapi.yaml"}) - packed
    folders = {name.partition("/")[0] for name in packed}
    assert not folders & {"tests", "tools", "docs", "deploy", "var"}


def files(*folders: str) -> list[str]:
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.*"))
    return [str(path.relative_to(ROOT)) for path in paths if path.is_file()]


def test_installed_engine_pairs(datafort, environment, tmp_path):
    command = [datafort, "engine", "pair"]
    process = subprocess.run(
        command, cwd=tmp_path, env=environment, input=write_json(EVENT), capture_output=True
    )

    assert json.loads(process.stdout) == pair(EVENT)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_installed_site_serves_from_its_own_folder(datafort, environment, tmp_path):
    port = str(free_port())
    command = [datafort, "serve", "--port", port]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as site:
        try:
            wait_until(lambda: answers(port), "the first page of a new site", patience=120)
            page = read(f"http://127.0.0.1:{port}/")
            (stylesheet,) = re.findall(r'href="(/static/css/site[^"]*)"', page)
            assert "--" in read(f"http://127.0.0.1:{port}{stylesheet}")
            cards = json.loads(read(f"http://127.0.0.1:{port}/api/v1/cards/"))
        finally:
            site.terminate()
    assert cards["count"] > 0
    assert (tmp_path / "datafort-data" / "datafort.sqlite3").exists()


def answers(port: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as answer:
        text: str = answer.read().decode()
    return text
