"""Addresses: drafts, rounds, clocks and jobs."""

from django.urls import URLPattern, path

from tournaments.rounds.api import drafts as drafts_api
from tournaments.rounds.api import rounds as rounds_api
from tournaments.rounds.views import drafts, rounds
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

DRAFT = f"{ROUND}draft/"
CLOCK = f"{ROUND}clock/"

urlpatterns: list[URLPattern] = [
    path(f"{DESK}stages/", rounds.stages, name="stages"),
    path(f"{EVENT}pair/", drafts.pair, name="pair"),
    path(f"{ROUND}without-results/", drafts.without_results, name="without_results"),
    path(DRAFT, drafts.draft, name="draft"),
    path(f"{DRAFT}swap/", drafts.swap, name="swap"),
    path(f"{DRAFT}swap/preview/", drafts.preview, name="swap_preview"),
    path(f"{DRAFT}lock/", drafts.lock, name="lock"),
    path(f"{DRAFT}by-hand/", drafts.by_hand, name="by_hand"),
    path(f"{ROUND}rest/", drafts.rest, name="rest"),
    path(f"{ROUND}change/", drafts.change, name="change"),
    path(f"{ROUND}unpublish/", drafts.unpublish, name="unpublish"),
    path(f"{DRAFT}discard/", drafts.discard, name="discard"),
    path(f"{ROUND}publish/", drafts.publish, name="publish"),
    path(f"{ROUND}start/", rounds.start, name="start"),
    path(f"{ROUND}close/", rounds.close, name="close"),
    path(f"{ROUND}reopen/", rounds.reopen_round, name="reopen_round"),
    path(f"{CLOCK}pause/", rounds.pause, name="clock_pause"),
    path(f"{CLOCK}resume/", rounds.resume, name="clock_resume"),
    path(f"{CLOCK}add/", rounds.add, name="clock_add"),
    path(f"{CLOCK}table/", rounds.add_to_table, name="clock_add_table"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}rounds/", rounds_api.RoundList.as_view(), name="rounds"),
    path(ROUND, rounds_api.RoundDetail.as_view(), name="round"),
    path(f"{ROUND}pairings/", rounds_api.PairingList.as_view(), name="pairings"),
    path(f"{EVENT}jobs/", rounds_api.JobList.as_view(), name="jobs"),
    path(f"{EVENT}jobs/<int:pk>/", rounds_api.JobDetail.as_view(), name="job"),
    path(f"{EVENT}jobs/<int:pk>/retry/", rounds_api.JobRetry.as_view(), name="job_retry"),
    path(DRAFT, drafts_api.Draft.as_view(), name="draft"),
    path(f"{DRAFT}swap/", drafts_api.DraftActions.by_post("swap"), name="draft_swap"),
    path(f"{DRAFT}lock/", drafts_api.DraftActions.by_post("lock"), name="draft_lock"),
    path(f"{DRAFT}rest/", drafts_api.DraftActions.by_post("pair_the_rest"), name="draft_rest"),
    path(
        f"{DRAFT}by-hand/",
        drafts_api.DraftActions.as_view({"put": "pair_by_hand"}),
        name="draft_by_hand",
    ),
    path(f"{ROUND}publish/", rounds_api.RoundActions.by_post("publish"), name="round_publish"),
    path(f"{ROUND}unpublish/", rounds_api.Unpublish.as_view(), name="round_unpublish"),
    path(f"{ROUND}start/", rounds_api.RoundActions.by_post("start"), name="round_start"),
    path(f"{ROUND}close/", rounds_api.RoundActions.by_post("close"), name="round_close"),
    path(f"{ROUND}reopen/", rounds_api.RoundActions.by_post("reopen"), name="round_reopen"),
    path(CLOCK, rounds_api.Clock.as_view(), name="clock"),
    path(f"{CLOCK}pause/", rounds_api.ClockActions.by_post("pause"), name="clock_pause"),
    path(f"{CLOCK}resume/", rounds_api.ClockActions.by_post("resume"), name="clock_resume"),
    path(f"{CLOCK}add/", rounds_api.ClockActions.by_post("add"), name="clock_add"),
    path(f"{TABLE}time/", rounds_api.ClockActions.by_post("add_to_table"), name="table_time"),
]
