"""Every code that clients are told, but those of the games' own rules: its meaning, and what to do.

A code is written in capitals, and keeps its meaning. A problem has one for itself; each of its ``issues`` has
one too. Those of the games' rules are explained beside the rules, in ``problems.toml``, and written by
``infra/schema`` to ``schema/rule-codes.json``, with the sentences that they are told with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Code:
    """What is known of a code.

    Attributes:
        status: of the answers that it is told with; None where it stands in an answer that is good.
        meaning: what has happened, in a sentence.
        mend: what the client can do about it.
        told: the sentences that a rule tells it with, by whose rule it is.
    """

    status: int | None
    meaning: str
    mend: str
    told: Mapping[str, list[str]] = field(default_factory=dict)


CODES: Mapping[str, Code] = {
    "BAD_REQUEST": Code(
        400, "The request cannot be read.", "Send what the description of the operation says."
    ),
    "MALFORMED_JSON": Code(
        400,
        "The content is not JSON as RFC 8259 has it, or nested too deep.",
        "Mend the JSON; the sentence says what stands in its way.",
    ),
    "BAD_CURSOR": Code(
        400,
        "The cursor does not belong to this list.",
        "Send a page's `next`, or begin anew without `after`.",
    ),
    "BAD_PAGE_SIZE": Code(400, "A page cannot be so long or so short.", "Ask for 1 to 100."),
    "BAD_IDEMPOTENCY_KEY": Code(
        400,
        "The idempotency key is empty, too long, or cannot be printed.",
        "Send 1 to 255 printable characters, best a random UUID.",
    ),
    "QUERY_TOO_EXPENSIVE": Code(
        400,
        "The work is more than any bucket could ever pay for.",
        "Ask for less: `requested` and `allowed` say by how much.",
    ),
    "QUERY_TOO_LARGE": Code(400, "The GraphQL operation is longer or deeper than any need be.", "Split it."),
    "QUERY_TOO_COMPLEX": Code(
        400, "The GraphQL operation asks for more fields, aliases or levels than it may.", "Split it."
    ),
    "FRAGMENT_CYCLE": Code(400, "A GraphQL fragment spreads itself.", "Take the circle out."),
    "GRAPHQL_PARSE_FAILED": Code(400, "The text is no GraphQL.", "Mend it at the place that is named."),
    "GRAPHQL_VALIDATION_FAILED": Code(
        400, "The GraphQL operation does not fit the schema.", "Compare it with the published schema."
    ),
    "BAD_REPRESENTATION": Code(
        400,
        "A service was asked for an entity in a way that it does not know.",
        "This is between services; report it.",
    ),
    "UNAUTHENTICATED": Code(
        401,
        "No API key was sent, or one that opens nothing; `reason` says why.",
        "Send `Authorization: Bearer hf_live_...`.",
    ),
    "UNSIGNED": Code(401, "A path for the house alone was called from outside.", "Use the public paths."),
    "FORBIDDEN": Code(
        403,
        "The key lacks a scope, or your role does not allow it.",
        "Use a key with the scope that is named, or ask a GM.",
    ),
    "SIGN_UP_CLOSED": Code(403, "The operator alone opens accounts here.", "Ask the operator."),
    "INVITATION_NEEDED": Code(
        403, "Signing up needs an operator's invitation.", "Send its code as `invitation`."
    ),
    "INVITATION_UNKNOWN": Code(403, "There is no such invitation.", "Check the code."),
    "INVITATION_USED_UP": Code(
        403, "The invitation has opened all the accounts it may.", "Ask for another one."
    ),
    "INVITATION_EXPIRED": Code(403, "The invitation held for a time that is over.", "Ask for another one."),
    "NOT_FOUND": Code(
        404, "There is no such thing, or you may not know of it.", "Check the id, and at whose table you sit."
    ),
    "METHOD_NOT_ALLOWED": Code(
        405, "The verb is not answered at this address.", "Use one of those that `Allow` names."
    ),
    "NOT_ACCEPTABLE": Code(
        406,
        "The answer has none of the forms that were asked for.",
        "Accept one of those that the operation describes.",
    ),
    "VERSION_CONFLICT": Code(
        409,
        "Others have changed the same since you looked.",
        "Decide which value holds of each field in `differing`, and send the change with `currentVersion`.",
    ),
    "IDEMPOTENCY_CONFLICT": Code(
        409, "The idempotency key was used for another request.", "Take a fresh key for each new request."
    ),
    "ALREADY_SIGNED_UP": Code(
        409,
        "The account was opened by an earlier request under this idempotency key; its key was shown once.",
        "Use the key of the first answer; if it was lost, sign up again with a fresh idempotency key.",
    ),
    "ACCOUNT_DELETED": Code(
        409,
        "The account was opened by an earlier request under this idempotency key, and deleted since.",
        "Sign up again with a fresh idempotency key.",
    ),
    "MAP_CHANGED": Code(
        409,
        "You would see another revision of the map now.",
        "Read the map again, and send the request with its `revision`.",
    ),
    "TOO_MANY_VALUES": Code(
        413,
        "The body holds more elements or members than what it is for may have; `allowed` says how many.",
        "Send less, or send it in several requests.",
    ),
    "BODY_TOO_LARGE": Code(413, "The request has more bytes than it may have.", "Send less."),
    "UNSUPPORTED_MEDIA_TYPE": Code(
        415,
        "The content is of a kind that is not taken here.",
        "Send JSON, as `Content-Type: application/json`, or a file as the operation describes it.",
    ),
    "INVALID_INPUT": Code(
        422, "The request breaks rules.", "Each of `issues` names one, with the path that it concerns."
    ),
    "ODDS_TOO_LARGE": Code(422, "The exact odds are too much work.", "Ask for an estimate with `sample`."),
    "MOVE_REJECTED": Code(
        422,
        "The rules of the game do not allow the move.",
        "`issues` names the rules, `legal` what may be done.",
    ),
    "RATE_LIMITED": Code(
        429,
        "A bucket is empty: `limit` tells whose, `key`, `account` or `network`. Without `limit`, as many "
        "long answers are under way as may be.",
        "Wait as many seconds as `Retry-After` says.",
    ),
    "INTERNAL": Code(500, "A fault of ours.", "Report the request id."),
    "UNAVAILABLE": Code(503, "A part of the house does not answer.", "Try again, as `Retry-After` says."),
    "KEY_MALFORMED": Code(401, "As `reason`: what was sent is no API key.", "Send the whole key."),
    "KEY_UNKNOWN": Code(401, "As `reason`: there is no such key.", "Check the key, or make another one."),
    "KEY_EXPIRED": Code(401, "As `reason`: the key held for a time that is over.", "Make another one."),
    "KEY_REVOKED": Code(401, "As `reason`: the key was revoked.", "Make another one."),
    "TICKET_UNKNOWN": Code(
        401, "As `reason`: the ticket is of another address, or none.", "Make one for this address."
    ),
    "TICKET_EXPIRED": Code(401, "As `reason`: the ticket held for 15 minutes.", "Make another one."),
    "NO_KEY": Code(401, "As `reason`: no key was sent.", "Send one."),
    "TOO_MANY_SUBSCRIPTIONS": Code(
        400, "A socket carries no more operations.", "Complete some, or open another socket."
    ),
    "WORKER_LOST": Code(
        None,
        "As the error of a job: its worker died at each attempt.",
        "Order it again; if it comes to the same, report it.",
    ),
    "PARTS_FAILED": Code(
        None,
        "As the error of a batch: some of its parts could not be made.",
        "Read those that were made; order the others again.",
    ),
    "REQUIRED": Code(422, "Something is missing.", "Send what `path` names."),
    "WRONG_TYPE": Code(
        422, "A value is of another type than it must be.", "Send the type that the sentence names."
    ),
    "UNKNOWN_MEMBER": Code(
        422,
        "A body has a member that nobody knows.",
        "`allowed` says which name is meant, or which there are.",
    ),
    "UNKNOWN_PARAMETER": Code(
        422,
        "An address has a parameter that nobody knows.",
        "`allowed` says which name is meant, or which there are.",
    ),
    "UNKNOWN_VALUE": Code(422, "A value is none of those that may stand there.", "`allowed` names them."),
    "NOT_ALLOWED": Code(422, "A value is not written as it must be.", "Write it as the description says."),
    "OUT_OF_RANGE": Code(
        422, "A number is too small or too large, or a target too far.", "`allowed` says how far it goes."
    ),
    "LENGTH": Code(422, "A text is too short or too long.", "`allowed` says how long it may be."),
    "TOO_FEW": Code(422, "A list or an object has too few elements.", "`allowed` says how many it needs."),
    "TOO_MANY": Code(422, "There are more than there may be.", "Send fewer."),
    "COUNT": Code(422, "A list holds too few or too many.", "`allowed` says how many it may hold."),
    "TOO_LARGE": Code(422, "What was sent is too large to be kept.", "Send less."),
    "BAD_USER_INPUT": Code(
        422,
        "A value does not fit the type that the service declares.",
        "Compare it with the published schema.",
    ),
    "NUL_CHARACTER": Code(422, "A text or a name holds the character NUL.", "Take it out."),
    "NUMBER_TOO_LARGE": Code(
        422, "A number does not fit into 64 bits.", "Send a smaller one, or a text where texts are taken."
    ),
    "BAD_CHARACTER": Code(
        422,
        "A text holds a character that cannot be written.",
        "Take out control characters and halves of surrogate pairs.",
    ),
    "UNPRINTABLE": Code(
        422, "A line holds control characters, line breaks or marks of direction.", "Take them out."
    ),
    "UNWRITABLE": Code(422, "A value cannot be written down as JSON.", "Send plain JSON values."),
    "ONE_LINE": Code(422, "A name stands on one line.", "Take the line breaks out."),
    "KIND_MISSING": Code(422, "It is not said, or said twice, what kind is wanted.", "Name one kind."),
    "BAD_VARIABLE": Code(422, "A variable in an address is not of its form.", "Write `name:whole number`."),
    "BAD_CONDITION": Code(422, "A condition in an address is not of its form.", "Write `field:test:value`."),
    "QUOTA_EXCEEDED": Code(
        422, "As many are there as there may be.", "Delete or end some; the sentence names the quota."
    ),
    "MAP_IN_USE": Code(
        422, "A scene that runs leads the map.", "End or delete the scene first; `found` names it."
    ),
    "TOO_MANY_KEYS": Code(
        422, "The account has as many keys as it may have.", "Revoke one that is no longer used."
    ),
    "NOT_CONFIRMED": Code(
        422,
        "What cannot be undone was not confirmed.",
        "Name, as `confirm`, the id of what is to be deleted.",
    ),
    "NO_TICKET": Code(
        422,
        "A ticket opens nothing at this address.",
        "Name an address of `/v1`, or `/graphql?query=` with a subscription.",
    ),
    "NO_SCOPE": Code(422, "A key needs a scope.", "Name at least one."),
    "SCOPE_BEYOND_OWN": Code(
        422, "A key can hand on only scopes of its own.", "Ask with a key that has the scope."
    ),
    "LIMIT_BEYOND_OWN": Code(
        422,
        "A key can hand on no wider limit than its own.",
        "Name a `capacity` and a `refillPerSecond` within it.",
    ),
    "ENTROPY": Code(
        422,
        "The entropy is not of its form.",
        "Send 16 to 64 random bytes, in hexadecimal or base64url, made anew for each roll.",
    ),
    "EPOCH_MOVED": Code(
        422, "The epoch that was named has ended.", "Look at the commitment of the next one, and name that."
    ),
    "ONE_OF": Code(
        422, "Two things were named of which one is needed, or none.", "Name exactly one of them."
    ),
    "NAME": Code(422, "A name is not of its form.", "The sentence says how it is written."),
    "LABEL": Code(422, "A label is not of its form.", "The sentence says how it is written."),
    "NAME_TAKEN": Code(422, "The name is taken at its place.", "Choose another one."),
    "NAME_RESERVED": Code(422, "The name has a meaning in dice notation.", "Choose another one."),
    "MALFORMED": Code(422, "The dice notation cannot be read.", "The sentence points at the place."),
    "NOTATION": Code(
        422, "The expression of a macro cannot be read.", "The sentence points at the place; mend it there."
    ),
    "NOTATION_LIMIT": Code(
        422, "The expression of a macro asks for more dice than may be rolled.", "Ask for fewer."
    ),
    "UNKNOWN_VARIABLE": Code(
        422,
        "A variable of the expression has no value.",
        "Give it in `variables`, or roll for a character whose sheet has it.",
    ),
    "NOT_IN_EXPRESSION": Code(
        422, "A variable was given that the expression does not have.", "Leave it out."
    ),
    "TWICE": Code(422, "Something was given twice.", "Give it once."),
    "NO_TABLE": Code(422, "A secret roll needs a table.", "Name a campaign, or roll openly."),
    "DIVISION_BY_ZERO": Code(
        422, "The dice fell so that something is divided by zero.", "Roll again, or change the expression."
    ),
    "NO_WHOLE_NUMBER": Code(
        422,
        "A count of dice, sides or times is no whole number, or is out of bounds.",
        "Change the expression.",
    ),
    "TOO_MANY_DICE": Code(
        422,
        "There are more dice than may be rolled, or they would not come to an end.",
        "Roll fewer, or take explosions and rerolls out.",
    ),
    "NEVER_COMES_TO_ANYTHING": Code(
        422, "However the dice fall, the roll would be refused.", "Change the expression."
    ),
    "GM_PRESENT": Code(422, "The campaign has a GM.", "Ask its GM to make you one."),
    "SEATED_ELSEWHERE": Code(
        422, "The character plays in another campaign.", "Take it from that table first."
    ),
    "NOT_AT_THIS_TABLE": Code(
        422, "The character does not play in this campaign.", "Bring it to the table first."
    ),
    "CAMPAIGN_CHANGED": Code(
        422,
        "The game's own state of the campaign moved on meanwhile.",
        "Look at it again, and start from there.",
    ),
    "CAMPAIGN_RUNS": Code(422, "The game keeps this campaign already.", "Go on with what it keeps."),
    "SCENE_IN_USE": Code(
        422, "A scene that was begun from this one still runs.", "End that scene, or delete it first."
    ),
    "NOT_A_NOTE": Code(
        422, "The entry tells what happened.", "Delete notes only: `kind` says what an entry is."
    ),
    "NO_MAPS": Code(422, "Scenes of this game are not set on maps.", "Leave the map out."),
    "MAP_IN_PLAY": Code(
        422, "The map leads a scene that is not over.", "End that scene, or take another map."
    ),
    "MAP_OF_ANOTHER_KIND": Code(
        422, "The game is not played on maps of this kind.", "Take a map of a kind that it is played on."
    ),
    "EXACTLY_ONE": Code(
        422, "One of several members is wanted, and none or more than one was sent.", "Send one of them."
    ),
    "BAD_CAST": Code(
        422, "The list of characters names one twice, or what is no character.", "Name each character once."
    ),
    "NOT_OF_THIS_GAME": Code(422, "The character has no sheet of this game.", "Name characters of the game."),
    "PACKS_UNFIT": Code(
        422,
        "A scene that is played on has its own content packs.",
        "Name no packs beside it, and no scenes that are played with others.",
    ),
    "BOT_UNKNOWN": Code(422, "The game has no such bot.", "`allowed` names them."),
    "SETUP_UNKNOWN": Code(
        422,
        "Neither the game nor the campaign has such a setup.",
        "`allowed` names them, where they are known.",
    ),
    "CAMPAIGN_MISSING": Code(
        422, "What is named belongs to a campaign, and the request names none.", "Name the campaign."
    ),
    "MAP_UNFIT": Code(
        422, "The game cannot be played on this map.", "Take a map of a kind that the game leads."
    ),
    "POLICY_TWICE": Code(422, "A subject has two policies.", "Name each subject once."),
    "RUN_UNKNOWN": Code(
        422, "The simulation has no run of this number.", "`allowed` says which numbers its runs have."
    ),
    "RUN_OVER": Code(
        422, "The run is over after so many moves.", "`allowed` says after how many it still goes on."
    ),
    "SIMULATION_RUNNING": Code(422, "The simulation has not ended.", "Wait for its end, or cancel it."),
    "RULES_CHANGED": Code(
        422, "The rules were changed since it was asked, and its runs would be others.", "Ask anew."
    ),
    "CASE_UNKNOWN": Code(422, "The simulation has no such case.", "Take the name of one of its cases."),
    "PLOT_UNKNOWN": Code(
        422, "The simulation has nothing that this picture shows.", "Ask for what `allowed` names."
    ),
    "SYSTEM_UNKNOWN": Code(422, "There is no such game here.", "`GET /v1/systems` lists them."),
    "SYSTEM_FIXED": Code(422, "A thing stays in its game.", "Make another one for another game."),
    "MOVE_VOID": Code(422, "The dice of the move came to nothing.", "Make another move."),
    "COUNT_MISSING": Code(422, "It is not said how many are wanted.", "Send `count`, or `seeds`."),
    "SEEDS_MISCOUNTED": Code(
        422, "There is not one seed for each map.", "Send as many as `count` says, or leave `count` out."
    ),
    "BATCH_NOT_BROKEN_OFF": Code(
        422,
        "Of the batch nothing is left to be made, or it is still being made.",
        "Cancel its job first, or leave it as it is.",
    ),
    "FORMAT_UNFIT": Code(
        422, "Maps of this kind cannot be written in this format.", "Choose another format."
    ),
    "STEP_UNKNOWN": Code(
        422, "The making of a character has no such step.", "Leave `step` out to see all of them."
    ),
    "NOTHING_TO_DRAW": Code(
        422, "The game has nothing of the kind to draw by chance.", "Choose for yourself."
    ),
    "NOTHING_TO_UNDO": Code(
        422, "There is no version, or no move, to go back behind.", "Nothing is to be done."
    ),
    "VERSION_UNKNOWN": Code(422, "There is no such version.", "`GET .../history` lists them."),
    "VERSION_UNREADABLE": Code(422, "The version cannot be read any more.", "Choose a later one."),
    "PORTRAIT_DIMENSIONS": Code(
        422, "The picture is too small or too large for a portrait.", "Send one within what `allowed` says."
    ),
    "PORTRAIT_UNREADABLE": Code(
        422, "The picture is broken, or too much work to read.", "Save it anew, and send that file."
    ),
    "SCENE_LEADS": Code(
        422,
        "A scene leads this character: what is changed beside it would be lost.",
        "Change it in the scene, which `found` names, or when that is over.",
    ),
    "REST_UNKNOWN": Code(422, "The game has no such rest.", "`allowed` lists those it has."),
    "CHARACTER_UNREADABLE": Code(
        422, "The game cannot read this character any more.", "Build it anew, or go back in its history."
    ),
    "NO_REWARDS": Code(422, "Characters of this game are given no rewards here.", "Nothing is to be done."),
    "NO_VALUES": Code(422, "Something has no values to choose from.", "Leave it out."),
    "NO_PACKS": Code(422, "The game takes no content packs.", "Leave them out."),
    "PACK_UNKNOWN": Code(422, "There is no such content pack, or you may not see it.", "Check the id."),
    "PACK_TWICE": Code(422, "A content pack is named twice.", "Name each once."),
    "PACK_UNUSABLE": Code(
        422, "The content pack cannot be used any more.", "Change the pack, or leave it out."
    ),
}
