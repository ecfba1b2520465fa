"""The decks of an event in its document, and what judges found when they checked them."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from decks.models import DecklistVersion, DeckSlot
from tournaments.models import DeckCheck, DeckSubmission, Tournament


def name(user: Any) -> str:
    """The username; empty for nobody."""
    return user.username if user else ""


def moment(at: Any) -> str | None:
    """A moment as ISO 8601."""
    return at.isoformat() if at else None


Document = dict[str, Any]


def decks(tournament: Tournament) -> list[Document]:
    """The decks handed in as lists, by player and side."""
    found = DeckSubmission.objects.filter(registration__tournament=tournament)
    found = found.select_related("registration", "version__decklist", "version__identity")
    return [
        {
            "player": one.registration.number,
            "side": one.side,
            **_list(one.version),
            "received_at": moment(one.received_at),
            "locked_at": moment(one.locked_at),
            "locked_by": one.locked_by,
        }
        for one in found.prefetch_related(_slots()).order_by("registration__number", "side")
    ]


def deck_checks(tournament: Tournament) -> list[Document]:
    """The draws in their order, each with its checks."""
    checks = Prefetch("checks", _checks())
    draws = tournament.deck_check_draws.select_related("drawn_by").prefetch_related(checks)
    return [
        {
            "number": one.number,
            "round": one.round_number,
            "seed": one.seed,
            "drawn_by": name(one.drawn_by),
            "drawn_at": moment(one.drawn_at),
            "checks": [_check(check) for check in one.checks.all()],
        }
        for one in draws.order_by("number")
    ]


def _checks() -> QuerySet[DeckCheck]:
    found = DeckCheck.objects.select_related(
        "checked_by", "submission__registration", "version__decklist", "version__identity"
    )
    by_place = ("table_number", "submission__registration__number", "submission__side")
    return found.prefetch_related(_slots()).order_by(*by_place)


def _check(one: DeckCheck) -> Document:
    """A check names the deck; `earlier_list` is what was checked, where another came after."""
    is_earlier = one.version_id != one.submission.version_id
    return {
        "table": one.table_number,
        "player": one.submission.registration.number,
        "side": one.submission.side,
        "earlier_list": _list(one.version) if is_earlier else None,
        "outcome": one.outcome,
        "note": one.note,
        "checked_by": name(one.checked_by),
        "checked_at": moment(one.checked_at),
    }


def _slots() -> Any:
    slots = DeckSlot.objects.select_related("card").order_by("position", "pk")
    return Prefetch("version__slots", slots)


def _list(version: DecklistVersion) -> Document:
    return {
        "title": version.decklist.title,
        "text": version.text,
        "form": version.form,
        "identity": version.identity.slug if version.identity else None,
        "slots": [
            {
                "card": slot.card.slug,
                "title": slot.card.title,
                "printing": slot.printing,
                "quantity": slot.quantity,
            }
            for slot in version.slots.all()
        ],
        "size": version.size,
        "agenda_points": version.agenda_points,
        "is_legal": version.is_legal,
        "breaches": version.breaches,
        "notices": version.notices,
        "format": version.format_id,
        "snapshot": version.snapshot_id,
        "judged_on": version.judged_on.isoformat() if version.judged_on else None,
        "seal": version.seal,
    }
