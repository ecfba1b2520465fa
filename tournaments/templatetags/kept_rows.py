"""Long tables: a row is rendered once for all readers to whom it says the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from django import template
from django.template.context import Context
from django.template.loader import get_template, render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from core.laid_out import laid_out
from tournaments.sheets.identities import Identities, IdentityLine

register = template.Library()

ROWS_KEPT = 8192
"""Some rounds and standings of a large event, each row a few hundred bytes."""


class Line(Protocol):
    """A frozen record of all a row says: equal lines are equal rows."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Who is on it, by number in the event."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Place:
    """What all rows of a table share; without a round in standings."""

    slug: str
    round_number: int | None
    is_closed: bool
    has_roles: bool


@register.simple_tag(takes_context=True)
def kept_rows(context: Context, template: str, lines: Iterable[Line]) -> SafeString:
    """Every line by this template, which is given `line`, `place` and `identities`."""
    place = _place(context)
    identities: Identities = context.get("identities") or {}
    rows = (_row(template, line, place, _of_line(identities, line)) for line in lines)
    return format_html_join("", "{}", ((row,) for row in rows))


def _place(context: Context) -> Place:
    round_, rule = context.get("round"), context.get("rule")
    return Place(
        slug=context["tournament"].slug,
        round_number=round_.number if round_ else None,
        is_closed=bool(round_ and round_.is_closed),
        has_roles=bool(rule and rule.has_roles),
    )


def _of_line(
    identities: Identities, line: Line
) -> tuple[tuple[int, tuple[IdentityLine, ...]], ...]:
    return tuple((number, identities[number]) for number in line.numbers if number in identities)


@lru_cache(maxsize=ROWS_KEPT)
def _row(
    template: str,
    line: Line,
    place: Place,
    identities: tuple[tuple[int, tuple[IdentityLine, ...]], ...],
) -> SafeString:
    context = {"line": line, "place": place, "identities": dict(identities)}
    return render_to_string(template, context)


@register.simple_tag(takes_context=True)
def kept_form(context: Context, template_name: str, said: str, **row: object) -> SafeString:
    """A row with forms by this template, in the context of the page and with `row`.

    `said` is the fingerprint of all the row depends on, but for the token of its forms, which is
    that of who reads it.
    """

    def render(token: str) -> str:
        page: Any = context.flatten()
        return get_template(template_name).render({**page, **row, "csrf_token": token})

    return laid_out(template_name, said, str(context.get("csrf_token", "")), render)
