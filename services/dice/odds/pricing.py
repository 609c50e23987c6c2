"""What odds cost beyond the price of the request itself, and beyond reckoning them."""

TELL_MILLISECONDS = 0.2
"""Processor time of telling one outcome, of the service and the gateway together."""

DRAW_MILLISECONDS = 0.02
"""Processor time of drawing one outcome into a chart."""


def telling(outcomes: int) -> float:
    """Computes the milliseconds that it takes to tell so many outcomes."""
    return TELL_MILLISECONDS * outcomes


def drawing(outcomes: int) -> float:
    """Computes the milliseconds that it takes to draw so many outcomes into a chart."""
    return DRAW_MILLISECONDS * outcomes
