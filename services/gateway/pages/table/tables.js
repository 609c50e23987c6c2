/** The tables of an account: sit down at one, found one, join one by an invitation. */
import { FOUND_TABLE, JOIN, TABLES } from './documents.js';
import { Field, Form, html, ROLES, Trouble, useApi, useAsk } from './ui.js';

/** @param {{ code?: string }} props  code: of the invitation that led here */
export function Tables({ code }) {
  const { data, problem } = useAsk(TABLES);
  const tables = data?.campaigns.nodes ?? [];
  return html`
    <h1>${data ? `Welcome, ${data.me.name}` : 'Your tables'}</h1>
    <${Trouble} problem=${problem} />
    ${tables.length > 0 &&
    html`<ul class="cards">
      ${tables.map((table) => html`<li key=${table.id}>
        <a href="#/table/${table.id}">${table.name}</a> <small>${ROLES[table.myRole]}</small>
      </li>`)}
    </ul>`}
    <div class="columns">
      <${OneField} title="Join a table" label="Code of the invitation" name="code" value=${code}
        query=${JOIN} button="Join" />
      <${OneField} title="Found a table" label="Name of the campaign" name="name" query=${FOUND_TABLE} button="Found" />
    </div>
  `;
}

function OneField({ title, label, name, value, query, button }) {
  const api = useApi();
  const send = async (given) => {
    const { campaign } = await api.act(query, given);
    location.hash = `#/table/${campaign.id}`;
  };
  return html`<section>
    <h2>${title}</h2>
    <${Form} onSend=${send} button=${button}>
      <${Field} label=${label} name=${name} value=${value} required maxlength="120" />
    <//>
  </section>`;
}
