"""Work that is written down, and programs elsewhere: their tokens, and what they were told."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from core import jobs
from core.jobs import LIVE, JobState
from players.models import User
from tournaments.models import (
    ApiToken,
    Job,
    JobKind,
    Tournament,
    Upload,
    UploadState,
    Webhook,
    WebhookDelivery,
)


def pairing_job(tournament: Tournament, number: int) -> Job | None:
    """The job that pairs round `number`, whatever its state."""
    return tournament.jobs.filter(key=pairing_key(tournament, number)).first()


def pairing_key(tournament: Tournament, number: int) -> str:
    """One key for each round: that is why one click, or ten, make one round."""
    return f"pair:{tournament.pk}:{number}"


def jobs_to_show(tournament: Tournament) -> list[Job]:
    """Jobs at work or failed, newest first: what the desk has to tell.

    What waits for a program that does not answer stands in its own log, and nobody at the event
    waits for a backup.
    """
    aside = (JobKind.WEBHOOK, JobKind.BACK_UP)
    told = tournament.jobs.exclude(kind__in=aside, state__in=LIVE)
    return list(told.exclude(state=JobState.DONE)[:20])


def oldest_waiting_seconds() -> float:
    """For how long the job that waits longest could have been begun; 0 when none waits."""
    now = timezone.now()
    moments = (job.leased_until or job.created_at for job in jobs.waiting(Job))
    return max(((now - moment).total_seconds() for moment in moments), default=0.0)


def sendings(tournament: Tournament) -> list[Job]:
    """What was told outside the site, newest first."""
    kinds = [JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH]
    return list(tournament.jobs.filter(kind__in=kinds)[:10])


LOGGED = 50


def webhooks(tournament: Tournament) -> QuerySet[Webhook]:
    """The webhooks of the event, oldest first."""
    return tournament.webhooks.select_related("made_by").order_by("pk")


def deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """What a webhook was told last, newest first."""
    return webhook.deliveries.order_by("-pk")[:LOGGED]


def uploads(tournament: Tournament) -> QuerySet[Upload]:
    """The uploads of the event, newest first."""
    return tournament.uploads.select_related("made_by").order_by("-pk")


def was_uploaded(tournament: Tournament) -> bool:
    """Whether the results went out before, or may have; what failed since changes nothing."""
    return tournament.uploads.exclude(state=UploadState.FAILED).exists()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """All of an account that are kept, the newest first."""
    return ApiToken.objects.filter(user=user).select_related("tournament")


def live_tokens(user: User) -> QuerySet[ApiToken]:
    """Those that still open something."""
    return tokens_of(user).filter(_is_live())


def ended_tokens(user: User) -> QuerySet[ApiToken]:
    """Those that are revoked or have expired."""
    return tokens_of(user).exclude(_is_live())


def _is_live() -> Q:
    return Q(revoked_at=None) & (Q(expiry=None) | Q(expiry__gt=timezone.now()))
