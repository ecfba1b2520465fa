"""Judge calls, from the table and behind the desk."""

from django.urls import path

from tournaments.views import call_answers, calls, calls_past, calls_player

DESK = "events/<slug:slug>/desk/calls/"
TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>/call/"

urlpatterns = [
    path(TABLE, calls_player.call_judge, name="call_judge"),
    path(f"{TABLE}withdraw/", calls_player.withdraw_call, name="withdraw_call"),
    path(f"{TABLE}<int:pk>/appeal/", calls_player.appeal_answer, name="appeal_answer"),
    path(DESK, calls.calls, name="calls"),
    path(f"{DESK}new/", calls.call_new, name="call_new"),
    path(f"{DESK}past/", calls_past.calls_past, name="calls_past"),
    path(f"{DESK}statistics/", calls_past.judge_statistics, name="judge_statistics"),
    path(f"{DESK}<int:pk>/", call_answers.call, name="call"),
    path(f"{DESK}<int:pk>/take/", calls.call_take, name="call_take"),
    path(f"{DESK}<int:pk>/give-back/", calls.call_give_back, name="call_give_back"),
    path(f"{DESK}<int:pk>/head-judge/", calls.call_escalate, name="call_escalate"),
    path(f"{DESK}<int:pk>/appeal/", calls.call_appeal, name="call_appeal"),
]
