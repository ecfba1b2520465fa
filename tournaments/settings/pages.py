"""One-line summaries of the collapsed groups on the settings page."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.formats import date_format

from decks.catalogue import format_table
from decks.legality.records import AnrRules
from engine.systems import SYSTEMS
from matches.scoring.rules import scoring_rule
from tournaments.decklists.services import deck_rules
from tournaments.event import services as event_services
from tournaments.integrations import announcements
from tournaments.integrations.announcements import dates_in_words
from tournaments.models import Tournament

AUDIENCES = {"public": "Public", "unlisted": "Unlisted", "private": "Private"}


def group_summaries(tournament: Tournament) -> dict[str, str]:
    parts = {
        "what": _what(tournament),
        "where": _where(tournament),
        "play": _play(tournament),
        "decks": _decks(tournament),
        "judges": _judges(tournament),
        "messages": _messages(tournament),
    }
    return {group: ", ".join(filter(None, lines)) for group, lines in parts.items()}


def _what(tournament: Tournament) -> Iterator[str]:
    yield dates_in_words(tournament)
    yield tournament.time_zone


def _where(tournament: Tournament) -> Iterator[str]:
    yield tournament.location or tournament.address or "no place yet"
    yield tournament.entry_fee
    yield AUDIENCES[tournament.visibility].lower()
    most = tournament.max_players
    yield "any number of players" if most is None else f"up to {most} players"


def _play(tournament: Tournament) -> Iterator[str]:
    yield SYSTEMS[tournament.stages.get(number=1).system].name
    rounds = tournament.planned_rounds
    yield f"{rounds} rounds" if rounds else "rounds by the number of players"
    yield f"{tournament.round_minutes} minutes"
    yield f"bye {tournament.bye_points} points"
    yield scoring_rule(tournament.scoring_rule).name


def _decks(tournament: Tournament) -> Iterator[str]:
    if not tournament.has_decks:
        return
    yield "required" if tournament.decks_required else "welcome, not required"
    rules = deck_rules(tournament)
    if isinstance(rules, AnrRules):
        format_ = format_table(tournament.game).find(rules.format_id) if rules.format_id else None
        yield format_.name if format_ else rules.format_id or "basic rules"
    if tournament.decks_close_at:
        yield f"due {date_format(timezone.localtime(tournament.decks_close_at), 'j F, H:i')}"


def _judges(tournament: Tournament) -> Iterator[str]:
    yield f"staff: {tournament.staff.count()}"
    if tournament.staff_need_second_factor:
        yield "with two-factor authentication"
    yield f"changes to the infraction guide: {tournament.infraction_changes.count()}"


def _messages(tournament: Tournament) -> Iterator[str]:
    site = announcements.channel_site(event_services.notification_settings(tournament))
    yield f"channel at {site}" if site else "no channel"
    yield f"webhooks: {tournament.webhooks.count()}"
