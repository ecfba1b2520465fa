"""Decklists and deck checks of an event in the API."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.http import QueryDict
from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from core.api_errors import get_or_404, not_found
from core.api_requests import ReasonSerializer, validated_body, validated_form
from core.api_viewsets import endpoint, no_permission_needed
from core.errors import StaleVersion
from core.rate_limits import MinuteThrottle, rate_limited
from decks import services as decks_services
from decks.models import Side
from decks.serializers import ExportedDeckSerializer, VerdictSerializer
from tournaments.decklists import deck_checks, pages, queries, services
from tournaments.decklists.forms import DeckForm, side_or_404
from tournaments.decklists.serializers import (
    ChangeBody,
    CheckDetailSerializer,
    DeckDetailSerializer,
    DeckLockBody,
    DeckProblemSerializer,
    DrawBody,
    DrawSerializer,
    EventDecksSerializer,
    LegalityCheckBody,
    NewDrawSerializer,
    OutcomeBody,
    ReceiptSerializer,
    RevealBody,
    SubmissionBody,
    SubmissionResultSerializer,
    VisibleDeckSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import VERDICT_REFUSALS
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import Actor, actor_of
from tournaments.models import DeckCheck, DeckSubmission, Registration, Tournament
from tournaments.web.viewsets import EventViewSet, is_known_person


def is_player_or_judge(actor: Actor, tournament: Tournament) -> bool:
    """Allow players and judges of the event."""
    plays = tournament.registration_of(actor.player) is not None
    return plays or event_permissions.can_judge(actor, tournament)


def get_list_text(body: Mapping[str, Any]) -> str:
    """Return the decklist from the text or the URL. Raises ValidationError."""
    data = QueryDict(mutable=True)
    for name in ("text", "address"):
        data[name] = body.get(name, "")
    return validated_form(DeckForm(data), {"address": "url"}).source_text


class OneDeckViewSet(EventViewSet):
    """Base of viewsets that answer with one deck."""

    tag = "decks"

    def side(self) -> Side:
        return side_or_404(self.kwargs["side"])

    def whole(self, place: Registration, submission: DeckSubmission | None) -> dict[str, Any]:
        """Return the data of WholeDeckSerializer, also before the first submission."""
        side, text = self.side(), submission.version.text if submission else ""
        verdict = None
        if text:
            with suppress(*VERDICT_REFUSALS):
                verdict = services.get_verdict(self.tournament, side, text).as_document()
        return {
            "player": place,
            "side": side,
            "text": text,
            "verdict": verdict,
            "lock": queries.deck_lock(self.tournament, submission),
            "receipts": queries.receipts_of(submission).select_related("version__decklist"),
        }

    def answer_whole(self, place: Registration) -> Response:
        submission = queries.submissions_of(place).get(self.side())
        return Response(WholeDeckSerializer(self.whole(place, submission)).data)

    def answer_received(self, received: services.SubmissionResult) -> Response:
        """Answer with the verdict in the format of `POST decks/check/`, and the receipt."""
        receipt = ReceiptSerializer(received.receipt).data
        verdict = received.verdict.as_document()
        return Response({**verdict, "receipt": receipt, "is_new": received.is_new})


class DeckListCheckViewSet(EventViewSet):
    """Checks of a decklist by the rules of the event."""

    tag = "decks"
    headers_of_writes = ()

    @endpoint(
        "event_deck_check",
        "Check a decklist by the rules of the event",
        VerdictSerializer,
        body=LegalityCheckBody,
        permission=is_player_or_judge,
        refusals=VERDICT_REFUSALS,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request, **kwargs: Any) -> Response:
        """Check a decklist without storing it. For players and judges of the event."""
        body = validated_body(LegalityCheckBody, request)
        verdict = services.get_verdict(self.tournament, body["side"], get_list_text(body))
        return Response(verdict.as_document())


class DeckViewSet(OneDeckViewSet):
    """The submitted decks of an event."""

    @endpoint(
        "decks_list", "Decks", VisibleDeckSerializer(many=True), permission=no_permission_needed
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Decks you can see now, by player. Judges see all of them."""
        rows = visibility.visible_decks(self.actor, self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        return self.list_response(
            rows.prefetch_related(queries.SLOTS_WITH_CARDS), VisibleDeckSerializer
        )

    @endpoint(
        "decks_problems",
        "Missing and illegal decks",
        DeckProblemSerializer(many=True),
        permission=event_permissions.can_open_desk,
    )
    def problems(self, request: Request, **kwargs: Any) -> Response:
        """Players whose deck is missing or illegal, including those with a waiver."""
        players = queries.players_with_deck_problems(self.tournament)
        problems = queries.deck_problems_of_event(self.tournament, players)
        return self.list_response(problems, DeckProblemSerializer)

    @endpoint(
        "decks_lock",
        "Lock all decks",
        EventDecksSerializer,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def lock_all(self, request: Request, **kwargs: Any) -> Response:
        """Lock all decks. From then on only the staff can change them."""
        services.lock_all_decks(self.tournament, self.actor)
        return self._settings()

    @endpoint(
        "decks_reopen",
        "Unlock all decks",
        EventDecksSerializer,
        body=ReasonSerializer,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def reopen_all(self, request: Request, **kwargs: Any) -> Response:
        """Let players change their decks again. The reason is logged."""
        services.reopen_all_decks(
            self.tournament, self.actor, validated_body(ReasonSerializer, request)["reason"]
        )
        return self._settings()

    @endpoint(
        "decks_reveal",
        "Reveal all decks",
        EventDecksSerializer,
        body=RevealBody,
        permission=event_permissions.can_run,
    )
    def reveal_all(self, request: Request, **kwargs: Any) -> Response:
        """Show all decks to everyone who can see the event, or hide them again."""
        revealed = validated_body(RevealBody, request)["revealed"]
        services.set_decks_revealed(self.tournament, self.actor, revealed=revealed)
        return self._settings()

    @endpoint("decks_read", "One deck", DeckDetailSerializer, permission=no_permission_needed)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A deck you can see now. Its player and the judges see all of it."""
        submission = self._seen()
        place = submission.registration
        is_own = self.actor.player is not None and self.actor.player.pk == place.player_id
        reads_all = is_own or event_permissions.can_judge(self.actor, self.tournament)
        whole = self.whole(place, submission) if reads_all else None
        return Response(DeckDetailSerializer(submission, context={"whole": whole}).data)

    @endpoint(
        "decks_change",
        "Submit a deck for a player",
        SubmissionResultSerializer,
        body=ChangeBody,
        permission=event_permissions.can_judge,
        refusals=(*VERDICT_REFUSALS, EventIsFinished, PlayerRemoved, StaleVersion),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Submit or replace the deck of a player, even if it is locked."""
        place, side = self.registration(), self.side()
        body = validated_body(ChangeBody, request)
        text, reason = get_list_text(body), body["reason"]
        received = services.change_deck_for_player(
            place, side, text, self.actor, reason, seen=body.get("version")
        )
        return self.answer_received(received)

    @endpoint(
        "decks_lock_one",
        "Lock a deck",
        WholeDeckSerializer,
        permission=event_permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Lock the deck of a player."""
        submission = self._submission()
        services.lock_deck_by_staff(submission, self.actor)
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_unlock",
        "Unlock a deck",
        WholeDeckSerializer,
        body=ReasonSerializer,
        permission=event_permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved, services.DeckIsLocked),
    )
    def unlock(self, request: Request, **kwargs: Any) -> Response:
        """Let the player change a locked deck. The reason is logged."""
        submission = self._submission()
        services.unlock_deck(
            submission, self.actor, validated_body(ReasonSerializer, request)["reason"]
        )
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_file",
        "Export a deck",
        ExportedDeckSerializer,
        permission=no_permission_needed,
        refusals=(*VERDICT_REFUSALS, decks_services.CardsNotKnown),
    )
    def file(self, request: Request, **kwargs: Any) -> Response:
        """A deck you can see, in one of the file formats of its game."""
        submission, form = self._seen(), kwargs["form"]
        if form not in dict(decks_services.export_form_choices(self.tournament.game)):
            raise not_found("Form", form)
        text, title = submission.version.text, submission.version.decklist.title
        verdict = services.get_verdict(self.tournament, self.side(), text)
        file = decks_services.export_verdict(verdict, form, title)
        return Response(ExportedDeckSerializer(file).data)

    def _submission(self) -> DeckSubmission:
        rows = DeckSubmission.objects.filter(registration__tournament=self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        number, side = self.kwargs["number"], self.side()
        noun = f"Deck of player {number} as"
        submission = get_or_404(rows, noun, registration__number=number, side=side)
        submission.registration.tournament = self.tournament
        return submission

    def _seen(self) -> DeckSubmission:
        """Return a visible deck. Missing and hidden decks raise the same 404."""
        submission = self._submission()
        if not visibility.can_see_deck(self.actor, submission):
            raise not_found(f"Deck of player {self.kwargs['number']} as", submission.side)
        return submission

    def _settings(self) -> Response:
        """Answer with the state of all decks."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        settings = {
            "lock": queries.event_deck_lock(tournament),
            "decks_close_at": tournament.decks_close_at,
            "revealed_at": tournament.decks_revealed_at,
        }
        return Response(EventDecksSerializer(settings).data)


# A player's own decks.


class DeckSaveThrottle(MinuteThrottle):
    """Limit of decks saved by one account or guest, checked before the write takes a lock."""

    name = "deck_saves"

    def requester_key(self, request: Request) -> str:
        return actor_of(request).counted if request.method == "PUT" else ""


class MyDeckViewSet(OneDeckViewSet):
    """The user's own deck of one side."""

    def get_throttles(self) -> list[BaseThrottle]:
        """Add the limit of saved decks."""
        return [*super().get_throttles(), DeckSaveThrottle()]

    @endpoint("my_deck", "My deck", WholeDeckSerializer, permission=is_known_person)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Your deck of one side with verdict and receipts. Empty before the first submission."""
        return self.answer_whole(self.own_registration())

    @endpoint(
        "my_deck_hand_in",
        "Submit my deck",
        SubmissionResultSerializer,
        body=SubmissionBody,
        permission=is_known_person,
        refusals=(
            *VERDICT_REFUSALS,
            EventIsFinished,
            PlayerRemoved,
            StaleVersion,
            services.DeckIsLocked,
            services.TooManyLists,
        ),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Submit a deck, legal or not. The answer has its verdict and receipt."""
        place, side = self.own_registration(), self.side()
        body = validated_body(SubmissionBody, request)
        text = get_list_text(body)
        return self.answer_received(
            services.receive_deck(place, side, text, self.actor, seen=body.get("version"))
        )

    @endpoint(
        "my_deck_lock",
        "Lock my deck",
        WholeDeckSerializer,
        body=DeckLockBody,
        permission=is_known_person,
        refusals=(EventIsFinished, PlayerRemoved, StaleVersion, services.DeckNotLegal),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Lock your deck of one side, if it is legal and has not changed since you read it."""
        submission = self._submission()
        services.lock_deck(
            submission, self.actor, seen=validated_body(DeckLockBody, request).get("version")
        )
        return self.answer_whole(submission.registration)

    def _submission(self) -> DeckSubmission:
        """Return the user's submitted deck, if any."""
        place = self.own_registration()
        rows = place.deck_submissions.select_related("version")
        submission = get_or_404(rows, "Your deck as", side=self.side())
        submission.registration = place
        return submission


# Deck checks at the tables.


class DeckCheckViewSet(EventViewSet):
    """Deck checks, for judges."""

    tag = "deck checks"

    @endpoint(
        "deck_checks_list",
        "Deck checks",
        DrawSerializer(many=True),
        permission=event_permissions.can_judge,
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Draws with their checks and outcomes, newest first."""
        return self.list_response(pages.draws_with_checks(self.tournament), DrawSerializer)

    @endpoint(
        "deck_checks_draw",
        "Draw tables to check",
        NewDrawSerializer,
        body=DrawBody,
        status=201,
        permission=event_permissions.can_judge,
        refusals=(EventIsFinished, deck_checks.NothingToCheck),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Draw random tables of the current round, or one table by its number."""
        body = validated_body(DrawBody, request)
        round_ = queries.round_at_tables(self.tournament)
        if round_ is None:
            raise deck_checks.NothingToCheck(
                "No round is being played, so there is no table to check."
            )
        if "table" in body:
            draw = deck_checks.pick_table(round_, self.actor, body["table"])
        else:
            draw = deck_checks.draw_tables(round_, self.actor, body["count"])
        draws = pages.draws_with_checks(self.tournament)
        players = queries.players_without_deck(draw, round_)
        drawn = {
            "draw": next(drawn for drawn in draws if drawn.draw == draw),
            "without_a_deck": [{"table": table, "player": player} for table, player in players],
        }
        return Response(NewDrawSerializer(drawn).data, status=201)

    @endpoint(
        "deck_checks_read",
        "One deck check",
        CheckDetailSerializer,
        permission=event_permissions.can_judge,
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The cards of one deck in groups to tick off, and the outcome."""
        return Response(CheckDetailSerializer(pages.tick_list(self._check())).data)

    @endpoint(
        "deck_checks_found",
        "Record the outcome of a deck check",
        CheckDetailSerializer,
        body=OutcomeBody,
        permission=event_permissions.can_judge,
        refusals=(EventIsFinished,),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Record the outcome of a deck check, replacing an earlier one."""
        check, body = self._check(), validated_body(OutcomeBody, request)
        deck_checks.record_outcome(check, self.actor, body["outcome"], body.get("note", ""))
        return self.retrieve(request)

    def _check(self) -> DeckCheck:
        return get_or_404(
            queries.checks_with_cards(self.tournament), "Deck check", pk=self.kwargs["pk"]
        )
