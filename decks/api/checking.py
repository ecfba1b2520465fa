"""Lists to be judged, or to be written in another form."""

from typing import Any

from django.utils.decorators import method_decorator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import READ, ApiViewSet, anyone, endpoint
from core.rate_limits import rate_limited
from decks import services
from decks.api.verdicts import DeckCheckSerializer, VerdictSerializer
from decks.formats.writers import ExportForm

LONGEST_TITLE = 120
NOT_JUDGED = (
    *(services.NoCards, services.NothingRead, services.SideUnclear),
    *(services.UnknownFormat, services.RuleOfAnotherGame),
)
"""Why a list is not judged at all."""


def _rules(asked: dict[str, Any]) -> dict[str, Any]:
    """By what the list is judged; what was not said is left to the game."""
    return {
        "rules": services.asked_rules(asked["game"], asked),
        **{name: asked.get(name) for name in ("side", "date", "identity")},
    }


class DeckExportSerializer(DeckCheckSerializer):
    """A list to be written in another form."""

    form = serializers.ChoiceField([form.value for form in ExportForm])
    title = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_TITLE, help_text="Else its own name."
    )


class ExportedDeckSerializer(serializers.Serializer[Any]):
    """A deck as a file for another program."""

    filename = serializers.CharField()
    content_type = serializers.CharField()
    text = serializers.CharField()


class DeckListViewSet(ApiViewSet):
    """A list that somebody sends, whoever they are, judged or written in another form.

    Nothing is kept. A list that is not legal is an answer like any other; a 409 says why a list
    was not judged at all, such as a format that does not exist.
    """

    headers_of_writes = ()
    takes_bound_tokens = True

    @endpoint(
        "decks_check",
        "Check a deck list",
        VerdictSerializer,
        body=DeckCheckSerializer,
        who=anyone,
        scope=READ,
        refusals=NOT_JUDGED,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request) -> Response:
        """The document of `check_deck --json`."""
        asked = given(DeckCheckSerializer, request)
        verdict = services.check(asked["text"], game=asked["game"], **_rules(asked))
        return Response(verdict.as_document())

    @endpoint(
        "decks_export",
        "Write a deck list in another form",
        ExportedDeckSerializer,
        body=DeckExportSerializer,
        who=anyone,
        scope=READ,
        refusals=(*NOT_JUDGED, services.FormNotOffered, services.CardsNotKnown),
    )
    @method_decorator(rate_limited("expensive"))
    def export(self, request: Request) -> Response:
        """The file, as text."""
        asked = given(DeckExportSerializer, request)
        file = services.export(
            asked["text"],
            game=asked["game"],
            form=asked["form"],
            title=asked.get("title", ""),
            **_rules(asked),
        )
        return Response(ExportedDeckSerializer(file).data)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        # Whatever answers a POST is kept by nothing.
        del response["Cache-Control"]
        return response
