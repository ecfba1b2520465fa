"""What stands behind the desk."""

from django.urls import URLPattern, path

from tournaments.views import (
    creating,
    deciding,
    decks_staff,
    desk,
    downloads,
    drafting,
    log,
    printing_staff,
    results_staff,
    roster,
    roster_lists,
    roster_rows,
    rounds_staff,
    settings,
    staff,
)

DESK = "events/<slug:slug>/desk"
ROSTER = "events/<slug:slug>/roster"
ROUND = "events/<slug:slug>/rounds/<int:number>"
TABLE = f"{ROUND}/tables/<int:table>"

urlpatterns: list[URLPattern] = [
    path("events/new/", creating.create, name="create"),
    path(f"{DESK}/", desk.desk, name="desk"),
    path(f"{DESK}/settings/", settings.settings, name="settings"),
    path(f"{DESK}/registration/", desk.registration_toggle, name="registration_toggle"),
    path(f"{DESK}/staff/", staff.staff, name="staff"),
    path(f"{DESK}/staff/add/", staff.staff_add, name="staff_add"),
    path(f"{DESK}/staff/<int:pk>/remove/", staff.staff_remove, name="staff_remove"),
    path(f"{DESK}/jobs/<int:pk>/retry/", desk.job_retry, name="job_retry"),
    path(f"{DESK}/finish/", desk.finish, name="finish"),
    path(f"{DESK}/reopen/", desk.reopen, name="reopen"),
    path(f"{DESK}/log/", log.log, name="log"),
    path(f"{DESK}/decks/", decks_staff.deck_check, name="deck_check"),
    path(f"{DESK}/decks/reveal/", decks_staff.reveal, name="reveal"),
    path(f"{DESK}/decks/<int:number>/<slug:side>/", decks_staff.deck_of, name="deck_of"),
    path(
        f"{DESK}/decks/<int:number>/<slug:side>/unlock/",
        decks_staff.deck_unlock,
        name="deck_unlock",
    ),
    path(f"{ROSTER}/", roster.roster, name="roster"),
    path(f"{ROSTER}.csv", downloads.roster_export, name="roster_export"),
    path(f"{ROSTER}/add/", roster.add, name="roster_add"),
    path(f"{ROSTER}/paste/", roster_lists.roster_paste, name="roster_paste"),
    path(f"{ROSTER}/csv/", roster_lists.roster_csv, name="roster_csv"),
    path(f"{ROSTER}/apply/", roster_lists.roster_apply, name="roster_apply"),
    path(f"{ROSTER}/check-in/", roster.check_in_all, name="check_in_all"),
    path(f"{ROSTER}/<int:number>/check-in/", roster_rows.check_in, name="check_in"),
    path(f"{ROSTER}/<int:number>/not-here/", roster_rows.undo_check_in, name="undo_check_in"),
    path(f"{ROSTER}/<int:number>/drop/", roster_rows.drop, name="drop"),
    path(f"{ROSTER}/<int:number>/return/", roster_rows.return_, name="return"),
    path(f"{ROSTER}/<int:number>/remove/", roster_rows.remove, name="remove"),
    path(f"{ROSTER}/<int:number>/bye/", roster_rows.first_round_bye, name="first_round_bye"),
    path(f"{ROSTER}/<int:number>/link/", roster_rows.claim_link, name="claim_link"),
    path("events/<slug:slug>/pair/", drafting.pair, name="pair"),
    path(f"{ROUND}/draft/", drafting.draft, name="draft"),
    path(f"{ROUND}/draft/swap/", drafting.swap, name="swap"),
    path(f"{ROUND}/draft/discard/", drafting.discard, name="discard"),
    path(f"{ROUND}/publish/", drafting.publish, name="publish"),
    path(f"{ROUND}/start/", rounds_staff.start, name="start"),
    path(f"{ROUND}/close/", rounds_staff.close, name="close"),
    path(f"{ROUND}/reopen/", rounds_staff.reopen_round, name="reopen_round"),
    path(f"{ROUND}/results/", results_staff.result_entry, name="results"),
    path(f"{ROUND}/slips/", printing_staff.slips, name="slips"),
    path(f"{TABLE}/enter/", results_staff.enter, name="enter"),
    path(f"{TABLE}/decide/", deciding.decide, name="decide"),
    path(f"{TABLE}/note/", deciding.note, name="note"),
    path("events/<slug:slug>/poster/", printing_staff.poster, name="poster"),
    path("events/<slug:slug>/qr.svg", printing_staff.qr, name="qr"),
]
