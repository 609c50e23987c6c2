/** What every view is made of: `html`, questions and feeds as hooks, and the few parts that they share. */
import htm from 'htm';
import { createContext, h } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';

const SOON_MS = 150;
export const ROLES = { PLAYER: 'Player', SPECTATOR: 'Spectator', GM: 'Game master' };

export const html = htm.bind(h);
export const Api = createContext(null);
export const useApi = () => useContext(Api);

/**
 * Ask a question when a view appears, when its variables change, on `reload`, and when a broken line holds again.
 * The last answer stays while another is on its way.
 * @param {object | null} variables  null: nothing is asked yet
 */
export function useAsk(query, variables) {
  const api = useApi();
  return useLoaded(() => api.ask(query, variables), [query, JSON.stringify(variables)], variables !== null);
}

/** The same for anything that can be loaded. */
export function useLoaded(load, inputs, wanted = true) {
  const api = useApi();
  const [answer, setAnswer] = useState({});
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => api.watchLine((line) => line === 'open' && reload()), [api]);
  useEffect(() => {
    let current = wanted;
    if (wanted) {
      load().then(
        (data) => current && setAnswer({ data }),
        (problem) => current && setAnswer((before) => ({ ...before, problem })),
      );
    }
    return () => {
      current = false;
    };
  }, [...inputs, wanted, turn]);
  return { ...answer, reload };
}

/** Follow a subscription while a view is shown, from `variables.after` on; null: not yet. */
export function useFeed(query, variables, next) {
  const api = useApi();
  const [problem, setProblem] = useState(null);
  const latest = useRef(next);
  latest.current = next;
  const { after, ...same } = variables ?? {};
  useEffect(() => {
    if (!variables) return undefined;
    return api.listen(query, variables, { next: (value) => latest.current(value), error: setProblem });
  }, [query, JSON.stringify(same), variables === null]);
  return problem;
}

/** The first value that is not null: where a feed begins, whatever is read again later. */
export function useFirst(value) {
  const first = useRef(null);
  first.current ??= value;
  return first.current;
}

/** Call `work` once for many calls in a row: a feed that catches up brings many at a time. */
export function useSoon(work) {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), SOON_MS);
  }, []);
}

/** Run something that changes the world: `run` takes a function, `busy` and `problem` tell how that went. */
export function useAct() {
  const [state, setState] = useState({ busy: false, problem: null });
  const run = useCallback(async (work) => {
    setState({ busy: true, problem: null });
    try {
      const done = await work();
      setState({ busy: false, problem: null });
      return done ?? true;
    } catch (problem) {
      setState({ busy: false, problem });
      return undefined;
    }
  }, []);
  return { ...state, run };
}

/** The address of a picture that needs the key; revoked when another takes its place. */
export function usePicture(url, version) {
  const api = useApi();
  const { data } = useLoaded(() => api.picture(url), [url, version], Boolean(url));
  useEffect(() => () => data && URL.revokeObjectURL(data), [data]);
  return url ? data : undefined;
}

export function Trouble({ problem }) {
  if (!problem) return null;
  return html`<div class="trouble" role="alert">
    <p>${problem.message}</p>
    ${problem.issues?.length > 0 &&
    html`<ul>
      ${problem.issues.map((issue) => html`<li>${issue.message} <${Rule} of=${issue} /></li>`)}
    </ul>`}
  </div>`;
}

/** A labelled field; `hint` stands below it and is read with it. */
export function Field({ label, hint, children, ...rest }) {
  return html`<label class="field">
    <span>${label}</span>
    ${children ?? html`<input ...${rest} />`}
    ${hint && html`<small>${hint}</small>`}
  </label>`;
}

export function Choice({ label, hint, options, empty, ...rest }) {
  return html`<${Field} label=${label} hint=${hint}>
    <select ...${rest}>
      ${empty !== undefined && html`<option value="">${empty}</option>`}
      ${options.map(
        ([value, text]) => html`<option key=${value} value=${value} selected=${value === rest.value}>${text}</option>`,
      )}
    </select>
  <//>`;
}

/** A form that hands its values over by name, empty ones left out, and shows what went wrong with them. */
export function Form({ onSend, button, children, ...rest }) {
  const { run, busy, problem } = useAct();
  const send = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = [...new FormData(form)].filter(([, value]) => value !== '');
    run(() => onSend(Object.fromEntries(given), form));
  };
  return html`<form onSubmit=${send} ...${rest}>
    ${children}
    <${Trouble} problem=${problem} />
    <button class="main" disabled=${busy}>${button}</button>
  </form>`;
}

/** A number with the steps that make it, each with its source and its rule. */
export function Reasons({ of }) {
  if (of.parts.length === 0) return html`<b>${of.value}</b>`;
  return html`<details class="reasons">
    <summary><b>${of.value}</b><span class="hidden"> and why</span></summary>
    <ul>
      ${of.parts.map((part) => html`<li>${signed(part.value)} ${part.source} <${Rule} of=${part} /></li>`)}
    </ul>
  </details>`;
}

/** Where the rule stands, for whoever wants to read it. */
export const Rule = ({ of }) => of.rule && html`<small>(${of.rule})</small>`;

export const Tick = ({ label, ...rest }) =>
  html`<label class="tick"><input type="checkbox" ...${rest} /> ${label}</label>`;

export const Chance = ({ of, label }) =>
  html`<meter min="0" max="1" value=${of} aria-label=${label}></meter> ${percent(of)}`;

/** A button that shows more, and takes it away again. */
export function More({ title, label = title, children }) {
  const [open, setOpen] = useState(false);
  return html`
    <button type="button" class="quiet" aria-expanded=${open} aria-label=${label} onClick=${() => setOpen(!open)}>
      ${title}
    </button>
    ${open && children}
  `;
}

export function Tracks({ tracks }) {
  return tracks.map(
    (track) => html`<div class="track" key=${track.key ?? track.name}>
      <span>${track.name} ${track.current}/${track.maximum}</span>
      <meter min="0" max=${Math.max(track.maximum, 1)} value=${track.current} aria-label=${track.name}></meter>
    </div>`,
  );
}

const signed = (number) => (number < 0 ? String(number) : `+${number}`);
export const percent = (chance) => `${(100 * chance).toFixed(chance > 0.1 || chance === 0 ? 0 : 1)} %`;
const inWords = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ').toLowerCase();
export const titled = (name) => inWords(name).replace(/^./, (letter) => letter.toUpperCase());
