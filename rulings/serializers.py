"""Rulings as the API tells them: our words, who said so, and where they lead."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.serializers import CardNameSerializer
from rulings.models import Citation, LinkKind, Ruling, RulingLink, RulingVersion


class CitationSerializer(serializers.ModelSerializer[Citation]):
    """Who said it, where and when."""

    about_card = CardNameSerializer(allow_null=True)

    class Meta:
        model = Citation
        fields = ["authority", "via", "venue", "date", "about", "about_card"]


class RulingLinkSerializer(serializers.ModelSerializer[RulingLink]):
    """What a ruling names: a card, a subject of the list, or both."""

    link = serializers.ChoiceField(source="kind", choices=LinkKind.choices)
    card = CardNameSerializer(allow_null=True)

    class Meta:
        model = RulingLink
        fields = ["link", "name", "subject_slug", "card"]


class RulingVersionSerializer(serializers.ModelSerializer[RulingVersion]):
    """The words from one day on; a citation of them stays what it was."""

    citations = CitationSerializer(many=True)

    class Meta:
        model = RulingVersion
        fields = ["number", "text", "original_text", "in_force_from", "citations"]


class RulingSerializer(serializers.ModelSerializer[Ruling]):
    """A ruling with its words as in force now."""

    document = serializers.CharField(source="document.__str__")
    card = CardNameSerializer(allow_null=True)
    current = RulingVersionSerializer(allow_null=True)
    links = RulingLinkSerializer(many=True)
    url = serializers.HyperlinkedIdentityField(view_name="api:ruling", lookup_field="code")
    page = serializers.HyperlinkedIdentityField(view_name="rulings:ruling", lookup_field="code")

    class Meta:
        model = Ruling
        fields = [
            "code",
            "document",
            "number",
            "section",
            "subject",
            "subject_slug",
            "kind",
            "reverses",
            "card",
            "current",
            "links",
            "url",
            "page",
        ]


class RulingDetailSerializer(RulingSerializer):
    """A ruling with all its versions, newest first."""

    versions = serializers.SerializerMethodField()

    class Meta(RulingSerializer.Meta):
        fields = [*RulingSerializer.Meta.fields, "versions"]

    @extend_schema_field(RulingVersionSerializer(many=True))
    def get_versions(self, ruling: Ruling) -> Any:
        """Every wording there was."""
        return RulingVersionSerializer(ruling.versions.all(), many=True).data
