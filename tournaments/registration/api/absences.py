"""Somebody does not come to the table: told by the table or the staff, taken back, decided."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration
from tournaments.registration.pages.arriving import seated
from tournaments.registration.services import absences as services
from tournaments.results.serializers.tables import AbsencesSerializer, PlayerBody
from tournaments.web.api.access import Actions, OneView, actor_of


class AbsenceView(OneView):
    """Below a table; answers who is missed there."""

    def told(self) -> Response:
        """Who sits at the table, and who is missed, now."""
        pairing = self.table()
        missed = {one.registration_id for one in queries.absences_at(pairing)}
        told = {
            "round": pairing.round.number,
            "table": pairing.table_number,
            "players": [
                {"player": entry, "is_missed": entry.pk in missed} for entry in seated(pairing)
            ],
            "is_told": queries.is_reported(pairing),
        }
        return Response(AbsencesSerializer(told).data)

    def named(self, request: Request) -> tuple[Pairing, Registration]:
        """The table and the player told of; for who sits there or stands behind the desk."""
        self.actor = actor_of(request)
        pairing = self.table()
        here = {entry.number: entry for entry in seated(pairing)}
        sits_here = self.actor.player in [entry.player for entry in here.values()]
        if not sits_here and not permissions.can_open_desk(self.actor, self.tournament):
            self.refuse(request)
        number = given(PlayerBody, request)["player"]
        if number not in here:
            raise ValidationError({"player": ["Choose one of the players at this table."]})
        return pairing, here[number]


class Absences(AbsenceView):
    """Who sits at a table and who is missed."""

    abilities = {"GET": permissions.can_open_desk}

    @operation("absences_read", "Who is missed at a table", AbsencesSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """For the staff."""
        return self.told()


class AbsenceActions(Actions, AbsenceView):
    """A player is not at the table, has come, or is waited for no longer."""

    abilities = {"missing": None, "came": None, "no_show": permissions.can_enter_results}

    @operation(
        "absences_missing", "Say that a player is missing", AbsencesSerializer, body=PlayerBody
    )
    def missing(self, request: Request, **kwargs: Any) -> Response:
        """By an opponent or the staff. Told twice, it stays as it was told first."""
        pairing, gone = self.named(request)
        services.tell(pairing, gone, self.actor)
        return self.told()

    @operation("absences_came", "Say that a player has come", AbsencesSerializer, body=PlayerBody)
    def came(self, request: Request, **kwargs: Any) -> Response:
        """By a player of the table or the staff."""
        pairing, here = self.named(request)
        services.take_back(pairing, here, self.actor)
        return self.told()

    @operation("absences_no_show", "Decide a table for who is there", AbsencesSerializer)
    def no_show(self, request: Request, **kwargs: Any) -> Response:
        """Who is missing is out. The log can take it back."""
        services.decide(self.table(), self.actor)
        return self.told()
