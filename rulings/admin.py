"""Read-only admin pages: imports create new versions, because cited versions never change."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from rulings.models import Citation, JudgeNote, Ruling, RulingDocument, RulingLink, RulingVersion


class RulingVersionInline(ReadOnlyAdmin, admin.StackedInline[RulingVersion, Ruling]):
    model = RulingVersion
    extra = 0
    show_change_link = True


class RulingLinkInline(ReadOnlyAdmin, admin.TabularInline[RulingLink, Ruling]):
    model = RulingLink
    extra = 0


class CitationInline(ReadOnlyAdmin, admin.TabularInline[Citation, RulingVersion]):
    model = Citation
    extra = 0


@admin.register(RulingDocument)
class RulingDocumentAdmin(ReadOnlyAdmin, admin.ModelAdmin[RulingDocument]):
    list_display = ("title", "edition", "published_on", "game")


@admin.register(Ruling)
class RulingAdmin(ReadOnlyAdmin, admin.ModelAdmin[Ruling]):
    list_display = ("code", "number", "subject", "section", "kind", "reverses")
    list_filter = ("section", "kind", "reverses")
    list_select_related = ("document",)
    search_fields = ("code", "subject")
    inlines = (RulingVersionInline, RulingLinkInline)


@admin.register(RulingVersion)
class RulingVersionAdmin(ReadOnlyAdmin, admin.ModelAdmin[RulingVersion]):
    list_display = ("ruling", "number", "in_force_from", "created_at")
    list_select_related = ("ruling",)
    search_fields = ("ruling__code", "text")
    inlines = (CitationInline,)


@admin.register(JudgeNote)
class JudgeNoteAdmin(ReadOnlyAdmin, admin.ModelAdmin[JudgeNote]):
    list_display = ("match", "kind", "author", "created_at")
    list_select_related = ("match", "author")
