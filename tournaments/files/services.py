"""Import or preview a tournament file of any supported program."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import database
from core.rate_limits import Busy, exclusive_work, is_over
from decks.games import GAMES
from engine.documents.json_text import DocumentRefused, Json, parse_json
from engine.standings.ranking import standings
from engine.systems import CUT_SYSTEMS, STORED_SYSTEMS, SystemKind
from matches.models import SETTLED_STATES
from matches.scoring.results import Role, exact
from players.models import Player, User
from tournaments.event import engine_input, history
from tournaments.event.engine_input import Closed, ClosedBye, ClosedTable
from tournaments.event.permissions import Actor, why_too_large
from tournaments.event.services import abandoned_imports, delete_incomplete_import, request_ratings
from tournaments.event.snapshots import tie_breakers_of
from tournaments.files import conversion, documents, reading, whole_event
from tournaments.files.conversion import result_of_match, scoring_rule_for
from tournaments.files.import_steps import (
    IMPORT_TIMED_OUT,
    Document,
    reveal_event,
    steps_of_event,
    store_hidden_event,
    unknown_identities,
    unsaved_event,
    unsaved_registration,
)
from tournaments.files.records import (
    STRENGTHS,
    Dialect,
    FileBye,
    FilePlayerId,
    TournamentFileRefused,
    compute_standings,
    unlisted_byes,
    with_first_round_byes,
)
from tournaments.models import ImportedFile, LogAction, RoundState, Tournament

logger = logging.getLogger(__name__)

# Time without a step; no step of a running import takes this long.
ABANDONED_AFTER = timedelta(minutes=10)
# Seconds before an import on SQLite starts to pause between steps, and the length of a pause.
SECONDS_WITHOUT_PAUSE, PAUSE = 0.2, 0.025
FIGURES = ("rank", "match_points", *STRENGTHS)
# Limit for uploads; the management command has none.
MAX_UPLOAD_BYTES = 5 * 1024 * 1024
# Maximum standings rows of an event: players times closed rounds.
MAX_STANDINGS_LINES = 20_000
# Maximum tables of an event, and games at them.
MAX_GAMES = 30_000


@dataclass(frozen=True)
class EventToImport:
    """A parsed file.

    `ids` are the ids in the file by the number of the player here. `first_round_byes` are byes that
    the file counts but does not list; they are in `event` only if requested. `stated` are standings
    lines of the file, to be compared with the computed standings.
    """

    event: dict[str, Any]
    dialect: Dialect
    digest: str
    ids: Mapping[int, FilePlayerId]
    cut: int = 0
    notices: Sequence[str] = ()
    differences: Sequence[dict[str, Any]] = ()
    first_round_byes: Sequence[FileBye] = ()
    stated: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class ImportResult:
    """Result of an import or preview. `tournament` is None for a preview.

    `answer` is printed by the command. `names` are the player names by their ids in the file.
    `offered_byes` are first-round byes that can be added.
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
    offered_byes: Sequence[FileBye] = ()
    tournament: Tournament | None = None


def import_file(
    data: bytes,
    *,
    owner: User | None = None,
    file_name: str = "",
    game: str | None = None,
    preview: bool = False,
    trusted: bool = False,
    first_round_byes: bool = False,
) -> ImportResult:
    """Import the file completely or not at all; with `preview`, store nothing.

    `first_round_byes` adds byes in round 1 that the file counts but does not list. A `trusted` file
    may link other accounts as staff and authors.

    The file is read and stored outside any open transaction (core.database), in small
    transactions; the event is hidden until the last of them. Raises TournamentFileRefused with the
    JSON path of the error. Raises Busy during another import, and when `owner` exceeds the rate
    limit.
    """
    limited = None if trusted else owner
    if preview:
        with _import_turn(limited):
            file = read_event_file(data, game, first_round_byes=first_round_byes)
            _refuse_too_large_for(limited, file.event)
            tournament = unsaved_event(file.event)
            lines = compute_standings_lines(file.event, tournament)
            return _import_result(tournament, file, lines, first_round_byes=first_round_byes)

    def read_and_store() -> tuple[EventToImport, Tournament]:
        with _import_turn(limited):
            file = read_event_file(data, game, first_round_byes=first_round_byes)
            _refuse_too_large_for(limited, file.event)
            return file, _store_event(file, owner, file_name, trusted=trusted)

    file, tournament = database.fetch_outside_transaction(
        ("import", data, game, first_round_byes), read_and_store
    )
    return _complete_import(
        file, tournament, owner, trusted=trusted, first_round_byes=first_round_byes
    )


