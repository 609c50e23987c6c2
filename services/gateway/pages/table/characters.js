/** Who plays at a table, their sheets, and characters of one's own, drawn by the rules of whatever game. */
import { useState } from 'preact/hooks';
import { CHARACTER, DRAW_CHARACTER, MY_CHARACTERS, SEAT } from './documents.js';
import { Odds, roll } from './dice.js';
import { useHeard } from './log.js';
import { Choice, Field, Form, html, More, Reasons, Tracks, Trouble } from './ui.js';
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
  const { data, problem, reload } = useAsk(CHARACTER, { id });
  useHeard(table, (entry) => /^(scene|character)\./.test(entry.kind) && reload());
  if (!data?.character) return html`<${Trouble} problem=${problem} />`;
  const { name, sheet, owner } = data.character;
  const mine = table.leads || owner?.id === table.me.id;
  return html`<article class="sheet" aria-label="Sheet of ${name}">
    <h2>${name}</h2>
    ${sheet?.sections.map((section) => html`<section key=${section.key}>
      <h3>${section.label}</h3>
      ${section.groups.map((group) => html`<${Group} key=${group.key} characterId=${id} ...${{ group, table, mine }} />`)}
    </section>`)}
  </article>`;
}

function Group({ group, ...rest }) {
  const of = (kind) => group.entries.filter((entry) => entry.kind === kind);
  const [tracks, checks] = [of('TRACK'), of('DICE')];
  const others = group.entries.filter((entry) => entry.kind !== 'TRACK' && entry.kind !== 'DICE');
  return html`
    ${group.label && html`<h4>${group.label}</h4>`}
    <${Tracks} tracks=${tracks.map((one) => ({ ...one, name: one.label, current: one.number }))} />
    ${checks.length > 0 &&
    html`<ul class="checks">
      ${checks.map((check) => html`<${Check} key=${check.key} check=${check} ...${rest} />`)}
    </ul>`}
    ${others.length > 0 && html`<dl>${others.map((one) => html`<${Entry} key=${one.key} entry=${one} />`)}</dl>`}
  `;
}

function Entry({ entry }) {
  const items = entry.items.map((one) => html`<li><b>${one.name}</b>${one.summary && `: ${one.summary}`}</li>`);
  const value = entry.explains ? html`<${Reasons} of=${{ ...entry.explains, value: entry.text }} />` : entry.text;
  return html`<div>
    <dt>${entry.label}</dt>
    <dd>${items.length > 0 ? html`<ul class="things">${items}</ul>` : value}</dd>
  </div>`;
}

function Check({ check, characterId, table, mine }) {
  const api = useApi();
  const { run, busy, problem } = useAct();
  const [text, setText] = useState('');
  const make = () =>
    run(async () => {
      const made = await roll(api, { expression: check.notation, characterId, label: check.label });
      setText(made.roll.text);
    });
  return html`<li>
    <span>${check.label}</span> <${Reasons} of=${check.explains} />
    ${mine && html`<button class="quiet" disabled=${busy} onClick=${make} aria-label="Roll ${check.label}">Roll</button>`}
    <${More} title="Odds" label="Odds of ${check.label}">
      <p><small>${check.text}</small></p>
      <${Odds} expression=${check.notation} table=${table} />
    <//>
    <output>${text}</output>
    <${Trouble} problem=${problem} />
  </li>`;
}
