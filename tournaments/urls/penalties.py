"""The infraction guide of an event, its penalties, and the report of its judges."""

from django.urls import URLPattern, path

from tournaments.urls.staff import DESK
from tournaments.views import infractions, judged, penalties, penalty_giving

GUIDE = f"{DESK}/guide"
PENALTIES = f"{DESK}/penalties"

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/guide/", infractions.public_guide, name="event_guide"),
    path(f"{GUIDE}/", infractions.guide, name="guide_desk"),
    path(f"{GUIDE}/new/", infractions.new, name="infraction_new"),
    path(f"{GUIDE}/of/<slug:infraction>/", infractions.change, name="infraction_change"),
    path(f"{GUIDE}/of/<slug:infraction>/reset/", infractions.reset, name="infraction_reset"),
    path(f"{PENALTIES}/", penalties.penalties, name="penalties"),
    path(f"{PENALTIES}/new/", penalty_giving.penalty_new, name="penalty_new"),
    path(f"{PENALTIES}/<int:pk>/withdraw/", penalties.withdraw, name="penalty_withdraw"),
    path(f"{DESK}/players/<int:number>/conduct/", judged.conduct, name="conduct"),
    path(f"{DESK}/judged/", judged.judged, name="judged"),
    path(f"{DESK}/judged.csv", judged.judged_csv, name="judged_csv"),
    path(f"{DESK}/judged.json", judged.judged_json, name="judged_json"),
]
