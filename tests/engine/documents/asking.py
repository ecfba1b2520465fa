"""Run by a test on a strange machine: answer a list of questions, byte for byte.

Standard input is [[command, document], ...] as JSON; the answers follow one another.
"""

import json
import sys

from engine.documents import commands

ANSWERS = {
    "pair": commands.pair,
    "standings": commands.rank,
    "bracket": commands.bracket,
    "verify": commands.verify,
}


def answers(questions: list[list[object]]) -> bytes:
    """All answers, one after the other."""
    asked = [
        commands.run_command(ANSWERS[str(command)], json.dumps(document).encode())
        for command, document in questions
    ]
    return b"".join(outcome.text for outcome in asked)


if __name__ == "__main__":
    sys.stdout.buffer.write(answers(json.loads(sys.stdin.buffer.read())))
