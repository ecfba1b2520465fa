"""Lists to be judged, or to be written in another form."""

from typing import Any

from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api_bodies import given
from core.openapi import operation
from core.rate_limits import rate_limited
from decks import services
from decks.api.verdicts import DeckCheckSerializer, VerdictSerializer
from decks.formats.writers import ExportForm

LONGEST_TITLE = 120


def _rules(asked: dict[str, Any]) -> dict[str, Any]:
    """By what the list is judged; what was not said is left to the game."""
    return {
        "rules": services.asked_rules(asked["game"], asked),
        **{name: asked.get(name) for name in ("side", "date", "identity")},
    }


@extend_schema_view(
    post=operation("decks_check", "Check a deck list", VerdictSerializer, body=DeckCheckSerializer)
)
class DeckCheck(APIView):
    """The verdict on a list: everything that is wrong, by which rule, and what would mend it.

    Nothing is kept. A list that is not legal is an answer like any other; a 409 says why a
    list was not judged at all, such as a format that does not exist.
    """

    @method_decorator(rate_limited("expensive"))
    def post(self, request: Request) -> Response:
        """The document of `check_deck --json`."""
        asked = given(DeckCheckSerializer, request)
        verdict = services.check(asked["text"], game=asked["game"], **_rules(asked))
        return Response(verdict.as_document())


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


@extend_schema_view(
    post=operation(
        "decks_export",
        "Write a deck list in another form",
        ExportedDeckSerializer,
        body=DeckExportSerializer,
    )
)
class DeckExport(APIView):
    """The list for another program; a 409 names the lines that it could not tell.

    Nothing is kept. Not every form is there for every game: the 409 names those that are.
    """

    @method_decorator(rate_limited("expensive"))
    def post(self, request: Request) -> Response:
        """The file, as text."""
        asked = given(DeckExportSerializer, request)
        file = services.export(
            asked["text"],
            game=asked["game"],
            form=asked["form"],
            title=asked.get("title", ""),
            **_rules(asked),
        )
        body = {
            "filename": file.filename,
            "content_type": file.content_type,
            "text": file.body.decode(),
        }
        return Response(ExportedDeckSerializer(body).data)