@contextmanager
def _import_turn(owner: User | None) -> Iterator[None]:
    """Allow one import at a time on the site, and limit the rate per account."""
    if owner is not None and is_over("imports", str(owner.pk)):
        raise Busy(_("You have imported many files in a short time. Try again in a minute."))
    with exclusive_work("import"):
        yield


def _store_event(
    file: EventToImport, owner: User | None, file_name: str, *, trusted: bool
) -> Tournament:
    """Store the hidden event step by step; delete it again if a step fails."""
    remove_abandoned_imports()
    with transaction.atomic():
        tournament = store_hidden_event(file.event)
        ImportedFile.objects.create(
            tournament=tournament,
            dialect=file.dialect.value,
            file_name=file_name[:200],
            digest=file.digest,
            notices=list(file.notices),
            made_by=owner,
        )
    try:
        began = time.monotonic()
        for step in steps_of_event(tournament, file.event, owner, trusted=trusted):
            with transaction.atomic():
                _record_step(tournament)
                step()
            is_long = time.monotonic() - began > SECONDS_WITHOUT_PAUSE
            if is_long and connection.vendor == "sqlite":
                # SQLite does not queue for its lock: waiting writers poll for it.
                time.sleep(PAUSE)
    except BaseException:
        delete_incomplete_import(tournament)
        raise
    return tournament


def _record_step(tournament: Tournament) -> None:
    """Record the time of this step. Raises Busy if the event was deleted as abandoned."""
    rows = Tournament.objects.filter(pk=tournament.pk, import_touched_at__isnull=False)
    if not rows.update(import_touched_at=timezone.now()):
        raise Busy(str(IMPORT_TIMED_OUT))


def remove_abandoned_imports() -> None:
    """Delete the events of imports whose process died."""
    for event in abandoned_imports(timezone.now() - ABANDONED_AFTER):
        delete_incomplete_import(event)
        logger.info("abandoned_import_deleted", extra={"event": event.slug})


@transaction.atomic
def _complete_import(
    file: EventToImport,
    tournament: Tournament,
    owner: User | None,
    *,
    trusted: bool,
    first_round_byes: bool,
) -> ImportResult:
    tournament = reveal_event(tournament, file.event, owner, trusted=trusted)
    lines = whole_event.standings_lines(tournament)
    imported = _import_result(tournament, file, lines, first_round_byes=first_round_byes)
    _log_import(tournament, file, imported.answer["differences"], owner)
    if tournament.is_finished:
        request_ratings(tournament)
    return imported


def imports_in_progress(owner: User) -> QuerySet[ImportedFile]:
    """Return this account's files whose events are being stored now."""
    since = timezone.now() - ABANDONED_AFTER
    files = ImportedFile.objects.filter(made_by=owner, tournament__import_touched_at__gte=since)
    return files.select_related("tournament").order_by("pk")


def earlier_imports(digest: str) -> QuerySet[ImportedFile]:
    """Return earlier imports of the same file, newest first."""
    files = ImportedFile.objects.filter(digest=digest).select_related("tournament")
    return files.order_by("-pk")


def _import_result(
    tournament: Tournament,
    file: EventToImport,
    standings_lines: list[dict[str, Any]],
    *,
    first_round_byes: bool,
) -> ImportResult:
    lines = [{**line, "id": file.ids[line["id"]]} for line in standings_lines]
    answer = {
        "event": tournament.slug,
        "players": len(file.event["players"]),
        "rounds": _swiss_rounds(file.event),
        "cut": file.cut,
        "standings": lines,
        "differences": [*file.differences, *_standings_differences(file.stated, lines)],
        "first_round_byes": {
            "players": [bye.id for bye in file.first_round_byes],
            "are_added": first_round_byes and bool(file.first_round_byes),
        },
    }
    return ImportResult(
        answer=answer,
        name=tournament.name,
        game=tournament.game,
        starts_on=tournament.starts_on,
        dialect=file.dialect,
        digest=file.digest,
        notices=file.notices,
        unresolved=unknown_identities(file.event),
        names={file.ids[player["id"]]: player["name"] for player in file.event["players"]},
        offered_byes=() if first_round_byes else file.first_round_byes,
        tournament=tournament if tournament.pk else None,
    )


