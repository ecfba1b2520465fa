"""Independent checker: naive code that imports nothing from the product.

It reads the documents of docs/reference/engine.md and returns the faults of an answer or of a
whole event.
"""

from tests.checker.event import check_bracket, check_event, check_pairing, check_standings
from tests.checker.faults import Fault

__all__ = ["Fault", "check_bracket", "check_event", "check_pairing", "check_standings"]
