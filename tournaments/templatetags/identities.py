"""Identities beside a name: the page has all that may be seen, the row asks for its player's."""

from django import template

from tournaments.event.pages import Identities, IdentityLine
from tournaments.results.pages.standings import StandingLine
from tournaments.results.pages.standings_grid import GridLine
from tournaments.rounds.pages.tables import NameLine, TableLine

register = template.Library()


@register.filter
def of_line(
    identities: Identities | str, line: TableLine | NameLine | StandingLine | GridLine
) -> list[tuple[IdentityLine, ...]]:
    """The identities of everybody on this line, as far as the page has any."""
    return [of_player(identities, number) for number in line.numbers]


@register.filter
def of_player(identities: Identities | str, number: int | None) -> tuple[IdentityLine, ...]:
    """The identities of the player with this number; none on a page that has none."""
    # Django gives an empty text where a page has no such variable.
    if not isinstance(identities, dict) or number is None:
        return ()
    return tuple(identities.get(number, ()))
