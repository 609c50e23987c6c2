"""The operations that the tests of the whole product send: every field of Query, Mutation and Subscription once.

``OPERATIONS`` maps the name of a root field to its document; what each answers is enough to see what was done
and whether anything is shown that should not be.
"""

PROBLEM = """
  ... on Problem { __typename code message path }
  ... on InvalidInput { issues { code message path found allowed } }
"""
PAGE = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
DIE = "kind sides face value label kept marks"
ROLL = """
  id seq cursor expression label total exact outcome text secret revealedAt rolledAt sceneId epochId epochNumber
  by { id name } metadata { namespace readers data version updatedAt } external { author messageId platform } campaign { id } character { id }
  terms { notation subtotal dice { %s } } nodes { index parent notation value kept dice { %s } }
""" % (DIE, DIE)
STATEMENT = "body hash key signature"
EPOCH = """
  id secret ordinal anchor length used beganAt closedAt
  statement { %s } closing { %s } head { %s }
""" % (STATEMENT, STATEMENT, STATEMENT)
VERIFIED = """
  id ok epochId number steps { name ok detail } commitment { %s } receipt { %s }
""" % (STATEMENT, STATEMENT)
TABLE_DIE = "id name version createdAt by { id name } faces { label value }"
MACRO = """
  id name expression dialect label shared version createdAt by { id name } variables { name value }
"""
STATISTICS = """
  dice(die: $die) {
    kinds {
      die former svg faces { face label count }
      fairness { dice expected statistic degreesOfFreedom pValue verdict words }
    }
    otherDice caution
  }
  luck { rolls notReckoned meanPercentile percentiles zScore pValue verdict words svg }
"""
CAMPAIGN = """
  id name description createdAt version myRole metadata { namespace readers data version updatedAt }
  members { role joinedAt account { id name } characters { id name } }
  invitations { id code role usesLeft }
  log(first: 50) { nodes { seq kind text subject account { id } externalAuthor } }
"""
CHARACTER = """
  id name system version owner { id name } createdAt updatedAt
  sheet { name system tracks { name } summary { line figures { key label text } } }
  metadata { namespace readers data version updatedAt }
  packs { packId name version }
"""
# All of a sheet, as any client draws it.
SHEET = """
  sheet {
    json sections {
      key label groups {
        key label entries {
          key label kind text number maximum notation explains { value parts { value source rule } }
          items { name summary }
        }
      }
    }
  }
"""
# What its owner and the GM of its table read of what became of it.
TRACKS = """
tracks { key label current least most full }
rests {
  rest { key label text source mostActions }
  actions { key label text choices { key label } words wordsNeeded }
}
"""
HISTORY = (
    """
  history(first: 5) {
    edges { cursor } nodes {
      version at by { id } what text name packs { packId name version outdated } changes { kind path before after }
    }
    %s
  }
"""
    % PAGE
)
FINDING = "kind code message rule path stated computed working"
PACK = (
    """
  id name description system version owner { id name } campaign { id } createdAt updatedAt content { json }
  report { adds findings { %s } }
"""
    % FINDING
)
ENTRY_OF_CONTENT = "id system kind name text licence data"
JOB = "id kind state progress version cursor attempt error { code message } createdAt endedAt map { id name }"
# All that lies on a map at the table, and all that a map is and shows.
PLAY = """
  extent { x y width height cells columns rows } fog { mode shared } explored { key cells }
  tokens {
    key name at { x y } size color label character owners layer sight { range dark } light { bright dim color }
    conditions
  }
  markers { key at { x y } sort label color layer author } notes { key at { x y } title text layer }
  doors { key state found }
  drawings { key shape points { x y } color width fill text layer author order }
  places { key name sort at { x y } details known } lights { key at { x y } bright dim color layer }
  areas { key shape at { x y } length toward { x y } degrees width color label layer author }
"""
GRID = """
  title theme width height feet ambient cells terrains { letter name pace opaque cover } heights
  rooms { key number name role tags notes x y width height area spans { row first last } }
  passages { start end doors secret }
  doors { key at { x y } axis kind state edge span middle { x y } ends { x y } note }
  walls { kind points { x y } } traps { key kind at { x y } width height note }
  stairs { key at { x y } up facing } lights { key kind at { x y } bright dim color }
  props { key kind at { x y } width height turn } zones { key kind name side spans { row first last } }
  notes { key at { x y } text } entrance { x y } goal { x y }
"""
STORY = """
  title scale landform origin quest tones players width height seaAround start
  places { key name sort at { x y } detail brought player known rumored notes { text secret } }
  paths { start end sort } terrains { key sort name points { x y } }
  forces {
    key name sort magnitude involvement ethic facts standing brought seat foe peril goal agents ending
  }
"""
MAP = """
  id kind name seed generatorVersion attempts whole sharing revision cursor createdAt owner { id } campaign { id }
  files { name url contentType bytes sha256 } outputs { format url contentType }
  metadata { namespace readers data version updatedAt } tokenMetadata { token metadata { namespace readers data version updatedAt } }
  gates { name passed faults } figures { name value }
  edits(first: 5) { nodes { number sort account { id } undoes undone changes madeAt } }
  realm { title places { key kind name power } links { start end kind } } grid { %s } story { %s }
  region { title settlements { key name } sites { key name } } play { %s }
""" % (GRID, STORY, PLAY)
EDITED = """
  ... on MapEdited { thing map { id revision sharing play { %s } } } %s
""" % (PLAY, PROBLEM)
ENTRY = "cursor seq kind text subject account { id } externalAuthor createdAt"
KEY = "id name scopes createdAt expiresAt revokedAt capacity refillPerSecond"

