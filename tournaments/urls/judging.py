"""Judge calls, rulings and penalties of an event: for everybody, and behind the desk."""

from django.urls import URLPattern, path

from tournaments.judging.views import calls, infractions, judged, local_rulings, penalty_giving

EVENT = "events/<slug:slug>"
DESK = f"{EVENT}/desk"
CALLS = f"{DESK}/calls/"
GUIDE = f"{DESK}/guide"
PENALTIES = f"{DESK}/penalties"
RULING = f"{DESK}/rulings/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(CALLS, calls.calls, name="calls"),
    path(f"{CALLS}new/", calls.call_new, name="call_new"),
    path(f"{CALLS}past/", judged.calls_past, name="calls_past"),
    path(f"{CALLS}statistics/", judged.judge_statistics, name="judge_statistics"),
    path(f"{CALLS}<int:pk>/", calls.call, name="call"),
    path(f"{CALLS}<int:pk>/take/", calls.call_take, name="call_take"),
    path(f"{CALLS}<int:pk>/give-back/", calls.call_give_back, name="call_give_back"),
    path(f"{CALLS}<int:pk>/head-judge/", calls.call_escalate, name="call_escalate"),
    path(f"{CALLS}<int:pk>/appeal/", calls.call_appeal, name="call_appeal"),
    path(f"{DESK}/cited/", judged.event_cited, name="event_cited"),
    path(f"{EVENT}/rulings/booklet/", local_rulings.rulings_booklet, name="rulings_booklet"),
    path(f"{DESK}/booklet/", local_rulings.judges_booklet, name="judges_booklet"),
    path(f"{EVENT}/rulings/", local_rulings.event_rulings, name="event_rulings"),
    path(
        f"{EVENT}/rulings/<int:pk>/adopt/",
        local_rulings.event_ruling_adopt,
        name="event_ruling_adopt",
    ),
    path(f"{DESK}/rulings/", local_rulings.local_rulings, name="local_rulings"),
    path(f"{DESK}/rulings/new/", local_rulings.local_ruling_new, name="local_ruling_new"),
    path(RULING, local_rulings.local_ruling_edit, name="local_ruling_edit"),
    path(f"{RULING}withdraw/", local_rulings.local_ruling_withdraw, name="local_ruling_withdraw"),
    path(f"{RULING}leave/", local_rulings.local_ruling_leave, name="local_ruling_leave"),
    path(f"{DESK}/rulings/use/<int:pk>/", local_rulings.local_ruling_use, name="local_ruling_use"),
    path(f"{EVENT}/guide/", infractions.public_guide, name="event_guide"),
    path(f"{GUIDE}/", infractions.guide, name="guide_desk"),
    path(f"{GUIDE}/new/", infractions.new, name="infraction_new"),
    path(f"{GUIDE}/of/<slug:infraction>/", infractions.change, name="infraction_change"),
    path(f"{GUIDE}/of/<slug:infraction>/reset/", infractions.reset, name="infraction_reset"),
    path(f"{PENALTIES}/", penalty_giving.penalties, name="penalties"),
    path(f"{PENALTIES}/new/", penalty_giving.penalty_new, name="penalty_new"),
    path(f"{PENALTIES}/<int:pk>/withdraw/", penalty_giving.withdraw, name="penalty_withdraw"),
    path(f"{DESK}/players/<int:number>/conduct/", judged.conduct, name="conduct"),
    path(f"{DESK}/judged/", judged.judged, name="judged"),
    path(f"{DESK}/judged.csv", judged.judged_csv, name="judged_csv"),
    path(f"{DESK}/judged.json", judged.judged_json, name="judged_json"),
]
