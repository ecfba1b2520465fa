"""An independent checker: naive code of its own that imports nothing from the engine.

It reads the documents of docs/engine.md and says what is wrong with an answer, or with a whole
event: a list of faults, each with a code, a JSON path and a sentence.
"""

from tests.checker.event import check_bracket, check_event, check_pairing, check_standings
from tests.checker.faults import Fault

__all__ = ["Fault", "check_bracket", "check_event", "check_pairing", "check_standings"]
