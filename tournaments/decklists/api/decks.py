"""The decks of an event in the API, for its readers and its staff."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given, valid
from core.api_errors import found_or_404, not_found
from core.api_viewsets import anyone, endpoint
from core.errors import StaleVersion
from core.rate_limits import rate_limited
from decks import services as deck_services
from decks.api.verdicts import VerdictSerializer
from decks.models import Side
from tournaments.decklists import deck_verdicts, queries
from tournaments.decklists.forms import DeckForm, side_or_404
from tournaments.decklists.serializers import (
    ChangeBody,
    DeckDetailSerializer,
    DeckFileSerializer,
    DeckProblemSerializer,
    EventDecksSerializer,
    HandedInSerializer,
    JudgeBody,
    ReceiptSerializer,
    RevealBody,
    SeenDeckSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import audiences, decks
from tournaments.event import permissions, visibility
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.web.api.viewsets import EventViewSet


def plays_or_judges(actor: Actor, tournament: Tournament) -> bool:
    """Whoever plays or judges at the event."""
    plays = event_queries.registration_of(actor.player, tournament) is not None
    return plays or permissions.can_judge(actor, tournament)


def source_of(asked: Mapping[str, Any]) -> str:
    """The list, as text or fetched from its address. Raises ValidationError."""
    typed = QueryDict(mutable=True)
    for name in ("text", "address"):
        typed[name] = asked.get(name, "")
    return valid(DeckForm(typed), {"address": "url"}).source_text()


class OneDeckViewSet(EventViewSet):
    """What is answered of one deck, to its player as to the judges."""

    def side(self) -> Side:
        """The side of the address."""
        return side_or_404(self.kwargs["side"])

    def whole(self, place: Registration, submission: DeckSubmission | None) -> dict[str, Any]:
        """All of a deck, for WholeDeckSerializer; before the first list too."""
        side, text = self.side(), submission.version.text if submission else ""
        return {
            "player": place,
            "side": side,
            "text": text,
            "verdict": self._verdict(side, text) if text else None,
            "lock": queries.deck_lock(self.tournament, submission),
            "receipts": queries.receipts_of(submission).select_related("version__decklist"),
        }

    def _verdict(self, side: Side, text: str) -> Any:
        try:
            return deck_verdicts.verdict(self.tournament, side, text).as_document()
        except deck_verdicts.NOT_JUDGED:
            return None

    def answer_whole(self, place: Registration) -> Response:
        """The deck of this player and the side of the address, as it is now."""
        submission = queries.submissions_of(place).get(self.side())
        return Response(WholeDeckSerializer(self.whole(place, submission)).data)

    def answer_received(self, received: decks.Received) -> Response:
        """The verdict as `POST decks/check/` has it, and the receipt."""
        submission, receipt = received.submission, received.receipt
        judged = deck_verdicts.verdict(self.tournament, submission.side, receipt.version.text)
        answer = {"receipt": ReceiptSerializer(receipt).data, "is_new": received.is_new}
        return Response({**judged.as_document(), **answer})


class ListViewSet(EventViewSet):
    """A list that somebody of the event sends, judged by its rules; nothing is kept."""

    headers_of_writes = ()

    @endpoint(
        "event_deck_check",
        "Check a list by the rules of the event",
        VerdictSerializer,
        body=JudgeBody,
        who=anyone,
        refusals=deck_verdicts.NOT_JUDGED,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request, **kwargs: Any) -> Response:
        """The verdict on a list, for players and judges of the event; nothing is kept."""
        self.require(plays_or_judges)
        asked = given(JudgeBody, request)
        text = source_of(asked)
        return Response(deck_verdicts.verdict(self.tournament, asked["side"], text).as_document())


class DeckViewSet(OneDeckViewSet):
    """The decks of an event: read by who may see them, and in the hands of the staff."""

    @endpoint("decks_list", "Decks", SeenDeckSerializer(many=True), who=anyone)
    def list(self, request: Request, **kwargs: Any) -> Response:
        """The decks the asking person may read now, by player; judges read all of them."""
        rows = visibility.visible_decks(self.actor, self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        return self.listed(rows.prefetch_related(queries.SLOTS), SeenDeckSerializer)

    @endpoint(
        "decks_problems",
        "Missing and illegal decks",
        DeckProblemSerializer(many=True),
        who=permissions.can_open_desk,
    )
    def problems(self, request: Request, **kwargs: Any) -> Response:
        """Players without a deck they need, or with an illegal one; also those with a waiver."""
        players = queries.players_with_deck_problems(self.tournament)
        found = queries.problems_to_show(self.tournament, players)
        return self.listed(found, DeckProblemSerializer)

    @endpoint(
        "decks_lock",
        "Lock all decks",
        EventDecksSerializer,
        who=permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def lock_all(self, request: Request, **kwargs: Any) -> Response:
        """From now on only the staff change lists."""
        decks.lock_all(self.tournament, self.actor)
        return self._settings()

    @endpoint(
        "decks_reopen",
        "Open all decks again",
        EventDecksSerializer,
        body=Reason,
        who=permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def reopen_all(self, request: Request, **kwargs: Any) -> Response:
        """Let the players change their lists again; the reason goes into the log."""
        decks.reopen_all(self.tournament, self.actor, given(Reason, request)["reason"])
        return self._settings()

    @endpoint(
        "decks_reveal",
        "Show all decks",
        EventDecksSerializer,
        body=RevealBody,
        who=permissions.can_run,
    )
    def reveal_all(self, request: Request, **kwargs: Any) -> Response:
        """Show all decks to everybody who sees the event, or hide them again."""
        revealed = given(RevealBody, request)["revealed"]
        audiences.set_revealed(self.tournament, self.actor, revealed=revealed)
        return self._settings()

    @endpoint("decks_read", "A deck", DeckDetailSerializer, who=anyone)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A deck for whoever may see it now; its player and the judges read all of it."""
        submission = self._seen()
        place = submission.registration
        is_own = self.actor.player is not None and self.actor.player.pk == place.player_id
        reads_all = is_own or permissions.can_judge(self.actor, self.tournament)
        whole = self.whole(place, submission) if reads_all else None
        return Response(DeckDetailSerializer(submission, context={"whole": whole}).data)

    @endpoint(
        "decks_change",
        "Hand in a deck for a player",
        HandedInSerializer,
        body=ChangeBody,
        who=permissions.can_judge,
        refusals=(*deck_verdicts.NOT_JUDGED, EventIsFinished, PlayerRemoved, StaleVersion),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Hand in a list for the player, the first one or another, locked or not."""
        place, side = self.place(), self.side()
        asked = given(ChangeBody, request)
        text, reason = source_of(asked), asked["reason"]
        received = decks.change_for_player(
            place, side, text, self.actor, reason, seen=asked.get("seen")
        )
        return self.answer_received(received)

    @endpoint(
        "decks_lock_one",
        "Lock a deck",
        WholeDeckSerializer,
        who=permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Fix the list of a player as it is."""
        submission = self._submission()
        decks.lock_by_staff(submission, self.actor)
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_unlock",
        "Unlock a deck",
        WholeDeckSerializer,
        body=Reason,
        who=permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved, decks.DeckIsLocked),
    )
    def unlock(self, request: Request, **kwargs: Any) -> Response:
        """Let the player change a locked list; the reason goes into the log."""
        submission = self._submission()
        decks.unlock(submission, self.actor, given(Reason, request)["reason"])
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_file",
        "A deck as a file",
        DeckFileSerializer,
        who=anyone,
        refusals=(*deck_verdicts.NOT_JUDGED, deck_services.CardsNotKnown),
    )
    def file(self, request: Request, **kwargs: Any) -> Response:
        """A deck written in one of the forms of its game, for whoever may see it."""
        submission, form = self._seen(), kwargs["form"]
        if form not in dict(deck_services.export_forms(self.tournament.game)):
            raise not_found("Form", form)
        text, title = submission.version.text, submission.version.decklist.title
        verdict = deck_verdicts.verdict(self.tournament, self.side(), text)
        return Response(DeckFileSerializer(deck_services.export_of(verdict, form, title)).data)

    def _submission(self) -> DeckSubmission:
        """The deck of the address, whoever asks."""
        rows = DeckSubmission.objects.filter(registration__tournament=self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        number, side = self.kwargs["number"], self.side()
        noun = f"Deck of player {number} as"
        submission = found_or_404(rows, noun, registration__number=number, side=side)
        submission.registration.tournament = self.tournament
        return submission

    def _seen(self) -> DeckSubmission:
        """The deck of the address, for who may see it. No deck and a hidden one are one answer."""
        submission = self._submission()
        if not visibility.can_see_deck(self.actor, submission):
            raise not_found(f"Deck of player {self.kwargs['number']} as", submission.side)
        return submission

    def _settings(self) -> Response:
        """What holds for all decks now."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        settings = {
            "lock": queries.event_deck_lock(tournament),
            "decks_close_at": tournament.decks_close_at,
            "revealed_at": tournament.decks_revealed_at,
        }
        return Response(EventDecksSerializer(settings).data)
