"""Frozen dataclasses with other values: `dataclasses.replace`, several times as fast for those with slots.

States are frozen, and every fact makes new ones of them: copying values field by field, by name, is a fifth
of what a scene costs. A class with slots that checks nothing as it is made is copied by a function of its
own, written for it once, as `dataclasses` writes its `__init__`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from types import MemberDescriptorType, new_class
from typing import TYPE_CHECKING, Any

__all__ = ["replace"]

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a dataclass with other values, as `dataclasses.replace` does.

        Args:
            value: The dataclass.
            changes: Its new values, by field.

        Raises:
            TypeError: It has no field of this name.
            ValueError: A field that `__init__` does not take is to change.
        """
        kind = type(value)
        known = _COPIERS.get(kind)
        if known is None:
            known = _COPIERS[kind] = _copier(kind)
        if known is _BY_INIT:
            return _by_init(value, **changes)
        copy, setters = known
        new = copy(value)
        try:
            for name, change in changes.items():
                setters[name](new, change)
        except KeyError as error:
            raise TypeError(f"{kind.__name__} has no field {error}") from None
        return new

    from dataclasses import replace as _by_init


Setter = Callable[[Any, Any], None]
Copier = tuple[Callable[[Any], Any], dict[str, Setter]]
"""What copies a value, and what sets each of its fields."""

_BY_INIT: Copier = (lambda value: value, {})
"""Stands for classes that are made by their `__init__` alone."""

_COPIERS: dict[type, Copier] = {}


def _copier(kind: type) -> Copier:
    """Return what copies values of a class."""
    known = fields(kind)
    slots = {field.name: getattr(kind, field.name, None) for field in known if field.init}
    setters: dict[str, Setter] = {
        name: slot.__set__ for name, slot in slots.items() if isinstance(slot, MemberDescriptorType)
    }
    if hasattr(kind, "__post_init__") or "__slots__" not in vars(kind) or len(setters) < len(known):
        return _BY_INIT
    copied = [f" new.{name} = value.{name}" for name in setters]
    lines = ["def copy(value):", " new = make(draft)", *copied, " new.__class__ = kind", " return new"]
    scope: dict[str, Any] = {"make": object.__new__, "draft": _draft(kind), "kind": kind}
    exec("\n".join(lines), scope)
    return scope["copy"], setters


def _draft(kind: type) -> type:
    """Return a class of the same slots that is not frozen: a copy is one until all of its values are set.

    Setting a value by a plain assignment takes a third of the time of a call of its slot.
    """
    own = vars(kind)
    values = {"__slots__": own["__slots__"], "__setattr__": object.__setattr__, "__module__": __name__}
    bases = own.get("__orig_bases__", kind.__bases__)
    return new_class(kind.__name__, bases, exec_body=lambda body: body.update(values))
