/** Who plays at a table, their sheets, and characters of one's own, drawn by the rules of whatever game. */
import { useEffect, useState } from 'preact/hooks';
import { CHARACTER, DRAW_CHARACTER, MY_CHARACTERS, SEAT } from './documents.js';
import { Odds, roll } from './dice.js';
import { useHeard } from './log.js';
import { Choice, Field, Form, html, inWords, More, Reasons, titled, Tracks, Trouble } from './ui.js';
import { useAct, useApi, useAsk } from './ui.js';

export function Characters({ table, part }) {
  const { seated } = table;
  const address = (id) => `#/table/${table.id}/characters/${id}`;
  const systems = new Map(table.systems.map((system) => [system.slug, system.name]));
  return html`
    <h1>Characters</h1>
    <ul class="cards">
      ${seated.map((one) => html`<li key=${one.id}>
        <a href=${address(one.id)} aria-current=${part === one.id ? 'page' : undefined}>${one.name}</a>
        ${' '}<small>${systems.get(one.system) ?? one.system}${one.player && `, ${one.player.name}`}</small>
      </li>`)}
    </ul>
    ${part && html`<${Sheet} key=${part} id=${part} table=${table} />`}
    ${table.plays && html`<${Bring} table=${table} seated=${seated} systems=${systems} />`}
  `;
}

function Bring({ table, seated, systems }) {
  const api = useApi();
  const { data } = useAsk(MY_CHARACTERS);
  const others = (data?.characters.nodes ?? []).filter((mine) => !seated.some((one) => one.id === mine.id));
  const seat = (characterId) => api.act(SEAT, { campaignId: table.id, characterId });
  const bring = ({ characterId }) => seat(characterId).then(table.reload);
  const draw = async (input) => {
    const { character } = await api.act(DRAW_CHARACTER, input);
    await seat(character.id);
    table.reload();
    location.hash = `#/table/${table.id}/characters/${character.id}`;
  };
  return html`<div class="columns">
    <section>
      <h2>A new character</h2>
      <${Form} onSend=${draw} button="Draw one and sit down">
        <${Choice} label="Game" name="system" options=${[...systems]} />
        <${Field} label="Name" name="name" maxlength="80" autocomplete="off" hint="Drawn too when left empty." />
      <//>
    </section>
    ${others.length > 0 &&
    html`<section>
      <h2>One of yours</h2>
      <${Form} onSend=${bring} button="Sit down">
        <${Choice} label="Character" name="characterId" options=${others.map((one) => [one.id, one.name])} />
      <//>
    </section>`}
  </div>`;
}

function Sheet({ id, table }) {
  const api = useApi();
  const { data, problem, reload } = useAsk(CHARACTER, { id });
  const [whole, setWhole] = useState(null);
  const version = data?.character?.sheetVersion;
  useHeard(table, (entry) => /^(scene|character)\./.test(entry.kind) && reload());
  useEffect(() => {
    // A game without cards to print is read from the whole sheet.
    if (!data?.character || data.character.card) return;
    api.rest('GET', `/v1/characters/${id}/sheet`).then((found) => setWhole(found.data), () => setWhole(null));
  }, [version]);
  if (!data?.character) return html`<${Trouble} problem=${problem} />`;
  const { name, sheet, card, owner } = data.character;
  const mine = table.leads || owner?.id === table.me.id;
  return html`<article class="sheet" aria-label="Sheet of ${name}">
    <h2>${name}</h2>
    ${sheet && html`<${Tracks} tracks=${sheet.tracks} />`}
    ${sheet?.checks.length > 0 &&
    html`<h3>Checks</h3>
      <ul class="checks">
        ${sheet.checks.map((check) => html`<${Check} key=${check.key} characterId=${id} ...${{ check, table, mine }} />`)}
      </ul>`}
    <h3>The whole sheet</h3>
    <${Anything} value=${card?.json ?? whole ?? {}} />
  </article>`;
}

function Check({ check, characterId, table, mine }) {
  const api = useApi();
  const { run, busy, problem } = useAct();
  const [text, setText] = useState('');
  const make = () =>
    run(async () => {
      const made = await roll(api, { expression: check.notation, characterId, label: check.name });
      setText(made.roll.text);
    });
  return html`<li>
    <span>${check.name}</span> <${Reasons} of=${check.dice} />
    ${mine && html`<button class="quiet" disabled=${busy} onClick=${make} aria-label="Roll ${check.name}">Roll</button>`}
    <${More} title="Odds" label="Odds of ${check.name}">
      <p><small>${check.reading}</small></p>
      <${Odds} expression=${check.notation} table=${table} />
    <//>
    <output>${text}</output>
    <${Trouble} problem=${problem} />
  </li>`;
}

const HIDDEN = new Set(['system', 'name', 'tracks', 'checks', 'id', 'key', 'rule']);
const CONTENT_ID = /^[a-z_]+:[a-z-]+\/[\w-]+$/;
const isEmpty = (value) =>
  value === null || value === '' || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

/** JSON that a game has written for people: numbers with reasons, lists, and what has a name. */
export function Anything({ value }) {
  if (isEmpty(value)) return '–';
  if (Array.isArray(value)) {
    const sentences = value.some((one) => /\.$/.test(one));
    if (value.every((one) => typeof one !== 'object')) return value.map(words).join(sentences ? ' ' : ', ');
    return html`<ul class="things">${value.map((one) => html`<li><${Anything} value=${one} /></li>`)}</ul>`;
  }
  if (typeof value !== 'object') return words(value);
  if (Array.isArray(value.parts) && 'value' in value) return html`<${Reasons} of=${value} />`;
  const members = Object.entries(value).filter(([name, held]) => !HIDDEN.has(name) && !isEmpty(held));
  const head = value.name && html`<b>${value.name}</b>`;
  if (members.length === 0) return head || '–';
  return html`${head}<dl>
    ${members.map(([name, held]) => html`<div key=${name}>
      <dt>${titled(name)}</dt><dd><${Anything} value=${held} /></dd>
    </div>`)}
  </dl>`;
}

function words(value) {
  if (value === true) return 'yes';
  const text = String(value);
  if (CONTENT_ID.test(text)) return titled(text.split('/')[1]);
  return /^[A-Z]+(_[A-Z]+)*$/.test(text) && text.length > 2 ? inWords(text) : text;
}
