"""Identities beside names, log entries in words, times of the event, and chat messages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decks.models import CardFaction, Side
from matches.models import SETTLED_STATES
from players.models import Player
from tournaments.event import visibility
from tournaments.event.chat_text import split_into_messages
from tournaments.models import DeckSubmission, Job, LogEntry, StatedIdentity, Tournament
from tournaments.models.event_log import action_label

# Number in the event, side, title, faction name, and owner: the player of an identity from an
# imported file, otherwise 0.
IdentityRow = tuple[int, str, str, str | None, int]

# Values stored for undo, or already part of the sentence.
HIDDEN_LOG_KEYS = (
    *("account", "accounts", "call", "clock", "cut", "cut_change", "dropped_by", "late_entries"),
    *("match", "merged", "moved", "pairings", "penalty", "players", "points", "result", "seats"),
    *("state", "version"),
)


@dataclass(frozen=True)
class IdentityLine:
    title: str
    name: str
    faction: str
    side: str


# By player number, Corp before Runner; players without a visible identity are left out.
Identities = dict[int, tuple[IdentityLine, ...]]


def identities_beside_names(
    tournament: Tournament, player: Player | None, numbers: Collection[int] | None = None
) -> Identities:
    """Identities visible to this player, or to everybody if None; by player number.

    Empty for games without identities. With `numbers`, only for these players.
    """
    if not tournament.game_played.has_identities:
        return {}
    decks = _identity_rows_of_decks(
        tournament, visibility.identities_for_reader(tournament, player)
    )
    stated = _stated_identity_rows(tournament)
    if numbers is not None:
        decks = decks.filter(registration__number__in=numbers)
        stated = stated.filter(registration__number__in=numbers)
    rows = list(decks.union(stated, all=True))
    owners = {owner for *_, owner in rows if owner}
    visible = (
        visibility.visible_identity_owners(tournament, player, owners) if owners else frozenset()
    )
    # A deck submitted here takes precedence over an imported file.
    return _identities_by_number(
        [row for row in rows if row[-1] in visible] + [row for row in rows if not row[-1]]
    )


def identities_of_decks(tournament: Tournament, decks: QuerySet[DeckSubmission]) -> Identities:
    """Return the identities of these decks. The caller checks that the reader may see them."""
    if not tournament.game_played.has_identities:
        return {}
    return _identities_by_number(list(_identity_rows_of_decks(tournament, decks)))


def _identity_rows_of_decks(
    tournament: Tournament, decks: QuerySet[DeckSubmission]
) -> QuerySet[Any, IdentityRow]:
    no_owner = Value(0, output_field=BigIntegerField())
    with_identity = decks.exclude(version__identity=None)
    title, faction = F("version__identity__title"), "version__identity__faction"
    return _identity_rows(tournament, with_identity, title, faction, no_owner)


def _stated_identity_rows(tournament: Tournament) -> QuerySet[Any, IdentityRow]:
    """Return the identities from an imported file; for an unknown card only the title."""
    stated = StatedIdentity.objects.filter(registration__tournament=tournament)
    owner = Cast("registration__player", BigIntegerField())
    return _identity_rows(
        tournament, stated, Coalesce("card__title", "title"), "card__faction", owner
    )


def _identity_rows(
    tournament: Tournament, sources: QuerySet[Any], title: Any, faction: str, owner: Any
) -> QuerySet[Any, IdentityRow]:
    factions = CardFaction.objects.filter(game=tournament.game, faction_id=OuterRef(faction))
    name = Subquery(factions.values("name")[:1])
    annotated = sources.annotate(shown=title, faction_name=name, owner=owner).order_by()
    columns = ("registration__number", "side", "shown", "faction_name", "owner")
    rows: QuerySet[Any, IdentityRow] = annotated.values_list(*columns)
    return rows


def _identities_by_number(rows: Iterable[IdentityRow]) -> Identities:
    by_number: dict[int, dict[str, IdentityLine]] = defaultdict(dict)
    for number, side, title, faction, _player in rows:
        line = IdentityLine(title, short_identity_name(title, faction), faction or "", side)
        by_number[number][side] = line
    return {
        number: tuple(sorted(lines.values(), key=lambda line: Side(line.side)))
        for number, lines in by_number.items()
    }


def short_identity_name(title: str, faction: str | None) -> str:
    """Return the text before the colon of a title, or after it if the faction is before it."""
    before, colon, after = title.partition(": ")
    return after if colon and before == faction else before


@dataclass(frozen=True)
class LogLine:
    entry: LogEntry
    action: str
    points: str
    changes: tuple[str, ...]
    can_undo: bool


@dataclass(frozen=True)
class LoggedTable:
    table: int | None
    names: tuple[str, ...]


def log_line(entry: LogEntry, *, can_undo: bool = False) -> LogLine:
    """Describe an entry in words; no queries."""
    action, points = action_label(entry.action), _points_in_words(entry)
    # An unconfirmed report has no points yet, so show the reported result.
    reported = () if points or "result" not in entry.after else (entry.after["result"],)
    return LogLine(entry, action, points, (*reported, *_changes_in_words(entry)), can_undo)


def _points_in_words(entry: LogEntry) -> str:
    """Points such as "Ada 20, Bram 6, before: 10, 10"; empty if none changed."""
    names, points = entry.after.get("seats", ()), entry.after.get("points", ())
    match_before = entry.before.get("match", {})
    points_before = [seat["points"] for seat in match_before.get("seats", ())]
    was_settled = match_before.get("state") in SETTLED_STATES
    words = ""
    if names and None not in points:
        words = ", ".join(f"{name} {own}" for name, own in zip(names, points, strict=True))
    elif names and was_settled:
        words = _("no result for %(names)s") % {"names": get_text_list(names, _("and"))}
    if words and was_settled and None not in points_before:
        words += f", before: {', '.join(points_before)}"
    return words


def _changes_in_words(entry: LogEntry) -> Iterable[str]:
    keys = [*entry.before, *(key for key in entry.after if key not in entry.before)]
    for key in keys:
        if key in HIDDEN_LOG_KEYS:
            continue
        name = key.replace("_", " ")
        in_words = logged_moment_in_words if key.endswith("_at") else value_in_words
        after, before = in_words(entry.after.get(key)), in_words(entry.before.get(key))
        if key not in entry.after:
            yield f"{name} was {before}"
        elif key in entry.before:
            yield f"{name}: {after}, before: {before}"
        else:
            yield f"{name}: {after}"


def logged_moment_in_words(value: Any) -> str:
    moment = parse_datetime(value) if isinstance(value, str) else None
    if moment is None:
        return value_in_words(value)
    return date_format(timezone.localtime(moment), "LONG_DATETIME_FORMAT")


def value_in_words(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_in_words(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(value_in_words, value))
    return str(value).replace("_", " ")


def logged_tables(entry: LogEntry) -> list[LoggedTable]:
    pairings = entry.after.get("pairings") or entry.before.get("pairings") or []
    return [
        LoggedTable(row.get("table"), tuple(row["seats"]) if "seats" in row else (row["bye"],))
        for row in pairings
    ]


def moment_in_words(moment: datetime, tournament: Tournament) -> str:
    local = moment.astimezone(tournament.zone)
    day = date_format(local, "WEEKDAY_DATE_FORMAT")
    return f"{day}, {date_format(local, 'TIME_FORMAT')} ({tournament.zone})"


REASON_HIDDEN = gettext_lazy("The organiser can see why.")


def hide_job_errors(rows: Iterable[Job], *, runs: bool) -> list[Job]:
    """Hide the failure reasons of jobs from readers who do not run the event."""
    # A reason may name the players at a table of a draft, or a card of a hidden deck.
    jobs = list(rows)
    for job in jobs:
        if job.error and not runs:
            job.error, job.error_code = str(REASON_HIDDEN), ""
    return jobs


def chat_messages(heading: str, lines: Iterable[str]) -> list[str]:
    """Split lines into chat messages that fit, each with the heading. No line is cut."""
    continued = _("%(heading)s (continued)") % {"heading": heading}
    return split_into_messages(heading, lines, continued=continued)
