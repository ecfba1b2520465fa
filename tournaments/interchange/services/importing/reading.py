"""A file as an event of ours, whichever program wrote it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.utils import timezone

from engine.documents.json_text import DocumentRefused, Json, parse
from tournaments.interchange.formats import reading
from tournaments.interchange.formats.own import converting, documents, engine_documents
from tournaments.interchange.formats.records import Dialect, FileRefused, PlayerId

MOST_BYTES = 5 * 1024 * 1024
"""Of a file that comes over the network; a command reads files of any size."""
MOST_LINES = 20_000
"""Lines of standings that an event may have, a line for each player after each closed round."""
MOST_GAMES = 30_000
"""Tables of an event, and games at them."""


@dataclass(frozen=True)
class FileRead:
    """A file that was read.

    `ids` are the players of the file by their number here. `stated` are lines of standings as
    the file tells them, where they are to be compared with ours once these are computed.
    """

    event: dict[str, Any]
    dialect: Dialect
    digest: str
    ids: Mapping[int, PlayerId]
    cut: int = 0
    notices: Sequence[str] = ()
    differences: Sequence[dict[str, Any]] = ()
    stated: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def read(data: bytes, game: str | None = None) -> FileRead:
    """The file as an event. Raise FileRefused with the JSON path of what is wrong."""
    # A browser sends other ends of lines than the file has; it is the same file.
    digest = sha256(data.replace(b"\r\n", b"\n").strip()).hexdigest()
    try:
        value = parse(data)
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal
    told = _own(value, digest, game) if documents.is_own(value) else _foreign(data, digest, game)
    _refuse_too_large(told.event)
    return told


def _refuse_too_large(event: Mapping[str, Any]) -> None:
    """A few letters for each round and player would keep the database busy for an hour."""
    rounds = [round_ for stage in event["stages"] for round_ in stage["rounds"]]
    closed = sum(round_["state"] == "closed" for round_ in rounds)
    if closed * len(event["players"]) > MOST_LINES:
        raise FileRefused(
            f"{len(event['players']):,} players in {closed:,} rounds make more than "
            f"{MOST_LINES:,} lines of standings. Leave out who never played.",
            "$",
        )
    pairings = [pairing for round_ in rounds for pairing in round_["pairings"]]
    games = sum(len(one["match"]["games"]) for one in pairings if one["match"])
    if max(len(pairings), games) > MOST_GAMES:
        raise FileRefused(f"The event has more than {MOST_GAMES:,} tables or games.", "$")


def seed_of(digest: str) -> int:
    """Where the chance of an imported event comes from: the same file, the same lots."""
    return int(digest[:15], 16)


def _own(value: Json, digest: str, game: str | None) -> FileRead:
    if value.get("event") is None:
        event, numbers = engine_documents.event_of_engine_document(
            value, game=game, today=timezone.localdate()
        )
        ids = {number: id_ for id_, number in numbers.items()}
        return FileRead(event, Dialect.DATAFORT, digest, ids)
    event = documents.read_event(value)
    stated = (
        documents.stated_lines(value["standings"]) if value.get("standings") is not None else ()
    )
    if event["seed"] is None:
        event["seed"] = seed_of(digest)
        # The lot was drawn from a seed the file does not tell: equals may change places.
        stated = [{**line, "rank": None} for line in stated]
    ids = {player["id"]: player["id"] for player in event["players"]}
    return FileRead(
        event,
        Dialect.DATAFORT,
        digest,
        ids,
        cut=_cut_size(event),
        stated=stated,
    )


def _cut_size(event: Mapping[str, Any]) -> int:
    cuts = [stage for stage in event["stages"] if "elimination" in stage["system"]]
    return sum(not entry["declined"] for entry in cuts[-1]["entries"]) if cuts else 0


def _foreign(data: bytes, digest: str, game: str | None) -> FileRead:
    told = reading.read(data, game=game)
    ranked = [row.id for row in told.standings]
    event, numbers = converting.event_of_file(
        told.event, ranked, seed=seed_of(digest), today=timezone.localdate()
    )
    return FileRead(
        event,
        told.event.dialect,
        digest,
        {number: id_ for id_, number in numbers.items()},
        cut=told.event.cut_size,
        notices=tuple(told.event.notices),
        differences=tuple(_plain(asdict(one)) for one in told.differences),
    )


def _plain(difference: dict[str, Any]) -> dict[str, Any]:
    return {
        key: (float(value) if isinstance(value, Fraction) else value)
        for key, value in difference.items()
    }
