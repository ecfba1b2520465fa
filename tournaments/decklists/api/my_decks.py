"""A player's own decks: handed in, locked, and everything handed in before."""

from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from core.rate_limits import rate_limited
from decks.api.verdicts import VerdictSerializer
from tournaments.decklists import deck_verdicts
from tournaments.decklists.api import deck_lists
from tournaments.decklists.api.deck_lists import side_or_404
from tournaments.decklists.serializers import (
    DeckDifferenceSerializer,
    DeckLockBody,
    HandedInSerializer,
    HandInBody,
    JudgeBody,
    ReceiptTextSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import decks
from tournaments.event import permissions, queries
from tournaments.models import DeckSubmission
from tournaments.web.api.access import OneView, actor_of


class MyDeck(OneView):
    abilities = {"PUT": None}

    @operation("my_deck", "My deck", WholeDeckSerializer)
    def get(self, request: Request, slug: str, side: str) -> Response:
        """The list of one side with its verdict and receipts; empty before the first."""
        return deck_lists.told_whole(self.own_place(), side_or_404(side))

    @operation("my_deck_hand_in", "Hand in my deck", HandedInSerializer, body=HandInBody)
    def put(self, request: Request, slug: str, side: str) -> Response:
        """Hand in a list, legal or not: the verdict, and the receipt of exactly this list."""
        place, side_ = self.own_place(), side_or_404(side)
        asked = given(HandInBody, request)
        text = deck_lists.source_of(asked)
        received = decks.receive(place, side_, text, self.actor, seen=asked.get("seen"))
        return deck_lists.handed_in(place, received)


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
        return deck_lists.told_whole(self.own_place(), side_or_404(side))


class MyReceipt(_OwnDeck):
    @operation("my_deck_receipt", "A list I handed in", ReceiptTextSerializer)
    def get(self, request: Request, slug: str, side: str, receipt: int) -> Response:
        """A list as it was received once, word for word."""
        return deck_lists.told_receipt(self.submission(), receipt)


class MyDifference(_OwnDeck):
    own_parameters = ("older", "newer")

    @operation(
        "my_deck_difference",
        "What changed in my deck",
        DeckDifferenceSerializer,
        parameters=deck_lists.TWO_RECEIPTS,
    )
    def get(self, request: Request, slug: str, side: str) -> Response:
        """What changed between two lists handed in, by default the last two."""
        return deck_lists.told_difference(self.submission(), request)


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
        plays = queries.registration_of(self.actor.player, self.tournament) is not None
        if not plays and not permissions.can_judge(self.actor, self.tournament):
            self.refuse(request)
        asked = given(JudgeBody, request)
        text = deck_lists.source_of(asked)
        return Response(deck_verdicts.verdict(self.tournament, asked["side"], text).as_document())