LEGAL_MOVE = """
  key actor label text rule group weight disposition move cost odds dice { value parts { value source rule } }
  fields { name label kind choices { value label kind disposition } squares { x y } least most required }
  chances { key label chance value }
"""
MOVE_ROLL = "label actor notation faces secret odds dice { value parts { value source rule } } roll { id }"
SCENE_MOVE = (
    """
  cursor seq kind actor account { id } byGm lapsed undone text sentences move createdAt
  rolls { %s } events { system kind json }
"""
    % MOVE_ROLL
)
SCENE_CARD = """
  title round turn waitingFor prompts { key actor question seconds }
  actors { key name side conditions character at { x y } tracks { key name current maximum } }
"""
SCENE = """
  id system title seq createdAt endedAt campaign { id } characters { id name }
  state { system json ... on DungeonTellerState { beings { key name luck } things { key name gold } } }
  map { id name } boardUrl packs { packId name version } deadlines { prompt at } bots { key version text }
  metadata { namespace readers data version updatedAt }
  card { %s } outcome { ended winners text } myActors cursor legalMoves { %s }
  moves(first: 5) { edges { cursor } nodes { %s } %s }
""" % (SCENE_CARD, LEGAL_MOVE, SCENE_MOVE, PAGE)
REJECTED = "... on MoveRejected { issues { code message path rule found allowed } legal { %s } }" % LEGAL_MOVE
CONFLICT = "... on VersionConflict { expectedVersion currentVersion }"
PERFORMED = "... on MovePerformed { scene { id title seq endedAt } move { %s } } %s %s %s" % (
    SCENE_MOVE,
    REJECTED,
    CONFLICT,
    PROBLEM,
)

CHANCE = "value exact standardError"
# Where the total of a roll lies among all that could have come.
ROLL_ODDS = "percentile mean kind error atLeast { %s } atMost { %s } exactly { %s }" % (
    CHANCE,
    CHANCE,
    CHANCE,
)
ODDS = """
  expression kind error samples count leftOut mean meanExact meanError deviation minimum maximum median svg
  failure { %s } words { word probability { %s } } quantiles { p value }
  outcomes(first: 11) { value text probability { %s } atLeast { %s } atMost { %s } }
""" % (CHANCE, CHANCE, CHANCE, CHANCE, CHANCE)
TOO_LARGE = "... on OddsTooLarge { limit cost allowed }"

SIMULATION = """
id system state progress processorSeconds waitsUntil fault { code message } question cursor createdAt endedAt
campaign { id }
"""
REPORT = """
system runs blocks done exact cases {
  name runs orderedBy notable { what number value }
  figures { name title unit share estimate { value low high error } quantiles histogram { least most runs } }
}
"""

