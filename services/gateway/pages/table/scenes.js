/** Scenes of any game, drawn from what the API offers for any: cards, questions, legal moves, a board. */
import { useEffect, useState } from 'preact/hooks';
import { Board } from './board.js';
import { Receipt } from './dice.js';
import { MAPS, MOVE_FEED, OFFERS, PLAY_BOT, SCENE, SCENE_RULES, SCENES, START_SCENE, UNDO } from './documents.js';
import { useHeard } from './log.js';
import { Offers } from './offers.js';
import { SchemaForm } from './schema_form.js';
import { Choice, Field, Form, html, More, Tick, titled, Tracks, Trouble } from './ui.js';
import { useAct, useApi, useAsk, useFeed, useSoon } from './ui.js';

export function Scenes({ table, part }) {
  const { data, problem, reload } = useAsk(SCENES, { id: table.id });
  useHeard(table, (entry) => entry.kind.startsWith('scene.') && reload());
  const scenes = data?.campaign.scenes.nodes ?? [];
  const address = (id) => `#/table/${table.id}/scene/${id}`;
  const shown = part || scenes.find((scene) => !scene.endedAt)?.id;
  return html`
    ${shown && html`<${Scene} key=${shown} id=${shown} table=${table} />`}
    ${!shown && html`<h1>${table.name}</h1><p>No scene is under way.</p>`}
    <${Trouble} problem=${problem} />
    ${scenes.length > 0 &&
    html`<h2>Scenes of this table</h2>
      <ul class="cards">
        ${scenes.map((scene) => html`<li key=${scene.id}>
          <a href=${address(scene.id)} aria-current=${scene.id === shown ? 'page' : undefined}>${scene.title}</a>
          ${scene.endedAt && html` <small>over</small>`}
        </li>`)}
      </ul>`}
    ${table.leads && html`<${StartScene} table=${table} />`}
  `;
}

function Scene({ id, table }) {
  const { data, problem, reload } = useAsk(SCENE, { id });
  const [chosen, setChosen] = useState('');
  const [picking, setPicking] = useState(null);
  const scene = data?.scene;
  const mine = scene?.myActors ?? [];
  const actor = mine.includes(chosen) ? chosen : (scene?.card?.waitingFor.find((one) => mine.includes(one)) ?? mine[0]);
  const offers = useAsk(OFFERS, scene && actor ? { id, actor, system: scene.system } : null);
  const changed = useSoon(() => (reload(), offers.reload()));
  useHeard(table, (entry) => entry.kind.startsWith('scene.') && entry.subject === id && changed());
  if (!scene) return html`<${Trouble} problem=${problem} />`;
  const { card, outcome } = scene;
  const names = new Map(card?.actors.map((one) => [one.key, one.name]) ?? []);
  const name = (key) => names.get(key) ?? (key === 'gm' ? 'Game master' : titled(key));
  const turn = card?.turn ? `, ${name(card.turn)} is up` : '';
  const legal = offers.data?.scene?.legalMoves.filter((one) => one.actor === actor);
  return html`<article>
    <h1>${scene.title}</h1>
    <p>${outcome.ended ? `Over. ${outcome.text}` : card && `Round ${card.round}${turn}.`}</p>
    ${card?.prompts.map((prompt) => html`<p class="prompt ${mine.includes(prompt.actor) ? 'mine' : ''}" key=${prompt.key}>
      <b>${name(prompt.actor)}:</b> ${prompt.question}
    </p>`)}
    <${Board} ...${{ scene, picking, actor }} />
    ${!outcome.ended && mine.length > 0 &&
    html`<section aria-label="Moves">
      <h2>What may be done</h2>
      ${mine.length > 1 &&
      html`<${Choice} label="Who acts" value=${actor} options=${mine.map((one) => [one, name(one)])}
        onChange=${(event) => setChosen(event.currentTarget.value)} />`}
      <${Trouble} problem=${offers.problem} />
      ${legal && html`<${Offers} key=${actor} ...${{ offers: legal, groups: offers.data.sceneRules?.moveGroups ?? [], scene }}
        onDone=${changed} onPicking=${setPicking} />`}
      <${Bots} ...${{ scene, actor, table }} onDone=${changed} />
    </section>`}
    <h2>Who takes part</h2>
    <ul class="cards actors">
      ${card?.actors.map((one) => html`<li key=${one.key} class=${one.key === card.turn ? 'turn' : ''}>
        <b>${one.name}</b> <small>${one.side}${card.waitingFor.includes(one.key) && ', may move'}</small>
        <${Tracks} tracks=${one.tracks} />
        ${one.conditions.length > 0 && html`<p>${one.conditions.join(', ')}</p>`}
      </li>`)}
    </ul>
    <${Moves} id=${id} name=${name} onMove=${changed} />
  </article>`;
}

