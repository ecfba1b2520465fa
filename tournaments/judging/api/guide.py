"""The infraction guide of an event: read by everybody, changed by the head judge."""

from itertools import chain
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions
from tournaments.judging.pages import penalties as pages
from tournaments.judging.pages.penalties import EventGuide, GuideLine
from tournaments.judging.serializers.penalties import (
    InfractionSerializer,
    InfractionWanted,
    OwnInfractionWanted,
)
from tournaments.judging.services import infraction_guide
from tournaments.web.api.access import EventEndpoint, EventView, OneView


def _every_line(guide: EventGuide) -> list[GuideLine]:
    used = chain.from_iterable(lines for _, lines in guide.categories)
    return [*used, *guide.off]


class GuideEndpoint(EventEndpoint):
    """Infractions as they hold at the event."""

    def line(self, code: str) -> GuideLine:
        """The infraction, used or not; a 404 where there is none."""
        line = pages.event_guide(self.tournament).line(code)
        if line is None:
            raise Http404
        return line

    def shown(self, code: str, status_: int = status.HTTP_200_OK) -> Response:
        """The infraction as it is now."""
        return Response(InfractionSerializer(self.line(code)).data, status=status_)

    def change(self, code: str, body: dict[str, Any]) -> None:
        """Keep what the body says."""
        infraction_guide.change_infraction(
            self.tournament,
            self.actor,
            code,
            name=body.get("name", ""),
            description=body.get("description", ""),
            ladder=body["ladder"],
            is_off=body.get("is_off", False),
        )


class _GuideLines:
    def get(self: Any, request: Request, slug: str) -> Any:
        """By category; those that are not used here come last."""
        page = self.paginate_queryset(_every_line(pages.event_guide(self.tournament)))
        return self.get_paginated_response(InfractionSerializer(page, many=True).data)


@extend_schema_view(
    get=operation("guide_list", "Infraction guide of the event", InfractionSerializer(many=True))
)
class Guide(EventView, GuideEndpoint, _GuideLines):
    """The guide with the changes of the event, for everybody who reads the event."""

    abilities = {"POST": permissions.can_head_judge}

    @operation(
        "guide_add",
        "Add an infraction of the event's own",
        InfractionSerializer,
        body=OwnInfractionWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Its code is made of its name and lasts."""
        body = given(OwnInfractionWanted, request)
        code = pages.fresh_code(pages.event_guide(self.tournament), body["name"])
        self.change(code, body)
        return self.shown(code, status.HTTP_201_CREATED)


class InfractionDetail(OneView, GuideEndpoint):
    """One infraction of the guide of the event, by its code."""

    abilities = {"PUT": permissions.can_head_judge, "DELETE": permissions.can_head_judge}

    @operation("guide_read", "One infraction", InfractionSerializer)
    def get(self, request: Request, slug: str, code: str) -> Response:
        """As it holds here."""
        return self.shown(code)

    @operation(
        "guide_change",
        "Change an infraction at the event",
        InfractionSerializer,
        body=InfractionWanted,
    )
    def put(self, request: Request, slug: str, code: str) -> Response:
        """Another ladder, or none of it; penalties that were given stay as they are."""
        line, body = self.line(code), given(InfractionWanted, request)
        self.change(code, _complete(line, body))
        return self.shown(code)

    @operation("guide_reset", "As the guide says again", status=204)
    def delete(self, request: Request, slug: str, code: str) -> Response:
        """The guide that ships holds again; an infraction of the event's own is gone."""
        self.line(code)
        infraction_guide.forget_change(self.tournament, self.actor, code)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _complete(line: GuideLine, body: dict[str, Any]) -> dict[str, Any]:
    """What an own infraction is called stays unless it is told; the guide's names always do."""
    names = ("name", "description")
    if not line.is_own:
        said = "Only an infraction of the event's own is named here."
        wrong = {name: [said] for name in names if name in body}
        if wrong:
            raise ValidationError(wrong)
        return body
    return {**{name: getattr(line.infraction, name) for name in names}, **body}
