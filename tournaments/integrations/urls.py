"""URLs of announcements, webhooks, uploads and tokens."""

from django.urls import URLPattern, path

from tournaments.integrations import api, views
from tournaments.web.urls import DESK, EVENT, MY_EVENT

NEWS = f"{DESK}news/"
API_WEBHOOK = f"{EVENT}webhooks/<int:pk>/"
WEBHOOK = f"{DESK}programs/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path(f"{MY_EVENT}news/", views.my_news, name="my_news"),
    path(f"{MY_EVENT}news/mail/", views.my_mail, name="my_mail"),
    path(f"{MY_EVENT}news/phone/", views.my_phone, name="my_phone"),
    path("me/tokens/", views.token_list, name="tokens"),
    path("me/tokens/revoke/", views.token_revoke_all, name="tokens_revoke"),
    path("me/tokens/<uuid:public_id>/revoke/", views.token_revoke, name="token_revoke"),
    path(NEWS, views.announcement_settings, name="announcing"),
    path(f"{NEWS}save/", views.save_announcements, name="announcing_save"),
    path(f"{NEWS}test/", views.channel_test, name="announcing_test"),
    path(f"{DESK}programs/", views.webhook_list, name="programs"),
    path(f"{DESK}programs/add/", views.webhook_add, name="webhook_add"),
    path(WEBHOOK, views.webhook_detail, name="webhook"),
    path(f"{WEBHOOK}change/", views.webhook_change, name="webhook_change"),
    path(f"{WEBHOOK}test/", views.webhook_test, name="webhook_test"),
    path(f"{WEBHOOK}secret/", views.webhook_secret, name="webhook_secret"),
    path(f"{WEBHOOK}switch/", views.webhook_switch, name="webhook_switch"),
    path(f"{WEBHOOK}remove/", views.webhook_remove, name="webhook_remove"),
    path(f"{WEBHOOK}deliveries/<uuid:uid>/again/", views.delivery_again, name="webhook_again"),
    path(f"{DESK}upload/", views.upload_list, name="uploads"),
    path(f"{DESK}upload/send/", views.upload, name="upload"),
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
