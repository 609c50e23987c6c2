/** One table: its views, who sits there, and the log, from which the views hear that something has changed. */
import { useMemo } from 'preact/hooks';
import { Characters } from './characters.js';
import { Dice } from './dice.js';
import { INVITE, TABLE } from './documents.js';
import { Log } from './log.js';
import { Maps } from './maps.js';
import { Scenes } from './scenes.js';
import { Choice, Form, html, ROLES, Trouble, useApi, useAsk } from './ui.js';

const VIEWS = { scene: 'Scene', characters: 'Characters', dice: 'Dice', maps: 'Maps', people: 'People', log: 'Log' };
const SHOWN = { scene: Scenes, characters: Characters, dice: Dice, maps: Maps, people: People };

export function Table({ id, view, part }) {
  const { data, problem, reload } = useAsk(TABLE, { id });
  const heard = useMemo(() => ({ listeners: new Set() }), []);
  if (problem && !data) return html`<${Trouble} problem=${problem} />`;
  if (!data?.campaign) return html`<p>${data ? 'There is no such table for you.' : 'One moment …'}</p>`;
  const { campaign, me, systems } = data;
  const onEntry = (entry) => {
    if (/^(member|character|campaign)\./.test(entry.kind)) reload();
    for (const listener of heard.listeners) listener(entry);
  };
  const seated = campaign.members.flatMap(({ account, characters }) =>
    characters.filter(Boolean).map((one) => ({ ...one, player: account })),
  );
  const rights = { leads: campaign.myRole === 'GM', plays: campaign.myRole !== 'SPECTATOR' };
  const table = { ...campaign, ...rights, seated, me, systems, heard, reload };
  const View = SHOWN[view];
  return html`
    <nav aria-label="Views of the table">
      ${Object.entries(VIEWS).map(([name, title]) => html`<a
        key=${name} class=${name} href="#/table/${id}/${name}"
        aria-current=${name === view ? 'page' : undefined}>${title}</a>`)}
    </nav>
    <div class="table ${view}">
      <div class="view">
        ${View && html`<${View} table=${table} part=${part} />`}
        ${view === 'log' && html`<h1>${campaign.name}</h1>`}
      </div>
      <aside aria-label="Log"><${Log} table=${table} onEntry=${onEntry} /></aside>
    </div>
  `;
}

function People({ table }) {
  const open = table.invitations.filter((one) => !one.revoked && one.usesLeft > 0);
  return html`
    <h1>${table.name}</h1>
    <p>${table.description}</p>
    <ul class="cards">
      ${table.members.map((member) => html`<li key=${member.account?.id}>
        <b>${member.account?.name ?? 'Unknown'}</b> <small>${ROLES[member.role]}</small>
        <div>${member.characters.map((character) => character?.name ?? 'unreadable').join(', ')}</div>
      </li>`)}
    </ul>
    ${table.leads &&
    html`<h2>Invitations</h2>
      <ul class="cards">
        ${open.map((one) => html`<li key=${one.id}>
          <code>${one.code}</code> <small>${ROLES[one.role]}, ${one.usesLeft} left</small>
          <div><a href="#/join/${one.code}">${location.origin}/table#/join/${one.code}</a></div>
        </li>`)}
      </ul>
      <${Invite} table=${table} />`}
  `;
}

function Invite({ table }) {
  const api = useApi();
  const invite = async ({ role }) => {
    await api.act(INVITE, { campaignId: table.id, role });
    table.reload();
  };
  return html`<${Form} onSend=${invite} button="Invite">
    <${Choice} label="As" name="role" options=${Object.entries(ROLES)} />
  <//>`;
}
