"""How an answer with a picture or an export of a map tells what part of the map it is of."""

EXTENT_HEADER = "x-map-extent"
"""A dictionary of RFC 8941: `x` and `y`, the first column and row, `width` and `height`."""
