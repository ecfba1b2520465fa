"""Receive the webhooks of an event and print them: only Python 3.11 is needed.

    python docs/examples/webhook_receiver.py SECRET [PORT]

SECRET is shown once, when the webhook is added. The default port is 9000.
"""

import hashlib
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

MAX_BYTES = 64 * 1024


def is_from_datafort(secret: str, signature: str, body: bytes, now: float | None = None) -> bool:
    """Check the header `Datafort-Signature`: correct for this body, and at most 5 minutes old."""
    parts = dict(part.partition("=")[::2] for part in signature.split(","))
    sent_at = parts.get("t", "")
    signed = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256)
    if not hmac.compare_digest(signed.hexdigest().encode(), parts.get("v1", "").encode()):
        return False
    return abs((now or time.time()) - int(sent_at)) < 300


class Receiver(BaseHTTPRequestHandler):
    """Answer each message at once, and print the new ones."""

    secret = ""
    seen: set[str] = set()

    def do_POST(self) -> None:
        """Answer 204, or 400 if the message does not come from Datafort."""
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(min(length, MAX_BYTES))
        if not is_from_datafort(self.secret, self.headers.get("Datafort-Signature", ""), body):
            self.send_error(400, "The signature is wrong or too old")
            return
        self.send_response(204)
        self.end_headers()
        delivery = self.headers.get("Datafort-Delivery", "")
        if delivery not in self.seen:
            # A message may arrive twice.
            self.seen.add(delivery)
            show(json.loads(body))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Print only the messages."""


def show(message: dict[str, object]) -> None:
    """Print a message as one line. Your program goes here."""
    number = message.get("round")
    print(message["event"], *([f"round {number}"] if number else []), flush=True)


def main() -> None:
    """Listen on this machine until the program is stopped."""
    Receiver.secret = sys.argv[1]
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 9000
    with HTTPServer(("127.0.0.1", port), Receiver) as server:
        print(f"Listening on http://localhost:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
