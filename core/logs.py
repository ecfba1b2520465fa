"""Log lines as JSON or text, in UTC."""

# django-structlog numbers the requests; every line about a request includes its number. Lines
# contain neither names nor secrets (ASVS 16.2.5). A request is logged with the name of its URL, an
# error with its type and the lines of code.

import logging
import re
from collections.abc import MutableMapping
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_structlog import middlewares
from structlog.processors import ExceptionRenderer, JSONRenderer, LogfmtRenderer, TimeStamper
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.tracebacks import ExceptionDictTransformer

LogLine = MutableMapping[str, Any]

# Secrets in addresses: of personal links, invitations, password resets and webhooks of other sites.
# Also tokens, wherever a program has put them.
SECRET_PART = re.compile(
    r"(/claim/|/invitation/|/password/reset/key/|/api/webhooks/\d+/)[^/\s\"'?]+|\b[0-9a-f]{64}\b"
)
ADDRESS_CHARACTER = r"[^\s@<>\"'(),;:]"
# Matched from the start of a word only, so that a long word is scanned once.
EMAIL_ADDRESS = re.compile(
    rf"(?<!{ADDRESS_CHARACTER}){ADDRESS_CHARACTER}++@{ADDRESS_CHARACTER}+\.{ADDRESS_CHARACTER}+"
)
TASK_LOGGER = "celery.app.trace"
REQUEST_ID_HEADER = "X-Request-ID"
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
REFUSAL_SECONDS = 60


class TaskFilter(logging.Filter):
    """Drop lines of successful timers unless DEBUG is on; pass other tasks to `name_task`."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.INFO or not isinstance(record.args, dict):
            return True
        record.data = record.args
        timers = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
        is_debug = logging.getLogger(TASK_LOGGER).isEnabledFor(logging.DEBUG)
        return is_debug or record.args["name"] not in timers


class RequestMiddleware(middlewares.RequestMiddleware):
    """The middleware of django-structlog, without logging whole addresses."""

    def prepare(self, request: HttpRequest) -> None:
        # Not every trusted proxy overwrites X-Request-ID, so its text may be from a client.
        if not REQUEST_ID.fullmatch(request.META.get("HTTP_X_REQUEST_ID", "")):
            request.META.pop("HTTP_X_REQUEST_ID", None)
        super().prepare(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {route_of(request)}"


def route_of(request: HttpRequest) -> str:
    """Return the name of the URL, without slugs, names and secrets."""
    match = getattr(request, "resolver_match", None)
    return (match.view_name or match.route) if match else "-"


def request_id() -> str:
    """Return the number of the current request, "" outside of a request."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def add_request_id(response: HttpResponse, **_: object) -> None:
    response[REQUEST_ID_HEADER] = request_id()


def mark_repeated_refusal(
    request: HttpRequest, response: HttpResponse, log_kwargs: LogLine, **_: object
) -> None:
    """Mark all but the first 429 of an address in a minute."""
    # The settings load this module, and these two need the settings.
    from core.addresses import counted_address
    from core.rate_limits import increment_counter

    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        refusals = increment_counter(f"429-logged:{counted_address(request)}", REFUSAL_SECONDS)
        log_kwargs["is_repeated"] = refusals > 1


def leave_out_repeated(logger: Any, name: str, line: LogLine) -> LogLine:
    if line.pop("is_repeated", False):
        raise structlog.DropEvent
    return line


def configure() -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            leave_out_repeated,
            ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def json_formatter() -> ProcessorFormatter:
    return _formatter(JSONRenderer(ensure_ascii=False, default=str))


def plain_formatter() -> ProcessorFormatter:
    first = ["timestamp", "level", "logger", "event"]
    return _formatter(LogfmtRenderer(key_order=first, bool_as_flag=False))


def _formatter(renderer: Any) -> ProcessorFormatter:
    return ProcessorFormatter(
        processors=[
            structlog.contextvars.merge_contextvars,
            add_log_level,
            add_logger_name,
            TimeStamper(fmt="iso", utc=True),
            name_task,
            ExceptionRenderer(ExceptionDictTransformer(show_locals=False, max_frames=30)),
            leave_out_words_of_errors,
            leave_out_secrets,
            ProcessorFormatter.remove_processors_meta,
            renderer,
        ]
    )


def name_task(logger: Any, name: str, line: LogLine) -> LogLine:
    """Log the name and outcome of a Celery task, without the message of its error."""
    task = getattr(line["_record"], "data", None)
    if line["logger"] == TASK_LOGGER and isinstance(task, dict):
        line["event"] = f"{task['name']}[{task['id']}] {task.get('description', 'done')}"
        if "runtime" in task:
            line["seconds"] = round(task["runtime"], 3)
    return line


def leave_out_words_of_errors(logger: Any, name: str, line: LogLine) -> LogLine:
    """Log the types and places of errors; their messages may contain user input."""
    if traces := line.pop("exception", None):
        line["errors"] = [
            {
                "kind": trace["exc_type"],
                "at": [
                    f"{frame['filename']}:{frame['lineno']} {frame['name']}"
                    for frame in trace["frames"]
                ],
            }
            for trace in traces
        ]
    return line


def leave_out_secrets(logger: Any, name: str, line: LogLine) -> LogLine:
    for key, value in line.items():
        if isinstance(value, str):
            line[key] = EMAIL_ADDRESS.sub("(email address)", SECRET_PART.sub(r"\1...", value))
    return line
