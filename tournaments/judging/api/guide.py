"""The infraction guide of an event: read by everybody, changed by the head judge."""

from itertools import chain
from typing import Any

from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_errors import not_found
from core.api_viewsets import endpoint
from tournaments.event import permissions
from tournaments.event.history import EventIsFinished
from tournaments.judging.pages import penalties as pages
from tournaments.judging.pages.penalties import GuideLine
from tournaments.judging.serializers.penalties import (
    InfractionSerializer,
    InfractionWanted,
    OwnInfractionWanted,
)
from tournaments.judging.services import infraction_guide
from tournaments.judging.services.penalties import NotForThisJudge
from tournaments.web.api.viewsets import EventViewSet

CHANGE_REFUSED = (EventIsFinished, NotForThisJudge)


class GuideViewSet(EventViewSet):
    """Infractions as they hold at the event, with its changes; each has a code."""

    @endpoint(
        "guide_list",
        "Infraction guide of the event",
        InfractionSerializer(many=True),
        shared=True,
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """By category; those that are not used here come last."""
        guide = pages.event_guide(self.tournament)
        used = chain.from_iterable(lines for _, lines in guide.categories)
        return self.listed([*used, *guide.off], InfractionSerializer)

    @endpoint(
        "guide_add",
        "Add an infraction of the event's own",
        InfractionSerializer,
        body=OwnInfractionWanted,
        status=201,
        who=permissions.can_head_judge,
        refusals=CHANGE_REFUSED,
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Its code is made of its name and lasts."""
        body = given(OwnInfractionWanted, request)
        code = pages.fresh_code(pages.event_guide(self.tournament), body["name"])
        self._change(code, body)
        return self._shown(code, status.HTTP_201_CREATED)

    @endpoint("guide_read", "One infraction", InfractionSerializer)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """As it holds here."""
        return self._shown(self.kwargs["code"])

    @endpoint(
        "guide_change",
        "Change an infraction at the event",
        InfractionSerializer,
        body=InfractionWanted,
        who=permissions.can_head_judge,
        refusals=CHANGE_REFUSED,
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Another ladder, or none of it; penalties that were given stay as they are."""
        code = self.kwargs["code"]
        line, body = self._line(code), given(InfractionWanted, request)
        self._change(code, _complete(line, body))
        return self._shown(code)

    @endpoint(
        "guide_reset",
        "Restore an infraction to the guide",
        status=204,
        who=permissions.can_head_judge,
        refusals=CHANGE_REFUSED,
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """The guide that ships holds again; an infraction of the event's own is gone."""
        code = self.kwargs["code"]
        self._line(code)
        infraction_guide.forget_change(self.tournament, self.actor, code)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _line(self, code: str) -> GuideLine:
        """The infraction, used or not; a 404 where there is none."""
        line = pages.event_guide(self.tournament).line(code)
        if line is None:
            raise not_found("Infraction", code)
        return line

    def _shown(self, code: str, status_: int = status.HTTP_200_OK) -> Response:
        """The infraction as it is now."""
        return Response(InfractionSerializer(self._line(code)).data, status=status_)

    def _change(self, code: str, body: dict[str, Any]) -> None:
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


def _complete(line: GuideLine, body: dict[str, Any]) -> dict[str, Any]:
    """An own infraction keeps the name that is not given anew; the guide's names always stay."""
    names = ("name", "description")
    if not line.is_own:
        said = "Only an infraction of the event's own is named here."
        wrong = {name: [said] for name in names if name in body}
        if wrong:
            raise ValidationError(wrong)
        return body
    return {**{name: getattr(line.infraction, name) for name in names}, **body}
