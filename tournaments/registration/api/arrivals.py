"""Who comes: seated at the player meeting, checked in at the door, or missed at a table."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given, valid
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration, RegistrationState
from tournaments.registration.api.roster import context_of
from tournaments.registration.forms import MeetingForm
from tournaments.registration.pages import meeting_lines, seated
from tournaments.registration.serializers import (
    AbsencesSerializer,
    ArrivalSerializer,
    CheckedInSerializer,
    MeetingBody,
    MeetingSerializer,
    NumbersBody,
    ScanBody,
)
from tournaments.registration.services import arrivals, meeting, registrations
from tournaments.registration.services.arrivals import Arrival, Outcome
from tournaments.results.serializers.results import PlayerBody
from tournaments.web.api.access import Actions, OneView, actor_of


class DoorActions(Actions):
    """Many are here, or somebody is at the door."""

    abilities = {"POST": permissions.can_open_desk}

    @operation(
        "registrations_check_in_many", "Check players in", CheckedInSerializer, body=NumbersBody
    )
    def check_in(self, request: Request, slug: str) -> Response:
        """These players are here; null is everybody, for those who run the event."""
        numbers = given(NumbersBody, request)["numbers"]
        if numbers is None:
            self.require(permissions.can_run)
        moved = registrations.check_in(self._named(numbers), self.actor)
        return Response({"checked_in": moved})

    def _named(self, numbers: list[int] | None) -> list[Registration]:
        rows = self.tournament.registrations.select_related("tournament")
        if numbers is None:
            return list(rows.filter(state=RegistrationState.REGISTERED))
        found = list(rows.filter(number__in=numbers))
        unknown = sorted(set(numbers) - {one.number for one in found})
        if unknown:
            words = f"Nobody on the roster has these numbers: {', '.join(map(str, unknown))}."
            raise ValidationError({"numbers": [words]})
        return found

    @operation(
        "registrations_scan", "Check in by a code or a name", ArrivalSerializer, body=ScanBody
    )
    def scan(self, request: Request, slug: str) -> Response:
        """Check in whoever this code is of, or who is meant by a number or a name.

        A "no" is an answer: `words` say why. Where several are meant, `found` are those.
        """
        asked = given(ScanBody, request)
        arrival, found = None, list[Registration]()
        if "code" in asked:
            arrival = arrivals.scan(self.tournament, asked["code"], self.actor)
        else:
            arrival, found = self._typed(asked["typed"])
        return Response(self._answer(arrival, found))

    def _typed(self, typed: str) -> tuple[Arrival | None, list[Registration]]:
        found = queries.meant_on_roster(self.tournament, typed)
        if len(found) == 1:
            return arrivals.arrive(self.tournament, found[0], self.actor), []
        if not found:
            words = f"Nobody on the roster is called {typed[:80]}."
            return Arrival(Outcome.NO, words), []
        return None, found

    def _answer(self, arrival: Arrival | None, found: list[Registration]) -> Any:
        context = context_of(self)
        answer = {
            "outcome": arrival.outcome if arrival else None,
            "words": arrival.words if arrival else "",
            "registration": arrival.registration if arrival else None,
            "found": found,
        }
        return ArrivalSerializer(answer, context=context).data


class AbsenceView(OneView):
    """Below a table; answers who is missed there."""

    def answer(self) -> Response:
        """Who sits at the table, and who is missed, now."""
        pairing = self.table()
        missed = {one.registration_id for one in queries.absences_at(pairing)}
        answer = {
            "round": pairing.round.number,
            "table": pairing.table_number,
            "players": [
                {"player": entry, "is_missed": entry.pk in missed} for entry in seated(pairing)
            ],
            "is_told": queries.is_reported(pairing),
        }
        return Response(AbsencesSerializer(answer).data)

    def named(self, request: Request) -> tuple[Pairing, Registration]:
        """The table and the player named; for who sits there or stands behind the desk."""
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
        return self.answer()


class AbsenceActions(Actions, AbsenceView):
    """A player is not at the table, has come, or is waited for no longer."""

    abilities = {"missing": None, "came": None, "no_show": permissions.can_enter_results}

    @operation(
        "absences_missing", "Say that a player is missing", AbsencesSerializer, body=PlayerBody
    )
    def missing(self, request: Request, **kwargs: Any) -> Response:
        """By an opponent or the staff. Told twice, it stays as it was told first."""
        pairing, gone = self.named(request)
        arrivals.mark_missing(pairing, gone, self.actor)
        return self.answer()

    @operation("absences_came", "Say that a player has come", AbsencesSerializer, body=PlayerBody)
    def came(self, request: Request, **kwargs: Any) -> Response:
        """By a player of the table or the staff."""
        pairing, here = self.named(request)
        arrivals.mark_present(pairing, here, self.actor)
        return self.answer()

    @operation("absences_no_show", "Decide a table for who is there", AbsencesSerializer)
    def no_show(self, request: Request, **kwargs: Any) -> Response:
        """Who is missing is out. The log can take it back."""
        arrivals.decide_no_show(self.table(), self.actor)
        return self.answer()


class Meeting(OneView):
    abilities = {"POST": permissions.can_run, "DELETE": permissions.can_run}

    @operation("meeting_read", "The player meeting", MeetingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The seats of the player meeting, by name, until round 1 is published."""
        is_on = queries.meeting_is_on(self.tournament)
        runs = permissions.can_run(actor_of(request), self.tournament)
        seats = meeting_lines(self.tournament) if is_on or runs else []
        return Response(MeetingSerializer({"is_on": is_on, "seats": seats}).data)

    @operation("meeting_seat", "Seat the players", MeetingSerializer, body=MeetingBody)
    def post(self, request: Request, slug: str) -> Response:
        """Seat everybody by name, anew each time."""
        form = valid(MeetingForm(given(MeetingBody, request)))
        meeting.seat(self.tournament, self.actor, **form.cleaned_data)
        self.tournament.refresh_from_db()
        return self.get(request, slug)

    @operation("meeting_clear", "Clear the seats", status=204)
    def delete(self, request: Request, slug: str) -> Response:
        """Take all seats of the meeting back."""
        meeting.clear(self.tournament, self.actor)
        return Response(status=204)
