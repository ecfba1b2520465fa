"""Read-only admin pages for rulings.

Imports create new versions, because cited versions must not change.
"""

from django.contrib import admin

from core.read_only_admin import ReadOnly
from rulings.models import Citation, JudgeNote, Ruling, RulingDocument, RulingLink, RulingVersion


class VersionInline(ReadOnly, admin.StackedInline[RulingVersion, Ruling]):
    model = RulingVersion
    extra = 0
    show_change_link = True


class LinkInline(ReadOnly, admin.TabularInline[RulingLink, Ruling]):
    model = RulingLink
    extra = 0


class CitationInline(ReadOnly, admin.TabularInline[Citation, RulingVersion]):
    model = Citation
    extra = 0


@admin.register(RulingDocument)
class RulingDocumentAdmin(ReadOnly, admin.ModelAdmin[RulingDocument]):
    list_display = ("title", "edition", "published_on", "game")


@admin.register(Ruling)
class RulingAdmin(ReadOnly, admin.ModelAdmin[Ruling]):
    list_display = ("code", "number", "subject", "section", "kind", "reverses")
    list_filter = ("section", "kind", "reverses")
    list_select_related = ("document",)
    search_fields = ("code", "subject")
    inlines = (VersionInline, LinkInline)


@admin.register(RulingVersion)
class RulingVersionAdmin(ReadOnly, admin.ModelAdmin[RulingVersion]):
    list_display = ("ruling", "number", "in_force_from", "created_at")
    list_select_related = ("ruling",)
    search_fields = ("ruling__code", "text")
    inlines = (CitationInline,)


@admin.register(JudgeNote)
class JudgeNoteAdmin(ReadOnly, admin.ModelAdmin[JudgeNote]):
    list_display = ("match", "kind", "author", "created_at")
    list_select_related = ("match", "author")
