"""URLs for drafts, rounds, clocks and jobs."""

from django.urls import URLPattern, path

from tournaments.rounds import views
from tournaments.rounds.api import ClockViewSet, DraftViewSet, JobViewSet, RoundViewSet
from tournaments.web.urls import DESK, EVENT, ROUND, TABLE

DRAFT = f"{ROUND}draft/"
CLOCK = f"{ROUND}clock/"

urlpatterns: list[URLPattern] = [
    path(f"{DESK}stages/", views.stages, name="stages"),
    path(f"{EVENT}pair/", views.pair_round, name="pair"),
    path(f"{ROUND}without-results/", views.confirm_missing_results, name="without_results"),
    path(DRAFT, views.draft_view, name="draft"),
    path(f"{DRAFT}swap/", views.swap_seats, name="swap"),
    path(f"{DRAFT}swap/preview/", views.preview_swap, name="swap_preview"),
    path(f"{DRAFT}lock/", views.set_lock, name="lock"),
    path(f"{DRAFT}by-hand/", views.pair_by_hand, name="by_hand"),
    path(f"{ROUND}rest/", views.pair_the_rest, name="rest"),
    path(f"{ROUND}change/", views.change_round, name="change"),
    path(f"{ROUND}unpublish/", views.unpublish_round, name="unpublish"),
    path(f"{DRAFT}discard/", views.discard_draft, name="discard"),
    path(f"{ROUND}publish/", views.publish_round, name="publish"),
    path(f"{ROUND}start/", views.start_round, name="start"),
    path(f"{ROUND}close/", views.close_round, name="close"),
    path(f"{ROUND}close-and-pair/", views.close_and_pair, name="close_and_pair"),
    path(f"{ROUND}reopen/", views.reopen_round, name="reopen_round"),
    path(f"{CLOCK}pause/", views.pause_clock, name="clock_pause"),
    path(f"{CLOCK}resume/", views.resume_clock, name="clock_resume"),
    path(f"{CLOCK}add/", views.add_minutes, name="clock_add"),
    path(f"{CLOCK}table/", views.add_table_minutes, name="clock_add_table"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}rounds/", RoundViewSet.as_view({"get": "list", "post": "create"}), name="rounds"),
    path(ROUND, RoundViewSet.as_view({"get": "retrieve"}), name="round"),
    path(f"{ROUND}pairings/", RoundViewSet.as_view({"get": "pairings"}), name="pairings"),
    path(f"{ROUND}publish/", RoundViewSet.as_view({"post": "publish"}), name="round_publish"),
    path(f"{ROUND}unpublish/", RoundViewSet.as_view({"post": "unpublish"}), name="round_unpublish"),
    path(f"{ROUND}start/", RoundViewSet.as_view({"post": "start"}), name="round_start"),
    path(f"{ROUND}close/", RoundViewSet.as_view({"post": "close"}), name="round_close"),
    path(f"{ROUND}reopen/", RoundViewSet.as_view({"post": "reopen"}), name="round_reopen"),
    path(DRAFT, DraftViewSet.as_view({"get": "retrieve", "delete": "destroy"}), name="draft"),
    path(f"{DRAFT}swap/", DraftViewSet.as_view({"post": "swap"}), name="draft_swap"),
    path(f"{DRAFT}lock/", DraftViewSet.as_view({"post": "lock"}), name="draft_lock"),
    path(f"{DRAFT}rest/", DraftViewSet.as_view({"post": "pair_the_rest"}), name="draft_rest"),
    path(f"{DRAFT}by-hand/", DraftViewSet.as_view({"put": "pair_by_hand"}), name="draft_by_hand"),
    path(f"{EVENT}end-times/", RoundViewSet.as_view({"get": "end_times"}), name="end_times"),
    path(CLOCK, ClockViewSet.as_view({"get": "retrieve"}), name="clock"),
    path(f"{CLOCK}pause/", ClockViewSet.as_view({"post": "pause"}), name="clock_pause"),
    path(f"{CLOCK}resume/", ClockViewSet.as_view({"post": "resume"}), name="clock_resume"),
    path(f"{CLOCK}add/", ClockViewSet.as_view({"post": "add"}), name="clock_add"),
    path(f"{TABLE}time/", ClockViewSet.as_view({"post": "add_to_table"}), name="table_time"),
    path(f"{EVENT}jobs/", JobViewSet.as_view({"get": "list"}), name="jobs"),
    path(f"{EVENT}jobs/<int:pk>/", JobViewSet.as_view({"get": "retrieve"}), name="job"),
]
