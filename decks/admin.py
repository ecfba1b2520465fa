"""Read-only admin pages for cards, formats and decklists."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.admin import ReadOnlyAdmin
from decks.models import (
    Card,
    CardAlias,
    CardPool,
    CardSet,
    Catalogue,
    Decklist,
    DecklistVersion,
    Format,
    Printing,
    Restriction,
    RestrictionEntry,
    Snapshot,
)


@admin.register(Catalogue)
class CatalogueAdmin(ReadOnlyAdmin, admin.ModelAdmin[Catalogue]):
    list_display = ["game", "source", "source_date", "imported_at", "stamp"]


class AliasInline(ReadOnlyAdmin, admin.TabularInline[CardAlias, Card]):
    model = CardAlias
    fields = ["alias"]


class PrintingInline(ReadOnlyAdmin, admin.TabularInline[Printing, Card]):
    model = Printing
    fields = ["code", "card_set", "position", "quantity"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Printing]:
        return super().get_queryset(request).select_related("card", "card_set")


@admin.register(Card)
class CardAdmin(ReadOnlyAdmin, admin.ModelAdmin[Card]):
    list_display = ["title", "game", "side", "type", "faction", "set_name", "rarity"]
    list_filter = ["game", "side", "type", "faction", "set_name"]
    search_fields = ["title", "folded_title", "aliases__folded_alias", "card_id"]
    inlines = [PrintingInline, AliasInline]


@admin.register(CardSet)
class CardSetAdmin(ReadOnlyAdmin, admin.ModelAdmin[CardSet]):
    list_display = ["name", "game", "cycle", "type", "released_on", "size"]
    list_filter = ["game", "type", "cycle"]
    list_select_related = ["cycle"]
    search_fields = ["name", "set_id"]


class SnapshotInline(ReadOnlyAdmin, admin.TabularInline[Snapshot, Format]):
    model = Snapshot
    fields = ["snapshot_id", "effective_from", "pool", "restriction"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Snapshot]:
        return super().get_queryset(request).select_related("format", "pool", "restriction")


@admin.register(Format)
class FormatAdmin(ReadOnlyAdmin, admin.ModelAdmin[Format]):
    list_display = ["name", "format_id", "game"]
    list_filter = ["game"]
    inlines = [SnapshotInline]


@admin.register(CardPool)
class CardPoolAdmin(ReadOnlyAdmin, admin.ModelAdmin[CardPool]):
    list_display = ["name", "pool_id", "format"]
    list_filter = ["format"]
    list_select_related = ["format"]
    search_fields = ["name", "pool_id"]


class EntryInline(ReadOnlyAdmin, admin.TabularInline[RestrictionEntry, Restriction]):
    model = RestrictionEntry
    fields = ["card", "kind", "value"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RestrictionEntry]:
        return super().get_queryset(request).select_related("card", "restriction")


@admin.register(Restriction)
class RestrictionAdmin(ReadOnlyAdmin, admin.ModelAdmin[Restriction]):
    list_display = ["name", "restriction_id", "format", "effective_from", "point_limit"]
    list_filter = ["format"]
    list_select_related = ["format"]
    search_fields = ["name", "restriction_id"]
    inlines = [EntryInline]


class DecklistVersionInline(ReadOnlyAdmin, admin.TabularInline[DecklistVersion, Decklist]):
    model = DecklistVersion
    fields = ["number", "size", "agenda_points", "is_legal", "seal", "created_at"]


@admin.register(Decklist)
class DecklistAdmin(ReadOnlyAdmin, admin.ModelAdmin[Decklist]):
    list_display = ["__str__", "player", "game", "side", "created_at"]
    list_filter = ["game", "side"]
    list_select_related = ["player"]
    search_fields = ["title", "player__name"]
    inlines = [DecklistVersionInline]
