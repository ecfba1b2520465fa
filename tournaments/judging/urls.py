"""URLs of judge calls, penalties, the infraction guide and local rulings."""

from django.urls import URLPattern, path

from tournaments.judging import ruling_views, views
from tournaments.judging.api import (
    CallViewSet,
    GuideViewSet,
    LocalRulingViewSet,
    PenaltyViewSet,
    TableCallViewSet,
)
from tournaments.web.urls import DESK, EVENT, TABLE

CALLS = f"{DESK}calls/"
GUIDE = f"{DESK}guide/"
PENALTIES = f"{DESK}penalties/"
API_CALL = f"{EVENT}calls/<int:pk>/"
PENALTY = f"{EVENT}penalties/<int:pk>/"
CALL = f"{CALLS}<int:pk>/"
RULING = f"{DESK}rulings/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{TABLE}call/", views.call_judge, name="call_judge"),
    path(f"{TABLE}call/withdraw/", views.withdraw_call, name="withdraw_call"),
    path(f"{TABLE}call/<int:pk>/appeal/", views.appeal_answer, name="appeal_answer"),
    path(CALLS, views.call_list, name="calls"),
    path(f"{CALLS}new/", views.call_new, name="call_new"),
    path(f"{CALLS}past/", views.calls_past, name="calls_past"),
    path(f"{CALLS}statistics/", views.judge_statistics, name="judge_statistics"),
    path(CALL, views.call_detail, name="call"),
    path(f"{CALL}take/", views.call_take, name="call_take"),
    path(f"{CALL}give-back/", views.call_give_back, name="call_give_back"),
    path(f"{CALL}head-judge/", views.call_escalate, name="call_escalate"),
    path(f"{CALL}appeal/", views.call_appeal, name="call_appeal"),
    path(f"{DESK}cited/", ruling_views.cited_rulings, name="event_cited"),
    path(f"{EVENT}rulings/booklet/", ruling_views.rulings_booklet, name="rulings_booklet"),
    path(f"{DESK}booklet/", ruling_views.judges_booklet, name="judges_booklet"),
    path(f"{EVENT}rulings/", ruling_views.event_rulings, name="event_rulings"),
    path(
        f"{EVENT}rulings/<int:pk>/adopt/",
        ruling_views.event_ruling_adopt,
        name="event_ruling_adopt",
    ),
    path(f"{DESK}rulings/", ruling_views.local_ruling_list, name="local_rulings"),
    path(f"{DESK}rulings/new/", ruling_views.local_ruling_new, name="local_ruling_new"),
    path(RULING, ruling_views.local_ruling_edit, name="local_ruling_edit"),
    path(f"{RULING}withdraw/", ruling_views.local_ruling_withdraw, name="local_ruling_withdraw"),
    path(f"{RULING}leave/", ruling_views.local_ruling_leave, name="local_ruling_leave"),
    path(f"{DESK}rulings/use/<int:pk>/", ruling_views.local_ruling_use, name="local_ruling_use"),
    path(f"{EVENT}guide/", views.event_guide, name="event_guide"),
    path(GUIDE, views.guide_desk, name="guide_desk"),
    path(f"{GUIDE}new/", views.infraction_new, name="infraction_new"),
    path(f"{GUIDE}of/<slug:infraction>/", views.infraction_change, name="infraction_change"),
    path(f"{GUIDE}of/<slug:infraction>/reset/", views.infraction_reset, name="infraction_reset"),
    path(PENALTIES, views.penalty_list, name="penalties"),
    path(f"{PENALTIES}new/", views.penalty_new, name="penalty_new"),
    path(f"{PENALTIES}<int:pk>/withdraw/", views.penalty_withdraw, name="penalty_withdraw"),
    path(f"{DESK}players/<int:number>/conduct/", views.player_conduct, name="conduct"),
    path(f"{DESK}judged/", ruling_views.judges_report, name="judged"),
    path(f"{DESK}judged.csv", ruling_views.judges_report_csv, name="judged_csv"),
    path(f"{DESK}judged.json", ruling_views.judges_report_json, name="judged_json"),
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
