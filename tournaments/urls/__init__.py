"""Addresses of the event pages: public, the player's own, the staff's."""

from tournaments.urls import (
    arriving,
    booklets,
    calls,
    citing,
    clock,
    history,
    local_rulings,
    offline,
    paper,
    penalties,
    player,
    practice,
    public,
    results,
    rounds,
    staff,
    staffing,
    wishes,
)
from tournaments.urls import help as help_

app_name = "tournaments"
urlpatterns = [
    *staff.urlpatterns,
    *staffing.urlpatterns,
    *history.urlpatterns,
    *practice.urlpatterns,
    *player.urlpatterns,
    *public.urlpatterns,
    *help_.urlpatterns,
    *paper.urlpatterns,
    *calls.urlpatterns,
    *citing.urlpatterns,
    *booklets.urlpatterns,
    *local_rulings.urlpatterns,
    *penalties.urlpatterns,
    *clock.urlpatterns,
    *wishes.urlpatterns,
    *rounds.urlpatterns,
    *results.urlpatterns,
    *arriving.urlpatterns,
    *offline.urlpatterns,
]
