"""What somebody may do now, ready for buttons, with the chances of each choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.rules.engine.codec import Json
from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained
from services.rules.engine.play import GM, Chance, Choice, FieldKind, LegalMove, MoveField
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.combat import combat_dice
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES, limit_problem, one_aside, pacted
from services.rules.systems.dwarf_dice.forge import affordable
from services.rules.systems.dwarf_dice.items import WIDTH, Side
from services.rules.systems.dwarf_dice.play import chances
from services.rules.systems.dwarf_dice.play.asking import (
    asked,
    blockers,
    cards_of,
    engaged,
    exchanges,
    laid_out,
    may_assault,
)
from services.rules.systems.dwarf_dice.play.legality import (
    die_name,
    extra_of,
    null_squares,
    targets,
    work_squares,
)
from services.rules.systems.dwarf_dice.play.moves import Craft, Deal, FieryRebuke, RollDice
from services.rules.systems.dwarf_dice.play.reckoning import selections, strength
from services.rules.systems.dwarf_dice.play.rolls import dice_of
from services.rules.systems.dwarf_dice.play.setup import LEAST_SECONDS, MOST_SECONDS, TITLE_LENGTH
from services.rules.systems.dwarf_dice.play.state import Stage, Table
from services.rules.systems.dwarf_dice.resources import Resource

NO_DICE = Explained(0, ())


def offers(state: Table, actor: str, catalog: Catalog, forges: Forges) -> tuple[LegalMove, ...]:
    """What this actor may do now; empty when it is not theirs to move."""
    if state.ending is not None:
        return ()
    if actor == GM:
        return tuple(_master_offers())
    if actor not in asked(state, catalog):
        return ()
    return tuple(_offers(state, actor, catalog, forges))


def _offers(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Iterator[LegalMove]:
    match state.stage:
        case Stage.DEAL:
            yield _deal(state, actor, catalog)
        case Stage.TURN:
            yield from _turn(state, actor, catalog)
        case Stage.PACT:
            yield from _pact(state, actor, catalog)
        case Stage.MARK:
            yield from _mark(state, actor, catalog)
        case Stage.NULLS:
            yield _nulls(state, actor, catalog)
        case Stage.FORGE:
            yield from _forge(state, actor, catalog, forges)
        case Stage.UPGRADE:
            yield from _upgrade(state, actor, catalog)
        case Stage.CHOICE:
            yield from _choice(state, actor, catalog)
        case Stage.READY:
            yield from _ready(state, actor, catalog)
        case Stage.FURY:
            yield from _fury(state, actor)
        case Stage.BLOCK:
            yield _block(state, actor)
        case Stage.REBUKE:
            yield from _rebuke(state, actor, catalog)
        case Stage.OVER:
            return


def _offer(
    kind: str,
    actor: str,
    name: str,
    label: str,
    text: str,
    rule: str,
    *fields: MoveField,
    form: Mapping[str, Json] | None = None,
    cost: str = "",
    dice: Explained | None = None,
    odds: str = "",
    likely: tuple[Chance, ...] = (),
) -> LegalMove:
    return LegalMove(
        id=name,
        actor=actor,
        label=label,
        text=text,
        rule=rule,
        move={"kind": kind, "actor": actor, **(form or {})},
        fields=fields,
        cost=cost,
        dice=dice,
        odds=odds,
        chances=likely,
    )


def _master_offers() -> Iterator[LegalMove]:
    seconds = MoveField(
        name="seconds",
        label="How many seconds? Leave it out for no limit.",
        kind=FieldKind.NUMBER,
        least=LEAST_SECONDS,
        most=MOST_SECONDS,
        required=False,
    )
    words = MoveField(name="text", label="What?", kind=FieldKind.TEXT, least=1, most=TITLE_LENGTH)
    limit = "How long questions wait; then the usual answer stands."
    yield _offer("SetTimeLimit", GM, "time-limit", "Set time limit", limit, "game master", seconds)
    yield _offer("Say", GM, "say", "Say", "Say something to the table.", "game master", words)
    yield _offer("CallOff", GM, "call-off", "Call off", "The game ends; nobody wins.", "game master")


def _deal(state: Table, actor: str, catalog: Catalog) -> LegalMove:
    roll = dice_of(state, Deal(actor=actor), catalog).rolls[0]
    text = "Everybody gets a champion by chance."
    likely = chances.of_dealing(catalog)
    return _offer("Deal", actor, "deal", "Deal champions", text, "Setup", dice=roll.dice, likely=likely)


def _turn(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    roll = dice_of(state, Craft(actor=actor), catalog).rolls[0]
    yield _offer(
        "Craft",
        actor,
        "craft",
        "Craft",
        f"Hoard with {roll.dice.value} dice, then forge.",
        "Crafting",
        cost="your turn",
        dice=roll.dice,
        odds=roll.odds,
        likely=chances.before_hoarding(state, catalog),
    )
    me = state.fighter(actor)
    most = strength(me, Side.OFFENCE, state, catalog)
    for target in targets(state, actor) if cards_of(me, Side.OFFENCE, catalog) else ():
        foe = state.fighter(target)
        yield _offer(
            "Challenge",
            actor,
            f"challenge:{target}",
            f"Challenge {foe.name}",
            f"Call {foe.name} out; you can bring up to {most} dice.",
            "Combat",
            form={"target": target},
            cost="your turn",
            likely=chances.of_attack(state, me, foe, most, catalog),
        )
    if state.rules.may_pass:
        yield _offer("Pass", actor, "pass", "Pass", "Leave the turn unused.", "P17", cost="your turn")


def _decline(actor: str, label: str, text: str, rule: str, likely: tuple[Chance, ...] = ()) -> LegalMove:
    return _offer("Decline", actor, "decline", label, text, rule, likely=likely)


def _pact(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    hoard, rule = state.at_work().hoard, "Dark Pact"
    nulls = hoard.nulls + hoard.aside
    for resource in (Resource.METAL, Resource.WOOD):
        word = resource.name.capitalize()
        yield _offer(
            "DarkPact",
            actor,
            f"pact:{word.lower()}",
            f"Dark Pact: {word}",
            f"{nulls} Null{'s become' if nulls > 1 else ' becomes'} {word}.",
            rule,
            form={"resource": resource.value},
            cost="your Power Gem",
            likely=chances.from_hoarded(state, pacted(hoard, resource), catalog),
        )
    likely = chances.from_hoarded(state, hoard, catalog)
    yield _decline(actor, "No pact", "Keep the Nulls, and the gem.", rule, likely)


def _mark(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    hoard, rule = state.at_work().hoard, "Mark of Quality"
    yield _offer(
        "MarkOfQuality",
        actor,
        "mark",
        "Set a Null aside",
        "One Null is not placed on the Forge.",
        rule,
        likely=chances.from_hoarded(state, one_aside(hoard), catalog),
    )
    likely = chances.from_hoarded(state, hoard, catalog)
    yield _decline(actor, "Set none aside", "All Nulls are placed.", rule, likely)


def _nulls(state: Table, actor: str, catalog: Catalog) -> LegalMove:
    nulls = state.at_work().hoard.nulls
    crafter = state.fighter(state.at_work().crafter)
    where = MoveField(
        name="squares",
        label="Which squares?",
        kind=FieldKind.SQUARES,
        squares=OUTER_SQUARES,
        least=nulls,
        most=nulls,
    )
    return _offer(
        "PlaceNulls",
        actor,
        "nulls",
        f"Place {nulls} Null{'s' * (nulls > 1)}",
        f"Block the Forge for {crafter.name}: one Null a square, never the centre.",
        "Null Rune",
        where,
        likely=chances.of_hindering(state, catalog),
    )


def _forge(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Iterator[LegalMove]:
    crafting, smithy = state.at_work(), forges.of(state.rules)
    resources, blocked = crafting.hoard.resources(), null_squares(state)
    extra = extra_of(state, actor, catalog)
    works = tuple(work.item for work in crafting.works)
    if works:
        label, text = f"Forge {catalog.names_of(works)}", "Take the cards of what lies on the Forge."
    else:
        label, text = "Forge nothing", "End your turn with nothing forged."
    yield _offer("FinishForging", actor, "finish", label, text, "Forging")
    for work in dict.fromkeys(works):
        name = catalog.armory[work].name
        text = f"Clear {name} off the Forge."
        form: dict[str, Json] = {"item": work}
        yield _offer("Lift", actor, f"lift:{slug_of(work)}", f"Lift {name}", text, "Forging", form=form)
    filled = blocked | work_squares(state)
    sides = {item.id: item.side for item in catalog.armory}
    most_extra = state.rules.adaptability_items
    for item in catalog.armory:
        items = (*works, item.id)
        metal = sum(catalog.armory[it].metal for it in items)
        wood = sum(catalog.armory[it].wood for it in items)
        if state.stock[item.id] <= works.count(item.id) or not affordable(metal, wood, resources):
            continue
        if limit_problem(items, sides, extra=extra, most_extra=most_extra) is not None:
            continue
        ways = tuple(Choice(way.signs(), _rows(way.signs())) for way in smithy.ways(item.id, filled))
        if ways:
            at = MoveField(name="at", label="Where?", kind=FieldKind.CHOICE, choices=ways)
            yield _offer(
                "Lay",
                actor,
                f"lay:{slug_of(item.id)}",
                f"Lay out {item.name}",
                f"{item.value} {'die' if item.value == 1 else 'dice'} of {item.side.value}.",
                "Forging",
                at,
                form={"item": item.id},
            )
    if works:
        return
    for together in smithy.feasible(resources, blocked, state.stock.items(), extra=bool(extra)):
        names = catalog.names_of(together)
        slugs = "+".join(slug_of(it) for it in together)
        text = f"Wherever there is room: {catalog.value(together)} dice in all."
        form = {"items": list(together)}
        yield _offer("Forge", actor, f"forge:{slugs}", f"Forge {names}", text, "Forging", form=form)


def _rows(signs: str) -> str:
    return " / ".join(signs[row : row + WIDTH] for row in range(0, len(signs), WIDTH))


def _upgrade(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    me, forger = state.fighter(actor), state.fighter(state.at_work().crafter)
    pairs = exchanges(state, me, catalog)
    for take in dict.fromkeys(it[1] for it in pairs):
        name = catalog.armory[take].name
        gifts = tuple(Choice(give, catalog.armory[give].name) for give, wanted in pairs if wanted == take)
        yield _offer(
            "Upgrade",
            actor,
            f"upgrade:{slug_of(take)}",
            f"Upgrade! Take {name}",
            f"{forger.name} gets a card of yours for it.",
            "Upgrade!",
            MoveField(name="give", label="Give what?", kind=FieldKind.CHOICE, choices=gifts),
            form={"take": take},
            cost="your Power Gem",
        )
    yield _decline(actor, "No upgrade", "Keep your cards, and the gem.", "Upgrade!")


def _choice(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    combat, me = state.engaged(), state.fighter(actor)
    attacking = combat.attacker == actor
    foe = state.fighter(combat.defender if attacking else combat.attacker)
    side = Side.OFFENCE if attacking else Side.DEFENCE
    for cards in selections(cards_of(me, side, catalog), state.rules.most_value, catalog):
        if attacking and not cards and state.rules.attack_needs_card:
            continue
        total, names = catalog.value(cards), catalog.names_of(cards)
        likely = (
            chances.of_attack(state, me, foe, total, catalog)
            if attacking
            else chances.of_defence(state, foe, me, total, catalog)
        )
        yield _offer(
            "ChooseCards",
            actor,
            f"choose:{'+'.join(slug_of(card) for card in cards) or 'nothing'}",
            f"{'Attack' if attacking else 'Defend'} with {names}",
            f"{total} {'die' if total == 1 else 'dice'}, in secret until both have chosen.",
            "Choosing Equipment",
            form={"cards": list(cards)},
            likely=likely,
        )


def _ready(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    combat = state.engaged()
    rolls = dice_of(state, RollDice(actor=actor), catalog).rolls
    attack, defence = combat_dice(engaged(state, catalog))
    yield _offer(
        "RollDice",
        actor,
        "roll",
        "Roll",
        f"{attack.value} dice against {defence.value}.",
        "ATTACK!",
        dice=attack if attack.parts else NO_DICE,
        odds=rolls[0].odds if rolls else "",
        likely=chances.of_rolling(state, catalog, assault=combat.assault),
    )
    if may_assault(state, catalog):
        fewer = combat_dice(engaged(state, catalog, assault=True))[1].value
        yield _offer(
            "FuriousAssault",
            actor,
            "assault",
            "Furious Assault",
            f"They roll {fewer} dice instead of {defence.value}.",
            "Furious Assault",
            cost="your Power Gem",
            likely=chances.of_rolling(state, catalog, assault=True),
        )


def _fury(state: Table, actor: str) -> Iterator[LegalMove]:
    combat, rule = state.engaged(), "Forge's Fury"
    theirs = combat.defence_roll if actor == combat.attacker else combat.attack_roll
    dice = theirs.count(Resource.ALCHEMY)
    yield _offer(
        "ForgesFury",
        actor,
        "fury",
        "Forge's Fury",
        f"{dice} Alchemy of theirs {'are' if dice > 1 else 'is'} set aside.",
        rule,
        cost="your Power Gem",
        likely=chances.of_fury(state, actor, used=True),
    )
    likely = chances.of_fury(state, actor, used=False)
    yield _decline(actor, "Hold the fury back", "Let the dice lie, and keep the gem.", rule, likely)


def _block(state: Table, actor: str) -> LegalMove:
    able, combat = blockers(state), state.engaged()
    most = min(len(able), len(laid_out(state)))
    dice = MoveField(
        name="dice",
        label="Which dice?",
        kind=FieldKind.CHOICES,
        choices=tuple(
            Choice(die_name(place), combat.defence_roll[place].name.capitalize()) for place in able
        ),
        least=0 if state.rules.free_blocks else most,
        most=most,
    )
    text = f"Block up to {most} of {len(laid_out(state))} attacking dice; Alchemy strikes back."
    likely = chances.of_blocking(state)
    return _offer("Block", actor, "block", "Block", text, "ATTACK!", dice, likely=likely)


def _rebuke(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    roll, rule = dice_of(state, FieryRebuke(actor=actor), catalog).rolls[0], "Fiery Rebuke"
    yield _offer(
        "FieryRebuke",
        actor,
        "rebuke",
        rule,
        "Metal or Alchemy deals 1 damage to the attacker.",
        rule,
        dice=roll.dice,
        odds=roll.odds,
        likely=chances.of_rebuke(state, used=True),
    )
    likely = chances.of_rebuke(state, used=False)
    yield _decline(actor, "Do not rebuke", "Let the attacker go.", rule, likely)
