"""What a request for dice means: at whose table, which words, which numbers; every broken rule named.

Nothing is rolled and nothing is written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.dice.chain.entropy import read_entropy
from services.dice.library.checks import (
    MAX_LABEL,
    MAX_VALUE,
    MAX_VARIABLE_NAME,
    MAX_VARIABLES,
    VARIABLE_NAME,
    notation_issue,
)
from services.dice.library.macros import plain_name
from services.dice.library.service import Library, Macro
from services.dice.replay import Desk, Ready
from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.notation import Dialect, NotationError
from services.rules.dice.pool import Value
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.ids import is_id
from services.shared.peers import Peer
from services.shared.problems import Forbidden, InvalidInput, Issue, NotFound
from services.shared.wording import line_issues


@dataclass(frozen=True, slots=True)
class NewRoll:
    """Dice to be rolled.

    Attributes:
        expression: dice notation, for instance ``2d6+3``; None where a macro gives it.
        macro: id of a saved roll, if that is to be rolled.
        variables: values of the notation's variables; they go before the sheet's, and those before a
            macro's own.
        campaign: id of the campaign at whose table it is rolled, if any.
        character: id of the character it is rolled for, if any; one that sits at a table rolls there.
        scene: id of the scene it belongs to, if any.
        label: what it is for, up to 120 characters.
        secret: whether only the GMs may see it.
        entropy: the roller's own random bytes, in hexadecimal or base64url; None leaves them to the service.
        epoch: id of the epoch of verifiable rolls whose commitment the roller has seen; None for whichever.
        dialect: whose notation it is written in; None for the table's.
    """

    expression: str | None = None
    macro: str | None = None
    variables: Mapping[str, int] = field(default_factory=dict)
    campaign: str | None = None
    character: str | None = None
    scene: str | None = None
    label: str | None = None
    secret: bool = False
    entropy: str | None = None
    epoch: str | None = None
    dialect: Dialect | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that may be carried out.

    Attributes:
        place: where: the campaign, or else the account.
        campaign: id of the campaign, if any.
        ready: what is rolled.
        label: what it is for.
        entropy: the roller's own random bytes, if given.
    """

    new: NewRoll
    place: str
    campaign: str | None
    ready: Ready
    label: str | None
    entropy: bytes | None


class Reader:
    """Finds out what requests mean.

    Args:
        access: who sees which campaigns.
        characters: the character service, asked whose a character is and for the numbers of its sheet.
        library: the tables' own words.
    """

    def __init__(self, access: AccessSource, characters: Peer, library: Library) -> None:
        self._access = access
        self._characters = characters
        self._library = library
        self._desk = Desk()

    async def read(self, viewer: Viewer, new: NewRoll) -> Asked | InvalidInput | NotFound | Forbidden:
        """Check a request: the viewer's rights, the words, the numbers, the limits.

        Raises:
            PeerUnavailable: another service that is needed for it does not answer.
        """
        issues = list(_plain_issues(new))
        entropy = None if new.entropy is None else read_entropy(new.entropy, "entropy")
        if isinstance(entropy, InvalidInput):
            issues += entropy.issues
            entropy = None
        if issues:
            return InvalidInput.of(issues)
        access = await self._access.of(viewer, campaign=new.campaign, character=new.character)
        campaign = await self._campaign(viewer, access, new)
        if isinstance(campaign, (NotFound, Forbidden, InvalidInput)):
            return campaign
        refused = _secrecy(access, campaign, new)
        if refused is not None:
            return refused
        macro = None
        if new.macro is not None:
            macro = await self._library.macro(viewer, new.macro)
            if macro is None:
                return NotFound.of("macro", "macroId")
        place = campaign or viewer.account
        ready = await self._ready(viewer, place, new, macro)
        if isinstance(ready, InvalidInput):
            return ready
        return Asked(
            new=new,
            place=place,
            campaign=campaign,
            ready=ready,
            label=_label(new, macro),
            entropy=entropy,
        )

    async def _campaign(
        self, viewer: Viewer, access: Access, new: NewRoll
    ) -> str | NotFound | Forbidden | InvalidInput | None:
        """Find the campaign a roll belongs to, after checking that the viewer may roll there and so."""
        campaign = new.campaign
        if campaign is not None and campaign not in access.roles:
            return NotFound.of("campaign", "campaignId")
        if new.character is not None:
            found = (
                await self._characters.get(viewer, "characters", new.character)
                if is_id(new.character, "chr")
                else None
            )
            seated = access.characters.get(new.character)
            if found is None or (found["owner"] != viewer.account and seated is None):
                return NotFound.of("character", "characterId")
            if campaign is not None and seated != campaign:
                return InvalidInput.single(
                    "NOT_AT_THIS_TABLE", "This character does not play in this campaign.", "characterId"
                )
            campaign = seated
            if found["owner"] != viewer.account and not access.runs(campaign or ""):
                return Forbidden.because(
                    "Only its player or a GM may roll for this character.", "characterId"
                )
        if campaign is not None and not access.plays(campaign):
            return Forbidden.because("Spectators watch; ask the GM to make you a player.", "campaignId")
        return campaign

    async def _ready(
        self, viewer: Viewer, place: str, new: NewRoll, macro: Macro | None
    ) -> Ready | InvalidInput:
        text = new.expression if macro is None else macro.expression
        assert text is not None
        dialect = new.dialect if new.dialect is not None or macro is None else macro.dialect
        lexicon = await self._library.lexicon(place, dialect)
        try:
            _, names = self._desk.read(text, lexicon)
            values: dict[str, Value] = dict(macro.variables) if macro is not None else {}
            given = _lower(new.variables)
            if new.character is not None and any(name not in given for name in names):
                sheet = await self._characters.get(viewer, "characters", new.character, "variables")
                values |= sheet or {}
            values |= given
            return self._desk.ready(text, lexicon, values)
        except NotationError as error:
            return InvalidInput.of([notation_issue(error, "macroId" if macro else "expression")])
        except UnknownVariableError as error:
            return InvalidInput.of(
                [
                    Issue(
                        code="UNKNOWN_VARIABLE",
                        message=f"`@{name}` has no value: give it in `variables`, or roll for a character "
                        "whose sheet has it.",
                        path=["variables", name],
                        found=name,
                        allowed=", ".join(sorted(values)) or None,
                    )
                    for name in error.names
                ]
            )


