"""How a character stands: what is worn and held, and the ratings that then count."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.content import content_id
from services.rules.engine.explain import Explained
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.characters.belongings import Piece, hands_used, pieces, worn_armor
from services.rules.systems.forge_engine.characters.creation import Draft
from services.rules.systems.forge_engine.characters.person import Person
from services.rules.systems.forge_engine.derived import WornArmor
from services.rules.systems.forge_engine.pools.attack_pool import OFF_HAND
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.traits import Size, Trait

ARMOR_TRAINING = content_id(SLUG, "martial", "armor-training")
SHIELD_TRAINING = content_id(SLUG, "martial", "shield-training")
INITIATIVE = content_id(SLUG, "martial", "initiative")
MEDIUM = content_id(SLUG, "trait", "medium")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A character as it stands, and what the lines of its sheet are counted with.

    Attributes:
        agility: Agility as it counts.
        attributes: All ratings as they count.
        energy: Maximum energy.
        action_energy: Further energy for each action and reaction.
        carried: Everything of the tables that is carried.
        free_hands: Hands that hold nothing.
    """

    draft: Draft
    armor: WornArmor | None
    agility: Explained
    attributes: Attributes
    energy: Explained
    action_energy: Explained
    carried: tuple[Piece, ...]
    free_hands: int

    @property
    def catalog(self) -> Catalog:
        """The content."""
        return self.draft.catalog

    @property
    def settings(self) -> TableSettings:
        """The table's settings."""
        return self.draft.catalog.settings

    @property
    def person(self) -> Person:
        """The character now."""
        return self.draft.person

    @property
    def traits(self) -> tuple[Trait, ...]:
        """Every trait."""
        return tuple(owned.trait for owned in self.person.traits)

    @property
    def size_trait(self) -> Trait:
        """The trait that says how big the character is; Medium where none does."""
        return self.person.size_trait or self.catalog.traits[MEDIUM]

    @property
    def size(self) -> Size:
        """How big the character is."""
        size = self.size_trait.size
        if size is None:  # pragma: no cover - the content says it
            raise ValueError(f"{self.size_trait.id} is no size")
        return size

    @property
    def off_hand_dice(self) -> int:
        """Dice lost in the off-hand."""
        return 0 if any(trait.ignores_off_hand for trait in self.traits) else -OFF_HAND


def standing(draft: Draft) -> Standing:
    """How the character of a draft stands."""
    choices, catalog, person = draft.choices, draft.catalog, draft.person
    strength, bought = person.attributes.strength, person.attributes.agility
    worn = worn_armor(choices, catalog)
    armor = None
    if worn is not None:
        armor = WornArmor(
            name=worn.name,
            rating=worn.rating,
            cap=derived.armor_cap(worn.rating) if worn.agility_cap is None else worn.agility_cap,
            trained=derived.is_trained(worn.rating, strength, person.rating(ARMOR_TRAINING)),
        )
    agility = derived.agility(bought, armor, catalog.settings)
    attributes = person.attributes.rated(Attribute.AGILITY, agility.value)
    return Standing(
        draft=draft,
        armor=armor,
        agility=agility,
        attributes=attributes,
        energy=derived.energy(attributes),
        action_energy=derived.action_energy(armor),
        carried=pieces(choices, catalog),
        free_hands=max(0, person.hands - hands_used(choices, catalog)),
    )
