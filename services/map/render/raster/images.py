"""Images inside a picture: WebP, written into the markup as a ``data:`` URI."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping

import skia

from services.map.render.raster.style import PaintError, length

WEBP = "data:image/webp;base64,"


def draw_image(canvas: skia.Canvas, get: Mapping[str, str]) -> None:
    """Draw an image element into its box, whatever the shape of the image.

    Args:
        canvas: where to draw.
        get: the attributes of the element, among them ``href``.

    Raises:
        PaintError: it is not a WebP that the picture itself holds, or cannot be read.
    """
    address = get.get("href", "")
    if not address.startswith(WEBP):
        raise PaintError("an image that is not a WebP in the picture itself")
    try:
        image = skia.Image.MakeFromEncoded(skia.Data.MakeWithCopy(b64decode(address.removeprefix(WEBP))))
    except ValueError as error:
        raise PaintError("an image that cannot be read") from error
    if image is None:
        raise PaintError("an image that cannot be read")
    box = (length(get.get(name, "0")) for name in ("x", "y", "width", "height"))
    smooth = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    canvas.drawImageRect(image.withDefaultMipmaps(), skia.Rect.MakeXYWH(*box), smooth)
