"""Calendar files of events: whole days, or hours if they are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from tournaments.models import Tournament

if TYPE_CHECKING:
    from icalendar import Event

CALENDAR_PROGRAM = "-//Datafort//Events//EN"
REFRESH_INTERVAL = timedelta(hours=6)


@dataclass(frozen=True)
class CalendarEntry:
    """An event, the address of its page, and when its newest round was published, if any."""

    tournament: Tournament
    page: str
    newest_round_at: datetime | None = None

    @property
    def days(self) -> tuple[date, date]:
        """First and last day, in the event's time zone."""
        first, last = self.tournament.starts_on, self.tournament.last_day
        if self.tournament.day_two_on is not None:
            # Day 2 has its own entry.
            return first, first
        if self.newest_round_at is None:
            return first, last
        return first, max(last, self.newest_round_at.astimezone(self.tournament.zone).date())

    @property
    def has_hours(self) -> bool:
        """Return True if the hours are known and no round was published on a later day."""
        event = self.tournament
        first, last = self.days
        if event.day_two_on is not None:
            return event.starts_at is not None
        is_on_time = last == event.last_day
        return bool(event.starts_at and is_on_time and (event.ends_at or first == last))


def build_calendar(entries: Iterable[CalendarEntry], name: str = "") -> bytes:
    """Build a calendar of these events; `name` is the title of a feed."""
    from icalendar import Calendar  # slow to load

    calendar = Calendar()
    calendar.add("prodid", CALENDAR_PROGRAM)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    if name:
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", REFRESH_INTERVAL, {"value": "DURATION"})
    for entry in entries:
        calendar.add_component(_calendar_event(entry))
        if entry.tournament.day_two_on is not None:
            calendar.add_component(_day_two_event(entry))
    data: bytes = calendar.to_ical()
    return data


def event_calendar(tournament: Tournament, page: str) -> bytes:
    latest = tournament.rounds.published().last()
    return build_calendar(
        [CalendarEntry(tournament, page, latest.published_at if latest else None)]
    )


def _calendar_event(entry: CalendarEntry) -> "Event":
    tournament = entry.tournament
    first, last = entry.days
    has_two_days = tournament.day_two_on is not None
    event = _described_event(
        entry, "", f"{tournament.name}, day 1" if has_two_days else tournament.name
    )
    if entry.has_hours:
        assert tournament.starts_at
        event.add("dtstart", tournament.starts_at.astimezone(UTC))
        if tournament.ends_at and not has_two_days:
            event.add("dtend", tournament.ends_at.astimezone(UTC))
    else:
        event.add("dtstart", first)
        # `dtend` is exclusive.
        event.add("dtend", last + timedelta(days=1))
    return event


def _day_two_event(entry: CalendarEntry) -> "Event":
    """Build the entry of day 2, with the end of the event."""
    tournament = entry.tournament
    day, starts, ends = tournament.day_two_on, tournament.day_two_at, tournament.ends_at
    assert day is not None
    event = _described_event(entry, "-day2", f"{tournament.name}, day 2")
    event.add("dtstart", starts.astimezone(UTC) if starts else day)
    if starts is None:
        event.add("dtend", day + timedelta(days=1))
    elif ends and ends > starts:
        event.add("dtend", ends.astimezone(UTC))
    return event


def _described_event(entry: CalendarEntry, part: str, name: str) -> "Event":
    from icalendar import Event, vText

    tournament = entry.tournament
    event = Event()
    # A stable uid in every calendar, even if the event is renamed.
    event.add("uid", f"{tournament.created_at:%Y%m%dT%H%M%S}-{tournament.pk}{part}@datafort")
    event.add("dtstamp", tournament.created_at.astimezone(UTC))
    event.add("sequence", tournament.version)
    event.add("summary", name)
    event.add("transp", "TRANSPARENT")
    event.add("url", entry.page)
    event.add("categories", [tournament.get_game_display()])
    if place := ", ".join(filter(None, (tournament.location, tournament.address))):
        event.add("location", vText(place))
    event.add("description", _description(entry))
    return event


def _description(entry: CalendarEntry) -> str:
    event = entry.tournament
    facts = [
        f"Entry fee: {event.entry_fee}" if event.entry_fee else "",
        f"Contact: {event.contact}" if event.contact else "",
        *(f"{link.name}: {link.address}" for link in event.known_links),
    ]
    parts = (event.description.strip(), "\n".join(filter(None, facts)), entry.page)
    return "\n\n".join(filter(None, parts))
