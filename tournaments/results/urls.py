"""URLs for results, standings, brackets, cuts and factions."""

from django.urls import URLPattern, path

from tournaments.results.api.cuts import CutViewSet, RoleViewSet
from tournaments.results.api.results import TableViewSet
from tournaments.results.api.standings import StandingsViewSet
from tournaments.results.views import cuts, decisions, entry, reports, standings
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/", standings.standings, name="standings"),
    path(f"{EVENT}bracket/", standings.bracket, name="bracket"),
    path(f"{EVENT}schedule/", standings.schedule, name="schedule"),
    path(f"{TABLE}report/", reports.report, name="report"),
    path(f"{TABLE}confirm/", reports.confirm, name="confirm"),
    path(f"{TABLE}dispute/", reports.dispute, name="dispute"),
    path(f"{TABLE}faction/", reports.choose_faction, name="choose_faction"),
    path(f"{DESK}cut/", cuts.cut, name="cut"),
    path(f"{DESK}cut/change/", cuts.change, name="cut_change"),
    path(f"{DESK}cut/publish/", cuts.publish, name="cut_publish"),
    path(f"{DESK}cut/undo/", cuts.undo, name="cut_undo"),
    path(f"{ROUND}results/", entry.result_entry, name="results"),
    path(f"{TABLE}enter/", entry.enter, name="enter"),
    path(f"{TABLE}advance/", cuts.advance, name="advance"),
    path(f"{TABLE}role/", cuts.choose_role, name="choose_role"),
    path(f"{TABLE}factions/", reports.set_factions, name="factions"),
    path(f"{TABLE}decide/", decisions.decide, name="decide"),
    path(f"{TABLE}note/", decisions.note, name="note"),
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