QUERIES = {
    "me": "query { me { id name version keys(first: 5) { nodes { %s } } } }" % KEY,
    "account": "query ($id: ID!) { account(id: $id) { id name createdAt version keys(first: 5) { nodes { %s } } } }"
    % KEY,
    "roll": "query ($id: ID!) { roll(id: $id) { %s verification { %s } odds { %s } } }"
    % (ROLL, VERIFIED, ROLL_ODDS),
    "rolls": """
query (
  $campaignId: ID, $characterId: ID, $accountId: ID, $sceneId: ID, $externalMessageId: String,
  $since: DateTime, $until: DateTime, $first: Int! = 20, $after: String
) {
  rolls(
    campaignId: $campaignId, characterId: $characterId, accountId: $accountId, sceneId: $sceneId,
    externalMessageId: $externalMessageId, since: $since, until: $until, first: $first, after: $after
  ) { edges { cursor } nodes { %s } %s }
}
"""
    % (ROLL, PAGE),
    "odds": """
query (
  $expression: String!, $variables: [VariableInput!], $campaignId: ID, $dialect: DiceDialect, $sample: Int,
  $seed: Int! = 0, $quantiles: [Float!]
) {
  odds(
    expression: $expression, variables: $variables, campaignId: $campaignId, dialect: $dialect, sample: $sample,
    seed: $seed, quantiles: $quantiles
  ) { ... on Odds { %s } %s %s }
}
"""
    % (ODDS, TOO_LARGE, PROBLEM),
    "compareOdds": """
query (
  $expressions: [String!]!, $variables: [VariableInput!], $campaignId: ID, $dialect: DiceDialect, $sample: Int,
  $seed: Int! = 0
) {
  compareOdds(
    expressions: $expressions, variables: $variables, campaignId: $campaignId, dialect: $dialect,
    sample: $sample, seed: $seed
  ) {
    ... on OddsComparison {
      entries { expression odds { kind mean } tooLarge { code limit cost allowed } } svg
      higher { %s } equal { %s }
    }
    %s %s
  }
}
"""
    % (CHANCE, CHANCE, TOO_LARGE, PROBLEM),
    "mechanics": """
query ($system: String) {
  mechanics(system: $system) {
    name system title meaning source outcomes parameters { name meaning minimum maximum default kind }
  }
}
""",
    "rollEpoch": """
query ($campaignId: ID, $secret: Boolean! = false, $id: ID) {
  rollEpoch(campaignId: $campaignId, secret: $secret, id: $id) { %s }
}
"""
    % EPOCH,
    "rollEpochs": """
query ($campaignId: ID, $secret: Boolean! = false, $first: Int! = 5, $after: String) {
  rollEpochs(campaignId: $campaignId, secret: $secret, first: $first, after: $after) {
    edges { cursor } nodes { %s } %s
  }
}
"""
    % (EPOCH, PAGE),
    "rollReceipts": """
query ($campaignId: ID, $secret: Boolean! = false, $epoch: ID, $first: Int! = 20, $after: String) {
  rollReceipts(campaignId: $campaignId, secret: $secret, epoch: $epoch, first: $first, after: $after) {
    edges { cursor } nodes { number hidden %s } %s
  }
}
"""
    % (STATEMENT, PAGE),
    "diceKeys": "{ diceKeys { key public made retired } }",
    "verifyRoll": "query ($id: ID!) { verifyRoll(id: $id) { %s } }" % VERIFIED,
    "tableDice": "query ($campaignId: ID) { tableDice(campaignId: $campaignId) { %s } }" % TABLE_DIE,
    "macro": "query ($id: ID!) { macro(id: $id) { %s } }" % MACRO,
    "macros": """
query ($campaignId: ID, $first: Int! = 20, $after: String) {
  macros(campaignId: $campaignId, first: $first, after: $after) { edges { cursor } nodes { %s } %s }
}
"""
    % (MACRO, PAGE),
    "diceSettings": "query ($campaignId: ID) { diceSettings(campaignId: $campaignId) { dialect version } }",
    "rollStatistics": """
query ($campaignId: ID, $accountId: ID, $die: String) {
  rollStatistics(campaignId: $campaignId, accountId: $accountId) { %s }
}
"""
    % STATISTICS,
    "character": """
query ($id: ID!) {
  character(id: $id) { %s %s %s %s choices { json } rolls(first: 5) { nodes { id text } } }
}
"""
    % (CHARACTER, SHEET, HISTORY, TRACKS),
    "characters": """
query ($first: Int! = 20, $after: String) {
  characters(first: $first, after: $after) { edges { cursor } nodes { %s } pageInfo { hasNextPage endCursor } }
}
"""
    % CHARACTER,
    "party": """
query ($campaignId: ID!, $first: Int! = 20, $after: String) {
  party(campaignId: $campaignId, first: $first, after: $after) { nodes { %s campaign { id } } %s }
}
"""
    % (CHARACTER, PAGE),
    "rollUpdates": """
query ($campaignId: ID, $first: Int! = 20, $since: String) {
  rollUpdates(campaignId: $campaignId, first: $first, since: $since) {
    updates { key node { %s } } cursor more anew
  }
}
"""
    % ROLL,
    "campaignUpdates": """
query ($first: Int! = 20, $since: String) {
  campaignUpdates(first: $first, since: $since) { updates { key node { id name myRole } } cursor more anew }
}
""",
    "mapUpdates": """
query ($campaignId: ID, $first: Int! = 20, $since: String) {
  mapUpdates(campaignId: $campaignId, first: $first, since: $since) {
    updates { key node { id name sharing } } cursor more anew
  }
}
""",
    "characterUpdates": """
query ($campaignId: ID, $first: Int! = 20, $since: String) {
  characterUpdates(campaignId: $campaignId, first: $first, since: $since) {
    updates { key node { %s } } cursor more anew
  }
}
"""
    % CHARACTER,
    "randomCharacter": """
query ($system: String!, $name: String, $concept: String, $seed: String, $packs: [ID!]) {
  randomCharacter(system: $system, name: $name, concept: $concept, seed: $seed, packs: $packs) {
    ... on RandomCharacter { system name seed choices { __typename } } %s
  }
}
"""
    % PROBLEM,
    "systems": "query { systems { slug name edition licence } }",
    "system": """
query ($slug: String!) {
  system(slug: $slug) {
    slug
    name
    tracks { key label unit atLeast atMost source entries { key label } }
    rests { key label text source mostActions }
  }
}
""",
    "content": """
query (
  $system: String!, $kind: String, $search: String! = "", $where: [ContentFilter!], $orderBy: String! = "",
  $first: Int! = 5, $after: String, $packs: [ID!]
) {
  content(
    system: $system, kind: $kind, search: $search, where: $where, orderBy: $orderBy, first: $first, after: $after,
    packs: $packs
  ) { ... on ContentConnection { total licence edges { cursor } nodes { %s } %s } %s }
}
"""
    % (ENTRY_OF_CONTENT, PAGE, PROBLEM),
    "contentEntry": "query ($id: ID!, $packs: [ID!]) { contentEntry(id: $id, packs: $packs) { %s } }"
    % ENTRY_OF_CONTENT,
    "contentKinds": """
query ($system: String!, $packs: [ID!]) {
  contentKinds(system: $system, packs: $packs) { system licence kinds { kind title count fields { name values } } }
}
""",
    "draftCharacter": """
query ($build: CharacterBuild!, $step: String, $packs: [ID!]) {
  draftCharacter(build: $build, step: $step, packs: $packs) {
    ... on CharacterDraft {
      system builds issues { code path } sheetDocument
      steps { key name issues { code path } budgets { key remaining } offers { kind key name cost } }
    }
    %s
  }
}
"""
    % PROBLEM,
    "tools": "query ($system: String!) { tools(system: $system) { system name title text rule } }",
    "tool": """
query ($system: String!, $name: String!, $given: JSON!, $packs: [ID!]) {
  tool(system: $system, name: $name, given: $given, packs: $packs) {
    ... on ToolAnswer { tool { name } answer } %s
  }
}
"""
    % PROBLEM,
    "forgeEngine": """
query ($given: ForgeEngineReloadQuestionInput!, $packs: [ID!]) {
  forgeEngine(packs: $packs) {
    reload(given: $given) { ... on ForgeEngineReloadAnswer { ways { name hindrance } } %s }
  }
}
"""
    % PROBLEM,
    "fortunateBlades": """
query ($given: FortunateBladesStartQuestionInput!) {
  fortunateBlades { storyStart(given: $given) { ... on FortunateBladesStartAnswer { ready short } %s } }
}
"""
    % PROBLEM,
    "contentPack": "query ($id: ID!) { contentPack(id: $id) { %s } }" % PACK,
    "contentPacks": """
query ($campaignId: ID, $system: String, $first: Int! = 5, $after: String) {
  contentPacks(campaignId: $campaignId, system: $system, first: $first, after: $after) {
    edges { cursor } nodes { %s } %s
  }
}
"""
    % (PACK, PAGE),
    "checkContentPack": """
query ($pack: ContentPackInput!) {
  checkContentPack(pack: $pack) { ... on PackReport { adds findings { %s } } %s }
}
"""
    % (FINDING, PROBLEM),
    "campaign": """
query ($id: ID!) {
  campaign(id: $id) {
    %s
    rolls(first: 5) { nodes { id text label } }
    maps(first: 5) { nodes { id name } }
    scenes(first: 5) { nodes { id title seq } }
    chronicle(system: "duel", text: "mill", about: "rival-1", first: 5) {
      edges { cursor } nodes { cursor heading text about opens createdAt } %s
    }
  }
}
"""
    % (CAMPAIGN, PAGE),
    "campaigns": """
query ($first: Int! = 5, $after: String) {
  campaigns(first: $first, after: $after) { edges { cursor } nodes { id name myRole } pageInfo { hasNextPage endCursor } }
}
""",
    "scene": """
query ($id: ID!, $seq: Int! = 0) {
  scene(id: $id) { %s at(seq: $seq) { seq faithful stateHash state { json } card { title } } }
}
"""
    % SCENE,
    "sceneRules": """
query ($system: String!) { sceneRules(system: $system) {
  system setups mapKinds leadsMaps moveSchema setupSchema moveGroups { key title }
  namedSetups { key title text party { fewest most different } }
  bots { key version text } figures { key name unit text kind ofScene byRound } rests { key name text source most }
} }
""",
    "checkMove": """
query ($sceneId: ID!, $move: JSON!) {
  checkMove(sceneId: $sceneId, move: $move) {
    ... on MoveChecked {
      seq sentences questions { actor question }
      rolls { label actor notation secret odds dice { value parts { value source rule } } }
    }
    %s
  }
}
"""
    % PROBLEM,
    "simulation": "query ($id: ID!) { simulation(id: $id) { %s report { %s } } }" % (SIMULATION, REPORT),
    "simulations": """
query ($campaignId: ID, $first: Int! = 5, $after: String) {
  simulations(campaignId: $campaignId, first: $first, after: $after) { edges { cursor } nodes { %s } %s }
}
"""
    % (SIMULATION, PAGE),
    "simulationRun": """
query ($id: ID!, $number: Int! = 0, $case: String) {
  simulationRun(id: $id, number: $number, case: $case) { ... on SimulationStory { lines } %s }
}
"""
    % PROBLEM,
    "simulationPlot": """
query ($id: ID!, $plot: SimulationPlot, $figure: String, $case: String, $width: Int! = 360) {
  simulationPlot(id: $id, plot: $plot, figure: $figure, case: $case, width: $width) {
    ... on SimulationPicture { svg } %s
  }
}
"""
    % PROBLEM,
    "map": "query ($id: ID!) { map(id: $id) { %s } }" % MAP,
    "mapKinds": "{ mapKinds { kind generatorVersion secretive formats parameters } }",
    "mapBatch": """
query ($id: ID!, $first: Int! = 20, $after: String) {
  mapBatch(id: $id) {
    id kind count done bytes formats seed parameters zipUrl ndjsonUrl job { %s }
    maps(first: $first, after: $after) {
      edges { cursor }
      nodes { number seed name attempts figures { name value } files { format url contentType } } %s
    }
  }
}
"""
    % (JOB, PAGE),
    "maps": """
query ($campaignId: ID, $first: Int! = 5, $after: String) {
  maps(campaignId: $campaignId, first: $first, after: $after) {
    edges { cursor } nodes { id name seed files { url } } pageInfo { hasNextPage endCursor }
  }
}
""",
    "job": "query ($id: ID!) { job(id: $id) { %s } }" % JOB,
    "jobs": """
query ($first: Int! = 5, $after: String) {
  jobs(first: $first, after: $after) { edges { cursor } nodes { %s } %s }
}
"""
    % (JOB, PAGE),
}

