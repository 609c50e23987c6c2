"""What the Citadel offers: creating, the Vault, the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.buttons import button, choice_field, choices_field, text_field
from services.rules.engine.play import Chance, LegalMove, MoveField
from services.rules.systems.forgeborn.catalog import FORM_OF_DIE, FUNCTION_OF_DIE, Catalog, Form, Function
from services.rules.systems.forgeborn.choices import LONGEST_NAME
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.effects import against
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    BeTested,
    CollectGrant,
    CreateArtifact,
    Payment,
)
from services.rules.systems.forgeborn.play.offers import Wording, pool_button, pools
from services.rules.systems.forgeborn.play.rules import artifact, be_tested, vault
from services.rules.systems.forgeborn.play.rules.turns import unless_refused
from services.rules.systems.forgeborn.play.state import VAULT, Game
from services.rules.systems.forgeborn.pools import SIDES, DiceCount, DieSize, notation, sides_of
from services.rules.systems.forgeborn.realm import CITADEL_ID


def citadel_offers(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    """Everything that is done at the Citadel."""
    if game.actor(actor).place != CITADEL_ID:
        return
    yield from _creating(game, actor)
    yield from _asking(game, catalog, actor)
    yield from _collecting(game, actor)
    yield from _testing(game, catalog, actor)


def _words(kind: Form | Function) -> tuple[str, str]:
    return kind.value, kind.value.replace("_", " ")


def _forms(sizes: tuple[DieSize, ...]) -> MoveField:
    return choice_field("form", "What is it?", (_words(FORM_OF_DIE[size]) for size in sizes))


def _functions(sizes: tuple[DieSize, ...]) -> MoveField:
    return choice_field("function", "What does it do?", (_words(FUNCTION_OF_DIE[size]) for size in sizes))


def payments(
    dice: DiceCount, resource: int, secret: int
) -> Iterator[tuple[Payment, tuple[DieSize, ...], Payment, tuple[DieSize, ...]]]:
    """Ways to pay: what pays for the form and which forms that allows, and the same for the function.

    Any form of a way goes with any function of it, and a die is left to roll.
    """
    every, owned = tuple(DieSize), dice.owned()
    if resource and secret and dice.total() > 0:
        yield Payment.TOKEN, every, Payment.TOKEN, every
    if resource and dice.total() > 1:
        yield Payment.TOKEN, every, Payment.DIE, owned
    if secret and dice.total() > 1:
        yield Payment.DIE, owned, Payment.TOKEN, every
    if dice.total() > 2:  # one for the form, one for the function, one to roll
        for size in owned:
            yield Payment.DIE, (size,), Payment.DIE, dice.minus((size,)).owned()


def _creating(game: Game, actor: str) -> Iterator[LegalMove]:
    smith = unless_refused(artifact.maker_of, game, actor)
    if smith is None:
        return
    able = artifact.able_to_help(game, actor)
    invite: tuple[MoveField, ...] = ()
    if able:
        asked = ((one.id, one.name) for one in able)
        invite = (choices_field("invite", "Whom do you ask to join?", asked, 0, len(able)),)
    named = text_field("name", "What is it called?", LONGEST_NAME)
    for form_by, forms, function_by, functions in payments(smith.dice, smith.resource, smith.secret):
        by_dice = form_by is Payment.DIE and function_by is Payment.DIE
        end = f":{forms[0].value}" if by_dice else ""
        costs = (
            f"{'a die' if form_by is Payment.DIE else 'a Resource token'} and "
            f"{'a die' if function_by is Payment.DIE else 'a Secret token'}"
        )
        form = FORM_OF_DIE[forms[0]]
        move = CreateArtifact(
            actor=actor,
            name="",
            form=form,
            form_by=form_by,
            function=FUNCTION_OF_DIE[functions[0]],
            function_by=function_by,
        )
        offer = button(
            move,
            f"create:{form_by.value}:{function_by.value}{end}",
            f"Create {_words(form)[1]}" if by_dice else "Create an Artifact",
            "Form and function are paid now, whatever the roll says; its Power is what you score.",
            artifact.BOOK,
            named,
            _forms(forms),
            _functions(functions),
            *invite,
        )
        left = smith.dice.minus(_cheapest(form_by, forms, function_by, functions))
        yield replace(offer, cost=costs, chances=_likely_made(game, left))


def _cheapest(
    form_by: Payment, forms: tuple[DieSize, ...], function_by: Payment, functions: tuple[DieSize, ...]
) -> tuple[DieSize, ...]:
    """The smallest dice that pay for form and function."""
    ways = ((form_by, forms), (function_by, functions))
    return tuple(min(sizes, key=SIDES.__getitem__) for by, sizes in ways if by is Payment.DIE)


def _likely_made(game: Game, left: DiceCount) -> tuple[Chance, ...]:
    """The chances of a roll with the best of the dice that are left, and with every one of them."""
    best, every = left.best(game.settings.normal_dice), tuple(left.descending())
    found = [
        Chance(
            "junk",
            f"nothing comes of {notation(best)}",
            chances.junk(sides_of(best), game.settings.junk_below),
        )
    ]
    for name, dice in (("power", best), ("power-all", every)):
        likely = chances.likely_power(sides_of(dice))
        text = f"{notation(dice)} give Power {likely} or more"
        found.append(Chance(f"{name}-{likely}", text, chances.power_at_least(sides_of(dice), likely)))
        if best == every:
            break
    return tuple(found)


def _asking(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    there = game.held_by(VAULT)
    if not there or unless_refused(vault.asker_of, game, actor) is None:
        return
    best = game.actor(actor).dice.best(game.settings.normal_dice)
    field = choice_field(
        "artifact", "Which one?", ((one.id, f"{one.name} ({one.dice.text()})") for one in there)
    )
    likely = tuple(
        Chance(
            f"claim:{one.id}",
            f"win {one.name} with {notation(best)} though the others refuse it",
            chances.win(sides_of(best), against(game.actor(actor), one.power, catalog).value),
        )
        for one in there
        if best
    )
    text = "The others vote; if most refuse, you may roll against its Power."
    move = AskVault(actor=actor, artifact="")
    yield replace(button(move, "ask", "Ask for an Artifact", text, vault.BOOK, field), chances=likely)


def _collecting(game: Game, actor: str) -> Iterator[LegalMove]:
    grants = unless_refused(vault.grants_of, game, actor)
    if not grants:
        return
    field = choice_field("artifact", "Which one?", ((one, game.artifact(one).name) for one in grants))
    text = "The Prince has spoken: no vote, no roll."
    move = CollectGrant(actor=actor, artifact="")
    yield button(move, "collect", "Take what was granted", text, vault.PRINCE, field)


def _testing(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    there = game.held_by(VAULT)
    citadel = unless_refused(be_tested.citadel_of, game, actor)
    if not there or citadel is None:
        return
    power = citadel.power or 0
    opposed = against(game.actor(actor), power, catalog).value
    field = choice_field(
        "artifact", "Which one?", ((one.id, f"{one.name} ({one.dice.text()})") for one in there)
    )
    for pool in pools(game.actor(actor).dice, game.settings.normal_dice, ()):
        likely = tuple(
            Chance(
                f"win:{one.id}",
                f"be found worthy of {one.name}",
                chances.win(sides_of((*pool.all_dice(), *one.dice.descending())), opposed),
            )
            for one in there
        )
        move = BeTested(actor=actor, artifact="", dice=pool.fixed(), sacrificed=pool.sacrificed)
        text = f"Your dice and the Artifact's against the Citadel, Power {power}."
        wording = Wording("test", "Be tested", text, be_tested.BOOK)
        cost = "the sacrificed dice, on a win" if pool.sacrificed else ""
        yield replace(pool_button(move, pool, wording, field), cost=cost, chances=likely)
