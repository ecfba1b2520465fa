"""The number of files and sockets that this process may open."""

from contextlib import suppress


def allow(count: int) -> None:
    """Raise the limit, which is 1,024 on Linux and 256 on macOS, as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # macOS has a limit below RLIM_INFINITY
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
