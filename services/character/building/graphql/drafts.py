"""Characters in the making, in the graph."""

from typing import Annotated, cast

import strawberry
from strawberry.scalars import JSON

from services.character.building.drafts import Draft, DraftStep
from services.character.building.sheets import published_sheet
from services.character.context import CharacterInfo
from services.character.packs.graphql.arguments import BesidePacks, pack_ids
from services.character.packs.graphql.systems import CharacterBuild, Sheet
from services.rules.engine.guide import Budget, Offer
from services.shared.graphql.changes import question
from services.shared.mirror import mirror, to_domain
from services.shared.problems import InvalidInput, Issue, Unavailable

IssueType = mirror(Issue, shareable=True)
CreationBudget = mirror(Budget, name="Budget", shareable=True)
CreationOffer = mirror(Offer, name="Offer", shareable=True)


@strawberry.type(description="One step of making a character.")
class CharacterDraftStep:
    """What is to be decided in it."""

    id: strawberry.ID = strawberry.field(name="key", description="Stable within the game system.")
    name: str = strawberry.field(description="What a heading says.")
    text: str = strawberry.field(description="What is decided here, in plain words.")
    budgets: list[CreationBudget] = strawberry.field(  # type: ignore[valid-type]
        description="The points of this step."
    )
    issues: list[Issue] = strawberry.field(
        description="Every rule that the choices of this step break.",
        graphql_type=list[IssueType],  # type: ignore[valid-type]
    )
    offers: list[CreationOffer] = strawberry.field(  # type: ignore[valid-type]
        description="What is still affordable here: taken, it breaks no rule that is not broken already."
    )

    @classmethod
    def of(cls, step: DraftStep) -> "CharacterDraftStep":
        """Show a step."""
        return cls(
            id=strawberry.ID(step.id),
            name=step.name,
            text=step.text,
            budgets=list(step.budgets),
            issues=step.issues,
            offers=list(step.offers),
        )


@strawberry.type(description="A character in the making, which is not kept.")
class CharacterDraft:
    """``createCharacter`` keeps it, once no rule is broken any more."""

    system: str = strawberry.field(description="Slug of the game system.")
    steps: list[CharacterDraftStep] = strawberry.field(
        description="In the order of the book, or the one that was asked for; none where the game leads "
        "nobody through."
    )
    issues: list[Issue] = strawberry.field(
        description="Every rule that the choices break.",
        graphql_type=list[IssueType],  # type: ignore[valid-type]
    )
    builds: bool = strawberry.field(description="Whether they make a character as they are.")
    draft: strawberry.Private[Draft]

    @strawberry.field(description="Its sheet; null while a rule is broken.")
    def sheet(self, info: CharacterInfo) -> Sheet | None:
        """Give the sheet in its system's own type."""
        if self.draft.document is None:
            return None
        system = info.context.service.systems[self.draft.system]
        return cast(Sheet, system.sheet_codec.load(self.draft.document))

    @strawberry.field(description="The same in its published JSON form, with its type and version.")
    def sheet_document(self, info: CharacterInfo) -> JSON | None:
        """Return the sheet's document."""
        if self.draft.document is None:
            return None
        return JSON(published_sheet(info.context.service.systems[self.draft.system], self.draft.document))

    @classmethod
    def of(cls, found: Draft) -> "CharacterDraft":
        """Show a draft."""
        return cls(
            system=found.system,
            steps=[CharacterDraftStep.of(step) for step in found.steps],
            issues=found.issues,
            builds=found.document is not None,
            draft=found,
        )


@strawberry.type
class DraftQuery:
    """Looking at choices that are not finished."""

    @question(InvalidInput, Unavailable)
    async def draft_character(
        self,
        info: CharacterInfo,
        build: Annotated[
            CharacterBuild,
            strawberry.argument(description="Its game, and the choices so far."),
        ],
        step: Annotated[
            str | None, strawberry.argument(description="Id of one step to look at; all of them without it.")
        ] = None,
        packs: BesidePacks = None,
    ) -> CharacterDraft:
        """A character in the making: points that are left, rules that are broken so far, what is still
        affordable, and the sheet as soon as there is one. Nothing is kept.
        """
        viewer, characters = info.context.signed_in(), info.context.service.characters
        found = await characters.draft(viewer, to_domain(build), pack_ids(packs), step)
        return CharacterDraft.of(found)
