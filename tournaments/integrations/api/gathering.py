"""News outside the site, and the player meeting."""

from rest_framework.request import Request
from rest_framework.response import Response

from core import web_push
from core.api_bodies import given, valid
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.event import services as event_services
from tournaments.integrations import announcements
from tournaments.integrations.forms import AnnouncingForm
from tournaments.integrations.serializers import (
    AnnouncingBody,
    AnnouncingSerializer,
    MeetingBody,
    MeetingSerializer,
)
from tournaments.integrations.services import announcing
from tournaments.registration.forms import MeetingForm
from tournaments.registration.pages import meeting_lines
from tournaments.registration.services import meeting
from tournaments.web.api.access import OneView, actor_of

SWITCHES = ("tells_pairings", "tells_standings", "allows_mail", "allows_push")


class _News(OneView):
    def told(self) -> Response:
        """All of it as it is now."""
        setting = event_services.setting_of(self.tournament)
        rounds = queries.visible_rounds(self.tournament).select_related("stage__tournament")
        latest = rounds.last()
        told = {
            **{name: getattr(setting, name) for name in SWITCHES},
            "site": announcing.site_of(setting),
            "can_mail": announcements.can_mail(),
            "can_push": web_push.is_on(),
            "sendings": queries.sendings(self.tournament),
            "pairings": announcements.pairings_texts(latest) if latest else [],
            "standings": announcements.standings_texts(self.tournament),
        }
        return Response(AnnouncingSerializer(told).data)


class Announcing(_News):
    abilities = {"GET": permissions.can_run, "PUT": permissions.can_run}

    @operation("announcing_read", "News of the event", AnnouncingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What is told where, what became of it, and the same as text to copy."""
        return self.told()

    @operation(
        "announcing_set", "Set what is told where", AnnouncingSerializer, body=AnnouncingBody
    )
    def put(self, request: Request, slug: str) -> Response:
        """Set what is told where; the address of the webhook is never told again."""
        asked = given(AnnouncingBody, request)
        setting = event_services.setting_of(self.tournament)
        typed = {**{name: getattr(setting, name) for name in SWITCHES}, **asked}
        typed["forgets_webhook"] = asked.get("webhook") == ""
        form = valid(AnnouncingForm(typed))
        announcing.change(self.tournament, self.actor, **form.changes())
        return self.told()


class AnnouncingTest(_News):
    abilities = {"POST": permissions.can_run}

    @operation("announcing_test", "Try the webhook", AnnouncingSerializer, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Send a word to the channel; `sendings` say what comes of it."""
        announcing.send_test(self.tournament)
        response = self.told()
        response.status_code = 202
        return response


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
