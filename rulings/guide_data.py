"""The infraction guide that ships."""

import json
from functools import cache
from pathlib import Path

from rulings.guide import Guide, read_guide

PATH = Path(__file__).parent / "data" / "infractions.json"


@cache
def shipped_guide() -> Guide:
    """The guide as it stands in its file; raises UnreadableGuide where that is broken."""
    return read_guide(json.loads(PATH.read_text(encoding="utf-8")))
