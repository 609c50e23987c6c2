"""What games offer, to be looked through: every trait, spell and sword with all that the rules say of it."""

from typing import Annotated, cast

import strawberry
from strawberry.scalars import JSON

from services.character.building.builds import unknown_system
from services.character.context import CharacterInfo
from services.character.packs import library, tasks
from services.character.packs.editions import Cost
from services.character.packs.graphql.arguments import BesidePacks, System, pack_ids
from services.character.packs.graphql.systems import ContentEntry
from services.rules.engine.library import Condition, ContentKind, Found, Hit, Relation, Wanted
from services.rules.engine.shelf_index import LeafKind
from services.rules.engine.system import AnySystem
from services.shared.graphql.changes import question
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.mirror import mirror
from services.shared.pagination import DEFAULT_PAGE, Page, page_size, text_of_cursor
from services.shared.problems import InvalidInput, PublicError, Unavailable

mirror(LeafKind, name="ContentFieldKind")
KindOfContent = mirror(ContentKind)

Kind = Annotated[
    str | None,
    strawberry.argument(description="Only this kind, as `contentKinds` names it; all without one."),
]
Search = Annotated[
    str,
    strawberry.argument(
        description="Words, each of which must begin a word of the entry. Case and accents do not count; "
        "words in names weigh more than others."
    ),
]
Order = Annotated[
    str,
    strawberry.argument(
        description="`name`, `book`, `relevance` or the path of a field, with `-` before it for the other "
        "way round. Without one: by relevance where words are given, else as the book has it."
    ),
]


@strawberry.input(
    description="A condition on one field. All that it says must hold; of a field with several values, for "
    "any of them."
)
class ContentFilter:
    """What a field must say."""

    field: str = strawberry.field(description="Its path, as `contentKinds` names it: `size.speed`.")
    equals: str | None = strawberry.field(
        default=None, description="The value: a number, a word, true or false, a content id or its slug."
    )
    one_of: list[str] | None = strawberry.field(default=None, description="Values, any of which will do.")
    at_least: float | None = strawberry.field(default=None, description="The least that a number may be.")
    at_most: float | None = strawberry.field(default=None, description="The most that a number may be.")
    has: str | None = strawberry.field(
        default=None, description="A value that is among the field's, or words that its text holds."
    )

    def conditions(self, place: int) -> list[Condition]:
        """Give each thing that it asks."""
        base = ("where", place)
        given: dict[Relation, list[str] | None] = {
            Relation.EQUALS: None if self.equals is None else [self.equals],
            Relation.ONE_OF: self.one_of,
            Relation.AT_LEAST: None if self.at_least is None else [_plainly(self.at_least)],
            Relation.AT_MOST: None if self.at_most is None else [_plainly(self.at_most)],
            Relation.HAS: None if self.has is None else [self.has],
        }
        asked = [
            Condition(self.field, relation, tuple(values), base)
            for relation, values in given.items()
            if values is not None
        ]
        # A condition that asks nothing was hardly meant so; it is told as one without values.
        return asked or [Condition(self.field, Relation.EQUALS, (), base)]


def _plainly(number: float) -> str:
    return f"{number:.10f}"


@strawberry.type(description="Something of a game's content.")
class ContentHit:
    """An entry, whatever its kind."""

    id: strawberry.ID = strawberry.field(description="Its content id: `dungeonteller:weapon/longsword`.")
    system: str = strawberry.field(description="Slug of the game system.")
    kind: str = strawberry.field(description="Its kind, as `contentKinds` names it.")
    name: str = strawberry.field(description="The word for people.")
    text: str = strawberry.field(description="What it is, in plain words; empty where the game does not say.")
    licence: str = strawberry.field(description="Whose game it is, and on what terms it is shown here.")
    hit: strawberry.Private[Hit]

    @strawberry.field(description="All that it says, in the type of its kind.")
    def entry(self) -> ContentEntry:
        """Give the entry."""
        return cast(ContentEntry, self.hit.entry)

    @strawberry.field(description="The same as JSON, with the names and words of the graph.")
    def data(self) -> JSON:
        """Give the entry's JSON form."""
        return JSON(library.form(self.hit.entry))

    @classmethod
    def of(cls, system: AnySystem, hit: Hit) -> "ContentHit":
        """Show an entry."""
        return cls(
            id=strawberry.ID(hit.id),
            system=system.slug,
            kind=hit.kind,
            name=hit.name,
            text=hit.text,
            licence=system.licence,
            hit=hit,
        )


