"""What a game system is to the rest of the house.

A system builds characters: choices in, a sheet or every broken rule out. Its scenes are a second protocol,
`engine.play`; a system without them is whole. So is one that draws no characters by chance, prints no cards,
has no rewards, leads nobody through creation, takes no packs or answers no questions: those are parts a
system may offer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast, runtime_checkable

from services.rules.dice.stream import FaceStream
from services.rules.engine.campaign import AnyCampaign
from services.rules.engine.codec import Codec
from services.rules.engine.content import Content
from services.rules.engine.guide import Guide
from services.rules.engine.packs import PackKind
from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import SheetBase
from services.rules.engine.sheet_sections import SheetLayout
from services.rules.engine.tools import AnyTool
from services.rules.engine.tracks import NO_TRACKS, AnyTracks


class RewardBase(Protocol):
    """What every system's reward holds beside its own fields. Rewards are frozen dataclasses."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def approved(self) -> bool:
        """Whether the game master has approved it; until then it is waiting, and without effect."""


ChoicesT = TypeVar("ChoicesT")
SheetT = TypeVar("SheetT", bound=SheetBase)
ContentT = TypeVar("ContentT", bound=Content)
RewardT = TypeVar("RewardT", bound=RewardBase)

Draw = Callable[[FaceStream, ContentT, str | None, str | None], ChoicesT | Problems]
"""Draws choices that build. After the content come the character's name and its concept in the game's own
terms, such as a role; what is None is drawn too. A problem's path is `("name",)` or `("concept",)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printable(Generic[SheetT, ContentT]):
    """A character on paper: what a sheet says, in the words and the order of a card.

    Attributes:
        type: Frozen dataclass of the card.
        make: A sheet's card. Pure.
    """

    type: type[Any]
    make: Callable[[SheetT, ContentT], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advancement(Generic[ChoicesT, RewardT, ContentT]):
    """What a character gains between sessions: rewards, each of which the game master approves or refuses.

    They stand among the choices, in the order they were proposed. Whether they obey the rules, `build` says
    of all choices together; who may approve is left to whoever keeps the character.

    Attributes:
        reward: Frozen dataclass of one reward: a pick after a session, development points spent.
        field: Name of the choices' field that holds them, as a tuple.
        text: What a reward brings, in plain words.
        options: Rewards that could be proposed next; a text left empty is for the player to write.
    """

    reward: type[RewardT]
    field: str
    text: Callable[[RewardT, ContentT], str]
    options: Callable[[ChoicesT, ContentT], tuple[RewardT, ...]]

    def rewards(self, choices: ChoicesT) -> tuple[RewardT, ...]:
        """Every reward among the choices, waiting ones too."""
        return cast("tuple[RewardT, ...]", getattr(choices, self.field))

    def offers(self, choices: ChoicesT, content: ContentT) -> tuple[RewardT, ...]:
        """What could be proposed next, not yet approved."""
        return tuple(replace(option, approved=False) for option in self.options(choices, content))

    def propose(self, choices: ChoicesT, reward: RewardT) -> ChoicesT:
        """The choices with one more reward, the last, which waits whatever it says of itself."""
        return self._with(choices, (*self.rewards(choices), replace(reward, approved=False)))

    def approve(self, choices: ChoicesT, index: int) -> ChoicesT | Problems:
        """The choices with a waiting reward approved."""
        rewards = self.rewards(choices)
        problems = self._not_waiting(rewards, index)
        if problems is not None:
            return problems
        approved = replace(rewards[index], approved=True)
        return self._with(choices, (*rewards[:index], approved, *rewards[index + 1 :]))

    def refuse(self, choices: ChoicesT, index: int) -> ChoicesT | Problems:
        """The choices without a waiting reward."""
        rewards = self.rewards(choices)
        problems = self._not_waiting(rewards, index)
        return problems or self._with(choices, (*rewards[:index], *rewards[index + 1 :]))

    def unapproved(self, before: ChoicesT | None, after: ChoicesT) -> ChoicesT:
        """The later choices, where every reward waits that was not approved, just as it is, before.

        Args:
            before: What is known to be approved; None when nothing is.
            after: The choices that say more.
        """
        known = [] if before is None else [reward for reward in self.rewards(before) if reward.approved]
        rewards: list[RewardT] = []
        for reward in self.rewards(after):
            if reward in known:
                known.remove(reward)
                rewards.append(reward)
            else:
                rewards.append(replace(reward, approved=False))
        return self._with(after, tuple(rewards))

    def _with(self, choices: ChoicesT, rewards: tuple[RewardT, ...]) -> ChoicesT:
        return cast(ChoicesT, replace(cast(Any, choices), **{self.field: rewards}))

    def _not_waiting(self, rewards: tuple[RewardT, ...], index: int) -> Problems | None:
        waiting = tuple(place for place, reward in enumerate(rewards) if not reward.approved)
        if index in waiting:
            return None
        problem = RuleProblem(
            "reward_not_waiting", "No reward is waiting there.", "approval", ("index",), index, waiting
        )
        return Problems((problem,))


@runtime_checkable
class GameSystem(Protocol[ChoicesT, SheetT, ContentT]):
    """One game: who it is, what a player chooses, what a sheet holds, and how the one becomes the other."""

    @property
    def slug(self) -> str:
        """Stable name, also the package's: `forge_engine`."""

    @property
    def name(self) -> str:
        """The game's title."""

    @property
    def edition(self) -> str:
        """Which text is modelled: "version 1.0, August 2011"."""

    @property
    def licence(self) -> str:
        """One line: whose game it is and on what terms its mechanics are modelled here."""

    @property
    def choices(self) -> type[ChoicesT]:
        """Frozen dataclass of everything a player chooses, at creation and by advancement."""

    @property
    def sheet(self) -> type[SheetT]:
        """Frozen dataclass of a finished character; has what `SheetBase` asks."""

    @property
    def choices_codec(self) -> Codec[ChoicesT]:
        """Choices to JSON and back."""

    @property
    def sheet_codec(self) -> Codec[SheetT]:
        """Sheets to JSON and back."""

    @property
    def content(self) -> ContentT:
        """The numbers of the book, and the table settings with their defaults."""

    @property
    def examples(self) -> Mapping[str, ChoicesT]:
        """Named choices that build; at least one."""

    @property
    def playthroughs(self) -> Mapping[str, str]:
        """Golden playthroughs by file name, as text; see `engine.playthrough`."""

    @property
    def build(self) -> Callable[[ChoicesT, ContentT], SheetT | Problems]:
        """Builds a sheet from choices, or names every rule they break. Pure: same choices, same answer."""

    @property
    def play(self) -> AnyPlay | None:
        """Its scenes; None while only its characters are modelled."""

    @property
    def campaign(self) -> AnyCampaign | None:
        """What it keeps of a table between scenes; None when its scenes are all there is."""

    @property
    def scene_play(self) -> AnyPlay | None:
        """Of campaigns that are a game of their own: the scenes that are begun from them; None for others."""

    @property
    def random(self) -> Draw[ContentT, ChoicesT] | None:
        """Draws a character by chance; the same faces draw the same one. None when it cannot."""

    @property
    def printable(self) -> Printable[SheetT, ContentT] | None:
        """Its characters on paper; None when there are no cards."""

    @property
    def layout(self) -> SheetLayout[SheetT] | None:
        """How any client draws its sheets; None where tracks and rolls are all there is to draw."""

    @property
    def advance(self) -> Advancement[ChoicesT, Any, ContentT] | None:
        """Its rewards; None when characters gain nothing that a game master approves."""

    @property
    def guide(self) -> Guide[ChoicesT, ContentT] | None:
        """Leads through the making of a character; None when it does not."""

    @property
    def packs(self) -> PackKind[Any, ContentT] | None:
        """Packs of a table's own content; None when it takes none."""

    @property
    def tools(self) -> tuple[AnyTool, ...]:
        """Questions that its arithmetic answers."""

    @property
    def tracks(self) -> AnyTracks:
        """What of its characters moves outside scenes, and their rests; `NO_TRACKS` where nothing does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System(Generic[ChoicesT, SheetT, ContentT]):
    """A `GameSystem` put together from its parts: what a package assigns to `SYSTEM`.

    Its parts are those of `GameSystem`, and `plays`: makes its scenes from content, where they are played by
    what packs add; None where they are played by the book alone.

    Raises:
        TypeError: The choices have no field for the rewards.
    """

    slug: str
    name: str
    edition: str
    licence: str
    choices_codec: Codec[ChoicesT]
    sheet_codec: Codec[SheetT]
    content: ContentT
    examples: Mapping[str, ChoicesT]
    playthroughs: Mapping[str, str]
    build: Callable[[ChoicesT, ContentT], SheetT | Problems]
    play: AnyPlay | None = None
    campaign: AnyCampaign | None = None
    scene_play: AnyPlay | None = None
    random: Draw[ContentT, ChoicesT] | None = None
    printable: Printable[SheetT, ContentT] | None = None
    layout: SheetLayout[SheetT] | None = None
    advance: Advancement[ChoicesT, Any, ContentT] | None = None
    guide: Guide[ChoicesT, ContentT] | None = None
    packs: PackKind[Any, ContentT] | None = None
    tools: tuple[AnyTool, ...] = ()
    tracks: AnyTracks = NO_TRACKS
    plays: Callable[[ContentT], AnyPlay] | None = None

    def __post_init__(self) -> None:
        if self.advance is not None and self.advance.field not in _field_names(self.choices):
            raise TypeError(f"{self.slug}: its choices have no field {self.advance.field!r} for rewards")

    def with_content(self, content: ContentT) -> System[ChoicesT, SheetT, ContentT]:
        """The same game by other content: its characters, and its scenes where they are made from it."""
        play = self.play if self.plays is None else self.plays(content)
        return replace(self, content=content, play=play)

    @property
    def choices(self) -> type[ChoicesT]:
        """Frozen dataclass of everything a player chooses."""
        return self.choices_codec.type

    @property
    def sheet(self) -> type[SheetT]:
        """Frozen dataclass of a finished character."""
        return self.sheet_codec.type


def _field_names(cls: type[Any]) -> frozenset[str]:
    return frozenset(getattr(cls, "__dataclass_fields__", ()))


AnySystem = GameSystem[Any, Any, Any]
"""A system whose types the caller does not know, as the registry hands it out."""
