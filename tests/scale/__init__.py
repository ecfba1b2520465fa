"""The tests here speak HTTP to two served machines, with the client that the docs show."""

import sys

from tests.live_site import ROOT

sys.path.insert(0, str(ROOT / "docs" / "examples"))
