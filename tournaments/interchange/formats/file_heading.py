"""Read the head of a file: program, name, date, and players."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from core.json_guard import Json
from core.text import comparison_key, is_visible
from decks import games
from tournaments.interchange.formats import file_values
from tournaments.interchange.formats.file_values import IdKey, Place
from tournaments.interchange.formats.records import (
    YEARS,
    Dialect,
    FilePlayer,
    FileRefused,
    PlayerId,
    StatedFigures,
)

UNNAMED = "Imported event"

_DIALECTS = {
    "cobra": Dialect.COBRA,
    "aesopstables": Dialect.AESOPS,
    "datafort": Dialect.DATAFORT,
}
LARGEST_ABR_EVENT = 2**31 - 1
MOST_LINKS = 50
MOST_PLAYERS = 2_000
LARGEST_RANK = 1_000_000
_BYE_WORDS = {"bye", "(bye)"}


@dataclass(frozen=True)
class Heading:
    name: str
    dialect: Dialect
    game: str
    date: date | None
    owner: str
    abr_event: int | None
    page: str
    notices: tuple[str, ...]


def read_heading(file: Place, game: str | None) -> Heading:
    """Read the head of the file; `game` overrides the file."""
    day, notices = _day(file.at("date"))
    name = file_values.one_line(file.at("name"), file_values.MOST_EVENT_LETTERS)
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
    # Like AlwaysBeRunning, treat unknown and missing names as NRTM.
    program = place.value.strip().casefold() if isinstance(place.value, str) else ""
    return _DIALECTS.get(program, Dialect.NRTM)


def _game(place: Place) -> str:
    """Return the game of the file if it has sides, else the game of AlwaysBeRunning."""
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
    return None, [f"The date {place.shown()} is not of the form 2026-11-21 and is left out."]


def _owner(place: Place) -> str:
    if not isinstance(place.value, dict):
        return ""
    return file_values.visible_line(place.at("nrdbUsername"), file_values.MOST_NAME_LETTERS)


def _abr_event(place: Place) -> int | None:
    try:
        return place.whole(1, LARGEST_ABR_EVENT)
    except FileRefused:
        return None


def _page(place: Place) -> str:
    """Address of the event's page; links are a list or the values of an object."""
    found = list(place.value.values()) if isinstance(place.value, dict) else place.value
    links: list[Json] = found if isinstance(found, list) else []
    for link in links[:MOST_LINKS]:
        if isinstance(link, dict) and link.get("rel") == "uploadedfrom":
            return file_values.web_address(Place(link.get("href")))
    return ""


@dataclass(frozen=True)
class Players:
    """All players in file order, with lookups by id and name.

    `byes` are the ids of entries marked as byes, and 0 unless a player has it.
    """

    in_order: tuple[FilePlayer, ...]
    by_key: Mapping[IdKey, FilePlayer]
    byes: frozenset[IdKey]
    notices: tuple[str, ...] = ()
    names: Mapping[str, PlayerId] = field(default_factory=dict)

    def is_bye(self, key: IdKey | None) -> bool:
        """Return True for null, an empty string, "(BYE)" and ids of byes."""
        if key is None or key in self.byes:
            return True
        return isinstance(key, str) and key.casefold() in _BYE_WORDS and key not in self.by_key

    def id_of(self, key: IdKey | None) -> PlayerId | None:
        """Return the id as written in `players`; None if unknown."""
        player = None if key is None else self.by_key.get(key)
        return player.id if player else None

    def id_named(self, name: str) -> PlayerId | None:
        """Return the id of the only player with this name."""
        return self.names.get(comparison_key(name)) if name else None


def read_players(place: Place) -> Players:
    """Read the list of players. Raises FileRefused for a duplicate id."""
    if place.value is None:
        raise place.refusal('"players" is missing. A tournament file has a list of players.')
    by_key: dict[IdKey, FilePlayer] = {}
    byes: set[IdKey] = set()
    nameless = 0
    for entry in place.items(MOST_PLAYERS):
        key = entry.object().at("id").id_key()
        if entry.at("isBye").value is True:
            byes.update([] if key is None else [key])
            continue
        player = _player(entry)
        if key in by_key or key in byes:
            raise entry.at("id").refusal(f"The id {entry.at('id').shown()} is there twice.")
        by_key[key if key is not None else player.id] = player
        nameless += player.name == _name_for(player.id)
    if not by_key:
        raise place.refusal("There are no players here.")
    return Players(
        in_order=tuple(by_key.values()),
        by_key=by_key,
        byes=frozenset(byes | ({0} - by_key.keys())),
        notices=(f"Players without a name, called by their id: {nameless}.",) if nameless else (),
        names=_by_name(by_key.values()),
    )


def _player(entry: Place) -> FilePlayer:
    id_ = entry.at("id").id()
    name = file_values.one_line(entry.at("name"), file_values.MOST_NAME_LETTERS)
    return FilePlayer(
        id=id_,
        name=name if is_visible(name) else _name_for(id_),
        pronouns=file_values.visible_line(entry.at("pronouns"), file_values.MOST_PRONOUNS_LETTERS),
        corp_identity=file_values.optional_line(entry.at("corpIdentity")),
        runner_identity=file_values.optional_line(entry.at("runnerIdentity")),
        corp_faction=file_values.optional_line(entry.at("corpFaction")),
        runner_faction=file_values.optional_line(entry.at("runnerFaction")),
        dropped=any(entry.at(key).value is True for key in ("forfeit", "disqualified")),
        stated=_stated(entry),
    )


def _stated(entry: Place) -> StatedFigures:
    points = entry.at("matchPoints")
    return StatedFigures(
        match_points=(points if points.value is not None else entry.at("prestige")).figure(),
        strength_of_schedule=entry.at("strengthOfSchedule").figure(),
        extended_strength_of_schedule=entry.at("extendedStrengthOfSchedule").figure(),
        rank=entry.at("rank").whole(0, LARGEST_RANK) or None,
    )


def _name_for(id_: PlayerId) -> str:
    return f"Player {id_}"


def _by_name(players: Iterable[FilePlayer]) -> dict[str, PlayerId]:
    """Ids by name, for unique names only."""
    found: dict[str, PlayerId | None] = {}
    for player in players:
        key = comparison_key(player.name)
        found[key] = None if key in found else player.id
    return {key: id_ for key, id_ in found.items() if id_ is not None}
