"""Who is to be forgotten, under which names, and at which events they left traces."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet

from players.models import Player, User
from tournaments.models import Absence, LogEntry, Registration, Staff, StaffInvitation, Tournament


@dataclass(frozen=True)
class Person:
    """An account, a player, or both of one human being."""

    user: User | None
    player: Player | None

    @property
    def label(self) -> str:
        """What stands wherever the name stood: "Player 17", the same for ever."""
        if self.player is not None:
            return f"Player {self.player.pk}"
        assert self.user is not None, "somebody is forgotten"
        return f"Account {self.user.pk}"

    def names(self) -> list[str]:
        """All that tells who it is: names of now and before, username, mail addresses."""
        found: list[str] = []
        if self.player is not None:
            found += [self.player.name, *self.player.former_names]
        if self.user is not None:
            found += [self.user.get_full_name(), self.user.username, self.user.email]
            addresses = EmailAddress.objects.filter(user=self.user)
            found += addresses.values_list("email", flat=True)
        return list(dict.fromkeys(name for name in found if name))

    def twins(self) -> QuerySet[Player]:
        """The copies of a guest that practice events play with, under a name of then or of now."""
        if self.player is None:
            return Player.objects.none()
        practised = Registration.objects.filter(tournament__practice_of__in=self.events())
        own_deck = Q(deck_submissions__version__decklist__player=self.player)
        copies = practised.filter(Q(player__name__in=self.names()) | own_deck)
        guests = Player.objects.filter(pk__in=copies.values("player"), user=None)
        return guests.exclude(pk=self.player.pk)

    def events(self) -> QuerySet[Tournament]:
        """Every event where something may tell of this person, in the order events are locked."""
        mine = self._by_keys() | self._by_name()
        events = Tournament.objects.filter(mine)
        practices = Q(practice_of__in=events.values("pk"))
        return Tournament.objects.filter(mine | practices).order_by("pk")

    def _by_keys(self) -> Q:
        acted = Q(pk__in=[])
        if self.player is not None:
            places = Registration.objects.filter(player=self.player)
            acted |= Q(pk__in=places.values("tournament"))
            acted |= Q(pk__in=LogEntry.objects.filter(player=self.player).values("tournament"))
            told = Absence.objects.filter(player=self.player)
            acted |= Q(pk__in=told.values("pairing__round__stage__tournament"))
        if self.user is not None:
            acted |= Q(pk__in=Staff.objects.filter(user=self.user).values("tournament"))
            acted |= Q(pk__in=LogEntry.objects.filter(user=self.user).values("tournament"))
            used = StaffInvitation.objects.filter(used_by=self.user)
            acted |= Q(pk__in=used.values("tournament"))
        return acted

    def _by_name(self) -> Q:
        """Events whose roster they were taken off: the log has the name and no key any more."""
        named = LogEntry.objects.filter(registration=None, subject__in=self.names())
        if self.player is not None:
            # Where somebody else of that name plays, the entry is about them.
            others = Registration.objects.filter(player__name_key=self.player.name_key)
            others = others.exclude(player=self.player)
            named = named.exclude(tournament__in=others.values("tournament"))
        return Q(pk__in=named.values("tournament"))


def person_of(user: User | None, player: Player | None) -> Person:
    """The whole person, whichever half is known; the rows are read anew."""
    if user is not None and player is None:
        player = Player.objects.filter(user=user).first()
    elif player is not None and player.user_id is not None:
        user = User.objects.get(pk=player.user_id)
    return Person(user, player and Player.objects.get(pk=player.pk))
