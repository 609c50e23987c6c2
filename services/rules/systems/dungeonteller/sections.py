"""A hero's sheet as any client draws it."""

from __future__ import annotations

from services.rules.engine.sheet_sections import (
    SheetEntry,
    SheetGroup,
    SheetItem,
    SheetLayout,
    SheetSection,
    amount,
    checks_section,
    group,
    items_entry,
    laid_out,
    number_entry,
    section,
    sentence,
    text_entry,
    titled,
    track_entry,
)
from services.rules.engine.wording import counted, listed
from services.rules.systems.dungeonteller.catalog import Bonus, Casting, Sight
from services.rules.systems.dungeonteller.companions import Bond
from services.rules.systems.dungeonteller.powers import CostKind
from services.rules.systems.dungeonteller.sheet import (
    ActionLine,
    AttackLine,
    BonusLine,
    CompanionLine,
    HeroSheet,
    ItemLine,
    PowerLine,
    TreasureLine,
    WeaponLine,
)
from services.rules.systems.dungeonteller.things import TreasureKind

CASTING = {
    Casting.SPELLS: "casts spells, and reads scrolls",
    Casting.SCROLLS: "reads scrolls only",
    Casting.NOTHING: "does no magic",
}
COSTS = {
    CostKind.FIXED: "the same each time",
    CostKind.PER_FOE: "for each foe",
    CostKind.CHOSEN: "as much as is chosen",
}
BONDS = {Bond.PET: "pet", Bond.MINION: "minion", Bond.FAMILIAR: "familiar"}
TREASURES = {
    TreasureKind.ARMOR: "magic armour",
    TreasureKind.WEAPON: "magic weapon",
    TreasureKind.WORN: "worn beside armour",
    TreasureKind.HELD: "held to work",
    TreasureKind.SCROLL: "scroll",
    TreasureKind.WAND: "wand",
    TreasureKind.DRINK: "drink",
    TreasureKind.VALUABLE: "valuable",
}


