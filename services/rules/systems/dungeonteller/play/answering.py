"""Answers to questions that play waits for: dodge or not, strike, go on with a hold."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.aiming import one
from services.rules.systems.dungeonteller.play.conditions import idle_problem
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.fighting import plan_attack
from services.rules.systems.dungeonteller.play.moves import Answer, Attack, UsePower
from services.rules.systems.dungeonteller.play.state import Prompt, PromptKind, Scene
from services.rules.systems.dungeonteller.play.use import FOLLOW_UPS, plan_power


def plan_answer(scene: Scene, catalog: Catalog, move: Answer) -> Plan | Problems:
    """Answer the question that is open, and let what waited for it go on."""
    prompt = scene.prompt
    if prompt is None or prompt.id != move.prompt:
        expected = None if prompt is None else prompt.id
        return one(
            RuleProblem("nothing_asked", "Nobody asked that.", "Powers", ("prompt",), move.prompt, expected)
        )
    if prompt.actor != move.actor:
        return one(
            RuleProblem(
                "not_asked", "Somebody else was asked.", "Powers", ("actor",), move.actor, prompt.actor
            )
        )
    waiting = replace(scene, prompt=None)
    found = _go_on(waiting, catalog, prompt, move)
    if found is None or isinstance(found, Problems):
        # What waited has become impossible meanwhile, or is given up: then nothing comes of it.
        text = "It comes to nothing." if isinstance(found, Problems) else "Nothing more is done."

        def drop(desk: Desk) -> None:
            desk.answered()
            desk.say("given_up", text, by=prompt.actor)

        return Plan((), drop)

    def resolve(desk: Desk) -> None:
        desk.answered()
        found.resolve(desk)

    return Plan(found.rolls, resolve)


def _go_on(scene: Scene, catalog: Catalog, prompt: Prompt, answer: Answer) -> Plan | Problems | None:
    mover = scene.being(prompt.move.actor)
    if mover is None or idle_problem(scene, mover) is not None:
        return None
    if prompt.kind is not PromptKind.DODGE:
        return FOLLOW_UPS[prompt.kind](scene, catalog, prompt, answer) if answer.yes else None
    told = (
        replace(prompt, dodging=(*prompt.dodging, answer.actor))
        if answer.yes
        else replace(prompt, standing=(*prompt.standing, answer.actor))
    )
    match prompt.move:
        case Attack():
            return plan_attack(scene, catalog, prompt.move, told)
        case UsePower():
            return plan_power(scene, catalog, prompt.move, told)
        case _:
            return None
