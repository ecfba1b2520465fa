"""What every suite shares."""

import os

from hypothesis import HealthCheck, settings

# Tests check behaviour, never seconds. In CI one commit has one verdict.
settings.register_profile(
    "datafort",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("datafort")