def hero_sections(sheet: HeroSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a hero's sheet."""
    return laid_out(
        _hero(sheet),
        section(
            "play",
            "In play",
            group(
                "numbers",
                "",
                *(track_entry(track, sheet.luck) for track in sheet.tracks),
                number_entry("armor", "Armor", sheet.armor),
                number_entry("gold", "Gold", sheet.gold),
            ),
            _movement(sheet),
        ),
        _actions(sheet),
        checks_section(sheet),
        section(
            "powers",
            "Powers",
            group("powers", "", items_entry("powers", "Powers", (_power(line) for line in sheet.powers))),
        ),
        _stuff(sheet),
        _company(sheet),
    )


def _actions(sheet: HeroSheet) -> SheetSection:
    return section(
        "actions",
        "Actions",
        group("ratings", "", *(_action(line) for line in sheet.actions)),
        group("use", "", items_entry("use", "What they are for", (_use(one) for one in sheet.actions))),
        group("bonuses", "", items_entry("bonuses", "Bonus dice", (_bonus(one) for one in sheet.bonuses))),
    )


def _stuff(sheet: HeroSheet) -> SheetSection:
    return section(
        "stuff",
        "Stuff",
        group(
            "stuff",
            "",
            items_entry("weapons", "Weapons", (_weapon(line) for line in sheet.weapons)),
            items_entry("items", "Armour and gear", (_item(line) for line in sheet.items)),
            items_entry("treasures", "Treasures", (_treasure(line) for line in sheet.treasures)),
        ),
    )


def _company(sheet: HeroSheet) -> SheetSection:
    waiting = (SheetItem(f"Session {line.session}", line.text) for line in sheet.waiting)
    return section(
        "company",
        "Company and rewards",
        group(
            "company",
            "",
            items_entry("companions", "Companions", (_companion(line) for line in sheet.companions)),
            items_entry("waiting", "Rewards that wait for the game master", waiting),
        ),
    )


def _hero(sheet: HeroSheet) -> SheetSection:
    return section(
        "hero",
        "Hero",
        group(
            "person",
            "",
            text_entry("name", "Name", sheet.name),
            text_entry("role", "Role", sheet.role_name),
            text_entry("look", "Look", sheet.look),
            text_entry("nature", "Nature", "malicious" if sheet.malicious else ""),
            text_entry("casting", "Magic", CASTING[sheet.casting]),
            text_entry("sight", "Sight", _sight(sheet.sight)),
            items_entry("notes", "Gifts", (SheetItem(note) for note in sheet.notes)),
        ),
    )


def _sight(sight: Sight | None) -> str:
    if sight is None:
        return ""
    dark = "sees nothing" if sight.dark is None else f"{sight.dark:+d} Notice dice"
    return f"in dim light {sight.dim:+d} Notice dice, in the dark {dark}"


def _movement(sheet: HeroSheet) -> SheetGroup:
    movement = sheet.movement
    return group(
        "movement",
        "Movement",
        number_entry("move", "Move", movement.move, "pace"),
        number_entry("double_move", "Double move", movement.double_move, "pace"),
        number_entry("run_from", "Run beyond", movement.run_from, "pace"),
        number_entry("run", "Run", movement.run, "die", "dice"),
        text_entry("steady", "No dice lost in a double move", listed([one.label for one in sheet.steady])),
        items_entry("movement", "Rules of movement", (SheetItem(note) for note in movement.notes)),
    )


def _action(line: ActionLine) -> SheetEntry:
    return number_entry(line.id.value, line.name, line.rating)


def _use(line: ActionLine) -> SheetItem:
    return SheetItem(line.name, sentence(line.use, *(_dice(bonus) for bonus in line.bonuses)))


def _dice(bonus: BonusLine) -> str:
    once = ", for one roll" if bonus.once else ""
    return f"{bonus.dice:+d} {bonus.when}{once} ({bonus.rule})"


def _bonus(bonus: Bonus) -> SheetItem:
    line = BonusLine(dice=bonus.dice, when=bonus.when, once=bonus.once, rule=bonus.rule)
    return SheetItem(bonus.action.label, _dice(line))


def _count(name: str, count: int) -> str:
    return name if count == 1 else f"{count} {name}"


def _power(line: PowerLine) -> SheetItem:
    rolled = f"rolls {listed([one.label for one in line.roll])}" if line.roll else ""
    return SheetItem(
        line.name,
        sentence(
            line.text,
            f"{line.cost_text} ({line.cost} Luck, {COSTS[line.cost_kind]})",
            rolled,
            "" if line.dice is None else amount(line.dice, "die", "dice"),
            "everyone has it" if line.everyone else "",
            "" if line.affordable else "full Luck does not pay for it",
        ),
    )


def _weapon(line: WeaponLine) -> SheetItem:
    return SheetItem(
        _count(line.name, line.count),
        sentence(
            line.text,
            f"takes {counted(line.hands, 'hand')}",
            "in hand" if line.in_hand else "",
            "" if line.usable else "cannot be used now",
            *(_attack(attack) for attack in line.attacks),
        ),
    )


def _attack(attack: AttackLine) -> str:
    held = "" if attack.check else ", not while a shield is held"
    weapon = f"the weapon adds {amount(attack.weapon_dice, 'die', 'dice')}"
    return f"{attack.action.label} {amount(attack.dice, 'die', 'dice')}, {weapon}{held}"


def _item(line: ItemLine) -> SheetItem:
    return SheetItem(_count(line.name, line.count), sentence(line.text, "worn" if line.worn else ""))


def _treasure(line: TreasureLine) -> SheetItem:
    spell = f"casts {line.spell_name}, {counted(line.castings, 'time')}" if line.spell_name else ""
    luck = "" if line.luck_cost is None else f"costs {line.luck_cost} Luck"
    return SheetItem(
        _count(line.name, line.count),
        sentence(
            line.text,
            TREASURES[line.kind],
            "in use" if line.in_use else "",
            "" if line.usable else "cannot be used by this hero",
            *(_dice(bonus) for bonus in line.bonuses),
            spell,
            luck,
        ),
    )


def _companion(line: CompanionLine) -> SheetItem:
    luck = f"Luck is {line.lowers_luck} less while it is there" if line.lowers_luck else ""
    spell = f"lends {titled(line.spell)}" if line.spell else ""
    bonuses = (_dice(bonus) for bonus in line.bonuses)
    return SheetItem(line.name, sentence(BONDS[line.bond], line.text, luck, *bonuses, spell))


def _line(sheet: HeroSheet) -> str:
    return f"{sheet.role_name}, malicious" if sheet.malicious else sheet.role_name


LAYOUT: SheetLayout[HeroSheet] = SheetLayout(
    sections=hero_sections,
    line=_line,
    figures=("armor", "gold", "move", "battle", "shoot", "magic", "sneak", "talk"),
)
