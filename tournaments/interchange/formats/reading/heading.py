"""What stands at the top of a file: who wrote it, what the event is called, when it was."""

from dataclasses import dataclass
from datetime import date

from core.json_guard import Json
from decks import games
from tournaments.interchange.formats.reading import texts
from tournaments.interchange.formats.reading.values import Place
from tournaments.interchange.formats.records import YEARS, Dialect, FileRefused

UNNAMED = "Imported event"

_PROGRAMS = {
    "cobra": Dialect.COBRA,
    "aesopstables": Dialect.AESOPS,
    "datafort": Dialect.DATAFORT,
}
LARGEST_ABR_EVENT = 2**31 - 1
MOST_LINKS = 50


@dataclass(frozen=True)
class Heading:
    """The top of a file."""

    name: str
    dialect: Dialect
    game: str
    date: date | None
    owner: str
    abr_event: int | None
    page: str
    notices: tuple[str, ...]


def read(file: Place, game: str | None) -> Heading:
    """The top of the file; `game` overrules what it says."""
    day, notices = _day(file.at("date"))
    name = texts.line(file.at("name"), texts.MOST_EVENT_LETTERS)
    if not name:
        notices.append("The file has no name for the event.")
    return Heading(
        name=name or UNNAMED,
        dialect=_dialect(file.at("uploadedFrom")),
        game=game or _game(file.at("game")),
        date=day,
        owner=_owner(file.at("tournamentOrganiser")),
        abr_event=_abr_event(file.at("abrTournamentId")),
        page=_page(file.at("links")),
        notices=tuple(notices),
    )


def _dialect(place: Place) -> Dialect:
    # AlwaysBeRunning too takes every other name, and none, for NRTM.
    program = place.value.strip().casefold() if isinstance(place.value, str) else ""
    return _PROGRAMS.get(program, Dialect.NRTM)


def _game(place: Place) -> str:
    """The game the file names, if it has sides; without a word that of AlwaysBeRunning."""
    known = [game.id for game in games.GAMES.values() if game.sides]
    return place.value if place.value in known else games.for_abr().id


def _day(place: Place) -> tuple[date | None, list[str]]:
    if place.value in (None, ""):
        return None, []
    try:
        day = date.fromisoformat(place.value.strip()[:10])
        if day.year in YEARS:
            return day, []
    except (AttributeError, ValueError):
        pass
    return None, [f"The date {place.told()} is not of the form 2026-11-21 and is left out."]


def _owner(place: Place) -> str:
    if not isinstance(place.value, dict):
        return ""
    return texts.seen(place.at("nrdbUsername"), texts.MOST_NAME_LETTERS)


def _abr_event(place: Place) -> int | None:
    try:
        return place.whole(1, LARGEST_ABR_EVENT)
    except FileRefused:
        return None


def _page(place: Place) -> str:
    """The page of the event: a link among a list of them, or among an object's values."""
    found = list(place.value.values()) if isinstance(place.value, dict) else place.value
    links: list[Json] = found if isinstance(found, list) else []
    for link in links[:MOST_LINKS]:
        if isinstance(link, dict) and link.get("rel") == "uploadedfrom":
            return texts.address(Place(link.get("href")))
    return ""
