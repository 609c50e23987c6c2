"""What domain objects look like in GraphQL, and that what is sent becomes them again."""

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any, ClassVar, Literal, NewType, Protocol

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st
from strawberry.federation.schema_directives import Key
from strawberry.federation.types import FieldSet

from services.shared.graphql.hints import attribute_descriptions
from services.shared.graphql.scalars import BigInt
from services.shared.graphql.schema import HouseSchema, build_schema, export_sdl
from services.shared.mirror import (
    chosen,
    mirror,
    mirror_input,
    mirror_interface,
    mirror_union,
    one_of,
    stand_for,
    to_domain,
)
from services.shared.problems import PublicError


def serve(kind: Any, value: Any = None, types: Sequence[Any] = ()) -> HouseSchema:
    """Make a schema whose only field ``it`` has a type and a value."""

    def resolver() -> Any:
        return value

    resolver.__annotations__ = {"return": kind}
    root = type("Query", (), {"it": strawberry.field(resolver=resolver)})
    return build_schema(strawberry.type(root), types=types)


async def read(schema: HouseSchema, selection: str) -> Any:
    """Read ``it``."""
    result = await schema.execute(f"{{it{selection}}}")
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data["it"]


# Types


class Grade(Enum):
    """How good something is.

    Attributes:
        FINE: better than most.
    """

    PLAIN = 1
    FINE = 2


class Rank(IntEnum):
    """A number with a name."""

    LOW = 1


GemId = NewType("GemId", str)
Carats = NewType("Carats", float)


@dataclass(frozen=True, slots=True)
class Gem:
    """A stone.

    It is not worth what it costs.

    Attributes:
        id: names it.
        colors: from the outside
            to the inside.
        note: anything else.

    Example:
        ``Gem("g")``
    """

    KINDS: ClassVar[int] = 7
    id: str
    gem_id: GemId
    mine_id: str | None
    colors: tuple[str, ...]
    carats: Carats
    grade: Grade
    rank: Rank
    odds: Fraction
    note: str | None = None
    flaws: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    twins: tuple["Gem", ...] = ()
    facets: frozenset[int] = frozenset()
    cut: Literal["round", "oval"] = "round"
    _secret: str = "hidden"

    @property
    def price(self) -> int:
        """In coins.

        Much too high.
        """
        return 100

    @property
    def _cost(self) -> int:
        return 1


GEM = Gem(
    id="g",
    gem_id=GemId("g"),
    mine_id=None,
    colors=("red", "blue"),
    carats=Carats(1.5),
    grade=Grade.FINE,
    rank=Rank.LOW,
    odds=Fraction(5, 36),
    flaws={"crack": (1, 2)},
    facets=frozenset({3, 1, 2}),
)

GEM_SDL = '''"""A stone."""
type Gem {
  """names it."""
  key: ID!
  gemId: ID!
  mineId: ID

  """from the outside to the inside."""
  colors: [String!]!
  carats: Float!
  grade: Grade!
  rank: Rank!
  odds: Fraction!

  """anything else."""
  note: String
  flaws: [StringIntListEntry!]!
  twins: [Gem!]!
  facets: [Int!]!
  cut: String!

  """In coins."""
  price: Int!
}'''


ENTRY_SDL = '''"""One entry of a table."""
type StringIntListEntry @shareable {
  """Its name in the table."""
  key: String!

  """What the table holds for it."""
  value: [Int!]!
}'''


def test_a_dataclass_looks_like_its_hints_and_docstring() -> None:
    sdl = export_sdl(serve(mirror(Gem)))
    assert GEM_SDL in sdl
    assert ENTRY_SDL in sdl


def test_an_enum_has_the_names_of_its_members_and_their_descriptions() -> None:
    expected = '"""How good something is."""\nenum Grade {\n  PLAIN\n\n  """better than most."""\n  FINE\n}'
    assert expected in export_sdl(serve(mirror(Grade)))


async def test_domain_objects_are_read_as_they_are() -> None:
    flat = "key gemId mineId colors carats grade rank odds facets cut price"
    selection = f"{{{flat} flaws{{key value}} twins{{key}}}}"
    assert await read(serve(mirror(Gem), GEM), selection) == {
        "key": "g",
        "gemId": "g",
        "mineId": None,
        "colors": ["red", "blue"],
        "carats": 1.5,
        "grade": "FINE",
        "rank": "LOW",
        "odds": "5/36",
        "flaws": [{"key": "crack", "value": [1, 2]}],
        "twins": [],
        "facets": [1, 2, 3],
        "cut": "round",
        "price": 100,
    }


def test_the_same_look_gives_the_same_type() -> None:
    @dataclass(frozen=True)
    class Thing:
        id: str

    first = mirror(Thing, name="FirstThing")
    assert mirror(Thing, name="FirstThing") is first
    assert mirror(Thing) is first
    assert mirror(Thing, name="SecondThing") is not first
    assert mirror(Grade) is Grade


