"""The examples of docs/api and docs/examples run unchanged."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.live.visitor import with_token
from tests.documented_answers import missing
from tests.live_site import ROOT

PAGE = (ROOT / "docs" / "api" / "getting-started.md").read_text()
STEPS = re.findall(r"^```sh\n(.*?)^```(?:\s+```json\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL)
SEPARATOR = "\x1e"


@pytest.fixture(scope="module")
def token(site: str) -> str:
    return with_token(site, "shell")[1]


def test_shell_examples_have_the_documented_answers(site: str, token: str, tmp_path: Path):
    if shutil.which("curl") is None and os.environ.get("CI") != "true":
        pytest.skip("curl is not installed.")
    bash = shutil.which("bash")
    assert bash is not None
    script = f"printf '{SEPARATOR}'\n".join(["set -e\n", *(commands for commands, _ in STEPS)])

    ran = subprocess.run(
        [bash, "-c", script],
        env={**os.environ, "SITE": site, "TOKEN": token},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    outputs = ran.stdout.split(SEPARATOR)[1:]
    for (commands, shown), output in zip(STEPS, outputs, strict=True):
        if shown:
            last = output.strip().splitlines()[-1]
            assert [*missing("$", json.loads(shown), json.loads(last))] == [], commands


def test_example_client_plays_an_event(site: str, token: str):
    example = ROOT / "docs" / "examples" / "run_event.py"
    names = ["Ada", "Bo", "Cy", "Dee", "Eli"]

    ran = subprocess.run(
        [sys.executable, str(example), site, token, *names],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    address, *rows = ran.stdout.splitlines()
    assert address.startswith(f"{site}/events/")
    assert sorted(row.split()[1] for row in rows) == names