# A journey through a region.
JOURNEY = """
query ($id: ID!, $start: String!, $end: String!, $mode: RegionTravelMode = FOOT, $milesAnHour: Float! = 3) {
  map(id: $id) {
    journey(start: $start, end: $end, mode: $mode, milesAnHour: $milesAnHour) { miles hours legs { __typename } }
  }
}
"""
# Every question to the ground of a map.
GROUND = """
query (
  $id: ID!, $start: SquareInput!, $end: SquareInput!, $taken: [SquareInput!], $throughDoors: Boolean! = true,
  $paces: Int! = 3, $darkvision: Int! = 0, $area: MapAreaInput!, $size: Int! = 1, $other: Int! = 1,
  $measure: MapMeasureInput
) {
  map(id: $id) { ground {
    distance(start: $start, end: $end, startSize: $size, endSize: $other, measure: $measure) { cells paces feet }
    path(
      start: $start, end: $end, taken: $taken, throughDoors: $throughDoors, size: $size, measure: $measure
    ) { paces feet cells { x y } }
    reach(
      start: $start, paces: $paces, taken: $taken, throughDoors: $throughDoors, size: $size, measure: $measure
    ) { paces cell { x y } }
    lineOfSight(start: $start, end: $end, startSize: $size, endSize: $other)
    cover(attacker: $start, target: $end, attackerSize: $size, targetSize: $other)
    gradedCover(attacker: $start, target: $end, attackerSize: $size, targetSize: $other) { grade taken }
    area(area: $area) { row first last }
    light(at: $start, size: $size, measure: $measure)
    visible(start: $start, paces: $paces, darkvision: $darkvision) { row first last }
  } }
}
"""

