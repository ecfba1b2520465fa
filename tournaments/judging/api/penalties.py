"""The penalties of an event, and the history of a player: for judges alone."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from rulings.guide import PenaltyKind
from tournaments.event import permissions
from tournaments.event.queries import penalties as queries
from tournaments.judging import queries as judging_queries
from tournaments.judging.api.calls import asked, numbers_of
from tournaments.judging.api.penalty_part import kind_named, place_named
from tournaments.judging.pages import judged
from tournaments.judging.serializers import penalties as told
from tournaments.judging.services import penalties as services
from tournaments.models import Pairing, Penalty, Registration
from tournaments.rounds.pages.sentences import plain
from tournaments.web.api.access import Actions, ManyView, OneView, OwnView

FILTERS = {
    "player": "registration__number",
    "infraction": "infraction",
    "kind": "kind",
    "judge": "note__author__username",
}


class PenaltyView(OwnView):
    """Nobody but a judge is told of a penalty."""

    def penalty(self) -> Penalty:
        """The penalty of the address, or a 404."""
        return get_object_or_404(queries.of_event(self.tournament), pk=self.kwargs["pk"])

    def told(self, penalty: Penalty, status_: int = status.HTTP_200_OK) -> Response:
        """The penalty as it is now."""
        now = queries.of_event(self.tournament).get(pk=penalty.pk)
        return Response(told.PenaltySerializer(now).data, status=status_)


class PenaltyList(PenaltyView, ManyView):
    """All penalties of the event, oldest first, also those that were taken back."""

    abilities = {"GET": permissions.can_judge, "POST": permissions.can_judge}
    own_parameters = ("round", "player", "infraction", "kind", "judge")

    @operation(
        "penalties_list",
        "Penalties",
        told.PenaltySerializer(many=True),
        parameters=[told.PenaltyAsked],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those that fit."""
        sought = asked(told.PenaltyAsked, request)
        rows = queries.of_event(self.tournament)
        fits = {FILTERS[name]: sought[name] for name in FILTERS if name in sought}
        if "round" in sought:
            fits["round_number"] = sought["round"] or None
        return self.listed(rows.filter(**fits), told.PenaltySerializer)

    @operation(
        "penalties_give",
        "Give a penalty",
        told.PenaltySerializer,
        body=told.PenaltyWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A lost game or match works on the result at once; see `penalties/look/`."""
        body = given(told.PenaltyWanted, request)
        meant = Meant(self, body)
        penalty = services.give(
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
        return self.told(penalty, status.HTTP_201_CREATED)


class Meant:
    """A penalty as its body names it, before it is given."""

    def __init__(self, view: PenaltyView, body: dict[str, Any]) -> None:
        self.tournament, self.body = view.tournament, body
        self.place = place_named(view.tournament, body["player"])
        self.expected = services.expected(view.tournament, self.place, body["infraction"])
        self.kind = PenaltyKind(body["kind"] or self.expected)
        self.tables = judging_queries.tables_of(self.place).values()
        self.pairing = _table_named(self.tables, body)

    @property
    def named(self) -> PenaltyKind:
        """What it costs, named where it costs a game or more. Raises ValidationError."""
        return kind_named(self.expected, self.body["kind"])

    @property
    def effect(self) -> judging_queries.Effect:
        """What it would do."""
        pairing, game = self.pairing or self._table_now(), self.body["game"]
        is_of_one = pairing is None or judging_queries.games_of(self.tournament, pairing) == 1
        return judging_queries.effect(self.place, self.kind, pairing, 1 if is_of_one else game)

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


class PenaltyActions(Actions, PenaltyView):
    """A penalty looked at before it is given, taken back, or standing again."""

    abilities = {"POST": permissions.can_judge}

    @operation(
        "penalties_look",
        "Look at what a penalty would do",
        told.LookSerializer,
        body=told.PenaltyWanted,
    )
    def look(self, request: Request, slug: str) -> Response:
        """Takes the body of a penalty and gives none; send `seen` with it then."""
        meant = Meant(self, given(told.PenaltyWanted, request))
        earlier = queries.times_penalised(meant.place, meant.body["infraction"])
        look = {
            "expected": meant.expected.value,
            "earlier": earlier,
            "kind": meant.kind.value,
            "effect": [plain(one) for one in meant.effect.sentences],
            "seen": meant.effect.mark,
        }
        return Response(told.LookSerializer(look).data)

    @operation(
        "penalties_withdraw", "Withdraw a penalty", told.PenaltySerializer, body=told.WithdrawWanted
    )
    def withdraw(self, request: Request, slug: str, pk: int) -> Response:
        """The result is what was told again, and who was out by it is in."""
        penalty, body = self.penalty(), given(told.WithdrawWanted, request)
        return self.told(services.withdraw(penalty, self.actor, body["reason"]))

    @operation(
        "penalties_again",
        "Let a penalty stand again",
        told.PenaltySerializer,
        body=told.AgainWanted,
    )
    def give_again(self, request: Request, slug: str, pk: int) -> Response:
        """It stands, and works again."""
        penalty, body = self.penalty(), given(told.AgainWanted, request)
        return self.told(services.give_again(penalty, self.actor, body["reason"]))


class PenaltyDetail(PenaltyView, OneView):
    abilities = {"GET": permissions.can_judge}

    @operation("penalties_read", "One penalty", told.PenaltySerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """With its note and what that cites."""
        return self.told(self.penalty())


class Conduct(OneView):
    """The history of one player at the event: penalties, calls, notes and deck checks."""

    abilities = {"GET": permissions.can_judge}

    @operation("players_conduct", "Conduct of a player", told.ConductSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """For judges alone."""
        place: Registration = self.place()
        shown = told.ConductSerializer(judged.conduct(place), context=numbers_of(self.tournament))
        return Response(shown.data)
