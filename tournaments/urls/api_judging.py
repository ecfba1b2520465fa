"""Calls, penalties, the guide and rulings of an event; what overlays show."""

from django.urls import URLPattern, path

from tournaments.judging.api import (
    answering,
    calls,
    guide,
    local_rulings,
    own_calls,
    penalties,
    report,
)
from tournaments.screens import api as overlay

EVENT = "events/<slug:slug>/"
OVERLAY = f"{EVENT}overlay/"
CALL = f"{EVENT}calls/<int:pk>/"
PENALTY = f"{EVENT}penalties/<int:pk>/"
TABLE = f"{EVENT}rounds/<int:number>/tables/<int:table>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}calls/", calls.CallList.as_view(), name="calls"),
    path(f"{EVENT}calls/statistics/", calls.CallStatistics.as_view(), name="call_statistics"),
    path(CALL, calls.CallDetail.as_view(), name="call"),
    path(f"{CALL}take/", answering.CallActions.by_post("take"), name="call_take"),
    path(f"{CALL}give-back/", answering.CallActions.by_post("give_back"), name="call_give_back"),
    path(f"{CALL}escalate/", answering.CallActions.by_post("escalate"), name="call_escalate"),
    path(f"{CALL}answer/", answering.CallActions.by_post("answer"), name="call_answer"),
    path(f"{CALL}reopen/", answering.CallActions.by_post("reopen"), name="call_reopen"),
    path(f"{CALL}appeal/", own_calls.OwnCallActions.by_post("appeal"), name="call_appeal"),
    path(f"{CALL}withdraw/", own_calls.OwnCallActions.by_post("withdraw"), name="call_withdraw"),
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
    path(f"{EVENT}rulings/", local_rulings.LocalRulingList.as_view(), name="local_rulings"),
    path(
        f"{EVENT}rulings/offered/", local_rulings.OfferedRulings.as_view(), name="offered_rulings"
    ),
    path(
        f"{EVENT}rulings/<int:pk>/", local_rulings.LocalRulingDetail.as_view(), name="local_ruling"
    ),
    path(f"{EVENT}judged/", report.Judged.as_view(), name="judged"),
    path(f"{EVENT}cited/", report.Cited.as_view(), name="cited"),
    path(f"{OVERLAY}table/<int:number>/", overlay.TableOverlay.as_view(), name="overlay_table"),
    path(f"{OVERLAY}feature/", overlay.FeatureOverlay.as_view(), name="overlay_feature"),
    path(f"{OVERLAY}standings/", overlay.StandingsOverlay.as_view(), name="overlay_standings"),
    path(f"{OVERLAY}clock/", overlay.ClockOverlay.as_view(), name="overlay_clock"),
]
