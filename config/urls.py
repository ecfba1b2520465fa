"""URLs of the site, mostly included from the apps."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from core import views as core_views
from core.api_errors import slash_missing
from core.openapi import openapi_document
from players.views import passkey_login
from tournaments.ops import views as probes
from tournaments.public.views import home

# Not at start-up: most commands do not need the admin.
admin.autodiscover()

handler403 = "tournaments.web.staff_pages.denied"

urlpatterns = [
    path("", home, name="home"),
    path("privacy/", core_views.privacy, name="privacy"),
    path("imprint/", core_views.imprint, name="imprint"),
    path("accessibility/", core_views.accessibility, name="accessibility"),
    path("credits/", core_views.credits_page, name="credits"),
    path("styleguide/", core_views.styleguide, name="styleguide"),
    path("robots.txt", core_views.robots_txt, name="robots_txt"),
    path(".well-known/security.txt", core_views.security_txt, name="security_txt"),
    path("livez", probes.livez, name="livez"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics_page, name="metrics"),
    path(f"{settings.ADMIN_PATH}/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    path("api/schema/", openapi_document, name="schema"),
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(template_name="api/docs.html"),
        name="api_docs",
    ),
    re_path(r"^api/[\s\S]*[^/]\Z", slash_missing, name="slash_missing"),
    # Overrides allauth's view, which has no rate limit for GET requests.
    path("account/2fa/webauthn/login/", passkey_login, name="mfa_login_webauthn"),
    path("account/", include("allauth.urls")),
    path("", include("tournaments.urls")),
    path("", include("players.urls")),
    path("", include("decks.urls")),
    path("rulings/", include("rulings.urls")),
    path("r/", include("rulings.short_urls")),
]

handler400 = "core.service_unavailable.bad_request"
handler500 = "core.service_unavailable.server_error"
