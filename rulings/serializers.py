"""Rulings as the API shows them: our words, who said so, and where they lead."""

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
    """The whole address of a page as others open it, from an attribute that holds its path."""

    def to_representation(self, value: str) -> str:
        return shared_url(self.context["request"], value)


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
    """The words from one day on; a citation of them stays what it was.

    `in_force_from` is null where the day of the document counts; `effective_from` is never.
    """

    citations = CitationSerializer(many=True)
    effective_from = serializers.SerializerMethodField()
    short_address = PageField(source="short_url", help_text="The page of these very words.")

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
        """The first day of these words."""
        return queries.effective_from(version).isoformat()


class DocumentSerializer(serializers.ModelSerializer[RulingDocument]):
    """What rulings stand in. `notice` is to be shown, whole, beside its original wording."""

    rulings = serializers.IntegerField(source="rulings_in_it", help_text="How many it holds.")
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
    """A ruling with its newest words, or those of the day of `as_of`.

    `current` is null on a day on which it was not in force.
    """

    document = serializers.CharField(source="document.__str__")
    document_slug = serializers.CharField(source="document.slug")
    document_kind = serializers.ChoiceField(source="document.kind", choices=DocumentKind.choices)
    game = serializers.CharField(source="document.game")
    is_local = serializers.BooleanField(
        source="document.is_local", help_text="Made by a head judge; it holds at their event."
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
        """Every card it is about."""
        about = (link.card for link in ruling.links.all() if link.kind == LinkKind.ABOUT)
        cards = dict.fromkeys(card for card in (ruling.card, *about) if card is not None)
        return [self._parts["card"].to_representation(card) for card in cards]

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, ruling: Ruling) -> str:
        """What it is worth today, or on the day of `as_of`."""
        return queries.standing_on(ruling, self.context.get("day")).state.value

    @extend_schema_field(RulingVersionSerializer(allow_null=True))
    def get_current(self, ruling: Ruling) -> Any:
        """The newest words, or those in force on the day of `as_of`."""
        version = ruling.current
        if day := self.context.get("day"):
            standing = queries.standing_on(ruling, day)
            version = standing.version if standing.is_in_force else None
        return self._version_body(version) if version else None

    @extend_schema_field(
        serializers.ChoiceField(
            choices=RELATIONS, allow_null=True, help_text="Why it is listed, with `related`."
        )
    )
    def get_relation(self, ruling: Ruling) -> str | None:
        """What it has to do with the card that was asked for."""
        relation: str | None = self.context.get("relations", {}).get(ruling.pk)
        return relation

    def _version_body(self, version: RulingVersion) -> Any:
        return self._parts["version"].to_representation(version)

    @cached_property
    def _parts(self) -> dict[str, serializers.BaseSerializer[Any]]:
        """Made once for all rulings: to make a serializer takes longer than to use it."""
        return {
            "card": CardNameSerializer(context=self.context),
            "version": RulingVersionSerializer(context=self.context),
        }


class RulingDetailSerializer(RulingSerializer):
    """A ruling with all its versions, newest first."""

    notice = serializers.CharField(
        source="document.notice", help_text="To be shown beside the original wording."
    )
    versions = serializers.SerializerMethodField()

    class Meta(RulingSerializer.Meta):
        fields = [*RulingSerializer.Meta.fields, "notice", "versions"]

    @extend_schema_field(RulingVersionSerializer(many=True))
    def get_versions(self, ruling: Ruling) -> Any:
        """Every wording there was."""
        return [self._version_body(version) for version in ruling.versions.all()]


class ExportedRulingSerializer(RulingDetailSerializer):
    """A ruling with all its versions; the notices stand with the documents."""

    class Meta(RulingDetailSerializer.Meta):
        fields = [*RulingSerializer.Meta.fields, "versions"]


class ExportSerializer(serializers.Serializer[Any]):
    """All rulings at once. `as_of` is the day they were asked for, or null."""

    count = serializers.IntegerField()
    as_of = serializers.DateField(allow_null=True)
    documents = DocumentSerializer(many=True)
    rulings = ExportedRulingSerializer(many=True)
