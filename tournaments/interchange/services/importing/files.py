"""Import a file, or look at what it would make."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from core import outside_transaction
from core.advisory_lock import held
from core.pause_points import pause_point
from core.rate_limits import Busy, is_over, one_at_a_time
from engine.systems import ELIMINATIONS
from players.models import User
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.interchange.exports.whole_event import standings
from tournaments.interchange.formats.records import Dialect
from tournaments.interchange.services.importing.looking import standings_of
from tournaments.interchange.services.importing.reading import FileRead, read
from tournaments.interchange.services.importing.storing import store, unknown_identities, unsaved
from tournaments.models import ImportedFile, LogAction, RoundState, Tournament

FIGURES = ("rank", "match_points", "strength_of_schedule", "extended_strength_of_schedule")


@dataclass(frozen=True)
class Imported:
    """What a file became, or would become; then there is no event any more, only its words.

    `answer` is what the command prints; `lines` are the standings with names for a page.
    """

    answer: dict[str, Any]
    name: str
    game: str
    starts_on: date
    dialect: Dialect
    digest: str
    notices: Sequence[str]
    unresolved: Sequence[str]
    names: Mapping[Any, str]
    tournament: Tournament | None = None


def import_file(
    data: bytes,
    *,
    owner: User | None = None,
    file_name: str = "",
    game: str | None = None,
    preview: bool = False,
    trusted: bool = False,
) -> Imported:
    """Make an event of the file, all of it or nothing; with `preview` nothing.

    A file that is `trusted` may name other accounts as staff and as who did things.

    It is read while no transaction is open (core.outside_transaction). Raises FileRefused with the
    JSON path of what is wrong, and Busy beside another import and after many of this `owner`.
    """
    counted = None if trusted else owner
    if preview:
        with _in_turn(counted):
            told = read(data, game)
            tournament = unsaved(told.event)
            return _imported(tournament, told, standings_of(told.event, tournament))
    told = outside_transaction.answer(("import", data, game), partial(_read, data, game, counted))
    return _stored(told, owner, file_name, trusted=trusted)


@contextmanager
def _in_turn(owner: User | None) -> Iterator[None]:
    """One file is read at a time on the whole site, and so many a minute of an account."""
    if owner is not None and is_over("imports", str(owner.pk)):
        raise Busy("You have imported many files just now. Try again in a minute.")
    with one_at_a_time("import"):
        yield


def _read(data: bytes, game: str | None, owner: User | None) -> FileRead:
    with _in_turn(owner):
        told = read(data, game)
    pause_point("import:read")
    return told


@transaction.atomic
def _stored(told: FileRead, owner: User | None, file_name: str, *, trusted: bool) -> Imported:
    # Ends with the transaction, also where the process dies: the next import begins at once.
    if not held("import"):
        raise Busy("Another import is running. Try again in a minute.")
    tournament = store(told.event, owner, trusted=trusted)
    imported = _imported(tournament, told, standings(tournament))
    _remember(tournament, told, imported.answer["differences"], owner, file_name)
    pause_point("import:stored")
    return imported


def earlier_imports(digest: str) -> QuerySet[ImportedFile]:
    """Events made of the same file, newest first."""
    files = ImportedFile.objects.filter(digest=digest).select_related("tournament")
    return files.order_by("-pk")


def _imported(
    tournament: Tournament,
    told: FileRead,
    standings_here: list[dict[str, Any]],
) -> Imported:
    lines = [{**line, "id": told.ids[line["id"]]} for line in standings_here]
    answer = {
        "event": tournament.slug,
        "players": len(told.event["players"]),
        "rounds": _swiss_rounds(told.event),
        "cut": told.cut,
        "standings": lines,
        "differences": [*told.differences, *_differences(told.stated, lines)],
    }
    return Imported(
        answer=answer,
        name=tournament.name,
        game=tournament.game,
        starts_on=tournament.starts_on,
        dialect=told.dialect,
        digest=told.digest,
        notices=told.notices,
        unresolved=unknown_identities(told.event),
        names={told.ids[player["id"]]: player["name"] for player in told.event["players"]},
        tournament=tournament if tournament.pk else None,
    )


def _swiss_rounds(event: Mapping[str, Any]) -> int:
    return sum(
        round_["state"] != RoundState.DRAFT
        for stage in event["stages"]
        if stage["system"] not in ELIMINATIONS
        for round_ in stage["rounds"]
    )


def _remember(
    tournament: Tournament,
    told: FileRead,
    differences: list[dict[str, Any]],
    owner: User | None,
    file_name: str,
) -> None:
    # Differences are kept with the numbers that the players have here.
    numbers = {id_: number for number, id_ in told.ids.items()}
    ImportedFile.objects.create(
        tournament=tournament,
        dialect=told.dialect.value,
        file_name=file_name[:200],
        digest=told.digest,
        notices=list(told.notices),
        differences=[{**one, "number": numbers.get(one["id"])} for one in differences],
        made_by=owner,
    )
    after = {"from": told.dialect.label, "digest": told.digest}
    history.record(tournament, Actor(user=owner), LogAction.EVENT_IMPORTED, file_name, after=after)


def _differences(
    stated: Sequence[Mapping[str, Any]], lines: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Where standings as they were told are not those that the games make."""
    computed = {line["id"]: line for line in lines}
    for told in stated:
        line = computed.get(told["id"], {})
        for field in FIGURES:
            if told.get(field) is not None and told[field] != line.get(field):
                yield {
                    "id": told["id"],
                    "field": field,
                    "file": told[field],
                    "computed": line.get(field),
                }
