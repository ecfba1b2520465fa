"""Addresses: webhooks, tokens, uploads and announcements."""

from django.urls import URLPattern, path

from tournaments.integrations.api import gathering, webhooks
from tournaments.integrations.views import announcing, programs, tokens
from tournaments.web.urls import DESK, EVENT, MINE

NEWS = f"{DESK}news/"
API_WEBHOOK = f"{EVENT}webhooks/<int:pk>/"
WEBHOOK = f"{DESK}programs/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{MINE}news/", announcing.my_news, name="my_news"),
    path(f"{MINE}news/mail/", announcing.my_mail, name="my_mail"),
    path(f"{MINE}news/phone/", announcing.my_phone, name="my_phone"),
    path("me/tokens/", tokens.tokens, name="tokens"),
    path("me/tokens/revoke/", tokens.tokens_revoke, name="tokens_revoke"),
    path("me/tokens/<uuid:public_id>/revoke/", tokens.token_revoke, name="token_revoke"),
    path(NEWS, announcing.announcing, name="announcing"),
    path(f"{NEWS}save/", announcing.save, name="announcing_save"),
    path(f"{NEWS}test/", announcing.test, name="announcing_test"),
    path(f"{DESK}programs/", programs.programs, name="programs"),
    path(f"{DESK}programs/add/", programs.add, name="webhook_add"),
    path(WEBHOOK, programs.webhook, name="webhook"),
    path(f"{WEBHOOK}change/", programs.change, name="webhook_change"),
    path(f"{WEBHOOK}test/", programs.test, name="webhook_test"),
    path(f"{WEBHOOK}secret/", programs.new_secret, name="webhook_secret"),
    path(f"{WEBHOOK}switch/", programs.switch, name="webhook_switch"),
    path(f"{WEBHOOK}remove/", programs.remove, name="webhook_remove"),
    path(f"{WEBHOOK}deliveries/<uuid:uid>/again/", programs.again, name="webhook_again"),
    path(f"{DESK}upload/", programs.uploads, name="uploads"),
    path(f"{DESK}upload/send/", programs.upload, name="upload"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}webhooks/", webhooks.WebhookList.as_view(), name="webhooks"),
    path(API_WEBHOOK, webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{API_WEBHOOK}test/", webhooks.WebhookActions.by_post("test"), name="webhook_test"),
    path(
        f"{API_WEBHOOK}secret/",
        webhooks.WebhookActions.by_post("make_secret"),
        name="webhook_secret",
    ),
    path(f"{API_WEBHOOK}deliveries/", webhooks.DeliveryList.as_view(), name="deliveries"),
    path(
        f"{API_WEBHOOK}deliveries/<uuid:uid>/again/",
        webhooks.WebhookActions.by_post("deliver_again"),
        name="delivery_again",
    ),
    path(f"{EVENT}uploads/", webhooks.UploadList.as_view(), name="uploads"),
    path(f"{EVENT}announcing/", gathering.Announcing.as_view(), name="announcing"),
    path(f"{EVENT}announcing/test/", gathering.AnnouncingTest.as_view(), name="announcing_test"),
    path(f"{EVENT}meeting/", gathering.Meeting.as_view(), name="meeting"),
]
