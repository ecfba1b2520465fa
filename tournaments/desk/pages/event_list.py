"""Events as a list says them: what is played where, and how far each one is."""

from collections.abc import Iterable
from dataclasses import dataclass

from decks import queries as deck_queries
from engine.systems import STORED
from players.models import Player
from tournaments.event import queries, visibility
from tournaments.models import Tournament
from tournaments.rounds import elimination


@dataclass(frozen=True)
class EventLine:
    """One event: its game and format in words, and its state, such as "Round 2 of 4"."""

    event: Tournament
    played: str
    state: str
    kind: str
    """As badges have it."""
    winner: Player | None = None
    """Of a finished event, where somebody has won it."""
    has_page: bool = False
    """Whether readers of the list find the winner's page."""


def event_lines(events: Iterable[Tournament]) -> list[EventLine]:
    """The events with figures (queries.listed) in their order; a constant number of queries."""
    found = list(events)
    finished, played = [event for event in found if event.is_finished], games_and_formats(found)
    # A cut goes before the standings.
    winners = {**queries.best_placed(finished), **elimination.winners(finished)}
    return [_line(event, winners.get(event.pk), played[event.pk]) for event in found]


def games_and_formats(events: Iterable[Tournament]) -> dict[int, str]:
    """What is played, such as "Android: Netrunner, Standard", by key of the event."""
    found = list(events)
    games = {event.game for event in found if event.deck_rules.get("format_id")}
    formats = {game: dict(deck_queries.format_choices(game)) for game in games}
    played = {}
    for event in found:
        format_ = formats.get(event.game, {}).get(event.deck_rules.get("format_id", ""), "")
        played[event.pk] = ", ".join(filter(None, (event.game_played.name, format_)))
    return played


def _line(event: Tournament, winner: Player | None, played: str) -> EventLine:
    state, kind = _state(event, winner.listed_name if winner else "")
    has_page = winner is not None and visibility.leads_to_person(event, winner)
    return EventLine(event, played, state, kind, winner, has_page)


def _state(event: Tournament, winner: str) -> tuple[str, str]:
    """In words, and as badges have it."""
    number, system = event.__dict__["round_number"], event.__dict__["round_system"]
    if event.is_finished:
        return f"Finished: {winner}" if winner else "Finished", "closed"
    if number is None:
        if event.registration_is_open:
            return "Registration open", "open"
        return "Registration closed", "registered"
    if STORED[system].is_elimination:
        return "Top cut", "running"
    planned = event.planned_rounds or 0
    return f"Round {number} of {planned}" if planned >= number else f"Round {number}", "running"