async def test_two_schemas_may_share_a_type() -> None:
    kind = mirror(Gem)
    schemas = [serve(kind, GEM), serve(kind, GEM)]
    assert [await read(schema, "{price}") for schema in schemas] == [{"price": 100}, {"price": 100}]


def test_a_class_within_another_takes_the_name_it_was_mirrored_under() -> None:
    @dataclass(frozen=True)
    class Inner:
        id: str

    @dataclass(frozen=True)
    class Outer:
        inner: Inner | None

    mirror(Inner, name="RenamedInner")
    Outer.__annotations__["inner"] = Inner | None
    assert "inner: RenamedInner" in export_sdl(serve(mirror(Outer)))


async def test_fields_may_be_overridden_or_left_out() -> None:
    @dataclass(frozen=True)
    class Hoard:
        coins: int
        thief: str

        @property
        def map(self) -> str:
            """Where it lies."""
            return "under the mountain"

    schema = serve(
        mirror(Hoard, overrides={"coins": BigInt}, exclude=["thief", "map"]), Hoard(2**70, "Bilbo")
    )
    assert "type Hoard {\n  coins: BigInt!\n}" in export_sdl(schema)
    assert await read(schema, "{coins}") == {"coins": str(2**70)}


def test_directives_are_the_federation_s() -> None:
    @dataclass(frozen=True)
    class Mine:
        id: str

    sdl = export_sdl(serve(mirror(Mine, shareable=True, directives=[Key(fields=FieldSet("id"))])))
    assert 'type Mine @key(fields: "id", resolvable: true) @shareable {' in sdl


@dataclass(frozen=True)
class Node:
    value: int
    left: "Node | None" = None
    by_name: "Mapping[str, Node] | None" = None


async def test_a_class_may_hold_its_own_kind() -> None:
    tree = Node(1, Node(2), {"other": Node(3)})
    answer = await read(serve(mirror(Node), tree), "{value left{value left{value}} byName{key value{value}}}")
    assert answer == {
        "value": 1,
        "left": {"value": 2, "left": None},
        "byName": [{"key": "other", "value": {"value": 3}}],
    }


@dataclass(frozen=True)
class HoldsTable:
    tables: tuple[Mapping[str, Mapping[Grade, int]], ...] = ()


async def test_tables_within_tables_are_entries_within_entries() -> None:
    value = HoldsTable(({"a": {Grade.FINE: 1}},))
    answer = await read(serve(mirror(HoldsTable), value), "{tables{key value{key value}}}")
    assert answer == {"tables": [[{"key": "a", "value": [{"key": "FINE", "value": 1}]}]]}


def test_any_json_value_has_a_scalar() -> None:
    @dataclass(frozen=True)
    class Parcel:
        """A parcel."""

        content: object

    assert "  content: JSON!" in export_sdl(serve(mirror(Parcel)))
    given = mirror_input(Parcel)
    assert to_domain(given(content=[{"a": [1]}])) == Parcel([{"a": [1]}])


@pytest.mark.parametrize("hint", [tuple[int, str], bytes, dict, Any, int | str, "typing.Callable[[], int]"])
def test_what_has_no_form_is_said_at_once_and_again(hint: Any) -> None:
    broken = type("Broken", (), {"__annotations__": {"it": hint}, "__module__": __name__})
    broken = dataclass(frozen=True)(broken)
    for _ in range(2):
        with pytest.raises(TypeError, match="has no GraphQL form"):
            mirror(broken)
        with pytest.raises(TypeError, match=r"has no GraphQL form|use one_of"):
            mirror_input(broken)


# Unions and interfaces


@dataclass(frozen=True)
class Dwarf:
    """Short."""

    name: str


@dataclass(frozen=True)
class King(Dwarf):
    """Short, with a crown."""

    crown: str = "iron"


@dataclass(frozen=True)
class Elf:
    """Tall."""

    name: str
    trees: int = 0


@dataclass(frozen=True)
class Party:
    members: tuple[Dwarf | King | Elf, ...]
    leader: Dwarf | Elf | None = None


PARTY = Party((Dwarf("Gimli"), King("Dain"), Elf("Legolas")))


async def test_a_union_shows_each_object_as_what_it_is() -> None:
    schema = serve(mirror(Party), PARTY)
    names = "{members{__typename ...on King{crown} ...on Elf{trees}} leader{__typename}}"
    assert await read(schema, names) == {
        "members": [
            {"__typename": "Dwarf"},
            {"__typename": "King", "crown": "iron"},
            {"__typename": "Elf", "trees": 0},
        ],
        "leader": None,
    }
    assert "union DwarfOrElf = Dwarf | Elf" in export_sdl(schema)


