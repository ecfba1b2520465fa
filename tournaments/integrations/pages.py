"""The event as text to copy into a chat channel."""

from collections.abc import Iterator
from datetime import date, time

from django.utils.formats import date_format

from tournaments.event import chat_text
from tournaments.event.chat_text import escaped
from tournaments.models import Tournament


def event_texts(tournament: Tournament, join_address: str) -> list[str]:
    """Describe the event and how to join, split to fit the message limit."""
    return chat_text.pieces(f"**{escaped(tournament.name)}**", _lines(tournament, join_address))


def _lines(event: Tournament, join_address: str) -> Iterator[str]:
    zone = f" ({escaped(event.time_zone)})" if event.start_time else ""
    yield f"{event.game_played}, {when(event)}{zone}"
    if place := ", ".join(filter(None, (event.location, event.address))):
        yield f"Place: {escaped(place)}"
    if event.map_address:
        yield f"Map: <{event.map_address}>"
    if event.entry_fee:
        yield f"Entry fee: {escaped(event.entry_fee)}"
    if event.contact:
        yield f"Contact: {escaped(event.contact)}"
    for link in event.known_links:
        yield f"{escaped(link.name)}: <{link.address}>"
    if event.registration_is_open and not event.is_finished:
        yield f"Join: <{join_address}>"


def when(event: Tournament) -> str:
    """Dates and times of the event, in its own time zone."""
    first = _day_and_hour(event.starts_on, event.start_time)
    if event.last_day > event.starts_on:
        return f"{first} to {_day_and_hour(event.last_day, event.end_time)}"
    return f"{first} to {event.ends_at:%H:%M}" if event.ends_at else first


def _day_and_hour(day: date, hour: time | None) -> str:
    said = date_format(day, "l j F Y")
    return f"{said}, {hour:%H:%M}" if hour else said
