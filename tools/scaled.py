"""Run a command against PostgreSQL and Redis, or print why it is left out.

    python -m tools.scaled pytest -n auto

TEST_DATABASE_URL and TEST_REDIS_URL name the servers; with CI=true, a server that does not respond
is a failure.
"""

import os
import subprocess
import sys

import psycopg
import redis

DATABASE_URL = os.environ.get(
    "TEST_DATABASE_URL", "postgres://datafort:datafort@127.0.0.1:5432/datafort"
)
REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")


def missing() -> list[str]:
    """Reasons why the servers cannot be used, one sentence each; empty if they can."""
    reasons = []
    try:
        psycopg.connect(DATABASE_URL, dbname="postgres", connect_timeout=3).close()
    except psycopg.Error as error:
        reasons.append(f"PostgreSQL does not answer: {error}")
    try:
        redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3).ping()
    except redis.RedisError as error:
        reasons.append(f"Redis does not answer: {error}")
    return reasons


def main() -> int:
    if reasons := missing():
        print("Tests on PostgreSQL and Redis are left out.", *reasons, sep="\n")
        return 1 if os.environ.get("CI") == "true" else 0
    environment = {**os.environ, "DATABASE_URL": DATABASE_URL, "REDIS_URL": REDIS_URL}
    return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
