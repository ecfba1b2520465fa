"""A player's own decks in the API."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import anyone, endpoint
from core.errors import StaleVersion
from core.rate_limits import MinuteThrottle
from tournaments.decklists.api.decks import OneDeckViewSet, source_of
from tournaments.decklists.deck_verdicts import NOT_JUDGED
from tournaments.decklists.serializers import (
    DeckLockBody,
    HandedInSerializer,
    HandInBody,
    WholeDeckSerializer,
)
from tournaments.decklists.services import decks
from tournaments.event.actors import actor_of
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import DeckSubmission


class DeckSaveThrottle(MinuteThrottle):
    """Decks that one account or guest saves, counted before the write that others wait for."""

    name = "deck_saves"

    def who(self, request: Request) -> str:
        return actor_of(request).counted if request.method == "PUT" else ""


class MyDeckViewSet(OneDeckViewSet):
    """The deck of one side that the asking player plays."""

    def get_throttles(self) -> list[BaseThrottle]:
        """Add the limit of saved decks to those of every view."""
        return [*super().get_throttles(), DeckSaveThrottle()]

    @endpoint("my_deck", "My deck", WholeDeckSerializer, who=anyone)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The list of one side with its verdict and receipts; empty before the first."""
        return self.answer_whole(self.own_place())

    @endpoint(
        "my_deck_hand_in",
        "Hand in my deck",
        HandedInSerializer,
        body=HandInBody,
        who=anyone,
        refusals=(
            *NOT_JUDGED,
            EventIsFinished,
            PlayerRemoved,
            StaleVersion,
            decks.DeckIsLocked,
            decks.TooManyLists,
        ),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Hand in a list, legal or not: the verdict, and the receipt of exactly this list."""
        place, side = self.own_place(), self.side()
        asked = given(HandInBody, request)
        text = source_of(asked)
        return self.answer_received(
            decks.receive(place, side, text, self.actor, seen=asked.get("seen"))
        )

    @endpoint(
        "my_deck_lock",
        "Lock my deck",
        WholeDeckSerializer,
        body=DeckLockBody,
        who=anyone,
        refusals=(EventIsFinished, PlayerRemoved, StaleVersion, decks.DeckNotLegal),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Fix the list of one side; only a legal one, and only the one that was seen."""
        submission = self._submission()
        decks.lock(submission, self.actor, seen=given(DeckLockBody, request).get("seen"))
        return self.answer_whole(submission.registration)

    def _submission(self) -> DeckSubmission:
        """The own deck of the side of the address, if one was handed in."""
        place = self.own_place()
        rows = place.deck_submissions.select_related("version")
        submission = found_or_404(rows, "Your deck as", side=self.side())
        submission.registration = place
        return submission
