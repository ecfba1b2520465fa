"""Language of a page: that of its reader or, on displays and printouts, that of its event."""

from collections.abc import Callable, Collection

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
                if match is None or _depends_on_reader(match):
                    patch_vary_headers(response, ["Accept-Language"])
                response.headers.setdefault("Content-Language", translation.get_language() or "")
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        match = request.resolver_match
        if request.path_info.startswith(API_PATH) or match is None:
            return
        if not _depends_on_reader(match):
            # Views of EVENT_PAGES activate the language of the event once they have found it.
            _activate(request, settings.LANGUAGE_CODE)
            return
        # Only these pages need the account, which costs a query.
        browser = translation.get_language() or ""
        languages = languages_of_page(match.view_name)
        _activate(request, choose_language(languages, _language_of_account(request), browser))


def choose_language(languages: Collection[str], *preferred: str) -> str:
    """Return the first preferred language that is one of `languages`, else the site's language.

    An empty string means no preference.
    """
    return next((code for code in preferred if code in languages), settings.LANGUAGE_CODE)


def languages_of_page(view_name: str) -> list[str]:
    """Return the languages of a page. Some have only a few pages (PAGES_IN_LANGUAGE)."""
    return [
        code
        for code, _ in settings.LANGUAGES
        if view_name in settings.PAGES_IN_LANGUAGE.get(code, [view_name])
    ]


def languages_of_events() -> list[tuple[str, str]]:
    """Return the code and name of each language that has all EVENT_PAGES."""
    return [
        (code, name)
        for code, name in settings.LANGUAGES
        if settings.PAGES_IN_LANGUAGE.get(code, settings.EVENT_PAGES) >= settings.EVENT_PAGES
    ]


def activate_event_language(request: HttpRequest, language: str) -> None:
    """Activate the language of the event on EVENT_PAGES. Call it before the page's ETag is made."""
    match = request.resolver_match
    if match is not None and match.view_name in settings.EVENT_PAGES:
        _activate(request, choose_language(languages_of_page(match.view_name), language))


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


def _depends_on_reader(match: ResolverMatch) -> bool:
    name = match.view_name
    return name not in settings.EVENT_PAGES and len(languages_of_page(name)) > 1
