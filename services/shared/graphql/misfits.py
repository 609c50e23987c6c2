"""What the graph says of values that do not fit an input, in the words of this house."""

import re

from services.shared.wording import clipped

# "Expected value of type 'XInput' to include required field 'y', found: {...}."
_OF_FIELD = re.compile(r"(?P<sort>required|unknown) field '(?P<field>.*?)', found:", re.DOTALL)

REQUIRED = "This is required."
UNKNOWN = "There is no such field here."


def misfit(message: str, path: list[str]) -> tuple[str, list[str]]:
    """Tell what does not fit, and where.

    Args:
        message: the graph's own, which names a missing or unknown field and repeats all that stands around.
        path: the graph's own, which leads to what holds the field.
    """
    of_field = _OF_FIELD.search(message)
    if of_field is None:
        return clipped(message), path
    text = REQUIRED if of_field["sort"] == "required" else UNKNOWN
    return text, [*path, clipped(of_field["field"])]