def test_a_union_may_have_a_name() -> None:
    @dataclass(frozen=True)
    class Yes:
        said: bool = True

    @dataclass(frozen=True)
    class No:
        said: bool = False

    @dataclass(frozen=True)
    class Vote:
        cast: Yes | No

    Vote.__annotations__["cast"] = Yes | No
    named = mirror_union("Answer", Yes, No)
    assert mirror_union("Answer", No, Yes) is named
    with pytest.raises(ValueError, match="already Answer"):
        mirror_union("Reply", Yes, No)
    assert "cast: Answer!" in export_sdl(serve(mirror(Vote)))


class Named(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """What it is called."""


async def test_an_interface_shows_each_object_as_what_it_is() -> None:
    interface = mirror_interface(Named, name="NamedBeing")
    assert mirror_interface(Named, name="NamedBeing") is interface
    kinds = [mirror(cls, name=f"Named{cls.__name__}", interfaces=[interface]) for cls in (Dwarf, King, Elf)]
    beings = [Dwarf("Gimli"), King("Dain"), Elf("Legolas")]
    schema = serve(list[interface], beings, types=kinds)
    assert '"""Whatever has a name."""\ninterface NamedBeing {\n  """What it is called."""' in export_sdl(
        schema
    )
    assert await read(schema, "{__typename name ...on NamedKing{crown}}") == [
        {"__typename": "NamedDwarf", "name": "Gimli"},
        {"__typename": "NamedKing", "name": "Dain", "crown": "iron"},
        {"__typename": "NamedElf", "name": "Legolas"},
    ]


async def test_an_object_of_another_class_is_refused() -> None:
    result = await serve(mirror(Elf), Dwarf("Gimli")).execute("{it{name}}")
    assert result.data is None
    assert result.errors


# Inputs


@dataclass(frozen=True)
class Facet:
    """One side.

    Attributes:
        angle: in degrees.
    """

    angle: int
    polish: float = 1.0


@dataclass(frozen=True)
class Order:
    """What to cut.

    Attributes:
        gem_id: the stone.
    """

    gem_id: str
    grade: Grade = Grade.PLAIN
    count: int = 1
    urgent: bool = False
    odds: Fraction = Fraction(1, 2)
    note: str | None = None
    facets: tuple[Facet, ...] = ()
    marks: frozenset[int] = frozenset()
    words: list[str] | None = None
    first: Facet = Facet(90)
    table: Mapping[str, Facet] = field(default_factory=dict)
    then: "Order | None" = None


ORDER_SDL = '''"""What to cut."""
input OrderInput {
  """the stone."""
  gemId: ID!
  grade: Grade! = PLAIN
  count: Int! = 1
  urgent: Boolean! = false
  odds: Fraction
  note: String
  facets: [FacetInput!]! = [] @constraint(minItems: 0, maxItems: 1000)
  marks: [Int!]! = [] @constraint(minItems: 0, maxItems: 1000)
  words: [String!] @constraint(minItems: 0, maxItems: 1000)
  first: FacetInput
  table: [StringFacetEntryInput!] @constraint(minItems: 0, maxItems: 1000)
  then: OrderInput
}'''


arrived: list[Order] = []


def order_schema() -> HouseSchema:
    """Make a schema that keeps what arrives."""

    async def order(order: Any) -> bool:
        arrived.append(to_domain(order))
        return True

    order.__annotations__ = {"order": mirror_input(Order), "return": bool}
    return build_schema(strawberry.type(type("Query", (), {"order": strawberry.field(resolver=order)})))


def as_input(value: Any) -> Any:
    """Build the input that stands for a domain object."""
    match value:
        case tuple() | list() | frozenset():
            return [as_input(item) for item in value]
        case Mapping():
            entry = typing.get_args(typing.get_args(mirror_input(Order).__annotations__["table"])[0])[0]
            return [entry(key=key, value=as_input(item)) for key, item in value.items()]
        case _ if is_dataclass(value) and not isinstance(value, type):
            members = {member.name: as_input(getattr(value, member.name)) for member in fields(value)}
            return mirror_input(type(value))(**members)
        case _:
            return value


def as_json(value: Any) -> Any:
    """Write the variable that stands for a domain object."""
    match value:
        case Enum():
            return value.name
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case tuple() | list() | frozenset():
            return [as_json(item) for item in value]
        case Mapping():
            return [{"key": key, "value": as_json(item)} for key, item in value.items()]
        case Facet() | Order():
            return {
                "gemId" if member.name == "gem_id" else member.name: as_json(getattr(value, member.name))
                for member in fields(value)
            }
        case _:
            return value


numbers = st.integers(-(2**31), 2**31 - 1)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
facets = st.builds(Facet, angle=numbers, polish=st.floats(allow_nan=False, allow_infinity=False))
plain_orders: st.SearchStrategy[Order] = st.builds(
    Order,
    gem_id=texts,
    grade=st.sampled_from(Grade),
    count=numbers,
    urgent=st.booleans(),
    odds=st.fractions(max_denominator=10**6),
    note=st.none() | texts,
    facets=st.lists(facets, max_size=3).map(tuple),
    marks=st.frozensets(numbers, max_size=3),
    words=st.none() | st.lists(texts, max_size=3),
    first=facets,
    table=st.dictionaries(texts, facets, max_size=3),
)
orders = st.recursive(
    plain_orders, lambda inner: st.builds(Order, gem_id=texts, then=st.none() | inner), max_leaves=4
)


def test_an_input_requires_what_has_no_default() -> None:
    assert ORDER_SDL in export_sdl(order_schema())


@given(orders)
def test_an_input_becomes_the_object_it_was_made_from(order: Order) -> None:
    assert to_domain(as_input(order)) == order


ORDERS = order_schema()


@given(orders)
async def test_a_variable_becomes_the_object_it_was_made_from(order: Order) -> None:
    result = await ORDERS.execute("query($o:OrderInput!){order(order:$o)}", {"o": as_json(order)})
    assert result.errors is None
    assert arrived.pop() == order


@pytest.mark.parametrize(
    "left_out", ["", ",odds:null,first:null,then:null,table:null"], ids=["omitted", "null"]
)
async def test_what_is_left_out_takes_the_dataclass_s_default(left_out: str) -> None:
    result = await ORDERS.execute(f'{{order(order:{{gemId:"g"{left_out}}})}}')
    assert result.errors is None
    assert arrived.pop() == Order("g")


def test_a_list_of_inputs_becomes_a_tuple() -> None:
    assert to_domain([as_input(Facet(1)), as_input(Facet(2))]) == (Facet(1), Facet(2))


def test_what_the_dataclass_refuses_is_said_in_its_own_words() -> None:
    @dataclass(frozen=True)
    class Positive:
        number: int

        def __post_init__(self) -> None:
            if self.number < 1:
                raise ValueError("at least 1")

    with pytest.raises(PublicError, match="at least 1") as refused:
        to_domain(mirror_input(Positive)(number=0))
    assert refused.value.extensions == {"code": "BAD_USER_INPUT"}


def test_a_dataclass_has_one_input() -> None:
    @dataclass(frozen=True)
    class Wish:
        words: str

    made = mirror_input(Wish, name="RenamedWishInput")
    assert mirror_input(Wish) is made


def test_a_choice_tells_which_was_made() -> None:
    choice = one_of(
        "FacetOrOrder", {"facet": mirror_input(Facet), "order": mirror_input(Order)}, description=""
    )
    assert chosen(choice(facet=as_input(Facet(1)))) == ("facet", mirror_input(Facet)(angle=1, polish=1.0))
    with pytest.raises(ValueError, match="exactly one"):
        chosen(choice())


# Inputs of one's own, and words that stand elsewhere


@dataclass(frozen=True, slots=True)
class Parcel:
    """Something of one of several kinds.

    Attributes:
        kind: Which kind.
        content: What it holds.
    """

    kind: str
    content: Any


@dataclass(frozen=True, slots=True)
class Sending:
    """A parcel on its way.

    Attributes:
        parcel: What is sent.
    """

    parcel: Parcel
    express: bool = False


@dataclass(frozen=True, slots=True)
class ExpressSending:
    """One that is in a hurry.

    All else is as in `test_mirror.Sending`.

    Attributes:
        express: Always.
    """

    parcel: Parcel
    express: bool = True


def test_an_input_of_ones_own_stands_for_a_dataclass_wherever_it_is_met() -> None:
    @strawberry.input(description="So many sheets.")
    class SheetsInput:
        sheets: int

    chest = one_of("ParcelInput", {"paper": SheetsInput}, description="Exactly one.")

    def read(given: Any) -> Parcel:
        kind, content = chosen(given)
        return Parcel(kind, content.sheets)

    stand_for(Parcel, chest, read)
    sending = mirror_input(Sending)
    (parcel,) = [one for one in sending.__strawberry_definition__.fields if one.name == "parcel"]
    assert parcel.type is chest and parcel.description == "What is sent."
    (paper,) = chest.__strawberry_definition__.fields
    assert paper.description == "So many sheets."
    assert to_domain(sending(parcel=chest(paper=SheetsInput(sheets=3)))) == Sending(Parcel("paper", 3))


def test_what_a_class_does_not_describe_is_described_where_it_says() -> None:
    assert attribute_descriptions(ExpressSending) == {"parcel": "What is sent.", "express": "Always."}
