"""Site administrators write rulings: a new version, what it supersedes, files of rulings."""

from typing import Any

from django.core.exceptions import ValidationError as Wrong
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Body, Text, Whole, given
from core.api_errors import not_found
from core.api_viewsets import ApiViewSet, endpoint
from core.rate_limits import Busy
from players.models import User
from rulings import queries, services
from rulings.import_forms import MOST_BYTES
from rulings.importer import files
from rulings.models import Ruling
from rulings.parsing.records import Source
from rulings.permissions import can_write_by_program, readable_by_program
from rulings.serializers import RulingDetailSerializer
from rulings.writing_forms import KINDS, LONGEST_TEXT, MOST_SOURCES, StandingForm, VersionForm


class SourceWanted(Body):
    """Who said it, where and when."""

    authority = Text(max_length=80)
    via = Text(max_length=80, required=False, allow_blank=True, default="")
    venue = Text(max_length=80, required=False, allow_blank=True, default="")
    date = serializers.DateField(required=False, allow_null=True, default=None)
    about = Text(
        max_length=120, required=False, allow_blank=True, default="", help_text="On which card."
    )


class VersionWanted(Body):
    """The words of the next version; `seen` is the number of the newest the writer has read."""

    seen = Whole(min_value=0, max_value=9999)
    text = Text(max_length=LONGEST_TEXT)
    kind = serializers.ChoiceField([kind for kind, _ in KINDS])
    in_force_from = serializers.DateField()
    reason = Text(max_length=200)
    sources: Any = serializers.ListField(
        child=SourceWanted(), required=False, default=list, max_length=MOST_SOURCES
    )

    def validate_in_force_from(self, day: Any) -> Any:
        """Not a day to come; the page asks the same."""
        form = VersionForm()
        form.cleaned_data = {"in_force_from": day}
        try:
            return form.clean_in_force_from()
        except Wrong as wrong:
            raise serializers.ValidationError(wrong.messages) from wrong


class StandingWanted(Body):
    """What a ruling stands in the place of, and since when it is withdrawn, null for not."""

    supersedes: Any = serializers.ListField(
        child=Text(max_length=80), max_length=20, help_text="Codes of rulings."
    )
    withdrawn_on = serializers.DateField(allow_null=True)


class FileWanted(Body):
    """The text of a file of rulings."""

    text = Text(max_length=MOST_BYTES, trim_whitespace=False)


class ChangeSerializer(serializers.Serializer[Any]):
    """One ruling that an import writes; `what` says how."""

    what = serializers.CharField()
    code = serializers.CharField()
    short_code = serializers.CharField()
    subject = serializers.CharField()
    text = serializers.CharField()


class ReportSerializer(serializers.Serializer[Any]):
    """What an import did, or with `preview` would do: counts by name, and each ruling."""

    preview = serializers.BooleanField()
    kind = serializers.CharField(help_text="What the file was read as.")
    document = serializers.CharField()
    counts: Any = serializers.DictField(child=serializers.IntegerField())
    changes = ChangeSerializer(many=True)
    unknown_cards: Any = serializers.ListField(child=serializers.CharField())

    class Meta:
        ref_name = "RulingsImported"


PREVIEW = OpenApiParameter(
    "preview", OpenApiTypes.BOOL, description="`true`: look, and write nothing."
)


class RulingWritingViewSet(ApiViewSet):
    """For site administrators alone; a token of one event does not open it."""

    @endpoint(
        "rulings_write",
        "Write a new version of a ruling",
        RulingDetailSerializer,
        body=VersionWanted,
        status=201,
        who=can_write_by_program,
        refusals=(services.NothingChanged, services.WrittenMeanwhile),
    )
    def write_version(self, request: Request, code: str) -> Response:
        """Whoever cited the version before keeps it."""
        ruling, body = self._ruling(code), given(VersionWanted, request)
        assert isinstance(request.user, User)
        sources = [Source(**source) for source in body.pop("sources")]
        services.write_version(ruling, **body, sources=sources, by=request.user)
        return self._shown(ruling, status.HTTP_201_CREATED)

    @endpoint(
        "rulings_standing",
        "Say what a ruling supersedes, or that it is withdrawn",
        RulingDetailSerializer,
        body=StandingWanted,
        who=can_write_by_program,
        refusals=(services.CannotSupersede,),
    )
    def set_standing(self, request: Request, code: str) -> Response:
        """Both at once, as they are to be from now on."""
        ruling, body = self._ruling(code), given(StandingWanted, request)
        others = _named(body["supersedes"], readable_by_program(request))
        services.set_standing(ruling, others, body["withdrawn_on"])
        return self._shown(ruling)

    @endpoint(
        "rulings_import",
        "Import a file of rulings",
        ReportSerializer,
        body=FileWanted,
        status=(200, 201),
        parameters=[PREVIEW],
        who=can_write_by_program,
        refusals=(Busy,),
    )
    def import_file(self, request: Request) -> Response:
        """Whole or not at all; a 400 tells what is wrong with the file, and where."""
        looks, body = self.is_asked_for("preview"), given(FileWanted, request)
        data = body["text"].encode()
        if len(data) > MOST_BYTES:
            raise ValidationError({"text": [f"At most {MOST_BYTES:,} bytes."]})
        by = request.user if isinstance(request.user, User) else None
        try:
            report = files.import_file(data, by=by, preview=looks)
        except files.FileRefused as refused:
            wrong = [*map(str, refused.args), *refused.reasons, refused.advice]
            raise ValidationError({"text": [one for one in wrong if one]}) from refused
        answer = {"preview": looks, **vars(report), "kind": report.kind.value}
        done = status.HTTP_200_OK if looks else status.HTTP_201_CREATED
        return Response(ReportSerializer(answer).data, status=done)

    def is_kept(self, request: Request) -> bool:
        """A preview holds up no writer."""
        return not self.is_asked_for("preview")

    def _ruling(self, code: str) -> Ruling:
        """The ruling of the address, by its code or short code."""
        found = queries.find_by_code(code, readable_by_program(self.request))
        if found is None:
            raise not_found("Ruling", code)
        return found

    def _shown(self, ruling: Ruling, status_: int = status.HTTP_200_OK) -> Response:
        """The ruling as it is now, with all its versions."""
        now = queries.rulings_in_full(Ruling.objects.filter(pk=ruling.pk)).get()
        context = self.get_serializer_context()
        return Response(RulingDetailSerializer(now, context=context).data, status=status_)


def _named(codes: list[str], among: QuerySet[Ruling]) -> list[Ruling]:
    """The rulings by their codes, as the page reads them. Raises ValidationError."""
    form = StandingForm(among=among)
    form.cleaned_data = {"supersedes": ",".join(codes)}
    try:
        return form.clean_supersedes()
    except Wrong as wrong:
        raise ValidationError({"supersedes": wrong.messages}) from wrong
