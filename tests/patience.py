"""How tests wait for something: they look again and again, and leave the processor to what they wait for."""

SHORTEST, LONGEST = 0.02, 0.25


def pause(waited: float) -> float:
    """Give the seconds until the next look.

    A look may ask every part of the product; often enough, it would take more processor time than what is
    waited for. So the longer that takes, the later one looks again: a quarter of the time so far, and never
    more than a quarter of a second.

    Args:
        waited: seconds since the first look.
    """
    return min(max(waited / 4, SHORTEST), LONGEST)
