"""Addresses: judge calls, penalties, the infraction guide and local rulings."""

from django.urls import URLPattern, path

from tournaments.judging.api import calls as calls_api
from tournaments.judging.api import guide as guide_api
from tournaments.judging.api import penalties as penalties_api
from tournaments.judging.api import rulings as rulings_api
from tournaments.judging.views import calls, guide, penalties, rulings
from tournaments.web.urls import DESK, EVENT, TABLE

CALLS = f"{DESK}calls/"
GUIDE = f"{DESK}guide/"
PENALTIES = f"{DESK}penalties/"
API_CALL = f"{EVENT}calls/<int:pk>/"
PENALTY = f"{EVENT}penalties/<int:pk>/"
CALL = f"{CALLS}<int:pk>/"
RULING = f"{DESK}rulings/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{TABLE}call/", calls.call_judge, name="call_judge"),
    path(f"{TABLE}call/withdraw/", calls.withdraw_call, name="withdraw_call"),
    path(f"{TABLE}call/<int:pk>/appeal/", calls.appeal_answer, name="appeal_answer"),
    path(CALLS, calls.call_list, name="calls"),
    path(f"{CALLS}new/", calls.call_new, name="call_new"),
    path(f"{CALLS}past/", calls.calls_past, name="calls_past"),
    path(f"{CALLS}statistics/", calls.judge_statistics, name="judge_statistics"),
    path(CALL, calls.call, name="call"),
    path(f"{CALL}take/", calls.call_take, name="call_take"),
    path(f"{CALL}give-back/", calls.call_give_back, name="call_give_back"),
    path(f"{CALL}head-judge/", calls.call_escalate, name="call_escalate"),
    path(f"{CALL}appeal/", calls.call_appeal, name="call_appeal"),
    path(f"{DESK}cited/", rulings.event_cited, name="event_cited"),
    path(f"{EVENT}rulings/booklet/", rulings.rulings_booklet, name="rulings_booklet"),
    path(f"{DESK}booklet/", rulings.judges_booklet, name="judges_booklet"),
    path(f"{EVENT}rulings/", rulings.event_rulings, name="event_rulings"),
    path(
        f"{EVENT}rulings/<int:pk>/adopt/",
        rulings.event_ruling_adopt,
        name="event_ruling_adopt",
    ),
    path(f"{DESK}rulings/", rulings.local_ruling_list, name="local_rulings"),
    path(f"{DESK}rulings/new/", rulings.local_ruling_new, name="local_ruling_new"),
    path(RULING, rulings.local_ruling_edit, name="local_ruling_edit"),
    path(
        f"{RULING}withdraw/",
        rulings.local_ruling_withdraw,
        name="local_ruling_withdraw",
    ),
    path(f"{RULING}leave/", rulings.local_ruling_leave, name="local_ruling_leave"),
    path(
        f"{DESK}rulings/use/<int:pk>/",
        rulings.local_ruling_use,
        name="local_ruling_use",
    ),
    path(f"{EVENT}guide/", guide.event_guide, name="event_guide"),
    path(GUIDE, guide.guide_desk, name="guide_desk"),
    path(f"{GUIDE}new/", guide.infraction_new, name="infraction_new"),
    path(f"{GUIDE}of/<slug:infraction>/", guide.infraction_change, name="infraction_change"),
    path(f"{GUIDE}of/<slug:infraction>/reset/", guide.infraction_reset, name="infraction_reset"),
    path(PENALTIES, penalties.penalty_list, name="penalties"),
    path(f"{PENALTIES}new/", penalties.penalty_new, name="penalty_new"),
    path(f"{PENALTIES}<int:pk>/withdraw/", penalties.penalty_withdraw, name="penalty_withdraw"),
    path(f"{DESK}players/<int:number>/conduct/", penalties.conduct, name="conduct"),
    path(f"{DESK}judged/", rulings.judged, name="judged"),
    path(f"{DESK}judged.csv", rulings.judged_csv, name="judged_csv"),
    path(f"{DESK}judged.json", rulings.judged_json, name="judged_json"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}calls/", calls_api.CallList.as_view(), name="calls"),
    path(f"{EVENT}calls/statistics/", calls_api.CallStatistics.as_view(), name="call_statistics"),
    path(API_CALL, calls_api.CallDetail.as_view(), name="call"),
    path(f"{API_CALL}take/", calls_api.CallActions.by_post("take"), name="call_take"),
    path(
        f"{API_CALL}give-back/", calls_api.CallActions.by_post("give_back"), name="call_give_back"
    ),
    path(f"{API_CALL}escalate/", calls_api.CallActions.by_post("escalate"), name="call_escalate"),
    path(f"{API_CALL}answer/", calls_api.CallActions.by_post("answer"), name="call_answer"),
    path(f"{API_CALL}reopen/", calls_api.CallActions.by_post("reopen"), name="call_reopen"),
    path(f"{API_CALL}appeal/", calls_api.OwnCallActions.by_post("appeal"), name="call_appeal"),
    path(
        f"{API_CALL}withdraw/", calls_api.OwnCallActions.by_post("withdraw"), name="call_withdraw"
    ),
    path(f"{TABLE}call/", calls_api.TableCalls.as_view(), name="table_calls"),
    path(f"{TABLE}notes/", rulings_api.TableNotes.as_view(), name="table_notes"),
    path(f"{EVENT}penalties/", penalties_api.PenaltyList.as_view(), name="penalties"),
    path(
        f"{EVENT}penalties/look/", penalties_api.PenaltyActions.by_post("look"), name="penalty_look"
    ),
    path(PENALTY, penalties_api.PenaltyDetail.as_view(), name="penalty"),
    path(
        f"{PENALTY}withdraw/",
        penalties_api.PenaltyActions.by_post("withdraw"),
        name="penalty_withdraw",
    ),
    path(
        f"{PENALTY}again/", penalties_api.PenaltyActions.by_post("give_again"), name="penalty_again"
    ),
    path(f"{EVENT}players/<int:number>/conduct/", penalties_api.Conduct.as_view(), name="conduct"),
    path(f"{EVENT}guide/", guide_api.Guide.as_view(), name="guide"),
    path(f"{EVENT}guide/<slug:code>/", guide_api.InfractionDetail.as_view(), name="infraction"),
    path(f"{EVENT}rulings/", rulings_api.LocalRulingList.as_view(), name="local_rulings"),
    path(
        f"{EVENT}rulings/offered/",
        rulings_api.OfferedRulings.as_view(),
        name="offered_rulings",
    ),
    path(
        f"{EVENT}rulings/<int:pk>/",
        rulings_api.LocalRulingDetail.as_view(),
        name="local_ruling",
    ),
    path(f"{EVENT}judged/", rulings_api.Judged.as_view(), name="judged"),
    path(f"{EVENT}cited/", rulings_api.Cited.as_view(), name="cited"),
]
