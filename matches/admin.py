"""The factions, for staff who know better."""

from django.contrib import admin

from matches.models import Faction


@admin.register(Faction)
class FactionAdmin(admin.ModelAdmin[Faction]):
    """Names and colours may be mended; ids are in use, so they stay."""

    list_display = ["id", "name", "colour"]
    list_editable = ["name", "colour"]

    def get_readonly_fields(self, request: object, obj: Faction | None = None) -> tuple[str, ...]:
        """The id of a faction that exists."""
        return ("id",) if obj else ()
