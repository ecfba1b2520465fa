"""Language of a response: the account's, else the browser's, else the site's."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, ngettext

from core.text import Message

# The API is in the site's language, so that answers and their ETags do not depend on the reader.
API_PATH = "/api/"


class LanguageMiddleware:
    """Choose the language of each page. Must come before middleware that renders pages.

    Django's LocaleMiddleware supports neither accounts nor languages with a few pages only.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_api(request):
            _activate(request, settings.LANGUAGE_CODE)
            return self.get_response(request)
        _activate(request, translation.get_language_from_request(request))
        response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", translation.get_language() or "")
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        if is_api(request):
            return
        language = _language_of_account(request) or translation.get_language()
        has_page = _has_page(language or "", request.resolver_match)
        _activate(request, language if language and has_page else settings.LANGUAGE_CODE)


def in_words(message: Message) -> str:
    """Return a message of a module without Django in the active language."""
    values = {
        name: in_words(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    if message.plural:
        number = values["number"]
        # Fractions of points are plural.
        count = number if isinstance(number, int) else 2
        return ngettext(message.text, message.plural, count) % values
    return gettext(message.text) % values


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API_PATH)


def _activate(request: HttpRequest, language: str) -> None:
    translation.activate(language)
    request.LANGUAGE_CODE = language


def _language_of_account(request: HttpRequest) -> str:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return ""
    language: str = getattr(request.user, "language", "")
    return language if language in dict(settings.LANGUAGES) else ""


def _has_page(language: str, match: ResolverMatch | None) -> bool:
    """Return False for the other pages of a language that has only a few (PAGES_IN_LANGUAGE)."""
    pages = settings.PAGES_IN_LANGUAGE.get(language)
    return pages is None or (match is not None and match.view_name in pages)
