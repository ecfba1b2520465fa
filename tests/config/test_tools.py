"""What `make` runs beside the tests starts by itself, without the settings of tests."""

import os
import subprocess
import sys

from tests.live_site import ROOT


def test_each_tool_can_be_loaded():
    bare = {name: value for name, value in os.environ.items() if "DJANGO" not in name}
    tools = "import tests.screenshots, tests.load.__main__, tests.bench.__main__, tests.reliability"

    subprocess.run([sys.executable, "-c", tools], cwd=ROOT, env=bare, check=True)
