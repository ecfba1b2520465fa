"""The documents of DESIGN section 5: read, checked with their JSON paths, answered."""

from tournaments.documents.brackets import bracket
from tournaments.documents.commands import Answering, Outcome, run
from tournaments.documents.json_text import MOST_BYTES, DocumentRefused, Json
from tournaments.documents.pairing import pair
from tournaments.documents.ranking import rank
from tournaments.documents.verifying import verify
