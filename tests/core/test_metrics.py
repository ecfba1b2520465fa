"""Counts of several web processes on one machine are one count."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COUNT = "from core import metrics; metrics.count_request('home', 'GET', 304, 0.01)"
TELL = "from core import metrics; print(metrics.exposition([]).decode())"


def run(words: str, folder: Path) -> str:
    """What another process prints."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}
    command = [sys.executable, "-c", words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_what_two_processes_counted_a_third_tells_as_a_sum(tmp_path):
    run(COUNT, tmp_path)
    run(COUNT, tmp_path)

    told = run(TELL, tmp_path)

    assert 'datafort_requests_total{method="GET",route="home",status="304"} 2.0' in told
    assert 'datafort_request_seconds_bucket{le="0.02",route="home"} 2.0' in told
