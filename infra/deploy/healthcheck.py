"""Asks a service in its container whether it lives: ``python -I healthcheck.py [PORT]``.

Standard library only.
"""

import http.client
import sys

SECONDS = 2.0
PORT = 8000


def main(arguments: list[str]) -> int:
    """Return 0 when ``/healthz`` answers 200, else 1."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", int(arguments[0]) if arguments else PORT, timeout=SECONDS
    )
    try:
        connection.request("GET", "/healthz")
        return 0 if connection.getresponse().status == 200 else 1
    except (OSError, http.client.HTTPException):
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
