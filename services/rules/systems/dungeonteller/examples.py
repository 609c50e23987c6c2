"""Named heroes that build: one a role, and one who has already gained something."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.build import HeroChoices, Purchase
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind

_ROLE = "dungeonteller:role/"
_WEAPON = "dungeonteller:weapon/"

EXAMPLES: Mapping[str, HeroChoices] = MappingProxyType(
    {
        "dwarf": HeroChoices(
            name="Harley",
            role=f"{_ROLE}dwarf",
            look="A red beard and a leather apron",
            in_hand=(f"{_WEAPON}war-hammer",),
        ),
        "elf": HeroChoices(name="Mallion", role=f"{_ROLE}elf", in_hand=(f"{_WEAPON}longbow",)),
        "paladin": HeroChoices(
            name="Sir Stalwart",
            role=f"{_ROLE}paladin",
            look="Bright silver plate",
            shield=True,
            in_hand=(f"{_WEAPON}longsword",),
        ),
        "rogue": HeroChoices(name="Pim", role=f"{_ROLE}rogue", in_hand=(f"{_WEAPON}shortsword",)),
        "warrior": HeroChoices(name="Brawnley", role=f"{_ROLE}warrior", in_hand=(f"{_WEAPON}greatsword",)),
        "wizard": HeroChoices(name="Feeney", role=f"{_ROLE}wizard", look="A blue robe with burnt sleeves"),
        "elf-enchanter": HeroChoices(name="Sariel", role=f"{_ROLE}elf-enchanter"),
        "shopper": HeroChoices(
            name="Odo",
            role=f"{_ROLE}rogue",
            kit=False,
            buys=(
                Purchase(item=f"{_WEAPON}dagger", count=3),
                Purchase(item="dungeonteller:armor/scale-armor"),
                Purchase(item="dungeonteller:gear/rope"),
            ),
            worn="dungeonteller:armor/scale-armor",
            in_hand=(f"{_WEAPON}dagger", f"{_WEAPON}dagger"),
        ),
        "seasoned-paladin": HeroChoices(
            name="Dame Verity",
            role=f"{_ROLE}paladin",
            shield=True,
            rewards=(
                Reward(session=1, kind=RewardKind.DIE, action=Action.MUSCLE),
                Reward(session=2, kind=RewardKind.POWER, power="dungeonteller:power/duress"),
                Reward(session=3, kind=RewardKind.SPECIALITY, action=Action.BATTLE, when="longsword"),
                Reward(session=4, kind=RewardKind.LUCK),
            ),
        ),
    }
)
