"""The pages for browsers: a start page, the guide, a table to play at, and the REST face to try out.

Everything is served from here: Swagger UI and the libraries of the table's page come with the federation
gateway's packages, and no page loads anything from anywhere else, as each one's Content-Security-Policy says.
A page is read, compressed and tagged once; a request for it copies bytes, and is charged to the network that
it comes from.
"""

import gzip
import hashlib
import html
import mimetypes
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gateway.pages import guide, table_page
from services.gateway.pages.problems import problems_page
from services.gateway.rest.codes import CODES
from services.gateway.rest.guard import ASTRAY
from services.gateway.rest.problems import Refusal
from services.gateway.rest.rule_codes import rule_codes
from services.gateway.rest.visitor import FILE, Doorkeeper
from services.shared.entity_tags import matches

OWN = Path(__file__).parent
SWAGGER = Path(__file__).resolve().parents[1] / "federation" / "node_modules" / "swagger-ui-dist"
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
DOCS_FILES = ("docs.js", "scheme.js")
PUBLIC = "public, max-age=300"
"""Only a release changes these pages: for five minutes nobody need ask."""

_STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
START_POLICY = f"{_STRICT}; script-src 'self'; style-src 'self'; img-src 'self'"
GUIDE_POLICY = START_POLICY.replace("form-action 'none'", "form-action 'self'")
# Swagger UI sets styles on its elements and draws with data: images; its scripts are files of this place.
DOCS_POLICY = (
    f"{_STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'"
)
# A drawing opened by itself may set styles on its elements.
PICTURE_POLICY = f"{_STRICT}; style-src 'unsafe-inline'"
PICTURE_TYPES = {".svg": "image/svg+xml", ".webp": "image/webp"}
MOST_WANTED = 100
"""Characters of what the guide is searched for."""
_ADDRESS = b"PUBLIC_URL"
_LARGE = 64 * 1024  # bytes, from which on a page costs what a file does


@dataclass(frozen=True)
class Page:
    """A page as it is sent.

    Attributes:
        content: as it is.
        media_type: of the content.
        policy: its Content-Security-Policy.
        packed: the content, compressed by gzip.
        tag: what its entity tags begin with; each coding has its own (RFC 9110, 8.8.3.3).
    """

    content: bytes = field(repr=False)
    media_type: str
    policy: str
    packed: bytes = field(init=False, repr=False)
    tag: str = field(init=False)

    def __post_init__(self) -> None:
        """Compress and tag the content."""
        object.__setattr__(self, "packed", gzip.compress(self.content, mtime=0))
        object.__setattr__(self, "tag", hashlib.sha256(self.content).hexdigest()[:32])

    @property
    def cost(self) -> int:
        """The points that it costs."""
        return FILE if len(self.content) > _LARGE else ASTRAY

    def answer(self, request: Request) -> Response:
        """Sends it, compressed for those who take that; 304 to those who have it."""
        packed = _takes_gzip(request.headers.get("accept-encoding", "")) and len(self.packed) < len(
            self.content
        )
        tag = f'"{self.tag}{"-gzip" if packed else ""}"'
        headers = {
            "etag": tag,
            "cache-control": PUBLIC,
            "vary": "accept-encoding",
            "content-security-policy": self.policy,
        }
        if matches(request.headers.get("if-none-match"), tag):
            return Response(None, 304, headers)
        if packed:
            headers["content-encoding"] = "gzip"
        return Response(self.packed if packed else self.content, 200, headers, self.media_type)


