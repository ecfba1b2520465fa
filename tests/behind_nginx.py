"""A site behind nginx as deploy/ has it, but for ports, folders and the certificate."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.core.tls_site import certificate_for
from tests.live_site import ROOT, free_port, process, wait_for

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
FILE = ROOT / "deploy" / "nginx.conf"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def behind_nginx(
    folder: Path,
    public: str,
    *,
    web: str,
    live: str = "8001",
    spare: str = "8002",
    more: str = "",
) -> Iterator[str]:
    """The address at the port `public`; `web`, `live` and `spare` are the ports of the site.

    `more` are further servers of the same nginx. Within the block this process takes its
    certificate, `folder`/site.pem, for true.
    """
    if NGINX is None:
        raise RuntimeError("nginx is not installed.")
    certificate_for(folder, "localhost")
    file = folder / "nginx.conf"
    ports = {"8000": web, "8001": live, "8002": spare}
    file.write_text(_whole(folder, public, ports, more))
    command = [NGINX, "-e", "stderr", "-c", str(file), "-g", "daemon off;"]
    subprocess.run([*command, "-t"], check=True)
    with (
        patch.dict(os.environ, SSL_CERT_FILE=f"{folder}/site.pem"),
        process(command, dict(os.environ)),
    ):
        wait_for(f"https://localhost:{public}/livez")
        yield f"https://localhost:{public}"


def _whole(folder: Path, public: str, ports: dict[str, str], more: str) -> str:
    shipped = FILE.read_text()
    # What a hall sets in the file of nginx itself.
    connections = re.findall(r"`(worker_connections \d+;)`", shipped)
    text = re.sub(r"\blisten \[::\].*\n", "", shipped)
    for there, here in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{public} "),
        ("/etc/letsencrypt/live/play.example/fullchain.pem", f"{folder}/site.pem"),
        ("/etc/letsencrypt/live/play.example/privkey.pem", f"{folder}/site.key"),
        ("/var/cache/nginx/datafort", f"{folder}/kept"),
        ("root /var/www/datafort;", f"root {FILE.parent};"),
        *((f"127.0.0.1:{there}", f"127.0.0.1:{here}") for there, here in ports.items()),
    ):
        text = text.replace(there, here)
    own = " ".join(f"{part}_temp_path {folder}/{part};" for part in TEMPORARY)
    # Started by root its workers would be somebody else, who may not write here.
    user = "user root;" if os.geteuid() == 0 else ""
    head = f"{user} pid {folder}/nginx.pid; events {{ {connections[0]} }}"
    return f"{head}\nhttp {{ access_log off; {own}\n{text}\n{more}\n}}\n"
