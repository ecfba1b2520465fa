"""Decks in the API: a player's own, and those of an event for its readers and its staff."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Prefetch
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given, valid
from core.openapi import operation
from core.rate_limits import rate_limited
from decks import services as deck_services
from decks.api.verdicts import VerdictSerializer
from decks.models import DeckSlot, Side
from tournaments.decklists import deck_verdicts, queries
from tournaments.decklists.forms import DeckForm
from tournaments.decklists.pages import decks as pages
from tournaments.decklists.serializers import (
    ChangeBody,
    DeckDetailSerializer,
    DeckDifferenceSerializer,
    DeckFileSerializer,
    DeckLockBody,
    EventDecksSerializer,
    HandedInSerializer,
    HandInBody,
    JudgeBody,
    ReceiptSerializer,
    ReceiptTextSerializer,
    RevealBody,
    SeenDeckSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import audiences, decks
from tournaments.event import permissions, visibility
from tournaments.event import queries as event_queries
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.web.api.access import Actions, ManyView, OneView, actor_of

MOST_RECEIPT = 32_767
TWO_RECEIPTS = [
    OpenApiParameter("older", OpenApiTypes.INT, description="A receipt; else the one before."),
    OpenApiParameter("newer", OpenApiTypes.INT, description="A receipt; else the last one."),
]
CARDS = Prefetch(
    "version__slots", DeckSlot.objects.select_related("card").order_by("position", "pk")
)


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


def handed_in_response(registration: Registration, received: decks.Received) -> Response:
    """The verdict as `POST decks/check/` has it, and the receipt."""
    submission = received.submission
    judged = deck_verdicts.verdict(
        registration.tournament, Side(submission.side), received.receipt.version.text
    )
    body = {
        **judged.as_document(),
        "receipt": ReceiptSerializer(received.receipt).data,
        "is_new": received.is_new,
    }
    return Response(body)


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
        "lock": queries.deck_lock(registration.tournament, submission),
        "receipts": queries.receipts_of(submission).select_related("version__decklist"),
    }


def _verdict(registration: Registration, side: Side, text: str) -> Any:
    try:
        return deck_verdicts.verdict(registration.tournament, side, text).as_document()
    except deck_verdicts.NOT_JUDGED:
        return None


def whole_deck_response(registration: Registration, side: Side) -> Response:
    """The deck of one side as it is now, before the first list too."""
    submission = queries.submissions_of(registration).get(side)
    return Response(WholeDeckSerializer(whole_deck(registration, side, submission)).data)


def receipt_response(submission: DeckSubmission, number: int) -> Response:
    """A list as it was received once. Raises Http404."""
    receipts = queries.receipts_of(submission).select_related("version__decklist")
    receipt = receipts.filter(number=number).first() if number <= MOST_RECEIPT else None
    if receipt is None:
        raise Http404
    return Response(ReceiptTextSerializer(receipt).data)


def difference_response(submission: DeckSubmission, request: Request) -> Response:
    """What changed between two lists, by default the last two. Raises Http404."""
    receipts = list(queries.receipts_of(submission).select_related("version__decklist"))
    comparison = pages.two_asked(receipts, request.query_params)
    if comparison is None:
        raise Http404
    return Response(DeckDifferenceSerializer(comparison).data)


class MyDeck(OneView):
    abilities = {"PUT": None}

    @operation("my_deck", "My deck", WholeDeckSerializer)
    def get(self, request: Request, slug: str, side: str) -> Response:
        """The list of one side with its verdict and receipts; empty before the first."""
        return whole_deck_response(self.own_place(), side_or_404(side))

    @operation("my_deck_hand_in", "Hand in my deck", HandedInSerializer, body=HandInBody)
    def put(self, request: Request, slug: str, side: str) -> Response:
        """Hand in a list, legal or not: the verdict, and the receipt of exactly this list."""
        place, side_ = self.own_place(), side_or_404(side)
        asked = given(HandInBody, request)
        text = source_of(asked)
        received = decks.receive(place, side_, text, self.actor, seen=asked.get("seen"))
        return handed_in_response(place, received)


class _OwnDeck(OneView):
    def submission(self) -> DeckSubmission:
        """The own deck of the side, if one was handed in."""
        place = self.own_place()
        rows = place.deck_submissions.select_related("version")
        submission = get_object_or_404(rows, side=side_or_404(self.kwargs["side"]))
        submission.registration = place
        return submission


class MyDeckLock(_OwnDeck):
    abilities = {"POST": None}

    @operation("my_deck_lock", "Lock my deck", WholeDeckSerializer, body=DeckLockBody)
    def post(self, request: Request, slug: str, side: str) -> Response:
        """Fix the list of one side; only a legal one, and only the one that was seen."""
        submission = self.submission()
        decks.lock(submission, self.actor, seen=given(DeckLockBody, request).get("seen"))
        return whole_deck_response(self.own_place(), side_or_404(side))


class MyReceipt(_OwnDeck):
    @operation("my_deck_receipt", "A list I handed in", ReceiptTextSerializer)
    def get(self, request: Request, slug: str, side: str, receipt: int) -> Response:
        """A list as it was received once, word for word."""
        return receipt_response(self.submission(), receipt)


class MyDifference(_OwnDeck):
    own_parameters = ("older", "newer")

    @operation(
        "my_deck_difference",
        "What changed in my deck",
        DeckDifferenceSerializer,
        parameters=TWO_RECEIPTS,
    )
    def get(self, request: Request, slug: str, side: str) -> Response:
        """What changed between two lists handed in, by default the last two."""
        return difference_response(self.submission(), request)


class EventDeckCheck(OneView):
    abilities = {"POST": None}

    @operation(
        "event_deck_check",
        "Check a list by the rules of the event",
        VerdictSerializer,
        body=JudgeBody,
    )
    @method_decorator(rate_limited("expensive"))
    def post(self, request: Request, slug: str) -> Response:
        """The verdict on a list, for players and judges of the event; nothing is kept."""
        self.actor = actor_of(request)
        plays = event_queries.registration_of(self.actor.player, self.tournament) is not None
        if not plays and not permissions.can_judge(self.actor, self.tournament):
            self.refuse(request)
        asked = given(JudgeBody, request)
        text = source_of(asked)
        return Response(deck_verdicts.verdict(self.tournament, asked["side"], text).as_document())


class Decks(ManyView):
    @operation("decks_list", "Decks", SeenDeckSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The decks the asking person may read now, by player; judges read all of them."""
        rows = visibility.visible_decks(actor_of(request), self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        return self.listed(rows.prefetch_related(CARDS), SeenDeckSerializer)


class _OfDeck(OneView):
    def submission(self) -> DeckSubmission:
        """The deck of the address, whoever asks."""
        rows = DeckSubmission.objects.filter(registration__tournament=self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        number, side = self.kwargs["number"], side_or_404(self.kwargs["side"])
        submission = get_object_or_404(rows, registration__number=number, side=side)
        submission.registration.tournament = self.tournament
        return submission

    def seen(self) -> DeckSubmission:
        """The deck of the address, for who may see it. No deck and a hidden one are one answer."""
        submission = self.submission()
        self.actor = actor_of(self.request)
        if not visibility.can_see_deck(self.actor, submission):
            raise Http404
        return submission

    def whole(self) -> Response:
        """The deck of the address for its judges."""
        return whole_deck_response(self.place(), side_or_404(self.kwargs["side"]))


class DeckDetail(_OfDeck):
    abilities = {"PUT": permissions.can_judge}

    @operation("decks_read", "A deck", DeckDetailSerializer)
    def get(self, request: Request, slug: str, number: int, side: str) -> Response:
        """A deck for whoever may see it now; its player and the judges read all of it."""
        submission = self.seen()
        context = {"whole": self._whole(submission)}
        return Response(DeckDetailSerializer(submission, context=context).data)

    def _whole(self, submission: DeckSubmission) -> dict[str, Any] | None:
        place = submission.registration
        is_own = self.actor.player is not None and self.actor.player.pk == place.player_id
        if not is_own and not permissions.can_judge(self.actor, self.tournament):
            return None
        return whole_deck(place, Side(submission.side), submission)

    @operation("decks_change", "Hand in a deck for a player", HandedInSerializer, body=ChangeBody)
    def put(self, request: Request, slug: str, number: int, side: str) -> Response:
        """Hand in a list for the player, the first one or another, locked or not."""
        place, side_ = self.place(), side_or_404(side)
        asked = given(ChangeBody, request)
        text = source_of(asked)
        received = decks.change_for_player(
            place, side_, text, self.actor, asked["reason"], seen=asked.get("seen")
        )
        return handed_in_response(place, received)


class DeckReceipt(_OfDeck):
    abilities = {"GET": permissions.can_judge}

    @operation("decks_receipt", "A list as it was received", ReceiptTextSerializer)
    def get(self, request: Request, slug: str, number: int, side: str, receipt: int) -> Response:
        """A list as it was received once, word for word."""
        return receipt_response(self.submission(), receipt)


class DeckDifference(_OfDeck):
    abilities = {"GET": permissions.can_judge}
    own_parameters = ("older", "newer")

    @operation(
        "decks_difference",
        "What changed in a deck",
        DeckDifferenceSerializer,
        parameters=TWO_RECEIPTS,
    )
    def get(self, request: Request, slug: str, number: int, side: str) -> Response:
        """What changed between two lists of a player, by default the last two."""
        return difference_response(self.submission(), request)


class DeckFile(_OfDeck):
    @operation("decks_file", "A deck as a file", DeckFileSerializer)
    def get(self, request: Request, slug: str, number: int, side: str, form: str) -> Response:
        """A deck written in one of the forms of its game, for whoever may see it."""
        submission = self.seen()
        if form not in dict(deck_services.export_forms(self.tournament.game)):
            raise Http404
        verdict = deck_verdicts.verdict(self.tournament, Side(side), submission.version.text)
        file = deck_services.export_of(verdict, form, submission.version.decklist.title)
        body = {
            "filename": file.filename,
            "content_type": file.content_type,
            "text": file.body.decode(),
        }
        return Response(body)


class DeckActions(Actions, _OfDeck):
    """One deck in the hands of the staff."""

    abilities = {"POST": permissions.can_judge}

    @operation("decks_lock_one", "Lock a deck", WholeDeckSerializer)
    def lock(self, request: Request, slug: str, number: int, side: str) -> Response:
        """Fix the list of a player as it is."""
        decks.lock_by_staff(self.submission(), self.actor)
        return self.whole()

    @operation("decks_unlock", "Unlock a deck", WholeDeckSerializer, body=Reason)
    def unlock(self, request: Request, slug: str, number: int, side: str) -> Response:
        """Let the player change a locked list; the reason goes into the log."""
        submission = self.submission()
        decks.unlock(submission, self.actor, given(Reason, request)["reason"])
        return self.whole()


class AllDecksActions(Actions):
    """All decks of the event at once."""

    abilities = {"POST": permissions.can_run}

    def shown(self) -> Response:
        """What holds for all decks now."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        settings = {
            "lock": queries.event_deck_lock(tournament),
            "decks_close_at": tournament.decks_close_at,
            "revealed_at": tournament.decks_revealed_at,
        }
        return Response(EventDecksSerializer(settings).data)

    @operation("decks_lock", "Lock all decks", EventDecksSerializer)
    def lock(self, request: Request, slug: str) -> Response:
        """From now on only the staff change lists."""
        decks.lock_all(self.tournament, self.actor)
        return self.shown()

    @operation("decks_reopen", "Open all decks again", EventDecksSerializer, body=Reason)
    def reopen(self, request: Request, slug: str) -> Response:
        """Let the players change their lists again; the reason goes into the log."""
        decks.reopen_all(self.tournament, self.actor, given(Reason, request)["reason"])
        return self.shown()

    @operation("decks_reveal", "Show all decks", EventDecksSerializer, body=RevealBody)
    def reveal(self, request: Request, slug: str) -> Response:
        """Show all decks to everybody who sees the event, or hide them again."""
        revealed = given(RevealBody, request)["revealed"]
        audiences.set_revealed(self.tournament, self.actor, revealed=revealed)
        return self.shown()
