"""Portraits of characters: ``/v1/characters/{character}/portrait``."""

from functools import partial

from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, made, sent_on, tagged
from services.gateway.rest.endpoint import JSON, Answer, Body, Call, Endpoint, Schema
from services.gateway.rest.files import BINARY, REDIRECT, path_id, query
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import FILE, WRITE
from services.shared.auth import KeyScope

SETTING = 270
"""Points of a portrait that is set: the largest picture takes 0.8 s of processor time."""

PATH = "/v1/characters/{character}/portrait"
CHARACTER = path_id("character", "Id of the character.")
SIZE = query("size", {"type": "integer", "enum": [64, 128, 256, 512], "default": 256}, "Pixels along a side.")
DELETED: Schema = {
    "type": "object",
    "properties": {"id": {"type": "string", "description": "Id of the character."}},
    "required": ["id"],
}
WEBP, PNG, JPEG, OCTETS = "image/webp", "image/png", "image/jpeg", "application/octet-stream"


def endpoints(graphs: Subgraphs, portrait_schema: Schema) -> list[Endpoint]:
    """Make the endpoints of portraits."""
    return [
        Endpoint(
            id="getPortrait",
            method="GET",
            path=PATH,
            tag="characters",
            summary="Read a character's portrait",
            description="A square, as WebP, or as PNG where `Accept` prefers that; for everybody who may "
            "see the character. Ask with `If-None-Match` whether yours still holds.",
            price=FILE,
            answer=Answer(200, "The picture.", {WEBP: BINARY, PNG: BINARY}, kept=True, linked=True),
            handle=partial(_read, graphs),
            problems=frozenset((404, 406)),
            checked=True,
            parameters=(CHARACTER, SIZE, REDIRECT),
        ),
        Endpoint(
            id="putPortrait",
            method="PUT",
            path=PATH,
            tag="characters",
            summary="Set a character's portrait",
            description="The picture of a character of yours, instead of the one before. It is cropped to "
            "its middle and written anew in four sizes; of an animation the first frame is taken, and "
            "nothing else that the file holds is kept: neither places nor names, nor the file itself.",
            price=SETTING,
            answer=Answer(200, "The portrait.", {JSON: portrait_schema}),
            handle=partial(_put, graphs),
            problems=frozenset((404, 415, 422)),
            scope=KeyScope.WRITE,
            checked=True,
            parameters=(CHARACTER,),
            body=Body(
                {PNG: BINARY, JPEG: BINARY, WEBP: BINARY, OCTETS: BINARY},
                "A PNG, JPEG or WebP file, told by its content: up to 4 MiB, 64 to 4096 pixels a side, 16 "
                "megapixels at most.",
            ),
        ),
        Endpoint(
            id="deletePortrait",
            method="DELETE",
            path=PATH,
            tag="characters",
            summary="Remove a character's portrait",
            description="Of a character of yours; undoing edits does not bring it back.",
            price=WRITE,
            answer=Answer(200, "It is gone.", {JSON: DELETED}),
            handle=partial(_remove, graphs),
            problems=frozenset((404,)),
            scope=KeyScope.WRITE,
            checked=True,
            parameters=(CHARACTER,),
        ),
    ]


async def _read(graphs: Subgraphs, call: Call) -> Response:
    media_type = preferred(call.request.headers.get("accept", "*/*"))
    content, etag, told = await graphs.file(
        call.viewer,
        "character",
        "portrait",
        *("characters", call.given["character"], "portrait"),
        held=call.request.headers.get("if-none-match"),
        query={
            "size": call.given["size"],
            "format": media_type.removeprefix("image/"),
            "redirect": call.given[REDIRECT.name],
        },
    )
    if "location" in told:
        return sent_on(told["location"], {})
    headers = {"vary": "authorization, accept"}
    return tagged(call.request, content, media_type, cache=REVALIDATE, etag=etag, headers=headers)


async def _put(graphs: Subgraphs, call: Call) -> Response:
    place = ("characters", call.given["character"], "portrait")
    content = await call.request.body()
    await graphs.upload(call.viewer, "character", *place, content=content, query={})
    found = await graphs.run(call.viewer, "character.character", id=call.given["character"])
    if found["portrait"] is None:
        raise not_found("portrait")
    return made(found["portrait"], status=200)


async def _remove(graphs: Subgraphs, call: Call) -> Response:
    place = ("characters", call.given["character"], "portrait", "removal")
    await graphs.upload(call.viewer, "character", *place, content=b"", query={})
    return made({"id": call.given["character"]}, status=200)


def preferred(accept: str) -> str:
    """Choose between WebP and PNG by what a client accepts (RFC 9110, 12.5.1); WebP where it is all the same.

    Raises:
        Refusal: ``NOT_ACCEPTABLE``: it takes neither.
    """
    weights = {one: _weight(accept, one) for one in (WEBP, PNG)}
    best = max(weights, key=weights.__getitem__)
    if not weights[best]:
        raise Refusal("NOT_ACCEPTABLE", f"A portrait is given out as {WEBP} or {PNG}.")
    return best


def _weight(accept: str, media_type: str) -> float:
    """Return how much a client wants a media type, by the range that names it most closely."""
    found: dict[str, float] = {}
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        try:
            found[name] = float(weight)
        except ValueError:
            found[name] = 0.0
    ranges = (media_type, "image/*", "*/*")
    return next((found[name] for name in ranges if name in found), 0.0)
