"""Addresses of the event pages: public, the player's own, the staff's."""

from tournaments.urls import judging, player, public, rounds, staff

app_name = "tournaments"
urlpatterns = [
    # What a hall asks for again and again is found first.
    *public.urlpatterns,
    *player.urlpatterns,
    *staff.urlpatterns,
    *rounds.urlpatterns,
    *judging.urlpatterns,
]
