"""The cut: its candidates, seeds and bracket; made, changed and undone; roles at its tables."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import anyone, endpoint
from engine.round_plan import usual_cut
from matches import services as matches
from tournaments.event import permissions, queries
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import Pairing, Registration, Stage
from tournaments.results.cut_changes import CannotChange, ChangeKind, CutChange
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.standings import placing_lines
from tournaments.results.serializers.results import CorpChoiceBody, CorpChoiceSerializer
from tournaments.results.serializers.standings import (
    BracketSerializer,
    CandidatesSerializer,
    CutBody,
    CutChangeBody,
    CutPreviewSerializer,
    CutSerializer,
    DeclineBody,
)
from tournaments.results.services import cuts
from tournaments.rounds import elimination
from tournaments.web.api.viewsets import EventViewSet

EMPTY = {
    "stage": None,
    "system": None,
    "fixed_bracket": False,
    "games": (),
    "changes": (),
    "placings": (),
}
"""A bracket before its cut is published."""
REFUSED_CUT = (EventIsFinished, cuts.CutRefused, cuts.CutIsPublic, CannotChange)


class CutViewSet(EventViewSet):
    """The cut of an event; its bracket is for everybody once the cut is published."""

    @endpoint("cuts_read", "The cut", CutSerializer, who=permissions.can_run)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Its seeds, and who would come in; 404 while there is none."""
        return Response(self._document())

    @endpoint(
        "cuts_make",
        "Make a cut",
        CutSerializer,
        body=CutBody,
        status=201,
        who=permissions.can_run,
        refusals=(EventIsFinished, cuts.CutRefused, PlayerRemoved),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Of these players, best seed first. Nobody else sees it until it is published."""
        body = given(CutBody, request)
        known = self.tournament.game_played.scoring_rules
        rule = body["scoring_rule"]
        if rule and rule != self.tournament.scoring_rule and rule not in known:
            raise ValidationError({"scoring_rule": [f"Choose one of {', '.join(known)}."]})
        cuts.make_cut(
            self.tournament,
            self._players(body["players"]),
            self.actor,
            system=body["system"],
            scoring_rule=rule,
            fixed_bracket=body["fixed_bracket"],
            reason=body["reason"],
        )
        return Response(self._document(), status=status.HTTP_201_CREATED)

    @endpoint(
        "cuts_undo", "Undo the cut", status=204, who=permissions.can_run, refusals=REFUSED_CUT
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """While no game of it is published."""
        cuts.undo_cut(self._stage(), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @endpoint(
        "cuts_publish",
        "Publish the seeds",
        CutSerializer,
        who=permissions.can_run,
        refusals=(EventIsFinished, cuts.CutRefused),
    )
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """Everybody sees the bracket before its first games; until these it can be changed."""
        cuts.publish(self._stage(), self.actor)
        return Response(self._document())

    @endpoint(
        "cuts_candidates", "Who can be in a cut", CandidatesSerializer, who=permissions.can_run
    )
    def candidates(self, request: Request, **kwargs: Any) -> Response:
        """By the newest standings, best first."""
        players = queries.cut_candidates(self.tournament)
        latest = queries.latest_round(self.tournament)
        is_open = latest is not None and not latest.is_closed
        body = {
            "usual_size": queries.planned_cut_of(self.tournament, len(players))
            or usual_cut(len(players)),
            "players": players,
            "standings_wait": bool(queries.why_standings_wait(self.tournament)),
            "open_round": latest.number if latest is not None and is_open else None,
        }
        return Response(CandidatesSerializer(body).data)

    @endpoint(
        "cuts_decline",
        "Decline a place in the cut",
        CutSerializer,
        body=DeclineBody,
        who=permissions.can_run,
        refusals=REFUSED_CUT,
    )
    def decline(self, request: Request, **kwargs: Any) -> Response:
        """Those behind move up, and the next one is in."""
        body = given(DeclineBody, request)
        player = self.player_numbered("number", body["number"])
        wanted = CutChange(ChangeKind.DECLINE, player.number)
        cuts.change(self._stage(), wanted, self.actor, body["reason"])
        return Response(self._document())

    @endpoint(
        "cuts_change",
        "Change the cut",
        CutPreviewSerializer,
        body=CutChangeBody,
        parameters=[OpenApiParameter("preview", bool, description="true: only tell what it does.")],
        who=permissions.can_run,
        refusals=REFUSED_CUT,
    )
    def change(self, request: Request, **kwargs: Any) -> Response:
        """Somebody declines, is replaced or invited, or gets another seed."""
        body, looks = given(CutChangeBody, request), self.is_asked_for("preview")
        kind = ChangeKind(body["kind"])
        wanted = CutChange(kind, body["player"], body.get("other"), body.get("seed"))
        stage = self._stage()
        if looks:
            done = cuts.preview(stage, wanted)
        else:
            done = cuts.change(stage, wanted, self.actor, body["reason"])
        answer = {"words": done.words, "before": done.before, "after": done.after}
        return Response(CutPreviewSerializer({**answer, "is_done": not looks}).data)

    @endpoint("events_bracket", "Bracket", BracketSerializer, shared=True)
    def bracket(self, request: Request, **kwargs: Any) -> Response:
        """Who meets whom in the cut, and where everybody came; empty until it is published."""
        stage = queries.cut_of_event(self.tournament)
        is_public = stage is not None and queries.cut_is_public(stage)
        return Response(
            BracketSerializer(self._drawn(stage) if stage and is_public else EMPTY).data
        )

    def _drawn(self, stage: Stage) -> dict[str, Any]:
        cut = elimination.cut_of(stage)
        return {
            "stage": stage.number,
            "system": stage.system,
            "fixed_bracket": stage.fixed_bracket,
            "games": bracket_drawing(cut).games,
            "changes": queries.cut_changes(stage),
            "placings": placing_lines(self.tournament, cut),
        }

    def _stage(self) -> Stage:
        """The cut. Raises Http404 while there is none."""
        stage = queries.cut_of_event(self.tournament)
        if stage is None:
            raise Http404("This event has no cut.")
        return stage

    def _players(self, numbers: list[int]) -> list[Registration]:
        candidates = {one.number: one for one in queries.cut_candidates(self.tournament)}
        unknown = [number for number in numbers if number not in candidates]
        if unknown:
            raise ValidationError({"players": [f"Player {unknown[0]} cannot be in a cut."]})
        return [candidates[number] for number in numbers]

    def _document(self) -> dict[str, Any]:
        """The cut as it stands now."""
        stage = self._stage()
        cut = elimination.cut_of(stage)
        body = {
            "stage": stage.number,
            "system": stage.system,
            "scoring_rule": stage.scoring_rule,
            "fixed_bracket": stage.fixed_bracket,
            "is_public": queries.cut_is_public(stage),
            "has_begun": queries.cut_has_begun(stage),
            "is_as_in_standings": cuts.is_as_in_standings(stage),
            "seeds": cut.entries,
            "declined": [entry.registration for entry in queries.declined_entries(stage)],
            "left": cuts.left_players(stage),
            "next_in": cuts.next_in(stage),
            "winner": cut.winner,
        }
        return dict(CutSerializer(body).data)


class RoleViewSet(EventViewSet):
    """Who begins as Corp at a table of a cut."""

    @endpoint("tables_role", "Roles", CorpChoiceSerializer, who=anyone)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Nobody chooses where the bracket or the rules of the event say it."""
        return self._document(self.table())

    @endpoint(
        "tables_choose_role",
        "Choose who begins as Corp",
        CorpChoiceSerializer,
        body=CorpChoiceBody,
        who=anyone,
        refusals=(EventIsFinished, cuts.NothingToSay, matches.AlreadySettled),
    )
    def choose(self, request: Request, **kwargs: Any) -> Response:
        """The higher seed, or the staff in their stead; until a result is reported."""
        pairing = self.table()
        if not permissions.can_enter_results(self.actor, self.tournament):
            self._refuse_unless_chooser(request, pairing)
        body = given(CorpChoiceBody, request)
        corp = self.player_numbered("corp", body["corp"])
        cuts.choose_corp(pairing, corp, self.actor, seen=self._seen(body))
        return self._document(self.table())

    def _refuse_unless_chooser(self, request: Request, pairing: Pairing) -> None:
        mine = queries.registration_of(self.actor.player, self.tournament)
        if mine is None or pairing.chooser_number != mine.number:
            self.refuse(request)

    def _seen(self, body: dict[str, Any]) -> str | None:
        if "seen" not in body:
            return None
        seen = self.tournament.registrations.filter(number=body["seen"]).first()
        return str(seen.player_id) if seen else ""

    def _document(self, pairing: Pairing) -> Response:
        assert pairing.match is not None, "only a table has a chooser"
        players = queries.registrations_at(self.tournament, pairing.match)
        by_number = {entry.number: entry for entry in players.values()}
        chooser = pairing.chooser_number
        corp = elimination.chosen_corp(pairing) if chooser is not None else ""
        body = {
            "chooser": by_number[chooser] if chooser is not None else None,
            "corp": players[int(corp)] if corp else None,
        }
        return Response(CorpChoiceSerializer(body).data)
