"""The decks of an event, for whoever may see them; changed, locked and shown by its staff."""

from typing import Any

from django.db.models import Prefetch
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given
from core.openapi import operation
from decks import services as deck_services
from decks.models import DeckSlot, Side
from tournaments.decklists import deck_verdicts
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.api import deck_lists
from tournaments.decklists.api.deck_lists import side_or_404
from tournaments.decklists.serializers import (
    ChangeBody,
    DeckDetailSerializer,
    DeckDifferenceSerializer,
    DeckFileSerializer,
    EventDecksSerializer,
    HandedInSerializer,
    ReceiptTextSerializer,
    RevealBody,
    SeenDeckSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import decks
from tournaments.event import permissions, visibility
from tournaments.models import DeckSubmission, Tournament
from tournaments.web.api.access import Actions, ManyView, OneView, actor_of

CARDS = Prefetch(
    "version__slots", DeckSlot.objects.select_related("card").order_by("position", "pk")
)


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
        return deck_lists.told_whole(self.place(), side_or_404(self.kwargs["side"]))


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
        return deck_lists.whole_deck(place, Side(submission.side), submission)

    @operation("decks_change", "Hand in a deck for a player", HandedInSerializer, body=ChangeBody)
    def put(self, request: Request, slug: str, number: int, side: str) -> Response:
        """Hand in a list for the player, the first one or another, locked or not."""
        place, side_ = self.place(), side_or_404(side)
        asked = given(ChangeBody, request)
        text = deck_lists.source_of(asked)
        received = decks.change_for_player(
            place, side_, text, self.actor, asked["reason"], seen=asked.get("seen")
        )
        return deck_lists.handed_in(place, received)


class DeckReceipt(_OfDeck):
    abilities = {"GET": permissions.can_judge}

    @operation("decks_receipt", "A list as it was received", ReceiptTextSerializer)
    def get(self, request: Request, slug: str, number: int, side: str, receipt: int) -> Response:
        """A list as it was received once, word for word."""
        return deck_lists.told_receipt(self.submission(), receipt)


class DeckDifference(_OfDeck):
    abilities = {"GET": permissions.can_judge}
    own_parameters = ("older", "newer")

    @operation(
        "decks_difference",
        "What changed in a deck",
        DeckDifferenceSerializer,
        parameters=deck_lists.TWO_RECEIPTS,
    )
    def get(self, request: Request, slug: str, number: int, side: str) -> Response:
        """What changed between two lists of a player, by default the last two."""
        return deck_lists.told_difference(self.submission(), request)


class DeckFile(_OfDeck):
    @operation("decks_file", "A deck as a file", DeckFileSerializer)
    def get(self, request: Request, slug: str, number: int, side: str, form: str) -> Response:
        """A deck written in one of the forms of its game, for whoever may see it."""
        submission = self.seen()
        if form not in dict(deck_services.export_forms(self.tournament.game)):
            raise Http404
        verdict = deck_verdicts.verdict(self.tournament, Side(side), submission.version.text)
        file = deck_services.export_of(verdict, form, submission.version.decklist.title)
        told = {
            "filename": file.filename,
            "content_type": file.content_type,
            "text": file.body.decode(),
        }
        return Response(told)


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

    def told(self) -> Response:
        """What holds for all decks now."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        answer = {
            "lock": deck_queries.event_deck_lock(tournament),
            "decks_close_at": tournament.decks_close_at,
            "revealed_at": tournament.decks_revealed_at,
        }
        return Response(EventDecksSerializer(answer).data)

    @operation("decks_lock", "Lock all decks", EventDecksSerializer)
    def lock(self, request: Request, slug: str) -> Response:
        """From now on only the staff change lists."""
        decks.lock_all(self.tournament, self.actor)
        return self.told()

    @operation("decks_reopen", "Open all decks again", EventDecksSerializer, body=Reason)
    def reopen(self, request: Request, slug: str) -> Response:
        """Let the players change their lists again; the reason goes into the log."""
        decks.reopen_all(self.tournament, self.actor, given(Reason, request)["reason"])
        return self.told()

    @operation("decks_reveal", "Show all decks", EventDecksSerializer, body=RevealBody)
    def reveal(self, request: Request, slug: str) -> Response:
        """Show all decks to everybody who sees the event, or hide them again."""
        revealed = given(RevealBody, request)["revealed"]
        decks.set_revealed(self.tournament, self.actor, revealed=revealed)
        return self.told()
