/** Every question, change and feed of this page, as the graph at /graphql takes them. */

const REASONS = '{ value parts { value source rule } }';
const FAULT = `... on Problem { code message path } ... on InvalidInput { issues { message rule } }`;

// Tables
export const ME = '{ me { id } }';
export const TABLES = '{ me { id name } campaigns(first: 50) { nodes { id name myRole } } }';
export const TABLE = `query ($id: ID!) {
  me { id name }
  systems { slug name }
  campaign(id: $id) {
    id name description myRole
    members { role account { id name } characters { id name system } }
    invitations { id code role usesLeft expiresAt revoked }
  }
}`;
export const FOUND_TABLE = `mutation ($input: CreateCampaignInput!) {
  createCampaign(input: $input) { ${FAULT} ... on CampaignSaved { campaign { id } } }
}`;
export const JOIN = `mutation ($input: JoinCampaignInput!) {
  joinCampaign(input: $input) { ${FAULT} ... on CampaignSaved { campaign { id } } }
}`;
export const INVITE = `mutation ($input: CreateInvitationInput!) {
  createInvitation(input: $input) { ${FAULT} ... on InvitationCreated { invitation { code } } }
}`;

// The log
const ENTRY = '{ cursor seq kind text subject account { name } createdAt }';
export const LOG = `query ($id: ID!) { campaign(id: $id) { log(first: 30, newestFirst: true) { nodes ${ENTRY} } } }`;
export const LOG_FEED = `subscription ($id: ID!, $after: String) { campaignLog(campaignId: $id, after: $after) ${ENTRY} }`;
export const WRITE_NOTE = `mutation ($input: WriteNoteInput!) { writeNote(input: $input) { ${FAULT} __typename } }`;

// Dice
const ROLL = '{ id cursor seq label text total void outcome secret rolledAt by { name } character { name } }';
export const ROLLS = `query ($id: ID!) { rolls(campaignId: $id, first: 20) { nodes ${ROLL} } }`;
export const ROLL_FEED = `subscription ($id: ID!, $after: String, $secret: Boolean!) {
  rollRecorded(campaignId: $id, after: $after, secret: $secret) ${ROLL}
}`;
export const MAKE_ROLL = `mutation ($input: RollInput!) {
  roll(input: $input) { ${FAULT} ... on RollRecorded { roll ${ROLL} } }
}`;
export const REVEAL = `mutation ($input: RevealRollInput!) { revealRoll(input: $input) { ${FAULT} __typename } }`;
export const RECEIPT = `query ($id: ID!) {
  roll(id: $id) {
    expression
    terms { notation subtotal dice { kind face value label kept } }
    odds { atLeast { value } exactly { value } mean }
    verification { ok number receipt { hash signature } steps { name ok detail } }
  }
}`;
export const ODDS = `query ($expression: String!, $campaignId: ID) {
  odds(expression: $expression, campaignId: $campaignId) {
    ${FAULT}
    ... on Odds {
      mean minimum maximum median
      words { word probability { value } }
      outcomes(first: 40) { value text probability { value } atLeast { value } }
    }
  }
}`;

// Characters
export const MY_CHARACTERS = '{ characters(first: 50) { nodes { id name system } } }';
export const CHARACTER = `query ($id: ID!) {
  character(id: $id) {
    id name system sheetVersion owner { id name }
    sheet {
      sections {
        key label groups {
          key label
          entries { key label kind text number maximum notation explains ${REASONS} items { name summary } }
        }
      }
    }
  }
}`;
export const DRAW_CHARACTER = `mutation ($input: CreateRandomCharacterInput!) {
  createRandomCharacter(input: $input) { ${FAULT} ... on CharacterSaved { character { id } } }
}`;
export const SEAT = `mutation ($input: SeatCharacterInput!) { seatCharacter(input: $input) { ${FAULT} __typename } }`;

// Scenes
export const SCENES = `query ($id: ID!) {
  campaign(id: $id) { scenes(first: 20) { nodes { id title system endedAt } } }
}`;
export const SCENE_RULES = `query ($system: String!) {
  sceneRules(system: $system) { namedSetups { key title text } setupSchema }
}`;
export const START_SCENE = `mutation ($input: StartSceneInput!) {
  startScene(input: $input) { ${FAULT} ... on SceneStarted { scene { id } } }
}`;
const MOVE = `{
  cursor seq kind actor text sentences undone lapsed createdAt
  rolls { actor label notation faces dice ${REASONS} roll { id } }
}`;
export const SCENE = `query ($id: ID!) {
  scene(id: $id) {
    id system title seq endedAt boardUrl cursor myActors
    outcome { ended text winners }
    deadlines { prompt at }
    bots { key text }
    map { id revision play { extent { x y width height cells } } outputs { format url } }
    card {
      round turn waitingFor
      actors { key name side tracks { key name current maximum } conditions at { x y } character }
      prompts { key actor question }
    }
  }
}`;
export const OFFERS = `query ($id: ID!, $actor: String, $system: String!) {
  sceneRules(system: $system) { moveGroups { key title } }
  scene(id: $id) {
    legalMoves(actor: $actor) {
      key actor label text rule group weight disposition cost move odds
      dice ${REASONS}
      chances { key label value }
      fields { name label kind least most required choices { value label disposition } squares { x y } }
    }
  }
}`;
export const MOVE_FEED = `subscription ($id: ID!, $after: String) { sceneMoves(sceneId: $id, after: $after) ${MOVE} }`;
export const PERFORM = `mutation ($input: PerformMoveInput!) {
  performMove(input: $input) {
    ${FAULT}
    ... on MoveRejected { issues { message rule } }
    ... on MovePerformed { move { text } }
  }
}`;
export const PLAY_BOT = `mutation ($input: PlayBotInput!) { playBot(input: $input) { ${FAULT} __typename } }`;
export const UNDO = `mutation ($input: UndoMoveInput!) { undoMove(input: $input) { ${FAULT} __typename } }`;

// Maps
const PLAY = `
  fog { mode shared }
  explored { key cells }
  tokens { key name at { x y } size color label owners layer conditions light { bright dim color } }
  markers { key at { x y } label color }
  notes { key at { x y } title text }
  doors { key state }
  lights { key at { x y } bright dim color }
`;
export const MAPS = 'query ($id: ID!) { maps(campaignId: $id, first: 30) { nodes { id name kind } } }';
export const MAP = `query ($id: ID!) {
  map(id: $id) {
    id name kind revision cursor whole
    outputs { format url }
    content {
      ... on GridMap {
        doors { key middle { x y } kind state }
        lights { key at { x y } bright dim color }
        entrance { x y }
      }
    }
    play { extent { x y width height cells } ${PLAY} }
  }
}`;
export const MAP_FEED = `subscription ($id: ID!, $after: String) {
  mapChanges(id: $id, after: $after) { cursor revision play { ${PLAY} } }
}`;
export const EDIT_MAP = `mutation ($input: EditMapInput!) { editMap(input: $input) { ${FAULT} ... on MapEdited { thing } } }`;
export const MAP_KINDS = '{ mapKinds { kind parameters } }';
export const JOB_FEED = `subscription ($id: ID!) {
  jobProgress(id: $id) { cursor state progress error { message } map { id } }
}`;