def page_routes(
    description: bytes, public_url: str, door: Doorkeeper, swagger: Path = SWAGGER
) -> list[Route]:
    """Make the paths of the pages.

    Args:
        description: of the REST face, as OpenAPI JSON.
        public_url: address that clients use, for the examples.
        door: charges who asks.
        swagger: folder of the installed Swagger UI.
    """
    start = (OWN / "start.html").read_bytes().replace(_ADDRESS, html.escape(public_url).encode())
    fixed = {
        "/": Page(start, "text/html; charset=utf-8", START_POLICY),
        "/start.css": _file(OWN / "start.css", "text/css; charset=utf-8", _STRICT),
        "/copy.js": _file(OWN / "copy.js", "text/javascript; charset=utf-8", _STRICT),
        "/favicon.svg": _file(OWN / "favicon.svg", "image/svg+xml", _STRICT),
        "/favicon.ico": _file(OWN / "favicon.ico", "image/x-icon", _STRICT),
        "/docs": _file(OWN / "docs.html", "text/html; charset=utf-8", DOCS_POLICY),
        "/docs/problems": Page(
            problems_page(CODES, rule_codes()).encode(), "text/html; charset=utf-8", START_POLICY
        ),
        "/openapi.json": Page(description, "application/json", _STRICT),
    }

    def always(page: Page) -> Callable[[Request], Page]:
        return lambda _request: page

    def docs_file(request: Request) -> Page:
        name = request.path_params["name"]
        if name not in (*SWAGGER_FILES, *DOCS_FILES):
            raise Refusal("NOT_FOUND", "There is nothing at this address; see /docs.")
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        try:
            return _file((OWN if name in DOCS_FILES else swagger) / name, media_type, _STRICT)
        except FileNotFoundError as error:
            what = "This page is not installed; /openapi.json says the same."
            raise Refusal("NOT_FOUND", what) from error

    return [
        *(Route(path, _charged(door, always(page))) for path, page in fixed.items()),
        Route("/docs/{name}", _charged(door, docs_file)),
        *table_routes(door),
        *guide_routes(public_url, door),
    ]


def table_routes(door: Doorkeeper) -> list[Route]:
    """Make the paths of the page to play at: the page, its files, and the modules that they import.

    Args:
        door: charges who asks.
    """
    page = Page(table_page.PAGE.read_bytes(), "text/html; charset=utf-8", table_page.policy(_STRICT))

    def file(request: Request) -> Page:
        library = request.path_params.get("library")
        name = request.path_params["name"]
        path = table_page.own_file(name) if library is None else table_page.library_file(library, name)
        if path is None:
            raise Refusal("NOT_FOUND", "There is nothing at this address; see /table.")
        return _file(path, table_page.MEDIA_TYPES[path.suffix], _STRICT)

    return [
        Route("/table", _charged(door, lambda _request: page)),
        Route("/table/{name}", _charged(door, file)),
        Route("/table/lib/{library}/{name}", _charged(door, file)),
    ]


def guide_routes(public_url: str, door: Doorkeeper) -> list[Route]:
    """Make the paths of the guide: its contents, its chapters, and the search through them.

    Args:
        public_url: address that clients use, for the examples.
        door: charges who asks.
    """
    chapters = guide.read(public_url)

    def written(title: str, body: str, wanted: str = "") -> Page:
        content = guide.page(chapters, title, body, wanted).encode()
        return Page(content, "text/html; charset=utf-8", GUIDE_POLICY)

    pages = {
        slug: written(chapter.title, chapter.body + guide.turning(chapters, slug))
        for slug, chapter in chapters.items()
    }
    contents = written("Guide", guide.contents(chapters) + guide.turning(chapters, None))
    pictures = {
        path.name: _file(path, PICTURE_TYPES[path.suffix], PICTURE_POLICY)
        for path in guide.PICTURES.iterdir()
        if path.suffix in PICTURE_TYPES  # beside them lie the questions that some were drawn for
    }

    def chapter(request: Request) -> Page:
        found = pages.get(request.path_params["slug"])
        if found is None:
            raise Refusal("NOT_FOUND", "The guide has no such chapter; see /guide.")
        return found

    def picture(request: Request) -> Page:
        found = pictures.get(request.path_params["name"])
        if found is None:
            raise Refusal("NOT_FOUND", "The guide has no such picture; see /guide.")
        return found

    def search(request: Request) -> Page:
        wanted = request.query_params.get("q", "")[:MOST_WANTED]
        return written("Search", guide.results(guide.search(chapters, wanted), wanted), wanted)

    return [
        Route("/guide", _charged(door, lambda _request: contents)),
        Route("/guide/search", _charged(door, search)),
        Route("/guide/pictures/{name}", _charged(door, picture)),
        Route("/guide/{slug}", _charged(door, chapter)),
    ]


def _charged(door: Doorkeeper, find: Callable[[Request], Page]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            try:
                page = find(request)
            except Refusal:
                await door.toll(request, ASTRAY)
                raise
            await door.toll(request, page.cost)
        except Refusal as refusal:
            return refusal.response()
        return page.answer(request)

    return answer


def _takes_gzip(accepted: str) -> bool:
    """Tell whether an ``Accept-Encoding`` names gzip, with a weight above 0."""
    for word in accepted.lower().split(","):
        coding, _, weight = word.partition(";")
        if coding.strip() == "gzip":
            return weight.strip() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@lru_cache
def _file(path: Path, media_type: str, policy: str) -> Page:
    return Page(path.read_bytes(), media_type, policy)
