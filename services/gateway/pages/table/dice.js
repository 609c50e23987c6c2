/** Rolls with their odds before and their receipts after. */
import { useState } from 'preact/hooks';
import { randomHex } from './api.js';
import { MAKE_ROLL, ODDS, RECEIPT, REVEAL, ROLL_FEED, ROLLS } from './documents.js';
import { Chance, Choice, Field, Form, html, More, percent, Tick, titled } from './ui.js';
import { Trouble, useAct, useApi, useAsk, useFeed, useFirst } from './ui.js';

/** Roll; the client brings entropy of its own, so that nobody could have chosen the faces. */
export const roll = (api, input) => api.act(MAKE_ROLL, { ...input, entropy: randomHex(32) });

export function Dice({ table }) {
  const api = useApi();
  const [expression, setExpression] = useState('1d20');
  const [weighed, setWeighed] = useState(null);
  const mine = table.seated.filter((one) => table.leads || one.player?.id === table.me.id);
  const send = ({ secret, ...given }) => roll(api, { ...given, campaignId: table.id, secret: Boolean(secret) });
  return html`
    <h1>Dice</h1>
    <${Form} onSend=${send} button="Roll">
      <${Field} label="Dice" name="expression" required value=${expression} autocomplete="off" spellcheck="false"
        onInput=${(event) => setExpression(event.currentTarget.value)} />
      <${Field} label="What for" name="label" maxlength="120" autocomplete="off" />
      ${mine.length > 0 &&
      html`<${Choice} label="For" name="characterId" empty="The table"
        options=${mine.map((one) => [one.id, one.name])} />`}
      ${table.leads && html`<${Tick} name="secret" label="Secret: only game masters see it" />`}
      <button type="button" onClick=${() => setWeighed(expression)}>Odds</button>
    <//>
    ${weighed && html`<${Odds} expression=${weighed} table=${table} />`}
    <h2>Rolls</h2>
    <${Rolls} table=${table} />
  `;
}

export function Odds({ expression, table }) {
  const { data, problem } = useAsk(ODDS, { expression, campaignId: table.id });
  if (!data) return html`<${Trouble} problem=${problem} />`;
  const odds = data.odds;
  if (odds.code) return html`<${Trouble} problem=${odds} />`;
  const named = odds.words.map((one) => [titled(one.word), one.probability.value]);
  const counted = odds.outcomes.map((one) => [one.text || one.value, one.probability.value, one.atLeast.value]);
  const rows = named.length ? named : counted;
  return html`<section class="odds" aria-label="Odds of ${expression}">
    <p>On average ${odds.mean.toFixed(2)}, from ${odds.minimum} to ${odds.maximum}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Chances">
      <table>
        <thead>
          <tr>
            <th scope="col">Result</th><th scope="col">Chance</th>
            ${!named.length && html`<th scope="col">At least</th>`}
          </tr>
        </thead>
        <tbody>
          ${rows.map(([result, chance, least]) => html`<tr>
            <th scope="row">${result}</th>
            <td><${Chance} of=${chance} label="Chance of ${result}" /></td>
            ${least !== undefined && html`<td>${percent(least)}</td>`}
          </tr>`)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function Rolls({ table }) {
  const { data, problem, reload } = useAsk(ROLLS, { id: table.id });
  const [news, setNews] = useState([]);
  const known = data?.rolls.nodes ?? [];
  const since = (secret) => known.find((one) => one.secret === secret)?.cursor ?? null;
  const start = useFirst(data ? { open: since(false), secret: since(true) } : null);
  const take = (one) => setNews((rolls) => [one, ...rolls]);
  useFeed(ROLL_FEED, start && { id: table.id, secret: false, after: start.open }, take);
  useFeed(ROLL_FEED, start && table.leads ? { id: table.id, secret: true, after: start.secret } : null, take);
  const rolls = [...new Map([...known, ...news].map((one) => [one.id, one])).values()];
  rolls.sort((one, other) => other.rolledAt.localeCompare(one.rolledAt));
  return html`
    <${Trouble} problem=${problem} />
    <ul class="rolls">
      ${rolls.map((one) => html`<${Roll} key=${one.id} roll=${one} table=${table} onRevealed=${reload} />`)}
    </ul>
  `;
}

function Roll({ roll: one, table, onRevealed }) {
  const api = useApi();
  const { run, problem } = useAct();
  const reveal = () =>
    run(async () => {
      await api.act(REVEAL, { id: one.id });
      onRevealed();
    });
  const told = [one.character?.name ?? one.by?.name, one.label].filter(Boolean).join(', ');
  return html`<li>
    <p><small>${told}${one.secret && ' (secret)'}</small></p>
    <p><b>${one.text}</b>${one.outcome && html` <em>${titled(one.outcome)}</em>`}</p>
    ${one.secret && table.leads && html`<button class="quiet" onClick=${reveal}>Reveal</button>`}
    <${More} title="Receipt"><${Receipt} id=${one.id} /><//>
    <${Trouble} problem=${problem} />
  </li>`;
}

export function Receipt({ id }) {
  const { data, problem } = useAsk(RECEIPT, { id });
  if (!data?.roll) return html`<${Trouble} problem=${problem} />`;
  const { expression, terms, odds, verification } = data.roll;
  return html`<div class="receipt">
    <p><code>${expression}</code></p>
    <ul>
      ${terms.map((term) => html`<li>${term.notation}: ${term.dice.map((die) => html`<${Die} die=${die} /> `)}</li>`)}
    </ul>
    ${odds &&
    html`<p>
      As much or more comes ${percent(odds.atLeast.value)} of the time; the average is ${odds.mean.toFixed(2)}.
    </p>`}
    ${verification &&
    html`<p>
        ${verification.ok ? 'Every step of the verification holds' : 'The verification does not hold'}, number
        ${' '}${verification.number} of its epoch.
      </p>
      <ul>
        ${verification.steps.map((step) => html`<li>${step.ok ? '✓' : '✗'} ${titled(step.name)}: ${step.detail}</li>`)}
      </ul>
      ${verification.receipt && html`<p><small>Hash <code class="key">${verification.receipt.hash}</code></small></p>`}`}
  </div>`;
}

const Die = ({ die }) => (die.kept ? die.label || die.face : html`<s>${die.label || die.face}</s>`);
