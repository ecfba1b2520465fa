"""Hourly counts of incidents for administrators, stored for a week."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.models import REFUSED_LOGINS, IncidentCount, IncidentKind

STORED_FOR = timedelta(days=7)
# Rows of one kind and hour; incidents of further subjects are counted together.
MAX_SUBJECTS = 500


@dataclass(frozen=True)
class RefusedLogins:
    newest: QuerySet[IncidentCount]
    rows: int
    total: int
    recent: int


def record_incident(kind: IncidentKind, subject: str = "", detail: str = "") -> None:
    now = timezone.now()
    rows = IncidentCount.objects.filter(hour=_hour_of(now), kind=kind)
    if _add_one(rows, subject, detail, now):
        return
    if rows.count() >= MAX_SUBJECTS:
        subject = ""
    _, is_new = IncidentCount.objects.get_or_create(
        hour=_hour_of(now),
        kind=kind,
        subject=subject,
        defaults={"detail": detail[:200], "last_at": now},
    )
    if not is_new:
        _add_one(rows, subject, detail, now)


def record_unsent_email(purpose: str, error: OSError, code: str = "") -> None:
    # The server's message may contain the recipient, so only its code is stored.
    code = code or getattr(error, "smtp_code", None) or error.strerror or ""
    record_incident(
        IncidentKind.UNSENT_EMAIL, purpose[:64], f"{type(error).__name__} {code}".rstrip()
    )


def _add_one(rows: QuerySet[IncidentCount], subject: str, detail: str, now: datetime) -> bool:
    return bool(
        rows.filter(subject=subject).update(count=F("count") + 1, detail=detail[:200], last_at=now)
    )


def counts_since(moment: datetime) -> QuerySet[IncidentCount]:
    return IncidentCount.objects.filter(hour__gte=_hour_of(moment))


def refused_logins(moment: datetime, recent: datetime) -> RefusedLogins:
    rows = counts_since(moment).filter(kind__in=REFUSED_LOGINS).order_by()
    is_recent = Q(hour__gte=_hour_of(recent))
    figures = rows.aggregate(
        rows=Count("pk"),
        total=Coalesce(Sum("count"), 0),
        recent=Coalesce(Sum("count", filter=is_recent), 0),
    )
    return RefusedLogins(newest=rows.order_by("-hour", "-count"), **figures)


def totals_since(moment: datetime) -> dict[str, int]:
    rows = counts_since(moment).order_by().values_list("kind").annotate(total=Sum("count"))
    return {**dict.fromkeys(IncidentKind.values, 0), **dict(rows)}


def delete_old_counts() -> None:
    IncidentCount.objects.filter(hour__lt=timezone.now() - STORED_FOR).delete()


def _hour_of(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)
