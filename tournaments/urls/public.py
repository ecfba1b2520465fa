"""What everybody may read."""

from django.urls import path

from tournaments.views import (
    bracket,
    creating,
    deck_pages,
    decks_public,
    downloads,
    events_public,
    help,  # noqa: A004 - the page is called so
    importing,
    players_public,
    printing,
    projector,
    rounds_public,
    schedule,
    standings,
)

DECK = "events/<slug:slug>/players/<int:number>/decks/<slug:side>/"
ROUND = "events/<slug:slug>/rounds/<int:number>/"

urlpatterns = [
    path("help/scoring/", help.scoring, name="help_scoring"),
    path("events/", events_public.events, name="list"),
    # Before the address of an event, which could be named so.
    path("events/new/", creating.create, name="create"),
    path("events/import/", importing.import_event, name="import"),
    path("events/<slug:slug>/", events_public.event, name="event"),
    path("events/<slug:slug>/pairings/", rounds_public.pairings, name="pairings"),
    path("events/<slug:slug>/standings/", standings.standings, name="standings"),
    path("events/<slug:slug>/standings.csv", downloads.standings_csv, name="standings_csv"),
    path("events/<slug:slug>/standings/print/", printing.standings, name="print_standings"),
    path("events/<slug:slug>/bracket/", bracket.bracket, name="bracket"),
    path("events/<slug:slug>/schedule/", schedule.schedule, name="schedule"),
    path("events/<slug:slug>/players/<int:number>/", players_public.player, name="player"),
    path("events/<slug:slug>/projector/", projector.projector, name="projector"),
    path("events/<slug:slug>/decks/", decks_public.decks, name="decks"),
    path(DECK, deck_pages.deck_page, name="deck_page"),
    path(f"{DECK}export/<slug:form>/", deck_pages.deck_export, name="deck_export"),
    path(ROUND, rounds_public.round_, name="round"),
    path(f"{ROUND}print/", printing.pairings, name="print_pairings"),
    path(f"{ROUND}tables/<int:table>/", rounds_public.table, name="table"),
]
