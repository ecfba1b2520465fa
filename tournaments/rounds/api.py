"""Rounds, drafts, clocks and jobs in the API."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch
from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_errors import get_or_404
from core.api_requests import ReasonSerializer, validated_body
from core.api_viewsets import endpoint, no_permission_needed
from core.errors import Refusal
from tournaments.event import pages as event_pages
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.models import Job, JobKind, Pairing, Round
from tournaments.rounds import draft_changes, services, timing_pages
from tournaments.rounds.draft_changes import ManualTable
from tournaments.rounds.draft_pages import (
    ManualDraft,
    draft_page,
    manual_draft,
    manual_warnings,
    swap_preview,
)
from tournaments.rounds.pages import plain_text
from tournaments.rounds.serializers import (
    DraftSerializer,
    EndTimesSerializer,
    JobDetailSerializer,
    ManualPairingBody,
    MinutesBody,
    PairingBody,
    PairingRequestedSerializer,
    PairingSerializer,
    PublishBody,
    RestBody,
    ResumeBody,
    RoundClockSerializer,
    RoundDetailSerializer,
    RoundSerializer,
    SwapBody,
    TableLockBody,
    TableMinutesBody,
)
from tournaments.rounds.timing_pages import get_end_times
from tournaments.web.serializers import JobSerializer
from tournaments.web.viewsets import EventViewSet

NO_END_TIMES = dict.fromkeys(EndTimesSerializer().fields) | {
    "days": [],
    "measured": 0,
    "is_late": False,
    "warning": "",
}


def _job_response(job: Job, number: int) -> Response:
    """Answer with the job that pairs round `number`."""
    body = {"job": job, "number": number}
    return Response(PairingRequestedSerializer(body).data, status=status.HTTP_202_ACCEPTED)


class RoundViewSet(EventViewSet):
    """Rounds of an event, without drafts, and their steps."""

    tag = "rounds"

    @endpoint("events_rounds", "Rounds", RoundSerializer(many=True), shared=True)
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Published rounds in order."""
        published = list(self.tournament.rounds.published().with_counts())
        Round.prefetch_names(published)
        return self.list_response(published, RoundSerializer)

    @endpoint(
        "rounds_pair",
        "Pair a round",
        PairingRequestedSerializer,
        body=PairingBody,
        status=202,
        permission=event_permissions.can_run,
        refusals=draft_changes.PAIRING_REFUSALS,
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Queue a job that makes the draft of a round. There is one job for each round number.

        With `force_reason` the previous round is closed first, even if results are missing.
        """
        body = validated_body(PairingBody, request)
        number = body["number"] or self.tournament.next_round_number()
        job = draft_changes.request_pairing(
            self.tournament, number, self.actor, force_reason=body["force_reason"].strip()
        )
        job.refresh_from_db()
        return _job_response(job, number)

    @endpoint("events_round", "One round", RoundDetailSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A round with all its pairings."""
        published = self.tournament.rounds.published().with_counts()
        pairings = Prefetch("pairings", Pairing.objects.with_games())
        rounds = published.prefetch_related(pairings)
        round_ = get_or_404(rounds, "Round", number=self.kwargs["number"])
        return Response(RoundDetailSerializer(round_, context=self.names_context()).data)

    @endpoint("events_pairings", "Pairings of a round", PairingSerializer(many=True), shared=True)
    def pairings(self, request: Request, **kwargs: Any) -> Response:
        """Pairings by table, byes last. Results are shown once they are settled."""
        visible = self.tournament.rounds.published()
        round_ = get_or_404(visible, "Round", number=self.kwargs["number"])
        rows = round_.pairings.with_games()
        return self.list_response(rows, PairingSerializer, **self.names_context())

    @endpoint(
        "rounds_publish",
        "Publish a draft",
        RoundSerializer,
        body=PublishBody,
        permission=event_permissions.can_run,
        refusals=services.PUBLISH_REFUSALS,
    )
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """Publish the pairings. Repeating the request changes nothing.

        409 if results or the roster have changed since the draft was made, or if the draft is not
        the `version` you read.
        """
        round_, body = self.round_(), validated_body(PublishBody, request)
        services.publish_round(
            round_,
            self.actor,
            leave_out_latecomers=body["leave_out_latecomers"],
            seen=body["version"],
        )
        return self._published()

    @endpoint(
        "rounds_unpublish",
        "Unpublish a round",
        DraftSerializer,
        body=ReasonSerializer,
        permission=event_permissions.can_run,
        refusals=services.UNPUBLISH_REFUSALS,
    )
    def unpublish(self, request: Request, **kwargs: Any) -> Response:
        """Hide the pairings again. Refused once a result is reported."""
        round_, body = self.round_(), validated_body(ReasonSerializer, request)
        services.unpublish_round(round_, self.actor, body["reason"])
        draft = self.round_()
        return Response(DraftSerializer(draft_page(draft), context={"round": draft}).data)

    @endpoint(
        "rounds_start",
        "Start the clock of a round",
        RoundSerializer,
        permission=event_permissions.can_run,
        refusals=services.STEP_REFUSALS,
    )
    def start(self, request: Request, **kwargs: Any) -> Response:
        """Start the clock of a round. Repeating the request changes nothing."""
        services.start_round(self.round_(), self.actor)
        return self._published()

    @endpoint(
        "rounds_close",
        "Close a round",
        RoundSerializer,
        permission=event_permissions.can_run,
        refusals=services.CLOSE_REFUSALS,
    )
    def close(self, request: Request, **kwargs: Any) -> Response:
        """Close a round and queue its standings. Refused while results are missing."""
        services.close_round(self.round_(), self.actor)
        return self._published()

    @endpoint(
        "rounds_reopen",
        "Reopen a closed round",
        RoundSerializer,
        body=ReasonSerializer,
        permission=event_permissions.can_run,
        refusals=services.REOPEN_REFUSALS,
    )
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Reopen the last round, before a later draft or a cut is made."""
        round_, body = self.round_(), validated_body(ReasonSerializer, request)
        services.reopen_round(round_, self.actor, body["reason"])
        return self._published()

    @endpoint(
        "events_end_times",
        "Expected end times",
        EndTimesSerializer,
        permission=no_permission_needed,
    )
    def end_times(self, request: Request, **kwargs: Any) -> Response:
        """Expected end times of the round and the event, with a warning if that is too late."""
        return Response(EndTimesSerializer(get_end_times(self.tournament) or NO_END_TIMES).data)

    def _published(self) -> Response:
        """Answer with the public round after a step."""
        published = self.tournament.rounds.published().with_counts()
        round_ = get_or_404(published, "Round", number=self.kwargs["number"])
        return Response(RoundSerializer(round_).data)


class ClockViewSet(EventViewSet):
    """The clock of a round, for organisers, and extra time of a table, for judges."""

    tag = "clocks"

    @endpoint("clocks_read", "Clock", RoundClockSerializer, permission=no_permission_needed)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The clock of a round. `ends_at` stays valid, so there is no need to poll often."""
        return self._document()

    @endpoint(
        "clocks_pause",
        "Pause the clock",
        RoundClockSerializer,
        permission=event_permissions.can_run,
        refusals=services.STEP_REFUSALS,
    )
    def pause(self, request: Request, **kwargs: Any) -> Response:
        """Pause the clock. Repeating the request changes nothing."""
        services.pause_clock(self.round_(), self.actor)
        return self._document()

    @endpoint(
        "clocks_resume",
        "Resume the clock",
        RoundClockSerializer,
        body=ResumeBody,
        permission=event_permissions.can_run,
        refusals=services.RESUME_REFUSALS,
    )
    def resume(self, request: Request, **kwargs: Any) -> Response:
        """Resume the clock. 409 `clock_moved` if `version` is not that of this pause."""
        round_, body = self.round_(), validated_body(ResumeBody, request)
        services.resume_clock(round_, self.actor, body["version"])
        return self._document()

    @endpoint(
        "clocks_add",
        "Change the time of a round",
        RoundClockSerializer,
        body=MinutesBody,
        permission=event_permissions.can_run,
        refusals=services.MINUTES_REFUSALS,
    )
    def add(self, request: Request, **kwargs: Any) -> Response:
        """Add or remove minutes. With `extra_minutes`, a repeated request counts once."""
        round_, body = self.round_(), validated_body(MinutesBody, request)
        services.add_minutes(round_, body["minutes"], self.actor, body["extra_minutes"])
        return self._document()

    @endpoint(
        "clocks_add_to_table",
        "Change the time of a table",
        RoundClockSerializer,
        body=TableMinutesBody,
        permission=event_permissions.can_judge,
        refusals=services.MINUTES_REFUSALS,
    )
    def add_to_table(self, request: Request, **kwargs: Any) -> Response:
        """Add or remove minutes at one table, in addition to those of the round. For judges."""
        pairing, body = self.table(), validated_body(TableMinutesBody, request)
        services.add_table_minutes(
            pairing, body["minutes"], self.actor, body["reason"], body["extra_minutes"]
        )
        return self._document()

    def _document(self) -> Response:
        round_ = self.round_()
        face = timing_pages.get_clock_face(round_)
        body = {
            "number": round_.number,
            "clock": face,
            "minutes": round_.clock().minutes,
            "extra_minutes": round_.extra_minutes,
            "version": round_.pause_mark,
            "tables": timing_pages.table_times(round_) if face else (),
        }
        return Response(RoundClockSerializer(body).data)


class JobViewSet(EventViewSet):
    """Background jobs of an event."""

    tag = "events"

    @endpoint(
        "jobs_list", "Jobs", JobSerializer(many=True), permission=event_permissions.can_open_desk
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Jobs of the event, newest first. Only organisers see why a job failed."""
        runs = event_permissions.can_run(self.actor, self.tournament)
        return self.list_response(
            event_pages.hide_job_errors(self.tournament.jobs.all(), runs=runs), JobSerializer
        )

    @endpoint(
        "jobs_read", "One job", JobDetailSerializer, permission=event_permissions.can_open_desk
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The state of a job, its error, and the round it has made."""
        job: Job = get_or_404(self.tournament.jobs.all(), "Job", pk=self.kwargs["pk"])
        job.tournament = self.tournament
        event_pages.hide_job_errors(
            [job], runs=event_permissions.can_run(self.actor, self.tournament)
        )
        job.__dict__["round"] = self._round_of(job)
        return Response(JobDetailSerializer(job).data)

    def _round_of(self, job: Job) -> dict[str, Any] | None:
        if job.kind != JobKind.PAIR_ROUND:
            return None
        rounds = self.tournament.rounds.select_related("stage__tournament")
        round_: Round | None = rounds.filter(number=job.payload.get("number")).first()
        if round_ is None or not visibility.can_see_round(self.actor, self.tournament, round_):
            return None
        name = "api:draft" if round_.is_draft else "api:round"
        url = reverse(name, [self.tournament.slug, round_.number], request=self.request)
        return {"number": round_.number, "state": round_.state, "url": url}


# Drafts.


class ConfirmationRequired(Refusal):
    """The change breaks a pairing rule. `confirmed` applies it anyway."""

    code = "wants_confirmation"


class DraftViewSet(EventViewSet):
    """The draft of a round, for organisers."""

    tag = "drafts"

    @endpoint(
        "drafts_read", "Draft of a round", DraftSerializer, permission=event_permissions.can_run
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The draft with its reasons and cost, and the rules that were relaxed."""
        return self._document(self._draft())

    @endpoint(
        "drafts_discard",
        "Discard a draft",
        status=204,
        permission=event_permissions.can_run,
        refusals=draft_changes.DISCARD_REFUSALS,
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """Discard a draft, for example to add a player before pairing again."""
        draft_changes.discard_draft(self._draft(), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @endpoint(
        "drafts_swap",
        "Swap two players of a draft",
        DraftSerializer,
        body=SwapBody,
        permission=event_permissions.can_run,
        refusals=(*draft_changes.SWAP_REFUSALS, ConfirmationRequired),
    )
    def swap(self, request: Request, **kwargs: Any) -> Response:
        """Swap two players. One may have the bye. At the same table they swap sides.

        A swap that breaks a rule or a lock is a 409 `wants_confirmation` with the breaches.
        `confirmed` applies it anyway.
        """
        round_, body = self._draft(), validated_body(SwapBody, request)
        first, second = (self.registration_numbered(name, body[name]) for name in ("one", "other"))
        preview = swap_preview(round_, first, second)
        if preview and preview.requires_confirmation and not body["confirmed"]:
            raise ConfirmationRequired(
                "This swap breaks a pairing rule. Send it with confirmed to make it anyway.",
                broken=[*map(plain_text, preview.broken)],
                mended=[*map(plain_text, preview.resolved)],
                gaps=preview.gaps,
                locked=preview.locked,
            )
        draft_changes.swap_seats(round_, first, second, self.actor, seen=body["version"])
        return self._document(self.round_())

    @endpoint(
        "drafts_lock",
        "Lock or unlock a table",
        DraftSerializer,
        body=TableLockBody,
        permission=event_permissions.can_run,
        refusals=services.STEP_REFUSALS,
    )
    def lock(self, request: Request, **kwargs: Any) -> Response:
        """Lock or unlock a table, until the round is closed. Repeating it changes nothing."""
        round_, body = self.round_(), validated_body(TableLockBody, request)
        rows = round_.pairings.select_related("round__stage__tournament")
        name, lookup = ("table", "table_number") if "table" in body else ("bye", "bye__number")
        pairing: Pairing | None = rows.filter(**{lookup: body[name]}).first()
        if pairing is None:
            raise ValidationError({name: ["This is not in the round."]})
        draft_changes.set_lock(pairing, self.actor, locked=body["locked"])
        return self._document(self.round_())

    @endpoint(
        "drafts_rest",
        "Re-pair unlocked tables",
        PairingRequestedSerializer,
        body=RestBody,
        status=202,
        permission=event_permissions.can_run,
        refusals=draft_changes.REST_REFUSALS,
    )
    def pair_the_rest(self, request: Request, **kwargs: Any) -> Response:
        """Pair the unlocked tables of a draft again.

        In a published round, give a reason and the tables to keep. Tables with a reported result
        stay as well.
        """
        round_, body = self.round_(), validated_body(RestBody, request)
        keep = None if round_.is_draft else _kept_pairing_keys(round_, body)
        job = draft_changes.pair_the_rest(
            round_, self.actor, reason=body["reason"].strip(), keep=keep
        )
        return _job_response(job, round_.number)

    @endpoint(
        "drafts_by_hand",
        "Pair a round by hand",
        DraftSerializer,
        body=ManualPairingBody,
        permission=event_permissions.can_run,
        refusals=(*draft_changes.BY_HAND_REFUSALS, ConfirmationRequired),
    )
    def pair_by_hand(self, request: Request, **kwargs: Any) -> Response:
        """Replace the unlocked tables and byes of the draft.

        Breaches of a rule and unpaired players are a 409 `wants_confirmation`. `confirmed` applies
        the pairings anyway.
        """
        round_, body = self._draft(), validated_body(ManualPairingBody, request)
        draft = manual_draft(round_)
        chosen = [(table["table"], table["seats"]) for table in body["tables"]]
        byes = list(dict.fromkeys(body["byes"]))
        _refuse_unseatable_players(draft, chosen, byes)
        warnings = manual_warnings(draft, dict(chosen), byes)
        if warnings and not body["confirmed"] and not round_.is_in_cut:
            raise ConfirmationRequired(
                "These pairings break a rule. Send them with confirmed to use them anyway.",
                warnings=[*map(plain_text, warnings)],
            )
        draft_changes.pair_by_hand(
            round_,
            [
                ManualTable(number, tuple(draft.free[player] for player in seats))
                for number, seats in chosen
            ],
            [draft.free[number] for number in byes],
            self.actor,
            seen=body["version"],
        )
        return self._document(self.round_())

    def _draft(self) -> Round:
        """Return the draft. Raises Http404 for a published round."""
        round_ = self.round_()
        if not round_.is_draft:
            raise Http404(f"Round {round_.number} is no draft.")
        return round_

    def _document(self, round_: Round) -> Response:
        return Response(DraftSerializer(draft_page(round_), context={"round": round_}).data)


def _kept_pairing_keys(round_: Round, body: dict[str, Any]) -> list[int]:
    """Return the primary keys of the pairings to keep. Raises ValidationError."""
    rows = round_.pairings.values_list("pk", "table_number", "bye__number")
    tables = {table: pk for pk, table, _ in rows if table is not None}
    byes = {bye: pk for pk, _, bye in rows if bye is not None}
    kept: list[int] = []
    for name, keys in (("keep_tables", tables), ("keep_byes", byes)):
        unknown = [number for number in body.get(name, ()) if number not in keys]
        if unknown:
            raise ValidationError({name: [f"Not in this round: {unknown[0]}."]})
        kept += [keys[number] for number in body.get(name, ())]
    return kept


def _refuse_unseatable_players(
    draft: ManualDraft, tables: Sequence[tuple[int, Sequence[int]]], byes: Sequence[int]
) -> None:
    """Raise ValidationError for players who cannot be paired."""
    parts = {"tables": [player for _, seats in tables for player in seats], "byes": byes}
    errors = {
        name: [f"Player {player} cannot sit here: not checked in, or at a locked table."]
        for name, players in parts.items()
        for player in players
        if player not in draft.free
    }
    if errors:
        raise ValidationError(errors)
