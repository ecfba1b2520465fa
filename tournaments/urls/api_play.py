"""Rounds, tables, results, clocks and cuts."""

from django.urls import URLPattern, path

from tournaments.desk.api import desk, log
from tournaments.registration.api import absences
from tournaments.results.api import cuts, results, standing, tables
from tournaments.rounds.api import clocks, drafts, jobs, rounds

EVENT = "events/<slug:slug>/"
ROUND = f"{EVENT}rounds/<int:number>/"
DRAFT = f"{ROUND}draft/"
CLOCK = f"{ROUND}clock/"
TABLE = f"{ROUND}tables/<int:table>/"
ENTRY = f"{EVENT}log/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}desk/", desk.Desk.as_view(), name="desk"),
    path(f"{EVENT}schedule/", standing.Schedule.as_view(), name="schedule"),
    path(f"{EVENT}standings/<int:number>/", standing.Workings.as_view(), name="workings"),
    path(f"{EVENT}jobs/", jobs.JobList.as_view(), name="jobs"),
    path(f"{EVENT}jobs/<int:pk>/", jobs.JobDetail.as_view(), name="job"),
    path(f"{EVENT}jobs/<int:pk>/retry/", jobs.JobRetry.as_view(), name="job_retry"),
    path(DRAFT, drafts.Draft.as_view(), name="draft"),
    path(f"{DRAFT}swap/", drafts.DraftActions.by_post("swap"), name="draft_swap"),
    path(f"{DRAFT}lock/", drafts.DraftActions.by_post("lock"), name="draft_lock"),
    path(f"{DRAFT}rest/", drafts.DraftActions.by_post("pair_the_rest"), name="draft_rest"),
    path(
        f"{DRAFT}by-hand/",
        drafts.DraftActions.as_view({"put": "pair_by_hand"}),
        name="draft_by_hand",
    ),
    path(f"{ROUND}publish/", rounds.RoundActions.by_post("publish"), name="round_publish"),
    path(f"{ROUND}unpublish/", rounds.Unpublish.as_view(), name="round_unpublish"),
    path(f"{ROUND}start/", rounds.RoundActions.by_post("start"), name="round_start"),
    path(f"{ROUND}close/", rounds.RoundActions.by_post("close"), name="round_close"),
    path(f"{ROUND}reopen/", rounds.RoundActions.by_post("reopen"), name="round_reopen"),
    path(CLOCK, clocks.Clock.as_view(), name="clock"),
    path(f"{CLOCK}pause/", clocks.ClockActions.by_post("pause"), name="clock_pause"),
    path(f"{CLOCK}resume/", clocks.ClockActions.by_post("resume"), name="clock_resume"),
    path(f"{CLOCK}add/", clocks.ClockActions.by_post("add"), name="clock_add"),
    path(TABLE, tables.Table.as_view(), name="table"),
    path(f"{TABLE}time/", clocks.ClockActions.by_post("add_to_table"), name="table_time"),
    path(f"{TABLE}result/", results.TableResult.as_view(), name="result"),
    path(f"{TABLE}report/", results.Report.as_view(), name="report"),
    path(f"{TABLE}confirm/", results.ReportActions.by_post("confirm"), name="confirm"),
    path(f"{TABLE}dispute/", results.ReportActions.by_post("dispute"), name="dispute"),
    path(f"{TABLE}advance/", tables.Advance.as_view(), name="advance"),
    path(f"{TABLE}role/", tables.Role.as_view(), name="role"),
    path(f"{TABLE}factions/", tables.Factions.as_view(), name="factions"),
    path(f"{TABLE}absences/", absences.Absences.as_view(), name="absences"),
    path(f"{TABLE}missing/", absences.AbsenceActions.by_post("missing"), name="missing"),
    path(f"{TABLE}came/", absences.AbsenceActions.by_post("came"), name="came"),
    path(f"{TABLE}no-show/", absences.AbsenceActions.by_post("no_show"), name="no_show"),
    path(f"{EVENT}cut/", cuts.Cut.as_view(), name="cut"),
    path(f"{EVENT}cut/candidates/", cuts.Candidates.as_view(), name="cut_candidates"),
    path(f"{EVENT}cut/decline/", cuts.Decline.as_view(), name="cut_decline"),
    path(f"{EVENT}bracket/", cuts.Bracket.as_view(), name="bracket"),
    path(f"{EVENT}log/", log.Log.as_view(), name="log"),
    path(ENTRY, log.Entry.as_view(), name="log_entry"),
    path(f"{ENTRY}undo/", log.Undo.as_view(), name="log_undo"),
    path(f"{EVENT}versions/", log.Versions.as_view(), name="versions"),
    path(
        f"{EVENT}versions/standings/<int:pk>/", log.StandingsThen.as_view(), name="standings_then"
    ),
]
