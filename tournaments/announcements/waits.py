"""How long another site asks us to wait."""

from datetime import timedelta


def seconds_asked(retry_after: str) -> timedelta | None:
    """What "Retry-After" says, and a little more, when it is a number of seconds."""
    whole = retry_after.partition(".")[0]
    if not whole.isascii() or not whole.isdigit() or len(whole) > 6:
        return None
    return timedelta(seconds=int(whole) + 1)
