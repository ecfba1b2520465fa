"""URLs of the rulings. Codes end in a number, so they never conflict with other pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from rulings.models import CODE_PATTERN
from rulings.views import (
    booklet,
    editing,
    feeds,
    importing,
    pages,
    reference,
    ruling,
    search,
)


class CodeConverter(StringConverter):
    regex = CODE_PATTERN.strip("^$")


register_converter(CodeConverter, "ruling_code")

app_name = "rulings"
urlpatterns = [
    path("", pages.index, name="index"),
    path("search/", search.search, name="search"),
    path("pick/", search.pick, name="pick"),
    path("booklet/<slug:game>/", booklet.booklet, name="booklet"),
    path("changes/", feeds.all_changes, name="all_changes"),
    path("changes.atom", feeds.changes_feed, name="changes_feed"),
    path("cited/", feeds.cited, name="cited"),
    path("import/", importing.import_file, name="import"),
    path("guide/", reference.guide, name="guide"),
    path("rules/", reference.rules, name="rules"),
    path("rules/<slug:slug>/", reference.page, name="rules_page"),
    path("documents/<slug:slug>/", pages.document, name="document"),
    path("card/<slug:slug>/", pages.card, name="card"),
    path("subject/<slug:slug>/", pages.subject, name="subject"),
    path("<ruling_code:code>/", ruling.ruling, name="ruling"),
    path("<ruling_code:code>/v<int:number>/", ruling.ruling, name="version"),
    path("<ruling_code:code>/changes/", ruling.changes, name="changes"),
    path("<ruling_code:code>/edit/", editing.edit, name="edit"),
    path("<ruling_code:code>/stand/", editing.stand, name="stand"),
    path("<slug:game>/card/<slug:slug>/", pages.card_of_game, name="game_card"),
    path("<slug:game>/subject/<slug:slug>/", pages.subject_of_game, name="game_subject"),
]
