"""The shapes of drawings and areas."""

from enum import StrEnum


class DrawingShape(StrEnum):
    """How the points of a drawing are meant.

    A line has two points, a polyline and a freehand stroke two or more, a polygon three or more, a rectangle
    and an ellipse the two corners of their box, a text the one where it begins.

    Attributes:
        LINE: A straight line between two points.
        POLYLINE: A line along two points or more.
        POLYGON: A closed line along three points or more.
        RECTANGLE: A box between two opposite corners.
        ELLIPSE: The ellipse in a box between two opposite corners.
        FREEHAND: A stroke of the hand through two points or more.
        TEXT: Words that begin at the one point.
    """

    LINE = "line"
    POLYLINE = "polyline"
    POLYGON = "polygon"
    RECTANGLE = "rectangle"
    ELLIPSE = "ellipse"
    FREEHAND = "freehand"
    TEXT = "text"


class AreaShape(StrEnum):
    """The shapes of areas.

    Attributes:
        CIRCLE: All within a distance of where it comes from.
        ARC: A quarter or half of a circle.
        CONE: A wedge that widens away from where it comes from.
        LINE: A band of one width.
    """

    CIRCLE = "circle"
    ARC = "arc"
    CONE = "cone"
    LINE = "line"
