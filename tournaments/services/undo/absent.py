"""Players who were missed at their table."""

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.models import LogEntry
from tournaments.services import absences
from tournaments.services.undo.kinds import CannotUndo, Kind, of_place, place_of

MISSED, CAME = "player missed", "missed player came"


def _take_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, latest = place_of(entry), queries.latest_round(entry.tournament)
    absence = queries.open_absences(latest).filter(registration=place).first() if latest else None
    if absence is None:
        raise CannotUndo(f"{place.player} is not missed any more, or the table was decided.")
    absences.take_back(absence.pairing, place, actor)


KINDS = {
    MISSED: Kind(
        permissions.can_open_desk,
        lambda entry: f"{place_of(entry).player} will not be missed any more.",
        _take_back,
        of_place(MISSED, CAME),
    )
}
