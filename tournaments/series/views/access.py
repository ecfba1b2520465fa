"""Access to series: fetch a series that this person may read or run."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.event.actors import Actor, actor_of
from tournaments.models import Series
from tournaments.series import permissions
from tournaments.web.views.staff_pages import READ

P = ParamSpec("P")


class SeriesRequest(HttpRequest):
    """A request below a series. The decorator of the view sets the series and the actor."""

    series: Series
    actor: Actor


SeriesView: TypeAlias = Callable[Concatenate[SeriesRequest, P], HttpResponse]


def series_or_404(request: HttpRequest, slug: str) -> tuple[Series, Actor]:
    """Return the series if this person may read it."""
    series, actor = get_object_or_404(Series, slug=slug), actor_of(request)
    if not permissions.can_see(actor, series):
        raise Http404("No series at this address.")
    return series, actor


def series_view(view: SeriesView[P]) -> Callable[..., HttpResponse]:
    """Set the series and the actor; 404 unless this person may read the series."""

    @wraps(view)
    def wrapper(
        request: SeriesRequest, series: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        request.series, request.actor = series_or_404(request, series)
        return view(request, *args, **kwargs)

    return wrapper


def series_page(
    ability: Callable[[Actor, Series], bool], methods: Sequence[str] = READ
) -> Callable[[SeriesView[P]], Callable[..., HttpResponse]]:
    """Decorate a view for people with this ability, like tournaments.web.views.staff_pages."""

    def decorate(view: SeriesView[P]) -> Callable[..., HttpResponse]:
        @require_http_methods(methods)
        @never_cache
        @wraps(view)
        def wrapper(
            request: SeriesRequest, series: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            if not request.user.is_authenticated:
                # Only a GET is repeated after the login. Other methods return to the bare path.
                path = request.get_full_path() if request.method == "GET" else request.path
                return redirect_to_login(path)
            request.series, request.actor = series_or_404(request, series)
            if not ability(request.actor, request.series):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return wrapper

    return decorate


def context_of(request: SeriesRequest, **context: Any) -> dict[str, Any]:
    series, actor = request.series, request.actor
    can_run = permissions.can_run(actor, series)
    return {"series": series, "actor": actor, "can_run": can_run, **context}
