"""Views of ratings: a game's list, a player over time, and the method."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import conditional_page, require_safe

from core.csv_tables import CSV_TYPE, csv_bytes
from core.files import attachment_response
from core.rate_limits import rate_limited
from decks.games import DEFAULT, GAMES, GameDefinition
from players.queries import current_player
from tournaments.ratings import pages, queries, rules

RATINGS_PER_PAGE = 50
CSV_COLUMNS = (
    "place",
    "player",
    "rating",
    "plus_minus",
    "provisional",
    "events",
    "games",
    "last_played",
)


def game_or_404(game: str) -> GameDefinition:
    if game not in GAMES:
        raise Http404("There is no such game.")
    return GAMES[game]


@require_safe
def ratings_of_default_game(request: HttpRequest) -> HttpResponse:
    return redirect("tournaments:ratings", DEFAULT.id)


@require_safe
@rate_limited("search")
def ratings(request: HttpRequest, game: str) -> HttpResponse:
    """Show the list of a game, strongest first; `?q=` searches for a name."""
    played = game_or_404(game)
    name = request.GET.get("q", "")[: queries.LONGEST_NAME].strip()
    rows = queries.filter_by_name(queries.listed_ratings(game), name)
    values = queries.listed_values(game)
    paginator = Paginator(rows, RATINGS_PER_PAGE)
    if not name:
        paginator.count = len(values)
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "game": played,
        "games": GAMES.values(),
        "q": name,
        "page_obj": page,
        "lines": pages.ranked_lines(page, values),
        "least_games": queries.rating_method(game).least_games,
        "run": queries.latest_run(game),
    }
    return render(request, "tournaments/ratings/ratings.html", context)


@require_safe
@rate_limited("expensive")
@conditional_page
def ratings_csv(request: HttpRequest, game: str) -> HttpResponse:
    game_or_404(game)
    rows = (
        (
            line.place,
            line.player.public_name,
            line.rating.value,
            line.rating.margin,
            line.rating.is_provisional,
            line.events,
            line.games,
            line.last_played.isoformat(),
        )
        for line in pages.ranked_lines(queries.listed_ratings(game), queries.listed_values(game))
    )
    return attachment_response(csv_bytes(CSV_COLUMNS, rows), f"ratings-{game}.csv", CSV_TYPE)


@require_safe
def rating_history(request: HttpRequest, game: str, pk: int) -> HttpResponse:
    game_or_404(game)
    player = get_object_or_404(queries.players_with_visible_rating(current_player(request)), pk=pk)
    history = pages.rating_history(player, game)
    if history is None:
        raise Http404("This player has no rating in this game.")
    games = [GAMES[id_] for id_ in queries.games_with_rating(player)]
    context = {"history": history, "games": games}
    return render(request, "tournaments/ratings/history.html", context)


@require_safe
def help_ratings(request: HttpRequest) -> HttpResponse:
    methods = [
        (game, queries.is_for_two(id_), queries.rating_method(id_)) for id_, game in GAMES.items()
    ]
    context = {
        "methods": methods,
        "start": round(rules.START_RATING),
        # Margin above which a rating is provisional, in whole points.
        "provisional": round(rules.INTERVAL_DEVIATIONS * rules.PROVISIONAL_DEVIATION),
    }
    return render(request, "tournaments/ratings/help.html", context)
