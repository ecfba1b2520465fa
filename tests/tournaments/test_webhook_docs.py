"""The lines of docs/webhooks.md that people copy."""

import re
from pathlib import Path

from django.conf import settings

from core.signatures import signature
from tournaments.models import WebhookEvent

PAGE = Path(settings.BASE_DIR, "docs", "webhooks.md").read_text()
BODY = b'{"event":"test"}'
SENT = 1_790_000_000


def is_from_datafort(*args: object) -> bool:
    """What the page says, run as it stands."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102 - our own page
    return names["is_from_datafort"](*args)  # type: ignore[operator, no-any-return]


def test_the_snippet_believes_what_is_signed_and_new_and_nothing_else():
    mark = signature("whsec_a", BODY, SENT)

    assert is_from_datafort("whsec_a", mark, BODY, SENT + 10)
    assert not is_from_datafort("whsec_b", mark, BODY, SENT + 10)
    assert not is_from_datafort("whsec_a", mark, BODY + b" ", SENT + 10)
    assert not is_from_datafort("whsec_a", mark, BODY, SENT + 3600)
    assert not is_from_datafort("whsec_a", mark.replace("t=179", "t=178"), BODY, SENT)


def test_the_page_names_every_event():
    assert set(re.findall(r"^\| `([a-z.]+)` \|", PAGE, re.MULTILINE)) == set(WebhookEvent.values)
