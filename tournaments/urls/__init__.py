"""Addresses of the event pages: public, the player's own, the staff's."""

from tournaments.urls import help as help_
from tournaments.urls import player, public, staff

app_name = "tournaments"
urlpatterns = [
    *staff.urlpatterns,
    *player.urlpatterns,
    *public.urlpatterns,
    *help_.urlpatterns,
]
