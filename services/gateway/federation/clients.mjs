/**
 * node clients.mjs URL KEY QUERY SUBSCRIPTION
 *
 * What the own clients of graphql-ws and graphql-sse make of a server: they query, follow a subscription that
 * replays at least three events, leave it in the middle, and are refused with a bad key. Prints a line for each
 * claim that does not hold and `N/M ok`; exit 1 unless all do.
 */
import { createClient as overSockets } from 'graphql-ws';
import { createClient as overEvents } from 'graphql-sse';
import { WebSocket } from 'ws';

const [url, key, query, subscription] = process.argv.slice(2);
if (!subscription) {
  process.stderr.write('usage: node clients.mjs URL KEY QUERY SUBSCRIPTION\n');
  process.exit(2);
}
const EVENTS = 3;
const LIMIT_MS = 20_000;
const closes = [];

const sockets = (secret, options = {}) =>
  overSockets({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${secret}` },
    retryAttempts: 0,
    onNonLazyError: () => {}, // terminating is one
    on: { closed: (event) => closes.push(event.code) },
    ...options,
  });
const events = (secret) =>
  overEvents({ url, headers: { authorization: `Bearer ${secret}` }, retryAttempts: 0 });

async function first(client, document, count) {
  const found = [];
  for await (const result of client.iterate({ query: document })) {
    if (result.errors) throw new Error(JSON.stringify(result.errors));
    found.push(result.data);
    if (found.length === count) break;
  }
  return found;
}

async function refusal(client) {
  try {
    await first(client, query, 1);
  } catch (reason) {
    return reason;
  }
  throw new Error('a bad key was let in');
}

function expect(held, said) {
  if (!held) throw new Error(said);
}

async function closed(code) {
  for (let waited = 0; closes.at(-1) !== code && waited < 5000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(closes.at(-1) === code, `closed with ${closes.at(-1)}, not ${code}`);
}

const claims = {
  'graphql-ws: a query is answered': async () => {
    const client = sockets(key);
    expect((await first(client, query, 1)).length === 1, 'no answer');
    await client.dispose();
    await closed(1000);
  },
  'graphql-ws: a subscription replays': async () => {
    const client = sockets(key);
    expect((await first(client, subscription, EVENTS)).length === EVENTS, 'too few events');
    // Left in the middle, the socket stays good for the next operation.
    expect((await first(client, query, 1)).length === 1, 'no answer after it was left');
    await client.dispose();
  },
  'graphql-ws: one socket carries several operations': async () => {
    const client = sockets(key, { lazy: false });
    const all = await Promise.all([
      first(client, subscription, EVENTS),
      first(client, subscription, EVENTS),
      first(client, query, 1),
    ]);
    expect(all.flat().length === 2 * EVENTS + 1, 'answers are missing');
    await client.dispose();
  },
  'graphql-ws: pings of the client are answered': async () => {
    let pongs = 0;
    const client = sockets(key, { lazy: false, keepAlive: 50, on: { pong: (got) => (pongs += got ? 1 : 0) } });
    for (let waited = 0; pongs < 2 && waited < 5000; waited += 20) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.dispose();
    expect(pongs >= 2, `${pongs} pongs`);
  },
  'graphql-ws: a bad key is refused with 4403': async () => {
    const reason = await refusal(sockets('hf_live_nobody_nothing'));
    expect(reason.code === 4403, `refused with ${reason.code ?? reason}`);
  },
  'graphql-ws: terminating leaves the server well': async () => {
    const client = sockets(key, { lazy: false });
    await first(client, query, 1);
    client.terminate();
    expect((await first(sockets(key), query, 1)).length === 1, 'no answer afterwards');
  },
  'graphql-sse: a query is answered': async () => {
    const client = events(key);
    expect((await first(client, query, 1)).length === 1, 'no answer');
    client.dispose();
  },
  'graphql-sse: a subscription replays': async () => {
    const client = events(key);
    expect((await first(client, subscription, EVENTS)).length === EVENTS, 'too few events');
    expect((await first(client, query, 1)).length === 1, 'no answer after it was left');
    client.dispose();
  },
  'graphql-sse: a bad key is refused with 401': async () => {
    const reason = await refusal(events('hf_live_nobody_nothing'));
    expect(reason.response?.status === 401, `refused with ${reason.response?.status ?? reason}`);
  },
};

let held = 0;
for (const [name, claim] of Object.entries(claims)) {
  const late = new Promise((_, reject) => setTimeout(reject, LIMIT_MS, new Error('it takes too long')).unref());
  try {
    await Promise.race([claim(), late]);
    held += 1;
  } catch (reason) {
    process.stdout.write(`${name}: ${reason.message ?? JSON.stringify(reason)}\n`);
  }
}
process.stdout.write(`${held}/${Object.keys(claims).length} ok\n`);
process.exit(held === Object.keys(claims).length ? 0 : 1);
