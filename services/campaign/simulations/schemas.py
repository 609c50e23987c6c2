"""JSON Schemas (draft 2020-12) of simulations as `infra/simulate` reads and writes them."""

from services.rules.engine.json_schema import Schema, Writer
from services.rules.engine.simulation.report import REPORT_CODEC
from services.rules.engine.simulation.request import REQUEST_CODEC
from services.rules.engine.spelling import STORED


def published() -> dict[str, Schema]:
    """Return the schemas by the names of their files."""
    writer = Writer(STORED, shared=True)
    question = writer.document(
        REQUEST_CODEC.type,
        "simulation-request",
        "What is asked of a simulation: the file of `infra/simulate`.",
    )
    answer = Writer(STORED, shared=True).document(
        REPORT_CODEC.type, "simulation-report", "What a simulation answers: the `data` of its JSON file."
    )
    return {f"{schema['title']}.schema.json": schema for schema in (question, answer)}
