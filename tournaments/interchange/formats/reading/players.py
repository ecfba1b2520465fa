"""The players of a file, and the ids that its games name them by."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.text import comparison_key, is_visible
from tournaments.interchange.formats.reading import texts
from tournaments.interchange.formats.reading.values import IdKey, Place
from tournaments.interchange.formats.records import FilePlayer, PlayerId, StatedFigures

MOST_PLAYERS = 2_000
LARGEST_RANK = 1_000_000
_BYE_WORDS = {"bye", "(bye)"}


@dataclass(frozen=True)
class Players:
    """All players in the order of the file, by what their ids are looked up by.

    `byes` are ids that stand for nobody: those of entries that say so, and 0.
    """

    in_order: tuple[FilePlayer, ...]
    by_key: Mapping[IdKey, FilePlayer]
    byes: frozenset[IdKey]
    notices: tuple[str, ...] = ()
    names: Mapping[str, PlayerId] = field(default_factory=dict)

    def is_bye(self, key: IdKey | None) -> bool:
        """Whether this is nobody: null, an empty text, "(BYE)", or a 0 that no player has."""
        if key is None or key in self.byes:
            return True
        return isinstance(key, str) and key.casefold() in _BYE_WORDS and key not in self.by_key

    def id_of(self, key: IdKey | None) -> PlayerId | None:
        """The id as `players` writes it; None for one that is not among them."""
        player = None if key is None else self.by_key.get(key)
        return player.id if player else None

    def id_named(self, name: str) -> PlayerId | None:
        """The id of the only player of that name."""
        return self.names.get(comparison_key(name)) if name else None


def read(place: Place) -> Players:
    """The players under "players". Refuse a second one with the same id."""
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
            raise entry.at("id").refusal(f"The id {entry.at('id').told()} is there twice.")
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
    name = texts.line(entry.at("name"), texts.MOST_NAME_LETTERS)
    return FilePlayer(
        id=id_,
        name=name if is_visible(name) else _name_for(id_),
        pronouns=texts.seen(entry.at("pronouns"), texts.MOST_PRONOUNS_LETTERS),
        corp_identity=texts.optional_line(entry.at("corpIdentity")),
        runner_identity=texts.optional_line(entry.at("runnerIdentity")),
        corp_faction=texts.optional_line(entry.at("corpFaction")),
        runner_faction=texts.optional_line(entry.at("runnerFaction")),
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
    """Names that one player alone has."""
    found: dict[str, PlayerId | None] = {}
    for player in players:
        key = comparison_key(player.name)
        found[key] = None if key in found else player.id
    return {key: id_ for key, id_ in found.items() if id_ is not None}
