"""Public pages: events, players, rounds, tables and help."""

from datetime import timedelta
from fractions import Fraction
from functools import partial

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from core.addresses import shared_url
from core.page_cache import cache_for_strangers
from core.rate_limits import limit_searches, rate_limited
from decks.games import GAMES
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from matches import records as matches_records
from matches.scoring.rules import scoring_rule, scoring_rules_of
from tournaments.decklists.pages import audiences_in_words, deck_rules_in_words
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.pages import identities_beside_names
from tournaments.files import calendars
from tournaments.files.pages import difference_lines, imported_file_of
from tournaments.judging import queries as judging_queries
from tournaments.judging.pages import calls_of_table
from tournaments.models import Round, Tournament
from tournaments.public.event_page import (
    event_page_context,
    expected_schedule,
    organiser_names,
)
from tournaments.public.forms import EventSearchForm
from tournaments.public.pages import demo_in_progress, event_list_lines, games_and_formats
from tournaments.results.my_rounds import round_lines
from tournaments.results.pages import result_in_words, usual_results
from tournaments.results.queries import get_faction_draft
from tournaments.results.standings_pages import (
    find_place_with_cut,
    get_tie_breakers,
    tie_breaker_sums,
)
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages
from tournaments.rounds.forms import SuggestionForm
from tournaments.rounds.pages import (
    get_pairing_explanation,
    get_usual_draw_share,
    suggestion_table,
    system_helps,
)
from tournaments.series.permissions import shown_series
from tournaments.web.access import EventRequest, round_or_404, table_or_404
from tournaments.web.polling import is_fragment, polled_page, render_event_page

EVENTS_PER_PAGE = 20
UPCOMING_SHOWN, PAST_SHOWN = 12, 6
# Large fields of rounds that public pages do not show.
LARGE_ROUND_FIELDS = "certificate", "relaxations"
# Default time for which past events remain in the calendar feed.
CALENDAR_HISTORY = timedelta(days=366)
PAIRINGS_TEMPLATE = "tournaments/desk/pairings.html"


@require_safe
@cache_for_strangers()
def home(request: HttpRequest) -> HttpResponse:
    """Show the start page with events; it refreshes while the demo event is created."""
    now, upcoming, past = Tournament.objects.by_time(timezone.localdate())
    context = {
        "now": event_list_lines(now),
        "upcoming": event_list_lines(upcoming[:UPCOMING_SHOWN]),
        "past": event_list_lines(past[:PAST_SHOWN]),
        "demo_is_being_made": demo_in_progress.is_set(),
    }
    page = "_home_events.html" if is_fragment(request) else "home.html"
    response = render(request, f"tournaments/desk/{page}", context)
    patch_vary_headers(response, ["X-Fragment"])
    return response


