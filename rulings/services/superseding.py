"""Supersede, withdraw and adopt rulings."""

from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction

from core.errors import Refusal
from rulings.models import Ruling, RulingDocument


class CannotSupersede(Refusal):
    """Rulings would supersede each other, or a local ruling a published one."""


@transaction.atomic
def supersede(ruling: Ruling, others: Iterable[Ruling]) -> None:
    """Set the rulings that this ruling supersedes, replacing any others.

    Raises CannotSupersede for itself, for a ruling that directly or indirectly supersedes it, for
    another game, and for a local ruling that would supersede a published one.
    """
    # Serialise all changes in this game, because together they could create a cycle.
    of_game = RulingDocument.objects.filter(game=ruling.document.game)
    list(of_game.select_for_update().order_by("pk"))
    wanted = list(others)
    above = _superseding(ruling)
    for other in wanted:
        if reason := _objection(ruling, other, above):
            raise CannotSupersede(reason)
    ruling.supersedes.set(wanted)


@transaction.atomic
def set_standing(ruling: Ruling, others: Iterable[Ruling], withdrawn_on: date | None) -> None:
    """Set the superseded rulings and the day of withdrawal. See `supersede`."""
    supersede(ruling, others)
    withdraw_ruling(ruling, withdrawn_on)


def withdraw_ruling(ruling: Ruling, day: date | None) -> None:
    """Withdraw the ruling from that day on; None reinstates it."""
    ruling.withdrawn_on = day
    ruling.save(update_fields=["withdrawn_on"])


def adopt(ruling: Ruling, at: datetime | None) -> None:
    """Publish a local ruling; None limits it to the readers of its event again."""
    ruling.adopted_at = at
    ruling.save(update_fields=["adopted_at"])


def _objection(ruling: Ruling, other: Ruling, above: set[int]) -> str:
    """Return the reason why the ruling cannot supersede the other, or ""."""
    if other.pk == ruling.pk:
        return "A ruling cannot supersede itself; write a new version of it."
    if other.pk in above:
        return f"{other.short_code} already replaces {ruling.short_code}."
    if other.document.game != ruling.document.game:
        return f"{other.short_code} is a ruling of another game."
    if ruling.document.is_local and not other.document.is_local:
        return f"{other.short_code} holds everywhere; a local ruling holds at its event alone."
    return ""


def _superseding(ruling: Ruling) -> set[int]:
    found: set[int] = set()
    step = {ruling.pk}
    while step:
        above = Ruling.objects.filter(supersedes__in=step).values_list("pk", flat=True)
        step = set(above) - found
        found |= step
    return found
