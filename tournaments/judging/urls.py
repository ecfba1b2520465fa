"""URLs of judge calls, penalties, the infraction guide and local rulings."""

from django.urls import URLPattern, path

from tournaments.judging.api.calls import CallViewSet, TableCallViewSet
from tournaments.judging.api.guide import GuideViewSet
from tournaments.judging.api.penalties import PenaltyViewSet
from tournaments.judging.api.rulings import LocalRulingViewSet
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
    path(f"{EVENT}rulings/<int:pk>/adopt/", rulings.event_ruling_adopt, name="event_ruling_adopt"),
    path(f"{DESK}rulings/", rulings.local_ruling_list, name="local_rulings"),
    path(f"{DESK}rulings/new/", rulings.local_ruling_new, name="local_ruling_new"),
    path(RULING, rulings.local_ruling_edit, name="local_ruling_edit"),
    path(f"{RULING}withdraw/", rulings.local_ruling_withdraw, name="local_ruling_withdraw"),
    path(f"{RULING}leave/", rulings.local_ruling_leave, name="local_ruling_leave"),
    path(f"{DESK}rulings/use/<int:pk>/", rulings.local_ruling_use, name="local_ruling_use"),
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
    path(
        f"{EVENT}calls/",
        CallViewSet.as_view({"get": "list", "post": "raise_at_desk"}),
        name="calls",
    ),
    path(API_CALL, CallViewSet.as_view({"get": "retrieve"}), name="call"),
    path(f"{API_CALL}take/", CallViewSet.as_view({"post": "take"}), name="call_take"),
    path(
        f"{API_CALL}give-back/", CallViewSet.as_view({"post": "give_back"}), name="call_give_back"
    ),
    path(f"{API_CALL}escalate/", CallViewSet.as_view({"post": "escalate"}), name="call_escalate"),
    path(f"{API_CALL}answer/", CallViewSet.as_view({"post": "answer"}), name="call_answer"),
    path(f"{API_CALL}reopen/", CallViewSet.as_view({"post": "reopen"}), name="call_reopen"),
    path(f"{API_CALL}appeal/", CallViewSet.as_view({"post": "appeal"}), name="call_appeal"),
    path(f"{API_CALL}withdraw/", CallViewSet.as_view({"post": "withdraw"}), name="call_withdraw"),
    path(
        f"{TABLE}call/",
        TableCallViewSet.as_view({"get": "retrieve", "post": "create"}),
        name="table_calls",
    ),
    path(
        f"{EVENT}penalties/",
        PenaltyViewSet.as_view({"get": "list", "post": "create"}),
        name="penalties",
    ),
    path(PENALTY, PenaltyViewSet.as_view({"get": "retrieve"}), name="penalty"),
    path(
        f"{PENALTY}withdraw/", PenaltyViewSet.as_view({"post": "withdraw"}), name="penalty_withdraw"
    ),
    path(f"{EVENT}guide/", GuideViewSet.as_view({"get": "list"}), name="guide"),
    path(f"{EVENT}rulings/", LocalRulingViewSet.as_view({"get": "list"}), name="local_rulings"),
    path(
        f"{EVENT}rulings/<int:pk>/",
        LocalRulingViewSet.as_view({"get": "retrieve"}),
        name="local_ruling",
    ),
]
