"""Addresses: results, standings, brackets, cuts and factions."""

from django.urls import URLPattern, path

from tournaments.results.api import cuts as cuts_api
from tournaments.results.api import results, standing, tables
from tournaments.results.views import bracket, deciding, factions, reports, results_staff, standings
from tournaments.results.views import cuts as cuts_pages
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/", standings.standings, name="standings"),
    path(f"{EVENT}bracket/", bracket.bracket, name="bracket"),
    path(f"{EVENT}schedule/", bracket.schedule, name="schedule"),
    path(f"{TABLE}report/", reports.report, name="report"),
    path(f"{TABLE}confirm/", reports.confirm, name="confirm"),
    path(f"{TABLE}dispute/", reports.dispute, name="dispute"),
    path(f"{TABLE}faction/", factions.choose, name="choose_faction"),
    path(f"{DESK}cut/", cuts_pages.cut, name="cut"),
    path(f"{DESK}cut/<int:number>/decline/", cuts_pages.decline, name="cut_decline"),
    path(f"{DESK}cut/undo/", cuts_pages.undo, name="cut_undo"),
    path(f"{ROUND}results/", results_staff.result_entry, name="results"),
    path(f"{TABLE}enter/", results_staff.enter, name="enter"),
    path(f"{TABLE}advance/", cuts_pages.advance, name="advance"),
    path(f"{TABLE}role/", cuts_pages.choose_role, name="choose_role"),
    path(f"{TABLE}factions/", factions.set_all, name="factions"),
    path(f"{TABLE}decide/", deciding.decide, name="decide"),
    path(f"{TABLE}note/", deciding.note, name="note"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}schedule/", standing.Schedule.as_view(), name="schedule"),
    path(f"{EVENT}standings/<int:number>/", standing.Workings.as_view(), name="workings"),
    path(TABLE, tables.Table.as_view(), name="table"),
    path(f"{TABLE}result/", results.TableResult.as_view(), name="result"),
    path(f"{TABLE}report/", results.Report.as_view(), name="report"),
    path(f"{TABLE}confirm/", results.ReportActions.by_post("confirm"), name="confirm"),
    path(f"{TABLE}dispute/", results.ReportActions.by_post("dispute"), name="dispute"),
    path(f"{TABLE}advance/", tables.Advance.as_view(), name="advance"),
    path(f"{TABLE}role/", tables.Role.as_view(), name="role"),
    path(f"{TABLE}factions/", tables.Factions.as_view(), name="factions"),
    path(f"{EVENT}cut/", cuts_api.Cut.as_view(), name="cut"),
    path(f"{EVENT}cut/candidates/", cuts_api.Candidates.as_view(), name="cut_candidates"),
    path(f"{EVENT}cut/decline/", cuts_api.Decline.as_view(), name="cut_decline"),
    path(f"{EVENT}bracket/", cuts_api.Bracket.as_view(), name="bracket"),
]
