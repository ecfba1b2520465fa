"""Our own document: a whole event as JSON, which the engine reads as well.

On top it is an event as docs/engine.md describes it; under "event" stands all that makes the same
event again. docs/tournament-files.md names every key.
"""

from tournaments.interchange.formats.own.converting import event_of_file
from tournaments.interchange.formats.own.engine_documents import event_of_engine_document
from tournaments.interchange.formats.own.engine_part import engine_part
from tournaments.interchange.formats.own.reading import is_own, read_event, stated_lines
from tournaments.interchange.formats.own.results import games_document, result_of
