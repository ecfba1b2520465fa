"""The decks of an event in the API, for its readers and its staff."""

from collections.abc import Mapping
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
from decks.serializers import VerdictSerializer
from tournaments.decklists import deck_checks, pages, queries, services
from tournaments.decklists.forms import DeckForm, side_or_404
from tournaments.decklists.serializers import (
    ChangeBody,
    CheckDetailSerializer,
    DeckDetailSerializer,
    DeckFileSerializer,
    DeckLockBody,
    DeckProblemSerializer,
    DrawBody,
    DrawSerializer,
    EventDecksSerializer,
    HandedInSerializer,
    HandInBody,
    JudgeBody,
    NewDrawSerializer,
    OutcomeBody,
    ReceiptSerializer,
    RevealBody,
    SeenDeckSerializer,
    WholeDeckSerializer,
)
from tournaments.decklists.services import VERDICT_REFUSALS
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import Actor, actor_of
from tournaments.models import DeckCheck, DeckSubmission, Registration, Round, Tournament
from tournaments.web.viewsets import EventViewSet, is_known_person


def is_player_or_judge(actor: Actor, tournament: Tournament) -> bool:
    """Whoever plays or judges at the event."""
    plays = tournament.registration_of(actor.player) is not None
    return plays or event_permissions.can_judge(actor, tournament)


def get_list_text(asked: Mapping[str, Any]) -> str:
    """The list, as text or fetched from its address. Raises ValidationError."""
    typed = QueryDict(mutable=True)
    for name in ("text", "address"):
        typed[name] = asked.get(name, "")
    return validated_form(DeckForm(typed), {"address": "url"}).source_text()


class OneDeckViewSet(EventViewSet):
    """What is answered of one deck, to its player as to the judges."""

    tag = "decks"

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
            return services.get_verdict(self.tournament, side, text).as_document()
        except services.VERDICT_REFUSALS:
            return None

    def answer_whole(self, place: Registration) -> Response:
        """The deck of this player and the side of the address, as it is now."""
        submission = queries.submissions_of(place).get(self.side())
        return Response(WholeDeckSerializer(self.whole(place, submission)).data)

    def answer_received(self, received: services.SubmissionResult) -> Response:
        """The verdict as `POST decks/check/` has it, and the receipt."""
        submission, receipt = received.submission, received.receipt
        judged = services.get_verdict(self.tournament, submission.side, receipt.version.text)
        answer = {"receipt": ReceiptSerializer(receipt).data, "is_new": received.is_new}
        return Response({**judged.as_document(), **answer})


class DeckListCheckViewSet(EventViewSet):
    """A list that somebody of the event sends, judged by its rules; nothing is kept."""

    tag = "decks"
    headers_of_writes = ()

    @endpoint(
        "event_deck_check",
        "Check a list by the rules of the event",
        VerdictSerializer,
        body=JudgeBody,
        who=is_player_or_judge,
        refusals=services.VERDICT_REFUSALS,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request, **kwargs: Any) -> Response:
        """The verdict on a list, for players and judges of the event; nothing is kept."""
        asked = validated_body(JudgeBody, request)
        text = get_list_text(asked)
        return Response(services.get_verdict(self.tournament, asked["side"], text).as_document())


