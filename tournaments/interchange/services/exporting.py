"""The export formats of an event, with permissions and builders."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import timezone

from core import csv_tables
from core.errors import Refusal
from core.time_zones import known_zones
from matches.scoring import scoring_rule
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.interchange.exports import (
    calendars,
    event_files,
    spreadsheets,
    static_pages,
    whole_event,
)
from tournaments.judging import exports as judging_exports
from tournaments.judging.pages import report
from tournaments.models import Tournament
from tournaments.results.pages.standings import places_with_cut
from tournaments.rounds.pages.tables import pairings_texts
from tournaments.statistics.exports import statistics_csv
from tournaments.statistics.pages.figures import statistics_of_event

BETWEEN_PIECES = "\n\n---\n\n"
JSON, CSV = ("application/json", "json"), (csv_tables.CSV, "csv")


class NothingToExport(Refusal):
    """The event has no data for this format, or none yet."""


@dataclass(frozen=True)
class Asked:
    """An export request. `page` is the event's address; `private` includes organisers' data."""

    tournament: Tournament
    actor: Actor
    page: str = ""
    private: bool = False


@dataclass(frozen=True)
class Format:
    """An export format. `why_not` returns why an event has no such file, or ""."""

    id: str
    label: str
    words: str
    kind: tuple[str, str]
    make: Callable[[Asked], bytes]
    why_not: Callable[[Tournament], str] = lambda tournament: ""
    may: Callable[[Actor, Tournament], bool] = visibility.can_see
    for_whom: str = "Everybody who sees the event"
    file: str = ""
    reads_standings: bool = False

    @property
    def is_for_all(self) -> bool:
        return self.may is visibility.can_see

    @property
    def media_type(self) -> str:
        return self.kind[0]

    @property
    def route(self) -> str:
        """Name of its URL."""
        return f"tournaments:export_{self.id.replace('-', '_')}"

    @property
    def extension(self) -> str:
        return self.kind[1]

    def file_name(self, tournament: Tournament) -> str:
        """File name of letters, digits and hyphens, plus the extension."""
        return f"{tournament.slug}-{self.file or self.id.removeprefix('csv-')}.{self.extension}"


def made(format_: Format, asked: Asked) -> bytes:
    """Build the file; callers check permissions.

    Raises NothingToExport if it is unavailable, and StandingsOutdated while its standings are being
    recomputed.
    """
    if format_.reads_standings:
        queries.refuse_outdated_standings(asked.tournament)
    if words := format_.why_not(asked.tournament):
        raise NothingToExport(words)
    name = asked.tournament.time_zone
    with timezone.override(ZoneInfo(name) if name in known_zones() else None):
        return format_.make(asked)


def _datafort(asked: Asked) -> bytes:
    document = whole_event.document(asked.tournament, private=asked.private)
    return f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()


def pieces_of(tournament: Tournament) -> list[str]:
    """The newest published pairings as chat messages; a table is never split."""
    latest = queries.newest_visible_round(tournament)
    return pairings_texts(latest) if latest else []


def _markdown(asked: Asked) -> bytes:
    return f"{BETWEEN_PIECES.join(pieces_of(asked.tournament))}\n".encode()


def _standings(asked: Asked) -> bytes:
    snapshot = queries.newest_snapshot(asked.tournament)
    assert snapshot is not None, "asked before"
    return spreadsheets.standings_csv(snapshot, places_with_cut(asked.tournament))


def _log(asked: Asked) -> bytes:
    """Export the log entries that the reader may see."""
    entries = queries.readable_log(
        asked.tournament,
        with_draft=visibility.can_see_drafts(asked.actor, asked.tournament),
        with_checks=permissions.can_judge(asked.actor, asked.tournament),
    )
    return spreadsheets.log_csv(entries)


def _table(make: Callable[[Tournament], bytes]) -> Callable[[Asked], bytes]:
    """Adapt a builder that does not depend on the reader."""
    return lambda asked: make(asked.tournament)


def _has_pods(tournament: Tournament) -> bool:
    return not scoring_rule(tournament.scoring_rule).has_roles


def _no_nrtm(tournament: Tournament) -> str:
    if not _has_pods(tournament):
        return ""
    return (
        "Other programs know no tables of three and more. "
        "Take Datafort's own document, or the tables as CSV."
    )


def _no_trf(tournament: Tournament) -> str:
    rule = scoring_rule(tournament.scoring_rule)
    if rule.has_roles and rule.games_per_match == 1:
        return ""
    return "Chess programs know one game a round. This event has more, or pods."


def _no_standings(tournament: Tournament) -> str:
    return "" if queries.newest_snapshot(tournament) else "No round is closed yet."


def _no_cut(tournament: Tournament) -> str:
    stage = queries.cut_of_event(tournament)
    if stage and queries.cut_has_begun(stage):
        return ""
    return "It has no cut." if tournament.is_finished else "No game of a cut is published yet."


def _no_games(tournament: Tournament) -> str:
    return "The games of pods have no roles." if _has_pods(tournament) else ""


def _no_rounds(tournament: Tournament) -> str:
    return "" if queries.visible_rounds(tournament).exists() else "No round is published yet."


_ALL = (
    Format(
        "nrtm",
        "Tournament file (NRTM, Cobra)",
        "For AlwaysBeRunning and other programs. Includes identities once they are public.",
        JSON,
        lambda asked: event_files.nrtm_file(asked.tournament, asked.actor.player, page=asked.page),
        reads_standings=True,
        why_not=_no_nrtm,
    ),
    Format(
        "datafort",
        "The whole event (Datafort)",
        "Reads in again as an equal event, here or on another site. Organisers may ask for it "
        "with what is private as well.",
        JSON,
        _datafort,
        reads_standings=True,
    ),
    Format(
        "html",
        "The whole event as one page (HTML)",
        "Standings, every round, bracket, players and open decks. Opens without a server, prints.",
        ("text/html; charset=utf-8", "html"),
        lambda asked: static_pages.static_pages(asked.tournament, asked.page),
        file="event",
        reads_standings=True,
    ),
    Format(
        "csv-standings",
        "Standings",
        "After the last closed round, with the places of the cut.",
        CSV,
        _standings,
        why_not=_no_standings,
        reads_standings=True,
    ),
    Format(
        "csv-pairings",
        "Pairings",
        "Every published round, a row for each table and bye.",
        CSV,
        _table(spreadsheets.pairings_csv),
        why_not=_no_rounds,
    ),
    Format(
        "csv-results",
        "Results",
        "Every published round, a row for each player.",
        CSV,
        _table(spreadsheets.results_csv),
        why_not=_no_rounds,
    ),
    Format(
        "csv-games",
        "Games",
        "One row per reported game: sides, winner, how it ended.",
        CSV,
        _table(spreadsheets.games_csv),
        why_not=_no_games,
    ),
    Format(
        "csv-cut",
        "Cut",
        "Its places, best first.",
        CSV,
        _table(spreadsheets.cut_csv),
        why_not=_no_cut,
    ),
    Format(
        "csv-statistics",
        "Statistics",
        "What was played, what won and how games ended: every line. Without hidden decks.",
        CSV,
        _table(lambda event: statistics_csv(statistics_of_event(event).charts)),
        why_not=_no_rounds,
    ),
    Format(
        "csv-roster",
        "Roster",
        "All players by number, to import into another event.",
        CSV,
        _table(spreadsheets.roster_csv),
        may=permissions.can_run,
        for_whom="Organisers",
    ),
    Format(
        "csv-penalties",
        "Penalties",
        "Every penalty, withdrawn ones too.",
        CSV,
        _table(judging_exports.penalties_csv),
        may=permissions.can_judge,
        for_whom="Judges",
    ),
    Format(
        "csv-judges",
        "Judges' report",
        "Calls, penalties and local rulings.",
        CSV,
        _table(lambda event: judging_exports.judged_csv(report.document(report.report(event)))),
        may=permissions.can_head_judge,
        for_whom="Head judges",
    ),
    Format(
        "csv-log",
        "Log",
        "Every change that you may know of, the newest first.",
        CSV,
        _log,
        may=permissions.can_open_desk,
        for_whom="Staff at the desk",
    ),
    Format(
        "trf",
        "Chess report (TRF)",
        "For chess programs, where a match is one game: Corp is white.",
        ("text/plain; charset=utf-8", "trf"),
        lambda asked: event_files.trf_file(asked.tournament, asked.actor.player),
        why_not=_no_trf,
        file="report",
        reads_standings=True,
    ),
    Format(
        "ics",
        "Calendar",
        "The day of the event.",
        ("text/calendar; charset=utf-8", "ics"),
        lambda asked: calendars.event_calendar(asked.tournament, asked.page),
        file="calendar",
    ),
    Format(
        "markdown",
        "Pairings for a chat",
        "The newest published round, in messages of at most 2,000 characters.",
        ("text/markdown; charset=utf-8", "md"),
        _markdown,
        why_not=_no_rounds,
        file="pairings",
    ),
)

FORMATS: Mapping[str, Format] = {one.id: one for one in _ALL}


def formats_for(actor: Actor, tournament: Tournament) -> list[Format]:
    """Return the formats this actor may export, available or not."""
    return [one for one in FORMATS.values() if one.may(actor, tournament)]
