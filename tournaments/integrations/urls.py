"""URLs of announcements, webhooks, uploads and tokens."""

from django.urls import URLPattern, path

from tournaments.integrations import api
from tournaments.integrations.views import announcing, tokens, webhooks
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
    path(NEWS, announcing.announcing_page, name="announcing"),
    path(f"{NEWS}save/", announcing.save, name="announcing_save"),
    path(f"{NEWS}test/", announcing.test, name="announcing_test"),
    path(f"{DESK}programs/", webhooks.webhook_list, name="programs"),
    path(f"{DESK}programs/add/", webhooks.add, name="webhook_add"),
    path(WEBHOOK, webhooks.webhook_page, name="webhook"),
    path(f"{WEBHOOK}change/", webhooks.change, name="webhook_change"),
    path(f"{WEBHOOK}test/", webhooks.test, name="webhook_test"),
    path(f"{WEBHOOK}secret/", webhooks.new_secret, name="webhook_secret"),
    path(f"{WEBHOOK}switch/", webhooks.switch, name="webhook_switch"),
    path(f"{WEBHOOK}remove/", webhooks.remove, name="webhook_remove"),
    path(f"{WEBHOOK}deliveries/<uuid:uid>/again/", webhooks.again, name="webhook_again"),
    path(f"{DESK}upload/", webhooks.upload_list, name="uploads"),
    path(f"{DESK}upload/send/", webhooks.upload, name="upload"),
]

api_urlpatterns: list[URLPattern] = [
    path(
        f"{EVENT}webhooks/",
        api.WebhookViewSet.as_view({"get": "list", "post": "create"}),
        name="webhooks",
    ),
    path(
        API_WEBHOOK,
        api.WebhookViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
        name="webhook",
    ),
    path(
        f"{API_WEBHOOK}test/",
        api.WebhookViewSet.as_view({"post": "send_test"}),
        name="webhook_test",
    ),
    path(
        f"{API_WEBHOOK}secret/",
        api.WebhookViewSet.as_view({"post": "make_secret"}),
        name="webhook_secret",
    ),
    path(
        f"{API_WEBHOOK}deliveries/",
        api.WebhookViewSet.as_view({"get": "deliveries"}),
        name="deliveries",
    ),
    path(
        f"{API_WEBHOOK}deliveries/<uuid:uid>/again/",
        api.WebhookViewSet.as_view({"post": "deliver_again"}),
        name="delivery_again",
    ),
]
