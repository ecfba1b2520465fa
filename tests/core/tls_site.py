"""A TLS site on this machine with its own certificate."""

import contextlib
import datetime
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.http import Policy

HOST = "decks.example"
Answer = Callable[[ssl.SSLSocket], None]


@dataclass
class Site:
    """Port, certificate and received requests of the site."""

    port: int
    certificate: Path
    requests: list[bytes] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)

    def policy(self, **changes: object) -> Policy:
        """A policy that allows this site by its name."""
        settings = {
            "hosts": frozenset({HOST}),
            "port": self.port,
            "may_connect": lambda address: address == "127.0.0.1",
            "resolve": self._resolve,
            "authorities": str(self.certificate),
        }
        return Policy(**(settings | changes))  # type: ignore[arg-type]

    def _resolve(self, host: str, port: int, wait: float) -> list[str]:
        self.resolved.append(host)
        return ["127.0.0.1"]


@contextlib.contextmanager
def tls_site(folder: Path, answer: Answer, *, name: str = HOST) -> Iterator[Site]:
    """Serve until the end of the block; the certificate is for `name`."""
    certificate, key = certificate_for(folder, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        site = Site(listener.getsockname()[1], certificate)
        thread = threading.Thread(target=_serve, args=(listener, context, answer, site))
        thread.start()
        try:
            yield site
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)
        assert not thread.is_alive()


def replies(status: str, *parts: bytes, headers: str = "") -> Answer:
    """Reply to each request with these parts."""

    def answer(connection: ssl.SSLSocket) -> None:
        connection.sendall(f"HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n".encode())
        for response_part in parts:
            connection.sendall(response_part)

    return answer


def _serve(listener: socket.socket, context: ssl.SSLContext, answer: Answer, site: Site) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        # Clients under test may hang up at any moment.
        with connection, contextlib.suppress(OSError):
            connection.settimeout(5)
            with context.wrap_socket(connection, server_side=True) as secured:
                site.requests.append(_whole_request(secured))
                answer(secured)


def _whole_request(connection: ssl.SSLSocket) -> bytes:
    """Read the head of a request and the body it announces."""
    request = connection.recv(65536)
    announced = re.search(rb"content-length: (\d+)", request, re.IGNORECASE)
    if announced is None:
        return request
    total = request.find(b"\r\n\r\n") + 4 + int(announced[1])
    while len(request) < total and (chunk := connection.recv(65536)):
        request += chunk
    return request


def certificate_for(folder: Path, name: str) -> tuple[Path, Path]:
    """Return a self-signed certificate for the name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "site.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "site.key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    )
    return folder / "site.pem", folder / "site.key"
