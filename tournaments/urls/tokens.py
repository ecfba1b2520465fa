"""Tokens of programs."""

from django.urls import URLPattern, path

from tournaments.views import tokens

urlpatterns: list[URLPattern] = [
    path("me/tokens/", tokens.tokens, name="tokens"),
    path("me/tokens/revoke/", tokens.tokens_revoke, name="tokens_revoke"),
    path("me/tokens/<uuid:public_id>/revoke/", tokens.token_revoke, name="token_revoke"),
]
