"""Events as calendars: by the day in their own time zone, with hours where they are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from core.time_zones import known_zones
from tournaments.event import queries
from tournaments.models import Tournament

if TYPE_CHECKING:
    from icalendar import Event

PROGRAM = "-//Datafort//Events//EN"
REFRESHED = timedelta(hours=6)


@dataclass(frozen=True)
class Entry:
    """An event with the address of its page, and when its newest round was published, if any."""

    tournament: Tournament
    page: str
    newest_round_at: datetime | None = None

    @property
    def days(self) -> tuple[date, date]:
        """The first day and the last, as the clocks of the event have them."""
        first, last = self.tournament.starts_on, self.tournament.last_day
        if self.newest_round_at is None:
            return first, last
        name = self.tournament.time_zone
        zone = ZoneInfo(name) if name in known_zones() else UTC
        return first, max(last, self.newest_round_at.astimezone(zone).date())

    @property
    def has_hours(self) -> bool:
        """Whether it is known from when to when, and no round came on a later day."""
        event = self.tournament
        first, last = self.days
        is_as_said = last == event.last_day
        return bool(event.starts_at and is_as_said and (event.ends_at or first == last))


def calendar(entries: Iterable[Entry], name: str = "") -> bytes:
    """One calendar with these events; `name` is what a feed is called."""
    from icalendar import Calendar  # slow to load

    made = Calendar()
    made.add("prodid", PROGRAM)
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    if name:
        made.add("x-wr-calname", name)
        made.add("refresh-interval", REFRESHED, {"value": "DURATION"})
    for entry in entries:
        made.add_component(_event(entry))
    data: bytes = made.to_ical()
    return data


def event_calendar(tournament: Tournament, page: str) -> bytes:
    """The calendar of one event."""
    latest = queries.visible_rounds(tournament).last()
    return calendar([Entry(tournament, page, latest.published_at if latest else None)])


def _event(entry: Entry) -> "Event":
    from icalendar import Event, vText

    tournament = entry.tournament
    first, last = entry.days
    event = Event()
    # The same event has the same mark in every calendar, whatever it is called by now.
    event.add("uid", f"{tournament.created_at:%Y%m%dT%H%M%S}-{tournament.pk}@datafort")
    event.add("dtstamp", tournament.created_at.astimezone(UTC))
    event.add("sequence", tournament.version)
    event.add("summary", tournament.name)
    if entry.has_hours:
        _add_hours(event, tournament)
    else:
        event.add("dtstart", first)
        # The day after the last one, as the format has it.
        event.add("dtend", last + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    event.add("url", entry.page)
    event.add("categories", [tournament.get_game_display()])
    if place := ", ".join(filter(None, (tournament.location, tournament.address))):
        event.add("location", vText(place))
    event.add("description", _description(entry))
    return event


def _add_hours(event: "Event", tournament: Tournament) -> None:
    assert tournament.starts_at
    event.add("dtstart", tournament.starts_at.astimezone(UTC))
    if tournament.ends_at:
        event.add("dtend", tournament.ends_at.astimezone(UTC))


def _description(entry: Entry) -> str:
    event = entry.tournament
    facts = [
        f"Entry fee: {event.entry_fee}" if event.entry_fee else "",
        f"Contact: {event.contact}" if event.contact else "",
        *(f"{link.name}: {link.address}" for link in event.known_links),
    ]
    parts = (event.description.strip(), "\n".join(filter(None, facts)), entry.page)
    return "\n\n".join(filter(None, parts))
