"""Coming, and not coming: the door, the waiting list, players who are missed."""

from django.urls import path

from tournaments.views import absences, arrivals, roster_rows

ROSTER = "events/<slug:slug>/roster"
TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>"

urlpatterns = [
    path("check-in/<str:code>/", arrivals.check_in_code, name="check_in_code"),
    path("events/<slug:slug>/me/check-in.svg", arrivals.my_check_in_qr, name="my_check_in_qr"),
    path(f"{ROSTER}/tick/", arrivals.tick, name="tick"),
    path(f"{ROSTER}/scan/", arrivals.scan, name="scan"),
    path(f"{ROSTER}/badges/", arrivals.badges, name="badges"),
    path(f"{ROSTER}/<int:number>/up/", roster_rows.move_up, name="move_up"),
    path(f"{ROSTER}/<int:number>/let-in/", roster_rows.let_in, name="let_in"),
    path(f"{TABLE}/absences/", absences.absences, name="absences"),
    path(f"{TABLE}/missing/", absences.missing, name="missing"),
    path(f"{TABLE}/came/", absences.came, name="came"),
    path(f"{TABLE}/no-show/", absences.no_show, name="no_show"),
]
