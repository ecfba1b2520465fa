"""Penalties, for judges."""

from typing import Any

from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked, given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from core.errors import ReasonMissing, Refusal
from players.models import User
from rulings.guide import PenaltyKind
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.queries import penalties as penalty_queries
from tournaments.judging import penalty_effects
from tournaments.judging import queries as judging_queries
from tournaments.judging.serializers.penalties import (
    PenaltyAsked,
    PenaltySerializer,
    PenaltyWanted,
    WithdrawWanted,
)
from tournaments.judging.services import penalties
from tournaments.judging.services.calls import Answer
from tournaments.models import Pairing, Penalty, Registration, RegistrationState, Tournament
from tournaments.registration.services.registrations import OrderIsFixed
from tournaments.rounds.pages.reasons import plain
from tournaments.web.api.viewsets import EventViewSet

FILTERS = {"player": "registration__number", "infraction": "infraction", "kind": "kind"}


class EffectNotSeen(Refusal):
    """A penalty that costs a game or more is given only after its effect has been read."""


REFUSED_PENALTIES = (
    *(
        EffectNotSeen,
        penalties.EffectChanged,
        EventIsFinished,
        penalties.UnknownInfraction,
        penalties.NoPlaceHere,
    ),
    *(ReasonMissing, penalties.WrongTable, penalties.GameMissing, penalties.CannotApply),
    PlayerRemoved,
)
"""What refuses a penalty to whoever gives it."""
CHANGE_REFUSED = (
    *(EventIsFinished, penalties.AlreadyWithdrawn, penalties.NotForThisJudge),
    penalties.CannotApply,
)


def numbers_of(tournament: Tournament) -> dict[str, Any]:
    """The context of answers that name players: their numbers by the key of the player."""
    return {"numbers": dict(tournament.registrations.values_list("player_id", "number"))}


def place_named(tournament: Tournament, number: int) -> Registration:
    """Whose penalty it is: somebody who has, or had, a place. Raises ValidationError."""
    places = tournament.registrations.exclude(state=RegistrationState.WAITING)
    place = places.select_related("player", "tournament").filter(number=number).first()
    if place is None:
        raise ValidationError({"player": [f"Nobody with the number {number} has a place here."]})
    return place


def give_with_answer(
    tournament: Tournament, pairing: Pairing, actor: Actor, body: dict[str, Any], said: Answer
) -> None:
    """Give the penalty that comes with an answer, to a player of the table of the call."""
    meant = NamedPenalty(tournament, body, pairing)
    meant.refuse_unseen()
    penalties.give(
        tournament,
        meant.place,
        actor,
        infraction=body["infraction"],
        kind=meant.kind,
        pairing=pairing,
        game=body["game"],
        text=said.text,
        cited=said.cited,
        seen=body["seen"] or None,
    )


