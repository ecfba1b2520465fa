"""What the pages of a deck list share: a list is typed, checked, kept, looked at again."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.utils import timezone

from core.errors import StaleVersion
from core.form_fields import whole_number
from core.uploads import status_of
from decks.legality.verdict import Verdict
from decks.models import Side
from decks.services import ShownDeck, shown_deck
from tournaments.decklists import deck_verdicts
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.forms import DeckForm
from tournaments.decklists.pages.decklists import Comparison, two_of
from tournaments.decklists.services import decks
from tournaments.models import DeckReceipt, DeckSubmission, Tournament
from tournaments.web.views.staff_pages import in_zone, told

Keep = Callable[[DeckForm], decks.Received]


@dataclass(frozen=True)
class TypedList:
    """What became of a page with a list on it.

    `text` is the list that is shown, typed or kept; `received` is set when it was kept just
    now; `status` tells a list that was not kept from one that was. `is_stale` if that was so
    because of a newer list, which the reader has been told of.
    """

    form: DeckForm
    text: str
    verdict: Verdict | None = None
    received: decks.Received | None = None
    status: HTTPStatus = HTTPStatus.OK
    is_stale: bool = False

    @property
    def deck(self) -> ShownDeck | None:
        """The list taken apart, where it was judged and holds cards."""
        if self.verdict is None or not self.verdict.slots:
            return None
        return shown_deck(self.verdict)


def side_or_404(side: str) -> Side:
    """The side an address names."""
    if side not in Side.values:
        raise Http404("A deck is a Corp or a Runner deck.")
    return Side(side)


def typed_list(
    request: HttpRequest,
    tournament: Tournament,
    side: Side,
    kept: str,
    form_class: type[DeckForm],
    keep: Keep,
) -> TypedList:
    """Check what was sent, and keep it with `do=save`. A refusal is told; nothing is lost."""
    if request.method != "POST":
        form = form_class(initial={"text": kept})
        return TypedList(form, kept, _judged(request, tournament, side, kept))
    form = form_class(request.POST, request.FILES, initial={"text": kept})
    if not form.is_valid():
        judged = _judged(request, tournament, side, kept)
        return TypedList(form, kept, judged, status=status_of(form))
    text = form.source_text()
    # What came as a file or from an address stands in the box from now on.
    shown = form_class(initial={**form.cleaned_data, "text": text, "file": None, "address": ""})
    if request.POST.get("do") != "save":
        return TypedList(shown, text, _judged(request, tournament, side, text))
    refusals = (*deck_verdicts.NOT_JUDGED, decks.DeckIsLocked, decks.TooManyLists, StaleVersion)
    with told(request, *refusals) as outcome:
        return TypedList(shown, text, received=keep(form))
    not_judged = isinstance(outcome.refusal, deck_verdicts.NOT_JUDGED)
    judged = None if not_judged else _judged(request, tournament, side, text)
    is_stale = isinstance(outcome.refusal, StaleVersion)
    return TypedList(shown, text, judged, status=HTTPStatus.CONFLICT, is_stale=is_stale)


def _judged(request: HttpRequest, tournament: Tournament, side: Side, text: str) -> Verdict | None:
    with told(request, *deck_verdicts.NOT_JUDGED):
        return deck_verdicts.verdict(tournament, side, text) if text else None
    return None


def tell_received(request: HttpRequest, tournament: Tournament, received: decks.Received) -> None:
    """Which receipt it has, or had already, and what is to be done next."""
    receipt, version = received.receipt, received.submission.version
    if not received.is_new:
        with in_zone(tournament.time_zone):
            at = timezone.localtime(receipt.received_at).strftime("%-d %B %Y, %H:%M:%S")
        messages.info(request, f"Already received, as receipt {receipt.number}, on {at}.")
    elif version.is_legal:
        messages.success(request, f"Saved, as receipt {receipt.number}. The list is legal.")
    else:
        messages.warning(
            request,
            f"Saved as a draft, as receipt {receipt.number}: the list breaks a rule, so its "
            "player cannot lock it. What is to mend is marked below.",
        )


def seen_receipt(request: HttpRequest) -> int | None:
    """The newest receipt when the page was made, as it was sent; 0 before the first."""
    return whole_number(request.POST.get("seen", ""), 5)


def seen_next(request: HttpRequest, given: TypedList, newest: int) -> int:
    """The receipt the page is made after: for who only checks still that of the first look."""
    seen = None if given.is_stale else seen_receipt(request)
    return newest if seen is None else seen


def receipt_or_404(submission: DeckSubmission, number: int) -> DeckReceipt:
    """One receipt of this deck."""
    if number > 32_767:
        raise Http404("No such receipt.")
    receipt = deck_queries.receipts_of(submission).filter(number=number).first()
    if receipt is None:
        raise Http404("No such receipt.")
    return receipt


def comparison_of(request: HttpRequest, submission: DeckSubmission) -> dict[str, Any]:
    """The receipts, and the two that `older` and `newer` of the address ask for."""
    receipts = list(deck_queries.receipts_of(submission))
    asked = [_asked(request, name) for name in ("older", "newer")]
    comparison: Comparison | None = two_of(receipts, *asked)
    if comparison is None and any(number is not None for number in asked):
        raise Http404("No such receipts.")
    return {"receipts": receipts, "comparison": comparison}


def _asked(request: HttpRequest, name: str) -> int | None:
    typed = request.GET.get(name)
    if typed is None:
        return None
    number = whole_number(typed, 5)
    if number is None:
        raise Http404("No such receipts.")
    return number
