"""Deck lists judged by the rules of their event, and the work of the job that judges them again."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from decks import services as deck_services
from decks.catalogue import format_table
from decks.legality.formats import outdated
from decks.legality.records import AnrRules, DeckRules, deck_rules_of
from decks.legality.verdict import Verdict
from decks.models import DecklistVersion
from players.models import Player
from tournaments.event import history, visibility
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import DeckSubmission, Job, LogAction, Tournament

NOT_JUDGED = (
    deck_services.NoCards,
    deck_services.GameNotJudged,
    deck_services.UnknownFormat,
)
"""Why a list of an event may get no verdict, whatever stands on it."""
NO_FORMAT = (
    "No format is chosen, so every card is legal. To check decks by a card pool and ban list, "
    "choose a format in the settings."
)


def deck_rules(tournament: Tournament) -> DeckRules:
    """The event's settings as the legality rules want them."""
    return deck_rules_of(tournament.game, tournament.deck_rules)


@dataclass(frozen=True)
class RulesNotice:
    """Something an organiser has to know about the deck rules they chose."""

    code: str
    detail: str


def rules_notices(tournament: Tournament) -> list[RulesNotice]:
    """Notices for a game with formats: no format is chosen, or its card data is too old."""
    rules = deck_rules(tournament) if tournament.has_decks else None
    if not isinstance(rules, AnrRules):
        return []
    if not rules.format_id:
        return [RulesNotice("no_format", gettext(NO_FORMAT))]
    table = format_table(tournament.game)
    format_ = table.find(rules.format_id)
    stale = outdated(format_, table.as_of, tournament.starts_on) if format_ else None
    return [RulesNotice("outdated_card_data", stale.in_words())] if stale else []


def verdict(tournament: Tournament, side: str, text: str) -> Verdict:
    """What the event's rules say about a list as typed; writes nothing."""
    return deck_services.check(
        text,
        game=tournament.game,
        side=side,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


def kept_version(tournament: Tournament, player: Player, side: str, text: str) -> DecklistVersion:
    """The list as a version of the player's deck, with its verdict."""
    return deck_services.hand_in(
        player,
        game=tournament.game,
        side=side,
        text=text,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


@transaction.atomic
def judge_again(tournament: Tournament, actor: Actor) -> None:
    """Other deck rules, date or card data: every list gets its new verdict, locked or not.

    A locked list that is no longer legal stays locked; the desk shows it. Nothing was handed
    in, so no receipt is written.
    """
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    for submission in submissions.select_related("version", "registration__player"):
        list_ = submission.version
        judged = verdict(tournament, submission.side, list_.text)
        if deck_services.says_the_same(list_, judged):
            continue
        player = submission.registration.player
        submission.version = kept_version(tournament, player, submission.side, list_.text)
        submission.save(update_fields=["version"])
        record(tournament, actor, LogAction.DECK_JUDGED_AGAIN, submission)


def judge_decks(job: Job) -> None:
    """Judge the lists of an event again; those of a finished one keep the verdict they had."""
    tournament = history.lock(job.tournament)
    if not tournament.is_finished:
        judge_again(tournament, NOBODY)


def is_public(tournament: Tournament) -> bool:
    """Whether a change of a list changes what others than its player and the judges see."""
    return visibility.others_see_decks(tournament)


def record(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    submission: DeckSubmission,
    *,
    reason: str = "",
    receipt: int | None = None,
) -> None:
    """What is in a deck never enters the log; its version moves the public one where it shows."""
    shown = is_public(tournament)
    after = {"side": submission.side, "version": submission.version.number}
    history.record(
        tournament,
        actor,
        action,
        submission.registration,
        after=after if receipt is None else {**after, "receipt": receipt},
        reason=reason,
        public=shown,
        players=None if shown else [submission.registration.player_id],
    )
