"""Frozen dataclasses with other values, beside those of the standard library."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import pytest

from services.rules.engine.frozen import replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Below(Base):
    at: int = 3
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Holding(Generic[T]):
    held: T
    name: str = ""


class Unslotted(Base):
    pass


@dataclass(frozen=True)
class WithoutSlots:
    name: str = "a"


@dataclass(frozen=True, slots=True)
class Checked:
    value: int = 1

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("below nothing")


@dataclass(frozen=True, slots=True)
class Made:
    name: str = "a"
    count: int = field(default=0, init=False)


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Base("a", 1), {}),
        (Base("a", 1), {"at": 2}),
        (Below(name="a"), {"at": 5, "more": ("b",)}),
        (Holding(1, "a"), {"held": 2}),
        (Unslotted("a"), {"at": 2}),
        (WithoutSlots(), {"name": "b"}),
        (Checked(), {"value": 7}),
    ],
)
def test_copies_as_the_standard_library_does(value: Any, changes: dict[str, Any]) -> None:
    before = dataclasses.replace(value)
    found = replace(value, **changes)
    assert found == dataclasses.replace(value, **changes)
    assert type(found) is type(value)
    assert value == before


def test_a_copy_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Base("a"), at=2).at = 3  # type: ignore[misc]


def test_checks_of_a_class_are_made() -> None:
    with pytest.raises(ValueError, match="below nothing"):
        replace(Checked(), value=-1)


@pytest.mark.parametrize("value", [Base("a"), WithoutSlots(), Checked()])
def test_refuses_a_field_that_is_not_there(value: Any) -> None:
    with pytest.raises(TypeError, match="elsewhere"):
        replace(value, elsewhere=1)


def test_refuses_a_field_that_init_does_not_take() -> None:
    with pytest.raises(ValueError, match="count"):
        replace(Made(), count=1)


def test_refuses_what_is_no_dataclass() -> None:
    with pytest.raises(TypeError):
        replace("text", at=1)  # type: ignore[type-var]
