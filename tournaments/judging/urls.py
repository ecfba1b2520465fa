"""Addresses: judge calls, penalties, the infraction guide and local rulings."""

from django.urls import URLPattern, path

from tournaments.judging.api import answering, guide, own_calls, penalties, report
from tournaments.judging.api import calls as calls_api
from tournaments.judging.api import local_rulings as local_rulings_api
from tournaments.judging.views import calls as calls_pages
from tournaments.judging.views import infractions, judged, penalty_giving
from tournaments.judging.views import local_rulings as local_rulings_pages
from tournaments.web.urls import DESK, EVENT, TABLE

CALLS = f"{DESK}calls/"
GUIDE = f"{DESK}guide/"
PENALTIES = f"{DESK}penalties/"
API_CALL = f"{EVENT}calls/<int:pk>/"
PENALTY = f"{EVENT}penalties/<int:pk>/"
CALL = f"{CALLS}<int:pk>/"
RULING = f"{DESK}rulings/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{TABLE}call/", calls_pages.call_judge, name="call_judge"),
    path(f"{TABLE}call/withdraw/", calls_pages.withdraw_call, name="withdraw_call"),
    path(f"{TABLE}call/<int:pk>/appeal/", calls_pages.appeal_answer, name="appeal_answer"),
    path(CALLS, calls_pages.calls, name="calls"),
    path(f"{CALLS}new/", calls_pages.call_new, name="call_new"),
    path(f"{CALLS}past/", judged.calls_past, name="calls_past"),
    path(f"{CALLS}statistics/", judged.judge_statistics, name="judge_statistics"),
    path(CALL, calls_pages.call, name="call"),
    path(f"{CALL}take/", calls_pages.call_take, name="call_take"),
    path(f"{CALL}give-back/", calls_pages.call_give_back, name="call_give_back"),
    path(f"{CALL}head-judge/", calls_pages.call_escalate, name="call_escalate"),
    path(f"{CALL}appeal/", calls_pages.call_appeal, name="call_appeal"),
    path(f"{DESK}cited/", judged.event_cited, name="event_cited"),
    path(f"{EVENT}rulings/booklet/", local_rulings_pages.rulings_booklet, name="rulings_booklet"),
    path(f"{DESK}booklet/", local_rulings_pages.judges_booklet, name="judges_booklet"),
    path(f"{EVENT}rulings/", local_rulings_pages.event_rulings, name="event_rulings"),
    path(
        f"{EVENT}rulings/<int:pk>/adopt/",
        local_rulings_pages.event_ruling_adopt,
        name="event_ruling_adopt",
    ),
    path(f"{DESK}rulings/", local_rulings_pages.local_rulings, name="local_rulings"),
    path(f"{DESK}rulings/new/", local_rulings_pages.local_ruling_new, name="local_ruling_new"),
    path(RULING, local_rulings_pages.local_ruling_edit, name="local_ruling_edit"),
    path(
        f"{RULING}withdraw/",
        local_rulings_pages.local_ruling_withdraw,
        name="local_ruling_withdraw",
    ),
    path(f"{RULING}leave/", local_rulings_pages.local_ruling_leave, name="local_ruling_leave"),
    path(
        f"{DESK}rulings/use/<int:pk>/",
        local_rulings_pages.local_ruling_use,
        name="local_ruling_use",
    ),
    path(f"{EVENT}guide/", infractions.public_guide, name="event_guide"),
    path(GUIDE, infractions.guide, name="guide_desk"),
    path(f"{GUIDE}new/", infractions.new, name="infraction_new"),
    path(f"{GUIDE}of/<slug:infraction>/", infractions.change, name="infraction_change"),
    path(f"{GUIDE}of/<slug:infraction>/reset/", infractions.reset, name="infraction_reset"),
    path(PENALTIES, penalty_giving.penalties, name="penalties"),
    path(f"{PENALTIES}new/", penalty_giving.penalty_new, name="penalty_new"),
    path(f"{PENALTIES}<int:pk>/withdraw/", penalty_giving.withdraw, name="penalty_withdraw"),
    path(f"{DESK}players/<int:number>/conduct/", judged.conduct, name="conduct"),
    path(f"{DESK}judged/", judged.judged, name="judged"),
    path(f"{DESK}judged.csv", judged.judged_csv, name="judged_csv"),
    path(f"{DESK}judged.json", judged.judged_json, name="judged_json"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}calls/", calls_api.CallList.as_view(), name="calls"),
    path(f"{EVENT}calls/statistics/", calls_api.CallStatistics.as_view(), name="call_statistics"),
    path(API_CALL, calls_api.CallDetail.as_view(), name="call"),
    path(f"{API_CALL}take/", answering.CallActions.by_post("take"), name="call_take"),
    path(
        f"{API_CALL}give-back/", answering.CallActions.by_post("give_back"), name="call_give_back"
    ),
    path(f"{API_CALL}escalate/", answering.CallActions.by_post("escalate"), name="call_escalate"),
    path(f"{API_CALL}answer/", answering.CallActions.by_post("answer"), name="call_answer"),
    path(f"{API_CALL}reopen/", answering.CallActions.by_post("reopen"), name="call_reopen"),
    path(f"{API_CALL}appeal/", own_calls.OwnCallActions.by_post("appeal"), name="call_appeal"),
    path(
        f"{API_CALL}withdraw/", own_calls.OwnCallActions.by_post("withdraw"), name="call_withdraw"
    ),
    path(f"{TABLE}call/", own_calls.TableCalls.as_view(), name="table_calls"),
    path(f"{TABLE}notes/", report.TableNotes.as_view(), name="table_notes"),
    path(f"{EVENT}penalties/", penalties.PenaltyList.as_view(), name="penalties"),
    path(f"{EVENT}penalties/look/", penalties.PenaltyActions.by_post("look"), name="penalty_look"),
    path(PENALTY, penalties.PenaltyDetail.as_view(), name="penalty"),
    path(
        f"{PENALTY}withdraw/", penalties.PenaltyActions.by_post("withdraw"), name="penalty_withdraw"
    ),
    path(f"{PENALTY}again/", penalties.PenaltyActions.by_post("give_again"), name="penalty_again"),
    path(f"{EVENT}players/<int:number>/conduct/", penalties.Conduct.as_view(), name="conduct"),
    path(f"{EVENT}guide/", guide.Guide.as_view(), name="guide"),
    path(f"{EVENT}guide/<slug:code>/", guide.InfractionDetail.as_view(), name="infraction"),
    path(f"{EVENT}rulings/", local_rulings_api.LocalRulingList.as_view(), name="local_rulings"),
    path(
        f"{EVENT}rulings/offered/",
        local_rulings_api.OfferedRulings.as_view(),
        name="offered_rulings",
    ),
    path(
        f"{EVENT}rulings/<int:pk>/",
        local_rulings_api.LocalRulingDetail.as_view(),
        name="local_ruling",
    ),
    path(f"{EVENT}judged/", report.Judged.as_view(), name="judged"),
    path(f"{EVENT}cited/", report.Cited.as_view(), name="cited"),
]
