"""What the resolvers of the character service are handed."""

from collections.abc import Mapping
from dataclasses import dataclass

from strawberry.types import Info

from services.character.building.service import CharacterService
from services.character.building.sheets import Sheets
from services.character.history.service import HistoryService
from services.character.metadata.service import CharacterMetadata
from services.character.packs.editions import Editions
from services.character.packs.games import Games
from services.character.packs.service import PackService
from services.character.rewards.service import RewardService
from services.character.tables import BAGS
from services.character.tracks.dice import Poster
from services.character.tracks.service import TrackService
from services.rules.engine.system import AnySystem
from services.shared.access import AccessSource
from services.shared.clock import Clock
from services.shared.context import Context
from services.shared.database import Database
from services.shared.graphql.changes import Call
from services.shared.metadata.service import MetadataService
from services.shared.policy import Policy
from services.shared.quotas import CHARACTER_DEFAULTS, CharacterQuotas
from services.shared.reckoning import Reckoner
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class CharacterUseCases:
    """All that can be done with characters.

    Attributes:
        editions: the games, alone and with packs in them.
        packs: packs of content, and asking games beside them.
        characters: reading, making, editing.
        sheets: characters as they are just now.
        rewards: proposing and judging them.
        history: what became of characters, and going back.
        wakes: signals of what has changed.
        metadata: what apps keep beside characters.
        tracks: tracks that move outside scenes, and rests.
        public_url: address that clients use, without a slash at its end.
    """

    editions: Editions
    packs: PackService
    characters: CharacterService
    sheets: Sheets
    rewards: RewardService
    history: HistoryService
    wakes: Wakes
    metadata: CharacterMetadata
    tracks: TrackService
    public_url: str = ""

    @property
    def systems(self) -> Mapping[str, AnySystem]:
        """The games as their books have them, by slug."""
        return self.editions.systems

    @classmethod
    def over(
        cls,
        database: Database,
        clock: Clock,
        access: AccessSource,
        systems: Mapping[str, AnySystem],
        reckoner: Reckoner[Games] | None = None,
        quotas: CharacterQuotas = CHARACTER_DEFAULTS,
        wakes: Wakes | None = None,
        dice: Poster | None = None,
        public_url: str = "",
    ) -> "CharacterUseCases":
        """Put the use cases together.

        Args:
            database: where characters and packs are kept.
            clock: the present moment.
            access: knows the campaigns of a viewer.
            systems: the games that can be played, by slug.
            reckoner: charges for what takes long, and has it done apart.
            quotas: what accounts may have.
            wakes: signals of what has changed; without, who follows looks every few seconds.
            dice: the dice service; without, no dice fall at rests.
            public_url: address that clients use, without a slash at its end.
        """
        policy = Policy(access)
        editions = Editions(database, systems, reckoner)
        packs = PackService(database, clock, policy, editions, quotas)
        characters = CharacterService(database, clock, policy, editions, packs, quotas=quotas)
        return cls(
            editions,
            packs,
            characters,
            Sheets(database, policy, editions, characters),
            RewardService(database, clock, policy, editions, characters),
            HistoryService(database, clock, policy, editions, characters),
            wakes or Wakes(),
            CharacterMetadata(MetadataService(database, clock, BAGS), characters, policy),
            TrackService(database, clock, policy, editions, characters, dice),
            public_url,
        )


CharacterInfo = Info[Context[CharacterUseCases], None]
CharacterCall = Call[CharacterUseCases]