@require_safe
@limit_searches
@cache_for_strangers(*EventSearchForm.base_fields, "page", has_limit=True)
def event_list(request: HttpRequest) -> HttpResponse:
    """List public events, latest first, with search in the query string."""
    form = EventSearchForm(request.GET)
    events = Tournament.objects.listed().matching(form.criteria)
    page = Paginator(events, EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page_obj": page, "lines": event_list_lines(page), "form": form}
    return render(request, "tournaments/desk/events.html", context)


@require_safe
@limit_searches
@cache_for_strangers(*EventSearchForm.base_fields, "page", has_limit=True)
def archive(request: HttpRequest) -> HttpResponse:
    """List finished public events with their winners by year, latest first."""
    form = EventSearchForm(request.GET)
    del form.fields["state"]
    finished = Tournament.objects.listed().matching({"state": "finished"})
    pages = Paginator(finished.matching(form.criteria), EVENTS_PER_PAGE)
    # The years offered do not depend on the dates searched for.
    days = ("since", "until")
    anytime = {name: value for name, value in form.criteria.items() if name not in days}
    counts = Tournament.objects.public().matching({**anytime, "state": "finished"}).years()
    years = [(year, f"{year}-01-01", f"{year}-12-31", count) for year, count in counts]
    if not {"since", "until"} & form.criteria.keys():
        pages.count = sum(count for *_, count in years)
    shown = pages.get_page(request.GET.get("page"))
    context = {"page_obj": shown, "lines": event_list_lines(shown), "form": form, "years": years}
    return render(request, "tournaments/desk/archive.html", context)


@require_safe
@rate_limited("expensive")
@conditional_page
def events_calendar(request: HttpRequest) -> HttpResponse:
    """Calendar feed of the events found, by default from a year ago onwards."""
    form = EventSearchForm(request.GET)
    since = form.criteria.get("since") or timezone.localdate() - CALENDAR_HISTORY
    events = Tournament.objects.listed().matching(form.criteria)
    entries = [
        calendars.CalendarEntry(
            tournament,
            shared_url(request, tournament.get_absolute_url()),
            tournament.newest_round_at,  # type: ignore[attr-defined]
        )
        for tournament in events.for_calendar(since=since)
    ]
    data = calendars.build_calendar(entries, form.title)
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    patch_cache_control(response, no_cache=True)
    return response


@require_safe
@polled_page
def event(request: EventRequest) -> HttpResponse:
    """Show the event page: joining and roster before, seating during, places after the event."""
    event, actor = request.event, request.actor
    published = event.rounds.published().select_related("stage__tournament")
    rounds = list(published.defer(*LARGE_ROUND_FIELDS))
    Round.prefetch_names(rounds)
    me = event.registration_of(actor.player)
    face = event_page_context(event, rounds, me)
    players = event.registrations.not_waiting().count()
    planned = event.rounds_to_announce(players, has_begun=bool(rounds))
    end_times = timing_pages.estimate_end_times(
        event,
        rounds,
        target=planned,
        open_tables=face.get("open_tables", 0),
        players=players,
        cut=face.get("cut"),
    )
    # Staff without a public name are not listed.
    helpers = event.staff.select_related("user__player")
    staff = [helper for helper in helpers if helper.user.public_name]
    file = imported_file_of(event)
    context = {
        "file": file,
        "differences": difference_lines(file) if file else [],
        "rule": scoring_rule(event.scoring_rule),
        "deck_rules": deck_rules_in_words(event) if event.has_decks else None,
        "audiences": audiences_in_words(event) if event.has_decks else None,
        "tie_breakers": get_tie_breakers(event),
        "has_local_rulings": judging_queries.has_local_rulings(event),
        **face,
        "end_times": end_times,
        "schedule": [*expected_schedule(end_times)] if end_times and not rounds else [],
        "played": games_and_formats([event])[event.pk],
        "is_playing": me is not None,
        "my_state": me.state if me else None,
        "identities": identities_beside_names(event, actor.player),
        "rounds": rounds,
        "has_bracket": event.shows_bracket(rounds),
        "planned": planned,
        "players": players,
        "waiting": event.registrations.waiting_list().count(),
        "can_register": event.can_register(),
        "takes_waiting": event.takes_waiting(),
        "staff": staff,
        "organisers": organiser_names(staff),
        "can_run": event.is_finished and event_permissions.can_run(actor, event),
        "is_round_robin": event.has_round_robin(),
        "may_join": event.admits(actor.player),
        "invites": event.qualifying_series_names() if event.invitation_only else [],
        "shown_series": shown_series(event),
    }
    return render_event_page(request, "tournaments/desk/event.html", "event", context)


@require_safe
@polled_page
def player(request: EventRequest, number: int) -> HttpResponse:
    """Explain a player's place in the standings, tie-breaker by tie-breaker."""
    event = request.event
    registration = get_object_or_404(
        event.registrations.not_waiting().select_related("player"), number=number
    )
    registration.tournament = event
    snapshot = event.snapshots.newest()
    rounds = round_lines(registration)
    shown = {number, *(seat for line in rounds for seat in line.table.numbers)}
    context = {
        "registration": registration,
        "identities": identities_beside_names(event, request.actor.player, shown),
        "rounds": rounds,
        "snapshot": snapshot,
        "standing": snapshot.rows.filter(registration=registration).first() if snapshot else None,
        "placing": find_place_with_cut(event, number),
        "leads_to_person": visibility.can_link_to_profile(event, registration.player),
        "sums": tie_breaker_sums(registration, snapshot) if snapshot else [],
    }
    return render_event_page(request, "tournaments/desk/player.html", "standings", context)


@require_safe
@partial(polled_page, reads={"by": ("table",)})
def pairings(request: EventRequest) -> HttpResponse:
    """Show the latest public round; the URL is the same all day."""
    return _render_pairings(request)


@require_safe
@partial(polled_page, reads={"by": ("table",)})
def round_(request: EventRequest, number: int) -> HttpResponse:
    """Show a round by number; redirect staff to the draft page for a draft."""
    requested = round_or_404(request, number)
    if requested.is_draft:
        return redirect("tournaments:draft", request.event.slug, number)
    return _render_pairings(request, requested)


def _render_pairings(request: EventRequest, requested: Round | None = None) -> HttpResponse:
    """Render the requested round, or the latest."""
    event, actor = request.event, request.actor
    by_table = request.GET.get("by") == "table"
    rounds = list(event.rounds.published().select_related("stage").defer(*LARGE_ROUND_FIELDS))
    Round.prefetch_names(rounds)
    round_ = requested or (rounds[-1] if rounds else None)
    lines = []
    if round_ is not None:
        round_.stage.tournament = event
        lines = rounds_pages.with_points_so_far(
            rounds_pages.table_lines(round_, actor.player), round_
        )
    context = {
        "is_playing": event.registration_of(actor.player) is not None,
        "has_bracket": event.shows_bracket(rounds),
        "round": round_,
        "rounds": rounds,
        "rule": scoring_rule(round_.stage.scoring_rule) if round_ else None,
        "by_table": by_table,
        "lines": lines if by_table else rounds_pages.name_lines(lines),
        "mine": next((line for line in lines if line.is_mine), None),
        "clock": timing_pages.get_clock_face(round_),
        "identities": identities_beside_names(event, actor.player) if lines else {},
        "open_tables": sum(not line.is_settled for line in lines),
    }
    return render_event_page(request, PAIRINGS_TEMPLATE, "pairings", context)


@require_safe
@partial(polled_page, shows_own_table=True)
def table(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Show a table: its players, settled result, and for its players a dispute and a judge call."""
    event, actor = request.event, request.actor
    round_ = round_or_404(request, number)
    if round_.is_draft:
        return redirect("tournaments:draft", event.slug, number)
    pairing = table_or_404(round_, table)
    assert pairing.match is not None
    seat = pairing.match.seat_of(actor.player)
    numbers = dict(event.registrations.values_list("player_id", "number"))
    can_report = seat is not None and not pairing.match.is_settled and not round_.is_closed
    context = {
        "round": round_,
        "line": rounds_pages.table_line(pairing, numbers, actor.player),
        "clock": timing_pages.get_clock_face(round_, table, pairing.extra_minutes),
        "identities": identities_beside_names(event, actor.player),
        "result": result_in_words(pairing.match, matches_records.settled_result(pairing.match)),
        "rule": pairing.match.rule,
        "why": get_pairing_explanation(event, pairing),
        "staff_view": event_permissions.can_open_desk(actor, event),
        "can_enter_results": event_permissions.can_enter_results(actor, event),
        "can_report": can_report,
        "usual": usual_results(pairing.match, seat, is_cut=round_.is_in_cut)
        if seat is not None and can_report
        else (),
        "calls": calls_of_table(pairing) if seat is not None and not round_.is_closed else None,
        "draft": get_faction_draft(pairing.match, round_),
        "table": pairing.table_number,
    }
    return render_event_page(request, "tournaments/desk/table.html", "pairings", context)


@require_safe
@cache_for_strangers()
def help_index(request: HttpRequest) -> HttpResponse:
    return render(request, "tournaments/desk/help.html")


@require_safe
@cache_for_strangers()
def help_pairing(request: HttpRequest) -> HttpResponse:
    """Explain each pairing system and its criteria, in order."""
    return render(request, "tournaments/desk/help_pairing.html", {"systems": system_helps()})


@require_safe
@rate_limited("expensive")
def help_rounds(request: HttpRequest) -> HttpResponse:
    """Suggest rounds and cut by number of players, with the chance of one unbeaten player."""
    form = SuggestionForm(request.GET or None)
    query = form.cleaned_data if form.is_valid() else {}
    percent = query.get("draws")
    draws = get_usual_draw_share() if percent is None else Fraction(percent, 100)
    table = suggestion_table(draws, query.get("players"))
    form.initial["draws"] = table.percent
    return render(request, "tournaments/rounds/help_rounds.html", {"form": form, "table": table})


@require_safe
@cache_for_strangers()
def help_tie_breakers(request: HttpRequest) -> HttpResponse:
    """Explain each tie-breaker, and the default order."""
    tie_breakers = []
    for breaker in TIE_BREAKERS.values():
        owners = [game.name for game in GAMES.values() if breaker.id in game.tie_breakers]
        # Name the games only if some do not use it.
        games = get_text_list(owners, _("and")) if len(owners) < len(GAMES) else ""
        tie_breakers.append((breaker, games))
    context = {
        "tie_breakers": tie_breakers,
        "usual": [_(TIE_BREAKERS[id_].name) for id_ in DEFAULT_TIE_BREAKERS],
    }
    return render(request, "tournaments/desk/help_tie_breakers.html", context)


@require_safe
@cache_for_strangers()
def help_scoring(request: HttpRequest) -> HttpResponse:
    """Explain each scoring rule by game, with its flags and factions."""
    context = {
        "games": [(game.name, scoring_rules_of(game.scoring_rules)) for game in GAMES.values()],
        "factions": sorted(
            matches_records.factions_by_id().values(),
            key=lambda faction: (faction.colour, faction.name),
        ),
    }
    return render(request, "tournaments/desk/help_scoring.html", context)
