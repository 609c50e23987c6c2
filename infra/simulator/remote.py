"""Questions that a running product answers through its public API, with an API key."""

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import orjson

from infra.mapmaker.ordering import POLL, RUNNING, SUCCEEDED, Product
from infra.mapmaker.refusals import Refusal, WorkFailed
from infra.simulator.question import Unsound
from services.rules.engine.codec import decode
from services.rules.engine.simulation.report import Report
from services.rules.engine.simulation.request import Member, Opening, SimulationRequest
from services.rules.engine.spelling import PUBLISHED

Tell = Callable[[Report], None]


class SimulatingProduct(Product):
    """A running product that plays; see ``Product``."""

    def start(self, body: Mapping[str, Any], idempotency_key: str) -> str:
        """Start a simulation, and return its id."""
        headers = {"idempotency-key": idempotency_key}
        answer = self._ask("POST", "/v1/simulations", content=orjson.dumps(body), headers=headers)
        return str(answer["id"])

    def simulation(self, simulation: str) -> dict[str, Any]:
        """Return a simulation as it stands, with what is known of its answer."""
        return self._ask("GET", f"/v1/simulations/{simulation}")

    def end(self, simulation: str) -> None:
        """End a simulation; what was found out stays."""
        self._ask("DELETE", f"/v1/simulations/{simulation}", patience=0.0)


def answer_there(request: SimulationRequest, product: SimulatingProduct, tell: Tell) -> Report:
    """Have a product answer a question, and return the answer. A program that is interrupted ends it.

    Args:
        request: What is asked.
        product: Who plays.
        tell: Is handed what is known so far, each time that it is looked at.

    Raises:
        Unsound: The question has what only a campaign or this machine knows.
        Refusal: The product refuses, fails or does not answer.
    """
    simulation = product.start(body_of(request), secrets.token_hex(16))
    try:
        found = product.simulation(simulation)
        while found["state"] in RUNNING:
            if found["report"] is not None:
                tell(read_report(found["report"]))
            time.sleep(POLL)
            found = product.simulation(simulation)
    except KeyboardInterrupt:
        with suppress(Refusal):
            product.end(simulation)
        raise
    if found["state"] != SUCCEEDED or found["report"] is None:
        fault = found["fault"] or {}
        message = fault.get("message") or f"The simulation is {found['state'].lower()}."
        raise WorkFailed.of(
            fault.get("code") or f"JOB_{found['state']}", message, "simulation", found=simulation
        )
    return read_report(found["report"])


def read_report(form: Mapping[str, Any]) -> Report:
    """Return the answer of its published form."""
    found: Report = decode(Report, form, (), PUBLISHED)
    return found


def body_of(request: SimulationRequest) -> dict[str, Any]:
    """Return a question as `POST /v1/simulations` takes it.

    Raises:
        Unsound: It has a position, a map, a pack or a finished sheet in it, which a product takes by id
            only.
    """
    if request.packs:
        raise Unsound("packs: a product takes content packs by their ids only")
    wanted = request.precision
    precision = None if wanted is None else {"figure": wanted.figure, "halfWidth": wanted.half_width}
    return {
        "system": request.system,
        "scenes": [_scene(scene, place) for place, scene in enumerate(request.scenes)],
        "cast": [_member(member, place) for place, member in enumerate(request.cast)],
        "policies": [{"subject": subject, "bot": bot} for subject, bot in request.policies.items()],
        "runs": request.runs,
        "precision": precision,
        "variants": [
            {
                "name": variant.name,
                "changes": [{"pointer": each.pointer, "value": each.value} for each in variant.changes],
            }
            for variant in request.variants
        ],
        "sweep": [{"pointer": axis.pointer, "values": list(axis.values)} for axis in request.sweep],
        "worth": list(request.worth),
        "seed": request.seed,
        "mostMoves": request.most_moves,
    }


def _scene(scene: Opening, place: int) -> dict[str, Any]:
    if scene.state is not None or scene.site is not None:
        raise Unsound(f"scenes.{place}: a product takes positions and maps by their ids only")
    rest = {} if scene.rest is None else {"rest": scene.rest}
    if scene.setup_name is not None:
        return {"setupName": scene.setup_name, **rest}
    return {"setup": scene.setup, **rest}


def _member(member: Member, place: int) -> dict[str, Any]:
    if member.sheet is not None:
        raise Unsound(f"cast.{place}: a product takes finished sheets by their characters' ids only")
    if member.packs is not None:
        raise Unsound(f"cast.{place}: a product knows by itself under which packs characters are built")
    chosen = {"example": member.example} if member.example is not None else {"choices": member.choices}
    return {"id": member.id, **chosen}