def _plain_issues(new: NewRoll) -> Sequence[Issue]:
    """What is wrong with a request whoever makes it."""
    issues: list[Issue] = []
    if (new.expression is None) == (new.macro is None):
        issues.append(
            Issue(code="ONE_OF", message="Give either `expression` or `macroId`.", path=["expression"])
        )
    if new.label is not None:
        issues += line_issues(new.label, "label", most=MAX_LABEL)
    if len(new.variables) > MAX_VARIABLES:
        issues.append(
            Issue(
                code="TOO_MANY",
                message=f"At most {MAX_VARIABLES} variables can be given.",
                path=["variables"],
                found=str(len(new.variables)),
                allowed=f"0..{MAX_VARIABLES}",
            )
        )
    for name, value in new.variables.items():
        if len(name) > MAX_VARIABLE_NAME or VARIABLE_NAME.fullmatch(plain_name(name)) is None:
            issues.append(
                Issue(
                    code="NAME",
                    message="A variable's name has letters a to z, digits, `_` and `.`.",
                    path=["variables", name[:MAX_VARIABLE_NAME]],
                    found=ascii(name[:MAX_VARIABLE_NAME]),
                    allowed=VARIABLE_NAME.pattern,
                )
            )
        if not -MAX_VALUE <= value <= MAX_VALUE:
            issues.append(
                Issue(
                    code="OUT_OF_RANGE",
                    message=f"A variable is from -{MAX_VALUE} to {MAX_VALUE}.",
                    path=["variables", name],
                    found=str(value),
                    allowed=f"-{MAX_VALUE}..{MAX_VALUE}",
                )
            )
    return issues


def _secrecy(access: Access, campaign: str | None, new: NewRoll) -> Forbidden | InvalidInput | None:
    if not new.secret:
        return None
    if campaign is None:
        return InvalidInput.single(
            "NO_TABLE", "A roll outside of any campaign is seen by nobody else anyway.", "secret"
        )
    if not access.runs(campaign):
        return Forbidden.because("Only a GM rolls in secret.", "secret")
    return None


def _label(new: NewRoll, macro: Macro | None) -> str | None:
    """Say what a roll is for."""
    if new.label is not None:
        return new.label.strip()
    return None if macro is None else macro.label or macro.name


def _lower(values: Mapping[str, int]) -> dict[str, Value]:
    return {plain_name(name): value for name, value in values.items()}
