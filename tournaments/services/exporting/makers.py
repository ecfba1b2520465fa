"""How each file is made."""

import json
from collections.abc import Callable

from tournaments import announcements, exports, permissions, queries, visibility
from tournaments.models import Tournament
from tournaments.services.exporting.files import Asked
from tournaments.sheets import judged, whole_event
from tournaments.sheets.placings import places_with_cut

BETWEEN_PIECES = "\n\n---\n\n"


def nrtm(asked: Asked) -> bytes:
    """For AlwaysBeRunning and its relations."""
    return exports.nrtm(asked.tournament, asked.actor.player, page=asked.page)


def datafort(asked: Asked) -> bytes:
    """The whole event, private data where they are asked for."""
    document = whole_event.document(asked.tournament, private=asked.private)
    return f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()


def trf(asked: Asked) -> bytes:
    """For chess programs."""
    return exports.trf(asked.tournament, asked.actor.player)


def calendar(asked: Asked) -> bytes:
    """The day of the event."""
    return exports.event_calendar(asked.tournament, asked.page)


def markdown(asked: Asked) -> bytes:
    """The newest pairings, messages with a line between them."""
    return f"{BETWEEN_PIECES.join(pieces_of(asked.tournament))}\n".encode()


def pieces_of(tournament: Tournament) -> list[str]:
    """The newest published pairings as messages for a chat; a table is never cut in two."""
    latest = queries.visible_rounds(tournament).select_related("stage__tournament").last()
    return announcements.pairings_texts(latest) if latest else []


def standings(asked: Asked) -> bytes:
    """The newest standings with the places of the cut."""
    snapshot = queries.newest_snapshot(asked.tournament)
    assert snapshot is not None, "asked before"
    return exports.standings_csv(snapshot, places_with_cut(asked.tournament))


def judges(asked: Asked) -> bytes:
    """The report of the judges."""
    return exports.judged_csv(judged.document(judged.report(asked.tournament)))


def log(asked: Asked) -> bytes:
    """What the reader may know of the log."""
    entries = queries.readable_log(
        asked.tournament,
        with_draft=visibility.can_see_drafts(asked.actor, asked.tournament),
        with_checks=permissions.can_judge(asked.actor, asked.tournament),
    )
    return exports.log_csv(entries)


def table(make: Callable[[Tournament], bytes]) -> Callable[[Asked], bytes]:
    """A table that is the same for everybody who may have it."""
    return lambda asked: make(asked.tournament)
