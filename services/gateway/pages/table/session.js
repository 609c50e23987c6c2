/** Signing in: with a key that one has, or as somebody new. The key is kept in the browser, on request for longer. */
import { useState } from 'preact/hooks';
import { createApi } from './api.js';
import { ME } from './documents.js';
import { Field, Form, html, Tick } from './ui.js';

const KEPT = 'hearthforge.key';

export const remembered = () => sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT);

export function forget() {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(KEPT);
}

const remember = (key, long) => (long ? localStorage : sessionStorage).setItem(KEPT, key);

/** @param {{ code?: string, onKey: (key: string) => void }} props  code: of the invitation to a table that led here */
export function SignIn({ code, onKey }) {
  const [shown, setShown] = useState(null);
  if (shown) return html`<${NewKey} key_=${shown} onDone=${() => onKey(shown)} />`;
  return html`
    <h1>${code ? 'You are invited to a table' : 'Sit down at the table'}</h1>
    <div class="columns">
      <${WithKey} onKey=${onKey} />
      <${AsNewcomer} onKey=${setShown} />
    </div>
  `;
}

function WithKey({ onKey }) {
  const enter = async ({ key, long }) => {
    const api = createApi(key);
    await api.ask(ME);
    api.close();
    remember(key, long);
    onKey(key);
  };
  return html`<section>
    <h2>With a key</h2>
    <${Form} onSend=${enter} button="Sign in">
      <${Field} label="API key" name="key" type="password" required autocomplete="off" placeholder="hf_live_…" />
      <${Tick} name="long" label="Stay signed in on this device" />
    <//>
  </section>`;
}

function AsNewcomer({ onKey }) {
  const enter = async (account) => {
    const { key } = await createApi().rest('POST', '/v1/accounts', account);
    remember(key, false);
    onKey(key);
  };
  return html`<section>
    <h2>New here</h2>
    <${Form} onSend=${enter} button="Open an account">
      <${Field} label="Your name" name="name" required maxlength="80" autocomplete="nickname" />
      <${Field} label="Invitation of this server" name="invitation" hint="Only where its operator asks for one." />
    <//>
  </section>`;
}

function NewKey({ key_: key, onDone }) {
  return html`
    <h1>Your key</h1>
    <p>Keep it: it is shown this once, and it is how you come back from another device.</p>
    <p><code class="key">${key}</code></p>
    <button class="main" onClick=${onDone}>I have it</button>
  `;
}
