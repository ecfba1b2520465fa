"""Penalties and the history of a player, for judges alone."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked, given
from core.openapi import operation
from rulings.guide import PenaltyKind
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
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
from tournaments.rounds.pages.reasons import plain
from tournaments.web.api.access import Actions, ManyView, OneView, OwnView

FILTERS = {
    "player": "registration__number",
    "infraction": "infraction",
    "kind": "kind",
    "judge": "note__author__username",
}


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


class PenaltyView(OwnView):
    """Nobody but a judge is told of a penalty."""

    def penalty(self) -> Penalty:
        """The penalty of the address, or a 404."""
        return get_object_or_404(penalty_queries.of_event(self.tournament), pk=self.kwargs["pk"])

    def shown(self, penalty: Penalty, status_: int = status.HTTP_200_OK) -> Response:
        """The penalty as it is now."""
        now = penalty_queries.of_event(self.tournament).get(pk=penalty.pk)
        return Response(PenaltySerializer(now).data, status=status_)


class PenaltyList(PenaltyView, ManyView):
    """All penalties of the event, oldest first, also those that were taken back."""

    abilities = {"GET": permissions.can_judge, "POST": permissions.can_judge}
    own_parameters = ("round", "player", "infraction", "kind", "judge")

    @operation(
        "penalties_list",
        "Penalties",
        PenaltySerializer(many=True),
        parameters=[PenaltyAsked],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those that fit."""
        sought = asked(PenaltyAsked, request)
        rows = penalty_queries.of_event(self.tournament)
        fits = {FILTERS[name]: sought[name] for name in FILTERS if name in sought}
        if "round" in sought:
            fits["round_number"] = sought["round"] or None
        return self.listed(rows.filter(**fits), PenaltySerializer)

    @operation(
        "penalties_give",
        "Give a penalty",
        PenaltySerializer,
        body=PenaltyWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A lost game or match works on the result at once; see `penalties/look/`."""
        body = given(PenaltyWanted, request)
        meant = NamedPenalty(self, body)
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
        return self.shown(penalty, status.HTTP_201_CREATED)


class NamedPenalty:
    """A penalty as its body names it, before it is given."""

    def __init__(self, view: PenaltyView, body: dict[str, Any]) -> None:
        self.tournament, self.body = view.tournament, body
        self.place = place_named(view.tournament, body["player"])
        self.expected = penalties.expected(view.tournament, self.place, body["infraction"])
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


class PenaltyActions(Actions, PenaltyView):
    """A penalty looked at before it is given, taken back, or standing again."""

    abilities = {"POST": permissions.can_judge}

    @operation(
        "penalties_look",
        "Look at what a penalty would do",
        LookSerializer,
        body=PenaltyWanted,
    )
    def look(self, request: Request, slug: str) -> Response:
        """Takes the body of a penalty and gives none; send `seen` with it then."""
        meant = NamedPenalty(self, given(PenaltyWanted, request))
        earlier = penalty_queries.times_penalised(meant.place, meant.body["infraction"])
        look = {
            "expected": meant.expected.value,
            "earlier": earlier,
            "kind": meant.kind.value,
            "effect": [plain(one) for one in meant.effect.sentences],
            "seen": meant.effect.mark,
        }
        return Response(LookSerializer(look).data)

    @operation("penalties_withdraw", "Withdraw a penalty", PenaltySerializer, body=WithdrawWanted)
    def withdraw(self, request: Request, slug: str, pk: int) -> Response:
        """The result is what was told again, and who was out by it is in."""
        penalty, body = self.penalty(), given(WithdrawWanted, request)
        return self.shown(penalties.withdraw(penalty, self.actor, body["reason"]))

    @operation(
        "penalties_again",
        "Let a penalty stand again",
        PenaltySerializer,
        body=AgainWanted,
    )
    def give_again(self, request: Request, slug: str, pk: int) -> Response:
        """It stands, and works again."""
        penalty, body = self.penalty(), given(AgainWanted, request)
        return self.shown(penalties.give_again(penalty, self.actor, body["reason"]))


class PenaltyDetail(PenaltyView, OneView):
    abilities = {"GET": permissions.can_judge}

    @operation("penalties_read", "One penalty", PenaltySerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """With its note and what that cites."""
        return self.shown(self.penalty())


class Conduct(OneView):
    """The history of one player at the event: penalties, calls, notes and deck checks."""

    abilities = {"GET": permissions.can_judge}

    @operation("players_conduct", "Conduct of a player", ConductSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """For judges alone."""
        place: Registration = self.place()
        document = ConductSerializer(pages.conduct(place), context=numbers_of(self.tournament))
        return Response(document.data)
