"""Lines of event lists, with what is played and the progress of each event."""

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Event

from django.utils.translation import gettext as _

from decks import queries as deck_queries
from players.models import Player
from tournaments.event import visibility
from tournaments.models import Round, Stage, Tournament
from tournaments.rounds import cut as rounds_cut


@dataclass(frozen=True)
class EventListLine:
    """An event in a list, with its game, format and state, such as "Round 2 of 4"."""

    event: Tournament
    played: str
    state: str
    # Badge style.
    kind: str
    # Winner of a finished event, if there is one.
    winner: Player | None = None
    # True if the winner has a public profile page.
    has_page: bool = False


def event_list_lines(events: Iterable[Tournament]) -> list[EventListLine]:
    """Build the lines of events from `Tournament.objects.listed()` in a few queries."""
    events = list(events)
    finished, played = [event for event in events if event.is_finished], games_and_formats(events)
    cuts = Stage.objects.public_cuts_of(event for event in events if not event.is_finished)
    # The cut overrides the standings.
    winners = {**Tournament.objects.leaders_of(finished), **rounds_cut.cut_winners(finished)}
    lines = []
    for event in events:
        winner = winners.get(event.pk)
        state, kind = _event_state(event, winner.listed_name if winner else "", cuts.get(event.pk))
        has_page = winner is not None and visibility.can_link_to_profile(event, winner)
        lines.append(EventListLine(event, played[event.pk], state, kind, winner, has_page))
    return lines


def games_and_formats(events: Iterable[Tournament]) -> dict[int, str]:
    """Map each event's pk to game and format, such as "Android: Netrunner, Standard"."""
    events = list(events)
    games = {event.game for event in events if event.deck_rules.get("format_id")}
    formats = {game: dict(deck_queries.format_choices(game)) for game in games}
    played = {}
    for event in events:
        format_ = formats.get(event.game, {}).get(event.deck_rules.get("format_id", ""), "")
        played[event.pk] = ", ".join(filter(None, (event.game_played.name, format_)))
    return played


def _event_state(
    event: Tournament, winner: str, cut: tuple[int, Round | None] | None
) -> tuple[str, str]:
    """Return the state as text and badge style; `cut` is its size and newest round, once public."""
    if event.is_finished:
        if winner:
            return _("Finished: %(winner)s") % {"winner": winner}, "closed"
        return _("Finished"), "closed"
    if cut is not None:
        size, round_ = cut
        return round_.title if round_ else _("Top %(size)d") % {"size": size}, "running"
    number = event.__dict__["round_number"]
    if number is None:
        if event.accepts_registrations:
            return _("Registration open"), "open"
        return _("Registration closed"), "registered"
    planned = event.planned_rounds or 0
    if planned >= number:
        text = _("Round %(number)d of %(planned)d") % {"number": number, "planned": planned}
        return text, "running"
    return _("Round %(number)d") % {"number": number}, "running"


# Set while a thread of this process creates the demo event.
demo_in_progress = Event()
