"""Parts of a file over HTTP: one range of bytes, as RFC 9110 (section 14) has it."""

import re
from collections.abc import Mapping

from starlette.responses import Response, StreamingResponse

from services.map.batch_archive import Archive

ZIP = "application/zip"
_RANGE = re.compile(r"bytes=(\d{0,19})-(\d{0,19})")


def archived(archive: Archive, headers: Mapping[str, str]) -> Response:
    """Answer with an archive, or with the one range of it that ``Range`` asks for.

    Several ranges, and one that was asked for by the tag of other bytes (``If-Range``), count as none.

    Args:
        archive: what is read.
        headers: of the request.
    """
    told = {"etag": f'"{archive.tag}"'}
    if archive.length is None:
        return StreamingResponse(archive.pieces(), headers=told, media_type=ZIP)
    told["accept-ranges"] = "bytes"
    asked = _RANGE.fullmatch(headers.get("range", ""))
    if asked is None or asked[1] == asked[2] == "" or headers.get("if-range", told["etag"]) != told["etag"]:
        told["content-length"] = str(archive.length)
        return StreamingResponse(archive.pieces(), headers=told, media_type=ZIP)
    last = archive.length - 1
    if asked[1]:
        first, last = int(asked[1]), min(int(asked[2]), last) if asked[2] else last
    else:
        first = max(archive.length - int(asked[2]), 0)
    if first > last:
        return Response(None, 416, told | {"content-range": f"bytes */{archive.length}"})
    told |= {
        "content-range": f"bytes {first}-{last}/{archive.length}",
        "content-length": str(last - first + 1),
    }
    return StreamingResponse(archive.section(first, last), 206, told, ZIP)
