"""The map that questions about maps cost most on: as large, as walled and as lit as an import may be.

More lights, or a picture that is slower to read, and the dearest questions would be refused for their price.
"""

import base64
import json
import random
import struct
import zlib

SIDE = 400
LINES = 6_400
LIGHTS = 280
CELL = 20
"""Pixels along a cell of its picture, which has 64 million of them."""


def worst_map() -> bytes:
    """Returns a Universal VTT file: 12,800 points, 280 lights in the dark, a picture of 64 megapixels."""
    chance = random.Random(14)
    lines = []
    for _ in range(LINES):
        x, y = chance.uniform(0, SIDE - 12), chance.uniform(0, SIDE - 12)
        ends = ((x, y), (x + chance.uniform(-6, 6), y + chance.uniform(-6, 6)))
        lines.append([{"x": min(max(a, 0.0), SIDE), "y": min(max(b, 0.0), SIDE)} for a, b in ends])
    lights = [
        {
            "position": {"x": chance.uniform(0, SIDE - 1), "y": chance.uniform(0, SIDE - 1)},
            "range": 1000,
            "intensity": 1,
            "color": "ffffffff",
        }
        for _ in range(LIGHTS)
    ]
    document = {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": SIDE, "y": SIDE},
            "pixels_per_grid": CELL,
        },
        "line_of_sight": lines,
        "portals": [],
        "environment": {"baked_lighting": False, "ambient_light": "ff000000"},
        "lights": lights,
        "image": base64.b64encode(picture(SIDE * CELL, SIDE * CELL)).decode(),
    }
    return json.dumps(document).encode()


def picture(width: int, height: int) -> bytes:
    """Returns a PNG that says little with many pixels: filtered rows of one color in 200,000 bytes."""
    row = b"\4" + b"\0" * (3 * width)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, parts))


def _chunk(part: tuple[bytes, bytes]) -> bytes:
    name, data = part
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
