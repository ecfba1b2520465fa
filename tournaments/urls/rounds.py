"""Rounds behind the desk: paired, published, timed, their tables and results."""

from django.urls import URLPattern, path

from tournaments.desk.views import result_undo
from tournaments.registration.views import absences
from tournaments.results.views import cuts, deciding, factions, results_staff
from tournaments.rounds.views import drafting, rounds_staff, swapping
from tournaments.screens.views import paper

ROUND = "events/<slug:slug>/rounds/<int:number>"
TABLE = f"{ROUND}/tables/<int:table>"

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/pair/", drafting.pair, name="pair"),
    path(f"{ROUND}/without-results/", drafting.without_results, name="without_results"),
    path(f"{ROUND}/draft/", drafting.draft, name="draft"),
    path(f"{ROUND}/draft/swap/", swapping.swap, name="swap"),
    path(f"{ROUND}/draft/swap/preview/", swapping.preview, name="swap_preview"),
    path(f"{ROUND}/draft/lock/", swapping.lock, name="lock"),
    path(f"{ROUND}/draft/by-hand/", drafting.by_hand, name="by_hand"),
    path(f"{ROUND}/rest/", swapping.rest, name="rest"),
    path(f"{ROUND}/change/", swapping.change, name="change"),
    path(f"{ROUND}/unpublish/", swapping.unpublish, name="unpublish"),
    path(f"{ROUND}/draft/discard/", drafting.discard, name="discard"),
    path(f"{ROUND}/publish/", drafting.publish, name="publish"),
    path(f"{ROUND}/start/", rounds_staff.start, name="start"),
    path(f"{ROUND}/close/", rounds_staff.close, name="close"),
    path(f"{ROUND}/reopen/", rounds_staff.reopen_round, name="reopen_round"),
    path(f"{ROUND}/clock/pause/", rounds_staff.pause, name="clock_pause"),
    path(f"{ROUND}/clock/resume/", rounds_staff.resume, name="clock_resume"),
    path(f"{ROUND}/clock/add/", rounds_staff.add, name="clock_add"),
    path(f"{ROUND}/clock/table/", rounds_staff.add_to_table, name="clock_add_table"),
    path(f"{ROUND}/results/", results_staff.result_entry, name="results"),
    path(f"{ROUND}/slips/", paper.slips, name="slips"),
    path(f"{TABLE}/enter/", results_staff.enter, name="enter"),
    path(f"{TABLE}/take-back/", result_undo.take_back, name="take_back"),
    path(f"{TABLE}/advance/", cuts.advance, name="advance"),
    path(f"{TABLE}/role/", cuts.choose_role, name="choose_role"),
    path(f"{TABLE}/factions/", factions.set_all, name="factions"),
    path(f"{TABLE}/decide/", deciding.decide, name="decide"),
    path(f"{TABLE}/note/", deciding.note, name="note"),
    path(f"{TABLE}/absences/", absences.absences, name="absences"),
    path(f"{TABLE}/no-show/", absences.no_show, name="no_show"),
]
