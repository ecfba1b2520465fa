"""What everybody may read, and what a browser or another site asks for beside the pages."""

from django.urls import path

from tournaments.decklists.views import deck_pages
from tournaments.desk.views import events_public, help_pages, rounds_public
from tournaments.interchange import views as exporting
from tournaments.interchange.services.exporting import FORMATS
from tournaments.registration.views import meeting
from tournaments.results.views import bracket, standings
from tournaments.screens.views import embed, overlay, printing, projector
from tournaments.settings.views import creating
from tournaments.web.views import offline, server_time

EVENT = "events/<slug:slug>/"
DECK = f"{EVENT}players/<int:number>/decks/<slug:side>/"
ROUND = f"{EVENT}rounds/<int:number>/"

urlpatterns = [
    path("help/scoring/", help_pages.scoring, name="help_scoring"),
    path("events/", events_public.events, name="list"),
    # Before the address of an event, which could be named so.
    path("events/new/", creating.create, name="create"),
    path("events/import/", creating.import_event, name="import"),
    path(EVENT, events_public.event, name="event"),
    path(f"{EVENT}pairings/", rounds_public.pairings, name="pairings"),
    path(f"{EVENT}standings/", standings.standings, name="standings"),
    path(f"{EVENT}standings.csv", exporting.standings_csv, name="standings_csv"),
    path(f"{EVENT}standings/print/", printing.standings, name="print_standings"),
    path(f"{EVENT}bracket/", bracket.bracket, name="bracket"),
    path(f"{EVENT}schedule/", bracket.schedule, name="schedule"),
    path(f"{EVENT}players/<int:number>/", events_public.player, name="player"),
    path(f"{EVENT}projector/", projector.projector, name="projector"),
    path(f"{EVENT}decks/", deck_pages.decks, name="decks"),
    path(DECK, deck_pages.deck_page, name="deck_page"),
    path(f"{DECK}export/<slug:form>/", deck_pages.deck_export, name="deck_export"),
    path(ROUND, rounds_public.round_, name="round"),
    path(f"{ROUND}print/", printing.pairings, name="print_pairings"),
    path(f"{ROUND}tables/<int:table>/", rounds_public.table, name="table"),
    path("time/", server_time.server_time, name="time"),
    path(f"{EVENT}meeting/", meeting.meeting, name="meeting"),
    path(f"{EVENT}stream/", overlay.stream, name="stream"),
    path(f"{EVENT}overlays/", overlay.overlays, name="overlays"),
    path(f"{EVENT}overlay/table/<int:number>/", overlay.table, name="overlay_table"),
    path(f"{EVENT}overlay/feature/", overlay.table, name="overlay_feature"),
    path(f"{EVENT}overlay/standings/", overlay.standings, name="overlay_standings"),
    path(f"{EVENT}overlay/clock/", overlay.clock, name="overlay_clock"),
    path(f"{EVENT}embed/standings/", embed.standings, name="embed_standings"),
    path(f"{EVENT}embed/pairings/", embed.pairings, name="embed_pairings"),
    path("events/calendar.ics", exporting.all_events, name="all_events_calendar"),
    path(f"{EVENT}calendar.ics", exporting.download("ics"), name="event_calendar"),
    path(f"{EVENT}exports/", exporting.offered, name="exports"),
    *(
        path(
            f"{EVENT}exports/{form}/",
            exporting.download(form),
            name=format_.route.partition(":")[2],
        )
        for form, format_ in FORMATS.items()
    ),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.no_signal, name="offline"),
    path("help/", help_pages.index, name="help"),
    path("help/pairing/", help_pages.pairing, name="help_pairing"),
    path("help/tie-breakers/", help_pages.tie_breakers, name="help_tie_breakers"),
]
