"""URLs for results, standings, brackets, cuts and factions."""

from django.urls import URLPattern, path

from tournaments.results import cut_views, views
from tournaments.results.api import CutViewSet, RoleViewSet, StandingsViewSet, TableViewSet
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/", views.standings, name="standings"),
    path(f"{EVENT}bracket/", views.bracket, name="bracket"),
    path(f"{EVENT}schedule/", views.schedule, name="schedule"),
    path(f"{TABLE}report/", views.report_result, name="report"),
    path(f"{TABLE}confirm/", views.confirm_report, name="confirm"),
    path(f"{TABLE}dispute/", views.dispute_report, name="dispute"),
    path(f"{TABLE}faction/", views.choose_faction, name="choose_faction"),
    path(f"{DESK}cut/", cut_views.cut_page, name="cut"),
    path(f"{DESK}cut/change/", cut_views.change_cut, name="cut_change"),
    path(f"{DESK}cut/start/", cut_views.start_planned_cut, name="cut_start"),
    path(f"{DESK}cut/publish/", cut_views.publish_cut, name="cut_publish"),
    path(f"{DESK}cut/undo/", cut_views.undo_cut, name="cut_undo"),
    path(f"{ROUND}results/", views.result_entry, name="results"),
    path(f"{TABLE}enter/", views.enter_result, name="enter"),
    path(f"{TABLE}accept/", views.accept_report, name="accept"),
    path(f"{TABLE}advance/", cut_views.set_advancing_player, name="advance"),
    path(f"{TABLE}role/", cut_views.choose_role, name="choose_role"),
    path(f"{TABLE}factions/", views.set_factions, name="factions"),
    path(f"{TABLE}decide/", views.decide_result, name="decide"),
    path(f"{TABLE}note/", views.add_note, name="note"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/", StandingsViewSet.as_view({"get": "list"}), name="standings"),
    path(
        f"{EVENT}standings/<int:number>/",
        StandingsViewSet.as_view({"get": "retrieve"}),
        name="workings",
    ),
    path(f"{EVENT}schedule/", StandingsViewSet.as_view({"get": "schedule"}), name="schedule"),
    path(TABLE, TableViewSet.as_view({"get": "retrieve"}), name="table"),
    path(
        f"{TABLE}result/", TableViewSet.as_view({"get": "result", "put": "decide"}), name="result"
    ),
    path(
        f"{TABLE}report/", TableViewSet.as_view({"get": "reports", "post": "report"}), name="report"
    ),
    path(f"{TABLE}confirm/", TableViewSet.as_view({"post": "confirm"}), name="confirm"),
    path(f"{TABLE}dispute/", TableViewSet.as_view({"post": "dispute"}), name="dispute"),
    path(f"{TABLE}advance/", TableViewSet.as_view({"post": "advance"}), name="advance"),
    path(f"{TABLE}role/", RoleViewSet.as_view({"get": "retrieve", "post": "choose"}), name="role"),
    path(
        f"{EVENT}cut/",
        CutViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
        name="cut",
    ),
    path(
        f"{EVENT}cut/candidates/", CutViewSet.as_view({"get": "candidates"}), name="cut_candidates"
    ),
    path(f"{EVENT}cut/publish/", CutViewSet.as_view({"post": "publish"}), name="cut_publish"),
    path(f"{EVENT}cut/decline/", CutViewSet.as_view({"post": "decline"}), name="cut_decline"),
    path(f"{EVENT}cut/changes/", CutViewSet.as_view({"post": "change"}), name="cut_changes"),
    path(f"{EVENT}bracket/", CutViewSet.as_view({"get": "bracket"}), name="bracket"),
]
