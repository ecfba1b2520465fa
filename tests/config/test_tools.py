"""What `make` runs beside the tests starts by itself, without the settings of tests."""

import os
import subprocess
import sys

import pytest

from tests.live_site import ROOT


@pytest.mark.parametrize("tool", ["screenshots", "load.__main__", "bench.__main__", "reliability"])
def test_a_tool_can_be_loaded(tool: str):
    bare = {name: value for name, value in os.environ.items() if "DJANGO" not in name}

    subprocess.run([sys.executable, "-c", f"import tests.{tool}"], cwd=ROOT, env=bare, check=True)
