"""What stands behind the desk, besides the rounds."""

from django.urls import URLPattern, path

from tournaments.decklists.views import audiences, deck_checks, decks_staff
from tournaments.desk.views import desk, log, practice
from tournaments.integrations.views import announcing, programs
from tournaments.interchange import views as exporting
from tournaments.privacy.views import erasing_guests
from tournaments.registration.forms import NAMES, TABLE
from tournaments.registration.views import (
    arrivals,
    meeting,
    roster,
    roster_lists,
    roster_removing,
    roster_rows,
    wishes,
)
from tournaments.results.views import cuts
from tournaments.rounds.views import rounds_staff
from tournaments.screens.views import paper
from tournaments.settings.views import settings, staff

EVENT = "events/<slug:slug>"
DESK = f"{EVENT}/desk"
CHECKS = f"{DESK}/deck-checks"
DECK = f"{DESK}/decks/<int:number>/<slug:side>"
MEETING = f"{DESK}/meeting"
NEWS = f"{DESK}/news"
PAPER = f"{DESK}/paper"
PRACTICE = f"{DESK}/practice"
ROSTER = f"{EVENT}/roster"
STAFF = f"{DESK}/staff"
WEBHOOK = f"{DESK}/programs/<int:pk>"

urlpatterns: list[URLPattern] = [
    path(f"{DESK}/", desk.desk, name="desk"),
    path(f"{DESK}/step/", desk.desk_step, name="desk_step"),
    path(f"{DESK}/settings/", settings.settings, name="settings"),
    path(f"{DESK}/settings/day/", settings.day, name="day_settings"),
    path(f"{DESK}/registration/", desk.registration_toggle, name="registration_toggle"),
    path(f"{DESK}/stages/", rounds_staff.stages, name="stages"),
    path(f"{DESK}/cut/", cuts.cut, name="cut"),
    path(f"{DESK}/cut/<int:number>/decline/", cuts.decline, name="cut_decline"),
    path(f"{DESK}/cut/undo/", cuts.undo, name="cut_undo"),
    path(f"{DESK}/jobs/<int:pk>/retry/", desk.job_retry, name="job_retry"),
    path(f"{DESK}/finish/", desk.finish, name="finish"),
    path(f"{DESK}/reopen/", desk.reopen, name="reopen"),
    path(f"{DESK}/decks/", decks_staff.deck_check, name="deck_check"),
    path(f"{DESK}/decks/audience/", audiences.audiences, name="audiences"),
    path(f"{DESK}/preview/", audiences.preview, name="preview"),
    path(f"{DESK}/decks/reveal/", decks_staff.reveal, name="reveal"),
    path(f"{DESK}/decks/lock/", decks_staff.lock_all, name="decks_lock"),
    path(f"{DESK}/decks/reopen/", decks_staff.reopen_all, name="decks_reopen"),
    path(f"{DECK}/", decks_staff.deck_of, name="deck_of"),
    path(f"{DECK}/change/", decks_staff.deck_change, name="deck_change"),
    path(f"{DECK}/difference/", decks_staff.deck_difference_of, name="deck_difference_of"),
    path(f"{DECK}/receipts/<int:receipt>/", decks_staff.deck_receipt_of, name="deck_receipt_of"),
    path(f"{DECK}/lock/", decks_staff.deck_lock_of, name="deck_lock_of"),
    path(f"{DECK}/unlock/", decks_staff.deck_unlock, name="deck_unlock"),
    path(f"{CHECKS}/", deck_checks.deck_checks, name="deck_checks"),
    path(f"{CHECKS}/draw/", deck_checks.draw, name="deck_checks_draw"),
    path(f"{CHECKS}/<int:pk>/", deck_checks.deck_check_of, name="deck_check_of"),
    path(f"{CHECKS}/<int:number>/print/", deck_checks.deck_check_print, name="deck_check_print"),
    path(f"{ROSTER}/", roster.roster, name="roster"),
    path(f"{ROSTER}.csv", exporting.roster_export, name="roster_export"),
    path(f"{ROSTER}/add/", roster.add, name="roster_add"),
    path(f"{ROSTER}/paste/", roster_lists.roster_list, {"kind": NAMES}, name="roster_paste"),
    path(f"{ROSTER}/csv/", roster_lists.roster_list, {"kind": TABLE}, name="roster_csv"),
    path(f"{ROSTER}/apply/", roster_lists.roster_apply, name="roster_apply"),
    path(f"{ROSTER}/sign-ups/", roster_removing.roster_sign_ups, name="roster_sign_ups"),
    path(f"{ROSTER}/check-in/", roster.check_in_all, name="check_in_all"),
    path(f"{ROSTER}/tick/", arrivals.tick, name="tick"),
    path(f"{ROSTER}/scan/", arrivals.scan, name="scan"),
    path(f"{ROSTER}/badges/", arrivals.badges, name="badges"),
    path("check-in/<str:code>/", arrivals.check_in_code, name="check_in_code"),
    path(f"{ROSTER}/<int:number>/check-in/", roster_rows.check_in, name="check_in"),
    path(f"{ROSTER}/<int:number>/not-here/", roster_rows.undo_check_in, name="undo_check_in"),
    path(f"{ROSTER}/<int:number>/up/", roster_rows.move_up, name="move_up"),
    path(f"{ROSTER}/<int:number>/let-in/", roster_rows.let_in, name="let_in"),
    path(f"{ROSTER}/<int:number>/drop/", roster_rows.drop, name="drop"),
    path(f"{ROSTER}/<int:number>/return/", roster_rows.return_, name="return"),
    path(f"{ROSTER}/<int:number>/remove/", roster_rows.remove, name="remove"),
    path(f"{ROSTER}/<int:number>/erase/", erasing_guests.erase_guest, name="erase_guest"),
    path(f"{ROSTER}/<int:number>/bye/", roster_rows.first_round_bye, name="first_round_bye"),
    path(f"{ROSTER}/<int:number>/seed/", roster_rows.seed, name="seed"),
    path(f"{ROSTER}/<int:number>/link/", roster_rows.claim_link, name="claim_link"),
    path(f"{ROSTER}/<int:number>/wishes/", wishes.set_wishes, name="wishes"),
    path(f"{STAFF}/", staff.staff, name="staff"),
    path(f"{STAFF}/add/", staff.staff_add, name="staff_add"),
    path(f"{STAFF}/<int:pk>/remove/", staff.staff_remove, name="staff_remove"),
    path(f"{STAFF}/<int:pk>/hand-over/", staff.staff_hand_over, name="staff_hand_over"),
    path(f"{STAFF}/invite/", staff.invite, name="invite"),
    path(
        f"{STAFF}/invitations/<int:pk>/withdraw/",
        staff.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path(f"{DESK}/log/", log.log, name="log"),
    path(f"{DESK}/log/<int:pk>/", log.log_entry, name="log_entry"),
    path(f"{DESK}/log/<int:pk>/undo/", log.log_undo, name="log_undo"),
    path(f"{DESK}/versions/", log.versions, name="versions"),
    path(f"{DESK}/versions/standings/<int:pk>/", log.standings_then, name="standings_then"),
    path(f"{PAPER}/", paper.paper, name="paper"),
    path(f"{PAPER}/check-in/", paper.roster, name="print_roster"),
    path(f"{PAPER}/meeting/", paper.meeting, name="meeting_paper"),
    path(f"{PAPER}/open/", paper.open_tables, name="print_open"),
    path(f"{PAPER}/decks/", paper.decks, name="print_decks"),
    path(f"{PAPER}/slips/", paper.blank_slips, name="blank_slips"),
    path(f"{EVENT}/poster/", paper.poster, name="poster"),
    path(f"{EVENT}/qr.svg", paper.qr, name="qr"),
    path(f"{MEETING}/", meeting.desk, name="meeting_desk"),
    path(f"{MEETING}/seat/", meeting.seat, name="meeting_seat"),
    path(f"{MEETING}/clear/", meeting.clear, name="meeting_clear"),
    path(f"{NEWS}/", announcing.announcing, name="announcing"),
    path(f"{NEWS}/save/", announcing.save, name="announcing_save"),
    path(f"{NEWS}/test/", announcing.test, name="announcing_test"),
    path(f"{PRACTICE}/", practice.practice, name="practice"),
    path(f"{PRACTICE}/play/", practice.practice_play, name="practice_play"),
    path(f"{PRACTICE}/end/", practice.practice_end, name="practice_end"),
    path(f"{DESK}/programs/", programs.programs, name="programs"),
    path(f"{DESK}/programs/add/", programs.add, name="webhook_add"),
    path(f"{WEBHOOK}/", programs.webhook, name="webhook"),
    path(f"{WEBHOOK}/change/", programs.change, name="webhook_change"),
    path(f"{WEBHOOK}/test/", programs.test, name="webhook_test"),
    path(f"{WEBHOOK}/secret/", programs.new_secret, name="webhook_secret"),
    path(f"{WEBHOOK}/switch/", programs.switch, name="webhook_switch"),
    path(f"{WEBHOOK}/remove/", programs.remove, name="webhook_remove"),
    path(f"{WEBHOOK}/deliveries/<uuid:uid>/again/", programs.again, name="webhook_again"),
    path(f"{DESK}/upload/", programs.uploads, name="uploads"),
    path(f"{DESK}/upload/send/", programs.upload, name="upload"),
]
