"""Decks: what everybody may read stays with the event, every other list goes."""

from django.db.models import QuerySet

from decks.models import Decklist, DecklistVersion
from players.models import Player
from tournaments.event import visibility
from tournaments.models import (
    DeckCheck,
    DeckReceipt,
    DeckSubmission,
    StatedIdentity,
    Tournament,
    Visibility,
)
from tournaments.privacy.erasing.texts import Names, take_names_out_of_decks


def forget_decks(players: list[Player], names: Names) -> None:
    """Delete the lists of these players but for those that are public; those lose the names.

    Where the identity of a deck was public and its list was not, the identity stays.
    """
    owned = DeckSubmission.objects.filter(registration__player__in=players)
    read, identities = _public(owned)
    hidden = owned.exclude(pk__in=read)
    for submission in hidden.filter(pk__in=identities).select_related("version__identity"):
        _keep_identity(submission)
    DeckCheck.objects.filter(submission__in=hidden).delete()
    hidden.delete()
    _forget_earlier(owned)
    lists = Decklist.objects.filter(player__in=players)
    kept = owned.values("version")
    DecklistVersion.objects.filter(decklist__in=lists).exclude(pk__in=kept).delete()
    lists.filter(versions=None).delete()
    take_names_out_of_decks(lists, names)


def _public(owned: QuerySet[DeckSubmission]) -> tuple[set[int], set[int]]:
    """Those everybody may read, and those whose identity everybody may read, by primary key."""
    read: set[int] = set()
    identities: set[int] = set()
    events = Tournament.objects.filter(registrations__deck_submissions__in=owned).distinct()
    for event in events.exclude(visibility=Visibility.PRIVATE):
        mine = owned.filter(registration__tournament=event)
        seen = visibility.decks_for_reader(event, None).filter(pk__in=mine)
        read |= set(seen.values_list("pk", flat=True))
        known = visibility.identities_for_reader(event, None).filter(pk__in=mine)
        identities |= set(known.values_list("pk", flat=True))
    return read, identities


def _keep_identity(submission: DeckSubmission) -> None:
    card = submission.version.identity
    if card is not None:
        StatedIdentity.objects.get_or_create(
            registration_id=submission.registration_id,
            side=submission.side,
            defaults={"title": card.title, "card": card},
        )


def _forget_earlier(owned: QuerySet[DeckSubmission]) -> None:
    """What was handed in before the list that stays was never shown to everybody."""
    for submission in owned:
        earlier = DeckReceipt.objects.filter(submission=submission)
        earlier.exclude(version_id=submission.version_id).delete()
        checks = DeckCheck.objects.filter(submission=submission)
        checks.exclude(version_id=submission.version_id).delete()
