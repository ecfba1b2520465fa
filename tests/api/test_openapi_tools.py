"""Common OpenAPI tools accept docs/openapi.yaml."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live_site import ROOT

DOCUMENT = ROOT / "docs" / "openapi.yaml"
RULES = Path(__file__).with_name("openapi_rules")
SECONDS = 900


def run(*command: str | Path, folder: Path) -> None:
    environment = {**os.environ, "REDOCLY_TELEMETRY": "off"}
    process = subprocess.run(
        command, cwd=folder, env=environment, timeout=SECONDS, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.skipif(shutil.which("redocly") is None, reason="redocly is not installed")
def test_redocly_finds_nothing(tmp_path: Path):
    config = f"--config={RULES / 'redocly.yaml'}"

    run("redocly", "lint", config, DOCUMENT, folder=tmp_path)


@pytest.mark.skipif(shutil.which("spectral") is None, reason="spectral is not installed")
def test_spectral_finds_nothing(tmp_path: Path):
    options = ("--fail-severity=hint", f"--ruleset={RULES / 'spectral.yaml'}")

    run("spectral", "lint", *options, DOCUMENT, folder=tmp_path)


@pytest.mark.slow
def test_generated_python_client_passes_mypy(tmp_path: Path):
    run(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--meta=none"),
        *("--fail-on-warning", f"--config={RULES / 'client.yaml'}", f"--path={DOCUMENT}"),
        "--output-path=client",
        folder=tmp_path,
    )

    run(sys.executable, "-m", "mypy", "--config-file=", "client", folder=tmp_path)
