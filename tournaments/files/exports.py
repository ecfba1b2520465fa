"""The export formats of an event, with permissions and builders."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core import csv_tables
from core.errors import Refusal
from core.time_zones import known_zones
from matches.scoring.rules import scoring_rule
from tournaments.event import permissions as event_permissions
from tournaments.event import snapshots, visibility
from tournaments.event.chat_text import MARKDOWN
from tournaments.event.permissions import Actor
from tournaments.files import calendars, event_files, spreadsheets, static_pages, whole_event
from tournaments.judging import report
from tournaments.models import Tournament
from tournaments.results.standings_pages import places_with_cut
from tournaments.rounds.pages import pairings_texts
from tournaments.statistics.pages import statistics_csv, statistics_of_event

MESSAGE_SEPARATOR = "\n\n---\n\n"
JSON, CSV = ("application/json", "json"), (csv_tables.CSV_TYPE, "csv")


class NothingToExport(Refusal):
    """The event has no data for this format, or none yet."""


@dataclass(frozen=True)
class ExportRequest:
    """An export request. `page` is the event's address; `private` includes organisers' data."""

    tournament: Tournament
    actor: Actor
    page: str = ""
    private: bool = False


FOR_EVERYONE = gettext_lazy("Everyone who can see the event")


@dataclass(frozen=True)
class ExportFormat:
    """An export format. `why_not` returns why an event has no such file, or ""."""

    id: str
    label: str | Promise
    words: str | Promise
    kind: tuple[str, str]
    make: Callable[[ExportRequest], bytes]
    why_not: Callable[[Tournament], str] = lambda tournament: ""
    may: Callable[[Actor, Tournament], bool] = visibility.can_see
    for_whom: str | Promise = FOR_EVERYONE
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


def build_file(format_: ExportFormat, request: ExportRequest) -> bytes:
    """Build the file; callers check permissions.

    Raises NothingToExport if it is unavailable, and StandingsOutdated while its standings are being
    recomputed.
    """
    if format_.reads_standings:
        snapshots.refuse_outdated_standings(request.tournament)
    if reason := format_.why_not(request.tournament):
        raise NothingToExport(reason)
    name = request.tournament.time_zone
    with timezone.override(ZoneInfo(name) if name in known_zones() else None):
        return format_.make(request)


def _datafort_file(request: ExportRequest) -> bytes:
    document = whole_event.event_document(request.tournament, private=request.private)
    return f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()


def pairings_messages(tournament: Tournament) -> list[str]:
    """Return the newest published pairings as chat messages; a table is never split."""
    latest = tournament.newest_published_round()
    return pairings_texts(latest, MARKDOWN) if latest else []


def _pairings_file(request: ExportRequest) -> bytes:
    return f"{MESSAGE_SEPARATOR.join(pairings_messages(request.tournament))}\n".encode()


def _standings_file(request: ExportRequest) -> bytes:
    snapshot = request.tournament.snapshots.newest()
    assert snapshot is not None, "checked by `_why_no_standings`"
    return spreadsheets.standings_csv(snapshot, places_with_cut(request.tournament))


def _log_file(request: ExportRequest) -> bytes:
    """Export the log entries that the reader may see."""
    entries = request.tournament.readable_log(
        with_draft=visibility.can_see_drafts(request.actor, request.tournament),
        with_checks=event_permissions.can_judge(request.actor, request.tournament),
    )
    return spreadsheets.log_csv(entries)


def _has_pods(tournament: Tournament) -> bool:
    return not scoring_rule(tournament.scoring_rule).has_roles


def _why_no_nrtm(tournament: Tournament) -> str:
    if not _has_pods(tournament):
        return ""
    return _(
        "Other programs do not support tables with more than two players. "
        "Export the Datafort document, or the tables as CSV."
    )


def _why_no_trf(tournament: Tournament) -> str:
    rule = scoring_rule(tournament.scoring_rule)
    if rule.has_roles and rule.games_per_match == 1:
        return ""
    return _("Chess programs support only one game per round. This event has more, or pods.")


def _why_no_standings(tournament: Tournament) -> str:
    return "" if tournament.snapshots.newest() else _("No round is closed yet.")


def _why_no_cut(tournament: Tournament) -> str:
    stage = tournament.get_cut()
    if stage and stage.has_published_round():
        return ""
    return (
        _("This event has no cut.")
        if tournament.is_finished
        else _("No game of a cut is published yet.")
    )


def _why_no_games(tournament: Tournament) -> str:
    return _("Games in pods have no sides.") if _has_pods(tournament) else ""


def _why_no_rounds(tournament: Tournament) -> str:
    return "" if tournament.rounds.published().exists() else _("No round is published yet.")


_ALL_FORMATS = (
    ExportFormat(
        "nrtm",
        gettext_lazy("Tournament file (NRTM, Cobra)"),
        gettext_lazy(
            "For AlwaysBeRunning and other programs. Identities are included once they are public."
        ),
        JSON,
        lambda request: event_files.nrtm_file(
            request.tournament, request.actor.player, page=request.page
        ),
        reads_standings=True,
        why_not=_why_no_nrtm,
    ),
    ExportFormat(
        "datafort",
        gettext_lazy("The whole event (Datafort)"),
        gettext_lazy(
            "Can be imported again, here or on another site. Organisers can include private data."
        ),
        JSON,
        _datafort_file,
        reads_standings=True,
    ),
    ExportFormat(
        "html",
        gettext_lazy("The whole event as one page (HTML)"),
        gettext_lazy(
            "Standings, all rounds, bracket, players and public decks. Opens without a server."
        ),
        ("text/html; charset=utf-8", "html"),
        lambda request: static_pages.static_page(request.tournament, request.page),
        file="event",
        reads_standings=True,
    ),
    ExportFormat(
        "csv-standings",
        gettext_lazy("Standings"),
        gettext_lazy("After the last closed round, with places from the cut."),
        CSV,
        _standings_file,
        why_not=_why_no_standings,
        reads_standings=True,
    ),
    ExportFormat(
        "csv-pairings",
        gettext_lazy("Pairings"),
        gettext_lazy("All published rounds, one row per table and bye."),
        CSV,
        lambda request: spreadsheets.pairings_csv(request.tournament),
        why_not=_why_no_rounds,
    ),
    ExportFormat(
        "csv-results",
        gettext_lazy("Results"),
        gettext_lazy("All published rounds, one row per player."),
        CSV,
        lambda request: spreadsheets.results_csv(request.tournament),
        why_not=_why_no_rounds,
    ),
    ExportFormat(
        "csv-games",
        gettext_lazy("Games"),
        gettext_lazy("One row per reported game, with sides, winner and how it ended."),
        CSV,
        lambda request: spreadsheets.games_csv(request.tournament),
        why_not=_why_no_games,
    ),
    ExportFormat(
        "csv-cut",
        gettext_lazy("Cut"),
        gettext_lazy("Final places, best first."),
        CSV,
        lambda request: spreadsheets.cut_csv(request.tournament),
        why_not=_why_no_cut,
    ),
    ExportFormat(
        "csv-statistics",
        gettext_lazy("Statistics"),
        gettext_lazy(
            "The data of all charts: identities played, wins and game endings. Hidden "
            "decks are left out."
        ),
        CSV,
        lambda request: statistics_csv(statistics_of_event(request.tournament).charts),
        why_not=_why_no_rounds,
    ),
    ExportFormat(
        "csv-roster",
        gettext_lazy("Roster"),
        gettext_lazy("All players by number, to import into another event."),
        CSV,
        lambda request: spreadsheets.roster_csv(request.tournament),
        may=event_permissions.can_run,
        for_whom=gettext_lazy("Organisers"),
    ),
    ExportFormat(
        "csv-penalties",
        gettext_lazy("Penalties"),
        gettext_lazy("All penalties, including withdrawn ones."),
        CSV,
        lambda request: report.penalties_csv(request.tournament),
        may=event_permissions.can_judge,
        for_whom=gettext_lazy("Judges"),
    ),
    ExportFormat(
        "csv-judges",
        gettext_lazy("Judges' report"),
        gettext_lazy("Calls, penalties and local rulings."),
        CSV,
        lambda request: report.report_csv(
            report.report_document(report.judges_report(request.tournament))
        ),
        may=event_permissions.can_head_judge,
        for_whom=gettext_lazy("Head judges"),
    ),
    ExportFormat(
        "csv-log",
        gettext_lazy("Log"),
        gettext_lazy("All changes that you can see, newest first."),
        CSV,
        _log_file,
        may=event_permissions.can_open_desk,
        for_whom=gettext_lazy("Desk staff"),
    ),
    ExportFormat(
        "trf",
        gettext_lazy("Chess report (TRF)"),
        gettext_lazy("For chess programs: each match is one game, and Corp is white."),
        ("text/plain; charset=utf-8", "trf"),
        lambda request: event_files.trf_file(request.tournament, request.actor.player),
        why_not=_why_no_trf,
        file="report",
        reads_standings=True,
    ),
    ExportFormat(
        "ics",
        gettext_lazy("Calendar"),
        gettext_lazy("The dates of the event."),
        ("text/calendar; charset=utf-8", "ics"),
        lambda request: calendars.event_calendar(request.tournament, request.page),
        file="calendar",
    ),
    ExportFormat(
        "markdown",
        gettext_lazy("Pairings for chat"),
        gettext_lazy("The latest published round, in messages of at most 2,000 characters."),
        ("text/markdown; charset=utf-8", "md"),
        _pairings_file,
        why_not=_why_no_rounds,
        file="pairings",
    ),
)

FORMATS: Mapping[str, ExportFormat] = {format_.id: format_ for format_ in _ALL_FORMATS}


def formats_for(actor: Actor, tournament: Tournament) -> list[ExportFormat]:
    """Return the formats this actor may export, available or not."""
    return [format_ for format_ in FORMATS.values() if format_.may(actor, tournament)]