def _swiss_rounds(event: Mapping[str, Any]) -> int:
    return sum(
        round_["state"] != RoundState.DRAFT
        for stage in event["stages"]
        if stage["system"] not in CUT_SYSTEMS
        for round_ in stage["rounds"]
    )


def _log_import(
    tournament: Tournament,
    file: EventToImport,
    differences: list[dict[str, Any]],
    owner: User | None,
) -> None:
    # Differences are stored with the players' numbers in this event.
    numbers = {id_: number for number, id_ in file.ids.items()}
    stored = ImportedFile.objects.get(tournament=tournament)
    stored.differences = [{**row, "number": numbers.get(row["id"])} for row in differences]
    stored.save(update_fields=["differences"])
    after = {"from": file.dialect.label, "digest": file.digest}
    actor = Actor(user=owner)
    history.record(tournament, actor, LogAction.EVENT_IMPORTED, stored.file_name, after=after)


def _standings_differences(
    stated: Sequence[Mapping[str, Any]], lines: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield differences between the stated and the computed standings."""
    computed = {line["id"]: line for line in lines}
    for row in stated:
        line = computed.get(row["id"], {})
        for figure in FIGURES:
            if row.get(figure) is not None and row[figure] != line.get(figure):
                yield {
                    "id": row["id"],
                    "field": figure,
                    "file": row[figure],
                    "computed": line.get(figure),
                }


def read_event_file(data: bytes, game: str | None, *, first_round_byes: bool) -> EventToImport:
    """Read the file into an event; add its unlisted first-round byes if requested.

    Raises TournamentFileRefused with the JSON path of the error.
    """
    # Browsers change line endings; the digest must not depend on them.
    digest = sha256(data.replace(b"\r\n", b"\n").strip()).hexdigest()
    try:
        value = parse_json(data)
        if isinstance(value, dict) and "datafort" in value:
            file = _read_datafort_document(value, digest, game)
        else:
            file = _read_foreign_file(data, digest, game, first_round_byes=first_round_byes)
    except DocumentRefused as refusal:
        raise TournamentFileRefused(str(refusal), refusal.path) from refusal
    _refuse_too_large(file.event)
    return file


def _refuse_too_large(event: Mapping[str, Any]) -> None:
    """Limit the size: standings are stored per player and round."""
    rounds = [round_ for stage in event["stages"] for round_ in stage["rounds"]]
    closed = sum(round_["state"] == "closed" for round_ in rounds)
    if closed * len(event["players"]) > MAX_STANDINGS_LINES:
        raise TournamentFileRefused(
            _(
                "%(event)s players in %(closed)s rounds make more than %(max_standings_lines)s "
                "lines of standings. Remove players who never played from the file."
            )
            % {
                "event": format(len(event["players"]), ","),
                "closed": format(closed, ","),
                "max_standings_lines": format(MAX_STANDINGS_LINES, ","),
            },
            "$",
        )
    pairings = [pairing for round_ in rounds for pairing in round_["pairings"]]
    games = sum(len(pairing["match"]["games"]) for pairing in pairings if pairing["match"])
    if max(len(pairings), games) > MAX_GAMES:
        raise TournamentFileRefused(
            _(
                "The event has more than %(max_games)s tables or games. Split the file into "
                "several events."
            )
            % {"max_games": format(MAX_GAMES, ",")},
            "$",
        )


def _refuse_too_large_for(owner: User | None, event: Mapping[str, Any]) -> None:
    """Enforce the account's size limit. Raises TournamentFileRefused; a command has no `owner`."""
    rounds = sum(len(stage["rounds"]) for stage in event["stages"])
    if owner is not None and (reason := why_too_large(owner, len(event["players"]), rounds)):
        raise TournamentFileRefused(reason, "$")


def seed_of_digest(digest: str) -> int:
    """Derive the random seed from the digest, so that the same file gives the same draws."""
    return int(digest[:15], 16)


def _read_datafort_document(value: Json, digest: str, game: str | None) -> EventToImport:
    if value.get("event") is None:
        event, numbers = documents.convert_engine_document(
            value, game=game, today=timezone.localdate()
        )
        ids = {number: id_ for id_, number in numbers.items()}
        return EventToImport(event, Dialect.DATAFORT, digest, ids)
    event = documents.read_event_document(value)
    stated = (
        documents.read_stated_standings(value["standings"])
        if value.get("standings") is not None
        else ()
    )
    if event["seed"] is None:
        event["seed"] = seed_of_digest(digest)
        # The file omits the seed of its random draw, so tied players may change places.
        stated = [{**line, "rank": None} for line in stated]
    ids = {player["id"]: player["id"] for player in event["players"]}
    return EventToImport(
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


def _read_foreign_file(
    data: bytes, digest: str, game: str | None, *, first_round_byes: bool
) -> EventToImport:
    file = reading.read_file(data, game=game)
    rule = scoring_rule_for(GAMES[file.event.game], file.event.system)
    byes = unlisted_byes(file.event, rule.bye_points)
    if byes and first_round_byes:
        file = compute_standings(with_first_round_byes(file.event, byes))
    ranked = [row.id for row in file.standings]
    event, numbers = conversion.convert_file(
        file.event, ranked, seed=seed_of_digest(digest), today=timezone.localdate()
    )
    return EventToImport(
        event,
        file.event.dialect,
        digest,
        {number: id_ for id_, number in numbers.items()},
        cut=file.event.cut_size,
        notices=(*file.event.notices, *conversion.email_notices(file.event)),
        differences=tuple(_json_difference(asdict(difference)) for difference in file.differences),
        first_round_byes=byes,
    )


def _json_difference(difference: dict[str, Any]) -> dict[str, Any]:
    return {
        key: (float(value) if isinstance(value, Fraction) else value)
        for key, value in difference.items()
    }


def compute_standings_lines(event: Document, tournament: Tournament) -> list[dict[str, Any]]:
    """Compute the lines of `whole_event.standings` without storing the event."""
    rounds = list(_closed_rounds(event))
    if not rounds:
        return []
    last = rounds[-1][1]["number"]
    results = engine_input.closed_results_of(_closed_tables(event)).up_to(last)
    players = sorted(event["players"], key=lambda player: int(player["id"]))
    places = (unsaved_registration(tournament, player, Player()) for player in players)
    records = engine_input.standings_records_among(places, results, last)
    table = standings(records, tie_breakers_of(tournament), seed=tournament.seed)
    return [
        whole_event.standing_line(int(row.id), row.rank, row.match_points, row.values)
        for row in table
    ]


def _closed_rounds(event: Document) -> Iterator[tuple[Document, Document]]:
    """Yield closed Swiss rounds in order, each after its stage."""
    for stage in sorted(event["stages"], key=lambda part: int(part["number"])):
        if stage["system"] not in CUT_SYSTEMS:
            for round_ in sorted(stage["rounds"], key=lambda part: int(part["number"])):
                if round_["state"] == RoundState.CLOSED:
                    yield stage, round_


def _closed_tables(event: Document) -> Iterator[Closed]:
    for stage, round_ in _closed_rounds(event):
        in_pods = STORED_SYSTEMS[stage["system"]].kind is SystemKind.PODS
        for pairing in round_["pairings"]:
            match, number = pairing["match"], round_["number"]
            if match is None:
                yield ClosedBye(number, pairing["bye"], pairing["points"])
                continue
            first = min(match["games"], key=lambda game: game["number"])
            yield ClosedTable(
                round=number,
                in_pods=in_pods,
                is_settled=match["state"] in SETTLED_STATES,
                points={
                    seat["id"]: None if seat["points"] is None else exact(Fraction(seat["points"]))
                    for seat in match["seats"]
                },
                corp=next(
                    (seat["id"] for seat in first["seats"] if seat["role"] == Role.CORP), None
                ),
                result=result_of_match(match, has_roles=not in_pods),
            )
