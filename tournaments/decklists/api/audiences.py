"""Who sees the decks, set by the organiser; and a look through somebody else's eyes."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from core.form_fields import whole_number
from tournaments.decklists.forms import AudiencesForm
from tournaments.decklists.pages import audiences as pages
from tournaments.decklists.serializers import AudiencesBody, AudiencesSerializer, PreviewSerializer
from tournaments.decklists.services import audiences
from tournaments.event import permissions
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Tournament
from tournaments.web.api.viewsets import EventViewSet


class AudienceViewSet(EventViewSet):
    """Who sees the decks, for those who run the event; and what somebody else would see."""

    @endpoint("audiences_read", "Who sees the decks", AudiencesSerializer, who=permissions.can_run)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Who sees the decks of each stage and from when, also in sentences."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        in_words = pages.audiences_in_words(tournament)
        document = {
            "stages": tournament.stages.all(),
            "identities_shown": tournament.identities_shown,
            "now": in_words.now,
            "to_come": in_words.to_come,
        }
        return Response(AudiencesSerializer(document).data)

    @endpoint(
        "audiences_set",
        "Set who sees the decks",
        AudiencesSerializer,
        body=AudiencesBody,
        who=permissions.can_run,
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Set it for the stages that are named, and for identities unless they are left out."""
        form = self._form(given(AudiencesBody, request))
        audiences.show_decks(
            self.tournament, self.actor, form.chosen, identities_shown=form.identities_shown
        )
        return self.retrieve(request)

    @endpoint(
        "audiences_preview",
        "What somebody sees",
        PreviewSerializer,
        parameters=[
            OpenApiParameter(
                "player", OpenApiTypes.INT, description="By number; else somebody passing by."
            )
        ],
        who=permissions.can_run,
    )
    def preview(self, request: Request, **kwargs: Any) -> Response:
        """What a player, or somebody passing by, would see of the event now."""
        return Response(PreviewSerializer(pages.preview(self.tournament, self._eyes())).data)

    def _form(self, asked: dict[str, Any]) -> AudiencesForm:
        by_number = {one["stage"]: one for one in asked.get("stages", [])}
        stages = [one for one in self.tournament.stages.all() if one.number in by_number]
        if len(stages) != len(by_number):
            raise ValidationError({"stages": ["The event has no such stage."]})
        typed: dict[str, Any] = {
            "identities_shown": asked.get("identities_shown", self.tournament.identities_shown)
        }
        for number, one in by_number.items():
            typed[f"audience_{number}"] = one["shown_to"]
            typed[f"moment_{number}"] = one.get("shown_at")
        if "identities_shown" in asked and not self.tournament.game_played.has_identities:
            raise ValidationError({"identities_shown": ["Decks of this game have none."]})
        form = AudiencesForm(typed, self.tournament, stages)
        if not form.is_valid():
            raise ValidationError({"stages": [str(one[0]) for one in form.errors.values()]})
        return form

    def _eyes(self) -> Actor:
        asked = self.request.query_params.get("player")
        if asked is None:
            return NOBODY
        number = whole_number(asked, 5)
        if number is None:
            raise ValidationError({"player": ["Give a number of the roster."]})
        roster = self.tournament.registrations.select_related("player__user")
        place = found_or_404(roster, "Player", number=number)
        return Actor(user=place.player.user, player=place.player)
