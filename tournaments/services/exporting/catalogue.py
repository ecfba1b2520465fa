"""Every file an event can be had as, in the order of the page."""

from collections.abc import Mapping

from tournaments import exports, permissions
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.services.exporting import makers, reasons
from tournaments.services.exporting.files import Format

JSON, CSV = ("application/json", "json"), ("text/csv; charset=utf-8", "csv")

_ALL = (
    Format(
        "nrtm",
        "Tournament file (NRTM, Cobra)",
        "For AlwaysBeRunning and other programs. Identities are in it once everybody sees them.",
        JSON,
        makers.nrtm,
        why_not=reasons.no_nrtm,
    ),
    Format(
        "datafort",
        "The whole event (Datafort)",
        "Reads in again as an equal event, here or on another site. Organisers may ask for it "
        "with what is private as well.",
        JSON,
        makers.datafort,
    ),
    Format(
        "csv-standings",
        "Standings",
        "After the last closed round, with the places of the cut.",
        CSV,
        makers.standings,
        why_not=reasons.no_standings,
    ),
    Format(
        "csv-pairings",
        "Pairings",
        "Every published round, a row for each table and bye.",
        CSV,
        makers.table(exports.pairings_csv),
        why_not=reasons.no_rounds,
    ),
    Format(
        "csv-results",
        "Results",
        "Every published round, a row for each player.",
        CSV,
        makers.table(exports.results_csv),
        why_not=reasons.no_rounds,
    ),
    Format(
        "csv-games",
        "Games",
        "A row for each game that was told: who played which side, who won and how.",
        CSV,
        makers.table(exports.games_csv),
        why_not=reasons.no_games,
    ),
    Format(
        "csv-cut",
        "Cut",
        "Its places, best first.",
        CSV,
        makers.table(exports.cut_csv),
        why_not=reasons.no_cut,
    ),
    Format(
        "csv-roster",
        "Roster",
        "Everybody by number, as a list that another event can take over.",
        CSV,
        makers.table(exports.roster_csv),
        may=permissions.can_run,
        for_whom="Organisers",
    ),
    Format(
        "csv-penalties",
        "Penalties",
        "Every penalty, those taken back too.",
        CSV,
        makers.table(exports.penalties_csv),
        may=permissions.can_judge,
        for_whom="Judges",
    ),
    Format(
        "csv-judges",
        "Judges' report",
        "Calls, penalties and local rulings.",
        CSV,
        makers.judges,
        may=permissions.can_head_judge,
        for_whom="Head judges",
    ),
    Format(
        "csv-log",
        "Log",
        "Every change that you may know of, the newest first.",
        CSV,
        makers.log,
        may=permissions.can_open_desk,
        for_whom="Staff at the desk",
    ),
    Format(
        "trf",
        "Chess report (TRF)",
        "For chess programs, where a match is one game: Corp is white.",
        ("text/plain; charset=utf-8", "trf"),
        makers.trf,
        why_not=reasons.no_trf,
        file="report",
    ),
    Format(
        "ics",
        "Calendar",
        "The day of the event.",
        ("text/calendar; charset=utf-8", "ics"),
        makers.calendar,
        file="calendar",
    ),
    Format(
        "markdown",
        "Pairings for a chat",
        "The newest published round, in messages of at most 2,000 characters.",
        ("text/markdown; charset=utf-8", "md"),
        makers.markdown,
        why_not=reasons.no_rounds,
        file="pairings",
    ),
)

FORMATS: Mapping[str, Format] = {one.id: one for one in _ALL}


def formats_for(actor: Actor, tournament: Tournament) -> list[Format]:
    """What this person may have, whether there is anything in it or not."""
    return [one for one in FORMATS.values() if one.may(actor, tournament)]
