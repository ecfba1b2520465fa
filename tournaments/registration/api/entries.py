"""Names of players corrected, and their personal links."""

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import endpoint
from players.services import NameNotUsable, PlayerErased, PlayerHasAccount
from tournaments.event import permissions
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.registration.api.roster import OfRoster
from tournaments.registration.pages import claim_address
from tournaments.registration.serializers.join import (
    ClaimLinksBody,
    ClaimLinkSerializer,
    ClaimLinksSerializer,
    NameBody,
)
from tournaments.registration.serializers.roster import RegistrationSerializer
from tournaments.registration.services import profiles


class EntryViewSet(OfRoster):
    """Who the player of an entry is."""

    @endpoint(
        "registrations_rename",
        "Correct a name",
        RegistrationSerializer,
        body=NameBody,
        who=permissions.can_run,
        refusals=(
            *(EventIsFinished, NameNotUsable, PlayerErased, PlayerRemoved),
            *(profiles.NamesThemselves, profiles.PlaysElsewhere),
        ),
    )
    def rename(self, request: Request, slug: str, number: int) -> Response:
        """The name and pronouns of a guest, on all pages of their events."""
        entry, asked = self.row(), given(NameBody, request)
        profiles.rename(entry, self.actor, asked["name"], asked.get("pronouns"))
        return self.answer_with_row()

    @endpoint(
        "registrations_claim_link",
        "Make a personal link",
        ClaimLinkSerializer,
        who=permissions.can_run,
        shown_once=("claim_link",),
        refusals=(PlayerErased, PlayerHasAccount, profiles.PlaysElsewhere),
    )
    def make_claim_link(self, request: Request, slug: str, number: int) -> Response:
        """A guest's new personal link, shown now and never again. It ends the former one."""
        secret = profiles.issue_claim(self.row(), self.actor)
        return Response({"claim_link": claim_address(request, secret)})

    @endpoint(
        "registrations_claim_links",
        "Make personal links for all",
        ClaimLinksSerializer,
        body=ClaimLinksBody,
        who=permissions.can_run,
        shown_once=("links",),
    )
    def make_claim_links(self, request: Request, slug: str) -> Response:
        """A link for every guest without one, shown now and never again; by name."""
        asked = given(ClaimLinksBody, request)
        made = profiles.issue_claims(self.tournament, self.actor, anew=asked.get("anew", False))
        links = [
            {"registration": one.registration, "claim_link": claim_address(request, one.secret)}
            for one in made
        ]
        return Response(ClaimLinksSerializer({"links": links}).data)
