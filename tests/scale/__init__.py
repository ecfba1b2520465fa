"""Tests of two served machines over HTTP, with the example client of the docs."""

import sys

from tests.live_site import ROOT

sys.path.insert(0, str(ROOT / "docs" / "examples"))
