"""The few shapes a layout reasons about, in pixels; y grows downward."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Its width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its height."""
        return self.bottom - self.top

    @property
    def center(self) -> Spot:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Box:
        """The box with `by` more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: Box) -> bool:
        """Whether the other box lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def has(self, spot: Spot) -> bool:
        """Whether a spot lies inside."""
        return self.left <= spot[0] <= self.right and self.top <= spot[1] <= self.bottom

    def overlaps(self, other: Box) -> bool:
        """Whether two boxes share more than an edge."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def distance(self, spot: Spot) -> float:
        """Distance from a spot to the nearest point of the box; 0 inside."""
        return hypot(
            max(self.left - spot[0], 0.0, spot[0] - self.right),
            max(self.top - spot[1], 0.0, spot[1] - self.bottom),
        )


@dataclass(frozen=True, slots=True)
class Disc:
    """A round area."""

    x: float
    y: float
    radius: float

    def meets(self, box: Box) -> bool:
        """Whether it shares area with a box."""
        return box.distance((self.x, self.y)) < self.radius

    @property
    def box(self) -> Box:
        """The box around it."""
        return Box(self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius)


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic curve: from start to end, drawn toward bend."""

    start: Spot
    bend: Spot
    end: Spot

    def at(self, t: float) -> Spot:
        """The spot at t, 0 at the start and 1 at the end."""
        u = 1 - t
        return (
            u * u * self.start[0] + 2 * u * t * self.bend[0] + t * t * self.end[0],
            u * u * self.start[1] + 2 * u * t * self.bend[1] + t * t * self.end[1],
        )

    def spots(self, spacing: float) -> tuple[Spot, ...]:
        """Spots along the curve, no farther apart than about `spacing`, both ends included."""
        span = hypot(self.start[0] - self.bend[0], self.start[1] - self.bend[1]) + hypot(
            self.end[0] - self.bend[0], self.end[1] - self.bend[1]
        )
        count = max(2, int(span / spacing) + 2)
        return tuple(self.at(i / (count - 1)) for i in range(count))

    def between(self, t0: float, t1: float) -> Curve:
        """The part of the curve from t0 to t1, itself a quadratic curve."""
        first, last = self.at(t0), self.at(t1)
        # The middle control point of the part is the blossom of the curve at (t0, t1).
        weights = ((1 - t0) * (1 - t1), t0 * (1 - t1) + t1 * (1 - t0), t0 * t1)
        corners = (self.start, self.bend, self.end)
        middle = (
            sum(w * corner[0] for w, corner in zip(weights, corners, strict=True)),
            sum(w * corner[1] for w, corner in zip(weights, corners, strict=True)),
        )
        return Curve(first, middle, last)
