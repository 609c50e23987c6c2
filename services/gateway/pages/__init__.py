"""The pages for browsers: a start page, and the description of the REST face to read and to try out.

Everything is served from here: Swagger UI comes with the federation gateway's packages, and no page loads
anything from anywhere else, as each one's Content-Security-Policy says.
"""

import hashlib
import html
import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gateway.rest.answers import tagged
from services.gateway.rest.problems import Refusal

OWN = Path(__file__).parent
SWAGGER = Path(__file__).resolve().parents[1] / "federation" / "node_modules" / "swagger-ui-dist"
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
CACHE = "no-cache"
_STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
START_POLICY = f"{_STRICT}; style-src 'self'; img-src 'self'"
# Swagger UI sets styles on its elements and draws with data: images; its scripts are files of this place.
DOCS_POLICY = (
    f"{_STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'"
)
_ADDRESS = b"PUBLIC_URL"


def page_routes(description: bytes, public_url: str, swagger: Path = SWAGGER) -> list[Route]:
    """Make the paths of the pages.

    Args:
        description: of the REST face, as OpenAPI JSON.
        public_url: address that clients use, for the examples.
        swagger: folder of the installed Swagger UI.
    """

    async def openapi(request: Request) -> Response:
        return tagged(request, description, "application/json", cache=CACHE)

    async def docs_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in (*SWAGGER_FILES, "docs.js"):
            return Refusal("NOT_FOUND", "There is nothing at this address; see /docs.").response()
        path = (OWN if name == "docs.js" else swagger) / name
        return _file(request, path, mimetypes.guess_type(name)[0] or "application/octet-stream", _STRICT)

    async def docs(request: Request) -> Response:
        return _file(request, OWN / "docs.html", "text/html; charset=utf-8", DOCS_POLICY)

    async def start(request: Request) -> Response:
        content = (OWN / "start.html").read_bytes().replace(_ADDRESS, html.escape(public_url).encode())
        headers = {"content-security-policy": START_POLICY, "x-content-type-options": "nosniff"}
        return tagged(request, content, "text/html; charset=utf-8", cache=CACHE, headers=headers)

    async def style(request: Request) -> Response:
        return _file(request, OWN / "start.css", "text/css; charset=utf-8", _STRICT)

    return [
        Route("/", start),
        Route("/start.css", style),
        Route("/docs", docs),
        Route("/docs/{name}", docs_file),
        Route("/openapi.json", openapi),
    ]


def _file(request: Request, path: Path, media_type: str, policy: str) -> Response:
    try:
        content, etag = _read(path)
    except FileNotFoundError:
        return Refusal("NOT_FOUND", "This page is not installed; /openapi.json says the same.").response()
    headers = {"content-security-policy": policy, "x-content-type-options": "nosniff"}
    return tagged(request, content, media_type, cache=CACHE, etag=etag, headers=headers)


@lru_cache
def _read(path: Path) -> tuple[bytes, str]:
    content = path.read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'
