"""Judge calls, from the table and behind the desk."""

from django.urls import path

from tournaments.views import calls

DESK = "events/<slug:slug>/desk/calls/"
TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>/call/"

urlpatterns = [
    path(TABLE, calls.call_judge, name="call_judge"),
    path(f"{TABLE}withdraw/", calls.withdraw_call, name="withdraw_call"),
    path(DESK, calls.calls, name="calls"),
    path(f"{DESK}new/", calls.call_new, name="call_new"),
    path(f"{DESK}<int:pk>/take/", calls.call_take, name="call_take"),
    path(f"{DESK}<int:pk>/answer/", calls.call_answer, name="call_answer"),
]