BAG_WRITTEN = "... on MetadataSaved { metadata { namespace readers data version updatedAt } } %s" % PROBLEM

MUTATIONS = {
    **{
        name: "mutation ($input: %sInput!) { %s(input: $input) { %s } }"
        % (name[:1].upper() + name[1:], name, BAG_WRITTEN)
        for name in (
            *("setCampaignMetadata", "setSceneMetadata", "setMapMetadata"),
            *("setCharacterMetadata", "setRollMetadata"),
        )
    },
    "createApiKey": """
mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { ... on ApiKeyCreated { apiKey { %s } key } %s }
}
"""
    % (KEY, PROBLEM),
    "createTicket": """
mutation ($input: CreateTicketInput!) {
  createTicket(input: $input) { ... on TicketCreated { url expiresAt } %s }
}
"""
    % PROBLEM,
    "revokeApiKey": """
mutation ($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) { ... on ApiKeyRevoked { apiKey { %s } } %s }
}
"""
    % (KEY, PROBLEM),
    "renameAccount": """
mutation ($input: RenameAccountInput!) {
  renameAccount(input: $input) { ... on AccountSaved { account { id name version } } %s }
}
"""
    % PROBLEM,
    "deleteAccount": """
mutation ($input: DeleteAccountInput!) {
  deleteAccount(input: $input) { ... on AccountDeleted { id } %s }
}
"""
    % PROBLEM,
    "roll": "mutation ($input: RollInput!) { roll(input: $input) { ... on RollRecorded { roll { %s } } %s } }"
    % (ROLL, PROBLEM),
    "rollMany": """
mutation ($input: RollManyInput!) {
  rollMany(input: $input) { ... on RollsRecorded { rolls { %s } voids { code message path } } %s }
}
"""
    % (ROLL, PROBLEM),
    "revealRoll": """
mutation ($input: RevealRollInput!) { revealRoll(input: $input) { ... on RollRevealed { roll { %s } } %s } }
"""
    % (ROLL, PROBLEM),
    "rotateRollEpoch": """
mutation ($input: RotateRollEpochInput!) {
  rotateRollEpoch(input: $input) { ... on RollEpochRotated { epoch { %s } } %s }
}
"""
    % (EPOCH, PROBLEM),
    "defineDie": "mutation ($input: DefineDieInput!) { defineDie(input: $input) { ... on DieSaved { die { %s } } %s } }"
    % (TABLE_DIE, PROBLEM),
    "changeDie": "mutation ($input: ChangeDieInput!) { changeDie(input: $input) { ... on DieSaved { die { %s } } %s } }"
    % (TABLE_DIE, PROBLEM),
    "forgetDie": """
mutation ($input: ForgetDieInput!) { forgetDie(input: $input) { ... on DieForgotten { id } %s } }
"""
    % PROBLEM,
    "createMacro": """
mutation ($input: CreateMacroInput!) {
  createMacro(input: $input) { ... on MacroSaved { macro { %s } } %s }
}
"""
    % (MACRO, PROBLEM),
    "updateMacro": """
mutation ($input: UpdateMacroInput!) {
  updateMacro(input: $input) { ... on MacroSaved { macro { %s } } %s }
}
"""
    % (MACRO, PROBLEM),
    "deleteMacro": """
mutation ($input: DeleteMacroInput!) { deleteMacro(input: $input) { ... on MacroDeleted { id } %s } }
"""
    % PROBLEM,
    "setDiceDialect": """
mutation ($input: SetDiceDialectInput!) {
  setDiceDialect(input: $input) { ... on DiceSettingsSaved { settings { dialect version } } %s }
}
"""
    % PROBLEM,
    "createCharacter": """
mutation ($input: CreateCharacterInput!) {
  createCharacter(input: $input) { ... on CharacterSaved { character { %s } } %s }
}
"""
    % (CHARACTER, PROBLEM),
    "createRandomCharacter": """
mutation ($input: CreateRandomCharacterInput!) {
  createRandomCharacter(input: $input) { ... on CharacterSaved { character { %s } } %s }
}
"""
    % (CHARACTER, PROBLEM),
    "proposeReward": """
mutation ($input: ProposeRewardInput!) {
  proposeReward(input: $input) {
    ... on CharacterSaved { character { %s rewards { index text approved } } } %s
  }
}
"""
    % (CHARACTER, PROBLEM),
    "approveReward": """
mutation ($input: ApproveRewardInput!) {
  approveReward(input: $input) {
    ... on CharacterSaved { character { %s rewards { index text approved } } } %s
  }
}
"""
    % (CHARACTER, PROBLEM),
    "refuseReward": """
mutation ($input: RefuseRewardInput!) {
  refuseReward(input: $input) {
    ... on CharacterSaved { character { %s rewards { index text approved } } } %s
  }
}
"""
    % (CHARACTER, PROBLEM),
    "updateCharacter": """
mutation ($input: UpdateCharacterInput!) {
  updateCharacter(input: $input) { ... on CharacterSaved { character { %s } } %s }
}
"""
    % (CHARACTER, PROBLEM),
    "deleteCharacter": """
mutation ($input: DeleteCharacterInput!) {
  deleteCharacter(input: $input) {
    ... on CharacterDeleted { id } ... on Problem { __typename code message path }
  }
}
""",
    "undoCharacterEdit": """
mutation ($input: UndoCharacterEditInput!) {
  undoCharacterEdit(input: $input) {
    ... on CharacterSaved { character { %s %s } } %s
  }
}
"""
    % (CHARACTER, HISTORY, PROBLEM),
    "moveCharacterTracks": """
mutation ($input: MoveCharacterTracksInput!) {
  moveCharacterTracks(input: $input) { ... on CharacterSaved { character { %s %s } } %s }
}
"""
    % (CHARACTER, TRACKS, PROBLEM),
    "restCharacter": """
mutation ($input: RestCharacterInput!) {
  restCharacter(input: $input) { ... on CharacterSaved { character { %s %s } } %s }
}
"""
    % (CHARACTER, TRACKS, PROBLEM),
    "createContentPack": """
mutation ($input: CreateContentPackInput!) {
  createContentPack(input: $input) { ... on ContentPackSaved { pack { %s } } %s }
}
"""
    % (PACK, PROBLEM),
    "updateContentPack": """
mutation ($input: UpdateContentPackInput!) {
  updateContentPack(input: $input) { ... on ContentPackSaved { pack { %s } } %s }
}
"""
    % (PACK, PROBLEM),
    "deleteContentPack": """
mutation ($input: DeleteContentPackInput!) {
  deleteContentPack(input: $input) {
    ... on ContentPackDeleted { id } ... on Problem { __typename code message path }
  }
}
""",
    "createCampaign": """
mutation ($input: CreateCampaignInput!) {
  createCampaign(input: $input) { ... on CampaignSaved { campaign { id name description myRole version } } %s }
}
"""
    % PROBLEM,
    "updateCampaign": """
mutation ($input: UpdateCampaignInput!) {
  updateCampaign(input: $input) { ... on CampaignSaved { campaign { id name description version } } %s }
}
"""
    % PROBLEM,
    "deleteCampaign": """
mutation ($input: DeleteCampaignInput!) {
  deleteCampaign(input: $input) { ... on CampaignDeleted { id } %s }
}
"""
    % PROBLEM,
    "createInvitation": """
mutation ($input: CreateInvitationInput!) {
  createInvitation(input: $input) { ... on InvitationCreated { invitation { id code role usesLeft expiresAt } } %s }
}
"""
    % PROBLEM,
    "withdrawInvitation": """
mutation ($input: WithdrawInvitationInput!) {
  withdrawInvitation(input: $input) {
    ... on Removed { id } ... on Problem { __typename code message path }
  }
}
""",
    "joinCampaign": """
mutation ($input: JoinCampaignInput!) {
  joinCampaign(input: $input) {
    ... on CampaignSaved { campaign { id name myRole } } ... on Problem { __typename code message path }
  }
}
""",
    "changeRole": """
mutation ($input: ChangeRoleInput!) {
  changeRole(input: $input) {
    ... on CampaignSaved { campaign { id name members { role account { id } } } }
    ... on Problem { __typename code message path }
  }
}
""",
    "acceptGameMaster": """
mutation ($input: AcceptGameMasterInput!) {
  acceptGameMaster(input: $input) {
    ... on CampaignSaved { campaign { id myRole gameMasterOffer { mine } } } %s
  }
}
"""
    % PROBLEM,
    "declineGameMaster": """
mutation ($input: DeclineGameMasterInput!) {
  declineGameMaster(input: $input) {
    ... on CampaignSaved { campaign { id gameMasterOffer { since candidates { id } nextAt mine } } } %s
  }
}
"""
    % PROBLEM,
    "removeMember": """
mutation ($input: RemoveMemberInput!) {
  removeMember(input: $input) {
    ... on Removed { id } ... on Problem { __typename code message path }
  }
}
""",
    "seatCharacter": """
mutation ($input: SeatCharacterInput!) {
  seatCharacter(input: $input) {
    ... on CampaignSaved { campaign { id members { characters { id name } } } } %s
  }
}
"""
    % PROBLEM,
    "unseatCharacter": """
mutation ($input: UnseatCharacterInput!) {
  unseatCharacter(input: $input) {
    ... on CampaignSaved { campaign { id members { characters { id } } } }
    ... on Problem { __typename code message path }
  }
}
""",
    "writeNote": """
mutation ($input: WriteNoteInput!) {
  writeNote(input: $input) {
    ... on NoteWritten { entry { %s } } %s
  }
}
"""
    % (ENTRY, PROBLEM),
    "deleteNote": """
mutation ($input: DeleteNoteInput!) { deleteNote(input: $input) { ... on NoteDeleted { seq } %s } }
"""
    % PROBLEM,
    "startScene": """
mutation ($input: StartSceneInput!) {
  startScene(input: $input) { ... on SceneStarted { scene { id title seq myActors card { %s } } } %s }
}
"""
    % (SCENE_CARD, PROBLEM),
    "deleteScene": """
mutation ($input: DeleteSceneInput!) { deleteScene(input: $input) { ... on SceneDeleted { id } %s } }
"""
    % PROBLEM,
    "performMove": "mutation ($input: PerformMoveInput!) { performMove(input: $input) { %s } }" % PERFORMED,
    "playBot": """
mutation ($input: PlayBotInput!) {
  playBot(input: $input) { %s }
}
"""
    % PERFORMED,
    "undoMove": """
mutation ($input: UndoMoveInput!) {
  undoMove(input: $input) { %s }
}
"""
    % PERFORMED,
    "startSimulation": """
mutation ($input: StartSimulationInput!) {
  startSimulation(input: $input) { ... on SimulationStarted { simulation { %s } } %s }
}
"""
    % (SIMULATION, PROBLEM),
    "cancelSimulation": """
mutation ($input: CancelSimulationInput!) {
  cancelSimulation(input: $input) { ... on SimulationCancelled { simulation { %s } } %s }
}
"""
    % (SIMULATION, PROBLEM),
    "deleteSimulation": """
mutation ($input: DeleteSimulationInput!) {
  deleteSimulation(input: $input) { ... on SimulationDeleted { id } %s }
}
"""
    % PROBLEM,
    "openSimulationRun": """
mutation ($input: OpenSimulationRunInput!) {
  openSimulationRun(input: $input) {
    ... on SimulationRunOpened { scene { id title seq myActors card { %s } } } %s
  }
}
"""
    % (SCENE_CARD, PROBLEM),
    "generateMap": "mutation ($input: GenerateMapInput!) { generateMap(input: $input) { ... on MapJobQueued { job { %s } } %s } }"
    % (JOB, PROBLEM),
    "generateMaps": """
mutation ($input: GenerateMapsInput!) {
  generateMaps(input: $input) { ... on MapBatchQueued { job { %s } batch { id count } } %s }
}
"""
    % (JOB, PROBLEM),
    "keepMap": """
mutation ($input: KeepMapInput!) { keepMap(input: $input) { ... on MapKept { map { %s } } %s } }
"""
    % (MAP, PROBLEM),
    "editMap": """
mutation ($input: EditMapInput!) {
  editMap(input: $input) {
    ... on MapChanged { expectedRevision currentRevision differing { path yours theirs base } } %s
  }
}
"""
    % EDITED,
    "undoMapEdit": """
mutation ($input: UndoMapEditInput!) { undoMapEdit(input: $input) { %s } }
"""
    % EDITED,
    "deleteMap": """
mutation ($input: DeleteMapInput!) {
  deleteMap(input: $input) {
    ... on MapDeleted { id } ... on MapChanged { expectedRevision currentRevision } %s
  }
}
"""
    % PROBLEM,
    "continueMapBatch": """
mutation ($input: ContinueMapBatchInput!) {
  continueMapBatch(input: $input) { ... on MapBatchQueued { job { %s } batch { id count } } %s }
}
"""
    % (JOB, PROBLEM),
    "deleteMapBatch": """
mutation ($input: DeleteMapBatchInput!) {
  deleteMapBatch(input: $input) { ... on MapBatchDeleted { id } ... on Problem { __typename code message path } }
}
""",
    "cancelJob": """
mutation ($input: CancelJobInput!) {
  cancelJob(input: $input) { ... on JobCancelled { job { %s } } ... on Problem { __typename code message path } }
}
"""
    % JOB,
}

