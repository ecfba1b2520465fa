"""Deck checks: tables drawn, decks laid against their lists, what was found."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from tournaments.decklists import queries
from tournaments.decklists.pages import deck_checks as pages
from tournaments.decklists.serializers import (
    CheckDetailSerializer,
    DrawBody,
    DrawSerializer,
    NewDrawSerializer,
    OutcomeBody,
)
from tournaments.decklists.services import deck_checks
from tournaments.event import permissions
from tournaments.event.history import EventIsFinished
from tournaments.models import DeckCheck, Round
from tournaments.web.api.viewsets import EventViewSet


class DeckCheckViewSet(EventViewSet):
    """Decks drawn at the tables, and what was found, for those who judge."""

    @endpoint(
        "deck_checks_list", "Deck checks", DrawSerializer(many=True), who=permissions.can_judge
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """What was drawn so far and what was found, the newest draw first."""
        return self.listed(pages.drawn_tables(self.tournament), DrawSerializer)

    @endpoint(
        "deck_checks_draw",
        "Draw tables to check",
        NewDrawSerializer,
        body=DrawBody,
        status=201,
        who=permissions.can_judge,
        refusals=(EventIsFinished, deck_checks.NothingToCheck),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Draw tables of the round that is played now, by lot or one by its number."""
        asked, round_ = given(DrawBody, request), self._played()
        if "table" in asked:
            draw = deck_checks.pick(round_, self.actor, asked["table"])
        else:
            draw = deck_checks.draw(round_, self.actor, asked["count"])
        newest = next(one for one in pages.drawn_tables(self.tournament) if one.draw == draw)
        bare = queries.without_a_deck(draw, round_)
        drawn = {
            "draw": newest,
            "without_a_deck": [{"table": table, "player": place} for table, place in bare],
        }
        return Response(NewDrawSerializer(drawn).data, status=201)

    @endpoint(
        "deck_checks_read", "A deck to check", CheckDetailSerializer, who=permissions.can_judge
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """One deck as boxes to tick, and what was found."""
        return Response(CheckDetailSerializer(pages.tick_list(self._check())).data)

    @endpoint(
        "deck_checks_found",
        "Say what was found",
        CheckDetailSerializer,
        body=OutcomeBody,
        who=permissions.can_judge,
        refusals=(EventIsFinished,),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Write down what the judge found; written again, the newer word stands."""
        check, asked = self._check(), given(OutcomeBody, request)
        deck_checks.note_outcome(check, self.actor, asked["outcome"], asked.get("note", ""))
        return self.retrieve(request)

    def _check(self) -> DeckCheck:
        return found_or_404(
            queries.checks_with_cards(self.tournament), "Deck check", pk=self.kwargs["pk"]
        )

    def _played(self) -> Round:
        round_ = queries.round_at_tables(self.tournament)
        if round_ is None:
            raise deck_checks.NothingToCheck(
                "No round is being played, so there is no table to check."
            )
        return round_
