"""Factions in the admin."""

from django.contrib import admin

from matches.models import Faction


@admin.register(Faction)
class FactionAdmin(admin.ModelAdmin[Faction]):
    """Ids are in use and cannot change."""

    list_display = ["id", "name", "colour"]
    list_editable = ["name", "colour"]

    def get_readonly_fields(self, request: object, obj: Faction | None = None) -> tuple[str, ...]:
        return ("id",) if obj else ()
