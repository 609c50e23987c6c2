/**
 * The public API as this page uses it: questions, changes, pictures, and feeds that go on after a broken line.
 */
import { createClient } from 'graphql-ws/client';

const PATIENCE_MS = 30_000;
const PONG_MS = 5000;
const KEY_REFUSED = 4403;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 3000;

/** What the API refuses: `code` for programs, `message` for people, `issues` where rules were broken. */
export class Problem extends Error {
  constructor({ code, message, issues = [] }) {
    super(message);
    this.code = code;
    this.issues = issues;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Random bytes in hexadecimal; also where a page without HTTPS has no `crypto.randomUUID`. */
export function randomHex(bytes = 16) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} [key]  an API key; without one only `rest` is of use, to sign up */
export function createApi(key) {
  const authorization = key ? { authorization: `Bearer ${key}` } : {};
  const watchers = new Set();
  let line = 'open';

  function setLine(now) {
    if (now === line) return;
    line = now;
    for (const watcher of watchers) watcher(line);
  }

  /** Fetch; an empty bucket of points is waited for, a line that breaks is a Problem. */
  async function send(path, { headers, ...options } = {}) {
    for (;;) {
      let response;
      try {
        response = await fetch(path, { ...options, headers: { ...authorization, ...headers } });
      } catch {
        throw new Problem({ code: 'LINE_BROKEN', message: 'The server cannot be reached just now.' });
      }
      if (response.status !== 429) return response;
      await pause(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  /** A request to the REST face; the JSON of its answer. */
  async function rest(method, path, body) {
    const headers = method === 'GET' ? {} : { 'idempotency-key': randomHex() };
    if (body) headers['content-type'] = 'application/json';
    const response = await send(path, { method, headers, body: body && JSON.stringify(body) });
    const found = await response.json();
    if (!response.ok) throw new Problem({ ...found, message: found.detail ?? found.title });
    return found;
  }

  /** A query; its data. */
  async function ask(query, variables) {
    const response = await send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Problem({ code: errors[0].extensions?.code, message: errors[0].message });
    return data;
  }

  /**
   * A mutation of one field, tried until the line holds: its idempotency key lets it have one effect.
   * @returns what the field answers, unless that is a problem
   */
  async function act(query, input, idempotent = true) {
    const whole = idempotent ? { ...input, idempotencyKey: randomHex() } : input;
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        const [outcome] = Object.values(await ask(query, { input: whole }));
        if (outcome.code) throw new Problem(outcome);
        return outcome;
      } catch (problem) {
        if (problem.code !== 'LINE_BROKEN' || !idempotent || Date.now() > until) throw problem;
        await pause(PAUSE_MS);
      }
    }
  }

  /** A picture as the viewer may know it; an address for `<img>`, to be revoked when it is no longer shown. */
  async function picture(url) {
    const { pathname, search } = new URL(url, location.href);
    const response = await send(pathname + search);
    if (!response.ok) throw new Problem({ code: 'NO_PICTURE', message: 'There is no picture of this.' });
    return URL.createObjectURL(await response.blob());
  }

  let unanswered;
  const socket = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: authorization,
    keepAlive: 10_000,
    retryAttempts: Infinity,
    shouldRetry: (reason) => reason.code !== KEY_REFUSED, // a socket that never opened fails without a code
    retryWait: (tries) => pause(Math.min(PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)),
    on: {
      connected: () => setLine('open'),
      closed: (event) => setLine(event.code === 1000 ? 'open' : 'broken'),
      ping: (received) => {
        if (!received) unanswered = setTimeout(() => socket.terminate(), PONG_MS);
      },
      pong: (received) => received && clearTimeout(unanswered),
    },
  });
  const hangUp = () => socket.terminate();
  addEventListener('offline', hangUp);

  /**
   * Follow a subscription. After a broken line it goes on behind the last cursor that came: graphql-ws writes the
   * operation anew for each connection, and `after` is read then.
   * @returns {() => void} ends it
   */
  function listen(query, { after, ...variables }, { next, error = () => {} }) {
    let cursor = after;
    const operation = {
      query,
      variables: {
        ...variables,
        get after() {
          return cursor;
        },
      },
    };
    return socket.subscribe(operation, {
      next({ data, errors }) {
        if (errors) return error(new Problem({ code: errors[0].extensions?.code, message: errors[0].message }));
        const [value] = Object.values(data);
        cursor = value.cursor ?? cursor;
        return next(value);
      },
      error: (reason) => error(new Problem({ code: 'FEED_ENDED', message: reason[0]?.message ?? 'The feed has ended.' })),
      complete: () => {},
    });
  }

  return {
    rest,
    ask,
    act,
    picture,
    listen,
    /** Be told `open` or `broken` whenever that changes; returns what ends it. */
    watchLine(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    close() {
      removeEventListener('offline', hangUp);
      socket.dispose();
    },
  };
}
