"""Readers and answers for the JSON documents of docs/engine.md."""

from engine.documents.brackets import bracket
from engine.documents.clinching import clinch
from engine.documents.commands import Answering, Outcome, run
from engine.documents.json_text import MOST_BYTES, DocumentRefused, Json
from engine.documents.pairing import pair
from engine.documents.ranking import rank
from engine.documents.verifying import verify