class PenaltyViewSet(EventViewSet):
    """Penalties, for judges; players read their own under `me/`."""

    @endpoint(
        "penalties_list",
        "Penalties",
        PenaltySerializer(many=True),
        who=permissions.can_judge,
        parameters=[PenaltyAsked],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Those that fit."""
        sought = asked(PenaltyAsked, request)
        rows = penalty_queries.of_event(self.tournament)
        fits: dict[str, Any] = {FILTERS[name]: sought[name] for name in FILTERS if name in sought}
        if "judge" in sought:
            judges = User.objects.filter(pk__in=rows.order_by().values("note__author"))
            named = judging_queries.named_judges(judges.select_related("player"), sought["judge"])
            fits["note__author__in"] = named
        if "round" in sought:
            fits["round_number"] = sought["round"] or None
        return self.listed(rows.filter(**fits), PenaltySerializer)

    @endpoint(
        "penalties_give",
        "Give a penalty",
        PenaltySerializer,
        body=PenaltyWanted,
        status=201,
        who=permissions.can_judge,
        refusals=(*REFUSED_PENALTIES, penalties.NotForThisJudge),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """A caution or a warning is given at once.

        What costs a game or more changes a result: the first answer is a 409 `effect_not_seen`
        with its `effect` and the mark `seen`; with that mark it is given.
        """
        body = given(PenaltyWanted, request)
        meant = NamedPenalty(self.tournament, body)
        meant.refuse_unseen()
        penalty = penalties.give(
            self.tournament,
            meant.place,
            self.actor,
            infraction=body["infraction"],
            kind=meant.kind,
            pairing=meant.pairing,
            game=body["game"] if meant.kind is PenaltyKind.GAME_LOSS else None,
            text=body["text"],
            cited=body["rulings"],
            seen=body["seen"] or None,
        )
        return self._shown(penalty, status.HTTP_201_CREATED)

    @endpoint("penalties_read", "One penalty", PenaltySerializer, who=permissions.can_judge)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """With its note and what that cites."""
        return self._shown(self._penalty())

    @endpoint(
        "penalties_withdraw",
        "Withdraw a penalty",
        PenaltySerializer,
        body=WithdrawWanted,
        who=permissions.can_judge,
        refusals=(*CHANGE_REFUSED, OrderIsFixed),
    )
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """The result is again what was reported, and who was out by it is in."""
        penalty, body = self._penalty(), given(WithdrawWanted, request)
        return self._shown(penalties.withdraw(penalty, self.actor, body["reason"]))

    def _penalty(self) -> Penalty:
        """The penalty of the address, or a 404."""
        return found_or_404(
            penalty_queries.of_event(self.tournament), "Penalty", pk=self.kwargs["pk"]
        )

    def _shown(self, penalty: Penalty, status_: int = status.HTTP_200_OK) -> Response:
        """The penalty as it is now."""
        now = penalty_queries.of_event(self.tournament).get(pk=penalty.pk)
        return Response(PenaltySerializer(now).data, status=status_)


class NamedPenalty:
    """A penalty as its body names it, before it is given."""

    def __init__(
        self, tournament: Tournament, body: dict[str, Any], pairing: Pairing | None = None
    ) -> None:
        self.tournament, self.body = tournament, body
        self.place = place_named(tournament, body["player"])
        if pairing is not None and self.place.player_id not in pairing.players:
            raise ValidationError(
                {"penalty": ["This player does not sit at the table of the call."]}
            )
        self.expected = penalties.expected(tournament, self.place, body["infraction"])
        self.kind = PenaltyKind(body["kind"] or self.expected)
        self.tables = penalty_effects.tables_of(self.place).values()
        self.pairing = pairing or _table_named(self.tables, body)

    @property
    def effect(self) -> penalty_effects.Effect:
        """The effect of giving it now. Raises GameMissing."""
        pairing, game = self.pairing or self._table_now(), None
        if self.kind is PenaltyKind.GAME_LOSS:
            game = penalties.lost_game(pairing, self.body["game"])
        return penalty_effects.effect(self.place, self.kind, pairing, game)

    def refuse_unseen(self) -> None:
        """Raise EffectNotSeen with the effect where it must be read first, as on the page."""
        if not self.kind.costs_games or self.body["seen"]:
            return
        effect = self.effect
        raise EffectNotSeen(
            f"{self.kind.label} for {self.place.player}: read what it does, then send it again "
            "with its mark as seen.",
            kind=self.kind.value,
            effect=[plain(one) for one in effect.sentences],
            seen=effect.mark,
        )

    def _table_now(self) -> Pairing | None:
        open_ = next((one for one in self.tables if not one.round.is_closed), None)
        is_kept = self.kind is PenaltyKind.DISQUALIFICATION and open_ and open_.match
        return None if is_kept and open_ and open_.match and open_.match.is_settled else open_


def _table_named(tables: Any, body: dict[str, Any]) -> Pairing | None:
    if body.get("table") is None:
        return None
    for pairing in tables:
        if (pairing.round.number, pairing.table_number) == (body["round"], body["table"]):
            found: Pairing = pairing
            return found
    raise ValidationError({"table": ["This player did not sit there in a published round."]})
