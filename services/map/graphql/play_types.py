"""The state of play on a map, and what may be done to it, reflected from the domain."""

from typing import Any

from services.map.graphql.kind import graphs
from services.map.kind import Operation
from services.map.play import state
from services.map.play.edits import EDITS, MAX_POINTS, MAX_SPANS, CellArea, Draw, Edit
from services.map.registry import OPERATIONS
from services.shared.bounds import Count
from services.shared.graphql.constraint import constraint
from services.shared.mirror import chosen, mirror, mirror_input, one_of, to_domain

graphs()  # Kinds name what their operations hold.

MapPlay = mirror(state.MapState)


def _field(cls: type) -> str:
    """Spell a class as a field: `PutToken` is `put_token`."""
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in cls.__name__).lstrip("_")


_EDITS = {_field(cls): mirror_input(cls, name=f"Map{cls.__name__}Input") for cls in (*EDITS, *OPERATIONS)}
# What a map is made of knows nothing of the graph: lists longer than is usual are bounded here.
for _cls, _member, _most in ((Draw, "points", MAX_POINTS), (CellArea, "spans", MAX_SPANS)):
    for _declared in mirror_input(_cls).__strawberry_definition__.fields:
        if _declared.python_name == _member:
            _declared.directives = [constraint([Count(0, _most)])]

MapEditInput = one_of("MapEditInput", _EDITS, description="What to do on a map: exactly one thing.")


def edit_of(given: Any) -> tuple[str, Edit | Operation]:
    """Read an edit: the field it came in, and what it is."""
    name, value = chosen(given)
    return name, to_domain(value)


__all__ = ["MapEditInput", "MapPlay", "edit_of"]
