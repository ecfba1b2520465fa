"""Serializers of rulings: text, sources and links."""

from typing import Any

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.addresses import shared_url
from decks.serializers import CardNameSerializer
from rulings import queries
from rulings.models import (
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingLink,
    RulingVersion,
)

STATES = [(state.value, state.value) for state in queries.RulingState]
RELATIONS = [(relation.value, relation.value) for relation in queries.CardRelation]


@extend_schema_field(serializers.URLField())
class PageField(serializers.ReadOnlyField):
    """Absolute URL of a page, from an attribute with its path."""

    def to_representation(self, value: str) -> str:
        return shared_url(self.context["request"], value)


class CitationSerializer(serializers.ModelSerializer[Citation]):
    """Source of a version."""

    about_card = CardNameSerializer(allow_null=True)

    class Meta:
        model = Citation
        fields = ["authority", "via", "venue", "date", "about", "about_card"]


class RulingLinkSerializer(serializers.ModelSerializer[RulingLink]):
    """Link to a card, to a subject of the list, or to both."""

    link = serializers.ChoiceField(source="kind", choices=LinkKind.choices)
    card = CardNameSerializer(allow_null=True)

    class Meta:
        model = RulingLink
        fields = ["link", "name", "subject_slug", "card"]


class RulingVersionSerializer(serializers.ModelSerializer[RulingVersion]):
    """Immutable text of a ruling from a day on.

    `in_force_from` is null if the date of the document applies; `effective_from` is never null.
    """

    citations = CitationSerializer(many=True)
    effective_from = serializers.SerializerMethodField()
    short_address = PageField(source="short_url", help_text="The page of this version.")

    class Meta:
        model = RulingVersion
        fields = [
            "number",
            "text",
            "original_text",
            "in_force_from",
            "effective_from",
            "reason",
            "created_at",
            "short_address",
            "citations",
        ]

    @extend_schema_field(serializers.DateField())
    def get_effective_from(self, version: RulingVersion) -> str:
        """First day on which the version is in force."""
        return queries.effective_from(version).isoformat()


class DocumentSerializer(serializers.ModelSerializer[RulingDocument]):
    """Document of rulings. Show `notice` in full next to original wordings."""

    rulings = serializers.IntegerField(source="rulings_in_it", help_text="The number of rulings.")
    page = PageField(source="get_absolute_url")

    class Meta:
        model = RulingDocument
        fields = [
            "slug",
            "game",
            "kind",
            "title",
            "edition",
            "published_on",
            "notice",
            "rulings",
            "page",
        ]


class RulingSerializer(serializers.ModelSerializer[Ruling]):
    """Ruling with its newest version, or the version in force on `as_of`.

    `current` is null if it was not in force that day.
    """

    document = serializers.CharField(source="document.__str__")
    document_slug = serializers.CharField(source="document.slug")
    document_kind = serializers.ChoiceField(source="document.kind", choices=DocumentKind.choices)
    game = serializers.CharField(source="document.game")
    is_local = serializers.BooleanField(
        source="document.is_local", help_text="Given by a head judge; it applies at that event."
    )
    card = CardNameSerializer(allow_null=True)
    cards = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()
    current = serializers.SerializerMethodField()
    supersedes: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="short_code", many=True, read_only=True
    )
    superseded_by: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="short_code", many=True, read_only=True
    )
    relation = serializers.SerializerMethodField()
    links = RulingLinkSerializer(many=True)
    url = serializers.HyperlinkedIdentityField(view_name="api:ruling", lookup_field="code")
    page = PageField(source="get_absolute_url")
    short_address = PageField(source="short_url")

    class Meta:
        model = Ruling
        fields = [
            "code",
            "short_code",
            "document",
            "document_slug",
            "document_kind",
            "game",
            "is_local",
            "number",
            "place",
            "heading",
            "section",
            "subject",
            "subject_slug",
            "kind",
            "reverses",
            "overturned",
            "state",
            "supersedes",
            "superseded_by",
            "withdrawn_on",
            "card",
            "cards",
            "relation",
            "current",
            "links",
            "url",
            "page",
            "short_address",
        ]

    @extend_schema_field(CardNameSerializer(many=True))
    def get_cards(self, ruling: Ruling) -> Any:
        """All cards that the ruling is about."""
        about = (link.card for link in ruling.links.all() if link.kind == LinkKind.ABOUT)
        cards = dict.fromkeys(card for card in (ruling.card, *about) if card is not None)
        return [self._parts["card"].to_representation(card) for card in cards]

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, ruling: Ruling) -> str:
        """State today, or on `as_of`."""
        return queries.standing_on(ruling, self.context.get("day")).state.value

    @extend_schema_field(RulingVersionSerializer(allow_null=True))
    def get_current(self, ruling: Ruling) -> Any:
        """Newest version, or the version in force on `as_of`."""
        version = ruling.current
        if day := self.context.get("day"):
            standing = queries.standing_on(ruling, day)
            version = standing.version if standing.is_in_force else None
        return self._version_body(version) if version else None

    @extend_schema_field(
        serializers.ChoiceField(
            choices=RELATIONS, allow_null=True, help_text="The reason why `related` lists it."
        )
    )
    def get_relation(self, ruling: Ruling) -> str | None:
        """Relation to the requested card."""
        relation: str | None = self.context.get("relations", {}).get(ruling.pk)
        return relation

    def _version_body(self, version: RulingVersion) -> Any:
        return self._parts["version"].to_representation(version)

    @cached_property
    def _parts(self) -> dict[str, serializers.BaseSerializer[Any]]:
        # Built once for all rulings: building a serializer takes longer than using it.
        return {
            "card": CardNameSerializer(context=self.context),
            "version": RulingVersionSerializer(context=self.context),
        }


class RulingDetailSerializer(RulingSerializer):
    """Ruling with all its versions, newest first."""

    notice = serializers.CharField(
        source="document.notice", help_text="Show the notice next to the original wording."
    )
    versions = serializers.SerializerMethodField()

    class Meta(RulingSerializer.Meta):
        fields = [*RulingSerializer.Meta.fields, "notice", "versions"]

    @extend_schema_field(RulingVersionSerializer(many=True))
    def get_versions(self, ruling: Ruling) -> Any:
        """All versions, newest first."""
        return [self._version_body(version) for version in ruling.versions.all()]


class ExportedRulingSerializer(RulingDetailSerializer):
    """Ruling with all its versions. Its document has the notice."""

    class Meta(RulingDetailSerializer.Meta):
        fields = [*RulingSerializer.Meta.fields, "versions"]


class ExportSerializer(serializers.Serializer[Any]):
    """All rulings. `as_of` is the requested day, or null."""

    count = serializers.IntegerField()
    as_of = serializers.DateField(allow_null=True)
    documents = DocumentSerializer(many=True)
    rulings = ExportedRulingSerializer(many=True)
