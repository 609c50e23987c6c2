/**
 * node caches.mjs URL KEY < QUERIES
 *
 * What the caches of Apollo Client and urql make of answers, as they are without any setting: each query, a line
 * of JSON with `name`, `query` and `variables`, is sent by each client, and what the client shows is compared with
 * what the server answered, at once and again from its cache. Prints a line for each value that
 * differs and `N/M ok`; exit 1 unless all are the same.
 */
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { cacheExchange as normalizing } from '@urql/exchange-graphcache';

const [url, key] = process.argv.slice(2);
if (!key) {
  process.stderr.write('usage: node caches.mjs URL KEY < QUERIES\n');
  process.exit(2);
}
const headers = { authorization: `Bearer ${key}` };
let answered;

async function noted(address, init) {
  const answer = await fetch(address, init);
  const { data, errors } = await answer.clone().json();
  const limit = errors?.find(({ extensions }) => extensions?.code === 'RATE_LIMITED');
  if (limit) {
    await setTimeout(1000 * limit.extensions.retryAfter);
    return noted(address, init);
  }
  if (errors) throw new Error(JSON.stringify(errors));
  answered = data;
  return answer;
}

/** Clients add `__typename` to what they ask for; it is no part of what a query wants. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name]) => name !== '__typename');
  return Object.fromEntries(entries.map(([name, inner]) => [name, bare(inner)]));
}

function difference(wanted, found, path = '') {
  const nested = (value) => value !== null && typeof value === 'object';
  if (!nested(wanted) || !nested(found)) {
    return `${path}: ${JSON.stringify(wanted)} is shown as ${JSON.stringify(found)}`;
  }
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const name = [...names].find((one) => !isDeepStrictEqual(wanted[one], found[one]));
  return difference(wanted[name], found[name], `${path}/${name}`);
}

function apollo() {
  const client = new ApolloClient({
    link: new HttpLink({ uri: url, headers, fetch: noted }),
    cache: new InMemoryCache(),
  });
  return {
    ask: async ({ query, variables }) => (await client.query({ query: gql(query), variables })).data,
    known: ({ query, variables }) => client.readQuery({ query: gql(query), variables }),
  };
}

function urql(exchange) {
  const client = new Client({
    url,
    preferGetMethod: false,
    fetch: noted,
    fetchOptions: { headers },
    exchanges: [exchange, fetchExchange],
  });
  return {
    ask: async ({ query, variables }) => {
      const { data, error } = await client.query(query, variables).toPromise();
      if (error) throw error;
      return data;
    },
    known: ({ query, variables }) => client.readQuery(query, variables)?.data ?? null,
  };
}

const queries = [];
for await (const line of createInterface({ input: process.stdin })) queries.push(JSON.parse(line));
let [same, all] = [0, 0];

function compare(label, wanted, found) {
  all += 1;
  const [one, other] = [bare(wanted), bare(found)];
  if (isDeepStrictEqual(one, other)) same += 1;
  else process.stdout.write(`${label}: ${difference(one, other)}\n`);
}

for (const [client, make] of Object.entries({
  'Apollo Client': apollo,
  urql: () => urql(cacheExchange),
  'urql graphcache': () => urql(normalizing({ logger: () => {} })), // it would tell of all that has no id
})) {
  for (const query of queries) {
    const { ask, known } = make();
    const shown = await ask(query);
    compare(`${client}, ${query.name}`, answered, shown);
    compare(`${client}, ${query.name} from its cache`, answered, known(query));
  }
}
process.stdout.write(`${same}/${all} ok\n`);
process.exitCode = same === all ? 0 : 1;
