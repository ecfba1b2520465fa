"""Identities beside names. The page has them all; each row looks up its players."""

from django import template

from tournaments.event.pages import Identities, IdentityLine
from tournaments.results.standings_pages import GridLine, StandingLine
from tournaments.rounds.pages import NameLine, TableLine

register = template.Library()


@register.filter
def of_line(
    identities: Identities | str, line: TableLine | NameLine | StandingLine | GridLine
) -> list[tuple[IdentityLine, ...]]:
    return [of_player(identities, number) for number in line.numbers]


@register.filter
def of_player(identities: Identities | str, number: int | None) -> tuple[IdentityLine, ...]:
    """Return the identities of the player with this number; empty on pages without identities."""
    # Django passes "" if the page has no such variable.
    if not isinstance(identities, dict) or number is None:
        return ()
    return tuple(identities.get(number, ()))
