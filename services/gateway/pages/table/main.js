/**
 * A small client of the table, on the public API alone. Read in this order: `api` (how the server is spoken to),
 * `documents` (what is asked), `ui` (hooks), `session`, `tables`, then a view each: `characters`, `dice`, `scenes`, `maps`.
 * It knows no game: sheets, offers, cards and boards come with the words and the fields that they are drawn from.
 */
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createApi } from './api.js';
import { forget, remembered, SignIn } from './session.js';
import { Table } from './table.js';
import { Tables } from './tables.js';
import { Api, html } from './ui.js';

/** The parts of the address behind `#/`. */
function useRoute() {
  const read = () => location.hash.replace(/^#?\/?/, '').split('/');
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = () => setRoute(read());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

function Line({ api }) {
  const [line, setLine] = useState('open');
  useEffect(() => api.watchLine(setLine), [api]);
  const words = line === 'broken' && 'The line is broken. It is tried again; nothing is lost.';
  return html`<p class="line" role="status">${words}</p>`;
}

function App() {
  const [key, setKey] = useState(remembered);
  const api = useMemo(() => key && createApi(key), [key]);
  const [place, id, view = 'scene', part] = useRoute();
  const main = useRef();
  useEffect(() => () => api?.close?.(), [api]);
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) main.current.focus();
    arrived.current = true;
  }, [place, id, view, part]);
  const leave = () => {
    forget();
    setKey(null);
  };
  const skip = (event) => {
    event.preventDefault(); // the hash is the route
    main.current.focus();
  };
  const code = place === 'join' ? id : undefined;
  return html`
    <a class="skip" href="#main" onClick=${skip}>To the content</a>
    <header>
      <a class="home" href="#/">Hearthforge</a>
      ${key && html`<button class="quiet" onClick=${leave}>Sign out</button>`}
    </header>
    <${Api.Provider} value=${api}>
      ${api && html`<${Line} api=${api} />`}
      <main id="main" tabindex="-1" ref=${main}>
        ${!api && html`<${SignIn} code=${code} onKey=${setKey} />`}
        ${api && place === 'table' && html`<${Table} key=${id} id=${id} view=${view} part=${part} />`}
        ${api && place !== 'table' && html`<${Tables} code=${code} />`}
      </main>
    <//>
  `;
}

render(html`<${App} />`, document.getElementById('app'));
