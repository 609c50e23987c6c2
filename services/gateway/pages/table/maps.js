/** The maps of a table, and new ones, by the JSON Schema of their kind. */
import { useState } from 'preact/hooks';
import { JOB_FEED, MAP_KINDS, MAPS } from './documents.js';
import { useHeard } from './log.js';
import { MapView } from './map.js';
import { SchemaForm } from './schema_form.js';
import { Choice, Field, Form, html, percent, titled, Trouble, useApi, useAsk, useFeed } from './ui.js';

export function Maps({ table, part }) {
  const { data, problem, reload } = useAsk(MAPS, { id: table.id });
  useHeard(table, (entry) => entry.kind.startsWith('map.') && reload());
  const maps = data?.maps?.nodes ?? [];
  return html`
    ${part ? html`<${MapView} key=${part} id=${part} table=${table} />` : html`<h1>Maps</h1>`}
    <${Trouble} problem=${problem} />
    <ul class="cards">
      ${maps.map((one) => html`<li key=${one.id}>
        <a href="#/table/${table.id}/maps/${one.id}" aria-current=${one.id === part ? 'page' : undefined}>${one.name}</a>
        ${' '}<small>${titled(one.kind)}</small>
      </li>`)}
    </ul>
    ${data && maps.length === 0 && html`<p>No map is shown to you yet.</p>`}
    ${table.plays && html`<${Draw} table=${table} />`}
  `;
}

function Draw({ table }) {
  const api = useApi();
  const kinds = useAsk(MAP_KINDS).data?.mapKinds.filter((one) => one.parameters.properties) ?? [];
  const [kind, setKind] = useState('');
  const [parameters, setParameters] = useState(undefined);
  const [job, setJob] = useState(null);
  const chosen = kinds.find((one) => one.kind === kind) ?? kinds[0];
  useFeed(JOB_FEED, job && { id: job.id }, (now) => {
    setJob(now.map || now.error ? { ...now, id: job.id } : { ...job, ...now });
    if (now.map) location.hash = `#/table/${table.id}/maps/${now.map.id}`;
  });
  const draw = async ({ seed }) =>
    setJob(await api.rest('POST', '/v1/maps', { campaignId: table.id, kind: chosen.kind, seed, parameters }));
  return html`<details class="group">
    <summary>Draw a map</summary>
    ${chosen &&
    html`<${Form} onSend=${draw} button="Draw">
      <${Choice} label="Kind" value=${chosen.kind} options=${kinds.map((one) => [one.kind, titled(one.kind)])}
        onChange=${(event) => { setKind(event.currentTarget.value); setParameters(undefined); }} />
      <${SchemaForm} key=${chosen.kind} schema=${chosen.parameters} value=${parameters} onChange=${setParameters} />
      <${Field} label="Seed" name="seed" pattern="[0-9]*" autocomplete="off" hint="The same one draws the same map." />
    <//>`}
    <${Trouble} problem=${job?.error} />
    ${job && !job.map && !job.error && html`<p role="status">Under way, ${percent(job.progress ?? 0)}</p>`}
  </details>`;
}
