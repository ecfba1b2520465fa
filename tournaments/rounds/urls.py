"""Addresses: drafts, rounds, clocks and jobs."""

from django.urls import URLPattern, path

from tournaments.rounds.api import clocks, drafts, jobs, rounds
from tournaments.rounds.views import drafting, rounds_staff, swapping
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

DRAFT = f"{ROUND}draft/"
CLOCK = f"{ROUND}clock/"

urlpatterns: list[URLPattern] = [
    path(f"{DESK}stages/", rounds_staff.stages, name="stages"),
    path(f"{EVENT}pair/", drafting.pair, name="pair"),
    path(f"{ROUND}without-results/", drafting.without_results, name="without_results"),
    path(DRAFT, drafting.draft, name="draft"),
    path(f"{DRAFT}swap/", swapping.swap, name="swap"),
    path(f"{DRAFT}swap/preview/", swapping.preview, name="swap_preview"),
    path(f"{DRAFT}lock/", swapping.lock, name="lock"),
    path(f"{DRAFT}by-hand/", drafting.by_hand, name="by_hand"),
    path(f"{ROUND}rest/", swapping.rest, name="rest"),
    path(f"{ROUND}change/", swapping.change, name="change"),
    path(f"{ROUND}unpublish/", swapping.unpublish, name="unpublish"),
    path(f"{DRAFT}discard/", drafting.discard, name="discard"),
    path(f"{ROUND}publish/", drafting.publish, name="publish"),
    path(f"{ROUND}start/", rounds_staff.start, name="start"),
    path(f"{ROUND}close/", rounds_staff.close, name="close"),
    path(f"{ROUND}reopen/", rounds_staff.reopen_round, name="reopen_round"),
    path(f"{CLOCK}pause/", rounds_staff.pause, name="clock_pause"),
    path(f"{CLOCK}resume/", rounds_staff.resume, name="clock_resume"),
    path(f"{CLOCK}add/", rounds_staff.add, name="clock_add"),
    path(f"{CLOCK}table/", rounds_staff.add_to_table, name="clock_add_table"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}rounds/", rounds.RoundList.as_view(), name="rounds"),
    path(ROUND, rounds.RoundDetail.as_view(), name="round"),
    path(f"{ROUND}pairings/", rounds.PairingList.as_view(), name="pairings"),
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
    path(f"{TABLE}time/", clocks.ClockActions.by_post("add_to_table"), name="table_time"),
]
