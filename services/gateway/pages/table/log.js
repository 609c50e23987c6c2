/** The live log of a table: what happened last, then whatever happens next, and notes of one's own. */
import { useEffect, useState } from 'preact/hooks';
import { LOG, LOG_FEED, WRITE_NOTE } from './documents.js';
import { Field, Form, html, Trouble, useApi, useAsk, useFeed, useFirst } from './ui.js';

const SHOWN = 200;
const clock = (at) => new Date(at).toLocaleTimeString([], { timeStyle: 'short' });

/** Calls `take` with each entry of the log as it comes. */
export function useHeard(table, take) {
  useEffect(() => {
    table.heard.listeners.add(take);
    return () => table.heard.listeners.delete(take);
  });
}

export function Log({ table, onEntry }) {
  const api = useApi();
  const { data, problem } = useAsk(LOG, { id: table.id });
  const [news, setNews] = useState([]);
  const before = data?.campaign.log.nodes ?? [];
  // What is read again after a broken line overlaps with the feed.
  const start = useFirst(data ? { id: table.id, after: before[0]?.cursor ?? null } : null);
  const ended = useFeed(LOG_FEED, start, (entry) => {
    setNews((entries) => [entry, ...entries].slice(0, SHOWN));
    onEntry(entry);
  });
  const write = async (note, form) => {
    await api.act(WRITE_NOTE, { campaignId: table.id, ...note });
    form.reset();
  };
  const entries = new Map([...before, ...news].map((entry) => [entry.seq, entry]));
  const newest = [...entries.values()].sort((one, other) => other.seq - one.seq).slice(0, SHOWN);
  return html`
    <h2>Log</h2>
    <${Trouble} problem=${problem ?? ended} />
    ${table.plays &&
    html`<${Form} onSend=${write} button="Write">
      <${Field} label="A note for all" name="text" required maxlength="4000" autocomplete="off" />
    <//>`}
    <div class="log" role="log" aria-label="What happened, newest first" tabindex="0"><ol>
      ${newest.map((entry) => html`<li key=${entry.seq}>
        <time datetime=${entry.createdAt}>${clock(entry.createdAt)}</time>
        ${' '}${entry.text} ${entry.kind === 'note' && entry.account && html`<small>${entry.account.name}</small>`}
      </li>`)}
    </ol></div>
  `;
}