class DeckViewSet(OneDeckViewSet):
    """The decks of an event: read by who may see them, and in the hands of the staff."""

    @endpoint("decks_list", "Decks", SeenDeckSerializer(many=True), who=no_permission_needed)
    def list(self, request: Request, **kwargs: Any) -> Response:
        """The decks the asking person may read now, by player; judges read all of them."""
        rows = visibility.visible_decks(self.actor, self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        return self.listed(rows.prefetch_related(queries.SLOTS_WITH_CARDS), SeenDeckSerializer)

    @endpoint(
        "decks_problems",
        "Missing and illegal decks",
        DeckProblemSerializer(many=True),
        who=event_permissions.can_open_desk,
    )
    def problems(self, request: Request, **kwargs: Any) -> Response:
        """Players without a deck they need, or with an illegal one; also those with a waiver."""
        players = queries.players_with_deck_problems(self.tournament)
        found = queries.deck_problems_of_event(self.tournament, players)
        return self.listed(found, DeckProblemSerializer)

    @endpoint(
        "decks_lock",
        "Lock all decks",
        EventDecksSerializer,
        who=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def lock_all(self, request: Request, **kwargs: Any) -> Response:
        """From now on only the staff change lists."""
        services.lock_all_decks(self.tournament, self.actor)
        return self._settings()

    @endpoint(
        "decks_reopen",
        "Open all decks again",
        EventDecksSerializer,
        body=ReasonSerializer,
        who=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def reopen_all(self, request: Request, **kwargs: Any) -> Response:
        """Let the players change their lists again; the reason goes into the log."""
        services.reopen_all_decks(
            self.tournament, self.actor, validated_body(ReasonSerializer, request)["reason"]
        )
        return self._settings()

    @endpoint(
        "decks_reveal",
        "Show all decks",
        EventDecksSerializer,
        body=RevealBody,
        who=event_permissions.can_run,
    )
    def reveal_all(self, request: Request, **kwargs: Any) -> Response:
        """Show all decks to everybody who sees the event, or hide them again."""
        revealed = validated_body(RevealBody, request)["revealed"]
        services.set_decks_revealed(self.tournament, self.actor, revealed=revealed)
        return self._settings()

    @endpoint("decks_read", "A deck", DeckDetailSerializer, who=no_permission_needed)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A deck for whoever may see it now; its player and the judges read all of it."""
        submission = self._seen()
        place = submission.registration
        is_own = self.actor.player is not None and self.actor.player.pk == place.player_id
        reads_all = is_own or event_permissions.can_judge(self.actor, self.tournament)
        whole = self.whole(place, submission) if reads_all else None
        return Response(DeckDetailSerializer(submission, context={"whole": whole}).data)

    @endpoint(
        "decks_change",
        "Hand in a deck for a player",
        HandedInSerializer,
        body=ChangeBody,
        who=event_permissions.can_judge,
        refusals=(*services.VERDICT_REFUSALS, EventIsFinished, PlayerRemoved, StaleVersion),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Hand in a list for the player, the first one or another, locked or not."""
        place, side = self.place(), self.side()
        asked = validated_body(ChangeBody, request)
        text, reason = get_list_text(asked), asked["reason"]
        received = services.change_deck_for_player(
            place, side, text, self.actor, reason, seen=asked.get("seen")
        )
        return self.answer_received(received)

    @endpoint(
        "decks_lock_one",
        "Lock a deck",
        WholeDeckSerializer,
        who=event_permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Fix the list of a player as it is."""
        submission = self._submission()
        services.lock_deck_by_staff(submission, self.actor)
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_unlock",
        "Unlock a deck",
        WholeDeckSerializer,
        body=ReasonSerializer,
        who=event_permissions.can_judge,
        refusals=(EventIsFinished, PlayerRemoved, services.DeckIsLocked),
    )
    def unlock(self, request: Request, **kwargs: Any) -> Response:
        """Let the player change a locked list; the reason goes into the log."""
        submission = self._submission()
        services.unlock_deck(
            submission, self.actor, validated_body(ReasonSerializer, request)["reason"]
        )
        return self.answer_whole(submission.registration)

    @endpoint(
        "decks_file",
        "A deck as a file",
        DeckFileSerializer,
        who=no_permission_needed,
        refusals=(*services.VERDICT_REFUSALS, decks_services.CardsNotKnown),
    )
    def file(self, request: Request, **kwargs: Any) -> Response:
        """A deck written in one of the forms of its game, for whoever may see it."""
        submission, form = self._seen(), kwargs["form"]
        if form not in dict(decks_services.export_form_choices(self.tournament.game)):
            raise not_found("Form", form)
        text, title = submission.version.text, submission.version.decklist.title
        verdict = services.get_verdict(self.tournament, self.side(), text)
        return Response(
            DeckFileSerializer(decks_services.export_verdict(verdict, form, title)).data
        )

    def _submission(self) -> DeckSubmission:
        """The deck of the address, whoever asks."""
        rows = DeckSubmission.objects.filter(registration__tournament=self.tournament)
        rows = rows.select_related("registration__player", "version__decklist", "version__identity")
        number, side = self.kwargs["number"], self.side()
        noun = f"Deck of player {number} as"
        submission = get_or_404(rows, noun, registration__number=number, side=side)
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


# A player's own decks in the API.


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

    @endpoint("my_deck", "My deck", WholeDeckSerializer, who=is_known_person)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The list of one side with its verdict and receipts; empty before the first."""
        return self.answer_whole(self.own_place())

    @endpoint(
        "my_deck_hand_in",
        "Hand in my deck",
        HandedInSerializer,
        body=HandInBody,
        who=is_known_person,
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
        """Hand in a list, legal or not: the verdict, and the receipt of exactly this list."""
        place, side = self.own_place(), self.side()
        asked = validated_body(HandInBody, request)
        text = get_list_text(asked)
        return self.answer_received(
            services.receive_deck(place, side, text, self.actor, seen=asked.get("seen"))
        )

    @endpoint(
        "my_deck_lock",
        "Lock my deck",
        WholeDeckSerializer,
        body=DeckLockBody,
        who=is_known_person,
        refusals=(EventIsFinished, PlayerRemoved, StaleVersion, services.DeckNotLegal),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Fix the list of one side; only a legal one, and only the one that was seen."""
        submission = self._submission()
        services.lock_deck(
            submission, self.actor, seen=validated_body(DeckLockBody, request).get("seen")
        )
        return self.answer_whole(submission.registration)

    def _submission(self) -> DeckSubmission:
        """The own deck of the side of the address, if one was handed in."""
        place = self.own_place()
        rows = place.deck_submissions.select_related("version")
        submission = get_or_404(rows, "Your deck as", side=self.side())
        submission.registration = place
        return submission


# Deck checks: tables drawn, decks laid against their lists, what was found.


class DeckCheckViewSet(EventViewSet):
    """Decks drawn at the tables, and what was found, for those who judge."""

    tag = "deck checks"

    @endpoint(
        "deck_checks_list",
        "Deck checks",
        DrawSerializer(many=True),
        who=event_permissions.can_judge,
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """What was drawn so far and what was found, the newest draw first."""
        return self.listed(pages.draws_with_tables(self.tournament), DrawSerializer)

    @endpoint(
        "deck_checks_draw",
        "Draw tables to check",
        NewDrawSerializer,
        body=DrawBody,
        status=201,
        who=event_permissions.can_judge,
        refusals=(EventIsFinished, deck_checks.NothingToCheck),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Draw tables of the round that is played now, by lot or one by its number."""
        asked, round_ = validated_body(DrawBody, request), self._played()
        if "table" in asked:
            draw = deck_checks.pick_table(round_, self.actor, asked["table"])
        else:
            draw = deck_checks.draw_tables(round_, self.actor, asked["count"])
        newest = next(one for one in pages.draws_with_tables(self.tournament) if one.draw == draw)
        bare = queries.players_without_deck(draw, round_)
        drawn = {
            "draw": newest,
            "without_a_deck": [{"table": table, "player": place} for table, place in bare],
        }
        return Response(NewDrawSerializer(drawn).data, status=201)

    @endpoint(
        "deck_checks_read",
        "A deck to check",
        CheckDetailSerializer,
        who=event_permissions.can_judge,
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """One deck as boxes to tick, and what was found."""
        return Response(CheckDetailSerializer(pages.tick_list(self._check())).data)

    @endpoint(
        "deck_checks_found",
        "Say what was found",
        CheckDetailSerializer,
        body=OutcomeBody,
        who=event_permissions.can_judge,
        refusals=(EventIsFinished,),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Write down what the judge found; written again, the newer word stands."""
        check, asked = self._check(), validated_body(OutcomeBody, request)
        deck_checks.record_outcome(check, self.actor, asked["outcome"], asked.get("note", ""))
        return self.retrieve(request)

    def _check(self) -> DeckCheck:
        return get_or_404(
            queries.checks_with_cards(self.tournament), "Deck check", pk=self.kwargs["pk"]
        )

    def _played(self) -> Round:
        round_ = queries.round_at_tables(self.tournament)
        if round_ is None:
            raise deck_checks.NothingToCheck(
                "No round is being played, so there is no table to check."
            )
        return round_
