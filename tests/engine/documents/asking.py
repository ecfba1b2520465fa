"""Script that answers [[command, document], ...] on standard input, for other system settings."""

import json
import sys

from engine.documents import commands


def answers(questions: list[list[object]]) -> bytes:
    outputs = [
        commands.run_command(commands.COMMANDS[str(command)], json.dumps(document).encode())
        for command, document in questions
    ]
    return b"".join(output.text for output in outputs)


if __name__ == "__main__":
    sys.stdout.buffer.write(answers(json.loads(sys.stdin.buffer.read())))
