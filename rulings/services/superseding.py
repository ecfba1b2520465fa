"""One ruling stands in the place of another, or is taken back."""

from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction

from core.errors import Refusal
from rulings.models import Ruling, RulingDocument


class CannotSupersede(Refusal):
    """Rulings that would supersede each other, or a local one a ruling that holds everywhere."""


@transaction.atomic
def supersede(ruling: Ruling, others: Iterable[Ruling]) -> None:
    """From now on the ruling stands in the place of these, and of no other.

    CannotSupersede for itself, for one that (through others) supersedes it, for another game, and
    for a local ruling in the place of one that holds everywhere.
    """
    # Everything that could close a circle waits here for its turn.
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
    """Both at once: what it supersedes, and since when it is withdrawn. See `supersede`."""
    supersede(ruling, others)
    withdraw_ruling(ruling, withdrawn_on)


def withdraw_ruling(ruling: Ruling, day: date | None) -> None:
    """It is in force no longer from that day on; None puts it in force again."""
    ruling.withdrawn_on = day
    ruling.save(update_fields=["withdrawn_on"])


def adopt(ruling: Ruling, at: datetime | None) -> None:
    """A local ruling is for everybody from now on; None: for the readers of its event again."""
    ruling.adopted_at = at
    ruling.save(update_fields=["adopted_at"])


def _objection(ruling: Ruling, other: Ruling, above: set[int]) -> str:
    """Why it cannot stand in the place of the other; "" where it can."""
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
    """The keys of all that stand in its place, directly or through others."""
    found: set[int] = set()
    step = {ruling.pk}
    while step:
        above = Ruling.objects.filter(supersedes__in=step).values_list("pk", flat=True)
        step = set(above) - found
        found |= step
    return found
