"""What the addresses of a deck list share: a list read, handed in, told, compared."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import valid
from core.form_fields import whole_number
from decks.models import Side
from tournaments.decklists import deck_verdicts
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.forms import DeckForm
from tournaments.decklists.pages.decklists import two_of
from tournaments.decklists.serializers import (
    DeckDifferenceSerializer,
    ReceiptSerializer,
    ReceiptTextSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import decks
from tournaments.models import DeckSubmission, Registration

MOST_RECEIPT = 32_767
TWO_RECEIPTS = [
    OpenApiParameter("older", OpenApiTypes.INT, description="A receipt; else the one before."),
    OpenApiParameter("newer", OpenApiTypes.INT, description="A receipt; else the last one."),
]


def side_or_404(side: str) -> Side:
    """The side an address names."""
    if side not in Side.values:
        raise Http404
    return Side(side)


def source_of(asked: Mapping[str, Any]) -> str:
    """The list, as text or fetched from its address. Raises ValidationError."""
    typed = QueryDict(mutable=True)
    for name in ("text", "address"):
        typed[name] = asked.get(name, "")
    return valid(DeckForm(typed)).source_text()


def handed_in(registration: Registration, received: decks.Received) -> Response:
    """The verdict as `POST decks/check/` has it, and the receipt."""
    submission = received.submission
    judged = deck_verdicts.verdict(
        registration.tournament, Side(submission.side), received.receipt.version.text
    )
    told = {
        **judged.as_document(),
        "receipt": ReceiptSerializer(received.receipt).data,
        "is_new": received.is_new,
    }
    return Response(told)


def whole_deck(
    registration: Registration, side: Side, submission: DeckSubmission | None
) -> dict[str, Any]:
    """A deck for its player and the judges, for `WholeDeckSerializer`."""
    text = submission.version.text if submission else ""
    return {
        "player": registration,
        "side": side,
        "text": text,
        "verdict": _verdict(registration, side, text) if text else None,
        "lock": deck_queries.deck_lock(registration.tournament, submission),
        "receipts": deck_queries.receipts_of(submission).select_related("version__decklist"),
    }


def _verdict(registration: Registration, side: Side, text: str) -> Any:
    try:
        return deck_verdicts.verdict(registration.tournament, side, text).as_document()
    except deck_verdicts.NOT_JUDGED:
        return None


def told_whole(registration: Registration, side: Side) -> Response:
    """The deck of one side as it is now, before the first list too."""
    submission = deck_queries.submissions_of(registration).get(side)
    return Response(WholeDeckSerializer(whole_deck(registration, side, submission)).data)


def told_receipt(submission: DeckSubmission, number: int) -> Response:
    """A list as it was received once. Raises Http404."""
    receipts = deck_queries.receipts_of(submission).select_related("version__decklist")
    receipt = receipts.filter(number=number).first() if number <= MOST_RECEIPT else None
    if receipt is None:
        raise Http404
    return Response(ReceiptTextSerializer(receipt).data)


def told_difference(submission: DeckSubmission, request: Request) -> Response:
    """What changed between two lists, by default the last two. Raises Http404."""
    receipts = list(deck_queries.receipts_of(submission).select_related("version__decklist"))
    comparison = two_of(receipts, _asked(request, "older"), _asked(request, "newer"))
    if comparison is None:
        raise Http404
    return Response(DeckDifferenceSerializer(comparison).data)


def _asked(request: Request, name: str) -> int | None:
    typed = request.query_params.get(name)
    if typed is None:
        return None
    number = whole_number(typed, 5)
    if number is None:
        raise Http404
    return number
