"""What a pack of a table's own content is made of: one list for each kind of thing.

Every entry has a `key`, in lower-case words joined by hyphens; its content id is `forge_engine:<kind>/<key>`.
Other entries, of the book or of the same pack, are named by their content ids. Most fields are those of the
catalogue's own entries and mean the same; what an entry leaves out is worked out by the book's rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import (
    AdversaryAttack,
    AdversaryRole,
    AdversarySetting,
    AdversarySkill,
)
from services.rules.systems.forge_engine.equipment import (
    Arming,
    ArmingWay,
    EquipmentKind,
    Era,
    FireMode,
    FireOption,
    Loading,
    Reload,
    Support,
    TriggeredDice,
    WeaponParts,
)
from services.rules.systems.forge_engine.packs.condition_entry import ConditionEntry
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.skills import (
    Against,
    Benefit,
    MartialKind,
    SkillPair,
    SpellArea,
    SpellComponents,
    SpellDamage,
    SpellHealing,
    Targets,
    Use,
)
from services.rules.systems.forge_engine.traits import (
    AttributeCap,
    AttributeTrend,
    BonusDice,
    DamageResponse,
    Movement,
    NaturalArmor,
    NaturalWeapon,
    Size,
    Species,
    TraitCategory,
)
from services.rules.systems.forge_engine.world import DamageGroup


class Recovery(Enum):
    """What something gives back.

    Attributes:
        HEALTH: Health.
        ENERGY: Energy that was spent or added.
        BONUS_ENERGY: Energy beyond the maximum.
        EXPENDED_ENERGY: Nothing may give this back (Expended Energy is Sacrosanct).
    """

    HEALTH = "health"
    ENERGY = "energy"
    BONUS_ENERGY = "bonus-energy"
    EXPENDED_ENERGY = "expended-energy"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageEntry:
    """A damage type of the table's own.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        group: The group that it belongs to.
        traits: Whether its resistance (4 CP) and immunity (10 CP) come along, as every type should have
            them: `trait/<key>-resistant` and `trait/<key>-proof`.
    """

    key: str
    name: str
    group: DamageGroup
    traits: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitEntry:
    """A trait of the table's own; a species when it has a bundle.

    All else is as in `traits.Trait`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        requires: Content ids that one must have first. There is no such thing, and it is refused.
        recovers: What it gives back.
    """

    key: str
    name: str
    category: TraitCategory
    cp: int
    summary: str
    later: bool = False
    optional: bool = False
    against: tuple[str, ...] = ()
    species: Species | None = None
    size: Size | None = None
    trend: AttributeTrend | None = None
    cap: AttributeCap | None = None
    damage: DamageResponse | None = None
    school: str | None = None
    armor: NaturalArmor | None = None
    attack: NaturalWeapon | None = None
    movement: Movement | None = None
    tests: tuple[BonusDice, ...] = ()
    evasion: int = 0
    health_stamina: int = 0
    range: int | None = None
    linked_intelligence: int = 0
    senses: bool = False
    hands: int = 0
    ignores_off_hand: bool = False
    bars_equipment: bool = False
    venom: bool = False
    requires: tuple[str, ...] = ()
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEntry:
    """A general skill of the table's own: 1 CP and one more die for each rating.

    All else is as in `skills.GeneralSkill`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        most_rating: Where its ratings stop being of use; None when they never do, as it should be.
        requires: As for traits.
        recovers: What it gives back.
    """

    key: str
    name: str
    attributes: tuple[Attribute, ...]
    summary: str
    by_field: bool = False
    fields: tuple[str, ...] = ()
    opposed_by: tuple[SkillPair, ...] = ()
    subverted_by: tuple[SkillPair, ...] = ()
    optional: bool = False
    most_rating: int | None = None
    requires: tuple[str, ...] = ()
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MartialEntry:
    """A martial skill of the table's own: 1 CP a rating.

    All else is as in `skills.MartialSkill`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        benefit: What each rating gives; it must be said.
        most_rating: As for general skills.
        requires: As for traits.
        recovers: What it gives back.
    """

    key: str
    name: str
    kind: MartialKind
    use: Use
    summary: str
    benefit: Benefit | None = None
    attribute: Attribute | None = None
    stance: bool = False
    once: str = ""
    modern: bool = False
    optional: bool = False
    energy_by: Attribute | None = None
    range: int = 0
    conditions: tuple[str, ...] = ()
    most_rating: int | None = None
    requires: tuple[str, ...] = ()
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolEntry:
    """A school of magic of the table's own. The trait that opens it comes along.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        attribute: The attribute that its spells go by.
        summary: What it is, in plain words.
        trait_key: Key of that trait; empty for the school's with "-caster" behind it.
        trait_name: Its name; empty for the school's with "Caster" behind it.
        trait_cp: What it costs.
        trait_summary: What it does; empty for plain words about the school.
    """

    key: str
    name: str
    attribute: Attribute
    summary: str
    trait_key: str = ""
    trait_name: str = ""
    trait_cp: int = 2
    trait_summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellEntry:
    """A spell of the table's own. It goes by its school's attribute; a cantrip by the best mental one.

    All else is as in `skills.Spell`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        school: Content id; None for a cantrip.
        expend: Energy to expend; None for what its parts come to.
        components: The parts its cost is counted from; None for what its other fields show of them.
        most_rating: As for general skills.
        recovers: What it gives back beside the healing it says.
    """

    key: str
    name: str
    use: Use
    targets: Targets
    against: Against
    summary: str
    school: str | None = None
    expend: int | None = None
    expend_more: bool = False
    range: int = 0
    area: SpellArea | None = None
    difficulty: int | None = None
    grams: tuple[int, ...] = ()
    damage_type: str | None = None
    damage: SpellDamage | None = None
    healing: SpellHealing | None = None
    conditions: tuple[str, ...] = ()
    duration: str = ""
    shaken_off: bool = False
    components: SpellComponents | None = None
    most_rating: int | None = None
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """A table of equipment of the table's own: what holds for all its rows, above all which skills help.

    All else is as in `equipment.EquipmentTable`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
    """

    key: str
    name: str
    era: Era
    kind: EquipmentKind
    skills: tuple[str, ...]
    range_multiple: int | None = None
    equipped_multiple: int | None = None
    inside_penalty: bool = False
    fire: tuple[FireOption, ...] = ()
    supports: tuple[Support, ...] = ()
    reloads: tuple[Reload, ...] = ()
    arming: tuple[ArmingWay, ...] = ()
    blast_feet: int | None = None
    handheld_cost: int = 1
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponEntry:
    """A weapon of the table's own.

    All else is as in `equipment.Equipment`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        table: Content id of the table of equipment it belongs to.
        parts: What its cost and rating are counted from; None when both are stated.
        cost: Energy to spend; None for what its parts come to.
        rating: Dice it gives; None for what its parts come to.
        hands: Hands needed; None for what its parts say, else one.
        conditions: Content ids of one or two conditions that it lays in place of harm, of the book or of the
            pack: with 1 or 2 successes, with more.
        recovers: What it restores.
    """

    key: str
    name: str
    table: str
    parts: WeaponParts | None = None
    cost: int | None = None
    rating: int | None = None
    hands: int | None = None
    base_only: bool = False
    min_range: int | None = None
    max_range: int | None = None
    reach: int = 0
    modes: tuple[FireMode, ...] = ()
    loading: Loading | None = None
    arming: Arming | None = None
    concussion: bool = False
    conditions: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    holds: int | None = None
    summary: str = ""
    triggered: tuple[TriggeredDice, ...] = ()
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MagicWeaponEntry:
    """A weapon that is another one and more.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        base: Content id of the weapon it is otherwise.
        summary: What it is, in plain words.
        rating: Dice it gives; None for those of the other.
        triggered: Dice that it gives only at times.
        recovers: What it restores.
    """

    key: str
    name: str
    base: str
    summary: str
    rating: int | None = None
    triggered: tuple[TriggeredDice, ...] = ()
    recovers: tuple[Recovery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmorEntry:
    """Armour of the table's own.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        table: Content id of the table of equipment it belongs to.
        rating: Its rating.
        agility_cap: Highest Agility in it; None for the book's: 7 less its rating.
        summary: What it is, in plain words.
    """

    key: str
    name: str
    table: str
    rating: int
    agility_cap: int | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldEntry:
    """A shield of the table's own.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        table: Content id of the table of equipment it belongs to.
        cost: Energy that a block takes.
        rating: Its rating.
        summary: What it is, in plain words.
    """

    key: str
    name: str
    table: str
    cost: int
    rating: int
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversaryEntry:
    """An adversary of the table's own, as a whole stat block; its figures hold as they are stated.

    All else is as in `bestiary.Adversary`.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        title: What people call it; empty for its name.
    """

    key: str
    name: str
    setting: AdversarySetting
    role: AdversaryRole
    energy: int
    health: int
    pd: int
    md: int
    attributes: Attributes
    title: str = ""
    traits: tuple[str, ...] = ()
    skills: tuple[AdversarySkill, ...] = ()
    attacks: tuple[AdversaryAttack, ...] = ()
    armor: int = 0
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPack:
    """What a table adds to the game.

    Attributes:
        summary: What it is about.
        genre: Content id of a genre whose tweaks hold; None for none.
        rules: House rules that hold on top of those.
        damage: Damage types.
        conditions: Conditions.
        traits: Traits and species.
        skills: General skills.
        martial: Martial skills.
        schools: Schools of magic.
        spells: Spells.
        tables: Tables of equipment.
        weapons: Weapons.
        magic_weapons: Weapons that are others and more.
        armor: Armour.
        shields: Shields.
        adversaries: Adversaries.
    """

    summary: str = ""
    genre: str | None = None
    rules: HouseRules | None = None
    damage: tuple[DamageEntry, ...] = ()
    conditions: tuple[ConditionEntry, ...] = ()
    traits: tuple[TraitEntry, ...] = ()
    skills: tuple[SkillEntry, ...] = ()
    martial: tuple[MartialEntry, ...] = ()
    schools: tuple[SchoolEntry, ...] = ()
    spells: tuple[SpellEntry, ...] = ()
    tables: tuple[TableEntry, ...] = ()
    weapons: tuple[WeaponEntry, ...] = ()
    magic_weapons: tuple[MagicWeaponEntry, ...] = ()
    armor: tuple[ArmorEntry, ...] = ()
    shields: tuple[ShieldEntry, ...] = ()
    adversaries: tuple[AdversaryEntry, ...] = ()
