"""URLs of the rulings. Codes end in a number, so they never conflict with other pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from rulings import editing, feeds, views
from rulings.models import CODE_PATTERN


class CodeConverter(StringConverter):
    regex = CODE_PATTERN.strip("^$")


register_converter(CodeConverter, "ruling_code")

app_name = "rulings"
urlpatterns = [
    path("", views.index, name="index"),
    path("search/", views.search_page, name="search"),
    path("pick/", views.pick_rulings, name="pick"),
    path("booklet/<slug:game>/", views.booklet, name="booklet"),
    path("changes/", feeds.all_changes, name="all_changes"),
    path("changes.atom", feeds.changes_feed, name="changes_feed"),
    path("cited/", feeds.most_cited_rulings, name="cited"),
    path("import/", editing.import_page, name="import"),
    path("guide/", views.guide, name="guide"),
    path("rules/", views.rules_index, name="rules"),
    path("rules/<slug:slug>/", views.rules_page, name="rules_page"),
    path("documents/<slug:slug>/", views.document, name="document"),
    path("card/<slug:slug>/", views.card, name="card"),
    path("subject/<slug:slug>/", views.subject, name="subject"),
    path("<ruling_code:code>/", views.ruling, name="ruling"),
    path("<ruling_code:code>/v<int:number>/", views.ruling, name="version"),
    path("<ruling_code:code>/changes/", views.ruling_changes, name="changes"),
    path("<ruling_code:code>/edit/", editing.edit_ruling, name="edit"),
    path("<ruling_code:code>/stand/", editing.edit_standing, name="stand"),
    path("<slug:game>/card/<slug:slug>/", views.card_of_game, name="game_card"),
    path("<slug:game>/subject/<slug:slug>/", views.subject_of_game, name="game_subject"),
]
