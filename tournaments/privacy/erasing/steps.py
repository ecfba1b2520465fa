"""Erasing, step by step, in one transaction."""

from functools import partial

from django.db import transaction

from core.redis_cache import forget_pages
from players.models import Player, User
from tournaments.event import history
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import LogAction, Tournament
from tournaments.privacy.erasing.accounts import (
    end_sessions,
    forget_account,
    forget_own_words,
    forget_player,
    sign_rulings_anew,
)
from tournaments.privacy.erasing.decks import forget_decks
from tournaments.privacy.erasing.people import Person
from tournaments.privacy.erasing.texts import Names, take_names_out


def lock_events(person: Person) -> list[Tournament]:
    """Every event that tells of the person, locked in the order of all who lock many."""
    return [history.lock(event) for event in person.events()]


def lock(person: Person) -> Person:
    """The rows of the person read anew and locked, after every event that tells of them.

    Until the transaction ends nobody logs in as this person, registers them or lets them stay.
    """
    lock_events(person)
    user = person.user and User.objects.select_for_update().get(pk=person.user.pk)
    player = person.player and Player.objects.select_for_update().get(pk=person.player.pk)
    return Person(user, player)


@transaction.atomic
def erase(person: Person, actor: Actor = NOBODY) -> str:
    """Forget this person for good; the answer is the label that stands for the name now.

    Results, standings and public decks of events stay as they are. Whether it may be done is
    asked before (services.people). Cannot be taken back, except from a backup.
    """
    events = lock_events(person)
    names = Names(person.names(), person.label)
    twins = list(person.twins())
    players = [*([person.player] if person.player else []), *twins]
    end_sessions(person)
    forget_own_words(players)
    sign_rulings_anew(person, names.known)
    forget_decks(players, names)
    take_names_out(events, names)
    forget_account(person)
    for player in players:
        forget_player(player, person.label)
    for event in events:
        history.record(event, actor, LogAction.PERSON_ERASED, person.label)
    transaction.on_commit(partial(forget_pages))
    return person.label