function Bots({ scene, actor, table, onDone }) {
  const api = useApi();
  const { run, busy, problem } = useAct();
  const here = { sceneId: scene.id, expectedSeq: scene.seq };
  const act = (query, input) => run(() => api.act(query, { ...here, ...input }).then(onDone));
  return html`
    <div class="row">
      ${scene.bots.map((bot) => html`<button key=${bot.key} class="quiet" disabled=${busy} title=${bot.text}
        onClick=${() => act(PLAY_BOT, { actor, bot: bot.key })}>Let the ${bot.key} bot move</button>`)}
      ${table.leads && scene.seq > 0 &&
      html`<button class="quiet" disabled=${busy} onClick=${() => act(UNDO, {})}>Take the last move back</button>`}
    </div>
    <${Trouble} problem=${problem} />
  `;
}

/** What was done, newest first: without a cursor the feed begins with the first move. */
function Moves({ id, name, onMove }) {
  const [moves, setMoves] = useState([]);
  useFeed(MOVE_FEED, { id, after: null }, (move) => {
    setMoves((later) => [move, ...later]);
    onMove();
  });
  if (moves.length === 0) return null;
  return html`<h2>What was done</h2>
    <ol class="moves" reversed>
      ${moves.map((move) => html`<li key=${move.cursor}>
        <p>${move.undone ? html`<s>${move.text}</s>` : move.text}</p>
        ${move.rolls.map((one) => html`<${MoveRoll} roll=${one} name=${name} />`)}
      </li>`)}
    </ol>`;
}

function MoveRoll({ roll, name }) {
  return html`<div class="row">
    <small>${name(roll.actor)}, ${roll.label}: ${roll.notation} → ${roll.faces.join(' ')}</small>
    ${roll.roll && html`<${More} title="Receipt"><${Receipt} id=${roll.roll.id} /><//>`}
  </div>`;
}

function StartScene({ table }) {
  const api = useApi();
  const [system, setSystem] = useState(table.systems[0]?.slug);
  const [own, setOwn] = useState(undefined);
  const rules = useAsk(SCENE_RULES, { system });
  const maps = useAsk(MAPS, { id: table.id });
  const [setupName, setSetupName] = useState('');
  const players = table.seated.filter((one) => one.system === system);
  const start = async ({ title, mapId }, form) => {
    const characters = new FormData(form).getAll('character');
    const setup = setupName ? { setupName } : { setup: own ?? {} };
    const { scene } = await api.act(START_SCENE, { campaignId: table.id, system, characters, title, mapId, ...setup });
    location.hash = `#/table/${table.id}/scene/${scene.id}`;
  };
  const found = rules.data?.sceneRules;
  useEffect(() => found && setSetupName(found.namedSetups[0]?.key ?? ''), [found]);
  return html`<details class="group">
    <summary>Start a scene</summary>
    <${Form} onSend=${start} button="Start">
      <${Choice} label="Game" value=${system} options=${table.systems.map((one) => [one.slug, one.name])}
        onChange=${(event) => { setSystem(event.currentTarget.value); setOwn(undefined); }} />
      ${found &&
      html`<${Choice} label="Setup" value=${setupName} empty="One of your own"
        options=${found.namedSetups.map((one) => [one.key, one.title])}
        hint=${found.namedSetups.find((one) => one.key === setupName)?.text}
        onChange=${(event) => setSetupName(event.currentTarget.value)} />`}
      ${found && !setupName && html`<${SchemaForm} schema=${found.setupSchema} value=${own} onChange=${setOwn} />`}
      ${players.length > 0 &&
      html`<fieldset><legend>Who takes part</legend>
        ${players.map(
          (one) => html`<${Tick} key=${one.id} name="character" value=${one.id} label=${one.name} defaultChecked />`,
        )}
      </fieldset>`}
      <${Choice} label="On a map" name="mapId" empty="None"
        options=${(maps.data?.maps.nodes ?? []).map((one) => [one.id, one.name])} />
      <${Field} label="Title" name="title" maxlength="120" autocomplete="off" hint="The game's own when left empty." />
    <//>
  </details>`;
}
