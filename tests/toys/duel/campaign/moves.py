"""The moves of a feud; `Consent` answers a question."""

from dataclasses import dataclass

from services.rules.engine.plain import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(Move):
    """The game master ends the feud; each hero's player is asked first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent(Move):
    """Whether a hero agrees: the answer to a settlement."""

    agrees: bool


FeudMove = Settle | Consent
