/**
 * What the gateway is told by its environment, read once at start.
 *
 * @typedef {object} Config
 * @property {string} host              public bind address
 * @property {number} port              public port
 * @property {number | undefined} listenFd  a listening socket that whoever started us holds for the public port
 * @property {number | undefined} lifeFd    a pipe on which to say `ready` and `broken` (infra/launch/handover.py)
 * @property {number} adminPort         private port: health and metrics
 * @property {string} adminHost         the private bind address of that port
 * @property {URL} publicUrl            the address clients use
 * @property {import('node:crypto').KeyObject} privateKey  signs, with Ed25519, the tokens that subgraphs trust
 * @property {string | undefined} redisUrl  `unix:///path?db=0` or `redis://host:port/0`; unset = no limits
 * @property {string} schemaDir         folder of the subgraphs' *.graphql
 * @property {Record<string, string[]>} serviceUrls  private base addresses of each subgraph in the graph, by replica
 * @property {string[]} accountUrls     private base addresses of the app behind every other path, by replica
 * @property {boolean} introspection
 * @property {number} trustedProxyHops  how many proxies in front may speak for the client's address
 * @property {{ requests: number, streams: number }} connections  the most to one subgraph, of each kind
 * @property {number} pingSeconds       how often WebSockets are asked whether they live
 * @property {number} unsentSeconds     how long a stream's client may take nothing of what is sent to it
 * @property {'debug' | 'info' | 'warning' | 'error'} logLevel
 * @property {'json' | 'console'} logFormat
 * @property {number} logShare          of the requests that succeed, whose lines are logged: 0 to 1
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Every subgraph that may exist; those whose schema file is absent are left out of the graph. */
export const SUBGRAPHS = ['account', 'dice', 'character', 'campaign', 'map'];

/** Every limit that the gateway and the services share. */
export const LIMITS = JSON.parse(readFileSync(new URL('../../shared/limits/limits.json', import.meta.url), 'utf8'));

const REPOSITORY_SCHEMA = fileURLToPath(new URL('../../../schema', import.meta.url));

/** A setting that is missing or makes no sense. The message is one line for whoever starts the gateway. */
export class ConfigError extends Error {
  name = 'ConfigError';
}

/**
 * The folder of subgraph schemas: the repository's own unless the environment names another.
 * @param {NodeJS.ProcessEnv} env
 */
export const schemaDirectory = (env) => env.HEARTHFORGE_SCHEMA_DIR || REPOSITORY_SCHEMA;

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  const schemaDir = schemaDirectory(env);
  const present = SUBGRAPHS.filter((name) => existsSync(`${schemaDir}/${name}.graphql`));
  if (present.length === 0) {
    throw new ConfigError(`no subgraph schema (${SUBGRAPHS.join(', ')}) found in ${schemaDir}`);
  }
  const host = env.HEARTHFORGE_HOST || '127.0.0.1';
  const port = integer(env, 'HEARTHFORGE_PORT', 4000, 65535);
  return {
    host,
    port,
    listenFd: descriptor(env, 'HEARTHFORGE_LISTEN_FD'),
    lifeFd: descriptor(env, 'HEARTHFORGE_LIFE_FD'),
    adminPort: integer(env, 'HEARTHFORGE_GATEWAY_ADMIN_PORT', 4001, 65535),
    adminHost: env.HEARTHFORGE_GATEWAY_ADMIN_HOST || '127.0.0.1',
    publicUrl: new URL(address(env, 'HEARTHFORGE_PUBLIC_URL', `http://${host}:${port}`)),
    privateKey: privateKey(env, 'HEARTHFORGE_PRIVATE_KEY'),
    redisUrl: env.REDIS_URL || undefined,
    schemaDir,
    serviceUrls: Object.fromEntries(
      present.map((name) => [name, addresses(env, `HEARTHFORGE_${name.toUpperCase()}_URL`)]),
    ),
    accountUrls: addresses(env, 'HEARTHFORGE_ACCOUNT_URL'),
    introspection: choice(env, 'HEARTHFORGE_INTROSPECTION', ['true', 'false'], 'true') === 'true',
    trustedProxyHops: integer(env, 'HEARTHFORGE_TRUSTED_PROXY_HOPS', 0, 10),
    connections: {
      requests: integer(env, 'HEARTHFORGE_SUBGRAPH_CONNECTIONS', 256, 10_000),
      streams: integer(env, 'HEARTHFORGE_SUBGRAPH_STREAMS', 2000, 50_000),
    },
    pingSeconds: integer(env, 'HEARTHFORGE_PING_SECONDS', 10, 3600),
    unsentSeconds: integer(env, 'HEARTHFORGE_UNSENT_SECONDS', LIMITS.unsentSeconds, 3600),
    logLevel: choice(env, 'HEARTHFORGE_LOG_LEVEL', ['debug', 'info', 'warning', 'error'], 'info'),
    logFormat: choice(env, 'HEARTHFORGE_LOG_FORMAT', ['json', 'console'], 'json'),
    logShare: share(env, 'HEARTHFORGE_LOG_SHARE', 1),
  };
}

function integer(env, name, fallback, max) {
  const text = env[name] || String(fallback);
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) {
    throw new ConfigError(`${name} must be a whole number from 0 to ${max}, not "${text}"`);
  }
  return Number(text);
}

function share(env, name, fallback) {
  const text = env[name] || String(fallback);
  if (!/^(\d*\.)?\d+$/.test(text) || Number(text) > 1) {
    throw new ConfigError(`${name} must be a number from 0 to 1, not "${text}"`);
  }
  return Number(text);
}

function descriptor(env, name) {
  return env[name] ? integer(env, name, 0, 65535) : undefined;
}

function privateKey(env, name) {
  try {
    const key = createPrivateKey({
      key: Buffer.from(env[name] ?? '', 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Not what was wrong with it: that might tell of the key.
  }
  throw new ConfigError(`${name} must be a private Ed25519 key, PKCS #8 in base64`);
}

function address(env, name, fallback) {
  return checkedAddress(name, env[name] || fallback);
}

/** The addresses of a service's replicas, separated by commas. */
function addresses(env, name) {
  return (env[name] ?? '').split(',').map((text) => checkedAddress(name, text.trim()));
}

function checkedAddress(name, text) {
  if (!text) throw new ConfigError(`${name} is not set`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be an http address, not "${text}"`);
  }
  return text.replace(/\/+$/, '');
}

function choice(env, name, choices, fallback) {
  const text = (env[name] || fallback).toLowerCase();
  if (!choices.includes(text)) {
    throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
  }
  return text;
}