SUBSCRIPTIONS = {
    "rollRecorded": """
subscription ($campaignId: ID, $after: String, $secret: Boolean! = false) {
  rollRecorded(campaignId: $campaignId, after: $after, secret: $secret) { %s }
}
"""
    % ROLL,
    "campaignLog": """
subscription ($campaignId: ID!, $after: String) { campaignLog(campaignId: $campaignId, after: $after) { %s } }
"""
    % ENTRY,
    "sceneMoves": """
subscription ($sceneId: ID!, $after: String) { sceneMoves(sceneId: $sceneId, after: $after) { %s } }
"""
    % SCENE_MOVE,
    "simulationProgress": """
subscription ($id: ID!, $after: String) {
  simulationProgress(id: $id, after: $after) { %s report { runs done } }
}
"""
    % SIMULATION,
    "characterChanges": """
subscription ($campaignId: ID, $after: String) {
  characterChanges(campaignId: $campaignId, after: $after) { key node { %s } cursor anew }
}
"""
    % CHARACTER,
    "mapChanges": """
subscription ($id: ID!, $after: String) {
  mapChanges(id: $id, after: $after) { id name seed whole sharing revision cursor play { %s } }
}
"""
    % PLAY,
    "jobProgress": "subscription ($id: ID!, $after: String) { jobProgress(id: $id, after: $after) { %s } }"
    % JOB,
}