@strawberry.type(description="One page of content; ask for the next with `after: pageInfo.endCursor`.")
class ContentConnection(Connection[ContentHit]):
    """What was found."""

    total: int = strawberry.field(description="How many fit in all.")
    licence: str = strawberry.field(description="Whose game it is, and on what terms it is shown here.")

    @classmethod
    def of(cls, system: AnySystem, found: Found, *, has_previous: bool) -> "ContentConnection":
        """Show a page of what was found."""
        page = Page(found.hits, found.more, has_previous=has_previous)
        connection = connect(page, lambda hit: hit.id, lambda hit: ContentHit.of(system, hit))
        return cls(
            edges=connection.edges,
            nodes=connection.nodes,
            page_info=connection.page_info,
            total=found.total,
            licence=system.licence,
        )


@strawberry.type(description="What kinds of content a game has.")
class ContentKinds:
    """Enough to draw a search form."""

    system: str = strawberry.field(description="Slug of the game system.")
    licence: str = strawberry.field(description="Whose game it is, and on what terms it is shown here.")
    found: strawberry.Private[tuple[ContentKind, ...]]

    @strawberry.field(description="In the order of the book, with the fields to filter and order by.")
    def kinds(self) -> list[KindOfContent]:  # type: ignore[valid-type]
        """List the kinds."""
        return list(self.found)


INDEXED = 0.06
"""Milliseconds an entry that an edition takes whose shelves are looked through for the first time."""

LOOKING_UP = Cost(alone=2.0, per_entry=0.0005, first_per_entry=INDEXED)
LISTING = Cost(alone=5.0, per_entry=0.002, first_per_entry=2 * INDEXED)

Where = Annotated[
    list[ContentFilter] | None,
    strawberry.argument(description="Conditions on fields, up to 20; all of them must hold."),
]


@strawberry.type
class LibraryQuery:
    """Looking through what games offer, and what tables add to it."""

    @question(InvalidInput, Unavailable)
    async def content(
        self,
        info: CharacterInfo,
        system: System,
        kind: Kind = None,
        search: Search = "",
        where: Where = None,
        order_by: Order = "",
        first: First = DEFAULT_PAGE,
        after: After = None,
        packs: BesidePacks = None,
    ) -> ContentConnection:
        """Content of a game that fits: by kind, by words, by what its fields say, in any order."""
        viewer, use_cases = info.context.signed_in(), info.context.service
        game = use_cases.systems.get(system)
        if game is None:
            raise unknown_system(use_cases.systems, system, "system")
        behind = None if after is None else text_of_cursor(after)
        beside = pack_ids(packs)
        if behind is not None:
            seen = await use_cases.packs.ask(viewer, system, beside, LOOKING_UP, tasks.entry_of, behind)
            if seen is None:
                raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
        wanted = Wanted(
            kind=kind,
            search=search,
            where=tuple(
                condition for place, asked in enumerate(where or ()) for condition in asked.conditions(place)
            ),
            order=order_by,
            first=page_size(first),
            after=behind,
        )
        cost = _searching(wanted)
        found = await use_cases.packs.ask(viewer, system, beside, cost, tasks.searched, wanted)
        return ContentConnection.of(game, found, has_previous=behind is not None)

    @strawberry.field(description="One entry of a game's content, or of packs beside it; null for none.")
    async def content_entry(
        self,
        info: CharacterInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Its content id.")],
        packs: BesidePacks = None,
    ) -> ContentHit | None:
        """Return an entry."""
        viewer, use_cases = info.context.signed_in(), info.context.service
        game = use_cases.systems.get(str(id).partition(":")[0])
        if game is None:
            return None
        try:
            hit = await use_cases.packs.ask(
                viewer, game.slug, pack_ids(packs), LOOKING_UP, tasks.entry_of, str(id)
            )
        except InvalidInput:
            return None
        return None if hit is None else ContentHit.of(game, hit)

    @strawberry.field(
        description="The kinds of a game's content, and what each can be filtered by; null for no such game."
    )
    async def content_kinds(
        self, info: CharacterInfo, system: System, packs: BesidePacks = None
    ) -> ContentKinds | None:
        """List the kinds."""
        viewer, use_cases = info.context.signed_in(), info.context.service
        game = use_cases.systems.get(system)
        if game is None:
            return None
        try:
            found = await use_cases.packs.ask(viewer, system, pack_ids(packs), LISTING, tasks.kinds_of)
        except InvalidInput:
            return None
        return ContentKinds(system=game.slug, licence=game.licence, found=found)


def _searching(wanted: Wanted) -> Cost:
    """Estimate a search: each condition and each word is held against each entry."""
    words = sum(len(value.split()) for condition in wanted.where for value in condition.values)
    asked = len(wanted.where) + words / 20 + len(wanted.search.split()) / 10
    return Cost(alone=3.0 + asked * 0.4, per_entry=0.001 + asked * 0.0001, first_per_entry=INDEXED)
