"""Who comes: seated at the player meeting, checked in at the door, or missed at a table."""

from collections.abc import Sequence
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given, valid
from core.api_viewsets import anyone, endpoint
from tournaments.event import permissions, queries
from tournaments.event.history import EventIsFinished
from tournaments.models import Pairing, Registration
from tournaments.registration.api.roster import NOT_IN, OfRoster
from tournaments.registration.forms import MeetingForm
from tournaments.registration.pages import meeting_lines, seated
from tournaments.registration.serializers.arrivals import (
    AbsencesSerializer,
    ArrivalSerializer,
    CheckedInSerializer,
    MeetingBody,
    MeetingSerializer,
    NumbersBody,
    ScanBody,
)
from tournaments.registration.services import arrivals, meeting, no_shows, registrations
from tournaments.registration.services.arrivals import Arrival, Outcome
from tournaments.registration.services.no_shows import NotMissed
from tournaments.results.serializers.results import PlayerBody
from tournaments.web.api.viewsets import EventViewSet


class DoorViewSet(OfRoster):
    """Many are here, or somebody is at the door."""

    @endpoint(
        "registrations_check_in_many",
        "Check players in",
        CheckedInSerializer,
        body=NumbersBody,
        who=permissions.can_open_desk,
        refusals=NOT_IN,
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
            return list(rows.filter(pk__in=queries.to_check_in(self.tournament)))
        found = list(rows.filter(number__in=numbers))
        unknown = sorted(set(numbers) - {one.number for one in found})
        if unknown:
            words = f"Nobody on the roster has these numbers: {', '.join(map(str, unknown))}."
            raise ValidationError({"numbers": [words]})
        return found

    @endpoint(
        "registrations_scan",
        "Check in by a code or a name",
        ArrivalSerializer,
        body=ScanBody,
        who=permissions.can_open_desk,
        refusals=NOT_IN,
    )
    def scan(self, request: Request, slug: str) -> Response:
        """Check in whoever this code is of, or who is meant by a number or a name.

        A "no" is an answer: `words` say why. Where several are meant, `found` are those.
        """
        asked = given(ScanBody, request)
        if "typed" in asked:
            return self._typed(asked["typed"])
        return self._arrival(arrivals.scan(self.tournament, asked["code"], self.actor))

    def _typed(self, typed: str) -> Response:
        found = queries.meant_on_roster(self.tournament, typed)
        if len(found) > 1:
            return self._arrival(None, found)
        if not found:
            return self._arrival(
                Arrival(Outcome.NO, f"Nobody on the roster is called {typed[:80]}.")
            )
        return self._arrival(arrivals.arrive(self.tournament, found[0], self.actor))

    def _arrival(self, arrival: Arrival | None, found: Sequence[Registration] = ()) -> Response:
        answer = {
            "outcome": arrival.outcome if arrival else None,
            "words": arrival.words if arrival else "",
            "registration": arrival.registration if arrival else None,
            "found": found,
        }
        body = ArrivalSerializer(answer, context=self.get_serializer_context())
        return Response(body.data)


class MeetingViewSet(EventViewSet):
    """Where all are seated before round 1."""

    @endpoint("meeting_read", "The player meeting", MeetingSerializer, who=anyone)
    def retrieve(self, request: Request, slug: str) -> Response:
        """The seats of the player meeting, by name, until round 1 is published."""
        return self._answer()

    @endpoint(
        "meeting_seat",
        "Seat the players",
        MeetingSerializer,
        body=MeetingBody,
        who=permissions.can_run,
        refusals=(EventIsFinished, meeting.NoMeeting),
    )
    def create(self, request: Request, slug: str) -> Response:
        """Seat everybody by name, anew each time."""
        form = valid(MeetingForm(given(MeetingBody, request)))
        meeting.seat(self.tournament, self.actor, **form.cleaned_data)
        self.tournament.refresh_from_db()
        return self._answer()

    def _answer(self) -> Response:
        is_on = queries.meeting_is_on(self.tournament)
        runs = permissions.can_run(self.actor, self.tournament)
        seats = meeting_lines(self.tournament) if is_on or runs else []
        return Response(MeetingSerializer({"is_on": is_on, "seats": seats}).data)

    @endpoint(
        "meeting_clear",
        "Clear the seats",
        status=204,
        who=permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def destroy(self, request: Request, slug: str) -> Response:
        """Take all seats of the meeting back."""
        meeting.clear(self.tournament, self.actor)
        return Response(status=204)


class AbsenceViewSet(EventViewSet):
    """Below a table: a player is not there, has come, or is waited for no longer."""

    @endpoint(
        "absences_read",
        "Who is missing at a table",
        AbsencesSerializer,
        who=permissions.can_open_desk,
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """For the staff."""
        return self._answer()

    @endpoint(
        "absences_missing",
        "Mark a player missing",
        AbsencesSerializer,
        body=PlayerBody,
        who=anyone,
        refusals=(EventIsFinished, NotMissed),
    )
    def mark_missing(self, request: Request, **kwargs: Any) -> Response:
        """By an opponent or the staff. Sent twice, the first time counts."""
        pairing, gone = self._named()
        no_shows.mark_missing(pairing, gone, self.actor)
        return self._answer()

    @endpoint(
        "absences_came",
        "Mark a missing player as here",
        AbsencesSerializer,
        body=PlayerBody,
        who=anyone,
        refusals=(EventIsFinished, NotMissed),
    )
    def mark_present(self, request: Request, **kwargs: Any) -> Response:
        """By a player of the table or the staff."""
        pairing, here = self._named()
        no_shows.mark_present(pairing, here, self.actor)
        return self._answer()

    @endpoint(
        "absences_no_show",
        "Decide a table for the player who is there",
        AbsencesSerializer,
        who=permissions.can_enter_results,
        refusals=(EventIsFinished, NotMissed),
    )
    def decide_no_show(self, request: Request, **kwargs: Any) -> Response:
        """Who is missing is out. The log can take it back."""
        no_shows.decide_no_show(self.table(), self.actor)
        return self._answer()

    def _answer(self) -> Response:
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

    def _named(self) -> tuple[Pairing, Registration]:
        """The table and the player named; for who sits there or stands behind the desk."""
        pairing = self.table()
        here = {entry.number: entry for entry in seated(pairing)}
        sits_here = self.actor.player in [entry.player for entry in here.values()]
        if not sits_here and not permissions.can_open_desk(self.actor, self.tournament):
            self.refuse(self.request)
        number = given(PlayerBody, self.request)["player"]
        if number not in here:
            raise ValidationError({"player": ["Choose one of the players at this table."]})
        return pairing, here[number]
