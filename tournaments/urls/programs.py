"""What other programs are told: webhooks and uploads."""

from django.urls import URLPattern, path

from tournaments.views import programs, uploads

PROGRAMS = "events/<slug:slug>/desk/programs"
WEBHOOK = f"{PROGRAMS}/<int:pk>"

urlpatterns: list[URLPattern] = [
    path(f"{PROGRAMS}/", programs.programs, name="programs"),
    path(f"{PROGRAMS}/add/", programs.add, name="webhook_add"),
    path(f"{WEBHOOK}/", programs.webhook, name="webhook"),
    path(f"{WEBHOOK}/change/", programs.change, name="webhook_change"),
    path(f"{WEBHOOK}/test/", programs.test, name="webhook_test"),
    path(f"{WEBHOOK}/secret/", programs.new_secret, name="webhook_secret"),
    path(f"{WEBHOOK}/switch/", programs.switch, name="webhook_switch"),
    path(f"{WEBHOOK}/remove/", programs.remove, name="webhook_remove"),
    path(f"{WEBHOOK}/deliveries/<uuid:uid>/again/", programs.again, name="webhook_again"),
    path("events/<slug:slug>/desk/upload/", uploads.uploads, name="uploads"),
    path("events/<slug:slug>/desk/upload/send/", uploads.upload, name="upload"),
]
