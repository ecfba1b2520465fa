"""An event as those see it who run it: its settings, the way in, its end."""

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given
from core.openapi import operation
from tournaments.event import permissions
from tournaments.models import Tournament
from tournaments.rounds.pages.stages import stage_lines
from tournaments.settings.api import changing
from tournaments.settings.serializers import (
    JoiningSerializer,
    SettingsBody,
    SettingsSerializer,
    StageSerializer,
)
from tournaments.settings.services import events
from tournaments.web.api.access import Actions, ManyView, OneView


class Settings(OneView):
    abilities = {"GET": permissions.can_run, "PATCH": permissions.can_run}

    @operation("settings_read", "Settings", SettingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """All settings of the event, for those who run it."""
        return self._told(self.tournament)

    @operation("settings_change", "Change settings", SettingsSerializer, body=SettingsBody)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings that are named; the same as a PATCH of the event."""
        asked = given(SettingsBody, request, partial=True)
        return self._told(changing.changed(self.tournament, self.actor, asked))

    def _told(self, tournament: Tournament) -> Response:
        told = SettingsSerializer(tournament, context=self.get_serializer_context())
        return Response(told.data)


class EventActions(Actions):
    """The end of the event, and that taken back."""

    abilities = {"finish": permissions.can_run, "reopen": permissions.can_own}

    @operation("events_finish", "Finish the event", SettingsSerializer)
    def finish(self, request: Request, slug: str) -> Response:
        """The standings are final. Refused while a round or a cut is open."""
        if not self.tournament.is_finished:
            events.finish(self.tournament, self.actor)
        return _told(self)

    @operation("events_reopen", "Open a finished event again", SettingsSerializer, body=Reason)
    def reopen(self, request: Request, slug: str) -> Response:
        """Take back the end of the event; the reason goes into the log."""
        events.reopen(self.tournament, self.actor, given(Reason, request)["reason"])
        return _told(self)


def _told(view: OneView) -> Response:
    newest = Tournament.objects.get(pk=view.tournament.pk)
    return Response(SettingsSerializer(newest, context=view.get_serializer_context()).data)


class Joining(OneView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("joining_read", "The join code", JoiningSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The join code and its address, as they stand on the poster."""
        code = self.tournament.join_code
        address = request.build_absolute_uri(reverse("tournaments:join_code", args=[code]))
        return Response({"join_code": code, "address": address})


class Stages(ManyView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("stages_list", "Stages", StageSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """How each part of the event is paired and scored, first to last."""
        return self.listed(stage_lines(self.tournament), StageSerializer)
