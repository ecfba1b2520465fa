"""Penalties and the history of a player, for judges alone."""

from typing import Any

from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked, given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from core.errors import ReasonMissing
from rulings.guide import PenaltyKind
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.queries import penalties as penalty_queries
from tournaments.judging import penalty_effects
from tournaments.judging.pages import penalties as pages
from tournaments.judging.serializers.penalties import (
    AgainWanted,
    ConductSerializer,
    LookSerializer,
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

FILTERS = {
    "player": "registration__number",
    "infraction": "infraction",
    "kind": "kind",
    "judge": "note__author__username",
}
REFUSED_PENALTIES = (
    *(EventIsFinished, penalties.UnknownInfraction, penalties.NoPlaceHere),
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


def kind_named(expected: PenaltyKind, kind: str | None) -> PenaltyKind:
    """What it costs. Where the guide says a loss or more, that is named, so that it is meant."""
    if kind is None and expected.costs_games:
        said = f'The guide says {expected.label.lower()} here: name it, "kind": "{expected.value}".'
        raise ValidationError({"kind": [said]})
    return PenaltyKind(kind) if kind else expected


def give_with_answer(
    tournament: Tournament, pairing: Pairing, actor: Actor, body: dict[str, Any], said: Answer
) -> None:
    """Give the penalty that comes with an answer, to a player of the table of the call."""
    place = place_named(tournament, body["player"])
    if pairing.match is None or event_queries.seat_of(pairing.match, place.player) is None:
        raise ValidationError({"penalty": ["This player does not sit at the table of the call."]})
    code = body["infraction"]
    penalties.give(
        tournament,
        place,
        actor,
        infraction=code,
        kind=kind_named(penalties.expected(tournament, place, code), body["kind"]),
        pairing=pairing,
        game=body["game"],
        text=said.text,
        cited=said.cited,
    )


class PenaltyViewSet(EventViewSet):
    """Penalties and the history of a player: nobody but a judge reads of them.

    A penalty is looked at before it is given, taken back, or stands again.
    """

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
        fits = {FILTERS[name]: sought[name] for name in FILTERS if name in sought}
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
        refusals=(*REFUSED_PENALTIES, penalties.NotForThisJudge, penalties.EffectChanged),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """A lost game or match works on the result at once; see `penalties/look/`."""
        body = given(PenaltyWanted, request)
        meant = NamedPenalty(self.tournament, body)
        penalty = penalties.give(
            self.tournament,
            meant.place,
            self.actor,
            infraction=body["infraction"],
            kind=meant.named,
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
        "penalties_look",
        "Preview a penalty",
        LookSerializer,
        body=PenaltyWanted,
        who=permissions.can_judge,
        refusals=(penalties.UnknownInfraction,),
    )
    def look(self, request: Request, **kwargs: Any) -> Response:
        """Takes the body of a penalty and gives none; send `seen` with it then."""
        meant = NamedPenalty(self.tournament, given(PenaltyWanted, request))
        earlier = penalty_queries.times_penalised(meant.place, meant.body["infraction"])
        effect = meant.effect
        look = {
            "expected": meant.expected.value,
            "earlier": earlier,
            "kind": meant.kind.value,
            "effect": [plain(one) for one in effect.sentences],
            "seen": effect.mark,
        }
        return Response(LookSerializer(look).data)

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

    @endpoint(
        "penalties_again",
        "Restore a penalty",
        PenaltySerializer,
        body=AgainWanted,
        who=permissions.can_judge,
        refusals=CHANGE_REFUSED,
    )
    def give_again(self, request: Request, **kwargs: Any) -> Response:
        """It stands, and works again."""
        penalty, body = self._penalty(), given(AgainWanted, request)
        return self._shown(penalties.give_again(penalty, self.actor, body["reason"]))

    @endpoint(
        "players_conduct", "Conduct of a player", ConductSerializer, who=permissions.can_judge
    )
    def conduct(self, request: Request, **kwargs: Any) -> Response:
        """For judges alone."""
        conduct = pages.conduct(self.place())
        context = numbers_of(self.tournament)
        return Response(ConductSerializer(conduct, context=context).data)

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

    def __init__(self, tournament: Tournament, body: dict[str, Any]) -> None:
        self.tournament, self.body = tournament, body
        self.place = place_named(tournament, body["player"])
        self.expected = penalties.expected(tournament, self.place, body["infraction"])
        self.kind = PenaltyKind(body["kind"] or self.expected)
        self.tables = penalty_effects.tables_of(self.place).values()
        self.pairing = _table_named(self.tables, body)

    @property
    def named(self) -> PenaltyKind:
        """What it costs, named where it costs a game or more. Raises ValidationError."""
        return kind_named(self.expected, self.body["kind"])

    @property
    def effect(self) -> penalty_effects.Effect:
        """What it would do."""
        pairing, game = self.pairing or self._table_now(), self.body["game"]
        is_of_one = pairing is None or penalty_effects.games_of(self.tournament, pairing) == 1
        return penalty_effects.effect(self.place, self.kind, pairing, 1 if is_of_one else game)

    def _table_now(self) -> Pairing | None:
        open_ = next((one for one in self.tables if not one.round.is_closed), None)
        is_kept = self.kind is PenaltyKind.DISQUALIFICATION and open_ and open_.match
        return None if is_kept and open_ and open_.match and open_.match.is_settled else open_


def _table_named(tables: Any, body: dict[str, Any]) -> Pairing | None:
    if body["table"] is None:
        return None
    for pairing in tables:
        if (pairing.round.number, pairing.table_number) == (body["round"], body["table"]):
            found: Pairing = pairing
            return found
    raise ValidationError({"table": ["This player did not sit there in a published round."]})
