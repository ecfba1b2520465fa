"""A draft: looked at, changed seat by seat, thrown away."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import endpoint
from core.errors import ReasonMissing, Refusal
from tournaments.event import permissions
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import Pairing, Round
from tournaments.rounds.pages.draft import draft_page
from tournaments.rounds.pages.manual_pairings import (
    ManualDraft,
    manual_draft,
    manual_warnings,
    swap_preview,
)
from tournaments.rounds.pages.reasons import plain
from tournaments.rounds.serializers.drafts import (
    ByHandBody,
    DraftSerializer,
    RestBody,
    SwapBody,
    TableLockBody,
)
from tournaments.rounds.serializers.rounds import PairingAskedSerializer
from tournaments.rounds.services import drafting, rounds
from tournaments.rounds.services.drafting import ManualTable
from tournaments.web.api.viewsets import EventViewSet


class WantsConfirmation(Refusal):
    """The change breaks something; with `confirmed` it is done anyway."""


REFUSED_DRAFT = (EventIsFinished, rounds.NotADraft, rounds.DraftHasChanged, WantsConfirmation)


class DraftViewSet(EventViewSet):
    """The draft of a round: looked at, changed seat by seat, paired anew, thrown away."""

    @endpoint("drafts_read", "A draft", DraftSerializer, who=permissions.can_run)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Who would meet, why, at what price, and which rules had to give way."""
        return self._document(self._draft())

    @endpoint(
        "drafts_discard",
        "Discard a draft",
        status=204,
        who=permissions.can_run,
        refusals=(EventIsFinished, rounds.NotADraft),
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """Nobody has seen it. Then pair the round again, or let somebody in before."""
        drafting.discard_draft(self._draft(), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @endpoint(
        "drafts_swap",
        "Swap two players of a draft",
        DraftSerializer,
        body=SwapBody,
        who=permissions.can_run,
        refusals=REFUSED_DRAFT,
    )
    def swap(self, request: Request, **kwargs: Any) -> Response:
        """One of the two may have the bye; at one table they change roles.

        A swap that breaks something, or touches a lock, is a 409 `wants_confirmation` that says
        what; with `confirmed` it is done.
        """
        round_, body = self._draft(), given(SwapBody, request)
        one, other = (self.player_numbered(name, body[name]) for name in ("one", "other"))
        found = swap_preview(round_, one, other)
        if found is not None and found.asks and not body["confirmed"]:
            raise WantsConfirmation(
                "This swap breaks something. Send it with confirmed to make it anyway.",
                broken=[plain(one) for one in found.broken],
                mended=[plain(one) for one in found.mended],
                gaps=found.gaps,
                locked=found.locked,
            )
        drafting.swap_seats(round_, one, other, self.actor, seen=body["seen"])
        return self._document(self.round_())

    @endpoint(
        "drafts_lock",
        "Lock or unlock a table",
        DraftSerializer,
        body=TableLockBody,
        who=permissions.can_run,
        refusals=(EventIsFinished, rounds.NotADraft, rounds.WrongState),
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Works until the round is closed; twice it changes nothing."""
        round_, body = self.round_(), given(TableLockBody, request)
        rows = round_.pairings.select_related("round__stage__tournament")
        wanted = (
            {"table_number": body["table"]} if "table" in body else {"bye__number": body["bye"]}
        )
        pairing: Pairing | None = rows.filter(**wanted).first()
        if pairing is None:
            name = "table" if "table" in body else "bye"
            raise ValidationError({name: ["This is not in the round."]})
        drafting.set_lock(pairing, self.actor, locked=body["locked"])
        return self._document(self.round_())

    @endpoint(
        "drafts_rest",
        "Re-pair unlocked tables",
        PairingAskedSerializer,
        body=RestBody,
        status=202,
        who=permissions.can_run,
        refusals=(
            EventIsFinished,
            rounds.NotADraft,
            rounds.WrongState,
            drafting.NothingToPair,
            ReasonMissing,
        ),
    )
    def pair_the_rest(self, request: Request, **kwargs: Any) -> Response:
        """In a draft those that are not locked. A published round wants a reason, and says what
        stays: then its other tables are made anew, but for those where somebody reported a result.
        """
        round_, body = self.round_(), given(RestBody, request)
        keep = None if round_.is_draft else _kept(round_, body)
        job = drafting.pair_the_rest(round_, self.actor, reason=body["reason"].strip(), keep=keep)
        asked = {"job": job, "number": round_.number}
        return Response(PairingAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)

    @endpoint(
        "drafts_by_hand",
        "Pair a round by hand",
        DraftSerializer,
        body=ByHandBody,
        who=permissions.can_run,
        refusals=(*REFUSED_DRAFT, drafting.NotBySeats, PlayerRemoved),
    )
    def pair_by_hand(self, request: Request, **kwargs: Any) -> Response:
        """Make these the tables and byes of the draft; locked ones stay beside them.

        What they break, or who has no place, is a 409 `wants_confirmation`; with `confirmed` they
        are kept anyway.
        """
        round_, body = self._draft(), given(ByHandBody, request)
        draft = manual_draft(round_)
        chosen = [(table["table"], table["seats"]) for table in body["tables"]]
        byes = list(dict.fromkeys(body["byes"]))
        _refuse_strangers(draft, chosen, byes)
        warnings = manual_warnings(draft, dict(chosen), byes)
        if warnings and not body["confirmed"] and not round_.stage.way.is_elimination:
            raise WantsConfirmation(
                "This breaks something. Send it with confirmed to make it anyway.",
                warnings=[plain(one) for one in warnings],
            )
        drafting.pair_by_hand(
            round_,
            [
                ManualTable(number, tuple(draft.free[one] for one in seats))
                for number, seats in chosen
            ],
            [draft.free[number] for number in byes],
            self.actor,
            seen=body["seen"],
        )
        return self._document(self.round_())

    def _draft(self) -> Round:
        """The round of the address while it is a draft. Raises Http404."""
        round_ = self.round_()
        if not round_.is_draft:
            raise Http404(f"Round {round_.number} is no draft.")
        return round_

    def _document(self, round_: Round) -> Response:
        """The draft as it stands now."""
        return Response(DraftSerializer(draft_page(round_), context={"round": round_}).data)


def _kept(round_: Round, body: dict[str, Any]) -> list[int]:
    """The rows to keep, by primary key. Raises ValidationError for one that is not there."""
    rows = round_.pairings.values_list("pk", "table_number", "bye__number")
    tables = {table: pk for pk, table, _ in rows if table is not None}
    byes = {bye: pk for pk, _, bye in rows if bye is not None}
    kept: list[int] = []
    for name, there in (("keep_tables", tables), ("keep_byes", byes)):
        unknown = [one for one in body.get(name, ()) if one not in there]
        if unknown:
            raise ValidationError({name: [f"Not in this round: {unknown[0]}."]})
        kept += [there[one] for one in body.get(name, ())]
    return kept


def _refuse_strangers(
    draft: ManualDraft, tables: Sequence[tuple[int, Sequence[int]]], byes: Sequence[int]
) -> None:
    """Raise ValidationError for players who cannot sit anywhere."""
    places = {"tables": [one for _, seats in tables for one in seats], "byes": byes}
    wrong = {
        name: [f"Player {one} cannot sit here: not checked in, or at a locked table."]
        for name, numbers in places.items()
        for one in numbers
        if one not in draft.free
    }
    if wrong:
        raise ValidationError(wrong)
