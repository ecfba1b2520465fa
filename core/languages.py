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
        is_api = request.path_info.startswith(API_PATH)
        language = translation.get_language_from_request(request)
        # The thread has its previous language again afterwards: it may run a job next.
        with translation.override(settings.LANGUAGE_CODE):
            _activate(request, settings.LANGUAGE_CODE if is_api else language)
            response = self.get_response(request)
            if not is_api:
                match = request.resolver_match
                if match is None or len(_languages_of(match)) > 1:
                    patch_vary_headers(response, ["Accept-Language"])
                response.headers.setdefault("Content-Language", translation.get_language() or "")
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        match = request.resolver_match
        if request.path_info.startswith(API_PATH) or match is None:
            return
        languages = _languages_of(match)
        # Only these pages need the account, which costs a query.
        language = (len(languages) > 1 and _language_of_account(request)) or (
            translation.get_language() or ""
        )
        _activate(request, language if language in languages else settings.LANGUAGE_CODE)


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


def _activate(request: HttpRequest, language: str) -> None:
    translation.activate(language)
    request.LANGUAGE_CODE = language


def _language_of_account(request: HttpRequest) -> str:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return ""
    return getattr(request.user, "language", "")


def _languages_of(match: ResolverMatch) -> list[str]:
    """Return the languages of a page. Some have only a few pages (PAGES_IN_LANGUAGE)."""
    return [
        language
        for language, _ in settings.LANGUAGES
        if match.view_name in settings.PAGES_IN_LANGUAGE.get(language, [match.view_name])
    ]
