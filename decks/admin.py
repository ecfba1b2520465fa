"""Looking cards and lists up. Facts and handed-in lists are never typed over."""

from django.contrib import admin

from core.read_only import ReadOnly
from decks.models import Card, CardAlias, Decklist, DecklistVersion


class AliasInline(ReadOnly, admin.TabularInline[CardAlias, Card]):
    model = CardAlias
    fields = ["alias"]


@admin.register(Card)
class CardAdmin(ReadOnly, admin.ModelAdmin[Card]):
    list_display = ["title", "game", "side", "type", "set_name", "rarity"]
    list_filter = ["game", "side", "type", "set_name"]
    search_fields = ["title", "folded_title", "aliases__folded_alias"]
    inlines = [AliasInline]


class VersionInline(ReadOnly, admin.TabularInline[DecklistVersion, Decklist]):
    model = DecklistVersion
    fields = ["number", "size", "agenda_points", "is_legal", "seal", "created_at"]


@admin.register(Decklist)
class DecklistAdmin(ReadOnly, admin.ModelAdmin[Decklist]):
    list_display = ["__str__", "player", "game", "side", "created_at"]
    list_filter = ["game", "side"]
    list_select_related = ["player"]
    search_fields = ["title", "player__name"]
    inlines = [VersionInline]
